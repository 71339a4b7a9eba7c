// What the search must have met on its way. A scenario names those that it must reach; two that a
// correct model never reaches are here so that a scenario about a broken rule can ask for them.
#include "properties/witnesses.hpp"

#include "model/stream_thread.hpp"
#include "properties/laws.hpp"

#include <algorithm>
#include <array>

namespace ringfence::properties {

namespace {

using model::Error;
using model::set_of;
using model::Verb;

bool is(const Step& step, Verb verb, Error error = Error::none) {
    return step.action.verb == verb && step.outcome.error == error;
}

const model::StreamThread& actor(const Step& step) {
    return step.before.threads[step.action.thread.value];
}

bool member_refused(const KafkaModel&, const Step& step) {
    return is(step, Verb::txn_offset_commit, Error::unknown_member_id) ||
           is(step, Verb::offset_commit, Error::unknown_member_id);
}

bool generation_refused(const KafkaModel&, const Step& step) {
    return is(step, Verb::txn_offset_commit, Error::illegal_generation) ||
           is(step, Verb::offset_commit, Error::illegal_generation);
}

bool fenced_by_coordinator(const KafkaModel&, const Step& step) {
    return step.outcome.error == Error::producer_fenced;
}

bool fenced_by_leader(const KafkaModel&, const Step& step) {
    return is(step, Verb::produce, Error::invalid_producer_epoch);
}

bool waited_for_stable_offset(const KafkaModel&, const Step& step) {
    return is(step, Verb::fetch_offset, Error::unstable_offset_commit);
}

bool waited_for_completion(const KafkaModel&, const Step& step) {
    return is(step, Verb::init_producer_id, Error::concurrent_transactions) &&
           !step.outcome.fenced_ongoing;
}

bool fenced_ongoing(const KafkaModel&, const Step& step) { return step.outcome.fenced_ongoing; }

bool aborted_by_timeout(const KafkaModel&, const Step& step) {
    return is(step, Verb::time_out_txn);
}

bool decided_after_rebalance(const KafkaModel&, const Step& step) {
    return is(step, Verb::end_txn_commit) && step.outcome.decided_commit &&
           actor(step).generation < step.before.group.generation;
}

bool accepted_while_preparing(const KafkaModel&, const Step& step) {
    return is(step, Verb::txn_offset_commit) &&
           step.before.group.phase == model::GroupPhase::preparing;
}

bool fetched_while_marker_owed(const KafkaModel&, const Step& step) {
    if (!is(step, Verb::fetch_offset)) { return false; }
    return std::ranges::any_of(step.before.transactional_ids, [&](const auto& id) {
        return id.is_preparing() && (id.partitions & step.action.partition.bit()) != 0;
    });
}

bool waited_for_changelog(const KafkaModel&, const Step& step) {
    const std::size_t p = step.action.partition.value;
    const model::StreamThread& thread = step.after.threads[step.action.thread.value];
    return is(step, Verb::restore_changelog) && thread.tasks[p].awaited != 0;
}

bool zombie_appended(const KafkaModel&, const Step& step) {
    return is(step, Verb::produce) && !is_current_member(step.before, step.action.thread);
}

bool kept_offsets_committed(const KafkaModel&, const Step& step) {
    return step.outcome.decided_commit &&
           std::ranges::any_of(actor(step).tasks, [](const model::Task& task) {
               return task.phase == model::TaskPhase::kept && task.has_progress();
           });
}

bool gave_up_under_new_generation(const KafkaModel&, const Step& step) {
    return is(step, Verb::txn_offset_commit) &&
           std::ranges::any_of(actor(step).tasks, [](const model::Task& task) {
               return task.phase == model::TaskPhase::revoking && task.has_progress();
           });
}

bool two_producers_pending(const KafkaModel& model, const Step& step) {
    if (!is(step, Verb::txn_offset_commit)) { return false; }
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        const auto pending = std::ranges::count_if(
            step.after.group.offsets,
            [&](const model::OffsetsEntry& entry) { return entry.pending[p].offset != 0; });
        if (pending > 1) { return true; }
    }
    return false;
}

bool finished_transaction_reopened(const KafkaModel& model, const Step& step) {
    const bool adds = is(step, Verb::add_partition) || is(step, Verb::add_offsets);
    const std::size_t slot = model.configuration().producer_slot(step.action.partition);
    const model::TransactionalId& id = step.before.transactional_ids[step.action.producer.value];
    return adds && actor(step).producers[slot].has_open_transaction() &&
           id.state != model::TransactionState::ongoing;
}

// ---- late and repeated messages, when they come ----

const model::Request& message(const Step& step) {
    return step.before.in_flight[step.action.message];
}

bool is_copy(const Step& step) { return step.action.verb == Verb::deliver_request; }

bool copy_appended(const KafkaModel&, const Step& step) {
    const bool is_offset = is(step, Verb::deliver_request) &&
                           message(step).verb == Verb::txn_offset_commit &&
                           !step.outcome.awaits_log;
    return is_copy(step) && (step.outcome.appended || is_offset);
}

bool copy_decided(const KafkaModel&, const Step& step) {
    const Verb verb = message(step).verb;
    const bool is_end = verb == Verb::end_txn_commit || verb == Verb::end_txn_abort;
    const std::size_t id = message(step).producer.value;
    return is_copy(step) && is_end &&
           step.before.transactional_ids[id].state == model::TransactionState::ongoing &&
           step.after.transactional_ids[id].is_preparing();
}

bool copy_refused(const KafkaModel&, const Step& step) {
    return is_copy(step) && step.outcome.error != Error::none &&
           step.outcome.error != Error::concurrent_transactions;
}

bool marker_copy_closed(const KafkaModel&, const Step& step) {
    const std::size_t id = message(step).producer.value;
    const bool is_of_offsets = message(step).verb == Verb::write_offsets_marker;
    const model::OffsetsEntry& offsets = step.before.group.offsets[id];
    const bool was_open =
        is_of_offsets ? std::ranges::any_of(offsets.pending,
                                            [](const auto& pending) { return pending.offset != 0; })
                      : step.before.outputs[message(step).partition.value][id].open != 0;
    return was_open && is(step, Verb::deliver_marker);
}

bool marker_copy_refused(const KafkaModel&, const Step& step) {
    return step.action.verb == Verb::deliver_marker && step.outcome.error != Error::none;
}

constexpr auto commits_of_offsets = set_of(Verb::txn_offset_commit, Verb::offset_commit);

constexpr std::array<Witness, 23> catalogue{{
    {"member_refused", "an offset commit was refused with UNKNOWN_MEMBER_ID", member_refused,
     commits_of_offsets},
    {"generation_refused", "an offset commit was refused with ILLEGAL_GENERATION",
     generation_refused, commits_of_offsets},
    {"fenced_by_coordinator", "the transaction coordinator answered PRODUCER_FENCED",
     fenced_by_coordinator},
    {"fenced_by_leader", "an output leader answered INVALID_PRODUCER_EPOCH", fenced_by_leader,
     set_of(Verb::produce)},
    {"waited_for_stable_offset", "OffsetFetch was answered with UNSTABLE_OFFSET_COMMIT",
     waited_for_stable_offset, set_of(Verb::fetch_offset)},
    {"waited_for_completion",
     "InitProducerId had to wait for the markers of the former transaction", waited_for_completion,
     set_of(Verb::init_producer_id)},
    {"fenced_ongoing", "InitProducerId fenced an ongoing transaction", fenced_ongoing,
     set_of(Verb::init_producer_id, Verb::deliver_request)},
    {"aborted_by_timeout", "a transaction was aborted by its timeout", aborted_by_timeout,
     set_of(Verb::time_out_txn)},
    {"decided_after_rebalance", "a commit of a thread whose generation had ended was decided",
     decided_after_rebalance, set_of(Verb::end_txn_commit)},
    {"accepted_while_preparing",
     "TxnOffsetCommit was accepted while a rebalance was being prepared", accepted_while_preparing,
     set_of(Verb::txn_offset_commit)},
    {"fetched_while_marker_owed",
     "an offset was fetched while the marker for the same task's output was still owed",
     fetched_while_marker_owed, set_of(Verb::fetch_offset), true},
    {"zombie_appended", "a thread that was no current member appended a record", zombie_appended,
     set_of(Verb::produce)},
    {"gave_up_under_new_generation",
     "partitions to be given up were committed under the new generation",
     gave_up_under_new_generation, set_of(Verb::txn_offset_commit)},
    {"kept_offsets_committed", "work kept from before an expulsion or a rejoin was committed",
     kept_offsets_committed, set_of(Verb::end_txn_commit, Verb::offset_commit)},
    {"two_producers_pending",
     "two producers had a pending offset on one partition (never, where the rules are right)",
     two_producers_pending, set_of(Verb::txn_offset_commit)},
    {"finished_transaction_reopened",
     "a request of an ended transaction opened another (never, where the rules are right)",
     finished_transaction_reopened, set_of(Verb::add_partition, Verb::add_offsets)},
    {"waited_for_changelog",
     "a new owner found an open transaction on the changelog and had to wait for it",
     waited_for_changelog, set_of(Verb::restore_changelog)},
    {"plain_commit", "a plain offset commit was accepted (at_least_once)",
     [](const KafkaModel&, const Step& step) { return is(step, Verb::offset_commit); },
     set_of(Verb::offset_commit)},
    {"copy_appended", "a late or repeated Produce or TxnOffsetCommit was appended when it came",
     copy_appended, set_of(Verb::deliver_request)},
    {"copy_decided", "a late or repeated EndTxn decided a transaction when it came", copy_decided,
     set_of(Verb::deliver_request)},
    {"copy_refused", "a late or repeated request was refused when it came", copy_refused,
     set_of(Verb::deliver_request)},
    {"marker_copy_closed", "a late or repeated marker closed what was open when it came",
     marker_copy_closed, set_of(Verb::deliver_marker)},
    {"marker_copy_refused", "a late or repeated marker was refused when it came",
     marker_copy_refused, set_of(Verb::deliver_marker)},
}};

}  // namespace

std::span<const Witness> all_witnesses() { return catalogue; }

}  // namespace ringfence::properties
