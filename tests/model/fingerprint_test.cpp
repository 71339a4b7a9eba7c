// Fingerprints: everything that a search of a tiny cluster counts, pinned for many settings.
//
// Any change of a guard, a handler, a law or a witness moves a number here, so this is what
// scripts/mutate runs against mutants, and what says that a refactoring changed nothing. It does
// not say which numbers are right: the acceptance tables, the oracle and the verdict table do.
//
// The table is tests/model/fingerprints.toml. After an intended change of the model, pin again with
//
//     RINGFENCE_PIN=1 build/release/model_test --test-case="*fingerprint*"
//
// which writes the file anew, and look at the difference before it is committed.
#include "cli/kafka_search.hpp"
#include "model/settings.hpp"
#include "properties/catalogue.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <unordered_set>

namespace ringfence::model {

namespace {

constexpr std::string_view head =
    "# Searches of tiny clusters and all that they counted: see fingerprint_test.cpp, which also\n"
    "# writes this file. To add a row, write its settings (scheme, and any of rules, bounds,\n"
    "# disturbances and laws) and pin again.\n";

// One row: settings as text, and what the search counted, as text too.
struct Row {
    std::string scheme, rules, bounds, disturbances, laws;
    std::int64_t states = 0, transitions = 0, depth = 0, key_bits = 0;
    std::string verdicts, witnesses, answers, cuts, counts;

    friend bool operator==(const Row&, const Row&) = default;
};

// A text member of a row and its key, in the order of the file.
struct Column {
    const char* key;
    std::string Row::*member;
    bool is_setting;
};

constexpr std::array<Column, 10> columns{{{"scheme", &Row::scheme, true},
                                          {"rules", &Row::rules, true},
                                          {"bounds", &Row::bounds, true},
                                          {"disturbances", &Row::disturbances, true},
                                          {"laws", &Row::laws, true},
                                          {"verdicts", &Row::verdicts, false},
                                          {"witnesses", &Row::witnesses, false},
                                          {"answers", &Row::answers, false},
                                          {"cuts", &Row::cuts, false},
                                          {"counts", &Row::counts, false}}};

std::string path_of_table() {
    return std::string(RINGFENCE_SOURCE_DIR) + "/tests/model/fingerprints.toml";
}

std::vector<Row> read_rows() {
    const toml::table document = toml::parse_file(path_of_table());
    std::vector<Row> rows;
    for (const toml::node& node : *document["row"].as_array()) {
        const toml::table& table = *node.as_table();
        Row row;
        for (const Column& column : columns) {
            row.*column.member = table[column.key].value_or(std::string{});
        }
        row.states = table["states"].value_or(0);
        row.transitions = table["transitions"].value_or(0);
        row.depth = table["depth"].value_or(0);
        row.key_bits = table["key_bits"].value_or(0);
        rows.push_back(row);
    }
    return rows;
}

void write_rows(std::span<const Row> rows) {
    std::ofstream file(path_of_table());
    file << head;
    for (const Row& row : rows) {
        file << "\n[[row]]\n";
        const auto write_texts = [&](bool settings) {
            for (const Column& column : columns) {
                const std::string& text = row.*column.member;
                if (column.is_setting != settings || text.empty()) { continue; }
                file << column.key << " = \"" << text << "\"\n";
            }
        };
        write_texts(true);
        file << "states = " << row.states << "\ntransitions = " << row.transitions
             << "\ndepth = " << row.depth << "\nkey_bits = " << row.key_bits << "\n";
        write_texts(false);
    }
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) { words.push_back(word); }
    return words;
}

void add_settings(Layer& layer, std::string_view section, const std::string& text) {
    for (const std::string& word : words_of(text)) {
        const std::size_t equals = word.find('=');
        layer.push_back({.key = fmt::format("{}.{}", section, word.substr(0, equals)),
                         .value = word.substr(equals + 1),
                         .where = "fingerprints.toml"});
    }
}

Resolved settings_of(const Row& row) {
    Layer layer{{.key = "scheme", .value = row.scheme, .where = "fingerprints.toml"}};
    add_settings(layer, "rules", row.rules);
    add_settings(layer, "bounds", row.bounds);
    add_settings(layer, "disturbances", row.disturbances);
    return resolve({&layer, 1}, {});
}

std::vector<properties::Law> laws_of(const Row& row) {
    std::vector<properties::Law> laws;
    for (const properties::Law& law : properties::laws()) {
        const auto names = words_of(row.laws);
        const bool is_asked = names.empty() || std::ranges::count(names, law.name) > 0;
        if (is_asked) { laws.push_back(law); }
    }
    return laws;
}

using Report = checker::SearchReport<KafkaModel>;

// "holds" is left out: a law that is not named holds.
std::string verdicts_text(const Report& report, std::span<const properties::Law> laws) {
    std::string text;
    for (std::size_t i = 0; i < laws.size(); ++i) {
        const auto& property = report.properties[i];
        if (property.verdict == checker::Verdict::holds) { continue; }
        const std::string how = property.trace ? std::to_string(property.trace->actions.size())
                                               : std::string(name_of(property.verdict));
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", laws[i].name, how);
    }
    return text;
}

std::string witnesses_text(const Report& report) {
    std::string text;
    for (std::size_t i = 0; i < report.witnesses.size(); ++i) {
        if (!report.witnesses[i].is_reached) { continue; }
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", properties::witnesses()[i].name,
                            report.witnesses[i].depth);
    }
    return text;
}

