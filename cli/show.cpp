// `ringfence show`: one scenario as its file has it, and the rules that come of it.
#include "cli/output.hpp"
#include "cli/scenarios.hpp"
#include "cli/settings_json.hpp"
#include "cli/verbs.hpp"
#include "counterexamples/layout.hpp"

#include <fmt/format.h>

namespace ringfence::cli {

namespace {

using counterexamples::padded;
using counterexamples::printable;
using counterexamples::wrapped;
using nlohmann::ordered_json;

constexpr std::size_t name_width = 32;

std::string line(std::string_view name, std::string_view text) {
    return wrapped("  " + padded(name, name_width), text, name_width + 2);
}

std::string rules_text(const model::Rules& rules) {
    const model::Rules usual{};
    std::string text = "\nrules (* unlike v2)\n";
    for (const model::RuleEntry& rule : model::rule_catalogue()) {
        const bool is_usual = rule.get(rules) == rule.get(usual);
        text += line(rule.name, fmt::format("{}{} -- {} [{}]", model::value_of(rule, rules),
                                            is_usual ? "" : " *", rule.what, rule.source));
    }
    return text;
}

std::string bounds_text(const model::Resolved& asked) {
    std::string text = "\nbounds\n";
    for (const model::BoundEntry& bound : model::bound_catalogue()) {
        const unsigned value = asked.bounds.*bound.member;
        text += line(bound.name, std::to_string(value));
    }
    text += "\ndisturbances\n";
    for (const model::DisturbanceEntry& disturbance : model::disturbance_catalogue()) {
        text += line(disturbance.name, model::budget_text(asked.disturbances.*disturbance.member));
    }
    return text;
}

std::string expectation_text(const model::Expectation& expectation) {
    const std::string verdict(model::name_of(expectation.verdict));
    return expectation.steps ? fmt::format("{} in {} steps", verdict, *expectation.steps) : verdict;
}

std::string expectations_text(const model::Scenario& scenario) {
    if (!scenario.expectations) { return "\nno expectations: every law must hold\n"; }
    std::string text = "\nexpectations\n";
    for (const model::Expectation& expectation : scenario.expectations->laws) {
        text += line(expectation.law, expectation_text(expectation));
    }
    if (scenario.expectations->states) {
        text += line("states", grouped(*scenario.expectations->states));
    }
    for (const std::string& witness : scenario.expectations->never) {
        text += line("never reached", witness);
    }
    for (const std::string& witness : scenario.asked.witnesses) {
        text += line("reached", witness);
    }
    return text;
}

std::string scenario_text(const model::Scenario& scenario) {
    std::string text = scenario.name + "\n" + wrapped("  ", printable(scenario.what), 2);
    text += line("source", printable(scenario.source));
    text += line("file", scenario.path);
    if (!scenario.asked.scheme.empty()) {
        text += line("scheme", scenario.asked.scheme +
                                   (scenario.asked.is_default_scheme ? " (the default)" : ""));
    }
    if (!scenario.asked.broker.empty()) { text += line("broker", scenario.asked.broker); }
    if (!scenario.asked.client.empty()) { text += line("client", scenario.asked.client); }
    return text + rules_text(scenario.asked.rules) + bounds_text(scenario.asked) +
           expectations_text(scenario);
}

ordered_json expectations_json(const model::Expectations& expectations) {
    ordered_json json = ordered_json::object();
    if (expectations.states) { json["states"] = *expectations.states; }
    if (!expectations.never.empty()) { json["never"] = expectations.never; }
    for (const model::Expectation& expectation : expectations.laws) {
        json[expectation.law]["verdict"] = model::name_of(expectation.verdict);
        if (expectation.steps) { json[expectation.law]["steps"] = *expectation.steps; }
    }
    return json;
}

ordered_json scenario_json(const model::Scenario& scenario) {
    const model::Resolved& asked = scenario.asked;
    ordered_json json;
    json["format"] = "ringfence.scenario";
    json["version"] = 1;
    json["name"] = scenario.name;
    json["what"] = scenario.what;
    json["source"] = scenario.source;
    json["file"] = scenario.path;
    json["scheme"] = asked.scheme;
    json["default_scheme"] = asked.is_default_scheme;
    json["broker"] = asked.broker;
    json["client"] = asked.client;
    json["rules"] = rules_json(asked.rules);
    json["bounds"] = bounds_json(asked.bounds);
    json["disturbances"] = disturbances_json(asked.disturbances);
    json["laws"] = asked.laws.empty() ? ordered_json(known_names().laws) : ordered_json(asked.laws);
    json["witnesses"] = asked.witnesses;
    if (scenario.expectations) { json["expect"] = expectations_json(*scenario.expectations); }
    return json;
}

}  // namespace

Conclusion show(const ShowOptions& options) {
    const model::Scenario scenario =
        model::scenario_of(load_scenario(options.scenario), {}, known_names(), true);
    print_result(options.output.is_json ? document_text(scenario_json(scenario))
                                        : scenario_text(scenario));
    return {};
}

}  // namespace ringfence::cli
