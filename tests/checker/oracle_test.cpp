// The search against the naive oracle, and against itself with other numbers of workers; by keys,
// and by fingerprints from some level on.

#include "checker/breadth_first.hpp"
#include "tests/models/graph.hpp"
#include "tests/models/streams.hpp"
#include "tests/models/two_phase.hpp"
#include "tests/oracle/comparison.hpp"

#include <doctest/doctest.h>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringfence::tests {

namespace {

template <checker::Model M>
checker::SearchReport<M> search_with(unsigned workers, const M& model,
                                     std::span<const checker::Property<M>> properties,
                                     std::span<const checker::Witness<M>> witnesses,
                                     checker::SearchOptions options = {}) {
    options.workers = workers;
    return checker::search<M>(model, properties, witnesses, options);
}

template <checker::Model M>
void check_model(const M& model, std::span<const checker::Property<M>> properties,
                 std::span<const checker::Witness<M>> witnesses = {}) {
    const auto alone = search_with(1, model, properties, witnesses);
    check_against_oracle(model, properties, witnesses, alone);
    for (const unsigned workers : {2U, 4U}) {
        check_identical(alone, search_with(workers, model, properties, witnesses));
    }
    // From the start, when no bit and no value is known yet, and later.
    for (const std::uint64_t exact_states : {0U, 30U}) {
        checker::SearchOptions options;
        options.fingerprints = {.exact_states_max = exact_states};
        const auto found = search_with(1, model, properties, witnesses, options);
        check_against_oracle(model, properties, witnesses, found);
        check_same_answers(alone, found);
        CHECK((found.fingerprints.has_value() || found.states <= 4 * (exact_states + 1)));
        for (const unsigned workers : {2U, 4U}) {
            check_identical(found, search_with(workers, model, properties, witnesses, options));
        }
    }
}

}  // namespace

TEST_CASE("search and oracle agree on random graphs") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        const Graph graph = random_graph(seed);
        check_model<Graph>(graph, graph_laws::all, graph_laws::witnesses);
    }
}

TEST_CASE("the levels of the search are the distances of the graph") {
    using Library = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        const Graph graph = random_graph(seed);
        // One more node leads to all initial ones, so that distances begin at 1.
        std::uint32_t nodes = 0;
        for (const Graph::Edge& edge : graph.shape().edges) {
            nodes = std::max({nodes, edge.from + 1, edge.to + 1});
        }
        for (const std::uint32_t node : graph.shape().initial) {
            nodes = std::max(nodes, node + 1);
        }
        Library library(nodes + 1);
        for (const Graph::Edge& edge : graph.shape().edges) {
            add_edge(edge.from, edge.to, library);
        }
        for (const std::uint32_t node : graph.shape().initial) { add_edge(nodes, node, library); }

        std::vector<std::size_t> distance(nodes + 1, 0);
        const auto recorder = boost::record_distances(distance.data(), boost::on_tree_edge{});
        breadth_first_search(library, nodes, visitor(boost::make_bfs_visitor(recorder)));
        std::vector<std::uint64_t> states_per_level;
        for (const std::size_t at : distance) {
            if (at == 0) { continue; }  // the added node, or one that nothing leads to
            if (states_per_level.size() < at) { states_per_level.resize(at); }
            ++states_per_level[at - 1];
        }
        const auto report = search_with<Graph>(1, graph, {}, {});
        CHECK(report.states_per_level == states_per_level);
    }
}

TEST_CASE("search and oracle agree on two-phase commit") {
    check_model<TwoPhase>(TwoPhase(4), std::span(&two_phase_consistent, 1));
}

TEST_CASE("search and oracle agree on streams, where the law holds and where it falls") {
    const std::span law(&streams_exactly_once, 1);
    check_model<Streams>(Streams({2, 2, 3, 2, true}), law);
    check_model<Streams>(Streams({2, 1, 4, 2, false}), law);
}

TEST_CASE("search and oracle agree on a model that names its components") {
    const std::span law(&exactly_once_in<SplitStreams>, 1);
    check_model<SplitStreams>(SplitStreams({2, 2, 3, 2, true}), law);
    check_model<SplitStreams>(SplitStreams({2, 1, 4, 2, false}), law);
}

TEST_CASE("naming components changes nothing but the memory") {
    const Streams::Size size{3, 2, 3, 1, true};
    const auto plain = search_with<Streams>(2, Streams(size), {&streams_exactly_once, 1}, {});
    const auto split =
        search_with<SplitStreams>(2, SplitStreams(size), {&exactly_once_in<SplitStreams>, 1}, {});
    CHECK(plain.states == 89'816);
    CHECK(split.states == plain.states);
    CHECK(split.transitions == plain.transitions);
    CHECK(split.states_per_level == plain.states_per_level);
    CHECK(split.fired == plain.fired);
}

TEST_CASE("levels large enough to be sorted and sharded by what scopes share change no count") {
    const Streams::Size size{2, 2, 9, 2, true};
    const auto plain = search_with<Streams>(2, Streams(size), {&streams_exactly_once, 1}, {});
    const auto split_with = [&](unsigned workers, const checker::SearchOptions& options = {}) {
        return search_with<SplitStreams>(workers, SplitStreams(size),
                                         {&exactly_once_in<SplitStreams>, 1}, {}, options);
    };
    const auto split = split_with(1);
    CHECK(plain.states == 1'058'204);
    CHECK(split.states == plain.states);
    CHECK(split.transitions == plain.transitions);
    CHECK(split.states_per_level == plain.states_per_level);
    CHECK(split.fired == plain.fired);
    check_identical(split, split_with(2));
    check_identical(split, split_with(4));

    // Fingerprints before, and after, shards would go by the part.
    for (const std::uint64_t exact_states : {1'000U, 500'000U}) {
        checker::SearchOptions options;
        options.fingerprints = {.exact_states_max = exact_states};
        check_same_answers(split, split_with(2, options));
    }
}

}  // namespace ringfence::tests
