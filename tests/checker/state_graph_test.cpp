#include "checker/state_graph.hpp"

#include "checker/breadth_first.hpp"
#include "tests/models/graph.hpp"
#include "tests/models/streams.hpp"

#include <doctest/doctest.h>

#include <map>

namespace ringfence::tests {

namespace {

constexpr auto look_at_nothing = [](std::uint32_t) {};
constexpr auto keep_all = [](std::uint32_t, const auto&) { return true; };

using GraphOfGraph = checker::StateGraph<Graph>;

// Nodes by name, since a graph numbers states in the order in which it finds them.
std::map<std::uint64_t, std::uint32_t> by_node(const GraphOfGraph& graph,
                                               const std::vector<std::uint32_t>& values) {
    std::map<std::uint64_t, std::uint32_t> result;
    for (std::uint32_t number = 0; number < graph.size(); ++number) {
        result[graph.state(number).node] = values[number];
    }
    return result;
}

// What is said of a random graph by relaxing every edge as often as there are nodes.
std::vector<std::uint32_t> naive_distances(const Graph::Shape& shape, std::uint64_t target,
                                           std::size_t nodes) {
    std::vector<std::uint32_t> distances(nodes, GraphOfGraph::unreachable);
    distances[target] = 0;
    for (std::size_t round = 0; round < nodes; ++round) {
        for (const Graph::Edge& edge : shape.edges) {
            if (distances[edge.to] == GraphOfGraph::unreachable) { continue; }
            distances[edge.from] = std::min(distances[edge.from], distances[edge.to] + 1);
        }
    }
    return distances;
}

}  // namespace

TEST_CASE("a graph has the states and the steps that the search has") {
    const Streams model({3, 2, 3, 1, true});
    checker::StateGraph<Streams> graph;
    CHECK(graph.explore(model, {}, look_at_nothing, keep_all) == checker::Ending::exhausted);
    const auto report = checker::search<Streams>(model, {}, {}, {});
    CHECK(graph.size() == report.states);
    CHECK(graph.transitions() == report.transitions);
    CHECK(graph.depth() == report.depth);
    std::vector<std::uint64_t> per_level(report.depth + 1);
    for (std::uint32_t number = 0; number < graph.size(); ++number) {
        ++per_level[graph.depth_of(number)];
    }
    CHECK(per_level == report.states_per_level);
}

TEST_CASE("distances go along kept steps alone, and only where there is a way") {
    //  0 -> 1 -> 2 -> 3, a shortcut 0 -> 3 of another actor, and a dead end 1 -> 4
    const Graph model({.edges = {{0, 1}, {1, 2}, {2, 3}, {0, 3, 7}, {1, 4}}});
    GraphOfGraph graph;
    const auto ending =
        graph.explore(model, {}, look_at_nothing,
                      [](std::uint32_t, const auto& step) { return step.action.actor != 7; });
    REQUIRE(ending == checker::Ending::exhausted);
    CHECK(graph.transitions() == 5);
    const auto is_three = [&graph](std::uint32_t number) { return graph.state(number).node == 3; };
    const std::map<std::uint64_t, std::uint32_t> expected{
        {0, 3}, {1, 2}, {2, 1}, {3, 0}, {4, GraphOfGraph::unreachable}};
    CHECK(by_node(graph, graph.distances_to(is_three)) == expected);
}

TEST_CASE("distances in random graphs are those of naive relaxation") {
    for (unsigned seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        const Graph model = random_graph(seed);
        GraphOfGraph graph;
        static_cast<void>(graph.explore(model, {}, look_at_nothing, keep_all));
        std::uint64_t nodes = 1;
        for (const Graph::Edge& edge : model.shape().edges) {
            nodes = std::max<std::uint64_t>({nodes, edge.from + 1U, edge.to + 1U});
        }
        const std::uint64_t target = graph.state(static_cast<std::uint32_t>(graph.size() / 2)).node;
        const auto naive = naive_distances(model.shape(), target, nodes);
        const auto found = by_node(graph, graph.distances_to([&](std::uint32_t number) {
            return graph.state(number).node == target;
        }));
        for (const auto& [node, distance] : found) { CHECK(distance == naive[node]); }
    }
}

TEST_CASE("every state is visited once, before its steps, in the order of depth") {
    const Graph model({.edges = {{0, 1}, {0, 2}, {1, 0}, {2, 2}, {2, 3}}});
    GraphOfGraph graph;
    std::vector<std::uint64_t> seen;
    static_cast<void>(graph.explore(
        model, {},
        [&](std::uint32_t number) {
            CHECK(graph.depth() == graph.depth_of(number));
            seen.push_back(graph.state(number).node);
        },
        [&](std::uint32_t number, const auto& step) {
            CHECK(step.before.node == seen.back());
            CHECK(graph.state(number).node == seen.back());
            return true;
        }));
    CHECK(seen == std::vector<std::uint64_t>{0, 1, 2, 3});
}

TEST_CASE("limits end the exploration and are named") {
    const Streams model({3, 2, 3, 1, true});
    const auto ending = [&model](checker::SearchOptions options) {
        checker::StateGraph<Streams> graph;
        return graph.explore(model, options, look_at_nothing, keep_all);
    };
    CHECK(ending({.states_max = 100}) == checker::Ending::states);
    CHECK(ending({.depth_max = 3}) == checker::Ending::depth);
    CHECK(ending({.seconds_max = 0}) == checker::Ending::time);
    CHECK(ending({.memory_bytes_max = 1}) == checker::Ending::memory);
    const std::atomic<bool> stopped{true};
    CHECK(ending({.is_interrupted = &stopped}) == checker::Ending::interrupted);
}

TEST_CASE("a limit on depth visits the states at the limit, and takes no step from them") {
    const Graph model({.edges = {{0, 1}, {1, 2}, {2, 3}}});
    GraphOfGraph graph;
    std::size_t visited = 0;
    const auto ending = graph.explore(
        model, {.depth_max = 2}, [&](std::uint32_t) { ++visited; }, keep_all);
    CHECK(ending == checker::Ending::depth);
    CHECK(visited == 3);
    CHECK(graph.transitions() == 2);
}

}  // namespace ringfence::tests
