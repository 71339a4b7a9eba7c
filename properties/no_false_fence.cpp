// The rightful owner is not fenced: not by an error of its own request, and not by a thread that is
// no member any more and takes its transactional id over.
#include "model/rights.hpp"
#include "model/stream_thread.hpp"
#include "properties/laws.hpp"

#include <optional>

namespace ringfence::properties {

namespace {

using model::Error;

// Only these can be answered with a fence, or take an id over.
constexpr auto requests_of_producers = model::set_of(
    model::Verb::init_producer_id, model::Verb::add_partition, model::Verb::verify_partition,
    model::Verb::produce, model::Verb::add_offsets, model::Verb::verify_offsets,
    model::Verb::txn_offset_commit, model::Verb::end_txn_commit, model::Verb::end_txn_abort,
    model::Verb::deliver_request);

bool is_delivery(const Step& step) { return step.action.verb == model::Verb::deliver_request; }

ProducerId taken_id(const Step& step) {
    return is_delivery(step) ? step.before.in_flight[step.action.message].producer
                             : step.action.producer;
}

// The rightful owner whose initialised producer this InitProducerId takes over, if it comes from a
// thread that is no member at the current generation. Behind a message in flight is no thread.
std::optional<ThreadId> robbed_owner(const KafkaModel& model, const Step& step) {
    const bool takes = step.outcome.took_over || step.outcome.fenced_ongoing;
    const bool is_of_member =
        !is_delivery(step) && is_current_member(step.before, step.action.thread);
    if (!takes || is_of_member) { return {}; }
    const model::Configuration& configuration = model.configuration();
    const ProducerId id = taken_id(step);
    const model::Epoch epoch = step.before.transactional_ids[id.value].epoch;
    for (std::size_t t = 0; t < model.bounds().threads; ++t) {
        const ThreadId owner{t};
        for (std::size_t slot = 0; slot < configuration.producer_slots(); ++slot) {
            const PartitionId partition{slot};
            const bool is_same_id = configuration.producer_id(owner, partition) == id;
            const model::Epoch held = step.before.threads[t].producers[slot].epoch;
            const bool holds_id = is_same_id && held.is_known() && held == epoch;
            // The thread that takes over is no member, and so no rightful owner.
            const bool is_robbed =
                holds_id && is_rightful_owner(configuration, step.before, owner, partition);
            if (is_robbed) { return owner; }
        }
    }
    return {};
}

bool is_fenced_falsely(const KafkaModel& model, const Step& step) {
    const bool is_fence = step.outcome.error == Error::producer_fenced ||
                          step.outcome.error == Error::invalid_producer_epoch;
    const bool is_request = (requests_of_producers >> KafkaModel::verb_of(step.action) & 1U) != 0;
    if (!is_fence || !is_request || is_delivery(step)) { return false; }
    const model::Configuration& configuration = model.configuration();
    const std::size_t slot = configuration.producer_slot(step.action.partition);
    const model::Producer& producer = step.before.threads[step.action.thread.value].producers[slot];
    return producer.timed_out == 0 &&
           is_rightful_owner(configuration, step.before, step.action.thread, step.action.partition);
}

bool holds(const KafkaModel& model, const Step& step) {
    return !is_fenced_falsely(model, step) && !robbed_owner(model, step).has_value();
}

std::string explain(const KafkaModel& model, const Step& step) {
    const std::string id = producer_name(model.configuration(), taken_id(step));
    if (const auto owner = robbed_owner(model, step)) {
        const std::string who = is_delivery(step)
                                    ? "A late or repeated InitProducerId"
                                    : thread_name(step.action.thread) +
                                          ", which is no member at the group's current generation,";
        return who + " took the transactional id " + id + " from " + thread_name(*owner) +
               ", its rightful owner: the next request of " + thread_name(*owner) +
               " will be refused, although it did nothing wrong.";
    }
    return thread_name(step.action.thread) +
           " is a member at the current generation and the owner "
           "of its work, its transaction did not time out, and still its request under " +
           id + " was refused with " + std::string(name_of(step.outcome.error)) + ".";
}

}  // namespace

Law no_false_fence() {
    return {.name = "no_false_fence",
            .sentence =
                "A rightful owner whose transaction did not time out is never fenced, and "
                "no thread outside the current generation takes its transactional id over.",
            .source = "spring-kafka 1424, KIP-588",
            .kind = checker::PropertyKind::step,
            .is_applicable = has_transactions,
            .verbs = requests_of_producers,
            .holds_over = holds,
            .explain_step = explain};
}

}  // namespace ringfence::properties
