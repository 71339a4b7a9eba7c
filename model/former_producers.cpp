#include "model/former_producers.hpp"

#include "model/network.hpp"

#include <algorithm>

namespace ringfence::model {

namespace {

bool is_done(const Cluster& cluster, ProducerId producer) {
    const TransactionalId& id = cluster.transactional_ids[producer.value];
    const OffsetsEntry& offsets = cluster.group.offsets[producer.value];
    const bool is_undecided = id.state == TransactionState::ongoing || id.is_preparing();
    const bool has_pending = offsets.queue != 0 ||
                             std::ranges::any_of(offsets.pending, [](const PendingOffset& pending) {
                                 return pending.offset != 0;
                             });
    const bool has_open =
        std::ranges::any_of(cluster.outputs,
                            [&](const auto& output) { return output[producer.value].open != 0; }) ||
        std::ranges::any_of(cluster.changelogs, [&](const auto& changelog) {
            return changelog[producer.value].open() != 0;
        });
    return !is_undecided && !has_pending && !has_open && !is_in_flight(cluster, producer);
}

void clear(Cluster& cluster, ProducerId producer) {
    cluster.transactional_ids[producer.value] = TransactionalId{};
    cluster.group.offsets[producer.value] = OffsetsEntry{};
    for (std::size_t p = 0; p < partitions_max; ++p) {
        cluster.outputs[p][producer.value] = OutputEntry{};
        cluster.changelogs[p][producer.value] = ChangelogEntry{};
    }
}

// Whoever restores awaits the same transaction under its new number.
void rename_awaited(Cluster& cluster, ProducerId from, ProducerId to) {
    for (StreamThread& thread : cluster.threads) {
        for (Task& task : thread.tasks) {
            if ((task.awaited & from.bit()) == 0) { continue; }
            task.awaited = static_cast<std::uint8_t>((task.awaited & ~from.bit()) | to.bit());
        }
    }
}

ProducerId former_of(const Configuration& configuration, ProducerId current) {
    return ProducerId{configuration.current_producers() + current.value};
}

}  // namespace

bool has_room_for_former(const Configuration& configuration, const Cluster& cluster,
                         ProducerId current) {
    const ProducerId former = former_of(configuration, current);
    return is_done(cluster, current) ||
           (cluster.transactional_ids[former.value] == TransactionalId{} &&
            !is_in_flight(cluster, former));
}

void retire(const Configuration& configuration, Cluster& cluster, ProducerId current) {
    if (!is_done(cluster, current)) {
        const std::size_t former = former_of(configuration, current).value;
        cluster.transactional_ids[former] = cluster.transactional_ids[current.value];
        cluster.group.offsets[former] = cluster.group.offsets[current.value];
        for (auto& output : cluster.outputs) { output[former] = output[current.value]; }
        for (auto& log : cluster.changelogs) { log[former] = log[current.value]; }
        rename_awaited(cluster, current, ProducerId{former});
        rename_producer(cluster, current, ProducerId{former});
    }
    clear(cluster, current);
}

void forget_if_done(const Configuration& configuration, Cluster& cluster, ProducerId producer) {
    const bool is_former = producer.value >= configuration.current_producers();
    if (is_former && is_done(cluster, producer)) { clear(cluster, producer); }
}

}  // namespace ringfence::model
