#include "checker/packing.hpp"

#include "checker/changed_words.hpp"
#include "checker/ensure.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <set>
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

std::uint64_t byte_mask(std::uint32_t byte) { return std::uint64_t{0xFF} << (8 * byte); }

// Those with AVX2 and no BMI2 are not worth a path of their own.
Packing::Path path_of_processor() {
#ifdef __x86_64__
    const bool has_avx2 =
        __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
    if (has_avx2 && __builtin_cpu_supports("avx512f") != 0) { return Packing::Path::avx512; }
    if (has_avx2) { return Packing::Path::avx2; }
#endif
    return Packing::Path::portable;
}

// The lowest `count` of the bits set in `mask`.
std::uint64_t lowest_bits(std::uint64_t mask, std::uint32_t count) {
    return scatter(count == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1, mask);
}

}  // namespace

Packing::Packing(std::span<const std::byte> base, Path path,
                 std::span<const std::uint8_t> components)
    : base_(base.size() / sizeof(std::uint64_t)),
      outside_(base_.size(), ~std::uint64_t{0}),
      word_lanes_begin_(base_.size() + 1),
      path_(std::min(path, path_of_processor())) {
    std::memcpy(base_.data(), base.data(), base_.size() * sizeof base_[0]);
    std::vector<std::uint8_t> component_of(components.begin(), components.end());
    component_of.resize(base.size());
    const std::set<std::uint8_t> numbers(component_of.begin(), component_of.end());
    ensure(!numbers.empty() && numbers.size() <= parts_max, "too many components, or no state");
    for (const std::uint8_t component : numbers) { parts_.push_back({component, 0, 0}); }
    components_ = parts_.size();
    for (std::uint32_t word = 0; word < base_.size(); ++word) {
        for (std::uint32_t byte = 0; byte < sizeof(std::uint64_t); ++byte) {
            const std::uint8_t component = component_of[word * sizeof(std::uint64_t) + byte];
            const auto share = std::ranges::find_if(shares_, [&](const Share& other) {
                return other.word == word && other.component == component;
            });
            const std::uint64_t mask = byte_mask(byte);
            if (share == shares_.end()) {
                shares_.push_back({mask, word, component});
            } else {
                share->mask |= mask;
            }
        }
    }
}

std::uint32_t Packing::bits() const {
    std::uint32_t bits = 0;
    for (const Part& part : parts_) { bits += part.bits; }
    return bits;
}

bool Packing::pack(const std::byte* state, std::uint64_t* parts) const {
    std::uint64_t misfit = 0;
    for (std::size_t word = 0; word < base_.size(); ++word) {
        misfit |= (load(state, word) ^ base_[word]) & outside_[word];
    }
    if (misfit != 0) { return false; }
    if (path_ == Path::portable) {
        pack_portable(state, parts);
    } else {
        pack_bmi2(state, parts);
    }
    return true;
}

Packing::Difference Packing::take_back(const std::byte* before, const std::uint64_t* before_parts,
                                       std::byte* after, std::uint64_t* parts,
                                       std::uint64_t* missing) const {
    std::copy_n(before_parts, parts_.size(), parts);
    switch (path_) {
        case Path::avx512: return take_back_avx512(before, after, parts, missing);
        case Path::avx2: return take_back_avx2(before, after, parts, missing);
        case Path::portable: break;
    }
    return take_back_portable(before, after, parts, missing);
}

void Packing::unpack(const std::uint64_t* parts, std::byte* state) const {
    static constexpr std::array<std::uint64_t, parts_max> base{};
    std::memcpy(state, base_.data(), base_.size() * sizeof base_[0]);
    unpack_over(base.data(), parts, state);
}

void Packing::unpack_over(const std::uint64_t* from, const std::uint64_t* to,
                          std::byte* state) const {
    if (path_ == Path::portable) {
        toggle_parts_portable(from, to, state);
    } else {
        toggle_parts_bmi2(from, to, state);
    }
}

std::uint32_t Packing::parts_of(std::uint32_t components) const {
    std::uint32_t parts = 0;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        parts |= (components >> parts_[part].component & 1U) << part;
    }
    return parts;
}

void Packing::mark(std::span<const std::uint8_t> bytes, std::uint64_t* parts) const {
    std::fill_n(parts, parts_.size(), 0);
    for (const Lane& lane : word_lanes_) {
        std::uint64_t marked = 0;
        for (std::uint32_t byte = 0; byte < sizeof marked; ++byte) {
            if (bytes[lane.word * sizeof marked + byte] != 0) { marked |= byte_mask(byte); }
        }
        parts[lane.part] |= gather(marked, lane.mask) << lane.shift;
    }
}

