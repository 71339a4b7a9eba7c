// The matrix of `why`: rule sets as rows, laws as columns, a verdict and the length of the shortest
// trace in each cell.
#pragma once

#include "cli/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <vector>

namespace ringfence::cli {

// All rows have the same bounds, budgets and laws.
struct Matrix {
    model::Bounds bounds;
    model::Disturbances disturbances;
    std::vector<std::string> laws;
    std::vector<Result> rows;
};

[[nodiscard]] std::string why_text(const Matrix& matrix, bool is_coloured);

// {"format": "ringfence.why", "version": 1, "bounds", "disturbances", "laws", "rows"}
[[nodiscard]] nlohmann::ordered_json why_json(const Matrix& matrix);

}  // namespace ringfence::cli
