// Every model we ship keeps the contract of checker/model.hpp.

#include "tests/oracle/contract.hpp"
#include "tests/models/graph.hpp"
#include "tests/models/round.hpp"
#include "tests/models/streams.hpp"
#include "tests/models/two_phase.hpp"

#include <doctest/doctest.h>

namespace ringfence::tests {

TEST_CASE("the streams model keeps the contract") {
    check_contract(Streams({3, 2, 3, 1, true}), 5'000);
}

TEST_CASE("the model of a round keeps the contract") {
    check_contract(Round(3, {.hands_out_at_once = false, .waits_between = false}), 5'000);
}

TEST_CASE("two-phase commit keeps the contract") { check_contract(TwoPhase(4), 5'000); }

TEST_CASE("a random graph keeps the contract") { check_contract(random_graph(1), 5'000); }

}  // namespace ringfence::tests