void Packing::collect_missing(const std::byte* state, std::uint64_t* missing) const {
    for (std::size_t word = 0; word < base_.size(); ++word) {
        missing[word] |= (load(state, word) ^ base_[word]) & outside_[word];
    }
}

void Packing::widen(std::span<const std::uint64_t> missing) {
    for (const Share& share : shares_) {
        add_lanes(share, missing[share.word] & outside_[share.word] & share.mask);
    }
    for (std::size_t word = 0; word < base_.size(); ++word) { outside_[word] &= ~missing[word]; }
    is_compact_ = false;
    sort_lanes();
}

Packing Packing::compacted() const {
    std::vector<std::uint8_t> components(base_.size() * sizeof(std::uint64_t));
    for (const Share& share : shares_) {
        for (std::uint32_t byte = 0; byte < sizeof(std::uint64_t); ++byte) {
            if ((share.mask & byte_mask(byte)) != 0) {
                components[share.word * sizeof(std::uint64_t) + byte] = share.component;
            }
        }
    }
    Packing result(std::as_bytes(std::span(base_)), path_, components);
    std::vector<std::uint64_t> masks(base_.size());
    for (std::size_t word = 0; word < base_.size(); ++word) { masks[word] = ~outside_[word]; }
    result.widen(masks);
    result.is_compact_ = true;
    return result;
}

// The last part of the component, or a new one if that is full.
Packing::Part& Packing::part_with_room(std::uint8_t component) {
    for (std::size_t part = parts_.size(); part-- > 0;) {
        if (parts_[part].component != component) { continue; }
        if (parts_[part].bits < word_bits) { return parts_[part]; }
        break;
    }
    if (parts_.size() == parts_max) {
        throw std::length_error("a state needs more than " + std::to_string(parts_max * word_bits) +
                                " bits to tell it from the others: choose smaller bounds");
    }
    return parts_.emplace_back(Part{component, 0, 0});
}

// A lane never straddles two parts: it is split where the first one is full.
void Packing::add_lanes(const Share& share, std::uint64_t mask) {
    while (mask != 0) {
        Part& part = part_with_room(share.component);
        const std::uint32_t count =
            std::min(static_cast<std::uint32_t>(std::popcount(mask)), word_bits - part.bits);
        const std::uint64_t taken = lowest_bits(mask, count);
        const auto number = static_cast<std::uint32_t>(&part - parts_.data());
        lanes_.push_back({taken, share.word, number, part.bits});
        part.bits += count;
        mask &= ~taken;
    }
}

void Packing::sort_lanes() {
    std::ranges::stable_sort(lanes_, {}, &Lane::part);
    std::uint32_t end = 0;
    for (std::uint32_t part = 0; part < parts_.size(); ++part) {
        while (end < lanes_.size() && lanes_[end].part == part) { ++end; }
        parts_[part].lanes_end = end;
    }
    word_lanes_ = lanes_;
    std::ranges::stable_sort(word_lanes_, {}, &Lane::word);
    std::uint32_t lane = 0;
    for (std::size_t word = 0; word < base_.size(); ++word) {
        word_lanes_begin_[word] = lane;
        while (lane < word_lanes_.size() && word_lanes_[lane].word == word) { ++lane; }
    }
    word_lanes_begin_.back() = lane;
}

template <class ChangedWords, class Gather>
[[gnu::always_inline]] inline Packing::Difference Packing::take_back_words(
    const std::byte* before, std::byte* after, std::uint64_t* parts, std::uint64_t* missing,
    ChangedWords changed_words_in, Gather gather_bits) const {
    Difference difference;
    for (std::size_t first = 0; first < base_.size(); first += word_bits) {
        const std::size_t words = std::min<std::size_t>(word_bits, base_.size() - first);
        const std::size_t at = first * sizeof(std::uint64_t);
        std::uint64_t changed_words = changed_words_in(before + at, after + at, words);
        difference.is_any = difference.is_any || changed_words != 0;
        for (; changed_words != 0; changed_words &= changed_words - 1) {
            const std::size_t word =
                first + static_cast<std::size_t>(std::countr_zero(changed_words));
            const std::uint64_t changed = load(before, word) ^ load(after, word);
            toggle(after, word, changed);
            const std::uint64_t misfit = changed & outside_[word];
            if (misfit != 0) {
                missing[word] |= misfit;
                difference.is_misfit = true;
            }
            for (auto lane = word_lanes_begin_[word]; lane < word_lanes_begin_[word + 1]; ++lane) {
                const Lane& to = word_lanes_[lane];
                const std::uint64_t bits = gather_bits(changed, to.mask);
                parts[to.part] ^= bits << to.shift;
                difference.parts |= static_cast<std::uint32_t>(bits != 0) << to.part;
            }
        }
    }
    return difference;
}

