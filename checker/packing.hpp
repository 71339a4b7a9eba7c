// State <-> parts: only the bits that can differ, in as few 64-bit words as they need.
//
// Nobody declares how wide a field is. The first initial state is the *base*; a bit is part of the
// packed state once some state was seen in which it differs from the base. The parts hold these
// differences, gathered word by word (pext and pdep where the processor has them, else a loop):
//
//     state   [ word 0 ][ word 1 ][ word 2 ] ...    one-byte members, mostly zero bits
//     lane       mask       -        mask           words without a differing bit cost nothing
//     parts   [ 0 | 2 | .. ][ .. ]                  bits() bits in parts() words
//
// Exact, always: pack() says so if a state differs from the base outside the masks, and the search
// then widens the packing and does the work again. Nothing is ever clipped. Rejected: widths
// declared by the model (a second description of the state that can be wrong), and fingerprints
// (they lose states).
//
// A model may say which bytes of its state belong together (a *component*); no part then holds
// bits of two components, so that each takes few values: see dictionary.hpp.
//
// Because parts hold differences, a bit that is added *behind* the others, or in a new part, is
// zero in every state packed before: widen() leaves old parts valid. compacted() gives the faster
// layout, one lane a word and component, in which states have to be packed again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ringfence::checker {

inline constexpr std::size_t parts_max = 16;

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
    // Which instructions are used, at most: chosen at run time among those of this processor, so
    // that a build for any x86-64 is fast. All paths give the same parts.
    enum class Path : std::uint8_t { portable, avx2, avx512, fastest = avx512 };

    // `base` is a state: whole words. `components` numbers the component of each of its bytes;
    // empty if there is only one.
    explicit Packing(std::span<const std::byte> base, Path path = Path::fastest,
                     std::span<const std::uint8_t> components = {});

    [[nodiscard]] std::size_t state_words() const { return base_.size(); }
    // One for each component in the order of their numbers, then those that a component needed
    // besides because it has more than 64 bits.
    [[nodiscard]] std::size_t parts() const { return parts_.size(); }
    [[nodiscard]] bool has_part_per_component() const { return parts_.size() == components_; }
    // Those of the components in a set, both as bits.
    [[nodiscard]] std::uint32_t parts_of(std::uint32_t components) const;
    // Of parts the bits that lie in these bytes of a state, which are marked by other than 0.
    void mark(std::span<const std::uint8_t> bytes, std::uint64_t* parts) const;
    [[nodiscard]] std::uint32_t bits() const;
    [[nodiscard]] std::uint32_t bits_of_last_part() const { return parts_.back().bits; }
    [[nodiscard]] bool is_compact() const { return is_compact_; }

    // False, and `parts` unspecified, if the state does not fit. A state is state_words() * 8
    // bytes.
    [[nodiscard]] bool pack(const std::byte* state, std::uint64_t* parts) const;
    void unpack(const std::uint64_t* parts, std::byte* state) const;
    // The same where `state` is unpacked from other parts: only what differs is touched.
    void unpack_over(const std::uint64_t* from, const std::uint64_t* to, std::byte* state) const;

    // What a step made of a state.
    struct Difference {
        bool is_any = false;      // a bit changed
        bool is_misfit = false;   // one that has no place: `parts` is unspecified
        std::uint32_t parts = 0;  // bit j: part j changed
    };

    // Packs `after`, a successor of `before` whose parts are known, and makes `after` equal to
    // `before` again. A step changes few words, and parts hold differences: only what changed is
    // gathered, toggled in the predecessor's parts, and put back. Bits that have no place are
    // added to `missing`, one word for each of the state's.
    [[nodiscard]] Difference take_back(const std::byte* before, const std::uint64_t* before_parts,
                                       std::byte* after, std::uint64_t* parts,
                                       std::uint64_t* missing) const;

    // Adds the bits that `state` needs and this packing lacks to `missing`, one word for each.
    void collect_missing(const std::byte* state, std::uint64_t* missing) const;

    // Throws std::length_error if a state needs more than parts_max parts.
    void widen(std::span<const std::uint64_t> missing);
    [[nodiscard]] Packing compacted() const;

  private:
    // Bits of one state word that are neighbours in one part.
    struct Lane {
        std::uint64_t mask;
        std::uint32_t word;
        std::uint32_t part;
        std::uint32_t shift;  // of the lowest bit in the part
    };
    // The bits of a state word that belong to one component.
    struct Share {
        std::uint64_t mask;
        std::uint32_t word;
        std::uint8_t component;
    };
    struct Part {
        std::uint8_t component;
        std::uint32_t bits;
        std::uint32_t lanes_end;  // in lanes_
    };

    void add_lanes(const Share& share, std::uint64_t mask);
    void sort_lanes();
    [[nodiscard]] Part& part_with_room(std::uint8_t component);
    template <class ChangedWords, class Gather>
    Difference take_back_words(const std::byte* before, std::byte* after, std::uint64_t* parts,
                               std::uint64_t* missing, ChangedWords changed_words,
                               Gather gather) const;
    Difference take_back_portable(const std::byte* before, std::byte* after, std::uint64_t* parts,
                                  std::uint64_t* missing) const;
    Difference take_back_avx2(const std::byte* before, std::byte* after, std::uint64_t* parts,
                              std::uint64_t* missing) const;
    Difference take_back_avx512(const std::byte* before, std::byte* after, std::uint64_t* parts,
                                std::uint64_t* missing) const;
    void pack_portable(const std::byte* state, std::uint64_t* parts) const;
    void pack_bmi2(const std::byte* state, std::uint64_t* parts) const;
    template <class Scatter>
    void toggle_parts(const std::uint64_t* from, const std::uint64_t* to, std::byte* state,
                      Scatter scatter) const;
    void toggle_parts_portable(const std::uint64_t* from, const std::uint64_t* to,
                               std::byte* state) const;
    void toggle_parts_bmi2(const std::uint64_t* from, const std::uint64_t* to,
                           std::byte* state) const;

    std::vector<std::uint64_t> base_;
    std::vector<std::uint64_t> outside_;  // bits that must equal the base's
    std::vector<Share> shares_;
    std::vector<Part> parts_;
    std::size_t components_ = 0;
    std::vector<Lane> lanes_;  // by part

    // The lanes once more, by state word: those of word w begin at word_lanes_begin_[w].
    std::vector<Lane> word_lanes_;
    std::vector<std::uint32_t> word_lanes_begin_;
    Path path_;
    bool is_compact_ = true;
};

}  // namespace ringfence::checker
