// The flags of `ringfence cost` that no other verb has: its own bounds, and a scale.
#pragma once

#include "cli/flags.hpp"
#include "cli/options.hpp"
#include "model/settings.hpp"

#include <optional>
#include <vector>

namespace ringfence::cli {

// The bounds that costs are searched at. With one thread there is nobody to take over.
[[nodiscard]] std::vector<model::BoundEntry> cost_bounds();

[[nodiscard]] std::vector<Flag> cost_flags();

// None if no deployment is given to scale to. Throws model::ConfigurationError where half of one
// is.
[[nodiscard]] std::optional<ScaleOptions> scale_of(const Flags& flags);

}  // namespace ringfence::cli
