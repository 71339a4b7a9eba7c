// `ringfence check`: exhaustive searches of scenarios, with their verdicts.
#include "cli/check_report.hpp"
#include "cli/output.hpp"
#include "cli/run.hpp"
#include "cli/scenarios.hpp"
#include "cli/settings_json.hpp"
#include "cli/story.hpp"
#include "cli/streams_config.hpp"
#include "cli/trace_folder.hpp"
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
    if (options.scenarios.empty() && !options.streams_config.empty()) {
        files.push_back({.path = options.streams_config,
                         .name = "streams_config",
                         .what = "rules from a Kafka Streams configuration"});
    } else if (options.scenarios.empty() && names_base(options.settings)) {
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

// A Streams configuration is a layer below the environment and the flags. It needs one release, and
// so one scenario.
std::optional<model::StreamsConfig> streams_config_of(
    const CheckOptions& options, const std::vector<model::ScenarioFile>& files) {
    if (!options.streams_config.empty() && files.size() > 1) {
        throw model::ConfigurationError(
            fmt::format("command line: {} scenarios with --streams-config, expected one at most",
                        files.size()));
    }
    return load_streams_config(options, options.scenarios.empty() ? nullptr : &files.front());
}

// Reports and trace files go by the scenarios' names.
void refuse_same_name(const model::Scenario& scenario, const model::ScenarioFile& file) {
    if (scenario.name != file.name) { return; }
    throw model::ConfigurationError(
        scenario.path == file.path
            ? fmt::format("command line: scenario \"{}\" is given twice, expected it once",
                          file.name)
            : fmt::format("command line: {} and {} both have the name \"{}\", expected one of them",
                          scenario.path, file.path, file.name));
}

// Everything that can be wrong is found out before the first search begins.
std::vector<Question> questions_of(const CheckOptions& options,
                                   const std::vector<model::ScenarioFile>& files,
                                   const SettingLayers& layers) {
    std::vector<Question> questions;
    for (const model::ScenarioFile& file : files) {
        for (const Question& question : questions) { refuse_same_name(question.scenario, file); }
        questions.push_back(question_of(
            model::scenario_of(file, layers, known_names(), options.keeps_expectations)));
    }
    return questions;
}

// Where an exact search was to find the trace.
std::string untold_text(const LawResult& law, checker::Ending ending) {
    const std::string cause = ending == checker::Ending::interrupted
                                  ? "was stopped"
                                  : fmt::format("met the limit on {}", checker::name_of(ending));
    return fmt::format(
        "{} is refuted in {} steps, or fewer if a state was lost; the exact search for its trace "
        "{}: run it again with --store=exact --max-depth {}\n\n",
        law.name, law.steps, cause, law.steps + 1);
}

std::string untold_text(const LawResult& law) {
    return fmt::format(
        "{} is refuted in {} steps; its trace was not looked for, because the search "
        "was stopped: run it again with --max-depth {}\n\n",
        law.name, law.steps, law.steps + 1);
}

void print_traces(const Question& question, const Answer& answer, const CheckOptions& options) {
    const counterexamples::TextOptions style{.detail = options.trace.value_or(Detail::diff),
                                             .is_coloured = options.output.is_coloured};
    for (std::size_t i = 0; i < question.laws.size(); ++i) {
        const LawResult& law = answer.result.laws[i];
        const bool is_told = options.trace ? law.is_refuted() : is_surprise(answer.result, law);
        if (!is_told) { continue; }
        if (!answer.traces[i]) {
            const auto& store = answer.result.fingerprints;
            print_result(store && store->traces_ended_by ? untold_text(law, *store->traces_ended_by)
                                                         : untold_text(law));
            continue;
        }
        const auto story = story_of(question.scenario, question.laws[i], *answer.traces[i]);
        print_result(counterexamples::text_of(story, style) + "\n");
    }
}

}  // namespace

Conclusion check(const CheckOptions& options) {
    const std::vector<model::ScenarioFile> files = files_of(options);
    const auto streams = streams_config_of(options, files);
    SettingLayers layers = options.settings;
    if (streams) { layers.insert(layers.begin(), streams->settings); }
    const std::vector<Question> questions = questions_of(options, files, layers);
    if (streams && !options.output.is_json) { print_note(streams_text(*streams)); }
    std::vector<Result> results;
    Conclusion conclusion;
    TraceFolder traces(options.traces_directory);
    for (const Question& question : questions) {
        Answer found = answer(question, options.limits);
        traces.save(question, found);
        if (!options.output.is_json) {
            print_result(check_text(found.result, options.output.is_coloured));
            print_traces(question, found, options);
        }
        conclusion.add(conclude(found.result, options.is_strict));
        results.push_back(std::move(found.result));
        if (results.back().stopped_by) { break; }
    }
    conclusion.add(traces.conclusion());
    if (options.output.is_json) {
        auto json = check_json(results, exit_status(conclusion));
        if (streams) { json["streams_config"] = streams_json(*streams); }
        print_result(document_text(json));
    } else {
        print_result(verdict_text(results, options.output.is_coloured));
    }
    traces.tell_trouble();
    return conclusion;
}

}  // namespace ringfence::cli
