#include "checker/trace.hpp"

#include "checker/breadth_first.hpp"
#include "tests/models/graph.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace ringfence::tests {

namespace {

using Edges = std::vector<std::uint32_t>;

checker::SearchReport<Graph> search_of(const Graph& graph, unsigned workers = 1) {
    checker::SearchOptions options;
    options.workers = workers;
    return checker::search<Graph>(graph, graph_laws::all, graph_laws::witnesses, options);
}

Edges edges_of(const checker::PropertyReport<Graph>& report) {
    REQUIRE(report.trace.has_value());
    Edges edges;
    for (const Graph::Action& action : report.trace->actions) { edges.push_back(action.edge); }
    return edges;
}

}  // namespace

TEST_CASE("the trace is a shortest one") {
    const Graph graph({.edges = {{0, 1}, {1, 2}, {2, 9}, {0, 3}, {3, 9}}, .bad_nodes = {9}});
    CHECK(edges_of(search_of(graph).properties[0]) == Edges{3, 4});
}

TEST_CASE("of equally short traces the smallest last action is told") {
    const Graph graph({.edges = {{0, 1}, {0, 2}, {2, 9}, {1, 9}}, .bad_nodes = {9}});
    CHECK(edges_of(search_of(graph).properties[0]) == Edges{1, 2});
}

TEST_CASE("a predecessor with the actor of the step that follows comes first") {
    // Both ways to node 3 are equally long; the last step is actor 1's.
    const Graph graph(
        {.edges = {{0, 1, 0}, {0, 2, 0}, {1, 3, 0}, {2, 3, 1}, {3, 9, 1}}, .bad_nodes = {9}});
    CHECK(edges_of(search_of(graph).properties[0]) == Edges{1, 3, 4});
}

TEST_CASE("of several violations at the smallest depth the smallest state is told") {
    const Graph graph({.edges = {{0, 8}, {0, 7}, {0, 1}, {1, 2}}, .bad_nodes = {2, 7, 8}});
    CHECK(edges_of(search_of(graph).properties[0]) == Edges{1});
}

TEST_CASE("a violation in an initial state has an empty trace") {
    const Graph graph({.edges = {{0, 1}}, .initial = {0, 5}, .bad_nodes = {5}});
    const auto report = search_of(graph);
    CHECK(edges_of(report.properties[0]).empty());
    CHECK(report.properties[0].trace->initial.node == 5);
}

TEST_CASE("the last action of a step law's trace is the offending step") {
    const Graph graph({.edges = {{0, 1}, {1, 2}, {1, 1}}, .bad_edges = {2}});
    CHECK(edges_of(search_of(graph).properties[1]) == Edges{0, 2});
}

TEST_CASE("replay gives all states and outcomes") {
    const Graph graph({.edges = {{0, 1}, {1, 1}, {1, 9}}, .bad_nodes = {9}});
    const auto replay = checker::replay(
        graph, {graph.state_of(0), {{.edge = 0, .actor = 0}, {.edge = 1, .actor = 0}}});
    CHECK(replay.is_complete());
    REQUIRE(replay.states.size() == 3);
    CHECK(replay.states[2].node == 1);
    CHECK_FALSE(replay.outcomes[0].is_loop);
    CHECK(replay.outcomes[1].is_loop);
}

TEST_CASE("replay stops at the first action that is not enabled") {
    const Graph graph({.edges = {{0, 1}, {1, 2}}});
    const auto replay = checker::replay(
        graph, {graph.state_of(0), {{.edge = 0, .actor = 0}, {.edge = 0, .actor = 0}}});
    CHECK_FALSE(replay.is_complete());
    CHECK(replay.first_not_enabled == 1);
    CHECK(replay.states.size() == 2);
}

TEST_CASE("replay tells when a trace does not begin in an initial state") {
    const Graph graph({.edges = {{0, 1}, {1, 2}}});
    const auto replay = checker::replay(graph, {graph.state_of(1), {{.edge = 1, .actor = 0}}});
    CHECK_FALSE(replay.starts_initial);
    CHECK_FALSE(replay.is_complete());
}

}  // namespace ringfence::tests
