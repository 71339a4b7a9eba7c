#include "cli/cost_report.hpp"
#include "cli/output.hpp"
#include "counterexamples/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringfence::cli {

namespace {

using counterexamples::padded;
using counterexamples::Paint;
using counterexamples::painted;
using counterexamples::right_aligned;
using counterexamples::wrapped;
using model::CostEntry;
using model::Situation;

constexpr std::size_t name_width = 26;
constexpr std::size_t found_width = 6;
constexpr std::size_t scaled_width = 10;
constexpr std::size_t formula_width = 12;

std::string_view heading_of(Situation situation) {
    switch (situation) {
        case Situation::undisturbed: return "undisturbed";
        case Situation::member_expelled: return "one member expelled";
    }
    return {};
}

std::size_t cell_width(const CostResult& result) {
    return found_width + (result.scale ? scaled_width : 0) + 2 + formula_width + 3;
}

std::string line_of(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
}

std::string headings_text(const CostResult& result) {
    std::string situations = padded("", name_width + 2);
    std::string columns = padded("", name_width);
    for (const Situation situation : model::situations) {
        situations += padded(heading_of(situation), cell_width(result));
        columns += right_aligned("found", found_width);
        if (result.scale) { columns += right_aligned("scaled", scaled_width); }
        columns += padded("  formula", 2 + formula_width + 3);
    }
    return line_of(situations) + line_of(columns);
}

// "4", "4+" where a limit ended the search, "?" for a wait that was not measured.
std::string found_text(const SchemeCosts& scheme, std::size_t entry, Situation situation) {
    const FoundCost* found = found_cost(scheme, entry, situation);
    if (found == nullptr) { return "?"; }
    return grouped(found->value) + (report_of(scheme, situation)->is_complete() ? "" : "+");
}

std::string cell_text(const CostResult& result, const SchemeCosts& scheme, std::size_t entry,
                      Situation situation, bool is_coloured) {
    const model::CostFormula& formula =
        model::cost_catalogue()[entry].of_scheme(scheme.rules).in(situation);
    std::string text = right_aligned(found_text(scheme, entry, situation), found_width);
    if (result.scale) {
        const std::uint64_t scaled = formula.value(deployment_of(*result.scale, situation));
        text += right_aligned(grouped(scaled), scaled_width);
    }
    std::string shown(formula.text);
    const bool differs = agreement(result, scheme, entry, situation) == Agreement::differs;
    if (differs) {
        shown += fmt::format(" = {}, not as found",
                             formula.value(model::searched(result.bounds, situation)));
    }
    return text + "  " +
           painted(padded(shown, formula_width + 3), differs ? Paint::bad : Paint::faint,
                   is_coloured);
}

std::string scheme_text(const CostResult& result, const SchemeCosts& scheme, bool is_coloured) {
    std::string text = painted(scheme.name, Paint::strong, is_coloured) + "\n";
    const auto catalogue = model::cost_catalogue();
    for (std::size_t i = 0; i < catalogue.size(); ++i) {
        std::string line = "  " + padded(catalogue[i].name, name_width - 2);
        for (const Situation situation : model::situations) {
            line += cell_text(result, scheme, i, situation, is_coloured);
        }
        text += line_of(line);
    }
    return text + "\n";
}

std::string question_text(const CostResult& result) {
    const model::Bounds& bounds = result.bounds;
    std::string text = wrapped(
        "found    ",
        fmt::format("the largest over all reachable states of {}, {}, {} each; every assignment is "
                    "tried. Undisturbed: one generation. One member expelled: a live one, which "
                    "does not know it yet, and one rebalance",
                    count_text(bounds.threads, "thread"),
                    count_text(bounds.partitions, "partition"),
                    count_text(bounds.records, "record")),
        9);
    if (!result.scale) { return text + "\n"; }
    const model::Deployment deployment = deployment_of(*result.scale, Situation::undisturbed);
    text += wrapped("scaled   ",
                    fmt::format("by the formulas to {}, {} with {} each, the tasks spread evenly: "
                                "{} on one thread at most; {} of a task in one transaction",
                                count_text(result.scale->partitions, "partition"),
                                count_text(result.scale->instances, "instance"),
                                count_text(result.scale->threads, "thread"),
                                grouped(deployment.tasks_of_thread),
                                count_text(result.scale->records, "record")),
                    9);
    return text + "\n";
}

std::string symbols_text() {
    std::string text = "in the formulas\n";
    for (const model::CostSymbol& symbol : model::cost_symbols()) {
        text += wrapped(fmt::format("  {}   ", symbol.letter), symbol.what, 6);
    }
    return text + "\n";
}

// What is counted, and why it grows as it does under each guarantee that was asked about.
std::string entry_text(const CostEntry& entry, const CostResult& result) {
    std::string text = wrapped(fmt::format("  {}: ", entry.name), entry.what, 4);
    std::vector<std::string_view> told;
    for (const SchemeCosts& scheme : result.schemes) {
        const std::string_view why = entry.of_scheme(scheme.rules).why;
        if (std::ranges::find(told, why) != told.end()) { continue; }
        told.push_back(why);
        text += wrapped(fmt::format("    {}: ", scheme.name), why, 6);
    }
    return text + wrapped("    source: ", entry.source, 6);
}

std::string searches_text(const CostResult& result) {
    std::string text = "searches\n";
    for (const SchemeCosts& scheme : result.schemes) {
        for (const Situation situation : model::situations) {
            const CostReport* report = report_of(scheme, situation);
            if (report == nullptr) { continue; }
            text += fmt::format("  {} {} {} states, {}, depth {}, {:.2f} s\n",
                                padded(scheme.name, name_width - 3),
                                padded(heading_of(situation), 20), grouped(report->states),
                                report->is_complete()
                                    ? "exhaustive"
                                    : fmt::format("ended by {}", checker::name_of(report->ending)),
                                report->depth, report->seconds);
            if (report->waits_for_ever > 0) {
                text += fmt::format("    no schedule ends {} of {} waits\n",
                                    grouped(report->waits_for_ever), grouped(report->waits));
            }
        }
    }
    return text + "\n";
}

std::string verdict_text(const CostResult& result) {
    std::array<std::size_t, 3> cells{};
    for (const SchemeCosts& scheme : result.schemes) {
        for (const Situation situation : model::situations) {
            for (std::size_t i = 0; i < model::cost_catalogue().size(); ++i) {
                ++cells[static_cast<std::size_t>(agreement(result, scheme, i, situation))];
            }
        }
    }
    const auto of = [&cells](Agreement agreement) {
        return cells[static_cast<std::size_t>(agreement)];
    };
    std::string text =
        fmt::format("verdict: {} formulas give what was found", of(Agreement::agrees));
    if (of(Agreement::differs) > 0) { text += fmt::format(", {} do not", of(Agreement::differs)); }
    if (of(Agreement::undecided) > 0) {
        text += fmt::format(", {} undecided", of(Agreement::undecided));
    }
    return text + "\n";
}

}  // namespace

std::string cost_text(const CostResult& result, bool is_coloured) {
    std::string text = question_text(result) + headings_text(result);
    for (const SchemeCosts& scheme : result.schemes) {
        text += scheme_text(result, scheme, is_coloured);
    }
    text += symbols_text() + "what is counted\n";
    for (const CostEntry& entry : model::cost_catalogue()) { text += entry_text(entry, result); }
    return text + "\n" + searches_text(result) + verdict_text(result);
}

}  // namespace ringfence::cli
