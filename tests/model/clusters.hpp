// The states of a Kafka model, without the search under test.
#pragma once

#include "model/kafka_model.hpp"

#include <cstddef>
#include <cstring>
#include <deque>
#include <random>
#include <set>

namespace ringfence::tests {

struct ByBytes {
    bool operator()(const model::Cluster& left, const model::Cluster& right) const {
        return std::memcmp(&left, &right, sizeof left) < 0;
    }
};

// Breadth first, from the initial state on, until there are no more or so many were found. Each is
// visited as canonical() of it; how many there are.
template <class Canonical, class Visit>
std::size_t visit_states(const model::KafkaModel& model, std::size_t states_max,
                         const Canonical& canonical, const Visit& visit) {
    std::set<model::Cluster, ByBytes> seen{canonical(model.initial_states().front())};
    std::deque<model::Cluster> queue(seen.begin(), seen.end());
    for (checker::Enabled<model::Action> enabled; !queue.empty(); queue.pop_front()) {
        const model::Cluster cluster = queue.front();
        visit(cluster);
        enabled.clear();
        model.actions(cluster, enabled);
        for (const model::Action& action : enabled) {
            model::Cluster after = cluster;
            (void)model.apply(after, action);
            after = canonical(after);
            const bool is_wanted = seen.size() < states_max;
            if (is_wanted && seen.insert(after).second) { queue.push_back(after); }
        }
    }
    return seen.size();
}

// So many walks from the initial state, each of at most so many steps, the same ones every time:
// far deeper than the first states go.
template <class Visit>
void walk_at_random(const model::KafkaModel& model, std::size_t walks, std::size_t steps_max,
                    const Visit& visit) {
    std::mt19937_64 random(walks);
    checker::Enabled<model::Action> enabled;
    for (std::size_t walk = 0; walk < walks; ++walk) {
        model::Cluster cluster = model.initial_states().front();
        for (std::size_t step = 0; step < steps_max; ++step) {
            visit(cluster);
            enabled.clear();
            model.actions(cluster, enabled);
            if (enabled.size() == 0) { break; }
            const auto chosen = static_cast<std::ptrdiff_t>(random() % enabled.size());
            (void)model.apply(cluster, *(enabled.begin() + chosen));
        }
    }
}

}  // namespace ringfence::tests
