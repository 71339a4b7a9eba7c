// CATALOGUE 2: the laws, one file each, and the witnesses that keep "holds" from being vacuous.
#pragma once

#include "checker/property.hpp"
#include "model/kafka_model.hpp"

#include <span>
#include <string_view>

namespace ringfence::properties {

using Law = checker::Property<model::KafkaModel>;
using Witness = checker::Witness<model::KafkaModel>;

[[nodiscard]] std::span<const Law> laws();
[[nodiscard]] std::span<const Witness> witnesses();

// Null if there is none of that name.
[[nodiscard]] const Law* find_law(std::string_view name);
[[nodiscard]] const Witness* find_witness(std::string_view name);

// The ghosts that these laws read: a model with only these has no larger state space than needed.
[[nodiscard]] model::Ghosts ghosts_read_by(std::span<const Law> laws);

}  // namespace ringfence::properties
