// The search's concurrency, checked by the search itself.
#include "tests/models/round.hpp"
#include "checker/breadth_first.hpp"

#include <doctest/doctest.h>

namespace ringfence::tests {

namespace {

checker::SearchReport<Round> search_round(std::uint8_t workers, const Round::Rules& rules) {
    return checker::search<Round>(Round(workers, rules), round_laws, {}, {.workers = 2});
}

}  // namespace

TEST_CASE("a round has no race and loses no key, with one, two and three workers") {
    for (std::uint8_t workers = 1; workers <= Round::workers_max; ++workers) {
        const auto report = search_round(workers, {});
        CHECK(report.is_complete());
        CHECK(report.properties[0].verdict == checker::Verdict::holds);
        CHECK(report.properties[1].verdict == checker::Verdict::holds);
    }
}

TEST_CASE("two workers with the same number store a key twice") {
    const auto report = search_round(2, {.hands_out_at_once = false});
    CHECK(report.properties[0].verdict == checker::Verdict::refuted);
    CHECK(report.properties[1].verdict == checker::Verdict::refuted);
}

TEST_CASE("without a wait between the phases keys are lost") {
    const auto report = search_round(2, {.waits_between = false});
    CHECK(report.properties[0].verdict == checker::Verdict::refuted);
    CHECK(report.properties[1].verdict == checker::Verdict::refuted);
}

}  // namespace ringfence::tests
