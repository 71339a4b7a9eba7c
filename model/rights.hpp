// What a thread could still do if everybody else stood still. Laws and the computed columns of
// traces ask; no actor does. Every answer comes from the acceptance functions that the steps use.
#pragma once

#include "model/cluster.hpp"
#include "model/configuration.hpp"

namespace ringfence::model {

// The thread has an open transaction with progress on the partition, and its remaining requests in
// order (AddOffsetsToTxn, TxnOffsetCommit, EndTxn commit) would all be answered without an error,
// the last one with a decision.
[[nodiscard]] bool holds_commit_right(const Configuration& configuration, const Cluster& cluster,
                                      ThreadId thread, PartitionId partition);

// The thread runs the task, has a record left, and could append it under the epoch that it holds:
// where it has added the partition only the leader is asked, else the coordinator too, for which
// CONCURRENT_TRANSACTIONS counts as "will be accepted".
[[nodiscard]] bool could_append(const Configuration& configuration, const Cluster& cluster,
                                ThreadId thread, PartitionId partition);

// The thread is a member at the current generation and has the task, as it believes and in truth.
[[nodiscard]] bool is_rightful_owner(const Configuration& configuration, const Cluster& cluster,
                                     ThreadId thread, PartitionId partition);

}  // namespace ringfence::model
