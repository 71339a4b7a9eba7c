#include "checker/breadth_first.hpp"

#include "tests/models/graph.hpp"
#include "tests/models/streams.hpp"
#include "tests/models/two_phase.hpp"
#include "tests/oracle/comparison.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ringfence::tests {

using checker::Ending;
using checker::SearchOptions;
using checker::Verdict;

namespace {

// The pinned counts: known from peers (Spin, Rumur) that explored the same models.
struct Pinned {
    std::uint64_t states;
    std::uint64_t transitions;
};

checker::SearchReport<TwoPhase> two_phase(std::uint8_t managers) {
    return checker::search<TwoPhase>(TwoPhase(managers), std::span(&two_phase_consistent, 1), {},
                                     {});
}

checker::SearchReport<Streams> streams(const Streams::Size& size, const SearchOptions& options) {
    return checker::search<Streams>(Streams(size), std::span(&streams_exactly_once, 1), {},
                                    options);
}

template <checker::Model M>
void check_pinned(const checker::SearchReport<M>& report, const Pinned& pinned) {
    CHECK(report.ending == Ending::exhausted);
    CHECK(report.properties[0].verdict == Verdict::holds);
    CHECK(report.states == pinned.states);
    CHECK(report.transitions == pinned.transitions);
}

checker::SearchReport<Graph> search_of(const Graph& graph, const SearchOptions& options = {}) {
    return checker::search<Graph>(graph, graph_laws::all, graph_laws::witnesses, options);
}

// 0 -> 1 -> 2 -> ... -> last
Graph::Shape chain(std::uint32_t last) {
    Graph::Shape shape;
    for (std::uint32_t node = 0; node < last; ++node) { shape.edges.push_back({node, node + 1}); }
    shape.finished_nodes = {last};
    return shape;
}

constexpr Streams::Size large{3, 2, 4, 2, true};

}  // namespace

