// Ghosts are for laws alone: what is not asked for costs no states, and changes no verdict.
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <string>

namespace ringfence::tests {

namespace {

using model::Bounds;
using model::Ghosts;
using model::KafkaModel;

constexpr Bounds small{.generations = 2};
constexpr Ghosts none{.visible = false,
                      .decided_end = false,
                      .elders = false,
                      .stray = false,
                      .confirmed = false,
                      .timed_out = false,
                      .restored = false};

KafkaReport search_for(std::span<const properties::Law> laws, const KafkaModel& model) {
    return cli::search(model, laws, {}, {});
}

// The same, whichever ghosts are kept.
void check_same(const properties::Law& law, const checker::PropertyReport<KafkaModel>& with_all,
                const checker::PropertyReport<KafkaModel>& with_own) {
    CAPTURE(law.name);
    CHECK(with_own.verdict == with_all.verdict);
    REQUIRE(with_own.trace.has_value() == with_all.trace.has_value());
    if (with_own.trace) { CHECK(with_own.trace->actions.size() == with_all.trace->actions.size()); }
}

void check_each_law(std::string_view rules) {
    CAPTURE(rules);
    const KafkaReport all = search_for(properties::laws(), KafkaModel(rules_of(rules), small, {}));
    for (std::size_t i = 0; i < all.properties.size(); ++i) {
        const std::span law = properties::laws().subspan(i, 1);
        const KafkaModel model(rules_of(rules), small, {}, properties::ghosts_read_by(law));
        const KafkaReport own = search_for(law, model);
        check_same(law[0], all.properties[i], own.properties[0]);
        CHECK(own.states <= all.states);
    }
}

}  // namespace

// Where the rules are right a ghost follows from the rest of the state, and costs bits alone; where
// they are wrong it tells states apart.
TEST_CASE("a model without ghosts has no more states and takes the same kinds of step") {
    for (const RuleSet& set : rule_sets()) {
        CAPTURE(set.name);
        const KafkaReport with_all = search_for({}, KafkaModel(set.rules, small, {}));
        const KafkaReport with_none = search_for({}, KafkaModel(set.rules, small, {}, none));
        CHECK(with_none.states <= with_all.states);
        CHECK(with_none.key_bits < with_all.key_bits);
        // What is possible, and what comes of it, does not depend on ghosts.
        for (std::size_t verb = 0; verb < with_all.fired.size(); ++verb) {
            for (std::size_t result = 0; result < with_all.fired[verb].size(); ++result) {
                CHECK((with_none.fired[verb][result] > 0) == (with_all.fired[verb][result] > 0));
            }
        }
    }
}

TEST_CASE("ghosts tell states apart where laws fall") {
    for (const std::string_view rules : {"v1_clients_3.0_to_3.9", "v1_no_bumps", "v2_fetch_any",
                                         "v2_timeout_does_not_bump", "v2_marker_on_append"}) {
        CAPTURE(rules);
        const KafkaReport with_all = search_for({}, KafkaModel(rules_of(rules), small, {}));
        const KafkaReport with_none = search_for({}, KafkaModel(rules_of(rules), small, {}, none));
        CHECK(with_none.states < with_all.states);
    }
}

TEST_CASE("the verdict on a law under v1 needs no other ghosts than its own") {
    check_each_law("v1_clients_up_to_2.5");
    check_each_law("v1_clients_3.0_to_3.9");
    check_each_law("v1_no_bumps");
    check_each_law("v1_fence_does_not_bump");
}

TEST_CASE("the verdict on a law under v2 needs no other ghosts than its own") {
    check_each_law("v2");
    check_each_law("v2_no_tests");
    check_each_law("v2_fetch_any");
    check_each_law("v2_timeout_does_not_bump");
    check_each_law("v2_marker_on_append");
}

}  // namespace ringfence::tests
