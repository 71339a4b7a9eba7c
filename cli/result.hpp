// The verdict object: everything a run of one scenario came to, apart from the model. Reports show
// it, and the exit status follows from it alone.
#pragma once

#include "checker/property.hpp"
#include "checker/verdict.hpp"
#include "cli/interrupt.hpp"
#include "model/scenario.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ringfence::cli {

struct LawResult {
    std::string name;
    checker::PropertyKind kind = checker::PropertyKind::state;
    checker::Verdict verdict = checker::Verdict::inconclusive;
    std::uint32_t steps = 0;  // length of the shortest trace, if refuted
    std::optional<model::Expectation> expected;
    std::string trace_file;  // where the trace was saved, if it was

    [[nodiscard]] bool is_refuted() const { return verdict == checker::Verdict::refuted; }
};

enum class Wanted : std::uint8_t { always, maybe, never };

struct WitnessResult {
    std::string name;
    Wanted wanted = Wanted::always;
    bool is_reached = false;
    std::uint32_t depth = 0;  // if reached

    [[nodiscard]] bool is_missed() const { return wanted == Wanted::always && !is_reached; }
    [[nodiscard]] bool is_unwanted() const { return wanted == Wanted::never && is_reached; }
};

// How often a verb fired, by the result that it had.
struct ActionCount {
    std::string verb;
    std::uint64_t fired = 0;
    std::uint64_t new_states = 0;  // that such a step was the first to reach
    bool is_possible = true;       // under the rules and budgets; see model/possible_verbs.hpp
    std::vector<std::pair<std::string, std::uint64_t>> results;  // those that came up

    [[nodiscard]] bool is_dead() const { return is_possible && fired == 0; }
};

struct Result {
    model::Scenario scenario;
    checker::Ending ending = checker::Ending::exhausted;
    std::optional<StopSignal> stopped_by;  // if a signal ended the search
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint32_t depth = 0;
    std::vector<std::uint64_t> states_per_level;
    std::vector<LawResult> laws;
    std::vector<WitnessResult> witnesses;
    std::vector<ActionCount> actions;
    std::vector<std::pair<std::string, std::uint64_t>> cuts;  // by kind, all kinds
    std::optional<checker::FingerprintReport> fingerprints;   // none: every state was kept
    std::size_t permutations = 1;  // more: states are counted up to so many renamings
    std::uint64_t memory_bytes = 0;
    std::uint32_t key_bits = 0;
    double seconds = 0;
    unsigned workers = 1;

    // No limit ended the search: just this is what "exhaustive" means.
    [[nodiscard]] bool is_complete() const {
        return ending == checker::Ending::exhausted && !has_lost_state();
    }
    [[nodiscard]] bool has_lost_state() const {
        return fingerprints && fingerprints->has_lost_state;
    }
    // It does unless two states share a fingerprint.
    [[nodiscard]] bool has_odds(const LawResult& law) const {
        return fingerprints && law.verdict == checker::Verdict::holds;
    }
    [[nodiscard]] bool has_expectations() const { return scenario.expectations.has_value(); }
};

// What is decided about the law differs from what is expected. A law without an expectation of
// its own must not fall where the scenario has expectations at all; where it has none, nothing can
// be contradicted. An undecided law never is.
[[nodiscard]] bool contradicts_expectation(const Result& result, const LawResult& law);

// The law fell, and the scenario did not foresee just this.
[[nodiscard]] bool is_surprise(const Result& result, const LawResult& law);

// The number of states differs from the pinned one. A search cut short has no such number.
[[nodiscard]] bool contradicts_states(const Result& result);

}  // namespace ringfence::cli
