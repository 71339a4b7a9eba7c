#include "model/transaction_coordinator.hpp"

#include <cassert>

namespace ringfence::model {

Error add_error(const Rules& rules, const TransactionalId& id, Epoch epoch) {
    if (rules.add_epoch_test == Test::on && epoch != id.epoch) { return Error::producer_fenced; }
    if (id.is_preparing()) { return Error::concurrent_transactions; }
    return Error::none;
}

void add_partition(TransactionalId& id, std::uint8_t partition) {
    assert(!id.is_preparing());
    id.state = TransactionState::ongoing;
    id.partitions = static_cast<std::uint8_t>(id.partitions | partition);
}

namespace {

bool passes_end_epoch_test(EndTxnEpochTest test, Epoch stored, Epoch given) {
    switch (test) {
        case EndTxnEpochTest::equal: return given == stored;
        case EndTxnEpochTest::at_least: return given >= stored;
        case EndTxnEpochTest::none: return true;
    }
    return false;
}

}  // namespace

Error end_error(const Rules& rules, const TransactionalId& id, Epoch epoch, Decision decision) {
    if (!passes_end_epoch_test(rules.end_txn_epoch_test, id.epoch, epoch)) {
        return Error::producer_fenced;
    }
    const bool commits = decision == Decision::commit;
    switch (id.state) {
        case TransactionState::ongoing: return Error::none;
        case TransactionState::complete_commit:
            return commits ? Error::none : Error::invalid_txn_state;
        case TransactionState::complete_abort:
            return commits ? Error::invalid_txn_state : Error::none;
        case TransactionState::prepare_commit:
            return commits ? Error::concurrent_transactions : Error::invalid_txn_state;
        case TransactionState::prepare_abort:
            return commits ? Error::invalid_txn_state : Error::concurrent_transactions;
        case TransactionState::empty: return Error::invalid_txn_state;
    }
    return Error::invalid_txn_state;
}

void decide(const Rules& rules, TransactionalId& id, Decision decision) {
    assert(id.state == TransactionState::ongoing);
    id.state = decision == Decision::commit ? TransactionState::prepare_commit
                                            : TransactionState::prepare_abort;
    constexpr auto outputs = static_cast<std::uint8_t>(offsets_partition_bit - 1);
    if (rules.changelog != Changelog::no) { id.changelogs = id.partitions & outputs; }
    // Only where an epoch may be given out before the markers are written do the two differ.
    if (rules.init_waits == Switch::no) { id.marker_epoch = id.epoch; }
}

Error init_producer_id(const Rules& rules, TransactionalId& id) {
    const bool waits = rules.init_waits == Switch::yes;
    if (id.is_preparing() && waits) { return Error::concurrent_transactions; }
    if (id.state == TransactionState::ongoing) {
        if (rules.fence_bumps_epoch == Switch::yes) { id.epoch = id.epoch.next(); }
        decide(rules, id, Decision::abort);
        if (waits) { return Error::concurrent_transactions; }
    }
    if (!id.epoch.is_known() || rules.init_bumps_epoch == Switch::yes) {
        id.epoch = id.epoch.next();
    }
    if (!id.is_preparing()) { id.state = TransactionState::empty; }
    return Error::none;
}

unsigned bumps_of_init(const Rules& rules, const TransactionalId& id) {
    TransactionalId after = id;
    init_producer_id(rules, after);
    return static_cast<unsigned>(after.epoch.raw - id.epoch.raw);
}

void time_out(const Rules& rules, TransactionalId& id) {
    if (rules.timeout_bumps_epoch == Switch::yes) { id.epoch = id.epoch.next(); }
    decide(rules, id, Decision::abort);
}

Epoch marker_epoch(const TransactionalId& id) {
    return id.marker_epoch.is_known() ? id.marker_epoch : id.epoch;
}

Request marker_of(const Cluster& cluster, const Action& action) {
    const TransactionalId& id = cluster.transactional_ids[action.producer.value];
    return {.verb = action.verb,
            .producer = action.producer,
            .epoch = marker_epoch(id),
            .partition = action.partition,
            .is_commit = id.state == TransactionState::prepare_commit};
}

void acknowledge(TransactionalId& id, const Action& action) {
    const bool is_of_offsets = action.verb == Verb::write_offsets_marker;
    const unsigned partition = is_of_offsets ? offsets_partition_bit : action.partition.bit();
    std::uint8_t& owed =
        action.verb == Verb::write_changelog_marker ? id.changelogs : id.partitions;
    owed = static_cast<std::uint8_t>(owed & ~partition);
}

void complete(TransactionalId& id) {
    assert(id.is_preparing() && id.owes_no_marker());
    id.state = id.state == TransactionState::prepare_commit ? TransactionState::complete_commit
                                                            : TransactionState::complete_abort;
    id.marker_epoch = Epoch{};
}

}  // namespace ringfence::model
