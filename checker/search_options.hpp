// Limits of a search and what it tells meanwhile. A limit ends the search cleanly: the report says
// which one, and no law that is still open is called "holds".
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

namespace ringfence::checker {

// A look at a search in flight, for a progress line.
struct Progress {
    std::uint64_t states;
    std::uint64_t transitions;
    std::uint64_t frontier;  // states found and not yet expanded
    std::uint32_t depth;
    std::uint64_t memory_bytes;
    double seconds;
};

// Keeping fingerprints of states in place of their keys. Both figures are for tests: what is known
// of a search and of its odds holds for these.
struct FingerprintOptions {
    // A search with no more states than that keeps them all, and is exact. Looked at between
    // levels. Above it, packings change no more by much (README.md, "Widths are learned").
    std::uint64_t exact_states_max = std::uint64_t{1} << 18U;
    std::uint32_t bits = 70;  // 7 to 70, see fingerprint.hpp
};

// How long the search for traces may take of whoever interrupted the search.
inline constexpr double trace_patience_seconds = 0.5;

struct SearchOptions {
    unsigned workers = 1;  // at least 1; results do not depend on it
    std::uint64_t states_max = std::numeric_limits<std::uint64_t>::max();
    std::uint32_t depth_max = std::numeric_limits<std::uint32_t>::max();
    double seconds_max = std::numeric_limits<double>::infinity();
    std::uint64_t memory_bytes_max = std::numeric_limits<std::uint64_t>::max();
    // Visit one state for all that differ only by names, where the model says how (HasSymmetry).
    bool uses_symmetry = false;
    // None: keys are kept, and the search is exact.
    std::optional<FingerprintOptions> fingerprints;
    // Take equal steps of different states once, where the model says which are equal (HasScopes).
    // Changes nothing that is reported but the number of new states by verb.
    bool shares_steps = true;
    // End as soon as every applicable law is refuted (at the end of that level), instead of
    // visiting the rest of the state space.
    bool stops_when_all_refuted = false;
    // Set by a signal handler; the search looks at it between rounds of work.
    const std::atomic<bool>* is_interrupted = nullptr;
    // Called between rounds, on the calling thread, at most a few times a second.
    void (*on_progress)(const Progress&, void* context) = nullptr;
    void* progress_context = nullptr;
};

}  // namespace ringfence::checker
