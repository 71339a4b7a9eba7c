#include "checker/packing.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace ringfence::checker {

namespace {

constexpr std::uint32_t word_bits = 64;

// States are bytes to the language; one move instruction to the processor.
std::uint64_t load(const std::byte* state, std::size_t word) {
    std::uint64_t value;
    std::memcpy(&value, state + word * sizeof value, sizeof value);
    return value;
}

void toggle(std::byte* state, std::size_t word, std::uint64_t bits) {
    const std::uint64_t value = load(state, word) ^ bits;
    std::memcpy(state + word * sizeof value, &value, sizeof value);
}

std::uint64_t gather(std::uint64_t word, std::uint64_t mask) {
    std::uint64_t result = 0;
    for (std::uint64_t bit = 1; mask != 0; bit <<= 1U, mask &= mask - 1) {
        result |= (word & mask & -mask) != 0 ? bit : 0;
    }
    return result;
}

std::uint64_t scatter(std::uint64_t bits, std::uint64_t mask) {
    std::uint64_t result = 0;
    for (; mask != 0; bits >>= 1U, mask &= mask - 1) { result |= mask & -mask & -(bits & 1U); }
    return result;
}

bool has_bmi2() {
#ifdef __x86_64__
    return __builtin_cpu_supports("bmi2") != 0;
#else
    return false;
#endif
}

bool has_avx2() {
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
}

// The lowest `count` of the bits set in `mask`.
std::uint64_t lowest_bits(std::uint64_t mask, std::uint32_t count) {
    return scatter(count == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1, mask);
}

}  // namespace

Packing::Packing(std::span<const std::byte> base, Path path)
    : base_(base.size() / sizeof(std::uint64_t)),
      outside_(base_.size(), ~std::uint64_t{0}),
      word_lanes_begin_(base_.size() + 1),
      uses_bmi2_(path == Path::fastest && has_bmi2()),
      uses_avx2_(uses_bmi2_ && has_avx2()) {
    std::memcpy(base_.data(), base.data(), base_.size() * sizeof base_[0]);
}

bool Packing::pack(const std::byte* state, std::uint64_t* key) const {
    std::uint64_t misfit = 0;
    for (std::size_t word = 0; word < base_.size(); ++word) {
        misfit |= (load(state, word) ^ base_[word]) & outside_[word];
    }
    if (misfit != 0) { return false; }
    if (uses_bmi2_) {
        pack_bmi2(state, key);
    } else {
        pack_portable(state, key);
    }
    return true;
}

Packing::Successor Packing::pack_successor(const std::byte* before, const std::uint64_t* before_key,
                                           const std::byte* after, std::uint64_t* key) const {
    std::copy_n(before_key, key_words_, key);
    return uses_avx2_ ? pack_successor_avx2(before, after, key)
                      : pack_successor_portable(before, after, key);
}

void Packing::unpack(const std::uint64_t* key, std::byte* state) const {
    std::memcpy(state, base_.data(), base_.size() * sizeof base_[0]);
    if (uses_bmi2_) {
        unpack_bmi2(key, state);
    } else {
        unpack_portable(key, state);
    }
}

void Packing::collect_missing(const std::byte* state, std::uint64_t* missing) const {
    for (std::size_t word = 0; word < base_.size(); ++word) {
        missing[word] |= (load(state, word) ^ base_[word]) & outside_[word];
    }
}

void Packing::widen(std::span<const std::uint64_t> missing) {
    for (std::size_t word = 0; word < base_.size(); ++word) {
        const std::uint64_t added = missing[word] & outside_[word];
        if (added == 0) { continue; }
        add_lane(static_cast<std::uint32_t>(word), added);
        outside_[word] &= ~added;
    }
    is_compact_ = false;
    sort_lanes_by_word();
}

Packing Packing::compacted() const {
    Packing result(std::as_bytes(std::span(base_)), uses_bmi2_ ? Path::fastest : Path::portable);
    std::vector<std::uint64_t> masks(base_.size());
    for (std::size_t word = 0; word < base_.size(); ++word) { masks[word] = ~outside_[word]; }
    result.widen(masks);
    result.is_compact_ = true;
    return result;
}

// A lane never straddles two key words: it is split where the first one is full.
void Packing::add_lane(std::uint32_t word, std::uint64_t mask) {
    const auto bits = static_cast<std::uint32_t>(std::popcount(mask));
    if (key_bits_ + bits > key_words_max * word_bits) {
        throw std::length_error("a state needs more than " +
                                std::to_string(key_words_max * word_bits) +
                                " bits to tell it from the others: choose smaller bounds");
    }
    for (std::uint64_t rest = mask; rest != 0;) {
        const std::size_t key_word = key_bits_ / word_bits;
        const std::uint32_t shift = key_bits_ % word_bits;
        const auto count =
            std::min(static_cast<std::uint32_t>(std::popcount(rest)), word_bits - shift);
        const std::uint64_t part = lowest_bits(rest, count);
        lanes_.push_back({part, base_[word], word, shift});
        key_bits_ += count;
        key_words_ = key_word + 1;
        lanes_end_[key_word] = static_cast<std::uint32_t>(lanes_.size());
        rest &= ~part;
    }
}

void Packing::sort_lanes_by_word() {
    word_lanes_.clear();
    for (std::size_t word = 0; word < base_.size(); ++word) {
        word_lanes_begin_[word] = static_cast<std::uint32_t>(word_lanes_.size());
        std::uint32_t key_word = 0;
        for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
            while (lane >= lanes_end_[key_word]) { ++key_word; }
            if (lanes_[lane].word != word) { continue; }
            word_lanes_.push_back({lanes_[lane].mask, key_word, lanes_[lane].shift});
        }
    }
    word_lanes_begin_.back() = static_cast<std::uint32_t>(word_lanes_.size());
}

