// No input record has two visible outputs: the promise of exactly-once, as a reader meets it.
#include "properties/claims.hpp"
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

// The high bit of each count of two bits: set for a count of two.
constexpr unsigned twice = 0b10101010;

bool holds(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        if ((cluster.ghosts[p].visible & twice) != 0) { return false; }
    }
    return true;
}

std::string explain(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        for (model::Offset record = 0; record < model.bounds().records; ++record) {
            if (model::count_of(cluster.ghosts[p].visible, record) < 2) { continue; }
            return "The output of " + model::record_name(record) + " of " +
                   partition_name(PartitionId{p}) +
                   " is visible twice to a reader with isolation.level=read_committed.";
        }
    }
    return {};
}

}  // namespace

Law exactly_once_output() {
    return {.name = "exactly_once_output",
            .sentence = "No input record has two visible outputs on one output partition.",
            .source = "KIP-98, KIP-129",
            .kind = checker::PropertyKind::state,
            .is_applicable = always,
            .holds_in = holds,
            .claims_in = claims_on_common<holds>,
            .explain_state = explain};
}

}  // namespace ringfence::properties
