#include "checker/recent_keys.hpp"

#include <doctest/doctest.h>

#include <array>

namespace ringfence::checker {

TEST_CASE("only a key that was met is met again") {
    RecentKeys recent;
    using Key = std::array<std::uint64_t, 2>;
    const Key key{1, 2};
    const Key other{1, 3};
    const RecentKeys::Places places = recent.clear(2, 100);
    CHECK_FALSE(places.meet(key.data(), 2));
    CHECK(places.meet(key.data(), 2));
    CHECK_FALSE(places.meet(other.data(), 2));
    CHECK(places.meet(other.data(), 2));
    CHECK_FALSE(recent.clear(2, 100).meet(key.data(), 2));
}

TEST_CASE("keys that are met take each other's places") {
    RecentKeys recent;
    const RecentKeys::Places places = recent.clear(1, 2);  // two places
    for (std::uint64_t key = 0; key < 100; ++key) { CHECK_FALSE(places.meet(&key, 1)); }
    int met = 0;
    for (std::uint64_t key = 0; key < 100; ++key) { met += places.meet(&key, 1) ? 1 : 0; }
    CHECK(met <= 2);
}

TEST_CASE("no room is needed to be met") {
    RecentKeys recent;
    const std::uint64_t key = 5;
    const RecentKeys::Places places = recent.clear(1, 0);
    CHECK_FALSE(places.meet(&key, 1));
    CHECK(places.meet(&key, 1));
}

TEST_CASE("a key that looks like an empty place is never met") {
    RecentKeys recent;
    const std::uint64_t key = ~std::uint64_t{0};
    const RecentKeys::Places places = recent.clear(1, 100);
    CHECK_FALSE(places.meet(&key, 1));
    CHECK_FALSE(places.meet(&key, 1));
}

}  // namespace ringfence::checker
