#include "cli/flags.hpp"

#include "model/nearest_name.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace ringfence::cli {

namespace {

[[noreturn]] void fail(const Given& given, const std::string& what) {
    throw model::ConfigurationError(fmt::format("{}: {}", given.where, what));
}

std::optional<Given> from_environment(const Flag& flag) {
    const std::string variable = variable_of(flag);
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr || *value == '\0') { return std::nullopt; }
    return Given{value, variable};
}

// "NAME=VALUE" sets rules.NAME, "VALUE" sets bounds.threads.
model::Setting setting_of(const Flag& flag, const Given& given) {
    if (!flag.setting.ends_with('.')) {
        return {.key = flag.setting, .value = given.value, .where = given.where};
    }
    const std::size_t equals = given.value.find('=');
    if (equals == std::string::npos) {
        fail(given, fmt::format("\"{}\" has no value, expected NAME=VALUE",
                                model::shortened(given.value)));
    }
    return {.key = flag.setting + given.value.substr(0, equals),
            .value = given.value.substr(equals + 1),
            .where = given.where};
}

void add_settings(model::Layer& layer, const Flag& flag, const Given& given) {
    std::string_view rest = given.value;
    while (flag.kind == FlagKind::list) {
        const std::size_t comma = rest.find(',');
        layer.push_back(setting_of(flag, {std::string(rest.substr(0, comma)), given.where}));
        if (comma == rest.npos) { return; }
        rest.remove_prefix(comma + 1);
    }
    layer.push_back(setting_of(flag, given));
}

// What a truth flag or a choice means when it stands alone.
std::string alone(const Flag& flag) {
    return flag.kind == FlagKind::truth ? "true" : std::string(flag.choices.front());
}

std::optional<unsigned> binary_exponent(std::string_view unit) {
    static constexpr std::string_view letters = "KMGT";
    if (unit.empty()) { return 0; }
    const auto letter = static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front())));
    const std::size_t place = letters.find(letter);
    const std::string_view rest = unit.substr(1);
    if (place == letters.npos || !(rest.empty() || rest == "B" || rest == "iB")) {
        return std::nullopt;
    }
    return static_cast<unsigned>(10 * (place + 1));
}

}  // namespace

std::vector<Flag> setting_flags() {
    std::vector<Flag> flags{
        {"scheme", FlagKind::value, "scheme", "named rule set to start from"},
        {"kafka", FlagKind::value, "kafka", "Kafka release to start from, broker and client"},
        {"broker", FlagKind::value, "broker", "release of the brokers alone, with --client"},
        {"client", FlagKind::value, "client", "release of the clients alone, with --broker"},
        {"transaction-version", FlagKind::value, "transaction_version", "transaction version"},
        {"guarantee", FlagKind::value, "guarantee", "processing.guarantee"},
        {"rule", FlagKind::list, "rules.", "NAME=VALUE: one rule on top"},
        {"disturb", FlagKind::list, "disturbances.", "NAME=N or NAME=unlimited: a budget"},
        {"law", FlagKind::list, "laws", "check this law only (may be repeated)"},
        {"force", FlagKind::truth, "force", "check what Kafka refuses"}};
    for (const model::BoundEntry& bound : model::bound_catalogue()) {
        flags.push_back({std::string(bound.name), FlagKind::value,
                         "bounds." + std::string(bound.name),
                         fmt::format("{} ({} to {})", bound.what, bound.min, bound.max)});
    }
    return flags;
}

std::string variable_of(const Flag& flag) {
    std::string variable = "RINGFENCE_" + flag.name;
    for (char& letter : variable) {
        letter = letter == '-'
                     ? '_'
                     : static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    }
    return variable;
}

Flags::Flags(CLI::App& command, std::vector<Flag> flags)
    : flags_(std::move(flags)),
      values_(std::make_unique<std::vector<std::vector<std::string>>>(flags_.size())) {
    for (std::size_t i = 0; i < flags_.size(); ++i) {
        const Flag& flag = flags_[i];
        std::vector<std::string>& values = (*values_)[i];
        if (flag.kind == FlagKind::value || flag.kind == FlagKind::list) {
            command.add_option("--" + flag.name, values, flag.what)
                ->allow_extra_args(false)
                ->type_name("");
            continue;
        }
        command.add_flag(fmt::format("--{}{{{}}}", flag.name, alone(flag)), values, flag.what);
    }
}

