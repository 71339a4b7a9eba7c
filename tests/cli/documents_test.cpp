// The documents for people cannot go stale: their tables are those of the catalogues, and the
// commands that they show are run, with the outputs that they show.
#include "cli/scenarios.hpp"
#include "model/cost.hpp"
#include "properties/catalogue.hpp"
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace ringfence;
using namespace ringfence::test;

namespace {

std::string document(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(std::string(RINGFENCE_SOURCE_DIR) + "/docs/" + name).rdbuf();
    REQUIRE(!text.str().empty());
    return text.str();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) { lines.push_back(line); }
    return lines;
}

std::string code(std::string_view text) { return fmt::format("`{}`", text); }

// A table of a document, from its catalogue. On failure the message is the table to paste.
void check_table(const std::vector<std::string>& head,
                 const std::vector<std::vector<std::string>>& rows,
                 const std::string& name = "scenarios.md") {
    std::string table = fmt::format("| {} |\n|", fmt::join(head, " | "));
    for (std::size_t i = 0; i < head.size(); ++i) { table += "---|"; }
    for (const auto& row : rows) { table += fmt::format("\n| {} |", fmt::join(row, " | ")); }
    table += "\n\n";
    CHECK_MESSAGE(document(name).find(table) != std::string::npos, table);
}

// The flags in the help of all verbs.
std::set<std::string> flags() {
    std::set<std::string> found;
    for (const std::string& line : lines_of(run("--help").out)) {
        const bool is_verb = line.starts_with("  ") && line[2] >= 'a' && line[2] <= 'z';
        if (!is_verb) { continue; }
        const std::string verb = line.substr(2, line.find(' ', 2) - 2);
        for (const std::string& option : lines_of(run(verb + " --help").out)) {
            const std::size_t dashes = option.find("--");
            if (!option.starts_with("  -") || dashes == option.npos) { continue; }
            found.insert(option.substr(dashes, option.find(' ', dashes) - dashes));
        }
    }
    REQUIRE(found.size() > 20);
    return found;
}

// A command of a document, "$ ..." in an indented block, and the lines that stand below it.
struct Example {
    std::string command;
    std::vector<std::string> output;  // "..." stands for any lines
};

std::vector<Example> examples_of(const std::string& text) {
    static const std::string indent = "    ";
    static const std::string prompt = indent + "$ ";
    std::vector<Example> examples;
    bool is_inside = false;
    for (const std::string& line : lines_of(text)) {
        if (line.starts_with(prompt)) {
            examples.push_back({line.substr(prompt.size()), {}});
            is_inside = true;
        } else if (line.starts_with(indent) && is_inside) {
            examples.back().output.push_back(line.substr(indent.size()));
        } else if (line.empty() && is_inside) {
            examples.back().output.emplace_back();
        } else {
            is_inside = false;
        }
    }
    for (Example& example : examples) {
        while (!example.output.empty() && example.output.back().empty()) {
            example.output.pop_back();
        }
    }
    return examples;
}

// Every expected line is there, in this order, with nothing between but where "..." stands.
bool fits(const std::vector<std::string>& expected, std::vector<std::string> found) {
    while (!found.empty() && found.back().empty()) { found.pop_back(); }
    auto next = found.begin();
    bool skips = false;
    for (const std::string& line : expected) {
        if (line == "...") {
            skips = true;
            continue;
        }
        if (skips) { next = std::find(next, found.end(), line); }
        if (next == found.end() || *next != line) { return false; }
        ++next;
        skips = false;
    }
    return skips || next == found.end();
}

void run_examples(const std::string& name) {
    const Workplace place;
    const std::string program = RINGFENCE_EXECUTABLE;
    const std::string folder = program.substr(0, program.rfind('/'));
    int status = 0;
    const std::vector<Example> examples = examples_of(document(name));
    REQUIRE(examples.size() > 5);
    for (const Example& example : examples) {
        place.write("command", fmt::format("cd '{}'\nPATH='{}':\"$PATH\"\n(exit {})\n{}\n",
                                           place.path(""), folder, status, example.command));
        const std::string output = place.path("output");
        const int found = std::system(
            fmt::format("sh {} >{} 2>&1 </dev/null", place.path("command"), output).c_str());
        status = WIFEXITED(found) ? WEXITSTATUS(found) : -1;
        CHECK_MESSAGE(fits(example.output, lines_of(place.read("output"))), "$ ", example.command,
                      "\n", place.read("output"));
    }
}

}  // namespace

TEST_CASE("scenarios.md has every key of a scenario file") {
    std::vector<std::vector<std::string>> rows;
    const auto list = run("list keys --json").json();
    for (const auto& key : list["keys"]) {
        rows.push_back({code(key["name"].get<std::string>()), key["what"].get<std::string>()});
    }
    check_table({"key", "what"}, rows);
}

TEST_CASE("scenarios.md has every scheme and every rule") {
    std::vector<std::vector<std::string>> schemes;
    for (const model::Scheme& scheme : model::scheme_catalogue()) {
        schemes.push_back({code(scheme.name), std::string(scheme.what)});
    }
    check_table({"scheme", "what"}, schemes);
    std::vector<std::vector<std::string>> rows;
    for (const model::RuleEntry& rule : model::rule_catalogue()) {
        std::vector<std::string> values;
        for (const std::string_view value : rule.values) { values.push_back(code(value)); }
        rows.push_back({code(rule.name), fmt::format("{}", fmt::join(values, ", ")),
                        code(model::value_of(rule, model::Rules{})), std::string(rule.what),
                        std::string(rule.source)});
    }
    check_table({"rule", "values", "default", "what", "source"}, rows);
}

