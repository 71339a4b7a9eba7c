// Which records a transaction has processed: the offsets of TxnOffsetCommit, and in EndTxn a ghost.
#pragma once

#include "model/bounds.hpp"
#include "model/ids.hpp"

#include <array>
#include <compare>
#include <cstdint>

namespace ringfence::model {

// Work on one input partition: the records from `first` up to, not including, `position`.
struct Work {
    Offset first = 0;
    Offset position = 0;
    // Ghosts: as in the task whose work it is.
    std::uint8_t elders = 0;
    std::uint8_t wrong_records = 0;

    static constexpr std::uint8_t superseded = 1U << threads_max;

    [[nodiscard]] constexpr bool is_some() const { return position != 0; }
    // Of some work: a plain commit whose work was decided already (repeated_commits.hpp).
    [[nodiscard]] constexpr bool is_repeated() const { return first == position; }
    // A bit each.
    [[nodiscard]] constexpr std::uint8_t records() const {
        return static_cast<std::uint8_t>((1U << position) - (1U << first));
    }
    [[nodiscard]] constexpr bool is_superseded() const { return (elders & superseded) != 0; }

    friend auto operator<=>(const Work&, const Work&) = default;
};

using Works = std::array<Work, partitions_max>;  // by partition

}  // namespace ringfence::model
