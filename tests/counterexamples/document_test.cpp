#include "counterexamples/document.hpp"

#include "tests/counterexamples/small_document.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace ringfence::counterexamples {

TEST_CASE("changes are listed in the order of the variables") {
    const Document document = small_document();
    CHECK(changes_between(document.initial.variables, document.steps[0].after.variables) ==
          std::vector<Change>{{"group", "phase", "Empty", "PreparingRebalance"},
                              {"A", "member id", "none", "A1"}});
    CHECK(changes_between(document.initial.variables, document.initial.variables).empty());
}

TEST_CASE("variables that come and go are refused") {
    CHECK_THROWS_WITH_AS(static_cast<void>(changes_between({{"A", "x", "1"}}, {})),
                         "a step changed the number of variables from 1 to 0", std::logic_error);
    CHECK_THROWS_WITH_AS(static_cast<void>(changes_between({{"A", "x", "1"}}, {{"A", "y", "1"}})),
                         "variable 'A x' became 'A y' in one step", std::logic_error);
}

TEST_CASE("the situation before a step is the one after the step before") {
    const Document document = small_document();
    CHECK(situation_before(document, 0) == document.initial);
    CHECK(situation_before(document, 2) == document.steps[1].after);
}

}  // namespace ringfence::counterexamples
