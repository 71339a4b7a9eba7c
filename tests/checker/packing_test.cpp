#include "checker/packing.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <stdexcept>
#include <vector>

namespace ringfence::checker {

namespace {

using Words = std::array<std::uint64_t, 3>;
using Key = std::array<std::uint64_t, key_words_max>;

Packing packing_of(const Words& base, const Words& mask, Packing::Path path) {
    Packing packing(std::as_bytes(std::span(&base, 1)), path);
    packing.widen(mask);
    return packing;
}

Words round_trip(const Packing& packing, const Words& state) {
    Key key{};
    REQUIRE(packing.pack(bytes_of(state), key.data()));
    Words result{};
    packing.unpack(key.data(), writable_bytes_of(result));
    return result;
}

constexpr std::array paths{Packing::Path::fastest, Packing::Path::portable};

}  // namespace

TEST_CASE("a packing without bits holds the base and nothing else") {
    const Words base{7, 0, 9};
    const Words other{7, 1, 9};
    const Packing packing(std::as_bytes(std::span(&base, 1)));
    Key key{};
    CHECK(packing.key_bits() == 0);
    CHECK(packing.key_words() == 1);
    CHECK(round_trip(packing, base) == base);
    CHECK_FALSE(packing.pack(bytes_of(other), key.data()));
}

TEST_CASE("only the bits that differ from the base are missing") {
    const Words base{0xF0, 0, 0};
    const Words state{0xF1, 0, std::uint64_t{1} << 63U};
    const Packing packing(std::as_bytes(std::span(&base, 1)));
    Words missing{};
    packing.collect_missing(bytes_of(state), missing.data());
    CHECK(missing == Words{1, 0, std::uint64_t{1} << 63U});
}

TEST_CASE("a successor packed from its predecessor has the key that it has by itself") {
    // Wide enough for blocks of 64 words, whole vectors and a rest.
    using Wide = std::array<std::uint64_t, 71>;
    std::mt19937_64 random(2);
    for (const Packing::Path path : paths) {
        for (int trial = 0; trial < 100; ++trial) {
            Wide before{};
            Wide mask{};
            for (auto& word : before) { word = random(); }
            for (auto& word : mask) { word = random() & random() & random() & random(); }
            Packing packing(std::as_bytes(std::span(&before, 1)), path);
            packing.widen(mask);
            Wide after = before;
            for (int change = 0; change < 3; ++change) {
                const std::size_t word = random() % after.size();
                after[word] ^= random() & mask[word];
            }
            Key first{};
            Key expected{};
            Key key{};
            REQUIRE(packing.pack(bytes_of(before), first.data()));
            REQUIRE(packing.pack(bytes_of(after), expected.data()));
            const auto successor =
                packing.pack_successor(bytes_of(before), first.data(), bytes_of(after), key.data());
            CHECK(successor ==
                  (before == after ? Packing::Successor::same : Packing::Successor::differs));
            CHECK(key == expected);

            after[trial % after.size()] ^= ~mask[trial % after.size()];
            CHECK(packing.pack_successor(bytes_of(before), first.data(), bytes_of(after),
                                         key.data()) == Packing::Successor::misfit);
        }
    }
}

TEST_CASE("packing and unpacking gives the state back, with and without pext") {
    std::mt19937_64 random(1);
    for (const Packing::Path path : paths) {
        for (int trial = 0; trial < 200; ++trial) {
            const Words base{random(), random(), random()};
            const Words mask{random() & random(), random() | random(), random()};
            const Packing packing = packing_of(base, mask, path);
            for (int state = 0; state < 20; ++state) {
                const Words inside{base[0] ^ (random() & mask[0]), base[1] ^ (random() & mask[1]),
                                   base[2] ^ (random() & mask[2])};
                CHECK(round_trip(packing, inside) == inside);
                CHECK(round_trip(packing.compacted(), inside) == inside);
            }
        }
    }
}

TEST_CASE("keys are the same with and without pext") {
    std::mt19937_64 random(2);
    const Words base{random(), random(), random()};
    const Words mask{random(), random(), random()};
    const Packing fastest = packing_of(base, mask, Packing::Path::fastest);
    const Packing portable = packing_of(base, mask, Packing::Path::portable);
    for (int trial = 0; trial < 100; ++trial) {
        const Words state{base[0] ^ (random() & mask[0]), base[1] ^ (random() & mask[1]), base[2]};
        Key one{};
        Key other{};
        REQUIRE(fastest.pack(bytes_of(state), one.data()));
        REQUIRE(portable.pack(bytes_of(state), other.data()));
        CHECK(one == other);
    }
}

TEST_CASE("a state that differs outside the bits of the packing does not fit") {
    const Packing packing = packing_of({0, 0, 0}, {0xFF, 0, 0}, Packing::Path::fastest);
    const Words outside{0x100, 0, 0};
    Key key{};
    CHECK_FALSE(packing.pack(bytes_of(outside), key.data()));
}

TEST_CASE("all bits of all words fit into as many key words") {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    const Packing packing = packing_of({1, 2, 3}, {all, all, all}, Packing::Path::fastest);
    CHECK(packing.key_bits() == 192);
    CHECK(packing.key_words() == 3);
    CHECK(round_trip(packing, {all, 0, 42}) == Words{all, 0, 42});
}

TEST_CASE("old keys stay valid when a packing is widened within the same words") {
    Packing packing = packing_of({0, 0, 0}, {0b1010, 0, 0}, Packing::Path::fastest);
    const Words state{0b1000, 0, 0};
    Key key{};
    REQUIRE(packing.pack(bytes_of(state), key.data()));
    packing.widen(Words{0b0101, 0b11, 0});
    Words unpacked{};
    packing.unpack(key.data(), writable_bytes_of(unpacked));
    CHECK(unpacked == state);
    CHECK(packing.key_bits() == 6);
    CHECK_FALSE(packing.is_compact());
    CHECK(packing.compacted().key_bits() == 6);
    CHECK(packing.compacted().is_compact());
}

TEST_CASE("a state that needs more than the widest key is refused with the number of bits") {
    const std::vector<std::uint64_t> base(key_words_max + 1);
    const std::vector<std::uint64_t> all(base.size(), ~std::uint64_t{0});
    Packing packing(std::as_bytes(std::span(base)));
    CHECK_THROWS_AS(packing.widen(all), std::length_error);
}

}  // namespace ringfence::checker
