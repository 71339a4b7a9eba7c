// Steps that are taken once for many states are the steps that each of them would have taken.
#include "checker/scoped_expansion.hpp"

#include "checker/breadth_first.hpp"
#include "tests/models/painters.hpp"
#include "tests/oracle/comparison.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

namespace ringfence::tests {

namespace {

using Report = checker::SearchReport<Painters>;

Report search(const Painters& model, const checker::SearchOptions& options) {
    return checker::search<Painters>(model, painters::laws, painters::witnesses, options);
}

}  // namespace

TEST_CASE("a search that shares steps finds what the oracle finds") {
    for (const std::uint8_t colours : {std::uint8_t{2}, std::uint8_t{5}, std::uint8_t{60}}) {
        CAPTURE(colours);
        const Painters model(colours);
        const Report report = search(model, {});
        check_against_oracle<Painters>(model, painters::laws, painters::witnesses, report);
        for (const auto& property : report.properties) {
            CHECK(property.verdict == checker::Verdict::refuted);
        }
        for (const auto& witness : report.witnesses) { CHECK(witness.is_reached); }
    }
}

TEST_CASE("sharing steps changes no count, no verdict and no trace, for any number of workers") {
    const Painters model(250);  // far more states than chunks agree in a scope
    checker::SearchOptions options;
    const Report shared = search(model, options);
    for (const unsigned workers : {2U, 4U}) {
        options.workers = workers;
        check_identical(search(model, options), shared);
    }
    options.shares_steps = false;
    check_same_answers(search(model, options), shared);
}

TEST_CASE("a joint step that nobody asks about is put together from what each scope has in it") {
    // Of two laws on states and the deadlock; the law and the witness on steps ask about all verbs.
    const auto laws = std::span(painters::laws).subspan(1);
    for (const std::uint8_t colours : {std::uint8_t{2}, std::uint8_t{60}}) {
        CAPTURE(colours);
        const Painters model(colours);
        const Report report = checker::search<Painters>(model, laws, {}, {});
        check_against_oracle<Painters>(model, laws, {}, report);
        checker::SearchOptions options;
        options.workers = 3;
        check_identical(checker::search<Painters>(model, laws, {}, options), report);
    }
}

TEST_CASE("laws that claim nothing are asked in every state, and fall where the others do") {
    const Painters model(60);
    auto laws = painters::laws;
    for (auto& law : laws) { law.claims_in = nullptr; }
    const Report asked = checker::search<Painters>(model, laws, painters::witnesses, {});
    check_same_answers(asked, search(model, {}));
}

TEST_CASE("where memory is short rounds are short and no steps kept, and nothing else changes") {
    const Painters model(250);
    checker::SearchOptions options;
    options.depth_max = 5;  // and not a limit on states, which shorter rounds would pass by less
    const Report roomy = search(model, options);
    options.memory_bytes_max = 17U << 20U;
    CHECK(roomy.memory_bytes > options.memory_bytes_max);
    const Report tight = search(model, options);
    CHECK(tight.memory_bytes <= options.memory_bytes_max);
    CHECK(tight.ending == checker::Ending::depth);
    check_same_answers(tight, roomy);
    options.workers = 3;
    check_identical(search(model, options), tight);
}

TEST_CASE("a step that leaves the scope in which it promised to stay ends the search") {
    CHECK_THROWS_AS(search(Painters(5, false), {}), std::logic_error);
}

TEST_CASE("a limit in the middle of a level that is sorted leaves counts that agree") {
    const Painters model(60);
    checker::SearchOptions options;
    options.states_max = 20'000;
    const Report alone = search(model, options);
    CHECK(alone.ending == checker::Ending::states);
    options.workers = 2;
    check_identical(search(model, options), alone);
}

TEST_CASE("a search by fingerprints shares steps") {
    const Painters model(60);
    checker::SearchOptions options;
    const Report exact = search(model, options);
    options.fingerprints = checker::FingerprintOptions{.exact_states_max = 1000};
    check_same_answers(search(model, options), exact);
}

}  // namespace ringfence::tests
