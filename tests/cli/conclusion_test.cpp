// A test for every row of the table of exit statuses, and for their order.
#include "cli/conclusion.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>

using namespace ringfence;
using namespace ringfence::cli;
using checker::Ending;
using checker::PropertyKind;
using checker::Verdict;
using model::ExpectedVerdict;

namespace {

Result with_law(Verdict verdict) {
    Result result;
    result.laws.push_back({.name = "law", .verdict = verdict, .steps = 7});
    return result;
}

Result expecting(Verdict verdict, ExpectedVerdict expected) {
    Result result = with_law(verdict);
    result.scenario.expectations.emplace();
    result.laws.front().expected = model::Expectation{"law", expected, {}};
    return result;
}

int status_of(const Result& result) { return exit_status(conclude(result)); }

int status_of(std::initializer_list<Trouble> troubles) {
    Conclusion conclusion;
    for (const Trouble trouble : troubles) { conclusion.add(trouble); }
    return exit_status(conclusion);
}

}  // namespace

TEST_CASE("0: every law holds, and nothing is expected") {
    CHECK(status_of(with_law(Verdict::holds)) == 0);
    CHECK(status_of(with_law(Verdict::not_applicable)) == 0);
}

TEST_CASE("0: everything is as expected, refutations too") {
    CHECK(status_of(expecting(Verdict::holds, ExpectedVerdict::holds)) == 0);
    CHECK(status_of(expecting(Verdict::refuted, ExpectedVerdict::refuted)) == 0);
    CHECK(status_of(expecting(Verdict::not_applicable, ExpectedVerdict::not_applicable)) == 0);
}

TEST_CASE("2: usage or configuration error") { CHECK(status_of({Trouble::usage_error}) == 2); }

TEST_CASE("3: a limit ended the search") {
    Result result = with_law(Verdict::inconclusive);
    result.ending = Ending::states;
    CHECK(status_of(result) == 3);
}

TEST_CASE("3: an undecided law never contradicts an expectation") {
    Result result = expecting(Verdict::inconclusive, ExpectedVerdict::refuted);
    result.ending = Ending::time;
    CHECK(status_of(result) == 3);
}

TEST_CASE("3: a witness that was not reached before the limit is undecided") {
    Result result = expecting(Verdict::refuted, ExpectedVerdict::refuted);
    result.ending = Ending::depth;
    result.witnesses.push_back({.name = "witness"});
    CHECK(status_of(result) == 3);
}

TEST_CASE("4: an expectation is not met") {
    CHECK(status_of(expecting(Verdict::holds, ExpectedVerdict::refuted)) == 4);
    CHECK(status_of(expecting(Verdict::refuted, ExpectedVerdict::holds)) == 4);
    CHECK(status_of(expecting(Verdict::not_applicable, ExpectedVerdict::holds)) == 4);
}

TEST_CASE("4: the refutation has another length than the pinned one") {
    Result result = expecting(Verdict::refuted, ExpectedVerdict::refuted);
    result.laws.front().expected->steps = 7;
    CHECK(status_of(result) == 0);
    result.laws.front().expected->steps = 8;
    CHECK(status_of(result) == 4);
}

TEST_CASE("4: another law than the one that must fall has fallen") {
    Result result = expecting(Verdict::refuted, ExpectedVerdict::refuted);
    result.laws.push_back({.name = "other", .verdict = Verdict::refuted});
    CHECK(status_of(result) == 4);
}

TEST_CASE("4: the number of states is not the pinned one") {
    Result result = expecting(Verdict::holds, ExpectedVerdict::holds);
    result.scenario.expectations->states = 10;
    result.states = 10;
    CHECK(status_of(result) == 0);
    result.states = 11;
    CHECK(status_of(result) == 4);
}

TEST_CASE("4: a step that must never happen was reached") {
    Result result = expecting(Verdict::holds, ExpectedVerdict::holds);
    result.witnesses.push_back({.name = "witness", .wanted = Wanted::never, .is_reached = true});
    CHECK(status_of(result) == 4);
}

