// The search for what a scheme costs: the largest values over all reachable states of a small
// cluster.
#pragma once

#include "checker/search_options.hpp"
#include "checker/verdict.hpp"
#include "model/cost.hpp"

#include <cstdint>
#include <vector>

namespace ringfence::cli {

struct FoundCost {
    std::uint64_t value = 0;  // the largest
    std::uint32_t depth = 0;  // fewest steps to where it is reached; 0 if the value is 0

    friend bool operator==(const FoundCost&, const FoundCost&) = default;
};

struct CostReport {
    checker::Ending ending = checker::Ending::exhausted;
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint32_t depth = 0;
    std::vector<FoundCost> costs;      // in the order of the catalogue
    std::uint64_t waits = 0;           // pairs of a state and an owner that waits in it
    std::uint64_t waits_for_ever = 0;  // those that no schedule ends: a bound forbids it
    std::uint64_t memory_bytes = 0;
    double seconds = 0;

    [[nodiscard]] bool is_complete() const { return ending == checker::Ending::exhausted; }
};

// Keeps the whole graph in memory. What a search that a limit ended has found is a lower limit of
// each cost; of waits it knows nothing yet, and says 0. `options.workers` plays no part.
[[nodiscard]] CostReport search_costs(const model::KafkaModel& model,
                                      const checker::SearchOptions& options);

}  // namespace ringfence::cli
