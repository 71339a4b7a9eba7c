// CATALOGUE 4 at run time: shipped scenarios by name, others by path.
#pragma once

#include "model/scenario.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringfence::cli {

// What laws and witnesses are called.
[[nodiscard]] const model::KnownNames& known_names();

// All of them, in the order of their paths.
[[nodiscard]] std::vector<model::ScenarioFile> shipped_scenarios();

// The rows of the matrix of `why`: scenarios/why/, in the order of the files' names.
[[nodiscard]] std::vector<model::ScenarioFile> shipped_rows();

// A shipped scenario's name, or a path: anything with a slash or that ends in .toml.
// Throws model::ConfigurationError, or counterexamples::FileError for a path that cannot be read.
[[nodiscard]] model::ScenarioFile load_scenario(const std::string& name_or_path);

}  // namespace ringfence::cli
