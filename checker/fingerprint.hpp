// 70 bits that stand for a state, and the odds that they stand for two.
//
//     sum = b + a[0] n[0] + a[1] n[1] + ...    modulo 2^128; n: the numbers of the key's parts
//
//     sum   [ shard: 6 bits ][ word: 64 bits ][ not used: 58 bits ]
//
// Only the word is stored: the shard that it is in says the rest. Layouts and packings change while
// a search learns what its states look like, numbers do not; and the number 0 adds nothing, so a
// part that comes to be later changes no fingerprint. Plain keys have no numbers: their parts are
// taken in halves, and are never packed again once there are fingerprints of them (level_store.*).
//
// Any two different keys share a fingerprint with probability 2^-70 exactly, over the choice of b
// and all a: the multiply-shift scheme for vectors is strongly universal (Thorup, High Speed
// Hashing for Integers and Strings, theorem 4: 32-bit numbers and 70 bits of result need 101 bits
// of sum). So among n states some two do with at most n (n - 1) / 2^71; with less where states
// differ in few ways, because pairs with the same difference collide together. The coefficients
// were drawn once and know nothing of any model; that the numbering of values depends on them a
// little, by the order of the search, is the one step from theorem to practice.
#pragma once

#include "checker/key_codec.hpp"
#include "checker/packing.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ringfence::checker {

inline constexpr std::uint32_t fingerprint_bits = 70;

struct Fingerprint {
    std::size_t shard;
    std::uint64_t word;  // never 0

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

// An upper limit of the probability that two of so many states share a fingerprint.
[[nodiscard]] inline double odds_of_a_lost_state(std::uint64_t states, std::uint32_t bits) {
    const auto count = static_cast<double>(states);
    double odds = count * std::max(count - 1, 0.0) / 2;
    for (std::uint32_t bit = 0; bit < bits; ++bit) { odds /= 2; }
    return std::min(odds, 1.0);
}

namespace detail {

__extension__ using Wide = unsigned __int128;

// For each part two: plain keys use both.
using Coefficients = std::array<Wide, 2 * parts_max>;

// The generator is SplitMix64 (Steele, Lea, Flood 2014), begun at the first digits of pi.
constexpr Coefficients draw_coefficients() {
    Coefficients drawn{};
    std::uint64_t state = 0x243F6A8885A308D3U;
    const auto next = [&state] {
        state += 0x9E3779B97F4A7C15U;
        std::uint64_t mixed = (state ^ (state >> 30U)) * 0xBF58476D1CE4E5B9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
        return mixed ^ (mixed >> 31U);
    };
    for (Wide& coefficient : drawn) {
        const Wide upper = next();
        coefficient = upper << 64U | next();
    }
    return drawn;
}

inline constexpr Coefficients coefficients = draw_coefficients();
inline constexpr Wide offset = Wide{0x13198A2E03707344U} << 64U | 0xA4093822299F31D0U;

}  // namespace detail

class Fingerprinter {
  public:
    // Of keys as the codec lays them out now. Fewer bits are for tests, which want to see states
    // lost.
    explicit Fingerprinter(const KeyCodec& codec, std::uint32_t bits = fingerprint_bits)
        : bits_(bits), mask_(~std::uint64_t{0} << (fingerprint_bits - bits)) {
        use(codec);
    }

    [[nodiscard]] std::uint32_t bits() const { return bits_; }

    // The layout has changed, and states keep their fingerprints.
    void use(const KeyCodec& codec) {
        fields_ = 0;
        constexpr std::uint64_t half = 0xFFFFFFFFU;
        for (std::uint32_t part = 0; part < codec.parts(); ++part) {
            if (codec.is_plain()) {
                add_field(part * 2, {.mask = half, .word = part, .shift = 0});
                add_field(part * 2 + 1, {.mask = half, .word = part, .shift = 32});
            } else {
                add_field(part, codec.layout().field(part));
            }
        }
    }

    [[nodiscard]] Fingerprint of(const std::uint64_t* key) const {
        detail::Wide sum = detail::offset;
        for (std::size_t index = 0; index < fields_; ++index) {
            const KeyLayout::Field& field = field_[index];
            sum += coefficient_[index] * (key[field.word] >> field.shift & field.mask);
        }
        const auto shard = static_cast<std::size_t>(sum >> 122U);
        const std::uint64_t word = static_cast<std::uint64_t>(sum >> 58U) & mask_;
        return {shard, word == 0 ? 1 : word};
    }

  private:
    void add_field(std::size_t number, const KeyLayout::Field& field) {
        if (field.mask == 0) { return; }
        field_[fields_] = field;
        coefficient_[fields_++] = detail::coefficients[number];
    }

    std::array<KeyLayout::Field, 2 * parts_max> field_{};
    detail::Coefficients coefficient_{};
    std::size_t fields_ = 0;  // in use
    std::uint32_t bits_;
    std::uint64_t mask_;  // of the word; the shard is always whole
};

}  // namespace ringfence::checker
