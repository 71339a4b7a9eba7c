#include "checker/key_codec.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <unordered_map>
#include <vector>

namespace ringfence::checker {

namespace {

using Key = std::array<std::uint64_t, key_words_max>;
using Parts = std::array<std::uint64_t, parts_max>;

}  // namespace

TEST_CASE("a dictionary numbers values in the order in which they come") {
    Dictionary dictionary;
    CHECK(dictionary.size() == 1);
    CHECK(dictionary.find(0) == 0);
    CHECK(dictionary.find(7) == Dictionary::unknown);
    CHECK(dictionary.add(7) == 1);
    CHECK(dictionary.add(0) == 0);
    CHECK(dictionary.add(7) == 1);
    CHECK(dictionary.find(7) == 1);
    CHECK(dictionary.value(1) == 7);
}

TEST_CASE("a dictionary agrees with a map while it grows") {
    Dictionary dictionary;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers{{0, 0}};
    std::mt19937_64 random(5);
    for (int trial = 0; trial < 200'000; ++trial) {
        // Neighbours, multiples of a power of two, and anything.
        const std::uint64_t drawn = random();
        const std::uint64_t value = trial % 3 == 0   ? drawn % 50'000
                                    : trial % 3 == 1 ? drawn % 50'000 << 40U
                                                     : drawn;
        const std::uint64_t foretold = dictionary.bytes_with(1);
        const auto [entry, is_new] =
            numbers.try_emplace(value, static_cast<std::uint32_t>(numbers.size()));
        CHECK((dictionary.find(value) == Dictionary::unknown) == is_new);
        REQUIRE(dictionary.add(value) == entry->second);
        REQUIRE(dictionary.bytes() <= foretold);
    }
    REQUIRE(dictionary.size() == numbers.size());
    for (const auto& [value, number] : numbers) {
        REQUIRE(dictionary.find(value) == number);
        REQUIRE(dictionary.value(number) == value);
    }
}

TEST_CASE("the fields of a layout hold their numbers and do not overlap") {
    const std::vector<std::vector<std::uint32_t>> cases{{1},
                                                        {1, 1, 1},
                                                        {70'000, 70'000, 3},
                                                        {1U << 20U, 1U << 21U, 1U << 22U, 5},
                                                        {1, 70'000, 1, 1},
                                                        std::vector<std::uint32_t>(16, 1U << 31U),
                                                        {~0U, ~0U, 2}};
    for (const auto& sizes : cases) {
        const KeyLayout layout{sizes};
        CHECK(layout.key_words() <= key_words_max);
        CHECK(layout.bits() <= 64 * layout.key_words());
        for (std::size_t part = 0; part < sizes.size(); ++part) {
            CHECK(layout.holds(part, sizes[part]));
            Key key{};
            layout.put(key.data(), part, sizes[part] - 1);
            for (std::size_t other = 0; other < sizes.size(); ++other) {
                CHECK(layout.number(key.data(), other) == (other == part ? sizes[part] - 1 : 0));
            }
        }
    }
}

TEST_CASE("a numbered key is decoded to the parts that it was made of") {
    KeyCodec codec(KeyCodec::Kind::numbered, 3);
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 2000; ++trial) {
        const Parts parts{random() % 100, random() << 32U, random() % 3};
        Key key{};
        codec.learn(parts.data());
        if (!codec.has_room()) { codec.use(codec.roomy_layout()); }
        REQUIRE(codec.encode(parts.data(), key.data()));
        Parts decoded{};
        codec.decode(key.data(), decoded.data());
        CHECK(decoded == parts);

        Parts changed = parts;
        changed[2] = (parts[2] + 1) % 3;
        codec.learn(changed.data());
        Key expected{};
        Key stepped{};
        REQUIRE(codec.encode(changed.data(), expected.data()));
        REQUIRE(codec.encode_change(key.data(), 0b100, changed.data(), stepped.data()));
        for (std::size_t word = 0; word < codec.key_words(); ++word) { stepped[word] ^= key[word]; }
        CHECK(stepped == expected);
    }
    CHECK(codec.key_words() == 1);
}

TEST_CASE("a value without a number has no key") {
    const KeyCodec codec(KeyCodec::Kind::numbered, 2);
    Key key{};
    CHECK(codec.encode(Parts{0, 0}.data(), key.data()));
    CHECK_FALSE(codec.encode(Parts{0, 1}.data(), key.data()));
}

TEST_CASE("a plain key is the parts themselves") {
    const KeyCodec codec(KeyCodec::Kind::plain, 2);
    Key key{};
    CHECK(codec.key_words() == 2);
    CHECK(codec.encode(Parts{5, 6}.data(), key.data()));
    CHECK(key[0] == 5);
    CHECK(key[1] == 6);
    CHECK(codec.bytes() == 0);
}

}  // namespace ringfence::checker
