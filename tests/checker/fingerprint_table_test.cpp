#include "checker/fingerprint_table.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <set>
#include <vector>

namespace ringfence::checker {

namespace {

// As the halves of a plain key of one word: any word is a key.
const KeyCodec& codec() {
    static const KeyCodec plain(KeyCodec::Kind::plain, 1);
    return plain;
}

FingerprintTable empty_table() {
    FingerprintTable table;
    table.begin(0);
    return table;
}

struct Inserted {
    NewKeys counts{};
    std::vector<std::uint64_t> log;
};

Inserted insert(FingerprintTable& table, const std::vector<std::uint64_t>& keys,
                const std::vector<std::uint8_t>& labels) {
    const Fingerprinter fingerprinter(codec());
    RegionPool pool;
    KeyLog log{KeyFormat(1)};
    log.reserve(static_cast<std::uint32_t>(keys.size()), pool);
    const KeyRun run{keys.data(), keys.size(), labels.data()};
    Inserted result;
    table.insert(std::span(&run, 1), fingerprinter, log, result.counts);
    for (std::uint32_t position = 0; position < log.size(); ++position) {
        std::uint64_t key = 0;
        log.read(position, &key);
        result.log.push_back(key);
    }
    return result;
}

}  // namespace

TEST_CASE("the table agrees with std::set while it grows") {
    std::mt19937_64 random(3);
    FingerprintTable table = empty_table();
    std::set<std::uint64_t> expected;
    for (int trial = 0; trial < 60'000; ++trial) {
        // Many homes and second lines are the same: they are full, and runs of lines behind them.
        const std::uint64_t word = (random() % 1000 << 54U) + (random() % 100 << 25U) + 1;
        table.make_room_for(expected.size() + 1);
        REQUIRE(table.add(word) == expected.insert(word).second);
    }
    CHECK(expected.size() > 40'000);
    for (const std::uint64_t word : expected) { REQUIRE_FALSE(table.add(word)); }
}

TEST_CASE("keys whose fingerprints are new are appended, and the first of equal ones counts") {
    FingerprintTable table = empty_table();
    std::vector<std::uint64_t> keys;
    std::vector<std::uint8_t> labels;
    for (std::uint64_t key = 0; key < 3'000; ++key) {
        for (std::uint8_t label = 0; label < 3; ++label) {
            keys.push_back(key);
            labels.push_back(label);
        }
    }
    table.make_room_for(3'000);
    const Inserted first = insert(table, keys, labels);
    CHECK(first.counts[0] == 3'000);
    CHECK(first.counts[1] == 0);
    CHECK(std::set(first.log.begin(), first.log.end()).size() == 3'000);
    CHECK(insert(table, keys, labels).log.empty());
}

TEST_CASE("a table takes no more than it foretells, and about ten bytes a word") {
    std::mt19937_64 random(7);
    FingerprintTable table = empty_table();
    constexpr std::uint64_t words = 400'000;
    for (std::uint64_t count = 1; count <= words; ++count) {
        const std::uint64_t foretold = table.bytes() + table.bytes_to_hold(count);
        table.make_room_for(count);
        REQUIRE(table.bytes() <= foretold);
        table.add(random() | 1U);
    }
    CHECK(table.bytes() >= words * 9);
    CHECK(table.bytes() <= words * 12);
}

}  // namespace ringfence::checker
