#include "checker/parallel.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

namespace ringfence::checker {

TEST_CASE("every index is worked once, for any number of workers") {
    for (const unsigned count : {0U, 1U, 2U, 4U}) {
        Workers workers(count);
        std::vector<int> worked(1000);
        workers.for_each(worked.size(), [&](std::size_t index) { ++worked[index]; });
        CHECK(worked == std::vector<int>(1000, 1));
    }
}

TEST_CASE("an exception of a worker comes out at the caller") {
    Workers workers(2);
    const auto fail_at_seven = [](std::size_t index) {
        if (index == 7) { throw std::runtime_error("seven"); }
    };
    CHECK_THROWS_WITH_AS(workers.for_each(100, fail_at_seven), "seven", std::runtime_error);
}

}  // namespace ringfence::checker
