// A model that is a literal graph: every edge is a step. For tests that say exactly which states
// there are, and for random graphs.
#pragma once

#include "checker/model.hpp"
#include "checker/property.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ringfence::tests {

class Graph {
  public:
    struct State {
        std::uint64_t node;
        std::array<std::uint64_t, 4> disguise;  // the node again, spread over many bits
        friend bool operator==(const State&, const State&) = default;
    };

    struct Action {
        std::uint32_t edge;
        std::uint32_t actor;
        friend auto operator<=>(const Action&, const Action&) = default;
    };

    struct Outcome {
        bool is_loop = false;
    };

    struct Edge {
        std::uint32_t from;
        std::uint32_t to;
        std::uint32_t actor = 0;
        bool is_healing = true;
    };

    struct Shape {
        std::vector<Edge> edges;
        std::vector<std::uint32_t> initial = {0};
        std::vector<std::uint32_t> bad_nodes = {};       // violate the state law
        std::vector<std::uint32_t> bad_edges = {};       // violate the step law
        std::vector<std::uint32_t> cut_nodes = {};       // a bound forbids a step here
        std::vector<std::uint32_t> finished_nodes = {};  // no work is left
        std::size_t wide_words = 0;  // of the disguise: makes keys of 64 bits more, each
    };

    explicit Graph(Shape shape) : shape_(std::move(shape)) {
        for (std::uint32_t edge = 0; edge < shape_.edges.size(); ++edge) {
            const std::uint32_t from = shape_.edges[edge].from;
            if (from >= edges_from_.size()) { edges_from_.resize(from + 1); }
            edges_from_[from].push_back(edge);
        }
    }

    [[nodiscard]] State state_of(std::uint64_t node) const {
        constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
        State state{node, {}};
        std::uint64_t spread = node;
        for (std::size_t word = 0; word < shape_.wide_words; ++word) {
            state.disguise[word] = spread *= odd;
        }
        return state;
    }

    [[nodiscard]] std::vector<State> initial_states() const {
        std::vector<State> states;
        for (const std::uint32_t node : shape_.initial) { states.push_back(state_of(node)); }
        return states;
    }

    void actions(const State& state, checker::Enabled<Action>& enabled) const {
        if (has(shape_.cut_nodes, state.node)) { enabled.cut(state.node % 2); }
        if (state.node >= edges_from_.size()) { return; }
        for (const std::uint32_t edge : edges_from_[state.node]) {
            enabled.add({edge, shape_.edges[edge].actor});
        }
    }

    Outcome apply(State& state, const Action& action) const {
        const State before = std::exchange(state, state_of(shape_.edges[action.edge].to));
        return {before == state};
    }

    [[nodiscard]] bool is_healing(const Action& action) const {
        return shape_.edges[action.edge].is_healing;
    }
    [[nodiscard]] bool work_is_left(const State& state) const {
        return !has(shape_.finished_nodes, state.node);
    }

    static std::size_t verb_of(const Action& action) { return action.edge % 3; }
    static std::size_t result_of(const Outcome& outcome) { return outcome.is_loop ? 1 : 0; }
    static std::size_t actor_of(const Action& action) { return action.actor; }
    static std::vector<std::string> verb_names() { return {"zero", "one", "two"}; }
    static std::vector<std::string> result_names() { return {"moves", "stays"}; }
    static std::vector<std::string> cut_names() { return {"even", "odd"}; }

    [[nodiscard]] const Shape& shape() const { return shape_; }
    [[nodiscard]] static bool has(const std::vector<std::uint32_t>& nodes, std::uint64_t node) {
        return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    }

  private:
    Shape shape_;
    std::vector<std::vector<std::uint32_t>> edges_from_;
};

static_assert(checker::Model<Graph>);

namespace graph_laws {

inline bool always(const Graph&) { return true; }
inline bool never(const Graph&) { return false; }

inline constexpr checker::Property<Graph> no_bad_node{
    .name = "no_bad_node",
    .sentence = "No bad node is reached.",
    .source = "made up",
    .kind = checker::PropertyKind::state,
    .is_applicable = always,
    .holds_in =
        [](const Graph& graph, const Graph::State& state) {
            return !Graph::has(graph.shape().bad_nodes, state.node);
        },
};

inline constexpr checker::Property<Graph> no_bad_edge{
    .name = "no_bad_edge",
    .sentence = "No bad edge is taken.",
    .source = "made up",
    .kind = checker::PropertyKind::step,
    .is_applicable = always,
    .holds_over =
        [](const Graph& graph, const checker::Step<Graph>& step) {
            return !Graph::has(graph.shape().bad_edges, step.action.edge);
        },
};

inline constexpr checker::Property<Graph> deadlock_free{
    .name = "deadlock_free",
    .sentence = "Where work is left some healing step leads on.",
    .source = "made up",
    .kind = checker::PropertyKind::deadlock,
    .is_applicable = always,
};

inline constexpr std::array<checker::Property<Graph>, 3> all{no_bad_node, no_bad_edge,
                                                             deadlock_free};

inline constexpr checker::Witness<Graph> takes_a_loop{
    .name = "takes_a_loop",
    .sentence = "Some step leads back to its own state.",
    .is_reached_by = [](const Graph&,
                        const checker::Step<Graph>& step) { return step.outcome.is_loop; },
};

inline constexpr checker::Witness<Graph> arrives_at_three{
    .name = "arrives_at_three",
    .sentence = "Some step leads to node 3.",
    .is_reached_by = [](const Graph&,
                        const checker::Step<Graph>& step) { return step.after.node == 3; },
};

inline constexpr std::array<checker::Witness<Graph>, 2> witnesses{takes_a_loop, arrives_at_three};

}  // namespace graph_laws

// Some hundred nodes, most of them reachable, with all that a search has to get right: loops,
// parallel edges, dead ends, cuts, several initial states, keys of one to five words.
inline Graph random_graph(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t bound) {
        return static_cast<std::uint32_t>(random() % bound);
    };
    Graph::Shape shape;
    const std::uint32_t nodes = 10 + below(600);
    const std::uint32_t edges = nodes + below(3 * nodes);
    for (std::uint32_t edge = 0; edge < edges; ++edge) {
        shape.edges.push_back({below(nodes), below(nodes), below(3), below(5) != 0});
    }
    for (std::uint32_t more = below(3); more > 0; --more) { shape.initial.push_back(below(nodes)); }
    for (std::uint32_t more = below(4); more > 0; --more) {
        shape.bad_nodes.push_back(below(nodes));
    }
    for (std::uint32_t more = below(4); more > 0; --more) {
        shape.bad_edges.push_back(below(edges));
    }
    for (std::uint32_t more = below(nodes); more > 0; --more) {
        (below(2) == 0 ? shape.cut_nodes : shape.finished_nodes).push_back(below(nodes));
    }
    shape.wide_words = below(5);
    return Graph(std::move(shape));
}

}  // namespace ringfence::tests
