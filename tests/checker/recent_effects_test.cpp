#include "checker/recent_effects.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace ringfence::checker {

namespace {

using Parts = std::array<std::uint64_t, parts_max>;

}  // namespace

TEST_CASE("an effect is known for an action wherever its footprint is the same") {
    for (const std::size_t parts : {std::size_t{1}, std::size_t{3}, parts_max}) {
        CAPTURE(parts);
        RecentEffects effects;
        effects.clear(parts);
        Parts mask{};
        Parts before{};
        Parts after{};
        for (std::size_t part = 0; part < parts; ++part) {
            mask[part] = 0xFF0;
            before[part] = after[part] = 0x1230 + part;
        }
        after[parts - 1] ^= 0x10;
        const RecentEffects::Question asked{7, mask.data(), before.data()};
        std::uint64_t* const place = effects.place_of(asked);
        CHECK(!effects.is_known(asked, place));
        effects.learn(asked, 65'535, after.data(), place);
        CHECK(effects.is_known(asked, place));
        CHECK(RecentEffects::cell(place) == 65'535);

        Parts other = before;
        for (std::size_t part = 0; part < parts; ++part) { other[part] ^= 0xF00F; }
        const RecentEffects::Question alike{7, mask.data(), other.data()};
        REQUIRE(effects.place_of(alike) == place);
        REQUIRE(effects.is_known(alike, place));
        Parts found{};
        CHECK(effects.apply(alike, place, found.data()) == 1U << (parts - 1));
        other[parts - 1] ^= 0x10;
        CHECK(found == other);

        for (std::size_t part = 0; part < parts; ++part) {
            Parts different = before;
            different[part] ^= 0x100;
            CHECK(!effects.is_known({7, mask.data(), different.data()}, place));
        }
        CHECK(!effects.is_known({6, mask.data(), before.data()}, place));
        effects.clear(parts);
        CHECK(!effects.is_known(asked, place));
    }
}

TEST_CASE("an empty place answers no question, not even one that is all zero") {
    RecentEffects effects;
    effects.clear(2);
    const Parts zero{};
    const RecentEffects::Question asked{0, zero.data(), zero.data()};
    std::uint64_t* const place = effects.place_of(asked);
    CHECK(!effects.is_known(asked, place));
    effects.learn(asked, 0, zero.data(), place);
    CHECK(effects.is_known(asked, place));
    Parts found{};
    CHECK(effects.apply(asked, place, found.data()) == 0);
}

}  // namespace ringfence::checker
