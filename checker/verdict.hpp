// What a search has to say when it ends: verdicts with their cause, and everything it counted.
#pragma once

#include "checker/model.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringfence::checker {

enum class Verdict : std::uint8_t { holds, refuted, inconclusive, not_applicable };

[[nodiscard]] constexpr std::string_view name_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds: return "holds";
        case Verdict::refuted: return "refuted";
        case Verdict::inconclusive: return "inconclusive";
        case Verdict::not_applicable: return "not_applicable";
    }
    return "?";
}

// Why a search ended.
enum class Ending : std::uint8_t {
    exhausted,    // every reachable state was visited: only this ending can say "holds"
    all_refuted,  // every law asked for was refuted, and the search was told to stop there
    states,
    depth,
    time,
    memory,       // a limit of that name
    interrupted,  // a signal
};

[[nodiscard]] constexpr std::string_view name_of(Ending ending) {
    switch (ending) {
        case Ending::exhausted: return "exhausted";
        case Ending::all_refuted: return "all_refuted";
        case Ending::states: return "states";
        case Ending::depth: return "depth";
        case Ending::time: return "time";
        case Ending::memory: return "memory";
        case Ending::interrupted: return "interrupted";
    }
    return "?";
}

// A path from an initial state: the states between are found again by taking the actions.
template <class M>
struct Trace {
    typename M::State initial;
    std::vector<typename M::Action> actions;
};

template <class M>
struct PropertyReport {
    Verdict verdict = Verdict::inconclusive;
    // If refuted: the length of a shortest trace, in actions; the initial state is not counted.
    std::uint32_t steps = 0;
    // If refuted, a shortest trace; for a step law its last action is the offending step. None if
    // the search was interrupted and finding it would keep whoever did so waiting, or if it kept
    // fingerprints and a limit ended the exact search for it.
    std::optional<Trace<M>> trace;
};

struct WitnessReport {
    bool is_reached = false;
    std::uint32_t depth = 0;  // number of the level from which it was first reached, if reached
};

// Of a search that kept fingerprints of its states, not their keys.
struct FingerprintReport {
    std::uint32_t bits = 0;
    // At most this is the probability that some state was taken for another one, and so were steps
    // from it left out. A law that holds does so with these odds. One that is refuted is refuted
    // for certain, but its length is certain only with a trace: see exact_traces.hpp.
    double odds = 0;
    // The exact search for traces found a shorter one: then no law is said to hold.
    bool has_lost_state = false;
    // What ended the exact search for traces, if some law that fell has none for this reason.
    std::optional<Ending> traces_ended_by;
};

template <class M>
struct SearchReport {
    Ending ending = Ending::exhausted;
    std::uint64_t states = 0;       // distinct
    std::uint64_t transitions = 0;  // steps taken from expanded states, self-loops included
    std::uint32_t depth = 0;        // of the deepest state found
    std::vector<std::uint64_t> states_per_level;
    // fired[verb][result]: how often a step of that verb ended with that result.
    std::vector<std::vector<std::uint64_t>> fired;
    // new_states[verb]: how many states a step of that verb was the first to reach, in the order of
    // the search. Initial states are nobody's, so the sum is `states` less these.
    std::vector<std::uint64_t> new_states;
    std::array<std::uint64_t, cut_kinds_max> cuts{};  // healing steps that a bound forbade, by kind
    std::vector<PropertyReport<M>> properties;        // in the order in which they were given
    std::vector<WitnessReport> witnesses;             // likewise
    std::uint64_t memory_bytes = 0;                   // largest footprint of the search
    std::optional<FingerprintReport> fingerprints;    // none: every state was kept
    std::size_t permutations = 1;  // order of the symmetry group that states are counted up to
    std::uint32_t key_bits = 0;    // width of a packed state
    double seconds = 0;

    [[nodiscard]] bool is_complete() const {
        return ending == Ending::exhausted && !(fingerprints && fingerprints->has_lost_state);
    }
};

}  // namespace ringfence::checker
