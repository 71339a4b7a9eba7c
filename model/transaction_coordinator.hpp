// The transaction coordinator: one entry per transactional id (protocol: KIP-98, KIP-360; the
// version 1 paths of TransactionCoordinator.scala).
//
// The acceptance functions are pure and say with which Kafka error a request would be answered. The
// step, the laws and the reasons in traces all ask them; so does the acceptance table in tests/.
//
// Two things Kafka does in two steps are one step here, because nothing can tell the difference.
// (1) A fence is first pending and then aborts: a request handled in between either passes as if it
// had come before the fence (EndTxn) or is refused retriably (AddPartitionsToTxn, InitProducerId).
// (2) A transition is pending until it is replicated: requests are refused retriably meanwhile.
#pragma once

#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/request.hpp"
#include "model/rules.hpp"

namespace ringfence::model {

enum class Decision : std::uint8_t { commit, abort };

// AddPartitionsToTxn and AddOffsetsToTxn (handleAddPartitionsToTransaction).
[[nodiscard]] Error add_error(const Rules& rules, const TransactionalId& id, Epoch epoch);
// `partition` is the bit of an output, or offsets_partition_bit.
void add_partition(TransactionalId& id, std::uint8_t partition);

// EndTxn from a client (endTransactionWithTV1). No error: it decides if the transaction is ongoing,
// and is taken for a retry of the same decision if it is complete.
[[nodiscard]] Error end_error(const Rules& rules, const TransactionalId& id, Epoch epoch,
                              Decision decision);
// The decision itself: PREPARE_COMMIT or PREPARE_ABORT is in the log, all markers are owed.
void decide(const Rules& rules, TransactionalId& id, Decision decision);

// InitProducerId without an expected epoch (prepareInitProducerIdTransit). Over an ongoing
// transaction it fences and aborts, and answers CONCURRENT_TRANSACTIONS; once that is complete, a
// later round bumps again and answers the epoch.
Error init_producer_id(const Rules& rules, TransactionalId& id);
// How often that raises the epoch.
[[nodiscard]] unsigned bumps_of_init(const Rules& rules, const TransactionalId& id);

// abortTimedOutTransactions: may hit any ongoing transaction.
void time_out(const Rules& rules, TransactionalId& id);

// The epoch that markers of the decided transaction carry.
[[nodiscard]] Epoch marker_epoch(const TransactionalId& id);
// The marker that `action` sends (WriteTxnMarkers), and what its acknowledgement changes.
[[nodiscard]] Request marker_of(const Cluster& cluster, const Action& action);
void acknowledge(TransactionalId& id, const Action& action);
// All markers are acknowledged: COMPLETE_* is in the log.
void complete(TransactionalId& id);

}  // namespace ringfence::model
