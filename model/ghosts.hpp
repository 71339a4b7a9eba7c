// What laws remember and no actor reads. Each function does nothing where no checked law reads the
// ghost (Ghosts in configuration.hpp).
#pragma once

#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/request.hpp"

namespace ringfence::model {

// Of a task that the thread is given now: itself, and all threads that believe to have the task.
// Partitions are handed over in the order of ownership terms, so this order is the order of terms
// among those that still matter.
[[nodiscard]] std::uint8_t elders_of_new_task(const Configuration& configuration,
                                              const Cluster& cluster, ThreadId thread,
                                              std::size_t partition);
// The thread has fetched the offset of a task: all earlier owners are superseded.
void remember_fetch(const Configuration& configuration, Cluster& cluster, ThreadId thread,
                    PartitionId partition);
// Takes the thread out of the elders of all tasks that it has dropped.
void forget_dropped_tasks(const Configuration& configuration, Cluster& cluster, ThreadId thread);

// A commit of this work was decided.
void remember_decision(const Configuration& configuration, Cluster& cluster, const Works& work);
// A client was told that it succeeded.
void remember_confirmation(const Configuration& configuration, Cluster& cluster, const Works& work);
// The client aborted: none of the producer's records that are open or still in flight may become
// visible.
void remember_abort(const Configuration& configuration, Cluster& cluster, const Request& abort);
// The client was told that it did: what a copy of its commit had made visible before is aborted.
void remember_heard_abort(const Configuration& configuration, Cluster& cluster,
                          const Producer& client);
// The coordinator is about to abort the producer's transaction because of its age.
void remember_timeout(const Configuration& configuration, Cluster& cluster, ProducerId producer);
// A commit marker is about to be written behind the open records of `entry`.
void remember_visible(const Configuration& configuration, PartitionGhosts& ghosts,
                      const OutputEntry& entry);

}  // namespace ringfence::model
