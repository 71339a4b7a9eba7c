#include "checker/pages.hpp"
#include "cli/check_report.hpp"
#include "cli/conclusion.hpp"
#include "cli/output.hpp"
#include "counterexamples/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringfence::cli {

namespace {

using checker::Verdict;
using counterexamples::padded;
using counterexamples::Paint;
using counterexamples::painted;
using counterexamples::printable;
using counterexamples::wrapped;

constexpr std::size_t label_width = 15;  // of "disturbances   "

std::string labelled(std::string_view label, std::string_view text) {
    return wrapped("  " + padded(label, label_width), text, label_width + 2);
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
    return fmt::format("{}", fmt::join(parts, separator));
}

// "v2, but member_test = off": the rules that differ from v2 as it is today.
std::string rules_text(const model::Resolved& asked) {
    const model::Rules usual{};
    std::vector<std::string> changed;
    for (const model::RuleEntry& rule : model::rule_catalogue()) {
        if (rule.get(asked.rules) == rule.get(usual)) { continue; }
        changed.push_back(fmt::format("{} = {}", rule.name, model::value_of(rule, asked.rules)));
    }
    if (changed.empty()) { return "those of v2"; }
    return "those of v2, but " + join(changed, ", ");
}

std::string base_text(const model::Resolved& asked) {
    if (asked.is_default_scheme) {
        return fmt::format("scheme {}, the default: neither a scheme nor a release is named",
                           asked.scheme);
    }
    if (!asked.scheme.empty()) { return "scheme " + asked.scheme; }
    return fmt::format("brokers {}, clients {}", asked.broker, asked.client);
}

std::string bounds_text(const model::Bounds& bounds) {
    return fmt::format(
        "{}, {}, {} each, {}, largest epoch {}", count_text(bounds.threads, "thread"),
        count_text(bounds.partitions, "partition"), count_text(bounds.records, "record"),
        count_text(bounds.generations, "generation"), bounds.epoch);
}

std::string disturbances_text(const model::Disturbances& disturbances) {
    std::vector<std::string> parts;
    for (const model::DisturbanceEntry& disturbance : model::disturbance_catalogue()) {
        const std::uint8_t budget = disturbances.*disturbance.member;
        if (budget == 0) { continue; }
        parts.push_back(fmt::format("{} {}", disturbance.name, model::budget_text(budget)));
    }
    return parts.empty() ? "none" : join(parts, ", ");
}

std::string ending_text(const Result& result) {
    using checker::Ending;
    switch (result.ending) {
        case Ending::exhausted:
            return result.has_lost_state() ? "not exhaustive: a state was lost"
                                           : "exhaustive: every reachable state was visited";
        case Ending::all_refuted: return "not exhaustive: stopped when every law was refuted";
        case Ending::states: return "not exhaustive: stopped by the limit on states";
        case Ending::depth: return "not exhaustive: stopped by the limit on depth";
        case Ending::time: return "not exhaustive: stopped by the limit on time";
        case Ending::memory: return "not exhaustive: stopped by the limit on memory";
        case Ending::interrupted: return "not exhaustive: stopped by a signal";
    }
    return {};
}

std::string cuts_text(const Result& result) {
    std::vector<std::string> parts;
    for (const auto& [kind, count] : result.cuts) {
        if (count > 0) { parts.push_back(fmt::format("{} {}", kind, grouped(count))); }
    }
    return parts.empty() ? "no step was forbidden by a bound"
                         : "steps forbidden by bounds: " + join(parts, ", ");
}

// "1 in 1,620,000", rounded to the side of caution; what is likely, in per cent.
std::string odds_text(double odds) {
    constexpr double likely = 0.02;
    if (odds > likely) { return fmt::format("{:.0f} %", std::ceil(100 * odds)); }
    constexpr double largest = 1e18;
    const auto chances = static_cast<std::uint64_t>(std::min(1 / odds, largest));
    std::uint64_t unit = 1;
    while (chances / unit >= 1000) { unit *= 10; }
    return fmt::format("1 in {}", grouped(chances / unit * unit));
}

std::string store_text(const Result& result) {
    const checker::FingerprintReport& store = *result.fingerprints;
    if (store.has_lost_state) {
        return fmt::format(
            "WARNING: a state was lost. The exact search for traces found a shorter one, so two "
            "states share a fingerprint of {} bits, and no law is said to hold",
            store.bits);
    }
    return fmt::format(
        "fingerprints of {} bits: no state was lost unless two share one, odds of at most {}",
        store.bits, odds_text(store.odds));
}

std::string figures_text(const Result& result) {
    const auto states = static_cast<double>(std::max<std::uint64_t>(result.states, 1));
    const double rate = states / std::max(result.seconds, 1e-9) / 1e6;
    std::string text = labelled(
        "states", fmt::format("{} distinct, {} transitions, depth {}", grouped(result.states),
                              grouped(result.transitions), result.depth));
    if (result.permutations > 1) {
        text += labelled("symmetry", fmt::format("states up to {} renamings of threads and "
                                                 "partitions: one is visited for all that differ "
                                                 "only by names",
                                                 result.permutations));
    }
    if (result.fingerprints) { text += labelled("store", store_text(result)); }
    text += labelled("search", ending_text(result));
    text += labelled("bounds cut", cuts_text(result));
    text += labelled(
        "memory",
        fmt::format("{}, {:.1f} bytes a state, keys of {} bits{}", bytes_text(result.memory_bytes),
                    static_cast<double>(result.memory_bytes) / states, result.key_bits,
                    checker::Pages::are_huge_refused()
                        ? "; WARNING: the system refuses huge pages, so large searches are slower"
                        : ""));
    text +=
        labelled("time", fmt::format("{:.2f} s, {:.2f} million states a second, {}", result.seconds,
                                     rate, count_text(result.workers, "worker")));
    return text;
}

std::string expectation_text(const Result& result, const LawResult& law) {
    if (!result.has_expectations()) { return {}; }
    const bool is_contradicted = contradicts_expectation(result, law);
    if (!law.expected) { return is_contradicted ? "not expected" : ""; }
    std::string text(model::name_of(law.expected->verdict));
    if (law.expected->steps) { text += fmt::format(" in {}", *law.expected->steps); }
    return is_contradicted ? "expected " + text : "as expected";
}

Paint paint_of(const Result& result, const LawResult& law) {
    if (contradicts_expectation(result, law) || is_surprise(result, law)) { return Paint::bad; }
    if (law.verdict == Verdict::inconclusive) { return Paint::changed; }
    return law.verdict == Verdict::not_applicable ? Paint::faint : Paint::good;
}

std::string laws_text(const Result& result, bool is_coloured) {
    std::string text = "\n  laws\n";
    for (const LawResult& law : result.laws) {
        std::string verdict(checker::name_of(law.verdict));
        if (law.is_refuted()) { verdict += fmt::format(" in {}", count_text(law.steps, "step")); }
        const std::string expectation = expectation_text(result, law);
        const std::string cell = expectation.empty() ? verdict : padded(verdict, 20);
        text += fmt::format("    {} {}{}\n", padded(law.name, 30),
                            painted(cell, paint_of(result, law), is_coloured), expectation);
        if (!law.trace_file.empty()) { text += fmt::format("      saved as {}\n", law.trace_file); }
    }
    return text;
}

std::string witnesses_text(const Result& result) {
    if (result.witnesses.empty()) { return {}; }
    std::string text = "\n  witnesses\n";
    for (const WitnessResult& witness : result.witnesses) {
        const std::string reached =
            witness.is_reached ? fmt::format("reached at depth {}", witness.depth) : "not reached";
        text += fmt::format("    {} {}{}{}\n", padded(witness.name, 30), reached,
                            witness.is_missed() ? ", but wanted" : "",
                            witness.is_unwanted() ? ", but never wanted" : "");
    }
    return text;
}

std::string actions_text(const Result& result) {
    std::string text = "\n" + padded("  steps taken", 29) +
                       counterexamples::right_aligned("times", 10) +
                       counterexamples::right_aligned("new states", 14) + "  by answer\n";
    for (const ActionCount& action : result.actions) {
        if (action.fired == 0) { continue; }
        std::vector<std::string> results;
        for (const auto& [name, count] : action.results) {
            results.push_back(fmt::format("{} {}", name, grouped(count)));
        }
        const std::string label =
            padded(action.verb, 21) + counterexamples::right_aligned(grouped(action.fired), 14) +
            counterexamples::right_aligned(grouped(action.new_states), 14) + "  ";
        text += wrapped("    " + label, join(results, ", "), 4 + label.size());
    }
    std::vector<std::string> dead;
    for (const ActionCount& action : result.actions) {
        if (action.is_dead()) { dead.push_back(action.verb); }
    }
    if (!dead.empty()) { text += wrapped("    WARNING, never taken: ", join(dead, ", "), 6); }
    return text;
}

// What the scenario comes to, in a few words.
std::string outcome_text(const Result& result) {
    std::vector<std::string> refuted;
    std::size_t decided = 0;
    std::size_t undecided = 0;
    std::size_t contradicted = 0;
    for (const LawResult& law : result.laws) {
        if (law.is_refuted()) { refuted.push_back(law.name); }
        const bool is_asked = law.verdict != Verdict::not_applicable;
        if (is_asked) { (law.verdict == Verdict::inconclusive ? undecided : decided) += 1; }
        contradicted += contradicts_expectation(result, law) ? 1 : 0;
    }
    std::string text = fmt::format("{} decided", count_text(decided, "law"));
    if (undecided > 0) { text += fmt::format(", {} inconclusive", undecided); }
    text += refuted.empty() ? ", none refuted" : ", refuted: " + join(refuted, ", ");
    if (contradicts_states(result)) {
        text += fmt::format("; {} states were expected",
                            grouped(*result.scenario.expectations->states));
    }
    if (contradicted > 0) { text += "; NOT as expected"; }
    if (contradicted == 0 && result.has_expectations() && undecided == 0) {
        text += contradicts_states(result) ? "" : "; as expected";
    }
    const bool has_odds = std::ranges::any_of(
        result.laws, [&](const LawResult& law) { return result.has_odds(law); });
    if (has_odds) {
        text += fmt::format("; {} unless two of {} states share a fingerprint: odds of at most {}",
                            undecided == 0 && refuted.empty() ? "holds" : "what holds does so",
                            grouped(result.states), odds_text(result.fingerprints->odds));
    }
    if (result.has_lost_state()) { text += "; a state was LOST"; }
    const auto missed = std::ranges::count_if(result.witnesses, [](const WitnessResult& witness) {
        return witness.is_missed() || witness.is_unwanted();
    });
    if (missed > 0) { text += fmt::format("; witnesses amiss: {}", missed); }
    const auto dead = std::ranges::count_if(result.actions, &ActionCount::is_dead);
    if (dead > 0 && result.is_complete()) {
        text += fmt::format("; {} never taken",
                            count_text(static_cast<std::uint64_t>(dead), "possible action"));
    }
    return text;
}

}  // namespace

std::string check_text(const Result& result, bool is_coloured) {
    const model::Scenario& scenario = result.scenario;
    std::string text = painted(scenario.name, Paint::strong, is_coloured) + "\n";
    text += wrapped("  ", printable(scenario.what), 2);
    if (!scenario.source.empty()) { text += labelled("source", printable(scenario.source)); }
    text += labelled("from", base_text(scenario.asked));
    text += labelled("rules", rules_text(scenario.asked));
    text += labelled("bounds", bounds_text(scenario.asked.bounds));
    text += labelled("disturbances", disturbances_text(scenario.asked.disturbances));
    text += figures_text(result);
    text += laws_text(result, is_coloured);
    text += witnesses_text(result);
    text += actions_text(result);
    return text + "\n";
}

std::string verdict_text(std::span<const Result> results, bool is_coloured) {
    std::string text;
    for (const Result& result : results) {
        const bool is_fine = exit_status(conclude(result)) == 0;
        text += wrapped(
            "verdict: " +
                painted(result.scenario.name, is_fine ? Paint::good : Paint::bad, is_coloured) +
                ": ",
            outcome_text(result), 2);
    }
    return text;
}

}  // namespace ringfence::cli