const Flag& Flags::flag(std::string_view name) const {
    return *std::ranges::find(flags_, name, &Flag::name);
}

std::optional<Given> Flags::given(std::string_view name) const {
    const Flag& asked = flag(name);
    const auto& values = (*values_)[static_cast<std::size_t>(&asked - flags_.data())];
    if (values.empty()) { return from_environment(asked); }
    const std::string where = "--" + asked.name;
    if (values.size() > 1) { fail({{}, where}, "given more than once, expected one value"); }
    return Given{values.front(), where};
}

std::string Flags::text(std::string_view name, std::string_view otherwise) const {
    const auto value = given(name);
    return value ? value->value : std::string(otherwise);
}

bool Flags::is_on(std::string_view name) const {
    static constexpr std::string_view values[] = {"true", "false"};
    const auto value = given(name);
    if (!value || value->value == values[1] || value->value == "0") { return false; }
    if (value->value == values[0] || value->value == "1") { return true; }
    fail(*value, fmt::format("has no value \"{}\"{}", model::shortened(value->value),
                             model::expected_names(value->value, values)));
}

std::optional<std::size_t> Flags::choice(std::string_view name) const {
    const auto value = given(name);
    if (!value) { return std::nullopt; }
    const auto& choices = flag(name).choices;
    const auto found = std::ranges::find(choices, std::string_view(value->value));
    if (found == choices.end()) {
        fail(*value, fmt::format("has no value \"{}\"{}", model::shortened(value->value),
                                 model::expected_names(value->value, choices)));
    }
    return static_cast<std::size_t>(found - choices.begin());
}

std::optional<std::uint64_t> Flags::number(std::string_view name, std::uint64_t min,
                                           std::uint64_t max) const {
    const auto value = given(name);
    if (!value) { return std::nullopt; }
    const std::string& text = value->value;
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_read = error == std::errc{} && end == text.data() + text.size();
    if (!is_read || number < min || number > max) {
        fail(*value, fmt::format("is \"{}\", expected a whole number from {} to {}",
                                 model::shortened(text), min, max));
    }
    return number;
}

std::optional<double> Flags::seconds(std::string_view name) const {
    const auto value = given(name);
    if (!value) { return std::nullopt; }
    const std::string& text = value->value;
    double seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    const bool is_read = error == std::errc{} && end == text.data() + text.size();
    if (!is_read || !std::isfinite(seconds) || seconds < 0) {
        fail(*value,
             fmt::format("is \"{}\", expected a number of seconds", model::shortened(text)));
    }
    return seconds;
}

std::optional<std::uint64_t> Flags::bytes(std::string_view name) const {
    const auto value = given(name);
    if (!value) { return std::nullopt; }
    const std::string& text = value->value;
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto exponent =
        binary_exponent(std::string_view(text).substr(static_cast<std::size_t>(end - text.data())));
    constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
    if (error != std::errc{} || !exponent || number > (largest >> *exponent)) {
        fail(*value, fmt::format("is \"{}\", expected a number of bytes such as 800M or 4G",
                                 model::shortened(text)));
    }
    return number << *exponent;
}

std::vector<model::Layer> Flags::settings() const {
    std::vector<model::Layer> layers(2);
    for (std::size_t i = 0; i < flags_.size(); ++i) {
        const Flag& flag = flags_[i];
        if (flag.setting.empty()) { continue; }
        if (const auto value = from_environment(flag)) { add_settings(layers[0], flag, *value); }
        if (flag.kind != FlagKind::list) { static_cast<void>(given(flag.name)); }  // given once
        for (const std::string& value : (*values_)[i]) {
            add_settings(layers[1], flag, {value, "--" + flag.name});
        }
    }
    return layers;
}

}  // namespace ringfence::cli
