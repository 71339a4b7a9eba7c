#include "checker/sorted_level.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace ringfence::checker {

namespace {

constexpr std::uint32_t numbers = 100;

std::uint32_t number_of(const std::uint64_t* key) {
    return static_cast<std::uint32_t>(*key & 127U);
}

}  // namespace

TEST_CASE("a level is put into the order of its numbers, for keys of one word and of more") {
    for (const std::size_t words : {1U, 2U, 5U}) {
        CAPTURE(words);
        Visited visited{KeyFormat(words)};
        std::mt19937_64 random(words);
        for (std::uint64_t item = 0; item < 5000; ++item) {
            std::vector<std::uint64_t> key(words, random());
            key.front() = item << 7U | random() % numbers;
            const std::uint8_t label = 0;
            const KeyRun run{key.data(), 1, &label};
            const std::size_t shard = Sharding().shard_of(key.data(), words);
            PerShard incoming{};
            incoming[shard] = 1;
            visited.make_room_for(incoming);
            NewKeys counts{};
            visited.insert(shard, std::span(&run, 1), counts);
        }
        const Level level{{}, visited.sizes()};
        std::vector<std::vector<std::uint64_t>> expected;
        level.for_each_key(visited, 0, level.size(), [&](const std::uint64_t* key) {
            expected.emplace_back(key, key + words);
        });
        std::ranges::stable_sort(expected, {},
                                 [](const auto& key) { return number_of(key.data()); });

        SortedLevel sorted;
        sorted.fill(level, visited, numbers, number_of);

        std::vector<std::vector<std::uint64_t>> found;
        sorted.for_each_key(0, sorted.left(), [&](const std::uint64_t* key) {
            found.emplace_back(key, key + words);
        });
        CHECK(found == expected);
    }
}

}  // namespace ringfence::checker
