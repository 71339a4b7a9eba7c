// `ringfence replay`: takes the steps of a saved trace again, with the model of today, and says
// where the two part, if they do.
#include "checker/trace.hpp"
#include "cli/files.hpp"
#include "cli/output.hpp"
#include "cli/run.hpp"
#include "cli/scenarios.hpp"
#include "cli/settings_json.hpp"
#include "cli/story.hpp"
#include "cli/verbs.hpp"
#include "counterexamples/json_positions.hpp"
#include "counterexamples/layout.hpp"
#include "counterexamples/saved.hpp"
#include "model/describe.hpp"
#include "model/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>

namespace ringfence::cli {

namespace {

using counterexamples::Document;
using counterexamples::Situation;
using counterexamples::Variable;
using model::KafkaModel;

// The first place where the trace does not fit the model.
struct Misfit {
    std::size_t step = 0;  // 0: the initial state
    std::string reason;
};

// A trace file with the places of its values, so that a wrong one can be blamed.
class SavedTrace {
  public:
    explicit SavedTrace(const std::string& path)
        : path_(path),
          text_(text_of_file(path, trace_bytes_max)),
          document_(counterexamples::parse(text_, path)),
          positions_(counterexamples::positions_of(text_)) {}

    [[nodiscard]] const Document& document() const { return document_; }
    [[nodiscard]] model::Layer settings() const {
        // Traces may come from rules that were forced.
        model::Layer layer = {{.key = "force", .value = "true", .where = path_}};
        const counterexamples::Header& header = document_.header;
        add(layer, "rules", header.rules, model::rule_catalogue());
        add(layer, "bounds", header.bounds, model::bound_catalogue());
        add(layer, "disturbances", header.disturbances, model::disturbance_catalogue());
        layer.push_back(
            {.key = "laws", .value = document_.header.law.name, .where = place_of("/law/name")});
        return layer;
    }

  private:
    static constexpr std::size_t trace_bytes_max = std::size_t{1} << 28U;

    [[nodiscard]] std::string place_of(const std::string& pointer) const {
        const auto found = positions_.offsets.find(pointer);
        if (found == positions_.offsets.end()) { return path_; }
        const auto place = counterexamples::position_of(text_, found->second);
        return fmt::format("{}:{}:{}", path_, place.line, place.column);
    }
    // All of the catalogue must be there: a default of today may not be that of the trace.
    template <class Entry>
    void add(model::Layer& layer, const std::string& section,
             const std::vector<counterexamples::Setting>& settings,
             std::span<const Entry> catalogue) const {
        for (const Entry& entry : catalogue) {
            const auto found =
                std::ranges::find(settings, entry.name, &counterexamples::Setting::name);
            if (found != settings.end()) { continue; }
            throw model::ConfigurationError(fmt::format(
                "{}: key \"{}.{}\" is missing", place_of("/" + section), section, entry.name));
        }
        for (const counterexamples::Setting& setting : settings) {
            layer.push_back({.key = section + "." + setting.name,
                             .value = setting.value,
                             .where = place_of("/" + section + "/" + setting.name)});
        }
    }

