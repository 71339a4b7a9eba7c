// From words to a verb with its options. The only file that knows CLI11 and the environment.
#pragma once

#include "cli/options.hpp"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ringfence::cli {

// `--help` and `--version`: a text to print.
struct Information {
    std::string text;
};

using Command = std::variant<Information, CheckOptions, WhyOptions, CostOptions, ListOptions,
                             ShowOptions, ReplayOptions, ExplainOptions, InitOptions>;

// `arguments`: without the program's name. Reads RINGFENCE_... from the environment as well: every
// flag has a variable, which it beats (--max-states: RINGFENCE_MAX_STATES).
// Throws model::ConfigurationError.
[[nodiscard]] Command parse_command_line(const std::vector<std::string>& arguments);

}  // namespace ringfence::cli
