#include "checker/recent_keys.hpp"

#include <doctest/doctest.h>

#include <array>

namespace ringfence::checker {

TEST_CASE("only a key that was met is met again") {
    RecentKeys recent;
    using Key = std::array<std::uint64_t, 2>;
    recent.clear(2, 100);
    const Key key{1, 2};
    const Key other{1, 3};
    CHECK_FALSE(recent.meet(key.data(), 2, 7));
    CHECK(recent.meet(key.data(), 2, 7));
    CHECK_FALSE(recent.meet(other.data(), 2, 7));  // takes its place
    CHECK_FALSE(recent.meet(key.data(), 2, 7));
    recent.clear(2, 100);
    CHECK_FALSE(recent.meet(key.data(), 2, 7));
}

TEST_CASE("no room is needed to be met") {
    RecentKeys recent;
    const std::uint64_t key = 5;
    recent.clear(1, 0);
    CHECK_FALSE(recent.meet(&key, 1, 77));
    CHECK(recent.meet(&key, 1, 78));
}

TEST_CASE("a key that looks like an empty slot is never met") {
    RecentKeys recent;
    const std::uint64_t key = ~std::uint64_t{0};
    recent.clear(1, 100);
    CHECK_FALSE(recent.meet(&key, 1, 0));
    CHECK_FALSE(recent.meet(&key, 1, 0));
}

}  // namespace ringfence::checker
