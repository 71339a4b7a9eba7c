#include "cli/output.hpp"

#include "cli/story.hpp"

#include <doctest/doctest.h>

using namespace ringfence::cli;

TEST_CASE("large numbers are grouped by thousands") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1,000");
    CHECK(grouped(1234567) == "1,234,567");
}

TEST_CASE("bytes are told in the largest unit that fits") {
    CHECK(bytes_text(17) == "17 B");
    CHECK(bytes_text(2048) == "2.0 KiB");
    CHECK(bytes_text(std::uint64_t{3} << 30U) == "3.0 GiB");
}

TEST_CASE("one is singular") {
    CHECK(count_text(1, "thread") == "1 thread");
    CHECK(count_text(2, "thread") == "2 threads");
}

TEST_CASE("a name becomes a file name that stays in its folder") {
    CHECK(file_name_of("v1_clients_2.6_to_2.8") == "v1_clients_2.6_to_2.8");
    CHECK(file_name_of("v2 + member_test=off") == "v2_+_member_test=off");
    CHECK(file_name_of("../x y") == ".._x_y");
}