std::string answers_text(const Report& report) {
    const auto verbs = KafkaModel::verb_names();
    const auto results = KafkaModel::result_names();
    std::string text;
    for (std::size_t verb = 0; verb < verbs.size(); ++verb) {
        for (std::size_t result = 0; result < results.size(); ++result) {
            const std::uint64_t count = report.fired[verb][result];
            if (count == 0) { continue; }
            const std::string error = result == 0 ? "" : "/" + results[result];
            text += fmt::format("{}{}{}:{}", text.empty() ? "" : " ", verbs[verb], error, count);
        }
    }
    return text;
}

std::string cuts_text(const Report& report) {
    const auto kinds = KafkaModel::cut_names();
    std::string text;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        if (report.cuts[kind] == 0) { continue; }
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", kinds[kind], report.cuts[kind]);
    }
    return text;
}

// How many states or steps violate each law, and how many steps are a hit of each witness: the
// search stops to ask at the first one. By a plain walk, so only where there are few states.
constexpr std::uint64_t states_counted_max = 12'000;

struct BytesHash {
    std::size_t operator()(const Cluster& cluster) const {
        const auto* bytes = reinterpret_cast<const char*>(&cluster);
        return std::hash<std::string_view>{}({bytes, sizeof(Cluster)});
    }
};

class Counting {
  public:
    Counting(const KafkaModel& model, std::span<const properties::Law> laws)
        : model_(model), laws_(laws) {}

    std::map<std::string_view, std::size_t> run() {
        std::vector<Cluster> left = model_.initial_states();
        std::unordered_set<Cluster, BytesHash> visited(left.begin(), left.end());
        checker::Enabled<Action> enabled;
        while (!left.empty()) {
            const Cluster before = left.back();
            left.pop_back();
            look_at(before);
            enabled.clear();
            model_.actions(before, enabled);
            for (const Action& action : enabled) {
                Cluster after = before;
                const Outcome outcome = model_.apply(after, action);
                look_at({before, action, outcome, after});
                if (visited.insert(after).second) { left.push_back(after); }
            }
        }
        return counts_;
    }

  private:
    void look_at(const Cluster& cluster) {
        for (const properties::Law& law : laws_) {
            const bool falls = law.holds_in != nullptr && law.is_applicable(model_) &&
                               !law.holds_in(model_, cluster);
            if (falls) { ++counts_[law.name]; }
        }
    }
    void look_at(const checker::Step<KafkaModel>& step) {
        for (const properties::Law& law : laws_) {
            const bool falls = law.holds_over != nullptr && law.is_applicable(model_) &&
                               !law.holds_over(model_, step);
            if (falls) { ++counts_[law.name]; }
        }
        for (const properties::Witness& witness : properties::witnesses()) {
            if (witness.is_reached_by(model_, step)) { ++counts_[witness.name]; }
        }
    }

    const KafkaModel& model_;
    std::span<const properties::Law> laws_;
    std::map<std::string_view, std::size_t> counts_;
};

