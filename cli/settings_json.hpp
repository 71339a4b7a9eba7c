// Rules, bounds and budgets as JSON, the same in every document.
#pragma once

#include "model/settings.hpp"

#include <nlohmann/json.hpp>

namespace ringfence::cli {

[[nodiscard]] nlohmann::ordered_json rules_json(const model::Rules& rules);
[[nodiscard]] nlohmann::ordered_json bounds_json(const model::Bounds& bounds);
// A budget is a number or "unlimited".
[[nodiscard]] nlohmann::ordered_json disturbances_json(const model::Disturbances& disturbances);

// A document as it is printed: two blanks a level and a line end.
[[nodiscard]] std::string document_text(const nlohmann::ordered_json& json);

}  // namespace ringfence::cli
