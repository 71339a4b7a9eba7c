#include "model/partition_leader.hpp"

#include <algorithm>

namespace ringfence::model {

namespace {

bool is_version_2(const Rules& rules) {
    return rules.transaction_version == TransactionVersion::two;
}

bool is_fenced(const Rules& rules, Log log, const ProducerState& state, Epoch given) {
    const Test test = log == Log::output ? rules.output_epoch_test : rules.offsets_epoch_test;
    return test == Test::on && given < state.epoch;
}

// hasOngoingTransaction: the producer's open transaction, which the batch would only join.
bool joins_open_transaction(const Rules& rules, const ProducerState& state, Epoch given) {
    const bool fits =
        given == state.epoch || rules.verification_skipped == VerificationSkipped::at_any_epoch;
    return state.is_open && fits;
}

// Version 2 has no other way to add the offsets partition.
bool is_verified(const Rules& rules, Log log) {
    return log == Log::output || rules.verified_requests == VerifiedRequests::all ||
           is_version_2(rules);
}

}  // namespace

// ---- before the question ----

Error question_error(const Rules& rules, Log log, const ProducerState& state, Epoch given) {
    const bool is_early = rules.leader_epoch_test != LeaderEpochTest::after_guard;
    return is_early && is_fenced(rules, log, state, given) ? Error::invalid_producer_epoch
                                                           : Error::none;
}

bool asks_ever(const Rules& rules) {
    return is_version_2(rules) || rules.verification != Verification::off;
}

bool asks_coordinator(const Rules& rules, Log log, const ProducerState& state, Epoch given) {
    const bool asks = asks_ever(rules) && is_verified(rules, log);
    return asks && !joins_open_transaction(rules, state, given);
}

Error told_by_leader(const Rules& rules, Log log, Error error) {
    if (error == Error::producer_fenced) { return Error::invalid_producer_epoch; }
    // Producers of version 1 know of no transaction that they would have to wait for here.
    const bool is_hidden =
        error == Error::concurrent_transactions && log == Log::output && !is_version_2(rules);
    return is_hidden ? Error::not_enough_replicas : error;
}

// ---- under the lock of the log ----

bool is_duplicate(const Rules& rules, const ProducerState& state, const Batch& batch) {
    const bool is_remembered = batch.sequence < 0 && batch.sequence >= -batches_remembered;
    return rules.sequence_test == Test::on && batch.epoch == state.epoch && is_remembered;
}

namespace {

Error guard_error(const Rules& rules, Log log, const ProducerState& state, const Batch& batch) {
    const bool is_guarded = rules.verification == Verification::guarded && is_verified(rules, log);
    if (!is_guarded || joins_open_transaction(rules, state, batch.epoch)) { return Error::none; }
    const bool is_first = rules.leader_epoch_test == LeaderEpochTest::first;
    if (is_first && is_fenced(rules, log, state, batch.epoch)) {
        return Error::invalid_producer_epoch;
    }
    return batch.guard == Guard::current ? Error::none : Error::invalid_txn_state;
}

// Of a producer id that it knows nothing of, a leader accepts any sequence under version 1.
Error sequence_error(const Rules& rules, const ProducerState& state, std::int8_t sequence) {
    const bool is_unknown = !state.epoch.is_known();
    const bool must_begin_at_0 = is_version_2(rules) && rules.first_sequence_test == Test::on;
    if (is_unknown && !must_begin_at_0) { return Error::none; }
    return sequence == 0 ? Error::none : Error::out_of_order_sequence_number;
}

}  // namespace

Error append_error(const Rules& rules, Log log, const ProducerState& state, const Batch& batch) {
    const Error error = guard_error(rules, log, state, batch);
    if (error != Error::none) { return error; }
    if (is_fenced(rules, log, state, batch.epoch)) { return Error::invalid_producer_epoch; }
    const bool tests_sequence = rules.sequence_test == Test::on;
    return tests_sequence ? sequence_error(rules, state, batch.sequence) : Error::none;
}

void append(OutputEntry& entry, Epoch epoch, Offset record, bool is_listed, bool keeps_ghost) {
    entry.epoch = epoch;
    entry.open = with_one_more(entry.open, record);
    if (keeps_ghost && !is_listed) { entry.stray = 1; }
}

// ---- markers ----

Marker marker_in(const Request& request) {
    return {.epoch = request.epoch, .coordinator_epoch = request.coordinator_epoch};
}

namespace {

bool marker_is_fenced(const Rules& rules, const ProducerState& state, Epoch given) {
    if (given < state.epoch) { return true; }
    if (!is_version_2(rules) || given != state.epoch) { return false; }
    switch (rules.marker_epoch_test) {
        case MarkerEpochTest::not_smaller: return false;
        case MarkerEpochTest::greater: return true;
        case MarkerEpochTest::greater_or_equal_with_nothing_open: break;
    }
    return state.is_open;
}

}  // namespace

Error marker_error(const Rules& rules, const ProducerState& state, const Marker& marker) {
    if (marker_is_fenced(rules, state, marker.epoch)) { return Error::invalid_producer_epoch; }
    const bool is_of_replaced = marker.coordinator_epoch < state.coordinator_epoch;
    return is_of_replaced && rules.coordinator_epoch_test == Test::on
               ? Error::transaction_coordinator_fenced
               : Error::none;
}

void append_marker(OutputEntry& entry, const Marker& marker) {
    entry = OutputEntry{.epoch = marker.epoch, .coordinator_epoch = marker.coordinator_epoch};
}

bool overtakes(const Rules& rules, Epoch marker, Epoch asked) {
    return !is_version_2(rules) || marker != asked;
}

bool may_expire(const OutputEntry& entry) { return entry.epoch.is_known() && entry.open == 0; }

bool may_expire(const OffsetsEntry& entry) {
    const auto is_pending = [](const PendingOffset& pending) { return pending.offset != 0; };
    return entry.epoch.is_known() && entry.queue == 0 &&
           std::ranges::none_of(entry.pending, is_pending);
}

}  // namespace ringfence::model
