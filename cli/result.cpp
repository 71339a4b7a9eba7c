#include "cli/result.hpp"

namespace ringfence::cli {

namespace {

using checker::Verdict;
using model::ExpectedVerdict;

bool agrees(Verdict verdict, ExpectedVerdict expected) {
    switch (expected) {
        case ExpectedVerdict::holds: return verdict == Verdict::holds;
        case ExpectedVerdict::refuted: return verdict == Verdict::refuted;
        case ExpectedVerdict::not_applicable: return verdict == Verdict::not_applicable;
    }
    return false;
}

}  // namespace

bool contradicts_expectation(const Result& result, const LawResult& law) {
    if (!result.has_expectations() || law.verdict == Verdict::inconclusive) { return false; }
    if (!law.expected) { return law.is_refuted(); }
    if (!agrees(law.verdict, law.expected->verdict)) { return true; }
    return law.is_refuted() && law.expected->steps && *law.expected->steps != law.steps;
}

bool is_surprise(const Result& result, const LawResult& law) {
    return law.is_refuted() && (!result.has_expectations() || contradicts_expectation(result, law));
}

bool contradicts_states(const Result& result) {
    return result.has_expectations() && result.is_complete() &&
           result.scenario.expectations->states &&
           *result.scenario.expectations->states != result.states;
}

}  // namespace ringfence::cli
