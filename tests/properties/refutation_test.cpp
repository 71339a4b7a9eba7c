// Every law can fall, and the story that is told of its fall is true, and as short as can be.
#include "checker/trace.hpp"
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace ringfence::tests {

namespace {

using checker::Ending;
using checker::PropertyKind;
using checker::Replay;
using checker::Trace;
using checker::Verdict;
using model::KafkaModel;
using properties::Law;

// Where each law falls, at the default bounds.
struct Fall {
    std::string_view law;
    std::string_view rules;
    std::string_view change;  // of one rule on top
};

constexpr std::array<Fall, 13> falls{{
    {"single_writer_per_partition", "v2_no_tests"},
    {"no_stale_commit", "v1_clients_3.0_to_3.9"},
    {"superseded_owner_is_fenced", "v1_clients_up_to_2.5"},
    {"exactly_once_output", "v2_fetch_any"},
    {"single_appender_per_partition", "v2"},
    {"no_hanging_transaction", "v2_timeout_does_not_bump"},
    {"no_false_fence", "v1_clients_up_to_2.5"},
    {"atomic_outcome", "v2_marker_on_append"},
    {"no_aborted_read", "v2_timeout_does_not_bump"},
    {"confirmed_commit_is_kept", "v1_clients_3.0_to_3.9"},
    {"no_false_fatal", "v1_fence_does_not_bump"},
    {"no_stale_state", "v2", "changelog=restored_to_last_stable_offset"},
    {"deadlock_free", "v2_timeout_does_not_bump"},
}};

// Asked anew, and not of the search: can nobody do anything that helps, though work is left?
bool is_deadlocked(const KafkaModel& model, const model::Cluster& cluster) {
    checker::Enabled<model::Action> enabled;
    model.actions(cluster, enabled);
    const bool helps = std::ranges::any_of(enabled, [&](const model::Action& action) {
        model::Cluster after = cluster;
        model.apply(after, action);
        return model.is_healing(action) && after != cluster;
    });
    return model.work_is_left(cluster) && !enabled.is_cut() && !helps;
}

// Does the law fall at the end of what was replayed, and is there something to say about it?
void check_end(const KafkaModel& model, const Law& law, const Trace<KafkaModel>& trace,
               const Replay<KafkaModel>& replay) {
    const model::Cluster& end = replay.states.back();
    switch (law.kind) {
        case PropertyKind::state:
            CHECK_FALSE(law.holds_in(model, end));
            CHECK_FALSE(law.explain_state(model, end).empty());
            return;
        case PropertyKind::step: {
            const std::size_t last = trace.actions.size() - 1;
            const checker::Step<KafkaModel> step{replay.states[last], trace.actions[last],
                                                 replay.outcomes[last], end};
            CHECK_FALSE(law.holds_over(model, step));
            CHECK_FALSE(law.explain_step(model, step).empty());
            return;
        }
        case PropertyKind::deadlock:
            CHECK(is_deadlocked(model, end));
            CHECK_FALSE(law.explain_state(model, end).empty());
            return;
    }
}

// The law holds in all states and over all steps of the trace but the last.
void check_start(const KafkaModel& model, const Law& law, const Trace<KafkaModel>& trace,
                 const Replay<KafkaModel>& replay) {
    for (std::size_t i = 0; i + 1 < replay.states.size(); ++i) {
        if (law.kind == PropertyKind::state) { CHECK(law.holds_in(model, replay.states[i])); }
        if (law.kind == PropertyKind::deadlock) {
            CHECK_FALSE(is_deadlocked(model, replay.states[i]));
        }
        if (law.kind != PropertyKind::step || i + 2 >= replay.states.size()) { continue; }
        CHECK(law.holds_over(
            model, {replay.states[i], trace.actions[i], replay.outcomes[i], replay.states[i + 1]}));
    }
}

}  // namespace

TEST_CASE("every law falls somewhere and its trace replays to the violation") {
    for (const Fall& fall : falls) {
        CAPTURE(fall.law);
        const model::Rules& rules = rules_of(fall.rules);
        const KafkaModel model(fall.change.empty() ? rules : with(rules, {fall.change}), {}, {});
        const KafkaReport report = search_all(model);
        const auto& found = report.properties[index_of_law(fall.law)];
        REQUIRE(found.verdict == Verdict::refuted);
        const Law& law = *properties::find_law(fall.law);
        const Replay<KafkaModel> replay = checker::replay(model, *found.trace);
        REQUIRE(replay.is_complete());
        check_start(model, law, *found.trace, replay);
        check_end(model, law, *found.trace, replay);
    }
}

TEST_CASE("no law is forgotten among those that fall") {
    CHECK(falls.size() == properties::laws().size());
    for (const Law& law : properties::laws()) {
        CHECK(std::ranges::count(falls, law.name, &Fall::law) == 1);
    }
}

namespace {

// The least limit on depth under which a search can meet the violation. A state law falls in the
// last state of its trace and a step law over the last step, which is taken from the level before;
// a deadlock shows once the last state is expanded, which is not done at the limit itself.
std::size_t depth_needed(const Law& law, const Trace<KafkaModel>& trace) {
    return trace.actions.size() + (law.kind == PropertyKind::deadlock ? 1U : 0U);
}

std::set<std::size_t> depths_needed(const KafkaReport& report) {
    std::set<std::size_t> depths;
    for (std::size_t i = 0; i < report.properties.size(); ++i) {
        const auto& trace = report.properties[i].trace;
        if (trace) { depths.insert(depth_needed(properties::laws()[i], *trace)); }
    }
    return depths;
}

// Laws that fall within the limit fall with the same trace, and nothing is said about the others.
void check_limited(const KafkaReport& whole, const KafkaReport& limited, std::size_t depth_max) {
    CHECK(limited.ending == Ending::depth);
    for (std::size_t i = 0; i < whole.properties.size(); ++i) {
        const Law& law = properties::laws()[i];
        CAPTURE(law.name);
        const auto& trace = whole.properties[i].trace;
        const auto& found = limited.properties[i];
        if (whole.properties[i].verdict == Verdict::not_applicable) { continue; }
        if (!trace || depth_needed(law, *trace) > depth_max) {
            CHECK(found.verdict == Verdict::inconclusive);
            continue;
        }
        REQUIRE(found.verdict == Verdict::refuted);
        CHECK(found.trace->actions == trace->actions);
    }
}

void check_shortest(std::string_view rules) {
    CAPTURE(rules);
    const KafkaModel model(rules_of(rules), {}, {});
    const KafkaReport whole = search_all(model);
    for (const std::size_t depth : depths_needed(whole)) {
        CAPTURE(depth);
        checker::SearchOptions options;
        options.depth_max = static_cast<std::uint32_t>(depth - 1);
        check_limited(whole, search_all(model, options), depth - 1);
    }
}

}  // namespace

TEST_CASE("no law of v1 falls in a search one step shallower than its trace") {
    check_shortest("v1_clients_up_to_2.5");
    check_shortest("v1_clients_2.6_to_2.8");
    check_shortest("v1_clients_3.0_to_3.9");
    check_shortest("v1_no_bumps");
    check_shortest("v1_fence_does_not_bump");
}

TEST_CASE("no law of v2 falls in a search one step shallower than its trace") {
    check_shortest("v2");
    check_shortest("v2_no_tests");
    check_shortest("v2_fetch_any");
    check_shortest("v2_timeout_does_not_bump");
    check_shortest("v2_member_test_only");
    check_shortest("v2_generation_test_only");
    check_shortest("v2_marker_on_append");
}

}  // namespace ringfence::tests
