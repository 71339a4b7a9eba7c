// The question that the leader of a partition has for the transaction coordinator before it appends
// (KIP-890): who waits for its answer, and what overtakes it meanwhile. See partition_leader.hpp
// for the tests themselves.
#pragma once

#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/partition_leader.hpp"
#include "model/request.hpp"

namespace ringfence::model {

// The bit of the partition that a Produce or a TxnOffsetCommit writes to, as in
// TransactionalId::partitions.
[[nodiscard]] std::uint8_t partition_of(const Request& request);

// A Produce or TxnOffsetCommit that has come to its leader, about which the coordinator is still to
// be asked. An output and its changelog are asked about together.
[[nodiscard]] bool waits_for_coordinator(const Configuration& configuration, const Cluster& cluster,
                                         const Request& request);

// What a producer's batch for the partition knows of the question.
[[nodiscard]] Guard guard_of(const Producer& producer, std::uint8_t partition);
// The question is answered: the batch waits for the log.
void remember_answer(Producer& producer, std::uint8_t partition);
// The batch has been answered, or is given up.
void forget_answer(Producer& producer, std::uint8_t partition);

// Something of the producer was written to the partition: all answers about it are overtaken that
// the leader does not keep for `marker`, the epoch of the marker that was written (none: a batch).
void overtake(const Configuration& configuration, Cluster& cluster, ProducerId producer,
              std::uint8_t partition, Epoch marker = {});

// The leader of the output, or of the offsets partition, forgets the producer id: what it knew of
// epochs and sequences is gone. Its questions are not: they are not that old.
void expire(Cluster& cluster, ProducerId producer, std::uint8_t partition);

}  // namespace ringfence::model