// `changed` has a bit for each of up to 64 words from `first_word` on. False if a bit changed that
// no lane carries.
template <class Gather>
[[gnu::always_inline]] inline bool Packing::toggle_changed(
    std::uint64_t changed, std::size_t first_word, const std::byte* before, const std::byte* after,
    std::uint64_t* key, Gather gather_bits) const {
    std::uint64_t misfit = 0;
    for (; changed != 0; changed &= changed - 1) {
        const auto word = first_word + static_cast<std::size_t>(std::countr_zero(changed));
        const std::uint64_t difference = load(before, word) ^ load(after, word);
        misfit |= difference & outside_[word];
        for (auto lane = word_lanes_begin_[word]; lane < word_lanes_begin_[word + 1]; ++lane) {
            const WordLane& to = word_lanes_[lane];
            key[to.key_word] ^= gather_bits(difference, to.mask) << to.shift;
        }
    }
    return misfit == 0;
}

Packing::Successor Packing::pack_successor_portable(const std::byte* before, const std::byte* after,
                                                    std::uint64_t* key) const {
    bool is_same = true;
    for (std::size_t word = 0; word < base_.size(); ++word) {
        if (load(before, word) == load(after, word)) { continue; }
        is_same = false;
        if (!toggle_changed(1, word, before, after, key, gather)) { return Successor::misfit; }
    }
    return is_same ? Successor::same : Successor::differs;
}

void Packing::pack_portable(const std::byte* state, std::uint64_t* key) const {
    const Lane* lane = lanes_.data();
    for (std::size_t index = 0; index < key_words_; ++index) {
        std::uint64_t bits = 0;
        for (const Lane* end = lanes_.data() + lanes_end_[index]; lane != end; ++lane) {
            bits |= gather(load(state, lane->word) ^ lane->base, lane->mask) << lane->shift;
        }
        key[index] = bits;
    }
}

void Packing::unpack_portable(const std::uint64_t* key, std::byte* state) const {
    const Lane* lane = lanes_.data();
    for (std::size_t index = 0; index < key_words_; ++index) {
        for (const Lane* end = lanes_.data() + lanes_end_[index]; lane != end; ++lane) {
            toggle(state, lane->word, scatter(key[index] >> lane->shift, lane->mask));
        }
    }
}

#ifdef __x86_64__

// The instructions are chosen at run time, so that a build for any x86-64 has them.
[[gnu::target("bmi2")]] void Packing::pack_bmi2(const std::byte* state, std::uint64_t* key) const {
    const Lane* lane = lanes_.data();
    for (std::size_t index = 0; index < key_words_; ++index) {
        std::uint64_t bits = 0;
        for (const Lane* end = lanes_.data() + lanes_end_[index]; lane != end; ++lane) {
            bits |= _pext_u64(load(state, lane->word) ^ lane->base, lane->mask) << lane->shift;
        }
        key[index] = bits;
    }
}

[[gnu::target("bmi2,avx2")]] Packing::Successor Packing::pack_successor_avx2(
    const std::byte* before, const std::byte* after, std::uint64_t* key) const {
    const auto pext =
        [](std::uint64_t word, std::uint64_t mask) __attribute__((target("bmi2,avx2"))) {
        return _pext_u64(word, mask);
    };
    constexpr std::size_t words_at_once = 4;
    bool is_same = true;
    for (std::size_t first = 0; first < base_.size(); first += word_bits) {
        const std::size_t end = std::min<std::size_t>(first + word_bits, base_.size());
        std::uint64_t changed = 0;
        std::size_t word = first;
        for (; word + words_at_once <= end; word += words_at_once) {
            const auto* left = reinterpret_cast<const __m256i*>(before + word * 8);
            const auto* right = reinterpret_cast<const __m256i*>(after + word * 8);
            const __m256i equal =
                _mm256_cmpeq_epi64(_mm256_loadu_si256(left), _mm256_loadu_si256(right));
            const auto equals =
                static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)));
            changed |= std::uint64_t{equals ^ 15U} << (word - first);
        }
        for (; word < end; ++word) {
            const bool differs = load(before, word) != load(after, word);
            changed |= std::uint64_t{differs} << (word - first);
        }
        is_same = is_same && changed == 0;
        if (!toggle_changed(changed, first, before, after, key, pext)) { return Successor::misfit; }
    }
    return is_same ? Successor::same : Successor::differs;
}

[[gnu::target("bmi2")]] void Packing::unpack_bmi2(const std::uint64_t* key,
                                                  std::byte* state) const {
    const Lane* lane = lanes_.data();
    for (std::size_t index = 0; index < key_words_; ++index) {
        for (const Lane* end = lanes_.data() + lanes_end_[index]; lane != end; ++lane) {
            toggle(state, lane->word, _pdep_u64(key[index] >> lane->shift, lane->mask));
        }
    }
}

#else

void Packing::pack_bmi2(const std::byte* state, std::uint64_t* key) const {
    pack_portable(state, key);
}

void Packing::unpack_bmi2(const std::uint64_t* key, std::byte* state) const {
    unpack_portable(key, state);
}

Packing::Successor Packing::pack_successor_avx2(const std::byte* before, const std::byte* after,
                                                std::uint64_t* key) const {
    return pack_successor_portable(before, after, key);
}

#endif

}  // namespace ringfence::checker
