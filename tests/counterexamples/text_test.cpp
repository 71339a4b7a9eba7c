#include "counterexamples/text.hpp"

#include "tests/counterexamples/small_document.hpp"

#include <doctest/doctest.h>

#include <sstream>

namespace ringfence::counterexamples {

TEST_CASE("the text tells each step with what it changed") {
    const std::string expected = R"(exactly_once_output is refuted in 3 steps
  law           No input record has two visible outputs.
  law source    KIP-98
  scenario      v2_without_stable_fetch
  source        KIP-447
  scheme        v2
  rules         offset_fetch = any; all others as in v2
  bounds        threads = 2, partitions = 1
  disturbances  expulsion = 1, crash = unlimited
  program       ringfence 0.1.0

 0  initial state
    = p0     last stable offset  0

 1  A      join_group         group                             -> success
    a new member: the group prepares a rebalance
      group  phase               Empty -> PreparingRebalance
      A      member id           none -> A1

 2  B      txn_offset_commit  group  p0 offset 1, generation 1  -> UNKNOWN_MEMBER_ID
    member B1 is not in the group: UNKNOWN_MEMBER_ID

 3  group  expel_member
      group  generation          0 -> 1
    = p0     last stable offset  0 -> 2

why
  r1 is visible twice on p0.
  A and B both committed it.
)";
    CHECK(text_of(small_document()) == expected);
}

TEST_CASE("full detail shows all variables after each step and marks the changed ones") {
    const std::string text = text_of(small_document(), {.detail = Detail::full});
    const std::string last = R"(
 3  group  expel_member
      group  phase               PreparingRebalance
    * group  generation          0 -> 1
      A      member id           A1
    = p0     last stable offset  0 -> 2
)";
    CHECK(text.find(last) != std::string::npos);
    CHECK(text.find("      A      member id           none\n") != std::string::npos);
}

TEST_CASE("without detail only the law and its explanation are told") {
    const std::string text = text_of(small_document(), {.detail = Detail::off});
    CHECK(text.find("join_group") == std::string::npos);
    CHECK(text.find("is refuted in 3 steps") != std::string::npos);
    CHECK(text.find("r1 is visible twice") != std::string::npos);
}

TEST_CASE("colour changes no visible letter") {
    std::string coloured = text_of(small_document(), {.is_coloured = true});
    CHECK(coloured.find("\x1b[31mUNKNOWN_MEMBER_ID\x1b[0m") != std::string::npos);
    CHECK(coloured.find("\x1b[32msuccess\x1b[0m") != std::string::npos);
    while (true) {
        const std::size_t begin = coloured.find('\x1b');
        if (begin == std::string::npos) { break; }
        coloured.erase(begin, coloured.find('m', begin) - begin + 1);
    }
    CHECK(coloured == text_of(small_document()));
}

TEST_CASE("no line is longer than a hundred columns") {
    Document document = small_document();
    document.steps[1].arguments.emplace_back("metadata", std::string(40, 'x'));
    document.steps[1].arguments.emplace_back("more", std::string(30, 'y'));
    document.steps[1].reason = "because " + std::string(80, 'z') + " and then something more";
    std::istringstream lines(text_of(document));
    for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        CHECK(line.size() <= 100);
    }
}

TEST_CASE("a trace without a law is told, too") {
    Document document = small_document();
    document.header.law = {};
    document.steps.resize(1);
    CHECK(text_of(document).starts_with("a trace of 1 step\n"));
}

}  // namespace ringfence::counterexamples
