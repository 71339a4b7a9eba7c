// Output and offset of a record share one fate, once all markers about them are written.
#include "properties/claims.hpp"
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

bool differs(const Cluster& cluster, PartitionId partition) {
    const unsigned visible = model::records_in(cluster.ghosts[partition.value].visible);
    const unsigned committed = (1U << cluster.group.committed[partition.value]) - 1;
    return visible != committed;
}

bool is_torn(const KafkaModel& model, const Cluster& cluster, std::size_t p) {
    const PartitionId partition{p};
    return differs(cluster, partition) && !is_outcome_in_flight(model, cluster, partition);
}

bool holds(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (is_torn(model, cluster, p)) { return false; }
    }
    return true;
}

std::string explain(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (!is_torn(model, cluster, p)) { continue; }
        return "No marker about " + partition_name(PartitionId{p}) +
               " is owed any more. Its committed offset is " +
               std::to_string(cluster.group.committed[p]) +
               ", but the visible outputs are: " + model::records_name(cluster.ghosts[p].visible) +
               ".";
    }
    return {};
}

}  // namespace

Law atomic_outcome() {
    return {.name = "atomic_outcome",
            .sentence =
                "Once no marker about a partition is owed, a record's output is visible "
                "exactly if the committed offset lies beyond it.",
            .source = "KIP-98",
            .kind = checker::PropertyKind::state,
            .is_applicable = has_transactions,
            .holds_in = holds,
            .claims_in = claims_on_outcomes<differs>,
            .explain_state = explain};
}

}  // namespace ringfence::properties
