// Checks what checker/model.hpp asks of a model, on the states that are found first.
#pragma once

#include "checker/model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <type_traits>
#include <vector>

namespace ringfence::tests {

template <checker::Model M>
void check_contract(const M& model, std::size_t states_max) {
    using State = typename M::State;
    using Action = typename M::Action;
    static_assert(std::has_unique_object_representations_v<State>, "a state has no padding");
    const auto less = [](const State& left, const State& right) {
        return std::memcmp(&left, &right, sizeof left) < 0;
    };
    std::vector<State> queue = model.initial_states();
    std::set<State, decltype(less)> seen(queue.begin(), queue.end(), less);
    for (std::size_t next = 0; next < queue.size() && queue.size() < states_max; ++next) {
        const State state = queue[next];
        checker::Enabled<Action> enabled;
        checker::Enabled<Action> again;
        model.actions(state, enabled);
        model.actions(state, again);
        REQUIRE(std::equal(enabled.begin(), enabled.end(), again.begin(), again.end()));
        REQUIRE(enabled.cuts() == again.cuts());
        REQUIRE(std::set<Action>(enabled.begin(), enabled.end()).size() == enabled.size());
        for (const Action& action : enabled) {
            State after = state;
            State other = state;
            const auto outcome = model.apply(after, action);
            const auto other_outcome = model.apply(other, action);
            REQUIRE(std::memcmp(&after, &other, sizeof after) == 0);
            REQUIRE(M::result_of(outcome) == M::result_of(other_outcome));
            REQUIRE(M::verb_of(action) < M::verb_names().size());
            REQUIRE(M::result_of(outcome) < M::result_names().size());
            if (seen.insert(after).second) { queue.push_back(after); }
        }
    }
}

}  // namespace ringfence::tests
