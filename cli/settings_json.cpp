#include "cli/settings_json.hpp"

namespace ringfence::cli {

using nlohmann::ordered_json;

ordered_json rules_json(const model::Rules& rules) {
    ordered_json json = ordered_json::object();
    for (const model::RuleEntry& rule : model::rule_catalogue()) {
        json[std::string(rule.name)] = model::value_of(rule, rules);
    }
    return json;
}

ordered_json bounds_json(const model::Bounds& bounds) {
    ordered_json json = ordered_json::object();
    for (const model::BoundEntry& bound : model::bound_catalogue()) {
        json[std::string(bound.name)] = bounds.*bound.member;
    }
    return json;
}

ordered_json disturbances_json(const model::Disturbances& disturbances) {
    ordered_json json = ordered_json::object();
    for (const model::DisturbanceEntry& disturbance : model::disturbance_catalogue()) {
        const std::uint8_t budget = disturbances.*disturbance.member;
        const bool is_unlimited = budget == model::Disturbances::unlimited;
        json[std::string(disturbance.name)] =
            is_unlimited ? ordered_json("unlimited") : ordered_json(budget);
    }
    return json;
}

std::string document_text(const ordered_json& json) { return json.dump(2) + "\n"; }

}  // namespace ringfence::cli
