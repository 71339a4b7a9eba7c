// The search, compiled once for the Kafka model.
#pragma once

#include "checker/search_options.hpp"
#include "checker/verdict.hpp"
#include "model/kafka_model.hpp"
#include "properties/catalogue.hpp"

#include <span>

namespace ringfence::cli {

using properties::Law;
using properties::Witness;
using Trace = checker::Trace<model::KafkaModel>;
using SearchReport = checker::SearchReport<model::KafkaModel>;

[[nodiscard]] SearchReport search(const model::KafkaModel& model, std::span<const Law> laws,
                                  std::span<const Witness> witnesses,
                                  const checker::SearchOptions& options);

}  // namespace ringfence::cli
