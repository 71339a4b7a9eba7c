// Traces for a search that kept fingerprints. It has forgotten the states above, so the laws that
// fell in it are searched for once more, exactly, up to the level in which the last of them falls.
//
// What comes of it is what an exact search of everything would have said: the same trace, and a
// length that is certain. A law can fall no later here, because the steps by which the search got
// to its violation were real; if it falls earlier, then a state was lost.
//
// Limits are those of the whole search: states, depth and memory as they are (the fingerprints are
// gone by now), of the time what is left. Who interrupted the search is not kept waiting.
#pragma once

#include "checker/ensure.hpp"
#include "checker/property.hpp"
#include "checker/search_options.hpp"
#include "checker/verdict.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ringfence::checker {

namespace detail {

// At the pace of the search so far, up to the level in which the last law falls.
template <class M>
[[nodiscard]] double seconds_to_search_again(const SearchReport<M>& report) {
    std::uint32_t depth = 0;
    for (const auto& property : report.properties) { depth = std::max(depth, property.steps); }
    double states = 0;
    double all_states = 0;
    for (std::size_t level = 0; level < report.states_per_level.size(); ++level) {
        const auto size = static_cast<double>(report.states_per_level[level]);
        all_states += size;
        states += level <= depth ? size : 0;
    }
    return report.seconds * states / std::max(all_states, 1.0);
}

}  // namespace detail

// run(laws, witnesses, options) is a search.
template <class M, class Run>
void add_exact_traces(SearchReport<M>& report, std::span<const Property<M>> properties,
                      SearchOptions options, const Run& run) {
    std::vector<Property<M>> laws;
    std::vector<std::size_t> places;
    for (std::size_t law = 0; law < properties.size(); ++law) {
        if (report.properties[law].verdict != Verdict::refuted) { continue; }
        laws.push_back(properties[law]);
        places.push_back(law);
    }
    if (laws.empty()) { return; }
    FingerprintReport& fingerprints = *report.fingerprints;
    if (report.ending == Ending::interrupted) {
        if (detail::seconds_to_search_again(report) > trace_patience_seconds) {
            fingerprints.traces_ended_by = Ending::interrupted;
            return;
        }
        options.is_interrupted = nullptr;
    }
    options.fingerprints.reset();
    options.stops_when_all_refuted = true;
    options.seconds_max =
        std::max(options.seconds_max - report.seconds, trace_patience_seconds);

    SearchReport<M> exact =
        run(std::span<const Property<M>>(laws), std::span<const Witness<M>>(), options);
    report.memory_bytes = std::max(report.memory_bytes, exact.memory_bytes);
    report.seconds += exact.seconds;
    for (std::size_t law = 0; law < laws.size(); ++law) {
        PropertyReport<M>& found = report.properties[places[law]];
        PropertyReport<M>& certain = exact.properties[law];
        if (certain.trace) {
            ensure(certain.steps <= found.steps, "an exact search finds what is there");
            fingerprints.has_lost_state |= certain.steps < found.steps;
            found = std::move(certain);
        } else {
            fingerprints.traces_ended_by = exact.ending;
        }
    }
    if (!fingerprints.has_lost_state) { return; }
    for (PropertyReport<M>& property : report.properties) {
        if (property.verdict == Verdict::holds) { property.verdict = Verdict::inconclusive; }
    }
}

}  // namespace ringfence::checker
