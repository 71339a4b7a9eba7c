// --streams-config: loads a Kafka Streams configuration, and reports what was made of it.
#pragma once

#include "cli/options.hpp"
#include "model/scenario.hpp"
#include "model/streams_config.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace ringfence::cli {

// What the options' file says; none where they name no file. The Kafka release is that of the
// flags, the environment or the scenario (null: none was named), and else the newest.
// Throws model::ConfigurationError, or counterexamples::FileError.
[[nodiscard]] std::optional<model::StreamsConfig> load_streams_config(
    const CheckOptions& options, const model::ScenarioFile* scenario);

// Lines for stderr, the last one without its line end.
[[nodiscard]] std::string streams_text(const model::StreamsConfig& config);

// {"file": ..., "broker": ..., "client": ..., "release_from": ..., "rules_of_release": {...},
//  "follows": [...], "timing": [...], "ignored": [...], "unknown": [...], "warnings": [...]}
[[nodiscard]] nlohmann::ordered_json streams_json(const model::StreamsConfig& config);

}  // namespace ringfence::cli
