// A search that keeps fingerprints says what an exact one says, in less memory; and where its
// fingerprints are too narrow it loses states, and the odds say so.
#include "checker/breadth_first.hpp"

#include "tests/models/graph.hpp"
#include "tests/models/streams.hpp"
#include "tests/oracle/comparison.hpp"
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <atomic>

namespace ringfence::tests {

using checker::Ending;
using checker::SearchOptions;
using checker::Verdict;

namespace {

SearchOptions by_fingerprints(const checker::FingerprintOptions& asked = {}) {
    SearchOptions options;
    options.fingerprints = asked;
    return options;
}

checker::SearchReport<Streams> streams(const Streams::Size& size, const SearchOptions& options) {
    return checker::search<Streams>(Streams(size), std::span(&streams_exactly_once, 1), {},
                                    options);
}

constexpr Streams::Size sound{3, 2, 4, 2, true};
constexpr Streams::Size broken{3, 2, 5, 2, false};

model::KafkaModel kafka(std::string_view rule_set) {
    return {
        rules_of(rule_set), {.threads = 2, .partitions = 2, .records = 1, .generations = 2}, {}};
}

// 0 -> 1 -> 2 -> ... -> last
Graph::Shape chain(std::uint32_t last) {
    Graph::Shape shape;
    for (std::uint32_t node = 0; node < last; ++node) { shape.edges.push_back({node, node + 1}); }
    shape.finished_nodes = {last};
    return shape;
}

}  // namespace

TEST_CASE("a search with few states keeps them all, and has no odds") {
    const auto report =
        checker::search<Graph>(Graph(chain(1000)), graph_laws::all, {}, by_fingerprints());
    CHECK_FALSE(report.fingerprints);
    CHECK(report.states == 1001);
}

TEST_CASE("fingerprints give the answers of an exact search") {
    const auto exact = streams(sound, {});
    auto options = by_fingerprints();
    const auto found = streams(sound, options);
    CHECK(found.states > 1U << 18U);
    check_same_answers(exact, found);
    REQUIRE(found.fingerprints);
    CHECK(found.fingerprints->bits == 70);
    CHECK(found.fingerprints->odds == checker::odds_of_a_lost_state(found.states, 70));
    CHECK(found.fingerprints->odds < 1e-8);
    CHECK_FALSE(found.fingerprints->traces_ended_by);
    check_new_states(found);
    for (const unsigned workers : {2U, 4U}) {
        options.workers = workers;
        check_identical(found, streams(sound, options));
    }
}

TEST_CASE("a law that falls among fingerprints is told with the trace of an exact search") {
    const auto exact = streams(broken, {.states_max = 2'000'000});
    auto options = by_fingerprints({.exact_states_max = 1000});
    options.states_max = 2'000'000;
    const auto found = streams(broken, options);
    CHECK(found.ending == Ending::states);
    REQUIRE(found.properties[0].trace);
    CHECK(found.properties[0].steps == exact.properties[0].steps);
    CHECK(found.properties[0].trace->actions == exact.properties[0].trace->actions);
}

TEST_CASE("EOS v1 and v2 by fingerprints: all laws, witnesses and traces as by keys") {
    for (const std::string_view rules : {"v1_no_bumps", "v2"}) {
        CAPTURE(rules);
        const auto model = kafka(rules);
        const auto found = search_all(model, by_fingerprints());
        CHECK(found.states > 1U << 18U);
        REQUIRE(found.fingerprints);
        check_same_answers(search_all(model), found);
    }
}

TEST_CASE("fingerprints and symmetry go together") {
    SearchOptions options;
    options.uses_symmetry = true;
    const auto model = kafka("v2_no_tests");
    const auto exact = search_all(model, options);
    options.fingerprints = {.exact_states_max = 2'000};
    const auto found = search_all(model, options);
    REQUIRE(found.fingerprints);
    CHECK(found.permutations == exact.permutations);
    check_same_answers(exact, found);
    options.workers = 4;
    check_identical(found, search_all(model, options));
}

TEST_CASE("a search by fingerprints never owns more memory than it may") {
    for (const std::uint64_t megabytes : {2, 4, 8, 16, 32}) {
        auto options = by_fingerprints({.exact_states_max = 10'000});
        options.memory_bytes_max = megabytes << 20U;
        const auto report = streams({3, 2, 5, 2, true}, options);
        CHECK(report.ending == Ending::memory);
        CHECK(report.memory_bytes <= options.memory_bytes_max);
        CHECK(report.properties[0].verdict == Verdict::inconclusive);
    }
}

TEST_CASE("a large search by fingerprints owns less than 13 bytes a state") {
#ifdef NDEBUG  // a minute or more without optimisation
    const auto found = streams({3, 2, 5, 2, true}, by_fingerprints());
    CHECK(found.states == 12'011'336);
    CHECK(found.memory_bytes < found.states * 13);
#endif
}

TEST_CASE("without memory for its trace a law is refuted, with its length") {
    auto options = by_fingerprints({.exact_states_max = 1000});
    options.states_max = 2'000'000;
    const auto found = streams(broken, options);
    options.memory_bytes_max = found.memory_bytes;
    REQUIRE(found.properties[0].trace);

    // The exact search is given too few states, as it might be too little memory.
    const std::vector<checker::Property<Streams>> laws{streams_exactly_once};
    checker::SearchReport<Streams> report = found;
    report.properties[0].trace.reset();
    checker::add_exact_traces(
        report, std::span<const checker::Property<Streams>>(laws), options,
        [&](const auto& asked, const auto& sought, SearchOptions limits) {
            CHECK_FALSE(limits.fingerprints);
            CHECK(limits.memory_bytes_max == options.memory_bytes_max);
            limits.memory_bytes_max = 2U << 20U;
            return checker::BreadthFirst<Streams>(Streams(broken), asked, sought, limits).run();
        });
    CHECK(report.properties[0].verdict == Verdict::refuted);
    CHECK(report.properties[0].steps == found.properties[0].steps);
    CHECK_FALSE(report.properties[0].trace);
    CHECK(report.fingerprints->traces_ended_by == Ending::memory);
}

TEST_CASE("an interrupted search by fingerprints reports what it has, and looks for no trace") {
    static std::atomic<bool> is_interrupted;
    is_interrupted = false;
    auto options = by_fingerprints({.exact_states_max = 1000});
    options.is_interrupted = &is_interrupted;
    options.on_progress = [](const checker::Progress& progress, void*) {
        if (progress.seconds > 1.5) { is_interrupted = true; }
    };
    const auto report = search_all(
        {rules_of("v1_no_bumps"), {.threads = 3, .partitions = 3}, {.expulsion = 2}}, options);
    CHECK(report.ending == Ending::interrupted);
    REQUIRE(report.fingerprints);
    for (const auto& property : report.properties) { CHECK(property.verdict != Verdict::holds); }
    CHECK(report.seconds < 10);
}

TEST_CASE("fingerprints that are too narrow lose states, and their odds are certainty") {
    const auto exact = streams(sound, {});
    const auto found = streams(sound, by_fingerprints({.exact_states_max = 1000, .bits = 16}));
    CHECK(found.ending == Ending::exhausted);
    CHECK(found.states < exact.states);
    CHECK(found.states < 100'000);  // no more than there are fingerprints, and the exact ones
    REQUIRE(found.fingerprints);
    CHECK(found.fingerprints->bits == 16);
    CHECK(found.fingerprints->odds > 0.999);
}

TEST_CASE("a lost state that shows leaves no law that holds") {
    // Two ways to the bad node, of 2 and of 4 steps, by middle nodes that 12 bits do not all tell
    // apart. Where the middle of the short way is lost, the law falls on the long one.
    constexpr std::uint32_t bad = 20'000;
    std::size_t lost = 0;
    for (std::uint32_t middle = 1; middle <= 1'000; middle += 37) {
        Graph::Shape shape{.edges = {{0, 10'000}, {10'000, 10'001}, {10'001, 10'002}}};
        for (std::uint32_t node = 1; node <= 1'000; ++node) { shape.edges.push_back({0, node}); }
        shape.edges.push_back({middle, bad});
        shape.edges.push_back({10'002, bad});
        shape.bad_nodes = {bad};
        shape.wide_words = 1;
        const auto report =
            checker::search<Graph>(Graph(shape), std::span(graph_laws::all).first(2), {},
                                   by_fingerprints({.exact_states_max = 0, .bits = 12}));
        if (report.properties[0].verdict != Verdict::refuted) { continue; }  // both were lost
        CHECK(report.properties[0].steps == 2);
        REQUIRE(report.properties[0].trace);
        CHECK(report.properties[0].trace->actions.size() == 2);
        CHECK(report.is_complete() == !report.fingerprints->has_lost_state);
        CHECK(report.properties[1].verdict ==
              (report.is_complete() ? Verdict::holds : Verdict::inconclusive));
        lost += report.is_complete() ? 0 : 1;
    }
    CHECK(lost > 0);
}

}  // namespace ringfence::tests
