// The last act of a search: what it says of laws and witnesses, and the traces. Part of
// breadth_first.hpp, which includes it.
#pragma once

#include "checker/breadth_first.hpp"

namespace ringfence::checker {

template <Model M>
SearchReport<M> BreadthFirst<M>::make_report(Ending ending) {
    close_laws();  // those that fell in a level which a limit cut short
    SearchReport<M> report;
    report.ending = ending;
    report.states = store_.visited().size();
    report.transitions = findings_.transitions();
    for (const Level& level : store_.levels()) { report.states_per_level.push_back(level.size()); }
    report.depth = static_cast<std::uint32_t>(report.states_per_level.size() - 1);
    report.fired = findings_.fired();
    report.new_states.resize(M::verb_names().size());
    for (const NewKeys& counts : new_states_) {
        std::transform(report.new_states.begin(), report.new_states.end(), counts.begin(),
                       report.new_states.begin(), std::plus{});
    }
    report.cuts = findings_.cuts();
    report.witnesses = witnesses_;
    for (std::size_t law = 0; law < properties_.size(); ++law) {
        PropertyReport<M>& property = report.properties.emplace_back();
        if (findings_.violation(law)) {
            const bool is_step = properties_[law].kind == PropertyKind::step;
            property.verdict = Verdict::refuted;
            property.steps = static_cast<std::uint32_t>(refuted_depth_[law]) + (is_step ? 1 : 0);
        } else if (!properties_[law].is_applicable(model_)) {
            property.verdict = Verdict::not_applicable;
        } else if (report.is_complete()) {
            property.verdict = Verdict::holds;
        }
    }
    if (const auto& fingerprinter = store_.fingerprinter()) {
        const std::uint32_t bits = fingerprinter->bits();
        report.fingerprints = {bits, odds_of_a_lost_state(report.states, bits)};
    } else {
        add_traces(report);
    }
    report.memory_bytes = memory_bytes_;
    report.key_bits = store_.packing().bits();
    report.permutations = store_.symmetry().permutations() + 1;
    report.seconds = seconds();
    return report;
}

// A sweep expands again what lies above the deepest violation. Who interrupts a search is not kept
// waiting for it: laws that fell so deep that it would take longer go without a trace then.
template <Model M>
void BreadthFirst<M>::add_traces(SearchReport<M>& report) {
    const double seconds_per_state =
        seconds() / static_cast<double>(std::max<std::uint64_t>(states_expanded_, 1));
    std::vector<TraceTarget<M>> targets;
    std::vector<std::size_t> laws;
    for (std::size_t law = 0; law < properties_.size(); ++law) {
        const auto& violation = findings_.violation(law);
        if (!violation) { continue; }
        const auto above = report.states_per_level.begin();
        const double states_above =
            std::accumulate(above, above + static_cast<std::ptrdiff_t>(refuted_depth_[law]), 0.0);
        const bool takes_long = states_above * seconds_per_state > trace_patience_seconds;
        if (report.ending == Ending::interrupted && takes_long) { continue; }
        laws.push_back(law);
        targets.push_back({refuted_depth_[law], violation->state, &properties_[law], {}, {}});
        if (properties_[law].kind == PropertyKind::step) {
            targets.back().actions_backwards.push_back(violation->action);
            targets.back().states_backwards.push_back(violation->state);
        }
    }
    std::vector<Trace<M>> found = find_traces(model_, store_, workers_, std::move(targets));
    for (std::size_t index = 0; index < laws.size(); ++index) {
        report.properties[laws[index]].trace = std::move(found[index]);
    }
}

}  // namespace ringfence::checker
