#include "cli/run.hpp"

#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/scenarios.hpp"
#include "model/possible_verbs.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <algorithm>
#include <stdexcept>
#include <thread>

namespace ringfence::cli {

namespace {

std::vector<Law> laws_of(const model::Scenario& scenario) {
    const auto& names = scenario.asked.laws;
    std::vector<Law> laws;
    for (const Law& law : properties::laws()) {
        const bool is_asked = names.empty() || std::ranges::find(names, law.name) != names.end();
        if (is_asked) { laws.push_back(law); }
    }
    return laws;
}

void add_witnesses(Question& question, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        const auto is_named = [&name](const Witness& witness) { return witness.name == name; };
        if (std::ranges::none_of(question.witnesses, is_named)) {
            question.witnesses.push_back(*properties::find_witness(name));
        }
    }
}

// Three quarters of the machine's memory: the rest is for everything else that runs on it.
std::uint64_t memory_bytes_by_default() {
    const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return pages / 4 * 3 * page_bytes;
}

std::optional<model::Expectation> expectation_of(const model::Scenario& scenario,
                                                 std::string_view law) {
    if (!scenario.expectations) { return std::nullopt; }
    const auto& laws = scenario.expectations->laws;
    const auto found = std::ranges::find(laws, law, &model::Expectation::law);
    return found == laws.end() ? std::nullopt : std::optional(*found);
}

LawResult law_result(const Question& question, std::size_t index, const SearchReport& report) {
    const Law& law = question.laws[index];
    const auto& found = report.properties[index];
    return {.name = std::string(law.name),
            .kind = law.kind,
            .verdict = found.verdict,
            .steps = found.steps,
            .expected = expectation_of(question.scenario, law.name)};
}

std::vector<ActionCount> action_counts(const Question& question, const SearchReport& report) {
    const auto verbs = model::KafkaModel::verb_names();
    const auto results = model::KafkaModel::result_names();
    std::vector<ActionCount> counts;
    for (std::size_t verb = 0; verb < verbs.size(); ++verb) {
        ActionCount count{.verb = verbs[verb], .new_states = report.new_states[verb]};
        count.is_possible =
            model::is_possible(static_cast<model::Verb>(verb), question.model.configuration());
        for (std::size_t result = 0; result < results.size(); ++result) {
            const std::uint64_t fired = report.fired[verb][result];
            count.fired += fired;
            if (fired > 0) { count.results.emplace_back(results[result], fired); }
        }
        counts.push_back(std::move(count));
    }
    return counts;
}

Wanted wanted(const Question& question, std::size_t witness) {
    if (witness >= question.witnesses_sought) { return Wanted::never; }
    return question.scenario.requires_witnesses ? Wanted::always : Wanted::maybe;
}

Result result_of(const Question& question, const SearchReport& report) {
    Result result{.scenario = question.scenario,
                  .ending = report.ending,
                  .states = report.states,
                  .transitions = report.transitions,
                  .depth = report.depth,
                  .states_per_level = report.states_per_level,
                  .actions = action_counts(question, report),
                  .fingerprints = report.fingerprints,
                  .permutations = report.permutations,
                  .memory_bytes = report.memory_bytes,
                  .key_bits = report.key_bits,
                  .seconds = report.seconds};
    // A pinned count is one of all states.
    const bool counts_orbits = report.permutations > 1 && result.has_expectations();
    if (counts_orbits) { result.scenario.expectations->states.reset(); }
    const auto traces_ended_by =
        report.fingerprints ? report.fingerprints->traces_ended_by : std::nullopt;
    if (report.ending == checker::Ending::interrupted ||
        traces_ended_by == checker::Ending::interrupted) {
        result.stopped_by = stopped_by();
    }
    for (std::size_t i = 0; i < question.laws.size(); ++i) {
        result.laws.push_back(law_result(question, i, report));
    }
    for (std::size_t i = 0; i < question.witnesses.size(); ++i) {
        result.witnesses.push_back({.name = std::string(question.witnesses[i].name),
                                    .wanted = wanted(question, i),
                                    .is_reached = report.witnesses[i].is_reached,
                                    .depth = report.witnesses[i].depth});
    }
    const auto kinds = model::KafkaModel::cut_names();
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        result.cuts.emplace_back(kinds[i], report.cuts[i]);
    }
    return result;
}

}  // namespace

Question question_of(const model::Scenario& scenario) {
    const auto& asked = scenario.asked;
    std::vector<Law> laws = laws_of(scenario);
    try {
        Question question{.scenario = scenario,
                          .model = model::KafkaModel(asked.rules, asked.bounds, asked.disturbances,
                                                     properties::ghosts_read_by(laws)),
                          .laws = std::move(laws)};
        add_witnesses(question, asked.witnesses);
        question.witnesses_sought = question.witnesses.size();
        if (scenario.expectations) { add_witnesses(question, scenario.expectations->never); }
        return question;
    } catch (const std::invalid_argument& error) {
        throw model::ConfigurationError(
            fmt::format("{}: {}", place_to_blame(scenario), error.what()));
    }
}

std::string place_to_blame(const model::Scenario& scenario) {
    const auto is_refused = [](std::span<const model::Layer> layers) {
        try {
            const model::Resolved asked = model::resolve(layers, known_names());
            const model::KafkaModel accepted(asked.rules, asked.bounds, asked.disturbances);
            return false;
        } catch (const model::ConfigurationError&) {
            return true;
        } catch (const std::invalid_argument&) { return true; }
    };
    return model::place_to_blame(scenario.settings, scenario.path, is_refused);
}

checker::SearchOptions search_options(const LimitOptions& limits) {
    checker::SearchOptions options;
    options.workers =
        limits.workers != 0 ? limits.workers : std::max(1U, std::thread::hardware_concurrency());
    options.states_max = limits.states_max.value_or(options.states_max);
    options.depth_max = limits.depth_max.value_or(options.depth_max);
    options.seconds_max = limits.timeout_seconds.value_or(options.seconds_max);
    options.memory_bytes_max = limits.memory_bytes.value_or(memory_bytes_by_default());
    options.uses_symmetry = limits.uses_symmetry;
    if (limits.keeps_fingerprints) { options.fingerprints.emplace(); }
    options.is_interrupted = &stop_flag();
    return options;
}

Answer answer(const Question& question, const LimitOptions& limits) {
    checker::SearchOptions options = search_options(limits);
    const ProgressLine progress(question.scenario.name, options);
    SearchReport report = search(question.model, question.laws, question.witnesses, options);
    Answer answer{.result = result_of(question, report)};
    answer.result.workers = options.workers;
    for (auto& law : report.properties) { answer.traces.push_back(std::move(law.trace)); }
    return answer;
}

}  // namespace ringfence::cli
