// The rightful owner never gets an error that it cannot survive.
#include "model/rights.hpp"
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

using model::Error;

// An INVALID_TXN_STATE on Produce is abortable.
constexpr auto requests = model::set_of(model::Verb::add_offsets, model::Verb::verify_offsets,
                                        model::Verb::txn_offset_commit, model::Verb::end_txn_commit,
                                        model::Verb::end_txn_abort);

bool holds(const KafkaModel& model, const Step& step) {
    const bool is_request = (requests >> KafkaModel::verb_of(step.action) & 1U) != 0;
    const bool is_fatal = step.outcome.error == Error::invalid_txn_state ||
                          step.outcome.error == Error::invalid_producer_id_mapping;
    if (!is_request || !is_fatal) { return true; }
    const model::Configuration& configuration = model.configuration();
    const std::size_t slot = configuration.producer_slot(step.action.partition);
    const model::Producer& producer = step.before.threads[step.action.thread.value].producers[slot];
    return producer.timed_out != 0 || !is_rightful_owner(configuration, step.before,
                                                         step.action.thread, step.action.partition);
}

std::string explain(const KafkaModel&, const Step& step) {
    return thread_name(step.action.thread) +
           " is a member at the current generation, its transaction did not time out, and still "
           "its request was answered with " +
           std::string(name_of(step.outcome.error)) + ", which Kafka Streams does not survive.";
}

}  // namespace

Law no_false_fatal() {
    return {.name = "no_false_fatal",
            .sentence =
                "A rightful owner whose transaction did not time out never gets a fatal "
                "error.",
            .source = "KIP-1050",
            .kind = checker::PropertyKind::step,
            .is_applicable = has_transactions,
            .verbs = requests,
            .holds_over = holds,
            .explain_step = explain};
}

}  // namespace ringfence::properties
