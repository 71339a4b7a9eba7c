// In which words two states differ: a bit for each of up to 64 words.
//
// One function for each set of instructions, to be inlined where they are known to be there
// (packing.cpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace ringfence::checker {

inline std::uint64_t changed_words_portable(const std::byte* before, const std::byte* after,
                                            std::size_t words) {
    std::uint64_t changed = 0;
    for (std::size_t word = 0; word < words; ++word) {
        changed |= std::uint64_t{std::memcmp(before + word * 8, after + word * 8, 8) != 0} << word;
    }
    return changed;
}

#ifdef __x86_64__

[[gnu::target("avx2")]] inline std::uint64_t changed_words_avx2(const std::byte* before,
                                                                const std::byte* after,
                                                                std::size_t words) {
    constexpr std::size_t at_once = 4;
    std::uint64_t changed = 0;
    std::size_t word = 0;
    for (; word + at_once <= words; word += at_once) {
        const auto* left = reinterpret_cast<const __m256i*>(before + word * 8);
        const auto* right = reinterpret_cast<const __m256i*>(after + word * 8);
        const __m256i equal =
            _mm256_cmpeq_epi64(_mm256_loadu_si256(left), _mm256_loadu_si256(right));
        const auto equals = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)));
        changed |= std::uint64_t{equals ^ 15U} << word;
    }
    if (word == words) { return changed; }
    return changed | changed_words_portable(before + word * 8, after + word * 8, words - word)
                         << word;
}

[[gnu::target("avx512f")]] inline std::uint64_t changed_words_avx512(const std::byte* before,
                                                                     const std::byte* after,
                                                                     std::size_t words) {
    constexpr std::size_t at_once = 8;
    std::uint64_t changed = 0;
    for (std::size_t word = 0; word < words; word += at_once) {
        const auto lanes =
            static_cast<__mmask8>(0xFFU >> (at_once - std::min(at_once, words - word)));
        const __m512i left = _mm512_maskz_loadu_epi64(lanes, before + word * 8);
        const __m512i right = _mm512_maskz_loadu_epi64(lanes, after + word * 8);
        changed |= std::uint64_t{_mm512_cmpneq_epi64_mask(left, right)} << word;
    }
    return changed;
}

#endif

}  // namespace ringfence::checker
