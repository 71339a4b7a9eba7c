// The rule sets whose verdicts are known beforehand, and the one way in which tests search them.
#pragma once

#include "cli/kafka_search.hpp"
#include "model/kafka_model.hpp"
#include "properties/catalogue.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ringfence::tests {

using KafkaReport = checker::SearchReport<model::KafkaModel>;

// A named scheme's rules; throws if there is none of that name.
[[nodiscard]] inline model::Rules rules_of_scheme(std::string_view name) {
    const auto schemes = model::scheme_catalogue();
    const auto found = std::ranges::find(schemes, name, &model::Scheme::name);
    if (found == schemes.end()) { throw std::out_of_range("no scheme " + std::string(name)); }
    return found->rules;
}

// A scheme with some of its rules changed, each as "name=value".
[[nodiscard]] inline model::Rules with(model::Rules rules,
                                       std::initializer_list<std::string_view> changes) {
    for (const std::string_view change : changes) {
        const std::size_t equals = change.find('=');
        const auto catalogue = model::rule_catalogue();
        const auto rule =
            std::ranges::find(catalogue, change.substr(0, equals), &model::RuleEntry::name);
        if (rule == catalogue.end()) { throw std::out_of_range(std::string(change)); }
        const auto value = std::ranges::find(rule->values, change.substr(equals + 1));
        if (value == rule->values.end()) { throw std::out_of_range(std::string(change)); }
        rule->set(rules, static_cast<std::size_t>(value - rule->values.begin()));
    }
    return rules;
}

struct RuleSet {
    std::string_view name;
    model::Rules rules;
};

inline constexpr std::size_t rule_sets_known = 12;

[[nodiscard]] inline const std::array<RuleSet, rule_sets_known>& rule_sets() {
    static const model::Rules v1 = rules_of_scheme("v1_clients_up_to_2.5");
    static const model::Rules v2 = rules_of_scheme("v2");
    static const std::array<RuleSet, rule_sets_known> all{{
        {"v1_clients_up_to_2.5", v1},
        {"v1_clients_2.6_to_2.8", rules_of_scheme("v1_clients_2.6_to_2.8")},
        {"v1_clients_3.0_to_3.9", rules_of_scheme("v1_clients_3.0_to_3.9")},
        {"v1_no_bumps", with(v1, {"fence_bumps_epoch=no", "init_bumps_epoch=no"})},
        {"v1_fence_does_not_bump", with(v1, {"fence_bumps_epoch=no"})},
        {"v2", v2},
        {"v2_no_tests", with(v2, {"member_test=off", "generation_test=off"})},
        {"v2_fetch_any", with(v2, {"offset_fetch=any"})},
        {"v2_timeout_does_not_bump", with(v2, {"timeout_bumps_epoch=no"})},
        {"v2_member_test_only", with(v2, {"generation_test=off"})},
        {"v2_generation_test_only", with(v2, {"member_test=off"})},
        {"v2_marker_on_append", with(v2, {"marker_acknowledged=on_append"})},
    }};
    return all;
}

[[nodiscard]] inline const model::Rules& rules_of(std::string_view rule_set) {
    const auto found = std::ranges::find(rule_sets(), rule_set, &RuleSet::name);
    if (found == rule_sets().end()) {
        throw std::out_of_range("no rule set " + std::string(rule_set));
    }
    return found->rules;
}

[[nodiscard]] inline std::size_t index_of_law(std::string_view name) {
    const auto laws = properties::laws();
    const auto found = std::ranges::find(laws, name, &properties::Law::name);
    if (found == laws.end()) { throw std::out_of_range("no law " + std::string(name)); }
    return static_cast<std::size_t>(found - laws.begin());
}

// All laws and all witnesses in one search.
[[nodiscard]] inline KafkaReport search_all(const model::KafkaModel& model,
                                            const checker::SearchOptions& options = {}) {
    return cli::search(model, properties::laws(), properties::witnesses(), options);
}

}  // namespace ringfence::tests