    std::string path_;
    std::string text_;
    Document document_;
    counterexamples::JsonPositions positions_;
};

model::Scenario scenario_of(const SavedTrace& trace, const std::string& file) {
    const Document& document = trace.document();
    const std::vector<model::Layer> layers = {trace.settings()};
    model::Scenario scenario{.path = file,
                             .name = document.header.scenario,
                             .source = document.header.source,
                             .asked = model::resolve(layers, known_names()),
                             .settings = layers};
    scenario.asked.scheme = document.header.scheme;
    return scenario;
}

KafkaModel model_of(const model::Scenario& scenario) {
    try {
        return story_model(scenario.asked);
    } catch (const std::invalid_argument& error) {
        throw model::ConfigurationError(
            fmt::format("{}: {}", place_to_blame(scenario), error.what()));
    }
}

std::string enabled_text(const KafkaModel& kafka, const model::Cluster& cluster) {
    checker::Enabled<model::Action> enabled;
    kafka.actions(cluster, enabled);
    std::string text;
    for (const model::Action& action : enabled) {
        text += (text.empty() ? "" : "; ") + model::encode(action);
    }
    return text.empty() ? "nothing" : text;
}

// The steps as far as they can be read and taken.
std::optional<Misfit> take_steps(const KafkaModel& kafka, const Document& document, Trace& trace) {
    const std::vector<model::Cluster> initial = kafka.initial_states();
    if (document.initial_state >= initial.size()) {
        return Misfit{0, fmt::format("the model has no initial state {}", document.initial_state)};
    }
    trace.initial = initial[document.initial_state];
    std::optional<Misfit> misfit;
    for (const counterexamples::Step& step : document.steps) {
        const std::optional<model::Action> action = model::decode(step.action);
        if (!action) {
            misfit = {step.number,
                      fmt::format("the model has no action \"{}\"", model::shortened(step.action))};
            break;
        }
        trace.actions.push_back(*action);
    }
    const auto replayed = checker::replay(kafka, trace);
    if (!replayed.first_not_enabled) { return misfit; }
    const std::size_t stopped = *replayed.first_not_enabled;
    trace.actions.resize(stopped);
    return Misfit{stopped + 1, fmt::format("\"{}\" is not enabled; enabled are: {}",
                                           document.steps[stopped].action,
                                           enabled_text(kafka, replayed.states.back()))};
}

std::optional<std::string> difference_of(const std::vector<Variable>& saved,
                                         const std::vector<Variable>& found) {
    if (saved.size() != found.size()) {
        return fmt::format("the trace has {} variables, the model {}", saved.size(), found.size());
    }
    for (std::size_t i = 0; i < saved.size(); ++i) {
        if (saved[i] == found[i]) { continue; }
        return fmt::format("the trace has {} {} = {}, the model {} {} = {}", saved[i].actor,
                           saved[i].name, saved[i].value, found[i].actor, found[i].name,
                           found[i].value);
    }
    return std::nullopt;
}

std::optional<std::string> difference_of(const Situation& saved, const Situation& found) {
    const auto variables = difference_of(saved.variables, found.variables);
    return variables ? variables : difference_of(saved.columns, found.columns);
}

// Do the steps that can be taken still do what they did when the trace was saved?
std::optional<Misfit> compare(const Document& saved, const Document& found) {
    if (const auto difference = difference_of(saved.initial, found.initial)) {
        return Misfit{0, *difference};
    }
    for (std::size_t i = 0; i < found.steps.size(); ++i) {
        const counterexamples::Step& before = saved.steps[i];
        const counterexamples::Step& now = found.steps[i];
        if (before.answer != now.answer) {
            return Misfit{i + 1, fmt::format("the answer was \"{}\", the model answers \"{}\"",
                                             before.answer, now.answer)};
        }
        if (const auto difference = difference_of(before.after, now.after)) {
            return Misfit{i + 1, *difference};
        }
    }
    return std::nullopt;
}

// As checker/property.hpp defines it for the search.
bool is_deadlock(const KafkaModel& kafka, const model::Cluster& cluster) {
    checker::Enabled<model::Action> enabled;
    kafka.actions(cluster, enabled);
    if (enabled.is_cut() || !kafka.work_is_left(cluster)) { return false; }
    return std::ranges::none_of(enabled, [&](const model::Action& action) {
        model::Cluster after = cluster;
        kafka.apply(after, action);
        return kafka.is_healing(action) && after != cluster;
    });
}

bool is_violated_at_end(const KafkaModel& kafka, const Law& law, const Trace& trace) {
    const auto replayed = checker::replay(kafka, trace);
    const model::Cluster& end = replayed.states.back();
    switch (law.kind) {
        case checker::PropertyKind::state: return !law.holds_in(kafka, end);
        case checker::PropertyKind::deadlock: return is_deadlock(kafka, end);
        case checker::PropertyKind::step:
            return !trace.actions.empty() &&
                   !law.holds_over(kafka, {replayed.states[trace.actions.size() - 1],
                                           trace.actions.back(), replayed.outcomes.back(), end});
    }
    return false;
}

std::optional<Misfit> misfit_of(const Document& saved, const model::Scenario& scenario,
                                const Law& law, Document& told) {
    const KafkaModel kafka = model_of(scenario);
    Trace trace{};
    const std::optional<Misfit> stopped = take_steps(kafka, saved, trace);
    if (stopped && stopped->step == 0) { return stopped; }
    told = story_of(scenario, law, trace);
    if (const auto different = compare(saved, told)) { return different; }
    if (stopped) { return stopped; }
    if (!is_violated_at_end(kafka, law, trace)) {
        return Misfit{saved.steps.size(),
                      fmt::format("all steps fit, but {} is not violated at the end", law.name)};
    }
    return std::nullopt;
}

nlohmann::ordered_json replay_json(const ReplayOptions& options, const Document& saved,
                                   const std::optional<Misfit>& misfit) {
    nlohmann::ordered_json json;
    json["format"] = "ringfence.replay";
    json["version"] = 1;
    json["file"] = options.file;
    json["scenario"] = saved.header.scenario;
    json["law"] = saved.header.law.name;
    json["steps"] = saved.steps.size();
    json["replays"] = !misfit.has_value();
    if (misfit) {
        json["stops_at_step"] = misfit->step;
        json["reason"] = misfit->reason;
    }
    return json;
}

std::string replay_text(const ReplayOptions& options, const Document& told,
                        const std::optional<Misfit>& misfit) {
    const counterexamples::TextOptions style{.detail = options.trace,
                                             .is_coloured = options.output.is_coloured};
    const std::string& law = told.header.law.name;
    if (!misfit) {
        return counterexamples::text_of(told, style) +
               fmt::format("\nverdict: {} replays: {} steps, and {} is violated\n", options.file,
                           told.steps.size(), law);
    }
    const std::string place =
        misfit->step == 0 ? "in the initial state" : fmt::format("at step {}", misfit->step);
    return fmt::format("verdict: {} does not replay: it stops fitting {}: {}\n", options.file,
                       place, counterexamples::printable(misfit->reason));
}

}  // namespace

Conclusion replay(const ReplayOptions& options) {
    const SavedTrace trace(options.file);
    const Document& saved = trace.document();
    const model::Scenario scenario = scenario_of(trace, options.file);
    const Law& law = *properties::find_law(saved.header.law.name);
    Document told;
    const std::optional<Misfit> misfit = misfit_of(saved, scenario, law, told);
    print_result(options.output.is_json ? document_text(replay_json(options, saved, misfit))
                                        : replay_text(options, told, misfit));
    Conclusion conclusion;
    if (misfit) { conclusion.add(Trouble::trace_does_not_replay); }
    return conclusion;
}

}  // namespace ringfence::cli
