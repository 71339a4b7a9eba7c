// What KIP-890 changes in the verdicts, rule by rule.
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <string_view>

namespace ringfence::tests {

namespace {

using checker::Verdict;
using model::KafkaModel;

struct Row {
    std::string_view law;
    std::size_t steps;                              // 0: holds
    std::initializer_list<std::string_view> rules;  // on top of v2
};

// One thread, so that only its own transactions can meet one another.
constexpr model::Bounds lonely{.threads = 1, .partitions = 1, .records = 2, .generations = 2};

void check_rows(std::span<const Row> rows, const model::Bounds& bounds,
                const model::Disturbances& disturbances = {}) {
    for (const Row& row : rows) {
        std::string rules;
        for (const std::string_view rule : row.rules) { rules += std::string(rule) + " "; }
        CAPTURE(rules);
        CAPTURE(row.law);
        const KafkaModel model(with(rules_of_scheme("v2"), row.rules), bounds, disturbances);
        const KafkaReport report = search_all(model);
        const auto& found = report.properties[index_of_law(row.law)];
        CHECK(found.verdict == (row.steps == 0 ? Verdict::holds : Verdict::refuted));
        if (found.trace) { CHECK(found.trace->actions.size() == row.steps); }
    }
}

}  // namespace

TEST_CASE("where a timeout keeps the epoch only guarded questions keep records from hanging") {
    const Row rows[] = {
        {"no_hanging_transaction", 8, {"timeout_bumps_epoch=no"}},
        {"no_hanging_transaction", 9, {"timeout_bumps_epoch=no", "verification=unguarded"}},
        {"no_hanging_transaction", 0, {"timeout_bumps_epoch=no", "verification=guarded"}},
        {"no_hanging_transaction",
         11,
         {"timeout_bumps_epoch=no", "verification=guarded", "verified_requests=produce"}},
    };
    check_rows(rows, lonely);
}

TEST_CASE("where version 2's aborts keep the epoch, markers that must be greater are never taken") {
    const Row rows[] = {
        {"deadlock_free",
         9,
         {"transaction_version=2", "timeout_bumps_epoch=no", "marker_epoch_test=greater"}},
    };
    check_rows(rows, lonely);
}

TEST_CASE("the laws that hold under version 1 hold under version 2, which is the smaller one") {
    for (const std::string_view law :
         {"single_writer_per_partition", "no_stale_commit", "superseded_owner_is_fenced",
          "exactly_once_output", "no_hanging_transaction", "no_false_fence", "atomic_outcome",
          "no_aborted_read", "confirmed_commit_is_kept", "no_false_fatal", "deadlock_free"}) {
        const Row rows[] = {
            {law, 0, {"transaction_version=2", "verification=guarded"}},
            {law, 0, {"verification=guarded"}},
        };
        check_rows(rows, {.generations = 2});
    }
}

TEST_CASE("a leader that forgets a producer is safe where it asks the coordinator, with a guard") {
    const Row rows[] = {
        {"no_hanging_transaction", 9, {}},
        {"no_hanging_transaction", 10, {"verification=unguarded"}},
        {"no_hanging_transaction", 0, {"verification=guarded"}},
        {"exactly_once_output", 23, {}},
        {"exactly_once_output", 0, {"verification=guarded"}},
        {"no_hanging_transaction", 9, {"transaction_version=2"}},
        {"no_hanging_transaction", 0, {"transaction_version=2", "verification=guarded"}},
        {"exactly_once_output", 0, {"transaction_version=2", "verification=guarded"}},
    };
    check_rows(rows, lonely, {.producer_expiry = 1});
}

TEST_CASE("a coordinator that fails over sends its markers again, and that changes no law") {
    for (const std::string_view law :
         {"single_writer_per_partition", "no_stale_commit", "exactly_once_output",
          "no_hanging_transaction", "no_false_fence", "atomic_outcome", "no_aborted_read",
          "confirmed_commit_is_kept", "no_false_fatal", "deadlock_free"}) {
        const Row rows[] = {
            {law, 0, {}},
            {law, 0, {"transaction_version=2", "verification=guarded"}},
        };
        check_rows(rows, {.generations = 2}, {.transaction_coordinator_failover = 1});
    }
}

}  // namespace ringfence::tests
