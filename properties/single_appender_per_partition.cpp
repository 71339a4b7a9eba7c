// At most one thread could append to a task's output: what v1 guarantees and v2 gave up.
#include "model/rights.hpp"
#include "properties/claims.hpp"
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

bool is_appender(const KafkaModel& model, const Cluster& cluster, ThreadId thread,
                 PartitionId partition) {
    return could_append(model.configuration(), cluster, thread, partition);
}

unsigned appenders_of(const KafkaModel& model, const Cluster& cluster, PartitionId partition) {
    unsigned appenders = 0;
    for (std::size_t t = 0; t < model.bounds().threads; ++t) {
        if (is_appender(model, cluster, ThreadId{t}, partition)) { ++appenders; }
    }
    return appenders;
}

// Most partitions are settled by this: there are not even two threads that run their task.
unsigned runners_of(const KafkaModel& model, const Cluster& cluster, std::size_t p) {
    unsigned runners = 0;
    for (std::size_t t = 0; t < model.bounds().threads; ++t) {
        const model::TaskPhase phase = cluster.threads[t].tasks[p].phase;
        runners += static_cast<unsigned>(phase == model::TaskPhase::running);
    }
    return runners;
}

bool holds(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (runners_of(model, cluster, p) < 2) { continue; }
        if (appenders_of(model, cluster, PartitionId{p}) > 1) { return false; }
    }
    return true;
}

std::string explain(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        const PartitionId partition{p};
        if (appenders_of(model, cluster, partition) <= 1) { continue; }
        std::string who;
        for (std::size_t t = 0; t < model.bounds().threads; ++t) {
            const ThreadId thread{t};
            if (!is_appender(model, cluster, thread, partition)) { continue; }
            const std::size_t slot = model.configuration().producer_slot(partition);
            const ProducerId id = model.configuration().producer_id(thread, partition);
            who += (who.empty() ? "" : " and ") + thread_name(thread) + " (" +
                   producer_name(model.configuration(), id) + ", epoch " +
                   epoch_name(cluster.threads[t].producers[slot].epoch) + ")";
        }
        return who + " both run the task of " + partition_name(partition) +
               " and could append its next record now: no broker would refuse either.";
    }
    return {};
}

}  // namespace

Law single_appender_per_partition() {
    return {.name = "single_appender_per_partition",
            .sentence =
                "At most one thread could append the next record of a task's output with "
                "the epoch that it holds.",
            .source = "KIP-98, KIP-447",
            .kind = checker::PropertyKind::state,
            .is_applicable = has_transactions,
            .holds_in = holds,
            .claims_in = claims_on_partitions<is_appender>,
            .explain_state = explain};
}

}  // namespace ringfence::properties
