// State <-> packed key: only the bits that can differ, in as few 64-bit words as they need.
//
// Nobody declares how wide a field is. The first initial state is the *base*; a bit is part of the
// key once some state was seen in which it differs from the base. The key holds these differences,
// gathered word by word (pext and pdep where the processor has them, a loop elsewhere):
//
//     state   [ word 0 ][ word 1 ][ word 2 ] ...    one-byte members, mostly zero bits
//     lane       mask       -        mask           words without a differing bit cost nothing
//     key     [ 0 | 2 | .. ][ .. ]                  key_bits() bits in key_words() words
//
// Exact, always: pack() says so if a state differs from the base outside the masks, and the search
// then widens the packing and does the work again. Nothing is ever clipped. Rejected: widths
// declared by the model (a second description of the state that can be wrong), and fingerprints
// (they lose states).
//
// Because keys hold differences, a bit that is added *behind* the others is zero in every key
// packed before: widen() leaves old keys valid as long as key_words() stays the same. compacted()
// gives the faster layout, one lane a word, in which old keys have to be packed again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ringfence::checker {

inline constexpr std::size_t key_words_max = 16;

// A state as the packing sees it: plain memory, in whole words.
template <class State>
[[nodiscard]] const std::byte* bytes_of(const State& state) {
    return std::as_bytes(std::span(&state, 1)).data();
}
template <class State>
[[nodiscard]] std::byte* writable_bytes_of(State& state) {
    return std::as_writable_bytes(std::span(&state, 1)).data();
}
template <class State>
inline constexpr std::size_t words_of = sizeof(State) / sizeof(std::uint64_t);

class Packing {
  public:
    enum class Path : std::uint8_t { fastest, portable };

    // `base` is a state: as many bytes, whole words.
    explicit Packing(std::span<const std::byte> base, Path path = Path::fastest);

    [[nodiscard]] std::size_t state_words() const { return base_.size(); }
    [[nodiscard]] std::size_t key_words() const { return key_words_; }
    [[nodiscard]] std::uint32_t key_bits() const { return key_bits_; }
    [[nodiscard]] bool is_compact() const { return is_compact_; }

    // False, and `key` unspecified, if the state does not fit. A state is state_words() * 8 bytes.
    [[nodiscard]] bool pack(const std::byte* state, std::uint64_t* key) const;
    void unpack(const std::uint64_t* key, std::byte* state) const;

    // What a step makes of a packed state. `same`: it changed nothing; `misfit`: as in pack().
    enum class Successor : std::uint8_t { same, differs, misfit };

    // Packs `after`, a successor of `before` whose key is known. A step changes few words, and keys
    // hold differences: only what changed is gathered, and toggled in the predecessor's key.
    [[nodiscard]] Successor pack_successor(const std::byte* before, const std::uint64_t* before_key,
                                           const std::byte* after, std::uint64_t* key) const;

    // Adds the bits that `state` needs and this packing lacks to `missing`, one word for each.
    void collect_missing(const std::byte* state, std::uint64_t* missing) const;

    // Throws std::length_error if a state needs more than key_words_max words.
    void widen(std::span<const std::uint64_t> missing);
    [[nodiscard]] Packing compacted() const;

  private:
    // Bits of one state word that are neighbours in one key word.
    struct Lane {
        std::uint64_t mask;
        std::uint64_t base;
        std::uint32_t word;
        std::uint32_t shift;  // of the lowest bit in the key word
    };

    void add_lane(std::uint32_t word, std::uint64_t mask);
    void sort_lanes_by_word();
    template <class Gather>
    bool toggle_changed(std::uint64_t changed, std::size_t first_word, const std::byte* before,
                        const std::byte* after, std::uint64_t* key, Gather gather) const;
    Successor pack_successor_portable(const std::byte* before, const std::byte* after,
                                      std::uint64_t* key) const;
    Successor pack_successor_avx2(const std::byte* before, const std::byte* after,
                                  std::uint64_t* key) const;
    void pack_portable(const std::byte* state, std::uint64_t* key) const;
    void pack_bmi2(const std::byte* state, std::uint64_t* key) const;
    void unpack_portable(const std::uint64_t* key, std::byte* state) const;
    void unpack_bmi2(const std::uint64_t* key, std::byte* state) const;

    std::vector<std::uint64_t> base_;
    std::vector<std::uint64_t> outside_;                    // bits that must equal the base's
    std::vector<Lane> lanes_;                               // in key order
    std::array<std::uint32_t, key_words_max> lanes_end_{};  // per key word

    // The lanes once more, by state word: those of word w begin at word_lanes_begin_[w].
    struct WordLane {
        std::uint64_t mask;
        std::uint32_t key_word;
        std::uint32_t shift;
    };
    std::vector<WordLane> word_lanes_;
    std::vector<std::uint32_t> word_lanes_begin_;
    std::size_t key_words_ = 1;
    std::uint32_t key_bits_ = 0;
    bool uses_bmi2_;
    bool uses_avx2_;
    bool is_compact_ = true;
};

}  // namespace ringfence::checker
