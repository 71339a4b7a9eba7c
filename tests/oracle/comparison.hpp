// Holds a search to the oracle, and its traces to the model. For any model.
#pragma once

#include "checker/trace.hpp"
#include "checker/verdict.hpp"
#include "tests/oracle/naive_search.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>

namespace ringfence::tests {

// The end of the trace does what the law forbids (a deadlock is left to the oracle's count).
template <checker::Model M>
void check_trace(const M& model, const checker::Property<M>& property,
                 const checker::Trace<M>& trace) {
    const checker::Replay<M> replay = checker::replay(model, trace);
    REQUIRE(replay.is_complete());
    if (property.kind == checker::PropertyKind::state) {
        CHECK_FALSE(property.holds_in(model, replay.states.back()));
    }
    if (property.kind == checker::PropertyKind::step) {
        const std::size_t last = trace.actions.size() - 1;
        CHECK_FALSE(property.holds_over(model, {replay.states[last], trace.actions[last],
                                                replay.outcomes[last], replay.states[last + 1]}));
    }
}

// Every state but the initial ones was first reached by a step of one verb.
template <checker::Model M>
void check_new_states(const checker::SearchReport<M>& report) {
    std::uint64_t reached = report.states_per_level.front();
    for (std::size_t verb = 0; verb < report.fired.size(); ++verb) {
        const auto& fired = report.fired[verb];
        CHECK(report.new_states[verb] <=
              std::accumulate(fired.begin(), fired.end(), std::uint64_t{0}));
        reached += report.new_states[verb];
    }
    CHECK(reached == report.states);
}

// A finished search that was not told to stop early found what the oracle finds.
template <checker::Model M>
void check_against_oracle(const M& model, std::span<const checker::Property<M>> properties,
                          std::span<const checker::Witness<M>> witnesses,
                          const checker::SearchReport<M>& report) {
    const NaiveReport expected = naive_search(model, properties, witnesses);
    REQUIRE(report.is_complete());
    CHECK(report.states == expected.states);
    CHECK(report.transitions == expected.transitions);
    CHECK(report.states_per_level == expected.states_per_level);
    CHECK(report.depth + 1 == expected.states_per_level.size());
    for (std::size_t kind = 0; kind < checker::cut_kinds_max; ++kind) {
        CHECK(report.cuts[kind] == expected.cuts[kind]);
    }
    for (std::size_t verb = 0; verb < report.fired.size(); ++verb) {
        for (std::size_t result = 0; result < report.fired[verb].size(); ++result) {
            const auto cell = expected.fired.find({verb, result});
            CHECK(report.fired[verb][result] == (cell == expected.fired.end() ? 0 : cell->second));
        }
    }
    check_new_states(report);
    for (std::size_t law = 0; law < properties.size(); ++law) {
        const checker::PropertyReport<M>& found = report.properties[law];
        REQUIRE(found.trace.has_value() == expected.shortest[law].has_value());
        if (!found.trace) {
            const bool is_asked = properties[law].is_applicable(model);
            CHECK(found.verdict ==
                  (is_asked ? checker::Verdict::holds : checker::Verdict::not_applicable));
            continue;
        }
        CHECK(found.verdict == checker::Verdict::refuted);
        CHECK(found.trace->actions.size() == *expected.shortest[law]);
        check_trace(model, properties[law], *found.trace);
    }
    for (std::size_t witness = 0; witness < witnesses.size(); ++witness) {
        const auto depth = expected.witness_depth[witness];
        CHECK(report.witnesses[witness].is_reached == depth.has_value());
        if (depth) { CHECK(report.witnesses[witness].depth == *depth); }
    }
}

// All that does not depend on the order in which a level is searched, nor on how states are kept.
template <checker::Model M>
void check_same_answers(const checker::SearchReport<M>& left,
                        const checker::SearchReport<M>& right) {
    CHECK(left.ending == right.ending);
    CHECK(left.states == right.states);
    CHECK(left.transitions == right.transitions);
    CHECK(left.states_per_level == right.states_per_level);
    CHECK(left.fired == right.fired);
    CHECK(left.cuts == right.cuts);
    REQUIRE(left.properties.size() == right.properties.size());
    for (std::size_t law = 0; law < left.properties.size(); ++law) {
        const auto& one = left.properties[law];
        const auto& other = right.properties[law];
        CHECK(one.verdict == other.verdict);
        CHECK(one.steps == other.steps);
        REQUIRE(one.trace.has_value() == other.trace.has_value());
        if (!one.trace) { continue; }
        CHECK(one.trace->initial == other.trace->initial);
        CHECK(one.trace->actions == other.trace->actions);
    }
    REQUIRE(left.witnesses.size() == right.witnesses.size());
    for (std::size_t witness = 0; witness < left.witnesses.size(); ++witness) {
        CHECK(left.witnesses[witness].is_reached == right.witnesses[witness].is_reached);
        CHECK(left.witnesses[witness].depth == right.witnesses[witness].depth);
    }
}

// All but seconds and memory.
template <checker::Model M>
void check_identical(const checker::SearchReport<M>& left, const checker::SearchReport<M>& right) {
    check_same_answers(left, right);
    CHECK(left.new_states == right.new_states);
    CHECK(left.key_bits == right.key_bits);
    REQUIRE(left.fingerprints.has_value() == right.fingerprints.has_value());
    if (left.fingerprints) { CHECK(left.fingerprints->odds == right.fingerprints->odds); }
}

}  // namespace ringfence::tests
