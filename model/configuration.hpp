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
    bool restored = true;     // PartitionGhosts::logged, and the records in Task::restore
};

struct Configuration {
    Rules rules;
    Bounds bounds;
    Disturbances disturbances;
    Ghosts ghosts;

    [[nodiscard]] bool is_transactional() const {
        return rules.guarantee != Guarantee::at_least_once;
    }
    // Requests and markers may come late, twice, or be handled without the sender's hearing of it.
    [[nodiscard]] bool disturbs_network() const {
        const Disturbances& all = disturbances;
        return (all.late_request | all.duplicated_request | all.lost_answer | all.late_marker |
                all.duplicated_marker) != 0;
    }
    // Without transactions nothing is ever open on a changelog, and no law reads one.
    [[nodiscard]] bool has_changelog() const {
        return is_transactional() && rules.changelog != Changelog::no;
    }
    [[nodiscard]] bool fails_over() const {
        return is_transactional() && disturbances.transaction_coordinator_failover != 0;
    }
    // Only a marker that was sent before a failover can come from a replaced coordinator.
    [[nodiscard]] bool counts_coordinator_epochs() const {
        const bool has_old_markers =
            (disturbances.late_marker | disturbances.duplicated_marker) != 0;
        return fails_over() && has_old_markers && rules.coordinator_epoch_test == Test::on;
    }
    [[nodiscard]] bool is_version_2() const {
        return is_transactional() && rules.transaction_version == TransactionVersion::two;
    }
    // v1: a producer, and so a transaction, for each task.
    [[nodiscard]] bool has_producer_per_task() const {
        return rules.guarantee == Guarantee::exactly_once;
    }
    [[nodiscard]] IdScope id_scope() const {
        if (rules.transactional_id != IdScope::automatic) { return rules.transactional_id; }
        return has_producer_per_task() ? IdScope::task : IdScope::thread;
    }
    // Random ids are drawn under v1 for each producer of a task, under v2 when a thread starts.
    [[nodiscard]] bool draws_id_at_init() const {
        return id_scope() == IdScope::random && has_producer_per_task();
    }
    [[nodiscard]] bool draws_id_at_start() const {
        return id_scope() == IdScope::random && !has_producer_per_task();
    }
    // Number of transactional ids in use at a time, and with those that a random id has left
    // behind (slot `current + k` is the former incarnation of slot k).
    [[nodiscard]] std::size_t current_producers() const {
        if (!is_transactional()) { return 0; }
        switch (id_scope()) {
            case IdScope::automatic:
            case IdScope::task: return bounds.partitions;
            case IdScope::instance: return 1;
            case IdScope::thread:
            case IdScope::random: break;
        }
        return bounds.threads * producer_slots();
    }
    [[nodiscard]] std::size_t producers() const {
        const bool leaves_behind = id_scope() == IdScope::random;
        return current_producers() * (leaves_behind ? 2 : 1);
    }
    // Whose id the producer of a thread's task is. v2: the partition does not matter.
    [[nodiscard]] ProducerId producer_id(ThreadId thread, PartitionId partition) const {
        if (!is_transactional()) { return ProducerId{0}; }
        switch (id_scope()) {
            case IdScope::automatic:
            case IdScope::task: return ProducerId{partition.value};
            case IdScope::instance: return ProducerId{0};
            case IdScope::thread:
            case IdScope::random: break;
        }
        return ProducerId{thread.value * producer_slots() + producer_slot(partition)};
    }
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
