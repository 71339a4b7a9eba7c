// The report of `check`: a scenario as text, and all of them as one JSON document.
#pragma once

#include "cli/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace ringfence::cli {

// Everything but traces and the verdict.
[[nodiscard]] std::string check_text(const Result& result, bool is_coloured);

// The last lines: a verdict for each scenario.
[[nodiscard]] std::string verdict_text(std::span<const Result> results, bool is_coloured);

// {"format": "ringfence.check", "version": 1, "program_version": ..., "scenarios": [...],
//  "status": ...}
[[nodiscard]] nlohmann::ordered_json check_json(std::span<const Result> results, int status);

}  // namespace ringfence::cli
