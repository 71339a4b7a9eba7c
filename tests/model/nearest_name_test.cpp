#include "model/nearest_name.hpp"

#include <doctest/doctest.h>

#include <array>
#include <string>

using namespace ringfence::model;

TEST_CASE("an edit is an insertion, a deletion or a replacement") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("abc", "abc") == 0);
    CHECK(edit_distance("abc", "adc") == 1);
    CHECK(edit_distance("kitten", "sitting") == 3);
}

TEST_CASE("the nearest name is the first one with the fewest edits") {
    constexpr std::array<std::string_view, 3> names{"threads", "partitions", "records"};
    CHECK(nearest_name("thredas", names) == "threads");
    CHECK(nearest_name("recrods", names) == "records");
    CHECK(nearest_name("x", {}).empty());
}

TEST_CASE("a short list of names is written out") {
    constexpr std::array<std::string_view, 3> names{"holds", "refuted", "not_applicable"};
    CHECK(expected_names("hold", names) ==
          ", expected \"holds\", \"refuted\" or \"not_applicable\", nearest is \"holds\"");
}

TEST_CASE("a long list of names is pointed to") {
    constexpr std::array<std::string_view, 9> names{"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    CHECK(expected_names("a1", names, "ringfence list letters") ==
          ", expected a name from `ringfence list letters`, nearest is \"a\"");
}

TEST_CASE("a long name is shown cut, between characters") {
    CHECK(shortened(std::string(60, 'x')) == std::string(60, 'x'));
    CHECK(shortened(std::string(61, 'x')) == std::string(60, 'x') + "...");
    CHECK(shortened(std::string(59, 'x') + "\xc3\xa9") == std::string(59, 'x') + "...");
}
