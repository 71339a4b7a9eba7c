#include "model/transaction_coordinator.hpp"

#include <cassert>

namespace ringfence::model {

namespace {

bool is_version_2(const Rules& rules) {
    return rules.transaction_version == TransactionVersion::two;
}

}  // namespace

Error add_error(const Rules& rules, const TransactionalId& id, Epoch epoch) {
    const bool is_pending = id.is_preparing();
    const bool is_fenced = rules.add_epoch_test == Test::on && epoch != id.epoch;
    if (is_pending && rules.pending_test == PendingTest::before_epoch) {
        return Error::concurrent_transactions;
    }
    if (is_fenced) { return Error::producer_fenced; }
    return is_pending ? Error::concurrent_transactions : Error::none;
}

void add_partition(TransactionalId& id, std::uint8_t partition) {
    assert(!id.is_preparing());
    id.state = TransactionState::ongoing;
    id.partitions = static_cast<std::uint8_t>(id.partitions | partition);
}

Error verify_error(const Rules& rules, const TransactionalId& id, Epoch epoch,
                   std::uint8_t partition) {
    if (rules.add_epoch_test == Test::on && epoch != id.epoch) { return Error::producer_fenced; }
    if (id.is_preparing()) { return Error::concurrent_transactions; }
    if ((id.partitions & partition) != 0) { return Error::none; }
    return rules.verification_refusal == VerificationRefusal::transaction_abortable
               ? Error::transaction_abortable
               : Error::invalid_txn_state;
}

// ---- EndTxn ----

namespace {

bool passes_end_epoch_test(EndTxnEpochTest test, Epoch stored, Epoch given) {
    switch (test) {
        case EndTxnEpochTest::equal: return given == stored;
        case EndTxnEpochTest::at_least: return given >= stored;
        case EndTxnEpochTest::none: return true;
    }
    return false;
}

// While a completion is pending that alone is told (pendingTransitionInProgress). None is where the
// coordinator gave up before it sent a marker.
Error prepared_error(const TransactionalId& id, bool is_same_decision) {
    const bool is_pending = id.gave_up != GaveUp::before_markers;
    return is_pending || is_same_decision ? Error::concurrent_transactions
                                          : Error::invalid_txn_state;
}

// The state alone, once the epoch has passed.
Error end_error_of_version_1(const TransactionalId& id, bool commits) {
    switch (id.state) {
        case TransactionState::ongoing: return Error::none;
        case TransactionState::complete_commit:
            return commits ? Error::none : Error::invalid_txn_state;
        case TransactionState::complete_abort:
            return commits ? Error::invalid_txn_state : Error::none;
        case TransactionState::prepare_commit: return prepared_error(id, commits);
        case TransactionState::prepare_abort: return prepared_error(id, !commits);
        case TransactionState::empty: return Error::invalid_txn_state;
    }
    return Error::invalid_txn_state;
}

bool is_complete(const TransactionalId& id) {
    return id.state == TransactionState::complete_commit ||
           id.state == TransactionState::complete_abort;
}

// retryOnEpochBump: the transaction that ended last was of the epoch before the stored one.
bool is_retry(const TransactionalId& id, Epoch epoch) {
    return is_complete(id) && epoch.next() == id.epoch;
}

// While markers are owed the completion is pending, and that is asked before the epoch: the client
// may already use the one that it was answered.
Error end_error_of_version_2(const Rules& rules, const TransactionalId& id, Epoch epoch,
                             bool commits) {
    if (id.is_preparing()) { return Error::concurrent_transactions; }
    if (is_retry(id, epoch)) {
        const bool did_commit = id.state == TransactionState::complete_commit;
        return commits == did_commit ? Error::none : Error::invalid_txn_state;
    }
    if (!passes_end_epoch_test(rules.end_txn_epoch_test, id.epoch, epoch)) {
        return Error::producer_fenced;
    }
    const bool has_nothing_to_commit = commits && id.state != TransactionState::ongoing;
    return has_nothing_to_commit ? Error::invalid_txn_state : Error::none;
}

void bump(TransactionalId& id, unsigned times) {
    id.epoch.raw = static_cast<std::uint8_t>(id.epoch.raw + times);
}

// KIP-360. Only an InitProducerId that gives an epoch reads this.
void remember_last(const Rules& rules, TransactionalId& id, Epoch last) {
    if (rules.bumps_after_abort == BumpsAfterAbort::yes) { id.last_epoch = last; }
}

// PREPARE_*: the partitions are owed a marker from now on.
void prepare(const Rules& rules, TransactionalId& id, Decision decision) {
    id.state = decision == Decision::commit ? TransactionState::prepare_commit
                                            : TransactionState::prepare_abort;
    constexpr auto outputs = static_cast<std::uint8_t>(offsets_partition_bit - 1);
    if (rules.changelog != Changelog::no) { id.changelogs = id.partitions & outputs; }
    // Only where an epoch may be given out before the markers are written do the two differ.
    if (rules.init_waits == Switch::no) { id.marker_epoch = id.epoch; }
}

// Two only where version 2 bumps with the fence and again with the abort (4.0.0).
unsigned bumps_of(const Rules& rules, AbortBump rule) {
    switch (rule) {
        case AbortBump::yes: return 1;
        case AbortBump::no: return 0;
        case AbortBump::twice: return is_version_2(rules) ? 2 : 1;
    }
    return 0;
}

// The coordinator aborts by itself: prepareFenceProducerEpoch, then the abort.
void fence(const Rules& rules, TransactionalId& id, AbortBump rule) {
    const unsigned bumps = bumps_of(rules, rule);
    bump(id, bumps);
    const Epoch last{static_cast<std::uint8_t>(id.epoch.raw - (bumps == 0 ? 0 : 1))};
    remember_last(rules, id, is_version_2(rules) ? last : Epoch{});
    prepare(rules, id, Decision::abort);
}

}  // namespace

Error end_error(const Rules& rules, const TransactionalId& id, Epoch epoch, Decision decision) {
    const bool commits = decision == Decision::commit;
    if (is_version_2(rules)) { return end_error_of_version_2(rules, id, epoch, commits); }
    if (!passes_end_epoch_test(rules.end_txn_epoch_test, id.epoch, epoch)) {
        return Error::producer_fenced;
    }
    return end_error_of_version_1(id, commits);
}

bool end_decides(const Rules& rules, const TransactionalId& id, Epoch epoch, Decision decision) {
    if (end_error(rules, id, epoch, decision) != Error::none) { return false; }
    if (id.state == TransactionState::ongoing) { return true; }
    return is_version_2(rules) && !is_retry(id, epoch);
}

void decide(const Rules& rules, TransactionalId& id, Decision decision) {
    if (is_version_2(rules)) {
        remember_last(rules, id, id.epoch);
        bump(id, 1);
    }
    prepare(rules, id, decision);
}

Ending end_transaction(const Rules& rules, TransactionalId& id, Epoch epoch, Decision decision) {
    const Error error = end_error(rules, id, epoch, decision);
    if (error != Error::none) { return {.error = error}; }
    if (!end_decides(rules, id, epoch, decision)) { return {}; }
    decide(rules, id, decision);
    const bool gives_up = rules.end_txn_epoch_test == EndTxnEpochTest::at_least &&
                          !is_version_2(rules) && epoch > id.epoch;
    if (!gives_up) { return {.decides = true}; }
    id.gave_up = GaveUp::before_markers;
    return {.error = Error::invalid_producer_epoch, .decides = true};
}

// ---- InitProducerId and timeouts ----

namespace {

// Of an id without a transaction, or whose markers are not waited for.
Error answer_epoch(const Rules& rules, TransactionalId& id, Epoch expected) {
    const bool is_given = expected.is_known() && id.epoch.is_known();
    if (is_given && expected != id.epoch) {
        // The answer to the round that made it the last epoch was lost.
        return expected == id.last_epoch ? Error::none : Error::producer_fenced;
    }
    remember_last(rules, id, is_given ? id.epoch : Epoch{});
    if (!id.epoch.is_known() || rules.init_bumps_epoch == Switch::yes) { bump(id, 1); }
    return Error::none;
}

}  // namespace

Error init_producer_id(const Rules& rules, TransactionalId& id, Epoch expected) {
    const bool waits = rules.init_waits == Switch::yes;
    if (id.is_preparing() && waits) { return Error::concurrent_transactions; }
    if (id.state == TransactionState::ongoing) {
        fence(rules, id, rules.fence_bumps_epoch);
        if (waits) { return Error::concurrent_transactions; }
    }
    const Error error = answer_epoch(rules, id, expected);
    const bool is_answered = error == Error::none && !id.is_preparing();
    if (is_answered) { id.state = TransactionState::empty; }
    return error;
}

unsigned bumps_of_init(const Rules& rules, const TransactionalId& id, Epoch expected) {
    TransactionalId after = id;
    static_cast<void>(init_producer_id(rules, after, expected));
    return static_cast<unsigned>(after.epoch.raw - id.epoch.raw);
}

void time_out(const Rules& rules, TransactionalId& id) {
    fence(rules, id, rules.timeout_bumps_epoch);
}

unsigned bumps_of_timeout(const Rules& rules) { return bumps_of(rules, rules.timeout_bumps_epoch); }

Epoch marker_epoch(const TransactionalId& id) {
    return id.marker_epoch.is_known() ? id.marker_epoch : id.epoch;
}

Request marker_of(const Cluster& cluster, const Action& action) {
    const TransactionalId& id = cluster.transactional_ids[action.producer.value];
    return {.verb = action.verb,
            .producer = action.producer,
            .epoch = marker_epoch(id),
            .partition = action.partition,
            .is_commit = id.state == TransactionState::prepare_commit,
            .coordinator_epoch = id.coordinator_epoch};
}

void hear_of_marker(TransactionalId& id, const Action& action, Error answer) {
    if (answer == Error::network_exception) { return; }
    const bool is_of_offsets = action.verb == Verb::write_offsets_marker;
    const unsigned partition = is_of_offsets ? offsets_partition_bit : action.partition.bit();
    std::uint8_t& owed =
        action.verb == Verb::write_changelog_marker ? id.changelogs : id.partitions;
    owed = static_cast<std::uint8_t>(owed & ~partition);
    if (answer != Error::none) { id.gave_up = GaveUp::on_a_marker; }
}

void complete(TransactionalId& id) {
    assert(id.is_preparing() && id.owes_no_marker());
    id.state = id.state == TransactionState::prepare_commit ? TransactionState::complete_commit
                                                            : TransactionState::complete_abort;
    id.marker_epoch = Epoch{};
    id.decided = 0;
}

void remember_decided(const Configuration& configuration, TransactionalId& id) {
    const bool is_new = id.is_preparing() && id.decided == 0;
    if (configuration.fails_over() && is_new) { id.decided = id.partitions; }
}

}  // namespace ringfence::model
