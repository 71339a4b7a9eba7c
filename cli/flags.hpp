// Flags of one verb, and the environment variables that stand for them.
#pragma once

#include "model/settings.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace ringfence::cli {

enum class FlagKind : std::uint8_t {
    value,   // --flag VALUE, once
    list,    // --flag VALUE, any number of times; VALUE may hold several with commas
    truth,   // --flag, or --flag=false
    choice,  // --flag, or --flag=VALUE; alone it stands for the first choice
};

struct Flag {
    std::string name;  // without dashes
    FlagKind kind = FlagKind::value;
    std::string setting;  // the key that its values set, "rules." for NAME=VALUE; or empty
    std::string what;
    std::vector<std::string_view> choices = {};
};

// What a person gave, and where: "--flag" or "RINGFENCE_FLAG".
struct Given {
    std::string value;
    std::string where;
};

// Flags for rules, bounds, budgets, laws and witnesses.
[[nodiscard]] std::vector<Flag> setting_flags();

[[nodiscard]] std::string variable_of(const Flag& flag);  // "RINGFENCE_MAX_STATES"

class Flags {
  public:
    // Registers the flags with a CLI11 command, which must outlive this object.
    Flags(CLI::App& command, std::vector<Flag> flags);

    // To be asked once the command line is parsed. The command line's value, else the
    // environment's. All throw model::ConfigurationError.
    [[nodiscard]] std::optional<Given> given(std::string_view name) const;
    [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise = {}) const;
    [[nodiscard]] bool is_on(std::string_view name) const;
    // Position among the flag's choices.
    [[nodiscard]] std::optional<std::size_t> choice(std::string_view name) const;
    [[nodiscard]] std::optional<std::uint64_t> number(std::string_view name, std::uint64_t min,
                                                      std::uint64_t max) const;
    [[nodiscard]] std::optional<double> seconds(std::string_view name) const;
    [[nodiscard]] std::optional<std::uint64_t> bytes(std::string_view name) const;  // "4G"

    // The environment's settings, then the command line's.
    [[nodiscard]] std::vector<model::Layer> settings() const;

    [[nodiscard]] const std::vector<Flag>& all() const { return flags_; }

  private:
    [[nodiscard]] const Flag& flag(std::string_view name) const;

    std::vector<Flag> flags_;
    // What the command line gave for each flag. CLI11 keeps addresses into it.
    std::unique_ptr<std::vector<std::vector<std::string>>> values_;
};

}  // namespace ringfence::cli
