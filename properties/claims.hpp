// What a scope of the model (KafkaModel::scopes: a thread with what all share) claims for a law on
// states, so that few states need to be asked: see checker/claims.hpp.
//
// tests/model/scopes_test.cpp checks for all laws that claims depend on their scope alone, and
// that no law falls without them.
#pragma once

#include "properties/laws.hpp"

#include <cstddef>
#include <cstdint>

namespace ringfence::properties {

using checker::Claims;

// Of a law that reads nothing but what all threads share.
template <bool (*holds)(const KafkaModel&, const Cluster&)>
[[nodiscard]] Claims claims_on_common(const KafkaModel& model, const Cluster& cluster,
                                      std::size_t scope) {
    const bool falls = scope == KafkaModel::common_scope && !holds(model, cluster);
    return {falls ? Claims::alone : std::uint8_t{0}};
}

// Of a law that falls where two threads have the same right to a partition, which each reads from
// its own scope.
template <bool (*has_right)(const KafkaModel&, const Cluster&, ThreadId, PartitionId)>
[[nodiscard]] Claims claims_on_partitions(const KafkaModel& model, const Cluster& cluster,
                                          std::size_t scope) {
    Claims claims;
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        const PartitionId partition{p};
        if (has_right(model, cluster, ThreadId{scope}, partition)) {
            claims.bits |= partition.bit();
        }
    }
    return claims;
}

// Of a law that falls where what all threads share is at odds about a partition, and no outcome is
// in flight that would settle it: for none of the threads.
template <bool (*is_at_odds)(const Cluster&, PartitionId)>
[[nodiscard]] Claims claims_on_outcomes(const KafkaModel& model, const Cluster& cluster,
                                        std::size_t scope) {
    unsigned at_odds = 0;
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        at_odds |= static_cast<unsigned>(is_at_odds(cluster, PartitionId{p})) << p;
    }
    for (const ProducerId producer : model.producers_of(scope)) {
        at_odds &= ~outcomes_in_flight(cluster, producer);
    }
    return {static_cast<std::uint8_t>(at_odds)};
}

}  // namespace ringfence::properties
