// The fingerprints of one shard: 8 bytes for each state at a load between 0.70 and 0.875, and one
// cache line looked at for most of them.
//
//     word of a fingerprint   [ home: upper 32 bits        ]
//                             [        second: lower 32 bits ]       each scaled to the lines
//
//     lines   [ word word word 0 0 0 0 0 ][ word ... ] ...           8 words each, 0: empty
//
// A fingerprint lives in its home line; where that is full, in its second line; where that is full
// too, in the first line behind that one that is not. At such loads a quarter of the lines are
// full at worst, and following one by the next would make runs of them; the second line is
// anywhere. Nothing is ever taken out, so a line that is not full ends the search for a word.
//
// Inserting is a pipeline: the home line of a fingerprint is prefetched, 16 fingerprints later it
// is looked at, and most are decided then. For those that find their home full the second line is
// prefetched, and they are decided later, in the order in which they came: equal ones go the same
// way, so the first of them counts.
//
// A table grows by a quarter. Words are kept in the order of their homes, nearly, so that is one
// pass over both tables. First sizes are spread over one such step, as those of visited.hpp are,
// and so is who writes what.
#pragma once

#include "checker/fingerprint.hpp"
#include "checker/key_log.hpp"
#include "checker/key_run.hpp"
#include "checker/pages.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ringfence::checker {

class FingerprintTable {
  public:
    // Without any memory; `begin` comes first.
    FingerprintTable() = default;

    // The smallest table, by `share` (0 to 1) of a step larger than others.
    void begin(double share);

    [[nodiscard]] std::uint64_t bytes() const { return table_.bytes() + grown_.bytes(); }
    // Memory that make_room_for() would take besides.
    [[nodiscard]] std::uint64_t bytes_to_hold(std::uint64_t words) const;
    // So many in all. Throws std::bad_alloc; the table is then as it was.
    void make_room_for(std::uint64_t words);

    // Keys whose fingerprint is not there yet are appended to the log and counted by their labels.
    // All must belong to this shard, and there must be room.
    void insert(std::span<const KeyRun> runs, const Fingerprinter& fingerprinter, KeyLog& log,
                NewKeys& counts);

    // False if it is there already. There must be room.
    bool add(std::uint64_t word);

  private:
    static constexpr std::size_t line_words = 8;
    static constexpr std::size_t line_bytes = line_words * sizeof(std::uint64_t);

    struct Pending {
        const std::uint64_t* key;
        std::uint64_t word;
        std::uint8_t label;
    };
    enum class Found : std::uint8_t { known, added, no_room };

    void use_grown();
    [[nodiscard]] std::uint32_t lines_for(std::uint64_t words) const;
    [[nodiscard]] static std::uint64_t words_for(std::uint32_t lines) {
        return std::uint64_t{lines} * line_words * 7 / 8;
    }
    [[nodiscard]] std::uint64_t* line_at(std::uint64_t line) const {
        return table_.as<std::uint64_t>() + line * line_words;
    }
    [[nodiscard]] std::uint64_t* home_of(std::uint64_t word) const {
        return line_at((word >> 32U) * lines_ >> 32U);
    }
    [[nodiscard]] std::uint64_t second_of(std::uint64_t word) const {
        return (word & 0xFFFFFFFFU) * lines_ >> 32U;
    }
    [[nodiscard]] static Found add_to(std::uint64_t* line, std::uint64_t word);
    void put(std::uint64_t word);
    // For one whose home is full and without it.
    bool add_away(std::uint64_t word);

    Pages table_;
    Pages grown_;
    std::uint32_t lines_ = 0;
    std::uint32_t grown_lines_ = 0;
};

}  // namespace ringfence::checker
