// What a search meets on its way under each scheme: "holds" is worth no more than that.
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

namespace ringfence::tests {

namespace {

using model::KafkaModel;

std::string reached_under(const model::Rules& rules) {
    const KafkaReport report = search_all(KafkaModel(rules, {}, {}));
    CHECK(report.is_complete());
    std::string names;
    for (std::size_t i = 0; i < report.witnesses.size(); ++i) {
        if (!report.witnesses[i].is_reached) { continue; }
        if (!names.empty()) { names += ' '; }
        names += properties::witnesses()[i].name;
    }
    return names;
}

bool is_reached(std::string_view witness, const model::Rules& rules) {
    const properties::Witness* found = properties::find_witness(witness);
    REQUIRE(found != nullptr);
    const KafkaReport report = cli::search(KafkaModel(rules, {}, {}), {}, std::span(found, 1), {});
    return report.witnesses[0].is_reached;
}

// At the default bounds, in the order of the catalogue. A witness that is not named is not reached:
// among them, under every scheme, two_producers_pending and finished_transaction_reopened.
struct Reached {
    std::string_view scheme;
    std::string_view witnesses;
};

constexpr std::array<Reached, 5> reached{{
    // Commits name the group alone, so that no member is refused: only epochs stop anybody.
    {"v1_clients_up_to_2.5",
     "fenced_by_coordinator fenced_by_leader waited_for_stable_offset waited_for_completion "
     "fenced_ongoing aborted_by_timeout decided_after_rebalance accepted_while_preparing "
     "fetched_while_marker_owed zombie_appended gave_up_under_new_generation"},
    {"v1_clients_2.6_to_2.8",
     "member_refused generation_refused fenced_by_coordinator fenced_by_leader "
     "waited_for_stable_offset waited_for_completion fenced_ongoing aborted_by_timeout "
     "decided_after_rebalance accepted_while_preparing fetched_while_marker_owed zombie_appended "
     "gave_up_under_new_generation"},
    {"v1_clients_3.0_to_3.9",
     "fenced_by_coordinator fenced_by_leader waited_for_stable_offset waited_for_completion "
     "fenced_ongoing aborted_by_timeout decided_after_rebalance accepted_while_preparing "
     "fetched_while_marker_owed zombie_appended gave_up_under_new_generation"},
    // Nobody takes an id over under v2, so none is fenced while it is ongoing; the coordinator and
    // the leaders fence only those whose transaction timed out.
    {"v2",
     "member_refused generation_refused fenced_by_coordinator fenced_by_leader "
     "waited_for_stable_offset waited_for_completion aborted_by_timeout decided_after_rebalance "
     "accepted_while_preparing fetched_while_marker_owed zombie_appended "
     "gave_up_under_new_generation"},
    {"at_least_once", "member_refused generation_refused zombie_appended plain_commit"},
}};

}  // namespace

TEST_CASE("each scheme reaches the witnesses that belong to it and no others") {
    for (const Reached& row : reached) {
        CAPTURE(row.scheme);
        CHECK(reached_under(rules_of_scheme(row.scheme)) == row.witnesses);
    }
}

TEST_CASE("a careless client commits offsets kept from before a rejoin") {
    const model::Rules v2 = rules_of_scheme("v2");
    CHECK_FALSE(is_reached("kept_offsets_committed", v2));
    CHECK(is_reached("kept_offsets_committed", with(v2, {"commits_kept_offsets=yes"})));
    CHECK(is_reached("kept_offsets_committed", with(v2, {"closes_before_rejoin=no"})));
}

TEST_CASE("two producers are pending on a partition only where a fence is missing") {
    const model::Rules v2 = rules_of_scheme("v2");
    CHECK(is_reached("two_producers_pending", with(v2, {"offset_fetch=any"})));
    CHECK(is_reached("two_producers_pending", rules_of("v2_no_tests")));
    CHECK_FALSE(is_reached("two_producers_pending", rules_of("v2_member_test_only")));
    CHECK_FALSE(is_reached("two_producers_pending", rules_of("v2_generation_test_only")));
}

TEST_CASE("an ended transaction is reopened where its end left the epoch as it was") {
    CHECK(is_reached("finished_transaction_reopened", rules_of("v2_timeout_does_not_bump")));
    CHECK(is_reached("finished_transaction_reopened", rules_of("v1_fence_does_not_bump")));
}

TEST_CASE("an id that threads share fences an ongoing transaction under v2 too") {
    const model::Rules v2 = rules_of_scheme("v2");
    CHECK(is_reached("fenced_ongoing", with(v2, {"transactional_id=instance"})));
}

TEST_CASE("an owner waits for a changelog only where it restores up to the end offset") {
    const auto waits = [](std::string_view scheme, std::string_view change) {
        return is_reached("waited_for_changelog", with(rules_of_scheme(scheme), {change}));
    };
    CHECK_FALSE(waits("v2", "changelog=no"));
    CHECK(waits("v2", "changelog=restored_to_end_offset"));
    CHECK_FALSE(waits("v2", "changelog=restored_to_last_stable_offset"));
    // Under v1 only he who is fenced while he restores: init_producer_id has waited for all others.
    CHECK(waits("v1_clients_2.6_to_2.8", "changelog=restored_to_end_offset"));
}

TEST_CASE("late and repeated messages do what they may under version 1 and must not under 2") {
    constexpr model::Bounds lonely{.threads = 1, .partitions = 1, .records = 2, .generations = 2};
    const auto meets = [&](std::string_view witness, std::initializer_list<std::string_view> rules,
                           std::uint8_t model::Disturbances::*budget) {
        model::Disturbances disturbances{.expulsion = 0, .transaction_timeout = 0};
        disturbances.*budget = 1;
        const properties::Witness* found = properties::find_witness(witness);
        REQUIRE(found != nullptr);
        const KafkaModel model(with(rules_of_scheme("v2"), rules), lonely, disturbances);
        return cli::search(model, {}, std::span(found, 1), {}).witnesses[0].is_reached;
    };
    const std::string_view version_2 = "transaction_version=2";
    const std::string_view guarded = "verification=guarded";
    const auto copies = &model::Disturbances::duplicated_request;
    for (const std::string_view witness : {"copy_appended", "copy_decided"}) {
        CAPTURE(witness);
        CHECK(meets(witness, {}, copies));
        CHECK_FALSE(meets(witness, {}, &model::Disturbances::lost_answer));
    }
    CHECK_FALSE(meets("copy_decided", {version_2, guarded}, copies));
    CHECK(meets("copy_refused", {version_2, guarded}, copies));
    const auto markers = &model::Disturbances::duplicated_marker;
    CHECK(meets("marker_copy_closed", {}, markers));
    CHECK_FALSE(meets("marker_copy_closed", {version_2}, markers));
    CHECK(meets("marker_copy_refused", {version_2}, markers));
    CHECK_FALSE(meets("marker_copy_refused", {}, markers));
}

TEST_CASE("every witness is reached under some scheme or in one of these tests") {
    std::set<std::string_view> elsewhere{
        "kept_offsets_committed", "two_producers_pending", "finished_transaction_reopened",
        "waited_for_changelog",   "copy_appended",         "copy_decided",
        "copy_refused",           "marker_copy_closed",    "marker_copy_refused"};
    for (const properties::Witness& witness : properties::witnesses()) {
        const bool is_in_table = std::ranges::any_of(reached, [&](const Reached& row) {
            return row.witnesses.find(witness.name) != std::string_view::npos;
        });
        CAPTURE(witness.name);
        CHECK(is_in_table != elsewhere.contains(witness.name));
    }
}

}  // namespace ringfence::tests
