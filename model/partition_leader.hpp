// The leader of a partition, an output, a changelog or the one of offsets: what it accepts of a
// producer (ReplicaManager, UnifiedLog, ProducerStateManager, ProducerAppendInfo). It knows an
// epoch only once something was written under it.
//
// A batch passes two phases. Before the first append of a transaction the leader asks the
// transaction coordinator (KIP-890): whether the partition is in the transaction, or under version
// 2 to add it. Then, under the lock of the log, the batch is tested and appended. The question may
// take any time, so the two are two steps: what was written meanwhile takes the answer its worth,
// where the leader remembers its question (the guard).
#pragma once

#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/request.hpp"
#include "model/rules.hpp"

namespace ringfence::model {

enum class Log : std::uint8_t { output, offsets };  // a changelog is an output

// What the leader knows of a producer id (ProducerStateEntry).
struct ProducerState {
    Epoch epoch{};
    bool is_open = false;                // a transaction of the producer is open here
    std::uint8_t coordinator_epoch = 0;  // of the last marker
};
[[nodiscard]] inline ProducerState state_of(const OutputEntry& entry) {
    return {.epoch = entry.epoch,
            .is_open = entry.open != 0,
            .coordinator_epoch = entry.coordinator_epoch};
}
[[nodiscard]] inline ProducerState state_of(const ChangelogEntry& entry) {
    return {.epoch = entry.epoch(),
            .is_open = entry.open() != 0,
            .coordinator_epoch = entry.coordinator_epoch};
}
[[nodiscard]] inline ProducerState state_of(const OffsetsEntry& entry) {
    return {.epoch = entry.epoch,
            .is_open = entry.is_open != 0,
            .coordinator_epoch = entry.coordinator_epoch};
}

struct Batch {
    Epoch epoch{};
    Guard guard{};
    // Counted from the sequence that the leader expects next under this epoch: 0 fits, -1 was
    // appended last, 1 leaves a gap. Offsets have none.
    std::int8_t sequence = 0;
};
inline constexpr std::int8_t batches_remembered = 5;  // NUM_BATCHES_TO_RETAIN

// ---- before the question ----

// An old epoch is not even asked about (KAFKA-18042, 4.1).
[[nodiscard]] Error question_error(const Rules& rules, Log log, const ProducerState& state,
                                   Epoch given);
// Do leaders ask about anything? If not, nobody reads whether a transaction is open at the
// offsets partition.
[[nodiscard]] bool asks_ever(const Rules& rules);
// Must the coordinator be asked before this batch is appended?
[[nodiscard]] bool asks_coordinator(const Rules& rules, Log log, const ProducerState& state,
                                    Epoch given);
// The coordinator's refusal as the producer hears it from the leader.
[[nodiscard]] Error told_by_leader(const Rules& rules, Log log, Error error);

// ---- under the lock of the log ----

// A batch that is among the last ones appended is answered with success, and not appended again.
[[nodiscard]] bool is_duplicate(const Rules& rules, const ProducerState& state, const Batch& batch);
// An older epoch is refused, a newer one is accepted without asking anyone
// (analyzeAndValidateProducerState, checkProducerEpoch, checkSequence).
[[nodiscard]] Error append_error(const Rules& rules, Log log, const ProducerState& state,
                                 const Batch& batch);
// `is_listed`: the coordinator has the partition in a transaction of this producer (ghost).
void append(OutputEntry& entry, Epoch epoch, Offset record, bool is_listed, bool keeps_ghost);

// ---- markers ----

struct Marker {
    Epoch epoch{};
    std::uint8_t coordinator_epoch = 0;
};
[[nodiscard]] Marker marker_in(const Request& request);
// appendEndTxnMarker: checkProducerEpoch, checkCoordinatorEpoch.
[[nodiscard]] Error marker_error(const Rules& rules, const ProducerState& state,
                                 const Marker& marker);
// Closes whatever the producer has open here, whichever epoch opened it.
void append_marker(OutputEntry& entry, const Marker& marker);
// Does a marker of this epoch overtake a question about a batch of that epoch? Under version 2 the
// next transaction, which has the epoch of the markers, may be asked about while they are written.
// A marker of an older epoch overtakes it as well, where it is accepted: 4.2 takes the last one
// again while nothing is open, and a batch whose epoch was never written there loses its guard
// to it (UnifiedLog.updateProducers and ProducerAppendInfo.checkProducerEpoch at 4.2; whose offsets
// are refused for that, INVALID_TXN_STATE ends: TransactionManager.TxnOffsetCommitHandler).
[[nodiscard]] bool overtakes(const Rules& rules, Epoch marker, Epoch asked);

// ---- expiry ----

// May the leader forget the producer id? Not while anything of it is open.
[[nodiscard]] bool may_expire(const OutputEntry& entry);
[[nodiscard]] bool may_expire(const OffsetsEntry& entry);

}  // namespace ringfence::model
