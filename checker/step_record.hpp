// The steps of a scope as they are kept: what is the same for all states that agree in the scope,
// in one run of words.
//
//     [ claims ][ header ][ key ][ move move .. ][ cells | verbs | actions ]
//     claims      of the scope (Property::claims_in)
//     header      sizes and flags, one word
//     key         under the mask of the scope
//     move        by which bits the key of a successor differs; the last one may be the part that
//                 the scope has in a joint step (HasScopes)
//     cells       what the steps count, 2 bytes each (Findings::cell_of)
//     verbs       of the moves, 1 byte each
//     actions     that a law or witness looks at from beyond the scope: taken in each state
#pragma once

#include "checker/claims.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace ringfence::checker {

class StepRecord {
  public:
    struct Header {
        std::uint16_t words = 0;  // of the whole record
        std::uint16_t moves = 0;  // but for one of a joint step
        std::uint16_t cells = 0;
        std::uint8_t scope = 0;
        bool is_healed : 1 = false;
        bool is_cut : 1 = false;
        bool is_direct : 1 = false;    // all steps are to be taken anew in each state
        bool has_joint : 1 = false;    // a joint step is enabled
        bool tells_joint : 1 = false;  // one alone, and the scope's part in it is a move
        std::uint8_t actions : 3 = 0;
    };
    static constexpr std::size_t actions_max = 7;
    static_assert(sizeof(Header) == sizeof(std::uint64_t), "one word, so one register");
    static constexpr std::size_t words_before_key = 2;

    StepRecord(const std::uint64_t* words, std::size_t key_words)
        : words_(words), key_words_(key_words) {}

    [[nodiscard]] AllClaims claims() const { return words_[0]; }
    [[nodiscard]] Header header() const { return std::bit_cast<Header>(header_word()); }
    [[nodiscard]] std::uint64_t header_word() const { return words_[1]; }
    [[nodiscard]] const std::uint64_t* words() const { return words_; }
    [[nodiscard]] const std::uint64_t* key() const { return words_ + words_before_key; }
    [[nodiscard]] const std::uint64_t* moves() const { return key() + key_words_; }
    template <class Visit>
    void for_each_cell(const Visit& visit) const {
        const std::uint8_t* at = bytes(header());
        const std::uint8_t* const end = verbs(header());
        for (std::uint16_t cell = 0; at != end; at += sizeof cell) {
            std::memcpy(&cell, at, sizeof cell);
            visit(cell);
        }
    }
    [[nodiscard]] const std::uint8_t* verbs(const Header& header) const {
        return bytes(header) + header.cells * sizeof(std::uint16_t);
    }
    // If it tells one: behind the others.
    [[nodiscard]] const std::uint64_t* joint_move() const {
        return moves() + header().moves * key_words_;
    }
    [[nodiscard]] std::uint8_t joint_verb() const { return verbs(header())[header().moves]; }

    template <class Action>
    [[nodiscard]] Action action(const Header& header, std::size_t index) const {
        static_assert(std::is_trivially_copyable_v<Action>);
        Action action;
        std::memcpy(&action, verbs(header) + all_moves(header) + index * sizeof action,
                    sizeof action);
        return action;
    }

    // What a record is made of. So many bytes behind each run of items may be read.
    static constexpr std::size_t bytes_behind = sizeof(std::uint64_t);
    template <class Action>
    struct Content {
        const std::uint64_t* moves;  // key_words for each verb
        std::span<const std::uint8_t> verbs;
        std::span<const std::uint16_t> cells;
        std::span<const Action> actions;

        [[nodiscard]] std::size_t words(std::size_t key_words) const {
            const std::size_t bytes = cells.size_bytes() + verbs.size() + actions.size_bytes();
            return words_before_key + (1 + verbs.size()) * key_words +
                   (bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
        }
    };
    // Into content.words(key_words) words, behind which bytes_behind may be written too; in the
    // header these and the sizes are still to be filled in.
    template <class Action>
    static void write(AllClaims claims, Header header, const std::uint64_t* key,
                      std::size_t key_words, const Content<Action>& content, std::uint64_t* words) {
        header.words = static_cast<std::uint16_t>(content.words(key_words));
        header.moves = static_cast<std::uint16_t>(content.verbs.size() - header.tells_joint);
        header.cells = static_cast<std::uint16_t>(content.cells.size());
        header.actions = content.actions.size() & actions_max;
        words[0] = claims;
        words[1] = std::bit_cast<std::uint64_t>(header);
        auto* bytes = reinterpret_cast<std::byte*>(words + words_before_key);
        bytes = append(std::span(key, key_words), bytes);
        bytes = append(std::span(content.moves, content.verbs.size() * key_words), bytes);
        bytes = append(content.cells, bytes);
        bytes = append(content.verbs, bytes);
        append(content.actions, bytes);
    }

    // So many words at a time: there must be room for as many behind a record.
    static constexpr std::size_t copied_words = 8;
    static void copy(const std::uint64_t* from, std::size_t words, std::uint64_t* to) {
        for (std::size_t word = 0; word < words; word += copied_words) {
            std::memcpy(to + word, from + word, copied_words * sizeof *from);
        }
    }

  private:
    // Of what there is but little: a word at a time, which is quicker than a call.
    template <class T>
    static std::byte* append(std::span<const T> items, std::byte* bytes) {
        const auto* from = reinterpret_cast<const std::byte*>(items.data());
        for (std::size_t at = 0; at < items.size_bytes(); at += bytes_behind) {
            std::memcpy(bytes + at, from + at, bytes_behind);
        }
        return bytes + items.size_bytes();
    }

    [[nodiscard]] const std::uint8_t* bytes(const Header& header) const {
        return reinterpret_cast<const std::uint8_t*>(moves() + all_moves(header) * key_words_);
    }
    [[nodiscard]] static std::size_t all_moves(const Header& header) {
        return std::size_t{header.moves} + header.tells_joint;
    }

    const std::uint64_t* words_;
    std::size_t key_words_;
};

// What the records of a state's scopes tell together.
class HeadersOfState {
  public:
    void add(const StepRecord& record) {
        any_ |= record.header_word();
        all_ &= record.header_word();
    }
    // Of one of them at least.
    [[nodiscard]] StepRecord::Header any() const { return std::bit_cast<StepRecord::Header>(any_); }
    [[nodiscard]] StepRecord::Header all() const { return std::bit_cast<StepRecord::Header>(all_); }
    // Is the joint step that is enabled told by all of them, if any is?
    [[nodiscard]] bool tell_joint() const { return any().has_joint == all().tells_joint; }
    // Has the state no steps but those that they tell?
    [[nodiscard]] bool are_complete() const {
        return !any().is_direct && any().actions == 0 && tell_joint();
    }

  private:
    std::uint64_t any_ = 0;
    std::uint64_t all_ = ~std::uint64_t{0};
};

}  // namespace ringfence::checker
