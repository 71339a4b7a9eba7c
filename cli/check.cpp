// `ringfence check`: exhaustive searches of scenarios, with their verdicts.
#include "cli/check_report.hpp"
#include "cli/output.hpp"
#include "cli/run.hpp"
#include "cli/scenarios.hpp"
#include "cli/settings_json.hpp"
#include "cli/story.hpp"
#include "cli/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ringfence::cli {

namespace {

using counterexamples::Detail;

// What is checked where nothing is named: the last v1 that was right about offsets, and v2.
constexpr std::array<std::string_view, 2> schemes_by_default{"v1_clients_2.6_to_2.8", "v2"};

// Does a flag or the environment name the rules to start from? Then they are the scenario.
bool names_base(const SettingLayers& layers) {
    static constexpr std::array<std::string_view, 5> keys{"scheme", "kafka", "broker", "client",
                                                          "guarantee"};
    return std::ranges::any_of(layers, [](const model::Layer& layer) {
        return std::ranges::any_of(layer, [](const model::Setting& setting) {
            return std::ranges::find(keys, setting.key) != keys.end();
        });
    });
}

std::vector<model::ScenarioFile> files_of(const CheckOptions& options) {
    std::vector<model::ScenarioFile> files;
    if (options.scenarios.empty() && names_base(options.settings)) {
        files.push_back({.path = "command line",
                         .name = "command_line",
                         .what = "rules from the command line and the environment"});
    } else if (options.scenarios.empty()) {
        for (const std::string_view name : schemes_by_default) {
            files.push_back(load_scenario(std::string(name)));
        }
    }
    for (const std::string& name : options.scenarios) { files.push_back(load_scenario(name)); }
    return files;
}

// Everything that can be wrong is found out before the first search begins.
std::vector<Question> questions_of(const CheckOptions& options) {
    std::vector<Question> questions;
    for (const model::ScenarioFile& file : files_of(options)) {
        const auto is_same = [&file](const Question& question) {
            return question.scenario.name == file.name;
        };
        if (std::ranges::any_of(questions, is_same)) {
            throw model::ConfigurationError(
                fmt::format("{}: a scenario named \"{}\" is checked already, expected another name",
                            file.path, file.name));
        }
        questions.push_back(question_of(
            model::scenario_of(file, options.settings, known_names(), options.keeps_expectations)));
    }
    return questions;
}

void save_traces(const Question& question, Answer& answer, const std::string& directory) {
    for (std::size_t i = 0; i < question.laws.size(); ++i) {
        LawResult& law = answer.result.laws[i];
        if (!law.is_refuted()) { continue; }
        law.trace_file =
            save_story(story_of(question.scenario, question.laws[i], answer.traces[i]), directory);
    }
}

void print_traces(const Question& question, const Answer& answer, const CheckOptions& options) {
    const counterexamples::TextOptions style{.detail = options.trace.value_or(Detail::diff),
                                             .is_coloured = options.output.is_coloured};
    for (std::size_t i = 0; i < question.laws.size(); ++i) {
        const LawResult& law = answer.result.laws[i];
        const bool is_told = options.trace ? law.is_refuted() : is_surprise(answer.result, law);
        if (!is_told) { continue; }
        const auto story = story_of(question.scenario, question.laws[i], answer.traces[i]);
        print_result(counterexamples::text_of(story, style) + "\n");
    }
}

}  // namespace

Conclusion check(const CheckOptions& options) {
    const std::vector<Question> questions = questions_of(options);
    std::vector<Result> results;
    Conclusion conclusion;
    for (const Question& question : questions) {
        Answer found = answer(question, options.limits);
        if (!options.traces_directory.empty()) {
            save_traces(question, found, options.traces_directory);
        }
        if (!options.output.is_json) {
            print_result(check_text(found.result, options.output.is_coloured));
            print_traces(question, found, options);
        }
        conclusion.add(conclude(found.result, options.is_strict));
        results.push_back(std::move(found.result));
        if (results.back().stopped_by) { break; }
    }
    if (options.output.is_json) {
        print_result(document_text(check_json(results, exit_status(conclusion))));
    } else {
        print_result(verdict_text(results, options.output.is_coloured));
    }
    return conclusion;
}

}  // namespace ringfence::cli
