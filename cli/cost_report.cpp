#include "cli/cost_report.hpp"

#include "cli/settings_json.hpp"

namespace ringfence::cli {

namespace {

using model::CostEntry;
using model::CostKind;
using model::Situation;
using nlohmann::ordered_json;

ordered_json search_json(const CostReport& report, Situation situation) {
    ordered_json json;
    json["disturbances"] = disturbances_json(model::disturbances_of(situation));
    json["generations"] = model::generations_of(situation);
    json["ending"] = checker::name_of(report.ending);
    json["complete"] = report.is_complete();
    json["states"] = report.states;
    json["transitions"] = report.transitions;
    json["depth"] = report.depth;
    json["waits"] = report.waits;
    json["waits_for_ever"] = report.waits_for_ever;
    json["memory_bytes"] = report.memory_bytes;
    json["seconds"] = report.seconds;
    return json;
}

std::string_view name_of(Agreement agreement) {
    switch (agreement) {
        case Agreement::agrees: return "agrees";
        case Agreement::differs: return "differs";
        case Agreement::undecided: return "undecided";
    }
    return {};
}

ordered_json cost_in_json(const CostResult& result, const SchemeCosts& scheme, std::size_t index,
                          Situation situation) {
    const CostEntry& entry = model::cost_catalogue()[index];
    const model::CostFormula& formula = entry.of_scheme(scheme.rules).in(situation);
    const FoundCost* found = found_cost(scheme, index, situation);
    ordered_json json;
    json["found"] = found == nullptr ? ordered_json() : ordered_json(found->value);
    if (found != nullptr && found->value > 0) { json["reached_at_depth"] = found->depth; }
    json["formula"] = formula.text;
    json["formula_value"] = formula.value(model::searched(result.bounds, situation));
    json["agreement"] = name_of(agreement(result, scheme, index, situation));
    if (result.scale) { json["scaled"] = formula.value(deployment_of(*result.scale, situation)); }
    return json;
}

ordered_json scheme_json(const CostResult& result, const SchemeCosts& scheme) {
    ordered_json json;
    json["name"] = scheme.name;
    json["rules"] = rules_json(scheme.rules);
    json["searches"] = ordered_json::object();
    for (const Situation situation : model::situations) {
        const CostReport* report = report_of(scheme, situation);
        if (report == nullptr) { continue; }
        json["searches"][std::string(name_of(situation))] = search_json(*report, situation);
    }
    json["costs"] = ordered_json::object();
    const auto catalogue = model::cost_catalogue();
    for (std::size_t i = 0; i < catalogue.size(); ++i) {
        ordered_json& cost = json["costs"][std::string(catalogue[i].name)];
        for (const Situation situation : model::situations) {
            cost[std::string(name_of(situation))] = cost_in_json(result, scheme, i, situation);
        }
        cost["why"] = catalogue[i].of_scheme(scheme.rules).why;
    }
    return json;
}

ordered_json scale_json(const Scale& scale) {
    ordered_json json;
    json["partitions"] = scale.partitions;
    json["threads"] = scale.threads;
    json["instances"] = scale.instances;
    json["records"] = scale.records;
    json["tasks_of_thread"] = deployment_of(scale, Situation::undisturbed).tasks_of_thread;
    return json;
}

}  // namespace

const CostReport* report_of(const SchemeCosts& scheme, Situation situation) {
    const auto index = static_cast<std::size_t>(situation);
    return index < scheme.searches.size() ? &scheme.searches[index] : nullptr;
}

const FoundCost* found_cost(const SchemeCosts& scheme, std::size_t entry, Situation situation) {
    const CostReport* report = report_of(scheme, situation);
    if (report == nullptr) { return nullptr; }
    const CostKind kind = model::cost_catalogue()[entry].kind;
    const bool is_wait = kind == CostKind::init_wait || kind == CostKind::fetch_wait;
    return is_wait && !report->is_complete() ? nullptr : &report->costs[entry];
}

Agreement agreement(const CostResult& result, const SchemeCosts& scheme, std::size_t entry,
                    Situation situation) {
    const FoundCost* found = found_cost(scheme, entry, situation);
    if (found == nullptr) { return Agreement::undecided; }
    const std::uint64_t expected = model::cost_catalogue()[entry]
                                       .of_scheme(scheme.rules)
                                       .in(situation)
                                       .value(model::searched(result.bounds, situation));
    if (found->value > expected) { return Agreement::differs; }
    const CostReport& report = *report_of(scheme, situation);
    if (!report.is_complete()) { return Agreement::undecided; }
    return found->value == expected && report.waits_for_ever == 0 ? Agreement::agrees
                                                                  : Agreement::differs;
}

model::Deployment deployment_of(const Scale& scale, Situation situation) {
    return model::at_work(scale.partitions, scale.threads * scale.instances, scale.records,
                          situation);
}

ordered_json cost_json(const CostResult& result, int status) {
    ordered_json json;
    json["format"] = "ringfence.cost";
    json["version"] = 1;
    json["program_version"] = RINGFENCE_VERSION;
    json["bounds"] = {{"threads", result.bounds.threads},
                      {"partitions", result.bounds.partitions},
                      {"records", result.bounds.records}};
    if (result.scale) { json["scale"] = scale_json(*result.scale); }
    json["symbols"] = ordered_json::object();
    for (const model::CostSymbol& symbol : model::cost_symbols()) {
        json["symbols"][std::string(symbol.letter)] = symbol.what;
    }
    json["costs"] = ordered_json::object();
    for (const CostEntry& entry : model::cost_catalogue()) {
        json["costs"][std::string(entry.name)] = {{"what", entry.what}, {"source", entry.source}};
    }
    json["schemes"] = ordered_json::array();
    for (const SchemeCosts& scheme : result.schemes) {
        json["schemes"].push_back(scheme_json(result, scheme));
    }
    json["status"] = status;
    return json;
}

}  // namespace ringfence::cli
