#include "tests/acceptance/table.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace ringfence::acceptance {

namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what); }

constexpr std::array<std::string_view, 5> keys_of_table{"request", "section", "checks", "row"};
constexpr std::array<std::string_view, 10> keys_of_row{"check",   "what",      "brokers", "rules",
                                                       "state",   "log",       "expect",  "after",
                                                       "request", "not_formed"};

void expect_known(const toml::table& table, std::span<const std::string_view> known) {
    for (const auto& [key, value] : table) {
        if (std::ranges::find(known, key.str()) != known.end()) { continue; }
        fail("unknown key \"" + std::string(key.str()) + "\" at line " +
             std::to_string(key.source().begin.line));
    }
}

std::string text_of(const toml::table& table, std::string_view key) {
    const auto text = table[key].value<std::string>();
    if (!text || text->empty()) { fail("a row or table lacks \"" + std::string(key) + "\""); }
    return *text;
}

model::Rules rules_of(const Fields& given) {
    model::Rules rules;
    for (const model::RuleEntry& rule : model::rule_catalogue()) {
        if (!given.has(rule.name)) { continue; }
        const std::string value = given.text(rule.name);
        const auto found = std::ranges::find(rule.values, std::string_view(value));
        if (found == rule.values.end()) { fail("no such value: " + value); }
        rule.set(rules, static_cast<std::size_t>(found - rule.values.begin()));
    }
    return rules;
}

std::optional<std::string> release_of(const Fields& brokers, std::string_view key) {
    if (!brokers.has(key)) { return std::nullopt; }
    const std::string release = brokers.text(key);
    const auto known = model::release_catalogue();
    if (std::ranges::find(known, std::string_view(release)) == known.end()) {
        fail("unknown release " + release);
    }
    return release;
}

Row row_of(const toml::table& table) {
    expect_known(table, keys_of_row);
    Row row{.check = text_of(table, "check"),
            .what = text_of(table, "what"),
            .not_formed = table["not_formed"].value<std::string>(),
            .since = {},
            .until = {},
            .rules = {},
            .given_rules = Fields(table["rules"].as_table()),
            .state = Fields(table["state"].as_table()),
            .request = Fields(table["request"].as_table()),
            .expect = Fields(table["expect"].as_table()),
            .after = Fields(table["after"].as_table()),
            .log = {}};
    const Fields brokers(table["brokers"].as_table());
    row.since = release_of(brokers, "since");
    row.until = release_of(brokers, "until");
    row.rules = rules_of(row.given_rules);
    if (const toml::array* log = table["log"].as_array()) {
        for (const toml::node& event : *log) { row.log.emplace_back(event.as_table()); }
    }
    if (!brokers.unread().empty()) { fail("unknown key in brokers: " + brokers.unread()); }
    return row;
}

}  // namespace

const toml::node* Fields::find(std::string_view key) const {
    read_.emplace(key);
    return table_ == nullptr ? nullptr : table_->get(key);
}

bool Fields::has(std::string_view key) const { return find(key) != nullptr; }

int Fields::number(std::string_view key, int fallback) const {
    const toml::node* node = find(key);
    if (node == nullptr) { return fallback; }
    if (!node->is_integer()) { fail(std::string(key) + ": expected a number"); }
    return static_cast<int>(node->as_integer()->get());
}

bool Fields::truth(std::string_view key, bool fallback) const {
    const toml::node* node = find(key);
    if (node == nullptr) { return fallback; }
    if (!node->is_boolean()) { fail(std::string(key) + ": expected true or false"); }
    return node->as_boolean()->get();
}

std::string Fields::text(std::string_view key, std::string_view fallback) const {
    const toml::node* node = find(key);
    if (node == nullptr) { return std::string(fallback); }
    if (!node->is_string()) { fail(std::string(key) + ": expected a string"); }
    return node->as_string()->get();
}

std::vector<std::string> Fields::list(std::string_view key) const {
    const toml::node* node = find(key);
    if (node == nullptr) { return {}; }
    if (!node->is_array()) { fail(std::string(key) + ": expected a list"); }
    std::vector<std::string> values;
    for (const toml::node& value : *node->as_array()) {
        values.push_back(value.value<std::string>().value());
    }
    return values;
}

Fields Fields::table(std::string_view key) const {
    const toml::node* node = find(key);
    return Fields(node == nullptr ? nullptr : node->as_table());
}

std::string Fields::unread() const {
    std::string keys;
    if (table_ == nullptr) { return keys; }
    for (const auto& [key, value] : *table_) {
        if (!read_.contains(key.str())) { keys += std::string(key.str()) + " "; }
    }
    return keys;
}

std::string Row::unread() const {
    std::string keys =
        given_rules.unread() + state.unread() + request.unread() + expect.unread() + after.unread();
    for (const Fields& event : log) { keys += event.unread(); }
    return keys;
}

Table read_table(const std::filesystem::path& file) {
    Table table{
        .document = toml::parse_file(file.string()), .request = {}, .checks = {}, .rows = {}};
    try {
        expect_known(table.document, keys_of_table);
        table.request = text_of(table.document, "request");
        table.checks = Fields(&table.document).list("checks");
        for (const toml::node& row : *table.document["row"].as_array()) {
            table.rows.push_back(row_of(*row.as_table()));
        }
    } catch (const std::runtime_error& error) {
        fail(file.filename().string() + ": " + error.what());
    }
    return table;
}

std::vector<std::filesystem::path> table_files() {
    const std::filesystem::path folder =
        std::filesystem::path(RINGFENCE_SOURCE_DIR) / "tests" / "acceptance";
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".toml") { files.push_back(entry.path()); }
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace ringfence::acceptance
