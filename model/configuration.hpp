// What does not change during a run: the rules, the bounds, and what follows from them.
#pragma once

#include "model/bounds.hpp"
#include "model/cluster.hpp"
#include "model/ids.hpp"
#include "model/rules.hpp"

namespace ringfence::model {

// Which ghosts are kept. A ghost that no checked law reads stays constant, so that the state space
// of fewer laws is the smaller one.
struct Ghosts {
    bool visible = true;      // PartitionGhosts::visible
    bool decided_end = true;  // PartitionGhosts::decided_end
    bool elders = true;       // Task::elders
    bool stray = true;        // OutputEntry::stray, PartitionGhosts::tainted
    bool confirmed = true;    // PartitionGhosts::confirmed
    bool timed_out = true;    // Producer::timed_out
};

struct Configuration {
    Rules rules;
    Bounds bounds;
    Disturbances disturbances;
    Ghosts ghosts;

    [[nodiscard]] bool is_transactional() const {
        return rules.guarantee != Guarantee::at_least_once;
    }
    // v1: a producer, and so a transaction, for each task.
    [[nodiscard]] bool has_producer_per_task() const {
        return rules.guarantee == Guarantee::exactly_once;
    }
    [[nodiscard]] IdScope id_scope() const;
    // Number of transactional ids in use at a time, and with those that a random id has left
    // behind (slot `current + k` is the former incarnation of slot k).
    [[nodiscard]] std::size_t current_producers() const;
    [[nodiscard]] std::size_t producers() const;
    // Whose id the producer of a thread's task is. v2: the partition does not matter.
    [[nodiscard]] ProducerId producer_id(ThreadId thread, PartitionId partition) const;
    // Index into StreamThread::producers.
    [[nodiscard]] std::size_t producer_slot(PartitionId partition) const {
        return has_producer_per_task() ? partition.value : 0;
    }
    [[nodiscard]] std::size_t producer_slots() const {
        if (!is_transactional()) { return 0; }
        return has_producer_per_task() ? bounds.partitions : 1;
    }
};

}  // namespace ringfence::model
