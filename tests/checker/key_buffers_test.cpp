#include "checker/key_buffers.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace ringfence::checker {

namespace {

constexpr std::size_t words_max = 16;

std::array<std::uint64_t, words_max> key_of(std::uint64_t number) {
    std::array<std::uint64_t, words_max> key{};
    for (std::size_t word = 0; word < words_max; ++word) { key[word] = number * words_max + word; }
    return key;
}

// The numbers of a list's keys; all of their words and labels are looked at.
template <std::size_t Lists>
std::vector<std::uint64_t> numbers_in(const KeyBuffers<Lists>& buffers, std::size_t list,
                                      std::size_t key_words) {
    std::vector<std::uint64_t> numbers;
    buffers.for_each_run(list, key_words, [&](const KeyRun& run) {
        for (std::size_t at = 0; at < run.count * key_words; at += key_words) {
            const std::uint64_t number = run.keys[at] / words_max;
            for (std::size_t word = 0; word < key_words; ++word) {
                CHECK(run.keys[at + word] == key_of(number)[word]);
            }
            CHECK(run.labels[at] == number % 64);
            numbers.push_back(number);
        }
    });
    CHECK(buffers.size(list, key_words) == numbers.size());
    return numbers;
}

}  // namespace

TEST_CASE("lists keep what is wanted in its order, however many blocks they need") {
    for (std::size_t key_words = 1; key_words <= words_max; ++key_words) {
        CAPTURE(key_words);
        KeyBuffers<3> buffers;
        std::array<std::vector<std::uint64_t>, 3> expected;
        for (std::uint64_t number = 0; number < 2000; ++number) {
            const std::size_t list = number % 7 == 0 ? 1 : 0;
            const bool is_wanted = number % 3 != 0;
            buffers.append_if(is_wanted, list, key_of(number).data(), key_words,
                              static_cast<std::uint8_t>(number % 64));
            if (is_wanted) { expected[list].push_back(number); }
        }
        for (std::size_t list = 0; list < 3; ++list) {
            CHECK(numbers_in(buffers, list, key_words) == expected[list]);
        }
    }
}

TEST_CASE("cleared lists are empty, and use the same blocks for keys of another width") {
    KeyBuffers<2> buffers;
    CHECK(buffers.bytes() == 0);
    const auto fill = [&](std::size_t list, std::uint64_t keys, std::size_t key_words) {
        for (std::uint64_t number = 0; number < keys; ++number) {
            buffers.append(list, key_of(number).data(), key_words,
                           static_cast<std::uint8_t>(number % 64));
        }
    };
    fill(0, 1000, 2);
    const std::uint64_t bytes = buffers.bytes();
    CHECK(bytes >= 2000 * 8);
    buffers.clear();
    CHECK(numbers_in(buffers, 0, 2).empty());
    fill(1, 600, 3);
    CHECK(numbers_in(buffers, 0, 2).empty());
    CHECK(numbers_in(buffers, 1, 3).size() == 600);
    CHECK(buffers.bytes() == bytes);
}

TEST_CASE("blocks that were not needed are given back, and those that were are not") {
    KeyBuffers<2> buffers;
    const auto fill = [&](std::uint64_t keys) {
        for (std::uint64_t number = 0; number < keys; ++number) {
            buffers.append(1, key_of(number).data(), 1, static_cast<std::uint8_t>(number % 64));
        }
    };
    fill(1000);
    const std::uint64_t bytes = buffers.bytes();
    buffers.trim();
    CHECK(buffers.bytes() == bytes);
    buffers.clear();
    fill(320);
    buffers.trim();
    CHECK(buffers.bytes() < bytes);
    CHECK(numbers_in(buffers, 1, 1).size() == 320);
    fill(640);
    CHECK(numbers_in(buffers, 1, 1).size() == 960);
    CHECK(buffers.bytes() == bytes);
    buffers.clear();
    buffers.trim();
    CHECK(buffers.bytes() == 0);
}

}  // namespace ringfence::checker
