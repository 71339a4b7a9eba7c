// Replaying a trace: the states and outcomes between its actions are found again by taking them.
// Saved traces outlive the code that found them, so every action is checked to be enabled.
#pragma once

#include "checker/model.hpp"
#include "checker/verdict.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace ringfence::checker {

template <Model M>
struct Replay {
    bool starts_initial = false;                // the trace begins in an initial state of the model
    std::vector<typename M::State> states;      // before the first action, and after each one taken
    std::vector<typename M::Outcome> outcomes;  // of each action taken
    std::optional<std::size_t> first_not_enabled;  // index of the action where the replay stopped

    [[nodiscard]] bool is_complete() const { return starts_initial && !first_not_enabled; }
};

// Takes the actions as far as they are enabled, wherever the trace begins.
template <Model M>
[[nodiscard]] Replay<M> replay(const M& model, const Trace<M>& trace) {
    Replay<M> result;
    const std::vector<typename M::State> initial = model.initial_states();
    result.starts_initial =
        std::find(initial.begin(), initial.end(), trace.initial) != initial.end();
    result.states.push_back(trace.initial);
    typename M::State state = trace.initial;
    Enabled<typename M::Action> enabled;
    for (std::size_t index = 0; index < trace.actions.size(); ++index) {
        enabled.clear();
        model.actions(state, enabled);
        if (std::find(enabled.begin(), enabled.end(), trace.actions[index]) == enabled.end()) {
            result.first_not_enabled = index;
            return result;
        }
        result.outcomes.push_back(model.apply(state, trace.actions[index]));
        result.states.push_back(state);
    }
    return result;
}

}  // namespace ringfence::checker
