// The states of a Kafka model, without the search under test.
#pragma once

#include "model/kafka_model.hpp"

#include <cstddef>
#include <cstring>
#include <deque>
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

}  // namespace ringfence::tests
