#include "cli/scenarios.hpp"

#include "cli/files.hpp"
#include "cli/shipped.hpp"
#include "model/nearest_name.hpp"
#include "properties/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringfence::cli {

namespace {

constexpr std::string_view rows_folder = "scenarios/why/";
constexpr std::size_t scenario_bytes_max = std::size_t{1} << 20U;

bool is_path(std::string_view name) {
    return name.find('/') != name.npos || name.ends_with(".toml");
}

}  // namespace

const model::KnownNames& known_names() {
    static const model::KnownNames names = [] {
        model::KnownNames known;
        for (const auto& law : properties::laws()) { known.laws.push_back(law.name); }
        for (const auto& witness : properties::witnesses()) {
            known.witnesses.push_back(witness.name);
        }
        return known;
    }();
    return names;
}

std::vector<model::ScenarioFile> shipped_scenarios() {
    std::vector<model::ScenarioFile> scenarios;
    for (const ShippedFile& file : shipped_files()) {
        scenarios.push_back(model::read_scenario(file.text, file.path, known_names()));
    }
    return scenarios;
}

std::vector<model::ScenarioFile> shipped_rows() {
    std::vector<model::ScenarioFile> rows = shipped_scenarios();
    std::erase_if(rows, [](const auto& file) { return !file.path.starts_with(rows_folder); });
    return rows;
}

model::ScenarioFile load_scenario(const std::string& name_or_path) {
    if (is_path(name_or_path)) {
        return model::read_scenario(text_of_file(name_or_path, scenario_bytes_max), name_or_path,
                                    known_names());
    }
    std::vector<model::ScenarioFile> shipped = shipped_scenarios();
    const auto found = std::ranges::find(shipped, name_or_path, &model::ScenarioFile::name);
    if (found != shipped.end()) { return std::move(*found); }
    std::vector<std::string_view> names;
    for (const model::ScenarioFile& file : shipped) { names.push_back(file.name); }
    throw model::ConfigurationError(
        fmt::format("command line: unknown scenario \"{}\"{}", model::shortened(name_or_path),
                    model::expected_names(name_or_path, names, "ringfence list scenarios")));
}

}  // namespace ringfence::cli
