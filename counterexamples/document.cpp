#include "counterexamples/document.hpp"

#include <stdexcept>

namespace ringfence::counterexamples {

std::vector<Change> changes_between(const std::vector<Variable>& before,
                                    const std::vector<Variable>& after) {
    if (before.size() != after.size()) {
        throw std::logic_error("a step changed the number of variables from " +
                               std::to_string(before.size()) + " to " +
                               std::to_string(after.size()));
    }
    std::vector<Change> changes;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Variable& old = before[i];
        const Variable& now = after[i];
        if (old.actor != now.actor || old.name != now.name) {
            throw std::logic_error("variable '" + old.actor + " " + old.name + "' became '" +
                                   now.actor + " " + now.name + "' in one step");
        }
        if (old.value != now.value) {
            changes.push_back({now.actor, now.name, old.value, now.value});
        }
    }
    return changes;
}

const Situation& situation_before(const Document& document, std::size_t index) {
    return index == 0 ? document.initial : document.steps.at(index - 1).after;
}

}  // namespace ringfence::counterexamples
