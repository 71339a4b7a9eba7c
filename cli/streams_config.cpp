#include "cli/streams_config.hpp"

#include "cli/files.hpp"
#include "model/nearest_name.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace ringfence::cli {

namespace {

using model::StreamsNote;
using model::StreamsNoteKind;
using nlohmann::ordered_json;

constexpr std::size_t properties_bytes_max = std::size_t{1} << 20U;

// The kinds in the order in which they are reported.
struct Heading {
    StreamsNoteKind kind;
    std::string_view key;  // in JSON
    std::string_view text;
};

constexpr std::array<Heading, 5> headings{{
    {StreamsNoteKind::follows, "follows", "follows"},
    {StreamsNoteKind::timing, "timing", "no clock"},
    {StreamsNoteKind::ignored, "ignored", "ignored"},
    {StreamsNoteKind::unknown, "unknown", "unknown"},
    {StreamsNoteKind::warning, "warnings", "warning"},
}};

void expect_release(const model::Setting& setting) {
    const auto releases = model::release_catalogue();
    if (std::ranges::find(releases, std::string_view(setting.value)) != releases.end()) { return; }
    throw model::ConfigurationError(
        fmt::format("{}: unknown Kafka release \"{}\"{}", setting.where, setting.value,
                    model::expected_names(setting.value, releases, "ringfence list releases")));
}

// "kafka" names both. One side alone stands for both here; resolve() refuses it afterwards.
void read_release(model::StreamsContext& context, const SettingLayers& layers) {
    for (const model::Layer& layer : layers) {
        for (const std::string_view key : {"kafka", "broker", "client"}) {
            const model::Setting* setting = model::find_setting(layer, key);
            if (setting == nullptr) { continue; }
            expect_release(*setting);
            if (key != "client") { context.broker = setting->value; }
            if (key != "broker") { context.client = setting->value; }
            context.release_from = setting->where;
        }
    }
    if (context.broker.empty() && context.client.empty()) {
        context.broker = model::release_catalogue().back();
    }
    if (context.broker.empty()) { context.broker = context.client; }
    if (context.client.empty()) { context.client = context.broker; }
}

// Rules that the releases bring, apart from what stands in the file, where they differ from v2's.
std::vector<std::pair<std::string_view, std::string_view>> rules_of_release(
    const model::StreamsConfig& config) {
    model::Rules rules;
    const auto catalogue = model::rule_catalogue();
    const auto guarantee = std::ranges::find(catalogue, "guarantee", &model::RuleEntry::name);
    if (const auto* setting = model::find_setting(config.settings, "guarantee")) {
        const auto value = std::ranges::find(guarantee->values, setting->value);
        guarantee->set(rules, static_cast<std::size_t>(value - guarantee->values.begin()));
    }
    rules = model::rules_of_release(config.broker, config.client, rules.guarantee).rules;
    std::vector<std::pair<std::string_view, std::string_view>> changed;
    for (const model::RuleEntry& rule : catalogue) {
        if (rule.name == "guarantee" || rule.get(rules) == rule.get(model::Rules{})) { continue; }
        changed.emplace_back(rule.name, model::value_of(rule, rules));
    }
    return changed;
}

std::string releases_text(const model::StreamsConfig& config) {
    const std::string names =
        config.broker == config.client
            ? "Kafka " + config.broker
            : fmt::format("brokers {}, clients {}", config.broker, config.client);
    return fmt::format("{} ({})", names,
                       config.release_from.empty() ? "the newest, since none is given"
                                                   : "from " + config.release_from);
}

// A value on one line: people's values may hold line ends.
std::string shown(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char letter) { return letter < 0x20; }, ' ');
    return text;
}

std::string assignment(const StreamsNote& note) {
    return note.value ? fmt::format("{} = {}", shown(note.key), shown(*note.value))
                      : shown(note.key);
}

// Most keys of most files: one line names them all.
bool is_without_bearing(const StreamsNote& note) {
    return note.kind == StreamsNoteKind::ignored && !note.value;
}

}  // namespace

std::optional<model::StreamsConfig> load_streams_config(const CheckOptions& options,
                                                        const model::ScenarioFile* scenario) {
    if (options.streams_config.empty()) { return std::nullopt; }
    SettingLayers layers;
    model::StreamsContext context;
    for (const model::Layer& layer : options.settings) {
        if (const model::Setting* scheme = model::find_setting(layer, "scheme")) {
            throw model::ConfigurationError(
                fmt::format("{}: a scheme and --streams-config both say what the rules start from, "
                            "expected one of them",
                            scheme->where));
        }
        context.above.insert(context.above.end(), layer.begin(), layer.end());
    }
    if (scenario != nullptr) { layers.push_back(scenario->settings); }
    layers.insert(layers.end(), options.settings.begin(), options.settings.end());
    read_release(context, layers);
    for (const model::Layer& layer : layers) {
        const model::Setting* force = model::find_setting(layer, "force");
        if (force != nullptr) { context.is_forced = force->value == "true"; }
    }
    const std::string& path = options.streams_config;
    return model::read_streams_config(text_of_file(path, properties_bytes_max), path, context);
}

std::string streams_text(const model::StreamsConfig& config) {
    std::string text = fmt::format("streams config: {}, {}\n", config.path, releases_text(config));
    for (const auto& [name, value] : rules_of_release(config)) {
        text += fmt::format("  release: {} = {}\n", name, value);
    }
    std::string without_bearing;
    for (const Heading& heading : headings) {
        for (const StreamsNote& note : config.notes) {
            if (note.kind != heading.kind) { continue; }
            if (is_without_bearing(note)) {
                without_bearing += (without_bearing.empty() ? "" : ", ") + shown(note.key);
            } else {
                text += fmt::format("  {}: {}: {}: {}\n", heading.text, note.where,
                                    assignment(note), note.text);
            }
        }
    }
    if (!without_bearing.empty()) { text += "  no bearing on fencing: " + without_bearing + "\n"; }
    text.pop_back();
    return text;
}

ordered_json streams_json(const model::StreamsConfig& config) {
    ordered_json json;
    json["file"] = config.path;
    json["broker"] = config.broker;
    json["client"] = config.client;
    json["release_from"] = config.release_from;
    json["rules_of_release"] = ordered_json::object();
    for (const auto& [name, value] : rules_of_release(config)) {
        json["rules_of_release"][std::string(name)] = value;
    }
    for (const Heading& heading : headings) {
        ordered_json& notes = json[std::string(heading.key)] = ordered_json::array();
        for (const StreamsNote& note : config.notes) {
            if (note.kind != heading.kind) { continue; }
            ordered_json entry{{"where", note.where}, {"key", note.key}};
            if (note.value) { entry["value"] = *note.value; }
            entry["text"] = note.text;
            notes.push_back(std::move(entry));
        }
    }
    return json;
}

}  // namespace ringfence::cli
