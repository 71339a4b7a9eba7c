#include "model/ghosts.hpp"

#include "model/network.hpp"
#include "model/stream_thread.hpp"

namespace ringfence::model {

std::uint8_t elders_of_new_task(const Configuration& configuration, const Cluster& cluster,
                                ThreadId thread, std::size_t partition) {
    if (!configuration.ghosts.elders) { return 0; }
    std::uint8_t elders = thread.bit();
    for (std::size_t t = 0; t < configuration.bounds.threads; ++t) {
        const std::uint8_t holder = ThreadId{t}.bit();
        elders = with(elders, cluster.threads[t].tasks[partition].elders & holder);
    }
    return elders;
}

void remember_fetch(const Configuration& configuration, Cluster& cluster, ThreadId thread,
                    PartitionId partition) {
    if (!configuration.ghosts.elders) { return; }
    supersede_in_flight(cluster, thread, partition);
    const Task& fetched = cluster.threads[thread.value].tasks[partition.value];
    for (std::size_t t = 0; t < threads_max; ++t) {
        Task& task = cluster.threads[t].tasks[partition.value];
        const bool is_elder = t != thread.value && (fetched.elders >> t & 1U) != 0;
        if (is_elder) { task.elders = static_cast<std::uint8_t>(task.elders | Task::superseded); }
    }
}

void forget_dropped_tasks(const Configuration& configuration, Cluster& cluster, ThreadId thread) {
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        if (cluster.threads[thread.value].tasks[p].phase != TaskPhase::none) { continue; }
        for (std::size_t t = 0; t < configuration.bounds.threads; ++t) {
            std::uint8_t& elders = cluster.threads[t].tasks[p].elders;
            if ((elders & thread.bit()) == 0) { continue; }
            elders = static_cast<std::uint8_t>(elders & ~thread.bit());
        }
        forget_elder(cluster, thread, p);
    }
}

void remember_decision(const Configuration& configuration, Cluster& cluster, const Works& work) {
    if (!configuration.ghosts.decided_end) { return; }
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        if (work[p].is_some()) { cluster.ghosts[p].decided_end = work[p].position; }
    }
}

void remember_confirmation(const Configuration& configuration, Cluster& cluster,
                           const Works& work) {
    if (!configuration.ghosts.confirmed) { return; }
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        std::uint8_t& confirmed = cluster.ghosts[p].confirmed;
        confirmed = static_cast<std::uint8_t>(confirmed | work[p].records());
    }
}

void remember_abort(const Configuration& configuration, Cluster& cluster, const Request& abort) {
    if (!configuration.ghosts.stray) { return; }
    for (auto& output : cluster.outputs) {
        OutputEntry& entry = output[abort.producer.value];
        if (entry.open != 0) { entry.stray = 1; }
    }
    mark_aborted(cluster, abort);
}

void remember_heard_abort(const Configuration& configuration, Cluster& cluster,
                          const Producer& client) {
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        if ((client.decided >> p & 1U) != 0) { cluster.ghosts[p].tainted = 1; }
    }
}

void remember_timeout(const Configuration& configuration, Cluster& cluster, ProducerId producer) {
    if (!configuration.ghosts.timed_out) { return; }
    const Epoch epoch = cluster.transactional_ids[producer.value].epoch;
    for (std::size_t t = 0; t < configuration.bounds.threads; ++t) {
        for (std::size_t slot = 0; slot < configuration.producer_slots(); ++slot) {
            Producer& holder = cluster.threads[t].producers[slot];
            const bool is_same =
                configuration.producer_id(ThreadId{t}, PartitionId{slot}) == producer;
            // Of a transaction that a client is about to begin it may not have heard yet.
            const bool is_its = configuration.disturbs_network()
                                    ? expects_transaction(configuration, cluster.threads[t], slot)
                                    : holder.has_open_transaction();
            const bool is_hit = is_same && holder.epoch == epoch && is_its;
            if (is_hit) { holder.timed_out = 1; }
        }
    }
}

void remember_visible(const Configuration& configuration, PartitionGhosts& ghosts,
                      const OutputEntry& entry) {
    if (configuration.ghosts.visible) {
        for (Offset record = 0; record < configuration.bounds.records; ++record) {
            for (unsigned count = count_of(entry.open, record); count > 0; --count) {
                ghosts.visible = with_one_more(ghosts.visible, record);
            }
        }
    }
    const bool is_tainted = entry.open != 0 && entry.stray != 0;
    if (configuration.ghosts.stray && is_tainted) { ghosts.tainted = 1; }
}

}  // namespace ringfence::model
