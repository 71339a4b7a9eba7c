// Keys in a row, on their way into the set of states.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ringfence::checker {

struct KeyRun {
    const std::uint64_t* keys;
    std::size_t count;
    const std::uint8_t* labels;  // below labels_max; each at the place of its key's first word
};

// How many keys of each label were new. Of equal keys the first one counts.
inline constexpr std::size_t labels_max = 64;
using NewKeys = std::array<std::uint64_t, labels_max>;

}  // namespace ringfence::checker
