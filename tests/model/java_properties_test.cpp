#include "model/java_properties.hpp"

#include "model/settings.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace ringfence::model;

namespace {

Property only(std::string_view text) {
    const std::vector<Property> properties = read_properties(text, "f");
    REQUIRE(properties.size() == 1);
    return properties.front();
}

void expect(std::string_view text, std::string_view key, std::string_view value) {
    CAPTURE(text);
    const Property property = only(text);
    CHECK(property.key == key);
    CHECK(property.value == value);
}

}  // namespace

TEST_CASE("a key ends at an equals sign, a colon or a blank") {
    expect("a=b", "a", "b");
    expect("a:b", "a", "b");
    expect("a b", "a", "b");
    expect("a\tb", "a", "b");
    expect("a = b", "a", "b");
    expect("a : b", "a", "b");
    expect("  a   =   b", "a", "b");
    expect("a==b", "a", "=b");
    expect("a = : b", "a", ": b");
    expect("url=jdbc:x=y z", "url", "jdbc:x=y z");
}

TEST_CASE("a value may be empty, and so may a key") {
    expect("a", "a", "");
    expect("a=", "a", "");
    expect("a:   ", "a", "");
    expect("=b", "", "b");
}

TEST_CASE("trailing blanks belong to the value") { expect("a=b  ", "a", "b  "); }

TEST_CASE("comments and blank lines are passed over") {
    expect("# x=1\n! y=2\n   # z=3\n\n \t \na=b\n", "a", "b");
    expect("a=b # no comment", "a", "b # no comment");
}

TEST_CASE("a comment does not go on") { expect("# comment \\\na=b", "a", "b"); }

TEST_CASE("an odd number of backslashes joins the next line without its leading blanks") {
    expect("a=b,\\\n    c", "a", "b,c");
    expect("a=b\\\\\\\n c", "a", "b\\c");
    expect("a\\\n   b=c", "ab", "c");
    expect("a=b\\\n# c", "a", "b# c");
    const auto even = read_properties("a=b\\\\\nc=d", "f");
    REQUIRE(even.size() == 2);
    CHECK(even[0].value == "b\\");
    CHECK(even[1].key == "c");
}

TEST_CASE("a blank line ends what was to go on") {
    const auto properties = read_properties("a=b\\\n\nc=d", "f");
    REQUIRE(properties.size() == 2);
    CHECK(properties[0].value == "b");
}

TEST_CASE("a backslash at the end of the file is dropped") { expect("a=b\\", "a", "b"); }

TEST_CASE("all three line ends are known") {
    CHECK(read_properties("a=1\rb=2\r\nc=3\n", "f").size() == 3);
    expect("a=b\\\r\n c", "a", "bc");
}

TEST_CASE("escapes") {
    expect("a\\ b=c", "a b", "c");
    expect("a\\:b\\=c=d", "a:b=c", "d");
    expect("a=x\\ty\\nz\\r\\f", "a", "x\ty\nz\r\f");
    expect("a=\\q\\\\", "a", "q\\");
    expect("a=\\  b", "a", "  b");
    expect("\\#a=b", "#a", "b");
}

TEST_CASE("characters by their code become UTF-8") {
    expect("a=\\u0041\\u00e9\\u20AC", "a", "A\xC3\xA9\xE2\x82\xAC");
    expect("a=\\uD83D\\uDE00", "a", "\xF0\x9F\x98\x80");
    expect("\\u0061\\u003d=b", "a=", "b");
}

TEST_CASE("a character without its digits is refused at its place") {
    CHECK_THROWS_WITH_AS(static_cast<void>(read_properties("x=1\na = b\\u00g0", "f")),
                         "f:2:6: \"\\u00g0\" is no character, expected four hexadecimal digits "
                         "(Java: malformed \\uxxxx encoding)",
                         ConfigurationError);
    CHECK_THROWS_AS(static_cast<void>(read_properties("a=\\u00", "f")), ConfigurationError);
}

TEST_CASE("duplicates are kept in the order of the file") {
    const auto properties = read_properties("a=1\nb=2\na=3", "f");
    REQUIRE(properties.size() == 3);
    CHECK(properties[2].value == "3");
}

TEST_CASE("keys and values know their places") {
    const auto properties = read_properties("# x\n  a = b\nc \\\n   = d\ne\n", "f");
    REQUIRE(properties.size() == 3);
    CHECK(properties[0].key_at == TextPosition{2, 3});
    CHECK(properties[0].value_at == TextPosition{2, 7});
    CHECK(properties[1].key_at == TextPosition{3, 1});
    CHECK(properties[1].value_at == TextPosition{4, 6});
    CHECK(properties[2].value_at == TextPosition{5, 2});
}
