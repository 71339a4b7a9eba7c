#include "checker/step_record.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace ringfence::checker {

namespace {

struct Action {
    std::uint16_t verb;
    std::uint8_t actor;
    friend bool operator==(const Action&, const Action&) = default;
};

constexpr StepRecord::Header some_header{
    .scope = 3, .is_healed = true, .is_cut = false, .is_direct = true};

}  // namespace

TEST_CASE("a record gives back what it was made of, for keys of one word and of more") {
    const std::vector<std::uint64_t> key{11, 12, 13};
    const std::vector<std::uint64_t> moves{21, 22, 23, 24, 25, 26};
    const std::vector<std::uint16_t> cells{1000, 7, 65535};
    const std::vector<Action> actions{{300, 1}, {2, 255}};
    for (const std::size_t key_words : {1U, 3U}) {
        CAPTURE(key_words);
        const std::vector<std::uint8_t> verbs(moves.size() / key_words, 9);
        const StepRecord::Content<Action> content{moves.data(), verbs, cells, actions};
        std::vector<std::uint64_t> words(content.words(key_words) + 1, 77);
        StepRecord::write(5, some_header, key.data(), key_words, content, words.data());
        CHECK(words.back() == 77);

        const StepRecord record(words.data(), key_words);
        const StepRecord::Header header = record.header();
        CHECK(header.words == content.words(key_words));
        CHECK(record.claims() == 5);
        CHECK(header.scope == 3);
        CHECK(header.is_healed);
        CHECK(!header.is_cut);
        CHECK(header.is_direct);
        CHECK(std::equal(key.begin(), key.begin() + static_cast<int>(key_words), record.key()));
        CHECK(header.moves == verbs.size());
        CHECK(std::equal(moves.begin(), moves.end(), record.moves()));
        CHECK(std::equal(verbs.begin(), verbs.end(), record.verbs(header)));
        CHECK(header.cells == cells.size());
        std::vector<std::uint16_t> cells_told;
        record.for_each_cell([&](std::uint16_t cell) { cells_told.push_back(cell); });
        CHECK(cells_told == cells);
        CHECK(header.actions == actions.size());
        for (std::size_t item = 0; item < actions.size(); ++item) {
            CHECK(record.action<Action>(header, item) == actions[item]);
        }
    }
}

TEST_CASE("a record is complete if no state has more steps than it tells") {
    CHECK(StepRecord::Header{}.is_complete());
    CHECK(!StepRecord::Header{.is_direct = true}.is_complete());
    CHECK(!StepRecord::Header{.actions = 1}.is_complete());
}

TEST_CASE("headers joined tell what is true of one of them at least") {
    const auto joined = [](const StepRecord::Header& one, const StepRecord::Header& other) {
        return std::bit_cast<StepRecord::Header>(std::bit_cast<std::uint64_t>(one) |
                                                 std::bit_cast<std::uint64_t>(other));
    };
    const StepRecord::Header plain{.words = 9, .moves = 3, .cells = 2, .scope = 1};
    CHECK(joined(plain, plain).is_complete());
    CHECK(!joined(plain, plain).is_healed);
    CHECK(joined({.is_healed = true}, plain).is_healed);
    CHECK(joined(plain, {.is_cut = true}).is_cut);
    CHECK(!joined({.is_direct = true}, plain).is_complete());
    CHECK(!joined({.actions = 2}, {.actions = 1}).is_complete());
}

TEST_CASE("a copy of a record is the same") {
    for (std::size_t words = 1; words <= 3 * StepRecord::copied_words; ++words) {
        std::array<std::uint64_t, 4 * StepRecord::copied_words> from{};
        std::array<std::uint64_t, 4 * StepRecord::copied_words> to{};
        for (std::size_t word = 0; word < from.size(); ++word) { from[word] = word + 1; }
        StepRecord::copy(from.data(), words, to.data());
        CHECK(std::equal(from.begin(), from.begin() + static_cast<int>(words), to.begin()));
    }
}

}  // namespace ringfence::checker
