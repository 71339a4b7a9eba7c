// Changelogs (rule `changelog`): one more output partition per task, which takes the updates of the
// task's local state. A new owner restores the state from it before it processes
// (StoreChangelogReader): what is committed there up to the end offset that it read once, open
// transactions included, which it waits for (KAFKA-10167); or, up to 2.5, only what lies below the
// last stable offset.
//
// What is left out, and why that is sound to do:
// - Where leaders ask the coordinator first, one question is about both, and what overtakes the
//   answer at one of them overtakes it at the other: the two logs are in one transaction or none.
// - AddPartitionsToTxn names an output and its changelog together, as the client does when both are
//   new, and Produce to both is one step, though each leader accepts or refuses by itself. Nobody
//   compares the two logs while they are written, and TxnOffsetCommit follows either way.
// - A restore awaits whole transactions: records that their producer appends after the end offset
//   was read count as restored too. Who can do that and still commit can as well begin its
//   transaction after that moment, and then the law falls.
// - Under `restored_to_last_stable_offset` all that is committed counts as restored, be it behind
//   an open transaction of another producer. In v1, where that rule belongs, there is no other.
//   Elsewhere a record that a state lacks here it lacks in Kafka too; one too many it may not have.
// - A task that is closed loses its local state: stores without a checkpoint are wiped.
#pragma once

#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/partition_leader.hpp"
#include "model/request.hpp"

namespace ringfence::model {

// The leader's answer to a record; if it accepts the record is appended.
Error append_to_changelog(const Rules& rules, ChangelogEntry& entry, const Batch& batch,
                          Offset record);

// The thread reads how far to restore, and restores what is decided below. The task processes once
// nothing is awaited any more.
void begin_restore(const Configuration& configuration, Cluster& cluster, ThreadId thread,
                   PartitionId partition);
// A marker. If the leader accepts it, what the producer has open is closed, and whoever awaited
// that restores what was committed.
Error close_on_changelog(const Configuration& configuration, Cluster& cluster,
                         const Request& marker);

// A task may be ready to process: from now on all that matters of its state is whether it fits.
void compare_restored(const Configuration& configuration, Task& task);

}  // namespace ringfence::model
