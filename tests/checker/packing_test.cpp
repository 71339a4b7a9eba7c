#include "checker/packing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>
#include <vector>

namespace ringfence::checker {

namespace {

using Words = std::array<std::uint64_t, 3>;
using Parts = std::array<std::uint64_t, parts_max>;

Packing packing_of(const Words& base, const Words& mask, Packing::Path path) {
    Packing packing(std::as_bytes(std::span(&base, 1)), path);
    packing.widen(mask);
    return packing;
}

Words round_trip(const Packing& packing, const Words& state) {
    Parts parts{};
    REQUIRE(packing.pack(bytes_of(state), parts.data()));
    Words result{};
    packing.unpack(parts.data(), writable_bytes_of(result));
    return result;
}

constexpr std::array paths{Packing::Path::avx512, Packing::Path::avx2, Packing::Path::portable};

}  // namespace

TEST_CASE("a packing without bits holds the base and nothing else") {
    const Words base{7, 0, 9};
    const Words other{7, 1, 9};
    const Packing packing(std::as_bytes(std::span(&base, 1)));
    Parts parts{};
    CHECK(packing.bits() == 0);
    CHECK(packing.parts() == 1);
    CHECK(round_trip(packing, base) == base);
    CHECK_FALSE(packing.pack(bytes_of(other), parts.data()));
}

TEST_CASE("only the bits that differ from the base are missing") {
    const Words base{0xF0, 0, 0};
    const Words state{0xF1, 0, std::uint64_t{1} << 63U};
    const Packing packing(std::as_bytes(std::span(&base, 1)));
    Words missing{};
    packing.collect_missing(bytes_of(state), missing.data());
    CHECK(missing == Words{1, 0, std::uint64_t{1} << 63U});
}

TEST_CASE("states differ under the mark of some bytes exactly if they differ in these bytes") {
    std::mt19937_64 random(3);
    for (int trial = 0; trial < 2000; ++trial) {
        const Words base{random(), random(), random()};
        const Words mask{random(), random() & random(), random()};
        std::array<std::uint8_t, sizeof(Words)> components{};
        for (auto& component : components) { component = random() % 2; }
        Packing packing(std::as_bytes(std::span(&base, 1)), Packing::Path::fastest, components);
        packing.widen(mask);
        std::array<std::uint8_t, sizeof(Words)> marked{};
        for (auto& byte : marked) { byte = random() % 3 == 0 ? 9 : 0; }
        Parts marks{};
        packing.mark(marked, marks.data());

        Words state = base;  // that differs in one byte at most
        const std::size_t at = random() % sizeof(Words);
        state[at / 8] ^= mask[at / 8] & random() & std::uint64_t{0xFF} << (at % 8 * 8);
        Parts parts{};
        REQUIRE(packing.pack(bytes_of(state), parts.data()));
        bool differs = false;
        for (std::size_t part = 0; part < packing.parts(); ++part) {
            differs = differs || (parts[part] & marks[part]) != 0;
        }
        CHECK(differs == (state != base && marked[at] != 0));
    }
}

TEST_CASE("a step that is taken back leaves the parts that its successor has by itself") {
    // Wide enough for blocks of 64 words, whole vectors and a rest; two components.
    using Wide = std::array<std::uint64_t, 71>;
    std::mt19937_64 random(2);
    std::vector<std::uint8_t> components(sizeof(Wide));
    for (auto& component : components) { component = static_cast<std::uint8_t>(random() % 2); }
    for (const Packing::Path path : paths) {
        for (int trial = 0; trial < 100; ++trial) {
            Wide before{};
            Wide mask{};
            for (auto& word : before) { word = random(); }
            for (auto& word : mask) { word = random() & random() & random() & random(); }
            Packing packing(std::as_bytes(std::span(&before, 1)), path, components);
            packing.widen(mask);
            Wide after = before;
            for (int change = 0; change < 3; ++change) {
                const std::size_t word = random() % after.size();
                after[word] ^= random() & mask[word];
            }
            Parts first{};
            Parts expected{};
            Parts parts{};
            Wide missing{};
            REQUIRE(packing.pack(bytes_of(before), first.data()));
            REQUIRE(packing.pack(bytes_of(after), expected.data()));
            const bool differs = before != after;
            Wide moved = before;
            packing.unpack_over(first.data(), expected.data(), writable_bytes_of(moved));
            CHECK(moved == after);
            const auto difference =
                packing.take_back(bytes_of(before), first.data(), writable_bytes_of(after),
                                  parts.data(), missing.data());
            CHECK(after == before);
            CHECK(parts == expected);
            CHECK(missing == Wide{});
            CHECK_FALSE(difference.is_misfit);
            CHECK(difference.is_any == differs);
            for (std::size_t part = 0; part < packing.parts(); ++part) {
                const bool is_changed = (difference.parts >> part & 1U) != 0;
                CHECK(is_changed == (first[part] != expected[part]));
            }

            const std::size_t word = static_cast<std::size_t>(trial) % after.size();
            after[word] ^= ~mask[word];
            CHECK(packing
                      .take_back(bytes_of(before), first.data(), writable_bytes_of(after),
                                 parts.data(), missing.data())
                      .is_misfit);
            CHECK(after == before);
            CHECK(missing[word] == ~mask[word]);
        }
    }
}

TEST_CASE("no part holds bits of two components") {
    const Words base{};
    // The second word is shared: its low half belongs to the first word, the rest to the third.
    std::vector<std::uint8_t> components(sizeof base, 7);
    std::fill(components.begin() + 12, components.end(), std::uint8_t{3});
    Packing packing(std::as_bytes(std::span(&base, 1)), Packing::Path::fastest, components);
    packing.widen(Words{0xFF, 0xFF'0000'00FFU, 0xF});
    CHECK(packing.parts() == 2);
    for (const Packing& each : {packing, packing.compacted()}) {
        Parts low{};
        Parts high{};
        REQUIRE(each.pack(bytes_of(Words{0xFF, 0xFF, 0}), low.data()));
        REQUIRE(each.pack(bytes_of(Words{0, 0xFF'0000'0000U, 0xF}), high.data()));
        CHECK(low[0] == 0);
        CHECK(low[1] == 0xFFFF);
        CHECK(high[0] == 0xFFF);
        CHECK(high[1] == 0);
        CHECK(round_trip(each, {0x81, 0x42'0000'0018U, 5}) == Words{0x81, 0x42'0000'0018U, 5});
    }
}

TEST_CASE("a component that outgrows a part goes on in a new one, and old parts stay valid") {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    Packing packing = packing_of({0, 0, 0}, {all >> 4U, 0, 0}, Packing::Path::fastest);
    const Words state{0x123456789, 0, 0};
    Parts parts{};
    REQUIRE(packing.pack(bytes_of(state), parts.data()));
    packing.widen(Words{0, all, 0});
    CHECK(packing.parts() == 2);
    Words unpacked{};
    packing.unpack(parts.data(), writable_bytes_of(unpacked));
    CHECK(unpacked == state);
    CHECK(round_trip(packing, {all >> 4U, all, 0}) == Words{all >> 4U, all, 0});
}

TEST_CASE("packing and unpacking gives the state back, on all paths") {
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

TEST_CASE("parts are the same on all paths") {
    std::mt19937_64 random(2);
    const Words base{random(), random(), random()};
    const Words mask{random(), random(), random()};
    const Packing portable = packing_of(base, mask, Packing::Path::portable);
    for (int trial = 0; trial < 100; ++trial) {
        const Words state{base[0] ^ (random() & mask[0]), base[1] ^ (random() & mask[1]), base[2]};
        Parts expected{};
        REQUIRE(portable.pack(bytes_of(state), expected.data()));
        for (const Packing::Path path : paths) {
            Parts parts{};
            REQUIRE(packing_of(base, mask, path).pack(bytes_of(state), parts.data()));
            CHECK(parts == expected);
        }
    }
}

TEST_CASE("a state that differs outside the bits of the packing does not fit") {
    const Packing packing = packing_of({0, 0, 0}, {0xFF, 0, 0}, Packing::Path::fastest);
    const Words outside{0x100, 0, 0};
    Parts parts{};
    CHECK_FALSE(packing.pack(bytes_of(outside), parts.data()));
}

TEST_CASE("all bits of all words fit into as many parts") {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    const Packing packing = packing_of({1, 2, 3}, {all, all, all}, Packing::Path::fastest);
    CHECK(packing.bits() == 192);
    CHECK(packing.parts() == 3);
    CHECK(round_trip(packing, {all, 0, 42}) == Words{all, 0, 42});
}

TEST_CASE("old parts stay valid when a packing is widened") {
    Packing packing = packing_of({0, 0, 0}, {0b1010, 0, 0}, Packing::Path::fastest);
    const Words state{0b1000, 0, 0};
    Parts parts{};
    REQUIRE(packing.pack(bytes_of(state), parts.data()));
    packing.widen(Words{0b0101, 0b11, 0});
    Words unpacked{};
    packing.unpack(parts.data(), writable_bytes_of(unpacked));
    CHECK(unpacked == state);
    CHECK(packing.bits() == 6);
    CHECK_FALSE(packing.is_compact());
    CHECK(packing.compacted().bits() == 6);
    CHECK(packing.compacted().is_compact());
}

TEST_CASE("a state that needs more than all parts is refused with the number of bits") {
    const std::vector<std::uint64_t> base(parts_max + 1);
    const std::vector<std::uint64_t> all(base.size(), ~std::uint64_t{0});
    Packing packing(std::as_bytes(std::span(base)));
    CHECK_THROWS_AS(packing.widen(all), std::length_error);
}

}  // namespace ringfence::checker
