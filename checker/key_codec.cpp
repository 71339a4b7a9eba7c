#include "checker/key_codec.hpp"

#include <numeric>

namespace ringfence::checker {

namespace {

constexpr std::uint32_t word_bits = 64;
constexpr std::uint32_t number_bits_max = 32;

struct Room {
    std::uint32_t bits;  // that a field needs, and then gets
    std::uint32_t word;
};

// First fit; a field lies in one word.
std::uint32_t place(std::vector<Room>& rooms) {
    std::array<std::uint32_t, key_words_max> used{};
    std::uint32_t words = 1;
    for (Room& room : rooms) {
        room.word = 0;
        while (used[room.word] + room.bits > word_bits) { ++room.word; }
        used[room.word] += room.bits;
        words = std::max(words, room.word + 1);
    }
    return words;
}

void share_out_rest(std::vector<Room>& rooms, std::uint32_t words) {
    for (std::uint32_t word = 0; word < words; ++word) {
        std::uint32_t used = 0;
        for (const Room& room : rooms) {
            if (room.word == word) { used += room.bits; }
        }
        std::uint32_t left = (word + 1 == words ? (used + 7) / 8 * 8 : word_bits) - used;
        for (bool has_grown = true; has_grown && left > 0;) {
            has_grown = false;
            for (Room& room : rooms) {
                const bool may_grow =
                    room.word == word && room.bits > 0 && room.bits < number_bits_max && left > 0;
                if (!may_grow) { continue; }
                ++room.bits;
                --left;
                has_grown = true;
            }
        }
    }
}

}  // namespace

KeyLayout::KeyLayout(std::span<const std::uint32_t> sizes) {
    std::vector<Room> rooms;
    for (const std::uint32_t size : sizes) {
        // A part that never changed gets no bit: most never will.
        const auto needed = static_cast<std::uint32_t>(std::bit_width(size - 1));
        rooms.push_back({needed == 0 ? 0 : std::min(needed + 1, number_bits_max), 0});
    }
    key_words_ = place(rooms);
    share_out_rest(rooms, static_cast<std::uint32_t>(key_words_));
    std::array<std::uint32_t, key_words_max> used{};
    for (const Room& room : rooms) {
        const std::uint32_t shift = room.bits == 0 ? 0 : used[room.word];
        fields_.push_back({(std::uint64_t{1} << room.bits) - 1, room.word, shift});
        used[room.word] += room.bits;
    }
}

std::uint32_t KeyLayout::bits() const {
    std::uint32_t bits = 0;
    for (const Field& field : fields_) {
        bits += static_cast<std::uint32_t>(std::popcount(field.mask));
    }
    return bits;
}

KeyLayout::Mask KeyLayout::mask_of(std::uint32_t parts) const {
    Mask mask{};
    for (; parts != 0; parts &= parts - 1) {
        const Field& field = fields_[static_cast<std::size_t>(std::countr_zero(parts))];
        mask[field.word] |= field.mask << field.shift;
    }
    return mask;
}

KeyFormat KeyLayout::format() const {
    std::uint32_t last_bits = 0;
    for (const Field& field : fields_) {
        if (field.word + 1 != key_words_) { continue; }
        last_bits += static_cast<std::uint32_t>(std::popcount(field.mask));
    }
    return {key_words_, last_bits};
}

KeyCodec::KeyCodec(Kind kind, std::size_t parts)
    : kind_(kind),
      parts_(parts),
      dictionaries_(kind == Kind::plain ? 0 : parts),
      layout_(sizes()) {}

std::vector<std::uint32_t> KeyCodec::sizes() const {
    std::vector<std::uint32_t> sizes;
    for (const Dictionary& dictionary : dictionaries_) { sizes.push_back(dictionary.size()); }
    return sizes;
}

void KeyCodec::learn(const std::uint64_t* parts) {
    for (std::size_t part = 0; part < dictionaries_.size(); ++part) {
        dictionaries_[part].add(parts[part]);
    }
}

bool KeyCodec::has_room() const {
    for (std::size_t part = 0; part < dictionaries_.size(); ++part) {
        if (!layout_.holds(part, dictionaries_[part].size())) { return false; }
    }
    return true;
}

KeyLayout KeyCodec::roomy_layout() const { return KeyLayout(sizes()); }

void KeyCodec::add_parts(std::size_t parts) {
    parts_ = parts;
    if (!is_plain()) { dictionaries_.resize(parts); }
}

std::uint64_t KeyCodec::bytes() const { return bytes_after_learning(0); }

std::uint64_t KeyCodec::bytes_after_learning(std::uint64_t states) const {
    return std::accumulate(dictionaries_.begin(), dictionaries_.end(), std::uint64_t{0},
                           [&](std::uint64_t bytes, const Dictionary& dictionary) {
                               return bytes + dictionary.bytes_with(states);
                           });
}

}  // namespace ringfence::checker
