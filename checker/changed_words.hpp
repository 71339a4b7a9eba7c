// In which words two states differ.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ringfence::checker {

// A bit for each of up to 64 words.
using ChangedWords = std::uint64_t (*)(const std::byte* before, const std::byte* after,
                                       std::size_t words);

// For this processor: chosen at run time, so that a build for any x86-64 is fast. Or the one that
// runs on all.
[[nodiscard]] ChangedWords changed_words(bool is_fastest);

}  // namespace ringfence::checker
