#include "checker/visited.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace ringfence::checker {

namespace {

using Key = std::vector<std::uint64_t>;

// True if the key is new.
bool insert(Visited& visited, const Key& key, std::uint8_t label = 0) {
    const std::size_t shard = Sharding().shard_of(key.data(), key.size());
    PerShard incoming{};
    incoming[shard] = 1;
    visited.make_room_for(incoming);
    const KeyRun run{key.data(), 1, &label};
    NewKeys counts{};
    visited.insert(shard, std::span(&run, 1), counts);
    return counts[label] == 1;
}

std::set<Key> contents(const Visited& visited) {
    std::set<Key> keys;
    const PerShard sizes = visited.sizes();
    for (std::size_t shard = 0; shard < shards; ++shard) {
        for (std::uint32_t position = 0; position < sizes[shard]; ++position) {
            Key key(visited.key_words());
            visited.read(shard, position, key.data());
            keys.insert(key);
        }
    }
    return keys;
}

}  // namespace

TEST_CASE("a key that is inserted twice is there once") {
    Visited visited{KeyFormat(1)};
    CHECK(insert(visited, {42}));
    CHECK(!insert(visited, {42}));
    CHECK(insert(visited, {0}, 63));
    CHECK(visited.size() == 2);
    CHECK(contents(visited) == std::set<Key>{{0}, {42}});
}

TEST_CASE("keys that differ in one word only are different") {
    Visited visited{KeyFormat(3)};
    insert(visited, {1, 2, 3});
    insert(visited, {1, 2, 4});
    insert(visited, {0, 2, 3});
    insert(visited, {1, 2, 3});
    CHECK(visited.size() == 3);
}

TEST_CASE("the set agrees with std::set while it grows, for every key width") {
    std::mt19937_64 random(3);
    for (std::size_t words = 1; words <= key_words_max; ++words) {
        Visited visited{KeyFormat(words)};
        std::set<Key> expected;
        for (int trial = 0; trial < 20'000; ++trial) {
            Key key(words);
            key[random() % words] = random() % 5'000;
            key[0] ^= random() % 3;
            insert(visited, key);
            expected.insert(key);
        }
        CHECK(visited.size() == expected.size());
        CHECK(contents(visited) == expected);
    }
}

TEST_CASE("a key is stored in as many bytes as it needs") {
    CHECK(KeyFormat(1, 0).bytes() == 1);
    CHECK(KeyFormat(1, 8).bytes() == 1);
    CHECK(KeyFormat(1, 47).bytes() == 6);
    CHECK(KeyFormat(2, 9).bytes() == 10);
    CHECK(KeyFormat(3).bytes() == 24);
    std::mt19937_64 random(5);
    for (std::size_t words = 1; words <= 3; ++words) {
        for (std::uint32_t bits = 14; bits <= 64; bits += 5) {
            Visited visited{KeyFormat(words, bits)};
            std::set<Key> expected;
            for (int trial = 0; trial < 5'000; ++trial) {
                Key key(words);
                for (std::uint64_t& word : key) { word = random(); }
                key.back() >>= 64U - bits;
                key.front() &= 0xFFFU;
                insert(visited, key);
                insert(visited, key);
                expected.insert(key);
            }
            CHECK(visited.size() == expected.size());
            CHECK(contents(visited) == expected);
        }
    }
}

TEST_CASE("a batch that contains a key twice inserts it once") {
    Visited visited{KeyFormat(1)};
    const std::vector<std::uint64_t> keys(100, 7);
    const std::size_t shard = Sharding().shard_of(keys.data(), 1);
    std::vector<std::uint8_t> labels(100, 1);
    labels[0] = 2;
    PerShard incoming{};
    incoming[shard] = 100;
    visited.make_room_for(incoming);
    const std::array<KeyRun, 2> runs{
        {{keys.data(), 60, labels.data()}, {keys.data() + 60, 40, labels.data() + 60}}};
    NewKeys counts{};
    visited.insert(shard, runs, counts);
    CHECK(visited.size() == 1);
    CHECK(counts[2] == 1);  // of equal keys the first one counts
    CHECK(counts[1] == 0);
}

TEST_CASE("keys of a shard keep the order in which they came") {
    Visited visited{KeyFormat(1)};
    std::vector<std::vector<std::uint64_t>> expected(shards);
    for (std::uint64_t number = 0; number < 50'000; ++number) {
        insert(visited, {number});
        expected[Sharding().shard_of(&number, 1)].push_back(number);
    }
    for (std::size_t shard = 0; shard < shards; ++shard) {
        for (std::uint32_t position = 0; position < expected[shard].size(); ++position) {
            std::uint64_t key = 0;
            visited.read(shard, position, &key);
            REQUIRE(key == expected[shard][position]);
        }
    }
}

TEST_CASE("a range of positions is told in order, across blocks") {
    Visited visited(KeyFormat(2, 24));
    for (std::uint64_t number = 0; number < 400'000; ++number) {
        insert(visited, {number, number});
    }
    const std::size_t shard = 5;
    const std::uint32_t block = KeyLog::block_keys;
    REQUIRE(visited.sizes()[shard] > 2 * block + 1);
    for (const auto& [begin, end] : {std::pair{0U, 0U},
                                     {0U, block},
                                     {block - 1, block + 1},
                                     {3U, 2 * block},
                                     {block, 2 * block + 1}}) {
        std::vector<std::uint64_t> told;
        visited.for_each_key<2>(shard, begin, end, [&](const std::uint64_t* key) {
            CHECK(key[0] == key[1]);
            told.push_back(*key);
        });
        REQUIRE(told.size() == end - begin);
        for (std::uint32_t position = begin; position < end; ++position) {
            std::array<std::uint64_t, 2> key{};
            visited.read(shard, position, key.data());
            CHECK(told[position - begin] == key[0]);
        }
    }
}

TEST_CASE("the memory foretold is never less than the memory taken") {
    Visited visited{KeyFormat(2)};
    PerShard incoming{};
    incoming.fill(3'000);
    for (std::uint64_t number = 0; number < 500'000; ++number) {
        const Key key{number, number};
        if (number % 50'000 == 0) {
            const std::uint64_t foretold = visited.bytes_with_room_for(incoming);
            visited.make_room_for(incoming);
            CHECK(visited.bytes() <= foretold);
        }
        insert(visited, key);
    }
    CHECK(visited.size() == 500'000);
}

TEST_CASE("more keys than positions need more memory than there is") {
    const Visited visited{KeyFormat(1)};
    PerShard incoming{};
    incoming[5] = 1U << 28U;
    CHECK(visited.bytes_with_room_for(incoming) >= std::uint64_t{1} << 62U);
}

TEST_CASE("a large set takes a key and at most eight bytes a state") {
    Visited visited{KeyFormat(1)};
    constexpr std::uint64_t count = 2'000'000;
    for (std::uint64_t number = 0; number < count; ++number) { insert(visited, {number}); }
    CHECK(visited.bytes() < count * (8 + 8));
}

}  // namespace ringfence::checker
