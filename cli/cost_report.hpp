// The report of `cost`: what was found, what the formulas say of it, and what they say of a larger
// deployment, as text and as JSON.
#pragma once

#include "cli/cost_search.hpp"
#include "cli/interrupt.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringfence::cli {

// A deployment that the formulas are to be asked about.
struct Scale {
    std::uint64_t partitions = 0;
    std::uint64_t threads = 0;  // of each instance
    std::uint64_t instances = 1;
    std::uint64_t records = 1;
};

struct SchemeCosts {
    std::string name;
    model::Rules rules;
    std::vector<CostReport> searches;  // by model::Situation; fewer if a signal came before
};

struct CostResult {
    model::Bounds bounds;
    std::optional<Scale> scale;
    std::vector<SchemeCosts> schemes;
    std::optional<StopSignal> stopped_by;
};

[[nodiscard]] model::Deployment deployment_of(const Scale& scale, model::Situation situation);

// Null where a signal came before that search.
[[nodiscard]] const CostReport* report_of(const SchemeCosts& scheme, model::Situation situation);
// Null as well for a wait, if a limit ended the search.
[[nodiscard]] const FoundCost* found_cost(const SchemeCosts& scheme, std::size_t entry,
                                          model::Situation situation);

// Is what was found what the formula says of the same cluster? A search that a limit ended can only
// say no.
enum class Agreement : std::uint8_t { agrees, differs, undecided };
[[nodiscard]] Agreement agreement(const CostResult& result, const SchemeCosts& scheme,
                                  std::size_t entry, model::Situation situation);

[[nodiscard]] std::string cost_text(const CostResult& result, bool is_coloured);

// {"format": "ringfence.cost", "version": 1, ...}
[[nodiscard]] nlohmann::ordered_json cost_json(const CostResult& result, int status);

}  // namespace ringfence::cli
