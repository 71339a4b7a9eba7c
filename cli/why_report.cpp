#include "cli/why_report.hpp"

#include "cli/output.hpp"
#include "cli/settings_json.hpp"
#include "counterexamples/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringfence::cli {

namespace {

using checker::Verdict;
using counterexamples::padded;
using counterexamples::Paint;
using counterexamples::painted;
using nlohmann::ordered_json;

constexpr std::string_view gap = "  ";

// "no_stale_commit" stands over its column as three lines of a word each.
std::vector<std::string> words_of(std::string_view name) {
    std::vector<std::string> words;
    while (!name.empty()) {
        const std::size_t end = std::min(name.find('_'), name.size());
        words.emplace_back(name.substr(0, end));
        name.remove_prefix(std::min(end + 1, name.size()));
    }
    return words;
}

std::string cell_text(const LawResult& law) {
    switch (law.verdict) {
        case Verdict::holds: return "holds";
        case Verdict::refuted: return fmt::format("falls {}", law.steps);
        case Verdict::inconclusive: return "?";
        case Verdict::not_applicable: return "-";
    }
    return {};
}

Paint paint_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::holds: return Paint::good;
        case Verdict::refuted: return Paint::bad;
        case Verdict::inconclusive: return Paint::changed;
        case Verdict::not_applicable: return Paint::faint;
    }
    return Paint::plain;
}

struct Columns {
    std::size_t name_width = 0;
    std::vector<std::vector<std::string>> headings;
    std::vector<std::size_t> widths;
    std::size_t heading_lines = 0;
};

Columns columns_of(const Matrix& matrix) {
    constexpr std::size_t cell_width_min = std::string_view("falls 99").size();
    Columns columns;
    for (const Result& row : matrix.rows) {
        columns.name_width = std::max(columns.name_width, row.scenario.name.size());
    }
    for (const std::string& law : matrix.laws) {
        columns.headings.push_back(words_of(law));
        std::size_t width = cell_width_min;
        for (const std::string& word : columns.headings.back()) {
            width = std::max(width, word.size());
        }
        columns.widths.push_back(width);
        columns.heading_lines = std::max(columns.heading_lines, columns.headings.back().size());
    }
    return columns;
}

std::string without_trailing_blanks(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

std::string heading_text(const Columns& columns) {
    std::string text;
    for (std::size_t line = 0; line < columns.heading_lines; ++line) {
        std::string words = padded("", columns.name_width);
        for (std::size_t i = 0; i < columns.headings.size(); ++i) {
            // Short names stand at the bottom, next to their cells.
            const std::size_t skipped = columns.heading_lines - columns.headings[i].size();
            const std::string word = line < skipped ? "" : columns.headings[i][line - skipped];
            words += std::string(gap) + padded(word, columns.widths[i]);
        }
        text += without_trailing_blanks(words);
    }
    return text;
}

std::string row_text(const Result& row, const Columns& columns, bool is_coloured) {
    std::string text = padded(row.scenario.name, columns.name_width);
    for (std::size_t i = 0; i < row.laws.size(); ++i) {
        const LawResult& law = row.laws[i];
        text += std::string(gap) + painted(padded(cell_text(law), columns.widths[i]),
                                           paint_of(law.verdict), is_coloured);
    }
    return without_trailing_blanks(text);
}

std::string figures_text(const Matrix& matrix) {
    std::uint64_t states = 0;
    double seconds = 0;
    for (const Result& row : matrix.rows) {
        states += row.states;
        seconds += row.seconds;
    }
    const auto complete = std::ranges::count_if(matrix.rows, &Result::is_complete);
    const bool counts_orbits =
        std::ranges::any_of(matrix.rows, [](const Result& row) { return row.permutations > 1; });
    return fmt::format("{} of {} searches were exhaustive: {} states{} in {:.1f} s\n", complete,
                       matrix.rows.size(), grouped(states),
                       counts_orbits ? " up to the names of threads and partitions" : "", seconds);
}

std::string verdict_text(const Matrix& matrix) {
    std::size_t held = 0;
    std::size_t fell = 0;
    std::size_t undecided = 0;
    std::size_t inapplicable = 0;
    for (const Result& row : matrix.rows) {
        for (const LawResult& law : row.laws) {
            held += law.verdict == Verdict::holds ? 1 : 0;
            fell += law.verdict == Verdict::refuted ? 1 : 0;
            undecided += law.verdict == Verdict::inconclusive ? 1 : 0;
            inapplicable += law.verdict == Verdict::not_applicable ? 1 : 0;
        }
    }
    std::string text = fmt::format("verdict: {} cells hold, {} fall", held, fell);
    if (inapplicable > 0) { text += fmt::format(", {} do not apply (-)", inapplicable); }
    return text + (undecided == 0 ? "; every cell is decided\n"
                                  : fmt::format("; {} undecided (?)\n", undecided));
}

ordered_json cell_json(const LawResult& law) {
    ordered_json json;
    json["verdict"] = checker::name_of(law.verdict);
    if (law.is_refuted()) {
        json["steps"] = law.steps;
        json["trace_file"] = law.trace_file;
    }
    return json;
}

ordered_json row_json(const Result& row) {
    ordered_json json;
    json["name"] = row.scenario.name;
    json["rules"] = rules_json(row.scenario.asked.rules);
    json["states"] = row.states;
    json["permutations"] = row.permutations;
    json["transitions"] = row.transitions;
    json["complete"] = row.is_complete();
    json["bounds_cut"] = ordered_json::object();
    for (const auto& [kind, count] : row.cuts) { json["bounds_cut"][kind] = count; }
    json["cells"] = ordered_json::object();
    for (const LawResult& law : row.laws) { json["cells"][law.name] = cell_json(law); }
    return json;
}

}  // namespace

std::string why_text(const Matrix& matrix, bool is_coloured) {
    const Columns columns = columns_of(matrix);
    std::string text = heading_text(columns);
    for (const Result& row : matrix.rows) { text += row_text(row, columns, is_coloured); }
    return text + "\n" + figures_text(matrix) + verdict_text(matrix);
}

ordered_json why_json(const Matrix& matrix) {
    ordered_json json;
    json["format"] = "ringfence.why";
    json["version"] = 1;
    json["bounds"] = bounds_json(matrix.bounds);
    json["disturbances"] = disturbances_json(matrix.disturbances);
    json["laws"] = matrix.laws;
    json["rows"] = ordered_json::array();
    for (const Result& row : matrix.rows) { json["rows"].push_back(row_json(row)); }
    return json;
}

}  // namespace ringfence::cli
