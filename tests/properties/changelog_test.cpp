// How far a new owner restores its local state, and which rules make that enough.
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <string>

namespace ringfence::tests {

namespace {

using checker::Verdict;
using model::Bounds;
using model::Disturbances;
using model::KafkaModel;

constexpr std::string_view to_end = "changelog=restored_to_end_offset";
constexpr std::string_view to_stable = "changelog=restored_to_last_stable_offset";

// "holds", or the length of a shortest refutation of no_stale_state.
std::string verdict_of(const model::Rules& rules, const Bounds& bounds = {},
                       const Disturbances& disturbances = {}) {
    const properties::Law& law = *properties::find_law("no_stale_state");
    const KafkaModel model(rules, bounds, disturbances,
                           properties::ghosts_read_by(std::span(&law, 1)));
    const KafkaReport report = cli::search(model, std::span(&law, 1), {}, {});
    CHECK(report.is_complete());
    const auto& found = report.properties[0];
    return found.trace ? std::to_string(found.trace->actions.size())
                       : std::string(name_of(found.verdict));
}

std::string verdict_of(std::string_view rule_set, std::string_view change) {
    return verdict_of(with(rules_of(rule_set), {change}));
}

}  // namespace

// Nobody waits for the old owner's transaction but who asks for the end offset: the marker on the
// offsets partition may be written, and the one on the changelog still be owed.
TEST_CASE("under v2 the last stable offset is not enough, and the end offset is") {
    CHECK(verdict_of("v2", to_stable) == "23");
    CHECK(verdict_of("v2", to_end) == "holds");
}

TEST_CASE("under v2 the end offset is enough with more threads, partitions and disturbances") {
    const model::Rules rules = with(rules_of("v2"), {to_end});
    CHECK(verdict_of(rules, {.threads = 3, .generations = 2}) == "holds");
    CHECK(verdict_of(rules, {.partitions = 2, .records = 1, .generations = 2},
                     {.transaction_timeout = 0}) == "holds");
    CHECK(verdict_of(rules, {}, {.voluntary_rebalance = 1}) == "holds");
}

// InitProducerId of the task's own id waits until all markers of its last transaction are written.
TEST_CASE("under v1 the last stable offset is enough, because InitProducerId waits") {
    CHECK(verdict_of("v1_clients_up_to_2.5", to_stable) == "holds");
    CHECK(verdict_of("v1_clients_2.6_to_2.8", to_stable) == "holds");
    CHECK(verdict_of(with(rules_of("v1_clients_up_to_2.5"), {to_stable, "init_waits=no"})) == "26");
}

// The start position may be stale there, and the state then is ahead of it.
TEST_CASE("under v1 with clients 3.0 to 3.9 no state fits a stale start position") {
    CHECK(verdict_of("v1_clients_3.0_to_3.9", to_stable) == "26");
    CHECK(verdict_of("v1_clients_3.0_to_3.9", to_end) == "26");
}

TEST_CASE("under v2 the end offset is enough only with the test and the stable fetch") {
    CHECK(verdict_of("v2_no_tests", to_end) == "23");
    CHECK(verdict_of("v2_fetch_any", to_end) == "23");
    CHECK(verdict_of("v2_member_test_only", to_end) == "holds");
    CHECK(verdict_of("v2_generation_test_only", to_end) == "holds");
    CHECK(verdict_of("v2_marker_on_append", to_end) == "41");
}

TEST_CASE("a client that aborts at will restores again and waits for its own marker") {
    const model::Rules v2 = with(rules_of("v2"), {"aborts_at_will=yes"});
    CHECK(verdict_of(with(v2, {to_end}), {}, {.transaction_timeout = 0}) == "holds");
}

TEST_CASE("a client that goes on after a fence keeps work in its state that nobody committed") {
    const model::Rules v1 = rules_of("v1_clients_up_to_2.5");
    CHECK(verdict_of(with(v1, {to_end, "fence_reaction=refetch"})) == "holds");
    CHECK(verdict_of(with(v1, {to_end, "fence_reaction=reinitialise"})) == "18");
}

TEST_CASE("without a changelog the law does not apply") {
    CHECK(verdict_of("v2", "changelog=no") == "not_applicable");
    CHECK(verdict_of(with(rules_of_scheme("at_least_once"), {to_end})) == "not_applicable");
}

}  // namespace ringfence::tests
