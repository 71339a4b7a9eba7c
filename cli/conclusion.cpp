#include "cli/conclusion.hpp"

#include <algorithm>

namespace ringfence::cli {

namespace {

constexpr int status_of(Trouble trouble) {
    switch (trouble) {
        case Trouble::internal_error: return 70;
        case Trouble::file_error: return 74;
        case Trouble::usage_error: return 2;
        case Trouble::interrupted: return 130;
        case Trouble::terminated: return 143;
        case Trouble::trace_does_not_replay: return 20;
        case Trouble::expectation_not_met: return 4;
        case Trouble::law_refuted: return 12;
        case Trouble::deadlock: return 11;
        case Trouble::liveness_refuted: return 13;
        case Trouble::inconclusive: return 3;
        case Trouble::witness_not_reached: return 5;
    }
    return 70;
}

void add_law(Conclusion& conclusion, const Result& result, const LawResult& law) {
    if (law.verdict == checker::Verdict::inconclusive) { conclusion.add(Trouble::inconclusive); }
    if (contradicts_expectation(result, law)) { conclusion.add(Trouble::expectation_not_met); }
    if (law.is_refuted() && !result.has_expectations()) {
        const bool is_deadlock = law.kind == checker::PropertyKind::deadlock;
        conclusion.add(is_deadlock ? Trouble::deadlock : Trouble::law_refuted);
    }
}

// A step not reached before a limit is undecided, like a law that holds so far.
void add_witness(Conclusion& conclusion, const Result& result, const WitnessResult& witness) {
    if (witness.is_unwanted()) { conclusion.add(Trouble::expectation_not_met); }
    if (witness.is_missed()) {
        conclusion.add(result.is_complete() ? Trouble::witness_not_reached : Trouble::inconclusive);
    }
}

}  // namespace

Conclusion conclude(const Result& result, bool is_strict) {
    Conclusion conclusion;
    if (result.stopped_by) {
        const bool is_interrupt = *result.stopped_by == StopSignal::interrupt;
        conclusion.add(is_interrupt ? Trouble::interrupted : Trouble::terminated);
    }
    for (const LawResult& law : result.laws) { add_law(conclusion, result, law); }
    for (const WitnessResult& witness : result.witnesses) {
        add_witness(conclusion, result, witness);
    }
    if (contradicts_states(result)) { conclusion.add(Trouble::expectation_not_met); }
    const bool has_dead_action = std::ranges::any_of(result.actions, &ActionCount::is_dead);
    if (is_strict && result.is_complete() && has_dead_action) {
        conclusion.add(Trouble::witness_not_reached);
    }
    return conclusion;
}

int exit_status(const Conclusion& conclusion) {
    for (std::size_t i = 0; i < troubles; ++i) {
        const auto trouble = static_cast<Trouble>(i);
        if (conclusion.has(trouble)) { return status_of(trouble); }
    }
    return 0;
}

}  // namespace ringfence::cli
