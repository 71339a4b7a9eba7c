// Steps that brokers take by themselves: the end of a join phase, expulsions, markers, timeouts.
#include "model/coordinator_actions.hpp"

#include "model/group_coordinator.hpp"
#include "model/network.hpp"
#include "model/partition_leader.hpp"
#include "model/stream_thread.hpp"
#include "model/transaction_coordinator.hpp"

#include <algorithm>

namespace ringfence::model {

namespace {

Action& add(Verb verb, ProducerId producer, checker::Enabled<Action>& enabled) {
    Action& action = enabled.add();
    action.verb = verb;
    action.producer = producer;
    return action;
}

void list_timeout(const Configuration& configuration, const Cluster& cluster, ProducerId producer,
                  checker::Enabled<Action>& enabled) {
    const TransactionalId& id = cluster.transactional_ids[producer.value];
    if (id.state != TransactionState::ongoing) { return; }
    const bool is_live = has_live_holder(configuration, cluster, producer);
    const bool may = !is_live || has_left(configuration.disturbances.transaction_timeout,
                                          cluster.budgets.transaction_timeout);
    if (!may) { return; }
    const unsigned bumps = bumps_of_timeout(configuration.rules);
    const bool fits = id.epoch.raw + bumps <= configuration.bounds.epoch + 1U;
    if (fits) {
        add(Verb::time_out_txn, producer, enabled).spends_budget = is_live;
    } else if (is_live) {
        enabled.forbid(static_cast<std::size_t>(Cut::epoch));
    } else {
        enabled.cut(static_cast<std::size_t>(Cut::epoch));
    }
}

void list_markers(const Configuration& configuration, const Cluster& cluster, ProducerId producer,
                  checker::Enabled<Action>& enabled) {
    const TransactionalId& id = cluster.transactional_ids[producer.value];
    const OffsetsEntry& offsets = cluster.group.offsets[producer.value];
    if (offsets.queue != 0) { add(Verb::materialise, producer, enabled); }
    if (!id.is_preparing() || id.gave_up == GaveUp::before_markers) { return; }
    const auto send = [&](Verb verb, PartitionId partition) {
        Action& marker = add(verb, producer, enabled);
        marker.partition = partition;
        list_fates(configuration, cluster, marker, enabled);
    };
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        const PartitionId partition{p};
        if ((id.partitions & partition.bit()) != 0) { send(Verb::write_marker, partition); }
        if ((id.changelogs & partition.bit()) != 0) {
            send(Verb::write_changelog_marker, partition);
        }
    }
    if ((id.partitions & offsets_partition_bit) != 0) {
        if (queue_length(offsets.queue) < queue_length_max) {
            send(Verb::write_offsets_marker, {});
        } else {
            enabled.cut(static_cast<std::size_t>(Cut::marker_queue));
        }
    }
    const bool is_complete = id.owes_no_marker() && id.gave_up == GaveUp::no;
    if (is_complete) { add(Verb::complete_txn, producer, enabled); }
}

// ProducerStateManager.removeExpiredProducers: what is open is not forgotten.
void list_expiry(const Configuration& configuration, const Cluster& cluster, ProducerId producer,
                 checker::Enabled<Action>& enabled) {
    if (!has_left(configuration.disturbances.producer_expiry, cluster.budgets.producer_expiry)) {
        return;
    }
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        if (!may_expire(cluster.outputs[p][producer.value])) { continue; }
        Action& expire = add(Verb::expire_producer, producer, enabled);
        expire.partition = PartitionId{p};
        expire.spends_budget = true;
    }
    if (may_expire(cluster.group.offsets[producer.value])) {
        add(Verb::expire_offsets_producer, producer, enabled).spends_budget = true;
    }
}

void list_failover(const Configuration& configuration, const Cluster& cluster, ProducerId producer,
                   checker::Enabled<Action>& enabled) {
    const TransactionalId& id = cluster.transactional_ids[producer.value];
    const bool may = has_left(configuration.disturbances.transaction_coordinator_failover,
                              cluster.budgets.transaction_coordinator_failover);
    if (!may || !id.epoch.is_known()) { return; }
    if (id.coordinator_epoch == coordinator_epoch_max) {
        enabled.forbid(static_cast<std::size_t>(Cut::coordinator_epoch));
        return;
    }
    add(Verb::fail_over_coordinator, producer, enabled).spends_budget = true;
}

}  // namespace

bool has_live_holder(const Configuration& configuration, const Cluster& cluster,
                     ProducerId producer) {
    const Epoch epoch = cluster.transactional_ids[producer.value].epoch;
    for (std::size_t t = 0; t < configuration.bounds.threads; ++t) {
        for (std::size_t slot = 0; slot < configuration.producer_slots(); ++slot) {
            const bool is_same_id =
                configuration.producer_id(ThreadId{t}, PartitionId{slot}) == producer;
            const Producer& holder = cluster.threads[t].producers[slot];
            const bool holds = is_same_id && holder.epoch.is_known() && holder.epoch == epoch;
            const bool is_its = !configuration.disturbs_network() ||
                                expects_transaction(configuration, cluster.threads[t], slot);
            if (holds && is_its) { return true; }
        }
    }
    return false;
}

void list_expulsion(const Configuration& configuration, const Cluster& cluster, ThreadId thread,
                    checker::Enabled<Action>& enabled) {
    const GroupCoordinator& group = cluster.group;
    const bool may_start =
        group.phase == GroupPhase::preparing || group.generation < configuration.bounds.generations;
    for (const MemberId member : {current_member(thread), former_member(thread)}) {
        // A member whose JoinGroup is parked is kept alive (shouldKeepAlive).
        const bool can_expire = group.has(member) && (group.joined & member.bit()) == 0;
        if (!can_expire) { continue; }
        const bool is_live =
            member == current_member(thread) && cluster.threads[thread.value].life == Life::alive;
        const bool may =
            !is_live || has_left(configuration.disturbances.expulsion, cluster.budgets.expulsion);
        if (may && may_start) {
            Action& expel = enabled.add();
            expel.verb = Verb::expel_member;
            expel.thread = thread;
            expel.member = member;
            expel.spends_budget = is_live;
        } else if (!is_live) {
            enabled.cut(static_cast<std::size_t>(Cut::expulsion));
        }
    }
}

void list_end_of_join(const Cluster& cluster, checker::Enabled<Action>& enabled) {
    if (join_is_complete(cluster.group)) { enabled.add({.verb = Verb::complete_join}); }
}

void list_transaction_actions(const Configuration& configuration, const Cluster& cluster,
                              ProducerId producer, checker::Enabled<Action>& enabled) {
    list_markers(configuration, cluster, producer, enabled);
    list_timeout(configuration, cluster, producer, enabled);
    list_failover(configuration, cluster, producer, enabled);
    list_expiry(configuration, cluster, producer, enabled);
}

}  // namespace ringfence::model
