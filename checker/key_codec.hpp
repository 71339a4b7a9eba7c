// Parts of a packed state <-> key, as the store holds it.
//
//     plain       the parts themselves, a word each
//     numbered    for each part the number of its value (dictionary.hpp), in as few words as the
//                 numbers need:    [ number of part 0 | number of part 1 | .. ][ .. ]
//
// Plain suits small states, whose bits are fewer than the numbers would need; numbered those that
// consist of components.
//
// While states are expanded the codec is only read: a value without a number makes encode() fail,
// and the search numbers it between rounds, in the order of its work. So keys are the same for any
// number of workers.
#pragma once

#include "checker/dictionary.hpp"
#include "checker/key_log.hpp"
#include "checker/packing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ringfence::checker {

static_assert(key_words_max >= parts_max, "a plain key has a word for each part");

// Where in a key the number of each part stands.
class KeyLayout {
  public:
    struct Field {
        std::uint64_t mask = 0;  // of a number
        std::uint32_t word = 0;
        std::uint32_t shift = 0;

        [[nodiscard]] std::uint32_t number(const std::uint64_t* key) const {
            return static_cast<std::uint32_t>(key[word] >> shift & mask);
        }
    };

    // Fields that hold numbers below `sizes`, with what is left of the words (of the last one, of
    // its bytes) shared out among them, so that they last.
    explicit KeyLayout(std::span<const std::uint32_t> sizes);

    [[nodiscard]] std::size_t parts() const { return fields_.size(); }
    [[nodiscard]] std::size_t key_words() const { return key_words_; }
    [[nodiscard]] const Field& field(std::size_t part) const { return fields_[part]; }
    [[nodiscard]] std::uint32_t number(const std::uint64_t* key, std::size_t part) const {
        return fields_[part].number(key);
    }
    // The key must hold the number 0 there.
    void put(std::uint64_t* key, std::size_t part, std::uint32_t number) const {
        const Field& field = fields_[part];
        key[field.word] |= std::uint64_t{number} << field.shift;
    }
    [[nodiscard]] bool holds(std::size_t part, std::uint32_t size) const {
        return size - 1 <= fields_[part].mask;
    }
    [[nodiscard]] std::uint32_t bits() const;
    [[nodiscard]] KeyFormat format() const;

    // Of these parts: the bits of their numbers in a key.
    using Mask = std::array<std::uint64_t, key_words_max>;
    [[nodiscard]] Mask mask_of(std::uint32_t parts) const;

  private:
    std::vector<Field> fields_;
    std::size_t key_words_ = 1;
};

class KeyCodec {
  public:
    enum class Kind : std::uint8_t { plain, numbered };

    KeyCodec(Kind kind, std::size_t parts);

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] bool is_plain() const { return kind_ == Kind::plain; }
    [[nodiscard]] std::size_t parts() const { return parts_; }
    [[nodiscard]] std::size_t key_words() const {
        return is_plain() ? parts_ : layout_.key_words();
    }
    [[nodiscard]] const KeyLayout& layout() const { return layout_; }
    [[nodiscard]] const Dictionary& dictionary(std::size_t part) const {
        return dictionaries_[part];
    }
    [[nodiscard]] Dictionary& dictionary(std::size_t part) { return dictionaries_[part]; }

    void copy_key(const std::uint64_t* from, std::uint64_t* to) const {
        *to = *from;
        if (key_words() > 1) { std::copy_n(from + 1, key_words() - 1, to + 1); }
    }

    void decode(const std::uint64_t* key, std::uint64_t* parts) const {
        if (is_plain()) {
            std::copy_n(key, parts_, parts);
            return;
        }
        for (std::size_t part = 0; part < parts_; ++part) {
            parts[part] = dictionaries_[part].value(layout_.number(key, part));
        }
    }

    // The key of a state with these parts. False, and `key` unspecified, if a value has no number
    // yet.
    [[nodiscard]] bool encode(const std::uint64_t* parts, std::uint64_t* key) const {
        if (is_plain()) {
            std::copy_n(parts, parts_, key);
            return true;
        }
        static constexpr std::array<std::uint64_t, key_words_max> base{};
        return encode_change(base.data(), all_parts(), parts, key);
    }
    // For numbered keys: by which bits the key of `before` becomes that of a state whose parts
    // differ where `changed` has a bit. False likewise.
    [[nodiscard, gnu::always_inline]] bool encode_change(const std::uint64_t* before,
                                                         std::uint32_t changed,
                                                         const std::uint64_t* parts,
                                                         std::uint64_t* change) const {
        if (layout_.key_words() == 1) {  // the usual width
            std::uint64_t bits = 0;
            const bool is_known =
                for_each_change(before, changed, parts,
                                [&bits](std::uint32_t, std::uint64_t of_part) { bits |= of_part; });
            *change = bits;
            return is_known;
        }
        std::fill_n(change, layout_.key_words(), 0);
        return for_each_change(
            before, changed, parts,
            [change](std::uint32_t word, std::uint64_t of_part) { change[word] |= of_part; });
    }

    // Asks for the memory that decode() will read.
    [[gnu::always_inline]] void prefetch_values(const std::uint64_t* key) const {
        for (std::size_t part = 0; part < dictionaries_.size(); ++part) {
            dictionaries_[part].prefetch_value(layout_.number(key, part));
        }
    }
    // Asks for the memory that encode() will read.
    [[gnu::always_inline]] void prefetch(std::uint32_t changed, const std::uint64_t* parts) const {
        for (; changed != 0; changed &= changed - 1) {
            const auto part = static_cast<std::size_t>(std::countr_zero(changed));
            dictionaries_[part].prefetch(parts[part]);
        }
    }

    // Numbers the values of these parts. Afterwards keys may have too little room for them.
    // Throws std::bad_alloc; numbers given until then stay.
    void learn(const std::uint64_t* parts);
    [[nodiscard]] bool has_room() const;
    // A layout with room for all numbers. Keys written before are to be translated.
    [[nodiscard]] KeyLayout roomy_layout() const;
    void use(const KeyLayout& layout) { layout_ = layout; }
    // The packing has more parts now. Old keys stay valid if they are as long as before (plain),
    // or once translated to a roomy layout (numbered).
    void add_parts(std::size_t parts);

    // Memory owned now, and at most after learning so many states.
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] std::uint64_t bytes_after_learning(std::uint64_t states) const;

  private:
    // Calls visit(word, bits) for each part that changes. False if a value has no number yet.
    template <class Visit>
    [[nodiscard, gnu::always_inline]] bool for_each_change(const std::uint64_t* before,
                                                           std::uint32_t changed,
                                                           const std::uint64_t* parts,
                                                           const Visit& visit) const {
        for (; changed != 0; changed &= changed - 1) {
            const auto part = static_cast<std::size_t>(std::countr_zero(changed));
            const std::uint32_t number = dictionaries_[part].find(parts[part]);
            if (number == Dictionary::unknown) { return false; }
            const KeyLayout::Field& field = layout_.field(part);
            visit(field.word, std::uint64_t{number ^ field.number(before)} << field.shift);
        }
        return true;
    }
    [[nodiscard]] std::uint32_t all_parts() const {
        return static_cast<std::uint32_t>((std::uint64_t{1} << parts_) - 1);
    }
    [[nodiscard]] std::vector<std::uint32_t> sizes() const;

    Kind kind_;
    std::size_t parts_;
    std::vector<Dictionary> dictionaries_;  // numbered: one for each part
    KeyLayout layout_;
};

}  // namespace ringfence::checker