TEST_CASE("5: a witness was not reached") {
    Result result = with_law(Verdict::holds);
    result.witnesses.push_back({.name = "witness"});
    CHECK(status_of(result) == 5);
}

TEST_CASE("0: a witness that is only looked for was not reached") {
    Result result = with_law(Verdict::holds);
    result.witnesses.push_back({.name = "witness", .wanted = Wanted::maybe});
    CHECK(status_of(result) == 0);
}

TEST_CASE("5: with strict, an action that could have fired never did") {
    Result result = with_law(Verdict::holds);
    result.actions.push_back({.verb = "produce"});
    CHECK(exit_status(conclude(result, false)) == 0);
    CHECK(exit_status(conclude(result, true)) == 5);
    result.actions.front().is_possible = false;
    CHECK(exit_status(conclude(result, true)) == 0);
}

TEST_CASE("11: deadlock") {
    Result result = with_law(Verdict::refuted);
    result.laws.front().kind = PropertyKind::deadlock;
    CHECK(status_of(result) == 11);
}

TEST_CASE("12: a law is refuted and nothing is expected") {
    CHECK(status_of(with_law(Verdict::refuted)) == 12);
}

TEST_CASE("13: liveness refuted") { CHECK(status_of({Trouble::liveness_refuted}) == 13); }

TEST_CASE("20: a trace does not replay") {
    CHECK(status_of({Trouble::trace_does_not_replay}) == 20);
}

TEST_CASE("70 and 74: internal error, file trouble") {
    CHECK(status_of({Trouble::internal_error}) == 70);
    CHECK(status_of({Trouble::file_error}) == 74);
}

TEST_CASE("130 and 143: stopped by SIGINT or SIGTERM") {
    Result result = with_law(Verdict::inconclusive);
    result.ending = Ending::interrupted;
    result.stopped_by = StopSignal::interrupt;
    CHECK(status_of(result) == 130);
    result.stopped_by = StopSignal::terminate;
    CHECK(status_of(result) == 143);
}

TEST_CASE("where several apply, the most important one decides") {
    CHECK(status_of({Trouble::file_error, Trouble::internal_error}) == 70);
    CHECK(status_of({Trouble::usage_error, Trouble::file_error}) == 74);
    CHECK(status_of({Trouble::interrupted, Trouble::usage_error}) == 2);
    CHECK(status_of({Trouble::trace_does_not_replay, Trouble::interrupted}) == 130);
    CHECK(status_of({Trouble::trace_does_not_replay, Trouble::terminated}) == 143);
    CHECK(status_of({Trouble::expectation_not_met, Trouble::trace_does_not_replay}) == 20);
    CHECK(status_of({Trouble::law_refuted, Trouble::expectation_not_met}) == 4);
    CHECK(status_of({Trouble::deadlock, Trouble::law_refuted}) == 12);
    CHECK(status_of({Trouble::liveness_refuted, Trouble::deadlock}) == 11);
    CHECK(status_of({Trouble::inconclusive, Trouble::liveness_refuted}) == 13);
    CHECK(status_of({Trouble::witness_not_reached, Trouble::inconclusive}) == 3);
    CHECK(status_of({Trouble::witness_not_reached}) == 5);
    CHECK(status_of(std::initializer_list<Trouble>{}) == 0);
}

TEST_CASE("for every set of troubles the status is that of the first one in the table") {
    // In the order of precedence, as documented; 0 where there is none.
    constexpr std::array statuses{70, 74, 2, 130, 143, 20, 4, 12, 11, 13, 3, 5};
    static_assert(statuses.size() == troubles);
    for (unsigned set = 0; set < 1U << troubles; ++set) {
        Conclusion conclusion;
        for (std::size_t i = 0; i < troubles; ++i) {
            if ((set >> i & 1U) != 0) { conclusion.add(static_cast<Trouble>(i)); }
        }
        const auto first = static_cast<std::size_t>(std::countr_zero(set));
        CHECK(exit_status(conclusion) == (set == 0 ? 0 : statuses[first]));
    }
}
