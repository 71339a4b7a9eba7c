// What a client was told is committed stays committed, outputs and offsets.
#include "properties/claims.hpp"
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

bool is_missing(const Cluster& cluster, PartitionId partition) {
    const model::PartitionGhosts& ghosts = cluster.ghosts[partition.value];
    const unsigned committed = (1U << cluster.group.committed[partition.value]) - 1;
    const unsigned kept = model::records_in(ghosts.visible) & committed;
    return (ghosts.confirmed & ~kept) != 0;
}

bool is_lost(const KafkaModel& model, const Cluster& cluster, std::size_t p) {
    const PartitionId partition{p};
    return is_missing(cluster, partition) && !is_outcome_in_flight(model, cluster, partition);
}

bool holds(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (is_lost(model, cluster, p)) { return false; }
    }
    return true;
}

std::string explain(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (!is_lost(model, cluster, p)) { continue; }
        return "A client was told that its commit on " + partition_name(PartitionId{p}) +
               " succeeded, and all markers are written; but the visible outputs are: " +
               model::records_name(cluster.ghosts[p].visible) + ", and the committed offset is " +
               std::to_string(cluster.group.committed[p]) + ".";
    }
    return {};
}

}  // namespace

Law confirmed_commit_is_kept() {
    return {.name = "confirmed_commit_is_kept",
            .sentence =
                "No commit that a client was told succeeded is ever without its outputs "
                "and offsets once its markers are written.",
            .source = "KAFKA-6119, KAFKA-17754",
            .kind = checker::PropertyKind::state,
            .is_applicable = has_transactions,
            .holds_in = holds,
            .claims_in = claims_on_outcomes<is_missing>,
            .explain_state = explain};
}

}  // namespace ringfence::properties
