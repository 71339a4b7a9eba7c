#include "checker/pages.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace ringfence::checker {

namespace {

bool are_all(const Pages& pages, std::uint64_t value) {
    for (std::size_t at = 0; at < pages.bytes() / sizeof value; ++at) {
        if (pages.as<std::uint64_t>()[at] != value) { return false; }
    }
    return true;
}

void fill(const Pages& pages, std::uint64_t value) {
    for (std::size_t at = 0; at < pages.bytes() / sizeof value; ++at) {
        pages.as<std::uint64_t>()[at] = value;
    }
}

}  // namespace

TEST_CASE("pages are zero at first") {
    CHECK(are_all(Pages(100'000), 0));
    CHECK(Pages(0).bytes() == 0);
}

TEST_CASE("pages can be extended again and again, below and beyond the size of huge pages") {
    Pages pages;
    for (std::size_t bytes = 4096; bytes < (std::size_t{16} << 20U); bytes += bytes / 2) {
        CAPTURE(bytes);
        pages.extend(bytes);
        CHECK(pages.bytes() == Pages::rounded(bytes));
        pages.zero();
        CHECK(are_all(pages, 0));
        fill(pages, bytes);
        CHECK(are_all(pages, bytes));
    }
}

TEST_CASE("pages are not extended to fewer bytes") {
    Pages pages(10'000);
    fill(pages, 7);
    const std::size_t bytes = pages.bytes();
    pages.extend(5'000);
    CHECK(pages.bytes() == bytes);
    CHECK(are_all(pages, 7));
}

}  // namespace ringfence::checker