Packing::Difference Packing::take_back_portable(const std::byte* before, std::byte* after,
                                                std::uint64_t* parts,
                                                std::uint64_t* missing) const {
    return take_back_words(before, after, parts, missing, changed_words_portable, gather);
}

void Packing::pack_portable(const std::byte* state, std::uint64_t* parts) const {
    const Lane* lane = lanes_.data();
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        std::uint64_t bits = 0;
        for (const Lane* end = lanes_.data() + parts_[part].lanes_end; lane != end; ++lane) {
            bits |= gather(load(state, lane->word) ^ base_[lane->word], lane->mask) << lane->shift;
        }
        parts[part] = bits;
    }
}

template <class Scatter>
[[gnu::always_inline]] inline void Packing::toggle_parts(const std::uint64_t* from,
                                                         const std::uint64_t* to, std::byte* state,
                                                         Scatter scatter_bits) const {
    const Lane* lane = lanes_.data();
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        const Lane* const end = lanes_.data() + parts_[part].lanes_end;
        const std::uint64_t changed = from[part] ^ to[part];
        for (; changed != 0 && lane != end; ++lane) {
            toggle(state, lane->word, scatter_bits(changed >> lane->shift, lane->mask));
        }
        lane = end;
    }
}

void Packing::toggle_parts_portable(const std::uint64_t* from, const std::uint64_t* to,
                                    std::byte* state) const {
    toggle_parts(from, to, state, scatter);
}

#ifdef __x86_64__

// The instructions are chosen at run time, so that a build for any x86-64 has them.
[[gnu::target("bmi2")]] void Packing::pack_bmi2(const std::byte* state,
                                                std::uint64_t* parts) const {
    const Lane* lane = lanes_.data();
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        std::uint64_t bits = 0;
        for (const Lane* end = lanes_.data() + parts_[part].lanes_end; lane != end; ++lane) {
            bits |= _pext_u64(load(state, lane->word) ^ base_[lane->word], lane->mask)
                    << lane->shift;
        }
        parts[part] = bits;
    }
}

[[gnu::target("avx2,bmi2")]] Packing::Difference Packing::take_back_avx2(
    const std::byte* before, std::byte* after, std::uint64_t* parts, std::uint64_t* missing) const {
    const auto pext = [](std::uint64_t word, std::uint64_t mask) __attribute__((target("bmi2"))) {
        return _pext_u64(word, mask);
    };
    return take_back_words(before, after, parts, missing, changed_words_avx2, pext);
}

[[gnu::target("avx512f,bmi2")]] Packing::Difference Packing::take_back_avx512(
    const std::byte* before, std::byte* after, std::uint64_t* parts, std::uint64_t* missing) const {
    const auto pext = [](std::uint64_t word, std::uint64_t mask) __attribute__((target("bmi2"))) {
        return _pext_u64(word, mask);
    };
    return take_back_words(before, after, parts, missing, changed_words_avx512, pext);
}

[[gnu::target("bmi2")]] void Packing::toggle_parts_bmi2(const std::uint64_t* from,
                                                        const std::uint64_t* to,
                                                        std::byte* state) const {
    const auto pdep = [](std::uint64_t bits, std::uint64_t mask) __attribute__((target("bmi2"))) {
        return _pdep_u64(bits, mask);
    };
    toggle_parts(from, to, state, pdep);
}

#else

void Packing::pack_bmi2(const std::byte* state, std::uint64_t* parts) const {
    pack_portable(state, parts);
}

Packing::Difference Packing::take_back_avx2(const std::byte* before, std::byte* after,
                                            std::uint64_t* parts, std::uint64_t* missing) const {
    return take_back_portable(before, after, parts, missing);
}

Packing::Difference Packing::take_back_avx512(const std::byte* before, std::byte* after,
                                              std::uint64_t* parts, std::uint64_t* missing) const {
    return take_back_portable(before, after, parts, missing);
}

void Packing::toggle_parts_bmi2(const std::uint64_t* from, const std::uint64_t* to,
                                std::byte* state) const {
    toggle_parts_portable(from, to, state);
}

#endif

}  // namespace ringfence::checker