TEST_CASE("scenarios.md has every bound and every disturbance") {
    std::vector<std::vector<std::string>> bounds;
    for (const model::BoundEntry& bound : model::bound_catalogue()) {
        bounds.push_back({code(bound.name), std::to_string(bound.min), std::to_string(bound.max),
                          std::to_string(model::Bounds{}.*bound.member), std::string(bound.what)});
    }
    check_table({"bound", "from", "to", "default", "what"}, bounds);
    std::vector<std::vector<std::string>> disturbances;
    for (const model::DisturbanceEntry& disturbance : model::disturbance_catalogue()) {
        disturbances.push_back({code(disturbance.name),
                                model::budget_text(model::Disturbances{}.*disturbance.member),
                                std::string(disturbance.what)});
    }
    check_table({"disturbance", "default", "what"}, disturbances);
}

TEST_CASE("scenarios.md has every law and every witness") {
    std::vector<std::vector<std::string>> laws;
    for (const properties::Law& law : properties::laws()) {
        const std::string_view asked_of[] = {"states", "steps", "the search"};
        laws.push_back({code(law.name), std::string(asked_of[static_cast<std::size_t>(law.kind)]),
                        std::string(law.sentence), std::string(law.source)});
    }
    check_table({"law", "asked of", "what", "source"}, laws);
    std::vector<std::vector<std::string>> witnesses;
    for (const properties::Witness& witness : properties::witnesses()) {
        witnesses.push_back({code(witness.name), std::string(witness.sentence)});
    }
    check_table({"witness", "what"}, witnesses);
}

TEST_CASE("cost.md has every cost with its formulas") {
    std::vector<std::vector<std::string>> rows;
    for (const model::CostEntry& entry : model::cost_catalogue()) {
        std::vector<std::string> row{code(entry.name)};
        for (const auto guarantee :
             {model::Guarantee::exactly_once, model::Guarantee::exactly_once_v2,
              model::Guarantee::at_least_once}) {
            const auto& scheme = entry.of_scheme({.guarantee = guarantee});
            row.emplace_back(scheme.undisturbed.text);
            row.emplace_back(scheme.member_expelled.text);
        }
        rows.push_back(row);
    }
    check_table({"cost", "v1", "v1, one expelled", "v2", "v2, one expelled", "at_least_once",
                 "at_least_once, one expelled"},
                rows, "cost.md");
}

TEST_CASE("incidents.md has every incident, with the laws that fall and the rules that help") {
    std::vector<std::vector<std::string>> rows;
    for (const model::ScenarioFile& file : cli::shipped_scenarios()) {
        const bool is_fix = file.name.ends_with("_fixed");
        if (!file.path.starts_with("scenarios/incidents/") || is_fix) { continue; }
        const model::ScenarioFile fix = cli::load_scenario(file.name + "_fixed");
        std::vector<std::string> laws;
        for (const model::Expectation& law : file.expectations->laws) {
            const auto& others = fix.expectations->laws;
            const auto mended = std::ranges::find(others, law.law, &model::Expectation::law);
            REQUIRE(mended != others.end());
            const bool is_mended = law.verdict == model::ExpectedVerdict::refuted &&
                                   mended->verdict == model::ExpectedVerdict::holds;
            if (is_mended) { laws.push_back(fmt::format("{} {}", code(law.law), *law.steps)); }
        }
        const auto broken = model::scenario_of(file, {}, cli::known_names(), false).asked.rules;
        const auto good = model::scenario_of(fix, {}, cli::known_names(), false).asked.rules;
        std::vector<std::string> rules;
        for (const model::RuleEntry& rule : model::rule_catalogue()) {
            if (rule.get(broken) == rule.get(good)) { continue; }
            rules.push_back(fmt::format("{}: {}, not {}", code(rule.name),
                                        model::value_of(rule, good),
                                        model::value_of(rule, broken)));
        }
        rows.push_back({code(file.name), file.source, fmt::format("{}", fmt::join(laws, ", ")),
                        fmt::format("{}", fmt::join(rules, "; "))});
    }
    check_table({"scenario", "report", "falls, in steps", "the fix"}, rows, "incidents.md");
}

TEST_CASE("scenarios.md has every flag, and no other") {
    std::set<std::string> told;
    for (const std::string& line : lines_of(document("scenarios.md"))) {
        if (line.starts_with("| `--")) { told.insert(line.substr(3, line.find('`', 3) - 3)); }
    }
    CHECK(told == flags());
}

TEST_CASE("the scenario that scenarios.md begins with is checked as expected") {
    const std::string text = document("scenarios.md");
    const std::size_t begin = text.find("    name = ");
    std::string scenario;
    for (const std::string& line : lines_of(text.substr(begin, text.find("\n## ") - begin))) {
        scenario += (line.empty() ? line : line.substr(4)) + "\n";
    }
    const Workplace place;
    place.write("mine.toml", scenario);
    CHECK(run(place, "check ./mine.toml").status == 0);
}

TEST_CASE("an example fits only what it shows") {
    CHECK(fits({"a", "...", "c"}, {"a", "b", "c"}));
    CHECK(fits({"...", "b", "..."}, {"a", "b", "c", ""}));
    CHECK(!fits({"a", "c"}, {"a", "b", "c"}));
    CHECK(!fits({"a"}, {"a", "b"}));
    CHECK(!fits({"...", "d", "..."}, {"a", "b", "c"}));
    CHECK(!fits({"a", "b"}, {"a"}));
}

TEST_CASE("the commands of tutorial.md print what it shows") { run_examples("tutorial.md"); }
TEST_CASE("the commands of fencing.md print what it shows") { run_examples("fencing.md"); }
