// From verdicts to the exit status.
#pragma once

#include "cli/result.hpp"

#include <bitset>
#include <cstdint>

namespace ringfence::cli {

// All that can keep a run from status 0, the most important first: where several apply, the first
// one decides.
enum class Trouble : std::uint8_t {
    internal_error,
    file_error,   // cannot read or write a file
    usage_error,  // on the command line, in the environment or in a scenario file
    interrupted,  // SIGINT
    terminated,   // SIGTERM
    trace_does_not_replay,
    expectation_not_met,
    law_refuted,          // without an expectation
    deadlock,             // likewise
    liveness_refuted,     // likewise
    inconclusive,         // a limit ended the search before all was decided
    witness_not_reached,  // or, with --strict, an action never fired
};
inline constexpr std::size_t troubles = static_cast<std::size_t>(Trouble::witness_not_reached) + 1;

class Conclusion {
  public:
    Conclusion& add(Trouble trouble) {
        troubles_.set(static_cast<std::size_t>(trouble));
        return *this;
    }
    Conclusion& add(const Conclusion& other) {
        troubles_ |= other.troubles_;
        return *this;
    }
    [[nodiscard]] bool has(Trouble trouble) const {
        return troubles_.test(static_cast<std::size_t>(trouble));
    }

    friend bool operator==(const Conclusion&, const Conclusion&) = default;

  private:
    std::bitset<troubles> troubles_;
};

// What the result of one scenario comes to. `is_strict`: an action that could have fired and
// never did counts.
[[nodiscard]] Conclusion conclude(const Result& result, bool is_strict = false);

[[nodiscard]] int exit_status(const Conclusion& conclusion);

}  // namespace ringfence::cli
