// The search against the naive oracle, and against itself with other numbers of workers.

#include "checker/breadth_first.hpp"
#include "tests/models/graph.hpp"
#include "tests/models/streams.hpp"
#include "tests/models/two_phase.hpp"
#include "tests/oracle/comparison.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>

namespace ringfence::tests {

namespace {

template <checker::Model M>
checker::SearchReport<M> search_with(unsigned workers, const M& model,
                                     std::span<const checker::Property<M>> properties,
                                     std::span<const checker::Witness<M>> witnesses) {
    checker::SearchOptions options;
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
}

}  // namespace

TEST_CASE("search and oracle agree on random graphs") {
    const std::uint64_t first = std::random_device{}();
    for (std::uint64_t seed = first; seed < first + 300; ++seed) {
        CAPTURE(seed);
        const Graph graph = random_graph(seed);
        check_model<Graph>(graph, graph_laws::all, graph_laws::witnesses);
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

}  // namespace ringfence::tests
