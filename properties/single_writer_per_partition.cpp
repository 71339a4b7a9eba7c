// At most one thread holds the commit right on an input partition: what KIP-447 calls "fencing".
#include "model/rights.hpp"
#include "properties/claims.hpp"
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

bool is_writer(const KafkaModel& model, const Cluster& cluster, ThreadId thread,
               PartitionId partition) {
    return holds_commit_right(model.configuration(), cluster, thread, partition);
}

unsigned writers_of(const KafkaModel& model, const Cluster& cluster, PartitionId partition) {
    unsigned writers = 0;
    for (std::size_t t = 0; t < model.bounds().threads; ++t) {
        if (is_writer(model, cluster, ThreadId{t}, partition)) { ++writers; }
    }
    return writers;
}

// Most partitions are settled by this: there are not even two threads with work on them.
unsigned workers_on(const KafkaModel& model, const Cluster& cluster, std::size_t p) {
    unsigned workers = 0;
    for (std::size_t t = 0; t < model.bounds().threads; ++t) {
        workers += static_cast<unsigned>(cluster.threads[t].tasks[p].has_progress());
    }
    return workers;
}

bool holds(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (workers_on(model, cluster, p) < 2) { continue; }
        if (writers_of(model, cluster, PartitionId{p}) > 1) { return false; }
    }
    return true;
}

std::string explain(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        const PartitionId partition{p};
        if (writers_of(model, cluster, partition) <= 1) { continue; }
        std::string who;
        for (std::size_t t = 0; t < model.bounds().threads; ++t) {
            const ThreadId thread{t};
            if (!is_writer(model, cluster, thread, partition)) { continue; }
            const model::Task& task = cluster.threads[t].tasks[p];
            who += (who.empty() ? "" : " and ") + thread_name(thread) + " (from offset " +
                   std::to_string(task.first) + " to " + std::to_string(task.position) + ")";
        }
        return who + " each have an open transaction with work on " + partition_name(partition) +
               ", and each could commit it now: were the others to stand still, every request it "
               "has left would be accepted.";
    }
    return {};
}

}  // namespace

Law single_writer_per_partition() {
    return {.name = "single_writer_per_partition",
            .sentence = "At most one thread holds the commit right on an input partition.",
            .source = "KIP-447",
            .kind = checker::PropertyKind::state,
            .is_applicable = has_transactions,
            .holds_in = holds,
            .claims_in = claims_on_partitions<is_writer>,
            .explain_state = explain};
}

}  // namespace ringfence::properties
