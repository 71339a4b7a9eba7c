#include "cli/check_report.hpp"
#include "cli/settings_json.hpp"

namespace ringfence::cli {

namespace {

using nlohmann::ordered_json;

ordered_json law_json(const Result& result, const LawResult& law) {
    ordered_json json;
    json["verdict"] = checker::name_of(law.verdict);
    if (result.has_odds(law)) { json["odds_of_a_lost_state"] = result.fingerprints->odds; }
    if (law.is_refuted()) { json["steps"] = law.steps; }
    if (law.expected) {
        json["expected"]["verdict"] = model::name_of(law.expected->verdict);
        if (law.expected->steps) { json["expected"]["steps"] = *law.expected->steps; }
    }
    if (result.has_expectations()) {
        json["contradicts_expectation"] = contradicts_expectation(result, law);
    }
    if (!law.trace_file.empty()) { json["trace_file"] = law.trace_file; }
    return json;
}

constexpr std::string_view name_of(Wanted wanted) {
    switch (wanted) {
        case Wanted::always: return "always";
        case Wanted::maybe: return "maybe";
        case Wanted::never: return "never";
    }
    return {};
}

ordered_json witness_json(const WitnessResult& witness) {
    ordered_json json;
    json["wanted"] = name_of(witness.wanted);
    json["reached"] = witness.is_reached;
    if (witness.is_reached) { json["depth"] = witness.depth; }
    return json;
}

ordered_json action_json(const ActionCount& action) {
    ordered_json json;
    json["fired"] = action.fired;
    json["new_states"] = action.new_states;
    json["possible"] = action.is_possible;
    json["results"] = ordered_json::object();
    for (const auto& [name, count] : action.results) { json["results"][name] = count; }
    return json;
}

ordered_json store_json(const Result& result) {
    ordered_json json;
    json["kind"] = result.fingerprints ? "fingerprint" : "exact";
    if (!result.fingerprints) { return json; }
    json["bits"] = result.fingerprints->bits;
    json["odds_of_a_lost_state"] = result.fingerprints->odds;
    json["has_lost_state"] = result.fingerprints->has_lost_state;
    if (const auto ending = result.fingerprints->traces_ended_by) {
        json["traces_ended_by"] = checker::name_of(*ending);
    }
    return json;
}

ordered_json what_was_asked(const model::Scenario& scenario) {
    ordered_json json;
    json["name"] = scenario.name;
    json["file"] = scenario.path;
    json["source"] = scenario.source;
    json["scheme"] = scenario.asked.scheme;
    json["default_scheme"] = scenario.asked.is_default_scheme;
    json["broker"] = scenario.asked.broker;
    json["client"] = scenario.asked.client;
    json["rules"] = rules_json(scenario.asked.rules);
    json["bounds"] = bounds_json(scenario.asked.bounds);
    json["disturbances"] = disturbances_json(scenario.asked.disturbances);
    return json;
}

ordered_json scenario_json(const Result& result) {
    ordered_json json = what_was_asked(result.scenario);
    json["ending"] = checker::name_of(result.ending);
    json["complete"] = result.is_complete();
    json["states"] = result.states;
    if (result.has_expectations() && result.scenario.expectations->states) {
        json["states_expected"] = *result.scenario.expectations->states;
    }
    json["transitions"] = result.transitions;
    json["depth"] = result.depth;
    json["states_per_level"] = result.states_per_level;
    json["bounds_cut"] = ordered_json::object();
    for (const auto& [kind, count] : result.cuts) { json["bounds_cut"][kind] = count; }
    json["laws"] = ordered_json::object();
    for (const LawResult& law : result.laws) { json["laws"][law.name] = law_json(result, law); }
    json["witnesses"] = ordered_json::object();
    for (const WitnessResult& witness : result.witnesses) {
        json["witnesses"][witness.name] = witness_json(witness);
    }
    json["actions"] = ordered_json::object();
    for (const ActionCount& action : result.actions) {
        json["actions"][action.verb] = action_json(action);
    }
    json["dead_actions"] = ordered_json::array();
    for (const ActionCount& action : result.actions) {
        if (action.is_dead()) { json["dead_actions"].push_back(action.verb); }
    }
    json["store"] = store_json(result);
    json["permutations"] = result.permutations;
    json["key_bits"] = result.key_bits;
    json["memory_bytes"] = result.memory_bytes;
    json["seconds"] = result.seconds;
    json["workers"] = result.workers;
    return json;
}

}  // namespace

ordered_json check_json(std::span<const Result> results, int status) {
    ordered_json json;
    json["format"] = "ringfence.check";
    json["version"] = 1;
    json["program_version"] = RINGFENCE_VERSION;
    json["scenarios"] = ordered_json::array();
    for (const Result& result : results) { json["scenarios"].push_back(scenario_json(result)); }
    json["status"] = status;
    return json;
}

}  // namespace ringfence::cli
