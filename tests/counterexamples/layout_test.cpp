#include "counterexamples/layout.hpp"

#include <doctest/doctest.h>

namespace ringfence::counterexamples {

TEST_CASE("text is padded to a width and never cut") {
    CHECK(padded("ab", 4) == "ab  ");
    CHECK(padded("abcd", 2) == "abcd");
    CHECK(right_aligned("7", 3) == "  7");
    CHECK(right_aligned("1234", 3) == "1234");
}

TEST_CASE("long text is broken at blanks and indented") {
    const std::string word(60, 'w');
    CHECK(wrapped("  ", word + " " + word, 4) == "  " + word + "\n    " + word + "\n");
}

TEST_CASE("a text that just fits is not broken") {
    const std::string exact = std::string(49, 'a') + " " + std::string(50, 'b');
    CHECK(wrapped("", exact, 2) == exact + "\n");
    CHECK(wrapped("", exact + "c", 2) ==
          std::string(49, 'a') + "\n  " + std::string(50, 'b') + "c\n");
}

TEST_CASE("line ends of the text stay, and none is added behind the last") {
    CHECK(wrapped("> ", "one\n\ntwo\n", 2) == "> one\n\n  two\n");
    CHECK(wrapped("> ", "", 2) == ">\n");
}

TEST_CASE("a single word may be longer than a line") {
    const std::string word(120, 'w');
    CHECK(wrapped("", "a " + word, 1) == "a\n " + word + "\n");
}

TEST_CASE("paint is put on only where it is asked for") {
    CHECK(painted("x", Paint::bad, false) == "x");
    CHECK(painted("x", Paint::plain, true) == "x");
    CHECK(painted("x", Paint::bad, true) == "\x1b[31mx\x1b[0m");
}

TEST_CASE("control characters are written as text, and every other character stays") {
    CHECK(printable("a\x1b[31m\r\n\x7f") == "a\\x1b[31m\\x0d\\x0a\\x7f");
    CHECK(printable("one\ntwo\t", true) == "one\ntwo\\x09");
    CHECK(printable("caf\xc3\xa9, 2 \xc2\xb1 1, \xc2\x9b") == "caf\xc3\xa9, 2 \xc2\xb1 1, \\x9b");
}

}  // namespace ringfence::counterexamples