TEST_CASE("two-phase commit has the known numbers of states and transitions") {
    check_pinned(two_phase(3), {288, 1'145});
    check_pinned(two_phase(5), {8'832, 58'145});
    check_pinned(two_phase(7), {296'448, 2'744'705});
}

TEST_CASE("streams has the known numbers of states and transitions") {
    check_pinned(streams({3, 2, 3, 1, true}, {}), {89'816, 437'588});
    check_pinned(streams({2, 2, 9, 2, true}, {}), {1'058'204, 4'450'844});
#ifdef NDEBUG  // a minute or more without optimisation
    check_pinned(streams({3, 2, 5, 2, true}, {}), {12'011'336, 65'625'696});
#endif
}

TEST_CASE("a violated law is reported: the canary") {
    const auto report = streams({2, 1, 4, 2, false}, {});
    REQUIRE(report.properties[0].verdict == Verdict::refuted);
    check_trace(Streams({2, 1, 4, 2, false}), streams_exactly_once, *report.properties[0].trace);
}

TEST_CASE("one, two and four workers give the same report, widening of keys included") {
    SearchOptions options;
    const auto alone = streams(large, options);
    CHECK(alone.states > 500'000);  // large enough for full rounds
    for (const unsigned workers : {2U, 4U}) {
        options.workers = workers;
        check_identical(alone, streams(large, options));
    }
}

TEST_CASE("a report counts levels, steps, results and cuts") {
    const Graph graph({.edges = {{0, 1}, {0, 0}, {1, 2}, {1, 2}}, .cut_nodes = {1, 2}});
    const auto report = search_of(graph);
    CHECK(report.ending == Ending::exhausted);
    CHECK(report.states == 3);
    CHECK(report.transitions == 4);
    CHECK(report.depth == 2);
    CHECK(report.states_per_level == std::vector<std::uint64_t>{1, 1, 1});
    // Verbs are edge numbers modulo 3; results are "moves" and "stays".
    CHECK(report.fired == std::vector<std::vector<std::uint64_t>>{{2, 0}, {0, 1}, {1, 0}});
    // Two steps lead to node 2, and the first one counts.
    CHECK(report.new_states == std::vector<std::uint64_t>{1, 0, 1});
    CHECK(report.cuts[0] == 1);
    CHECK(report.cuts[1] == 1);
    CHECK(report.memory_bytes > 0);
    CHECK(report.key_bits == 2);
}

TEST_CASE("equal initial states count once") {
    const Graph graph({.edges = {{0, 1}}, .initial = {0, 3, 3, 0}});
    CHECK(search_of(graph).states_per_level == std::vector<std::uint64_t>{2, 1});
}

TEST_CASE("a model without initial states is refused") {
    const Graph graph({.edges = {{0, 1}}, .initial = {}});
    CHECK_THROWS_AS((void)search_of(graph), std::invalid_argument);
}

TEST_CASE("a law that does not apply is neither asked nor told to hold") {
    auto law = graph_laws::no_bad_node;
    law.is_applicable = graph_laws::never;
    const Graph graph({.edges = {{0, 1}}, .bad_nodes = {1}});
    const auto report = checker::search<Graph>(graph, std::span(&std::as_const(law), 1), {}, {});
    CHECK(report.properties[0].verdict == Verdict::not_applicable);
    CHECK_FALSE(report.properties[0].trace);
}

TEST_CASE("a witness tells the level from which it was first reached") {
    const Graph graph({.edges = {{0, 1}, {1, 2}, {2, 3}, {2, 4}, {4, 3}}});
    const auto report = search_of(graph);
    CHECK_FALSE(report.witnesses[0].is_reached);
    CHECK(report.witnesses[1].is_reached);
    CHECK(report.witnesses[1].depth == 2);
}

TEST_CASE("a state with work and without a way on is a deadlock") {
    const Graph graph({.edges = {{0, 1}, {0, 2}}, .finished_nodes = {1}});
    const auto verdict = search_of(graph).properties[2];
    REQUIRE(verdict.verdict == Verdict::refuted);
    CHECK(verdict.trace->actions[0].edge == 1);
}

TEST_CASE("refused retries and disturbances are no way out of a deadlock") {
    const Graph graph({.edges = {{0, 1}, {1, 1}, {1, 0, 0, false}}});
    const auto verdict = search_of(graph).properties[2];
    REQUIRE(verdict.verdict == Verdict::refuted);
    CHECK(verdict.trace->actions.size() == 1);
}

TEST_CASE("a state whose healing a bound cut is no deadlock") {
    const Graph graph({.edges = {{0, 1}}, .cut_nodes = {1}});
    CHECK(search_of(graph).properties[2].verdict == Verdict::holds);
}

TEST_CASE("the limit on depth checks the deepest states and goes no further") {
    Graph::Shape shape = chain(10);
    shape.bad_nodes = {4};
    SearchOptions options;
    options.depth_max = 4;
    auto report = search_of(Graph(shape), options);
    CHECK(report.ending == Ending::depth);
    CHECK(report.states == 5);
    CHECK(report.depth == 4);
    CHECK(report.properties[0].verdict == Verdict::refuted);
    CHECK(report.properties[1].verdict == Verdict::inconclusive);
    options.depth_max = 3;
    CHECK(search_of(Graph(shape), options).properties[0].verdict == Verdict::inconclusive);
    options.depth_max = 11;
    CHECK(search_of(Graph(shape), options).ending == Ending::exhausted);
}

TEST_CASE("the limit on states ends a search soon after it is passed") {
    SearchOptions options;
    options.states_max = 100'000;
    const auto report = streams(large, options);
    CHECK(report.ending == Ending::states);
    CHECK(report.states > 100'000);
    CHECK(report.states < 400'000);
    CHECK(report.properties[0].verdict == Verdict::inconclusive);
}

TEST_CASE("a search that needs exactly the states it may have is exhausted") {
    SearchOptions options;
    options.states_max = 11;
    CHECK(search_of(Graph(chain(10)), options).ending == Ending::exhausted);
    options.states_max = 10;
    CHECK(search_of(Graph(chain(100)), options).ending == Ending::states);
}

TEST_CASE("the limit on time ends a search") {
    SearchOptions options;
    options.seconds_max = 0.05;
    const auto report = streams({3, 2, 5, 2, true}, options);
    CHECK(report.ending == Ending::time);
    CHECK(report.properties[0].verdict == Verdict::inconclusive);
}

TEST_CASE("a search never owns more memory than it may") {
    for (const std::uint64_t megabytes : {2, 4, 8, 16}) {  // an empty store owns 1.5
        SearchOptions options;
        options.memory_bytes_max = megabytes << 20U;
        const auto report = streams({3, 2, 5, 2, true}, options);
        CHECK(report.ending == Ending::memory);
        CHECK(report.memory_bytes <= options.memory_bytes_max);
        CHECK(report.properties[0].verdict == Verdict::inconclusive);
    }
}

TEST_CASE("an interrupted search reports what it has") {
    const std::atomic<bool> is_interrupted = true;
    SearchOptions options;
    options.is_interrupted = &is_interrupted;
    const auto report = search_of(Graph(chain(10)), options);
    CHECK(report.ending == Ending::interrupted);
    CHECK(report.states == 1);
}

TEST_CASE("a law that fell before a limit is refuted, with a shortest trace") {
    const Streams::Size size{3, 2, 5, 2, false};
    SearchOptions options;
    options.states_max = 3'000'000;
    const auto report = streams(size, options);
    CHECK(report.ending == Ending::states);
    REQUIRE(report.properties[0].verdict == Verdict::refuted);
    check_trace(Streams(size), streams_exactly_once, *report.properties[0].trace);
    CHECK(report.properties[0].trace->actions.size() < report.depth);
}

TEST_CASE("a search may stop at the end of the level in which the last law falls") {
    Graph::Shape shape = chain(20);
    shape.bad_nodes = {3};
    shape.bad_edges = {5};
    SearchOptions options;
    options.stops_when_all_refuted = true;
    const std::array laws{graph_laws::no_bad_node, graph_laws::no_bad_edge};
    const Graph graph(shape);
    const auto report = checker::search<Graph>(graph, laws, {}, options);
    CHECK(report.ending == Ending::all_refuted);
    CHECK(report.states == 7);  // level 5 was finished, level 6 was found
    CHECK(report.properties[0].trace->actions.size() == 3);
    CHECK(report.properties[1].trace->actions.size() == 6);
}

TEST_CASE("a search without laws visits everything") {
    SearchOptions options;
    options.stops_when_all_refuted = true;
    const auto report = checker::search<Graph>(Graph(chain(20)), {}, {}, options);
    CHECK(report.ending == Ending::exhausted);
    CHECK(report.states == 21);
}

TEST_CASE("progress is told while a search runs") {
    struct Seen {
        int calls = 0;
        checker::Progress last{};
    } seen;
    SearchOptions options;
    options.progress_context = &seen;
    options.on_progress = [](const checker::Progress& progress, void* context) {
        auto& into = *static_cast<Seen*>(context);
        ++into.calls;
        into.last = progress;
    };
    const auto slow_law = checker::Property<Graph>{
        .name = "slow",
        .sentence = "Takes its time.",
        .source = "made up",
        .kind = checker::PropertyKind::state,
        .is_applicable = graph_laws::always,
        .holds_in =
            [](const Graph&, const Graph::State&) {
                std::this_thread::sleep_for(std::chrono::milliseconds(60));
                return true;
            },
    };
    const auto report =
        checker::search<Graph>(Graph(chain(10)), std::span(&slow_law, 1), {}, options);
    CHECK(seen.calls >= 1);
    CHECK(seen.calls <= 4);
    CHECK(seen.last.states <= report.states);
    CHECK(seen.last.seconds > 0);
}

}  // namespace ringfence::tests
