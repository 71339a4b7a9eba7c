#include "counterexamples/json_positions.hpp"

#include <doctest/doctest.h>

namespace ringfence::counterexamples {

TEST_CASE("a byte offset becomes line and column") {
    CHECK(position_of("ab\ncd", 0) == Position{1, 1});
    CHECK(position_of("ab\ncd", 2) == Position{1, 3});
    CHECK(position_of("ab\ncd", 4) == Position{2, 2});
    CHECK(position_of("ab\ncd", 99) == Position{2, 3});
}

TEST_CASE("every value is found by its JSON pointer") {
    const std::string_view text =
        R"( {"a": [1, {"b/c": "x,}"}], "e\"f": null, "g": {}, "h": [] } )";
    const JsonPositions positions = positions_of(text);
    const auto at = [&](const char* pointer) { return text.substr(positions.offsets.at(pointer)); };
    CHECK(at("").starts_with("{\"a\""));
    CHECK(at("/a").starts_with("[1"));
    CHECK(at("/a/0").starts_with("1, "));
    CHECK(at("/a/1/b~1c").starts_with("\"x,}\""));
    CHECK(at("/e\"f").starts_with("null"));
    CHECK(at("/g").starts_with("{}"));
    CHECK(at("/h").starts_with("[]"));
    CHECK(positions.offsets.size() == 8);
    CHECK_FALSE(positions.repeated);
}

TEST_CASE("a key given twice is found where it stands the second time") {
    const std::string_view text = R"({"a": 1, "b": {"c": 1}, "a": 2})";
    const JsonPositions positions = positions_of(text);
    CHECK(positions.repeated == "/a");
    CHECK(positions.offsets.at("/a") == text.rfind("\"a\""));
}

}  // namespace ringfence::counterexamples
