#include "checker/claims.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <initializer_list>

namespace ringfence::checker {

namespace {

bool are_met(std::initializer_list<AllClaims> of_scopes) {
    JointClaims joint;
    for (const AllClaims claims : of_scopes) { joint.add(claims); }
    return joint.are_met();
}

}  // namespace

TEST_CASE("claims are met where two scopes have one in common") {
    CHECK(!are_met({0b01, 0b10, 0}));
    CHECK(are_met({0b01, 0, 0b11}));
    CHECK(are_met({0b01, 0b10, 0b10}));
}

TEST_CASE("a scope alone meets only a claim that says so") {
    CHECK(!are_met({0x7F}));
    CHECK(are_met({Claims::alone}));
    CHECK(are_met({0, 0, Claims::alone}));
}

TEST_CASE("claims of one law are not met by those of another") {
    for (std::size_t place = 1; place < claiming_laws_max; ++place) {
        CHECK(!are_met({placed({0x7F}, place - 1), placed({0x7F}, place)}));
        CHECK(are_met({placed({0b1}, place), placed({0b1}, place)}));
        CHECK(are_met({placed({Claims::alone}, place)}));
    }
}

}  // namespace ringfence::checker
