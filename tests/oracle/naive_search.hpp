// The oracle: breadth-first search as one would write it on a blackboard, with ordered maps and no
// packing, threads or limits. It knows nothing of the engine but the contract with the model, and
// has to come to the same counts, verdicts and shortest lengths.
#pragma once

#include "checker/property.hpp"

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ringfence::tests {

struct NaiveReport {
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::vector<std::uint64_t> states_per_level;
    std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> fired;  // by verb and result
    std::vector<std::uint64_t> cuts = std::vector<std::uint64_t>(checker::cut_kinds_max);
    std::vector<std::optional<std::size_t>> shortest;  // per property, length of a refutation
    std::vector<std::optional<std::uint32_t>> witness_depth;
};

template <checker::Model M>
NaiveReport naive_search(const M& model, std::span<const checker::Property<M>> properties,
                         std::span<const checker::Witness<M>> witnesses) {
    using State = typename M::State;
    const auto less = [](const State& left, const State& right) {
        return std::memcmp(&left, &right, sizeof left) < 0;
    };
    std::map<State, std::size_t, decltype(less)> depth_of(less);
    std::vector<State> queue;
    const auto find = [&](const State& state, std::size_t depth) {
        if (depth_of.emplace(state, depth).second) { queue.push_back(state); }
    };
    NaiveReport report;
    report.shortest.resize(properties.size());
    report.witness_depth.resize(witnesses.size());
    for (const State& state : model.initial_states()) { find(state, 0); }
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const State state = queue[next];
        const std::size_t depth = depth_of.at(state);
        report.states_per_level.resize(depth + 1);
        ++report.states_per_level[depth];
        const auto refute = [&](checker::PropertyKind kind, std::size_t length, const auto& holds) {
            for (std::size_t law = 0; law < properties.size(); ++law) {
                const checker::Property<M>& property = properties[law];
                const bool is_asked = property.kind == kind && property.is_applicable(model);
                if (!is_asked || report.shortest[law] || holds(property)) { continue; }
                report.shortest[law] = length;
            }
        };
        refute(checker::PropertyKind::state, depth,
               [&](const auto& property) { return property.holds_in(model, state); });
        checker::Enabled<typename M::Action> enabled;
        model.actions(state, enabled);
        bool is_healed = enabled.is_cut();
        for (std::size_t kind = 0; kind < checker::cut_kinds_max; ++kind) {
            report.cuts[kind] += enabled.cuts()[kind];
        }
        for (const typename M::Action& action : enabled) {
            State after = state;
            const typename M::Outcome outcome = model.apply(after, action);
            const checker::Step<M> step{state, action, outcome, after};
            ++report.transitions;
            ++report.fired[{M::verb_of(action), M::result_of(outcome)}];
            is_healed = is_healed || (model.is_healing(action) && !(after == state));
            refute(checker::PropertyKind::step, depth + 1,
                   [&](const auto& property) { return property.holds_over(model, step); });
            for (std::size_t witness = 0; witness < witnesses.size(); ++witness) {
                if (!report.witness_depth[witness] &&
                    witnesses[witness].is_reached_by(model, step)) {
                    report.witness_depth[witness] = static_cast<std::uint32_t>(depth);
                }
            }
            find(after, depth + 1);
        }
        refute(checker::PropertyKind::deadlock, depth,
               [&](const auto&) { return is_healed || !model.work_is_left(state); });
    }
    report.states = queue.size();
    return report;
}

}  // namespace ringfence::tests
