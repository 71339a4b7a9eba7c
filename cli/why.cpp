// `ringfence why`: which mechanism carries which guarantee. Each row is a set of rules, each cell a
// verdict that was searched for: expectations of the rows' files play no part.
#include "cli/output.hpp"
#include "cli/run.hpp"
#include "cli/scenarios.hpp"
#include "cli/settings_json.hpp"
#include "cli/trace_folder.hpp"
#include "cli/verbs.hpp"
#include "cli/why_report.hpp"
#include "model/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ringfence::cli {

namespace {

// The laws that tell the schemes apart.
constexpr std::array<std::string_view, 7> laws_by_default{"single_writer_per_partition",
                                                          "no_stale_commit",
                                                          "superseded_owner_is_fenced",
                                                          "exactly_once_output",
                                                          "single_appender_per_partition",
                                                          "no_hanging_transaction",
                                                          "no_false_fence"};

// Bounds, budgets and laws are the same for all rows; everything else makes a row of its own.
bool is_for_all_rows(const model::Setting& setting) {
    return setting.key.starts_with("bounds.") || setting.key.starts_with("disturbances.") ||
           setting.key == "laws" || setting.key == "force";
}

SettingLayers layers_for_all_rows(const WhyOptions& options) {
    SettingLayers layers;
    model::Layer laws;
    if (!options.has_all_laws) {
        for (const std::string_view law : laws_by_default) {
            laws.push_back({.key = "laws", .value = std::string(law), .where = "why"});
        }
    }
    layers.push_back(laws);
    for (const model::Layer& layer : options.settings) {
        model::Layer kept;
        std::ranges::copy_if(layer, std::back_inserter(kept), is_for_all_rows);
        layers.push_back(kept);
    }
    return layers;
}

// "v2 + member_test=off", "kafka=3.5 + ...": the row that the command line adds, if any.
std::string name_of_added_row(const SettingLayers& layers) {
    std::string base = "v2";
    std::string rules;
    bool is_added = false;
    for (const model::Layer& layer : layers) {
        for (const model::Setting& setting : layer) {
            if (is_for_all_rows(setting)) { continue; }
            is_added = true;
            if (setting.key == "scheme") {
                base = setting.value;
                continue;
            }
            const std::string_view key = setting.key;
            const std::string_view name = key.substr(key.find('.') + 1);
            rules += fmt::format(" + {}={}", name, setting.value);
        }
    }
    return is_added ? base + rules : "";
}

// Only the rules of a row's file count here.
model::ScenarioFile rules_alone(model::ScenarioFile file) {
    std::erase_if(file.settings, [](const model::Setting& setting) {
        return is_for_all_rows(setting) ? setting.key != "force" : setting.key == "witnesses";
    });
    file.expectations.reset();
    return file;
}

[[noreturn]] void refuse_row(const std::string& name,
                             const std::vector<model::ScenarioFile>& rows) {
    const auto shipped = shipped_scenarios();
    if (std::ranges::find(shipped, name, &model::ScenarioFile::name) != shipped.end()) {
        throw model::ConfigurationError(fmt::format(
            "command line: \"{0}\" is no row of the matrix: `ringfence check {0}`", name));
    }
    std::vector<std::string_view> known;
    for (const model::ScenarioFile& row : rows) { known.push_back(row.name); }
    throw model::ConfigurationError(
        fmt::format("command line: unknown row \"{}\"{}", model::shortened(name),
                    model::expected_names(name, known, "ringfence list scenarios")));
}

std::vector<model::ScenarioFile> chosen_rows(const std::vector<std::string>& names) {
    const std::vector<model::ScenarioFile> rows = shipped_rows();
    if (names.empty()) { return rows; }
    std::vector<model::ScenarioFile> chosen;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(rows, name, &model::ScenarioFile::name);
        if (found == rows.end()) { refuse_row(name, rows); }
        chosen.push_back(*found);
    }
    return chosen;
}

std::vector<Question> questions_of(const WhyOptions& options) {
    const SettingLayers layers = layers_for_all_rows(options);
    std::vector<Question> questions;
    for (const model::ScenarioFile& row : chosen_rows(options.rows)) {
        questions.push_back(
            question_of(model::scenario_of(rules_alone(row), layers, known_names(), false)));
    }
    const std::string added = name_of_added_row(options.settings);
    if (!added.empty()) {
        SettingLayers all = {layers.front()};
        all.insert(all.end(), options.settings.begin(), options.settings.end());
        const model::ScenarioFile row{.path = "command line", .name = added};
        questions.push_back(question_of(model::scenario_of(row, all, known_names(), false)));
    }
    return questions;
}

Result searched_row(const Question& question, const LimitOptions& limits, TraceFolder& traces) {
    Answer found = answer(question, limits);
    traces.save(question, found);
    return std::move(found.result);
}

}  // namespace

Conclusion why(const WhyOptions& options) {
    const std::vector<Question> questions = questions_of(options);
    Matrix matrix{.bounds = questions.front().scenario.asked.bounds,
                  .disturbances = questions.front().scenario.asked.disturbances};
    for (const Law& law : questions.front().laws) { matrix.laws.emplace_back(law.name); }
    Conclusion conclusion;
    TraceFolder traces(options.traces_directory);
    for (const Question& question : questions) {
        matrix.rows.push_back(searched_row(question, options.limits, traces));
        // A law that falls is an answer here, not a failure.
        const Conclusion row = conclude(matrix.rows.back());
        for (const Trouble trouble :
             {Trouble::interrupted, Trouble::terminated, Trouble::inconclusive}) {
            if (row.has(trouble)) { conclusion.add(trouble); }
        }
        if (matrix.rows.back().stopped_by) { break; }
    }
    print_result(options.output.is_json ? document_text(why_json(matrix))
                                        : why_text(matrix, options.output.is_coloured));
    traces.tell_trouble();
    conclusion.add(traces.conclusion());
    return conclusion;
}

}  // namespace ringfence::cli
