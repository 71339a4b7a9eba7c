// Reads the acceptance tables (README.md in this folder) strictly: every key of a row that is
// played must have been asked for, so a misspelt one cannot pass unnoticed.
#pragma once

#include "model/rules.hpp"

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ringfence::acceptance {

// One inline table of a row, such as `state`; empty where the row has none.
class Fields {
  public:
    Fields() = default;
    explicit Fields(const toml::table* table) : table_(table) {}

    [[nodiscard]] bool has(std::string_view key) const;
    [[nodiscard]] bool is_empty() const { return table_ == nullptr || table_->empty(); }
    // The value of the key, or the fallback; throws where it has another type.
    [[nodiscard]] int number(std::string_view key, int fallback) const;
    [[nodiscard]] bool truth(std::string_view key, bool fallback) const;
    [[nodiscard]] std::string text(std::string_view key, std::string_view fallback = {}) const;
    [[nodiscard]] std::vector<std::string> list(std::string_view key) const;
    [[nodiscard]] Fields table(std::string_view key) const;

    // Keys that nobody has asked for, joined by blanks.
    [[nodiscard]] std::string unread() const;

  private:
    [[nodiscard]] const toml::node* find(std::string_view key) const;

    const toml::table* table_ = nullptr;
    mutable std::set<std::string, std::less<>> read_;
};

struct Row {
    std::string check;
    std::string what;
    std::optional<std::string> not_formed;  // the reason why the model is not asked
    std::optional<std::string> since, until;
    model::Rules rules;
    Fields given_rules, state, request, expect, after;
    std::vector<Fields> log;

    [[nodiscard]] std::string unread() const;
};

struct Table {
    toml::table document;  // rows point into it
    std::string request;
    std::vector<std::string> checks;
    std::vector<Row> rows;
};

// Throws std::runtime_error, with the place, on anything that README.md does not allow.
[[nodiscard]] Table read_table(const std::filesystem::path& file);

// All tables of the folder, by file name.
[[nodiscard]] std::vector<std::filesystem::path> table_files();

}  // namespace ringfence::acceptance
