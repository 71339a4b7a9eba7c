// The transaction coordinator: one entry per transactional id (KIP-98, KIP-360, KIP-890; the paths
// of both transaction versions in TransactionCoordinator.scala).
//
// The acceptance functions are pure and say with which Kafka error a request would be answered. The
// step, the laws and the reasons in traces all ask them; so does the acceptance table in tests/.
//
// Two things Kafka does in two steps are one step here, because nothing can tell the difference.
// (1) A fence is first pending and then aborts: a request handled in between either passes as if it
// had come before the fence (EndTxn) or is refused retriably (AddPartitionsToTxn, InitProducerId).
// (2) A transition is pending until it is replicated: requests are refused retriably meanwhile.
// What stays pending for longer is the completion: from the decision until all markers are written.
#pragma once

#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/request.hpp"
#include "model/rules.hpp"

namespace ringfence::model {

enum class Decision : std::uint8_t { commit, abort };

// AddPartitionsToTxn and AddOffsetsToTxn (handleAddPartitionsToTransaction); under version 2 the
// leader of the partition sends it for the producer.
[[nodiscard]] Error add_error(const Rules& rules, const TransactionalId& id, Epoch epoch);
// `partition` is the bit of an output, or offsets_partition_bit.
void add_partition(TransactionalId& id, std::uint8_t partition);
// A leader asks whether the partition is in the transaction (handleVerifyPartitionsInTransaction).
[[nodiscard]] Error verify_error(const Rules& rules, const TransactionalId& id, Epoch epoch,
                                 std::uint8_t partition);

// EndTxn from a client (endTransactionWithTV1, endTransaction). No error: it decides, or it is
// taken for a retry of what was decided. Version 2 knows a retry by its epoch, the one before the
// stored, so it also aborts what is not there: an abort under the stored epoch decides anew.
[[nodiscard]] Error end_error(const Rules& rules, const TransactionalId& id, Epoch epoch,
                              Decision decision);
[[nodiscard]] bool end_decides(const Rules& rules, const TransactionalId& id, Epoch epoch,
                               Decision decision);
// The decision itself: PREPARE_COMMIT or PREPARE_ABORT is in the log, all markers are owed. Under
// version 2 it bumps the epoch, and the client goes on with the new one.
void decide(const Rules& rules, TransactionalId& id, Decision decision);

// The whole of EndTxn. Up to 2.5 a decision may be refused: the coordinator compares the epochs
// again once it is in the log, and where the client's is the greater one answers
// INVALID_PRODUCER_EPOCH and sends no marker (KAFKA-9600; sendTxnMarkersCallback at 2.0.0, 2.5.0).
struct Ending {
    Error error{};
    bool decides = false;
};
Ending end_transaction(const Rules& rules, TransactionalId& id, Epoch epoch, Decision decision);

// InitProducerId (prepareInitProducerIdTransit). Over an ongoing transaction it fences and aborts,
// and answers CONCURRENT_TRANSACTIONS; once that is complete, a later round bumps again and answers
// the epoch. `expected`: the epoch that the client gives as its own, if any (KIP-360).
Error init_producer_id(const Rules& rules, TransactionalId& id, Epoch expected = {});
// How often that raises the epoch.
[[nodiscard]] unsigned bumps_of_init(const Rules& rules, const TransactionalId& id,
                                     Epoch expected = {});

// abortTimedOutTransactions: may hit any ongoing transaction.
void time_out(const Rules& rules, TransactionalId& id);
[[nodiscard]] unsigned bumps_of_timeout(const Rules& rules);

// The epoch that markers of the decided transaction carry.
[[nodiscard]] Epoch marker_epoch(const TransactionalId& id);
// The marker that `action` sends (WriteTxnMarkers), and what the answer changes: unless nobody
// heard it, the marker is not sent again. Where it was refused the coordinator gives up: the id
// stays in its prepare state until the next coordinator sends all markers again.
// (TransactionMarkerRequestCompletionHandler.onComplete, the same from 0.11.0.0 to trunk:
// INVALID_PRODUCER_EPOCH and TRANSACTION_COORDINATOR_FENCED remove what waits for the completion.
// Markers that are queued for other leaders are sent all the same.)
[[nodiscard]] Request marker_of(const Cluster& cluster, const Action& action);
void hear_of_marker(TransactionalId& id, const Action& action, Error answer);
// All markers are acknowledged: COMPLETE_* is in the log.
void complete(TransactionalId& id);

// ---- failover ----

// What the decision in the log names, for whoever reads the log.
void remember_decided(const Configuration& configuration, TransactionalId& id);

}  // namespace ringfence::model
