// A reader never sees a record that its writer aborted, or that no transaction ever listed.
#include "properties/claims.hpp"
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

bool holds(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (cluster.ghosts[p].tainted != 0) { return false; }
    }
    return true;
}

std::string explain(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if (cluster.ghosts[p].tainted == 0) { continue; }
        return "A commit marker on the output of " + partition_name(PartitionId{p}) +
               " made records visible that were appended in a transaction which its client "
               "aborted, or outside of any transaction that the coordinator listed.";
    }
    return {};
}

}  // namespace

Law no_aborted_read() {
    return {.name = "no_aborted_read",
            .sentence =
                "No visible output was appended in a transaction that its client aborted, "
                "or outside any transaction that the coordinator lists there.",
            .source = "KIP-890",
            .kind = checker::PropertyKind::state,
            .is_applicable = has_transactions,
            .holds_in = holds,
            .claims_in = claims_on_common<holds>,
            .explain_state = explain};
}

}  // namespace ringfence::properties
