#include "checker/step_record.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
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

// With as many items behind as may be read too.
template <class T>
std::span<const T> with_room_behind(std::vector<T>& items) {
    const std::size_t count = items.size();
    items.resize(count + StepRecord::bytes_behind);
    return std::span(items).first(count);
}

}  // namespace

TEST_CASE("a record gives back what it was made of, for keys of one word and of more") {
    const std::vector<std::uint64_t> key{11, 12, 13};
    const std::vector<std::uint64_t> moves{21, 22, 23, 24, 25, 26};
    std::vector<std::uint16_t> some_cells{1000, 7, 65535};
    std::vector<Action> some_actions{{300, 1}, {2, 255}};
    const auto cells = with_room_behind(some_cells);
    const auto actions = with_room_behind(some_actions);
    for (const std::size_t key_words : {1U, 3U}) {
        CAPTURE(key_words);
        std::vector<std::uint8_t> some_verbs(moves.size() / key_words, 9);
        const auto verbs = with_room_behind(some_verbs);
        const StepRecord::Content<Action> content{moves.data(), verbs, cells, actions};
        constexpr std::size_t words_behind = StepRecord::bytes_behind / sizeof(std::uint64_t);
        std::vector<std::uint64_t> words(content.words(key_words) + words_behind + 1, 77);
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
        CHECK(std::ranges::equal(cells_told, cells));
        CHECK(header.actions == actions.size());
        for (std::size_t item = 0; item < actions.size(); ++item) {
            CHECK(record.action<Action>(header, item) == actions[item]);
        }
    }
}

TEST_CASE("the last move of a record may be its part in a joint step") {
    const std::vector<std::uint64_t> key{11, 12};
    const std::vector<std::uint64_t> moves{21, 22, 23, 24};
    std::vector<std::uint16_t> some_cells{7};
    std::vector<Action> some_actions{{300, 1}};
    const auto cells = with_room_behind(some_cells);
    const auto actions = with_room_behind(some_actions);
    for (const std::size_t key_words : {1U, 2U}) {
        CAPTURE(key_words);
        std::vector<std::uint8_t> some_verbs(moves.size() / key_words, 9);
        some_verbs.back() = 5;
        const auto verbs = with_room_behind(some_verbs);
        const StepRecord::Content<Action> content{moves.data(), verbs, cells, actions};
        std::vector<std::uint64_t> words(content.words(key_words) + StepRecord::bytes_behind);
        StepRecord::write(0, {.has_joint = true, .tells_joint = true}, key.data(), key_words,
                          content, words.data());
        const StepRecord record(words.data(), key_words);
        const StepRecord::Header header = record.header();
        CHECK(header.moves == verbs.size() - 1);
        CHECK(header.words == content.words(key_words));
        CHECK(std::equal(moves.end() - static_cast<int>(key_words), moves.end(),
                         record.joint_move()));
        CHECK(record.joint_verb() == 5);
        CHECK(std::equal(verbs.begin(), verbs.end(), record.verbs(header)));
        record.for_each_cell([](std::uint16_t cell) { CHECK(cell == 7); });
        CHECK(record.action<Action>(header, 0) == actions[0]);
    }
}

TEST_CASE("the records of a state tell together what is true of one of them, and of all") {
    const auto together = [](const std::vector<StepRecord::Header>& headers) {
        HeadersOfState state;
        for (const StepRecord::Header& header : headers) {
            const std::array<std::uint64_t, 2> words{0, std::bit_cast<std::uint64_t>(header)};
            state.add(StepRecord(words.data(), 1));
        }
        return state;
    };
    const StepRecord::Header plain{.words = 9, .moves = 3, .cells = 2, .scope = 1};
    CHECK(together({plain, plain}).are_complete());
    CHECK(!together({plain, plain}).any().is_healed);
    CHECK(together({{.is_healed = true}, plain}).any().is_healed);
    CHECK(together({plain, {.is_cut = true}}).any().is_cut);
    CHECK(!together({{.is_direct = true}, plain}).are_complete());
    CHECK(!together({plain, {.actions = 1}}).are_complete());
    CHECK(!together({{.actions = 2}, {.actions = 1}}).are_complete());

    const StepRecord::Header silent{.has_joint = true};
    const StepRecord::Header telling{.has_joint = true, .tells_joint = true};
    CHECK(together({telling, telling}).are_complete());
    CHECK(together({telling, telling}).all().tells_joint);
    CHECK(!together({telling, silent}).tell_joint());
    CHECK(!together({silent, telling}).are_complete());
    CHECK(!together({silent, silent}).tell_joint());
    CHECK(together({plain, plain}).tell_joint());
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
