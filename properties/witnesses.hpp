// Declares the witnesses: steps that must be reachable for a verdict "holds" to be worth anything.
#pragma once

#include "properties/catalogue.hpp"

namespace ringfence::properties {

[[nodiscard]] std::span<const Witness> all_witnesses();

}  // namespace ringfence::properties
