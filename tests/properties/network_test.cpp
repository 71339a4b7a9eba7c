// What late, repeated and lost messages do to the laws, and which rule keeps them up.
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

namespace ringfence::tests {

namespace {

using checker::Verdict;
using model::Disturbances;
using model::KafkaModel;

struct Row {
    std::string_view law;
    std::size_t steps;                              // 0: holds
    std::initializer_list<std::string_view> rules;  // on top of v2
};

constexpr std::string_view version_2 = "transaction_version=2";

// One thread, so that only its own transactions can meet one another.
constexpr model::Bounds lonely{.threads = 1, .partitions = 1, .records = 2, .generations = 2};

Disturbances one(std::uint8_t Disturbances::*budget) {
    Disturbances disturbances{.expulsion = 0, .transaction_timeout = 0};
    disturbances.*budget = 1;
    return disturbances;
}

void check_rows(std::uint8_t Disturbances::*budget, std::initializer_list<Row> rows) {
    for (const Row& row : rows) {
        std::string rules;
        for (const std::string_view rule : row.rules) { rules += std::string(rule) + " "; }
        CAPTURE(rules);
        CAPTURE(row.law);
        const KafkaModel model(with(rules_of_scheme("v2"), row.rules), lonely, one(budget));
        const KafkaReport report = search_all(model);
        const auto& found = report.properties[index_of_law(row.law)];
        CHECK(found.verdict == (row.steps == 0 ? Verdict::holds : Verdict::refuted));
        if (found.trace) { CHECK(found.trace->actions.size() == row.steps); }
    }
}

}  // namespace

TEST_CASE("a late request ends, joins or outlives another transaction, unless epochs move") {
    check_rows(&Disturbances::late_request,
               {{"no_hanging_transaction", 9, {}},  // KAFKA-14402
                {"exactly_once_output", 18, {}},
                {"no_aborted_read", 18, {}},
                {"confirmed_commit_is_kept", 21, {}},  // KAFKA-17754
                {"atomic_outcome", 17, {}},
                {"no_hanging_transaction", 0, {version_2, "verification=guarded"}},
                {"exactly_once_output", 0, {version_2, "verification=guarded"}},
                {"no_aborted_read", 0, {version_2, "verification=guarded"}},
                {"confirmed_commit_is_kept", 0, {version_2, "verification=guarded"}},
                {"atomic_outcome", 0, {version_2, "verification=guarded"}}});
}

TEST_CASE("an InitProducerId that comes late fences the producer that sent it") {
    check_rows(&Disturbances::late_request, {{"no_false_fence", 5, {}},
                                             {"no_false_fence", 5, {version_2}},
                                             {"no_false_fatal", 14, {version_2}}});
}

TEST_CASE("a copy of EndTxn decides the next transaction, unless epochs move") {
    check_rows(&Disturbances::duplicated_request,
               {{"confirmed_commit_is_kept", 20, {}},
                {"atomic_outcome", 16, {}},
                {"no_hanging_transaction", 11, {}},  // of TxnOffsetCommit
                {"confirmed_commit_is_kept", 0, {version_2}},
                {"atomic_outcome", 0, {version_2}},
                {"no_hanging_transaction", 0, {version_2}}});
}

TEST_CASE("a copy of a marker closes the next transaction, unless its epoch is tested") {
    const std::string_view not_smaller = "marker_epoch_test=not_smaller";
    for (const auto budget : {&Disturbances::late_marker, &Disturbances::duplicated_marker}) {
        const std::size_t later = budget == &Disturbances::late_marker ? 1 : 0;
        check_rows(budget, {{"atomic_outcome", 15 + later, {}},
                            {"atomic_outcome", 15 + later, {version_2, not_smaller}},
                            {"atomic_outcome", 0, {version_2}}});
    }
}

TEST_CASE("a marker whose acknowledgement is lost is never taken again if it must be greater") {
    check_rows(&Disturbances::lost_answer,
               {{"deadlock_free", 13, {version_2, "marker_epoch_test=greater"}},
                {"deadlock_free", 0, {version_2}}});
}

TEST_CASE("a client that sends an unanswered EndTxn again does no harm, others may") {
    const std::string_view forget = "unknown_outcome=forget";
    const std::string_view abort = "unknown_outcome=abort";
    const std::string_view reinitialise = "unknown_outcome=reinitialise";
    for (const std::string_view law :
         {"no_stale_commit", "exactly_once_output", "no_hanging_transaction", "no_false_fence",
          "atomic_outcome", "no_aborted_read", "confirmed_commit_is_kept", "no_false_fatal",
          "deadlock_free"}) {
        check_rows(&Disturbances::lost_answer, {{law, 0, {}},
                                                {law, 0, {version_2}},
                                                {law, 0, {reinitialise}},
                                                {law, 0, {version_2, reinitialise}}});
    }
    check_rows(&Disturbances::lost_answer, {{"no_stale_commit", 17, {forget}},
                                            {"exactly_once_output", 18, {forget}},
                                            {"exactly_once_output", 11, {version_2, forget}},
                                            {"no_false_fatal", 13, {abort}},
                                            {"no_false_fatal", 13, {version_2, abort}}});
}

TEST_CASE("a client that initialises anew meets no late EndTxn of its own, but late records") {
    check_rows(&Disturbances::late_request,
               {{"confirmed_commit_is_kept", 0, {"unknown_outcome=reinitialise"}},
                {"no_hanging_transaction", 9, {"unknown_outcome=reinitialise"}}});
}

TEST_CASE("a plain commit that is sent again is no second one, but a late copy undoes the next") {
    const std::string_view plain = "guarantee=at_least_once";
    check_rows(&Disturbances::lost_answer,
               {{"no_stale_commit", 0, {plain}}, {"superseded_owner_is_fenced", 0, {plain}}});
    check_rows(&Disturbances::duplicated_request, {{"no_stale_commit", 8, {plain}}});
    check_rows(&Disturbances::late_request, {{"no_stale_commit", 8, {plain}}});
}

TEST_CASE("a client that goes on with its producer after a batch was given up needs a new epoch") {
    const std::string_view bumps = "bumps_after_abort=yes";
    check_rows(&Disturbances::late_request, {{"no_hanging_transaction", 9, {bumps}},
                                             {"exactly_once_output", 18, {bumps}},
                                             {"exactly_once_output", 0, {bumps, version_2}},
                                             {"no_hanging_transaction", 0, {bumps, version_2}}});
    check_rows(&Disturbances::lost_answer,
               {{"exactly_once_output", 0, {bumps}}, {"no_false_fence", 0, {bumps}}});
}

TEST_CASE("a retried EndTxn that decides what a late add has begun ends no work twice") {
    Disturbances both = one(&Disturbances::late_request);
    both.lost_answer = 1;
    const KafkaModel model(rules_of_scheme("v2"), lonely, both);
    const KafkaReport report = search_all(model);
    CHECK(report.properties[index_of_law("no_stale_commit")].verdict == Verdict::holds);
}

TEST_CASE("a commit in flight when its client dies is missed by who reads before it initialises") {
    // Materialize 9249
    const Disturbances dies{
        .expulsion = 0, .transaction_timeout = 0, .crash = 1, .restart = 1, .late_request = 1};
    const model::Bounds bounds{.threads = 1, .partitions = 1, .records = 1, .generations = 2};
    const std::size_t law = index_of_law("superseded_owner_is_fenced");
    const auto verdict_under = [&](std::initializer_list<std::string_view> rules) {
        const KafkaModel model(with(rules_of_scheme("v2"), rules), bounds, dies);
        return search_all(model).properties[law].verdict;
    };
    CHECK(verdict_under({"offset_fetch=any", "start_order=fetch_then_init"}) == Verdict::refuted);
    CHECK(verdict_under({"offset_fetch=any", "start_order=init_then_fetch"}) == Verdict::holds);
    CHECK(verdict_under({"start_order=fetch_then_init"}) == Verdict::holds);
}

}  // namespace ringfence::tests