std::string counts_text(const KafkaModel& model, std::span<const properties::Law> laws) {
    std::string text;
    for (const auto& [name, count] : Counting(model, laws).run()) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : " ", name, count);
    }
    return text;
}

// Far more states than the row has would only mean a wrong model: the search need not go there.
std::uint64_t states_worth_visiting(const Row& row) {
    constexpr std::uint64_t where_none_are_pinned = 3'000'000;
    return row.states == 0 ? where_none_are_pinned : 2 * static_cast<std::uint64_t>(row.states);
}

Row search(const Row& row) {
    const Resolved resolved = settings_of(row);
    const std::vector<properties::Law> laws = laws_of(row);
    const KafkaModel model(resolved.rules, resolved.bounds, resolved.disturbances,
                           properties::ghosts_read_by(laws));
    const auto report =
        cli::search(model, laws, properties::witnesses(),
                    checker::SearchOptions{.states_max = states_worth_visiting(row)});
    Row found = row;
    found.states = static_cast<std::int64_t>(report.states);
    found.transitions = static_cast<std::int64_t>(report.transitions);
    found.depth = report.depth;
    found.key_bits = report.key_bits;
    found.verdicts = verdicts_text(report, laws);
    found.witnesses = witnesses_text(report);
    found.answers = answers_text(report);
    found.cuts = cuts_text(report);
    const bool counts = report.is_complete() && report.states <= states_counted_max;
    found.counts = counts ? counts_text(model, laws) : "";
    return found;
}

bool pins_anew() { return std::getenv("RINGFENCE_PIN") != nullptr; }

}  // namespace

TEST_CASE("every search has the fingerprint that is pinned") {
    std::vector<Row> rows = read_rows();
    for (Row& row : rows) {
        if (pins_anew()) { row.states = 0; }
        const Row found = search(row);
        if (!pins_anew()) {
            INFO(row.scheme, " ", row.rules, " ", row.bounds, " ", row.disturbances);
            CHECK(found.states == row.states);
            CHECK(found.transitions == row.transitions);
            CHECK(found.depth == row.depth);
            CHECK(found.verdicts == row.verdicts);
            CHECK(found.witnesses == row.witnesses);
            CHECK(found.answers == row.answers);
            CHECK(found.cuts == row.cuts);
            CHECK(found.key_bits == row.key_bits);
            CHECK(found.counts == row.counts);
        }
        row = found;
    }
    if (!pins_anew()) { return; }
    std::ranges::stable_sort(rows, {}, &Row::states);  // small ones first: a mutant dies early
    write_rows(rows);
}

TEST_CASE("every value of every rule is in the fingerprint of some search") {
    const std::vector<Row> rows = read_rows();
    for (const RuleEntry& rule : rule_catalogue()) {
        for (std::size_t value = 0; value < rule.values.size(); ++value) {
            const bool is_in = std::ranges::any_of(
                rows, [&](const Row& row) { return rule.get(settings_of(row).rules) == value; });
            CHECK_MESSAGE(is_in, std::string(rule.name), " = ", std::string(rule.values[value]));
        }
    }
}

TEST_CASE("laws and witnesses are found by their names") {
    for (const properties::Law& law : properties::laws()) {
        CHECK(properties::find_law(law.name) == &law);
    }
    for (const properties::Witness& witness : properties::witnesses()) {
        CHECK(properties::find_witness(witness.name) == &witness);
    }
    CHECK(properties::find_law("no_such_law") == nullptr);
    CHECK(properties::find_witness("no_such_witness") == nullptr);
}

TEST_CASE("every law is refuted in the fingerprint of some search, and every witness reached") {
    std::string verdicts, witnesses;
    for (const Row& row : read_rows()) {
        verdicts += row.verdicts + " ";
        witnesses += row.witnesses + " ";
    }
    for (const properties::Law& law : properties::laws()) {
        CHECK_MESSAGE(verdicts.find(std::string(law.name) + ":") != verdicts.npos,
                      std::string(law.name));
    }
    for (const properties::Witness& witness : properties::witnesses()) {
        CHECK_MESSAGE(witnesses.find(witness.name) != witnesses.npos, std::string(witness.name));
    }
}

}  // namespace ringfence::model
