#include "model/scenario.hpp"

#include "model/nearest_name.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <limits>

namespace ringfence::model {

namespace {

constexpr std::array<std::string_view, 3> verdicts = {"holds", "refuted", "not_applicable"};

template <class Entry>
const Entry* entry_of(std::string_view key, std::span<const Entry> catalogue) {
    const auto found = std::ranges::find(catalogue, key.substr(key.find('.') + 1), &Entry::name);
    return found == catalogue.end() ? nullptr : &*found;
}

// A quoted number is no number, and a release is no number: 2.10 would read as 2.1.
bool has_type_of(std::string_view key, const toml::node& node) {
    if (key.starts_with("bounds.")) { return node.is_integer(); }
    if (key.starts_with("disturbances.")) {
        return node.is_integer() || node.value<std::string_view>() == "unlimited";
    }
    if (key == "force") { return node.is_boolean(); }
    if (key == "transaction_version") { return node.is_integer() || node.is_string(); }
    return node.is_string();
}

std::string expected_type(std::string_view key) {
    if (key.starts_with("bounds.")) {
        const BoundEntry* bound = entry_of(key, bound_catalogue());
        return bound == nullptr
                   ? "a whole number"
                   : fmt::format("a whole number from {} to {}", bound->min, bound->max);
    }
    if (key.starts_with("rules.")) {
        const RuleEntry* rule = entry_of(key, rule_catalogue());
        return rule == nullptr
                   ? "a string in quotes"
                   : fmt::format("\"{}\" in quotes", fmt::join(rule->values, "\" or \""));
    }
    if (key.starts_with("disturbances.")) {
        return fmt::format("a whole number from 0 to {} or \"unlimited\"",
                           Disturbances::budget_max);
    }
    if (key == "force") { return "true or false"; }
    if (key == "kafka" || key == "broker" || key == "client") {
        return fmt::format("a release in quotes: {} = \"3.5\"", key);
    }
    return key == "transaction_version" ? "a whole number" : "a string in quotes";
}

// Reads one TOML text; knows its path, so that every message can name the place.
class Reader {
  public:
    Reader(std::string_view path, const KnownNames& known) : path_(path), known_(known) {}

    [[nodiscard]] ScenarioFile read(std::string_view text) const;

  private:
    [[nodiscard]] std::string place(const toml::source_region& region) const {
        return fmt::format("{}:{}:{}", path_, region.begin.line, region.begin.column);
    }
    [[noreturn]] void fail(const toml::source_region& region, const std::string& what) const {
        throw ConfigurationError(fmt::format("{}: {}", place(region), what));
    }
    [[noreturn]] void fail_type(const toml::key& key, const toml::node& node,
                                std::string_view expected) const {
        fail(node.source(),
             fmt::format("\"{}\" has the wrong type, expected {}", shortened(key.str()), expected));
    }

    [[nodiscard]] toml::table parsed(std::string_view text) const;
    [[nodiscard]] const toml::table& table(const toml::key& key, const toml::node& node) const;
    [[nodiscard]] std::string text(const toml::key& key, const toml::node& node) const;
    [[nodiscard]] std::string scenario_name(const toml::key& key, const toml::node& node) const;
    [[nodiscard]] std::uint64_t count(const toml::key& key, const toml::node& node,
                                      std::uint64_t min, std::uint64_t max) const;
    // A value as it would stand on the command line, of the type that the key has in a file.
    [[nodiscard]] Setting scalar(std::string key, const toml::key& name,
                                 const toml::node& node) const;
    [[nodiscard]] Layer list(const toml::key& key, const toml::node& node) const;

    void read_section(Layer& settings, const toml::key& key, const toml::node& node) const;
    [[nodiscard]] Expectations expectations(const toml::key& key, const toml::node& node) const;
    [[nodiscard]] Expectation expectation(const toml::key& key, const toml::node& node) const;
    void read_key(ScenarioFile& file, const toml::key& key, const toml::node& node) const;
    // Nothing is expected of what the file itself does not ask for.
    void check_expectations(const toml::table& expect, const Resolved& asked) const;

    std::string path_;
    const KnownNames& known_;
};

const toml::table& Reader::table(const toml::key& key, const toml::node& node) const {
    if (const toml::table* found = node.as_table()) { return *found; }
    fail_type(key, node, "a table");
}

std::string Reader::text(const toml::key& key, const toml::node& node) const {
    if (const auto* found = node.as_string()) { return found->get(); }
    fail_type(key, node, "a string");
}

std::string Reader::scenario_name(const toml::key& key, const toml::node& node) const {
    std::string name = text(key, node);
    if (name.find_first_not_of(scenario_name_letters) != name.npos ||
        name.size() > scenario_name_bytes_max) {
        fail(node.source(),
             fmt::format("a scenario cannot be named \"{}\", expected at most {} letters A to Z, "
                         "a to z, digits and . _ -",
                         shortened(name), scenario_name_bytes_max));
    }
    return name;
}

std::uint64_t Reader::count(const toml::key& key, const toml::node& node, std::uint64_t min,
                            std::uint64_t max) const {
    const auto* found = node.as_integer();
    const bool is_count = found != nullptr && found->get() >= 0;
    if (!is_count || static_cast<std::uint64_t>(found->get()) < min ||
        static_cast<std::uint64_t>(found->get()) > max) {
        fail(node.source(), fmt::format("\"{}\" is no such number, expected a whole number from "
                                        "{} to {}",
                                        key.str(), min, max));
    }
    return static_cast<std::uint64_t>(found->get());
}

Setting Reader::scalar(std::string key, const toml::key& name, const toml::node& node) const {
    if (!has_type_of(key, node)) { fail_type(name, node, expected_type(key)); }
    Setting setting{.key = std::move(key), .value = {}, .where = place(node.source())};
    if (const auto* string = node.as_string()) {
        setting.value = string->get();
    } else if (const auto* integer = node.as_integer()) {
        setting.value = std::to_string(integer->get());
    } else {
        setting.value = node.as_boolean()->get() ? "true" : "false";
    }
    return setting;
}

Layer Reader::list(const toml::key& key, const toml::node& node) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) { fail_type(key, node, "a list of strings"); }
    if (array->empty() && key.str() == "laws") {
        fail(node.source(),
             "\"laws\" is empty, expected names of laws; all of them are checked "
             "where there is no \"laws\"");
    }
    Layer settings;
    for (const toml::node& element : *array) {
        settings.push_back({.key = std::string(key.str()),
                            .value = text(key, element),
                            .where = place(element.source())});
    }
    return settings;
}

void Reader::read_section(Layer& settings, const toml::key& key, const toml::node& node) const {
    for (const auto& [name, value] : table(key, node)) {
        const std::string full_name = fmt::format("{}.{}", key.str(), name.str());
        const auto is_named = [&](const auto& entry) { return entry.name == name.str(); };
        const bool is_known = std::ranges::any_of(rule_catalogue(), is_named) ||
                              std::ranges::any_of(bound_catalogue(), is_named) ||
                              std::ranges::any_of(disturbance_catalogue(), is_named);
        // A name that nobody knows is to blame on the name, a wrong value on the value.
        settings.push_back(is_known ? scalar(full_name, name, value)
                                    : Setting{.key = full_name, .where = place(name.source())});
    }
}

Expectation Reader::expectation(const toml::key& key, const toml::node& node) const {
    static constexpr std::string_view keys[] = {"verdict", "steps"};
    const toml::table& entries = table(key, node);
    Expectation expectation{.law = std::string(key.str())};
    bool has_verdict = false;
    for (const auto& [name, value] : entries) {
        if (name.str() == "verdict") {
            const std::string verdict = text(name, value);
            const auto found = std::ranges::find(verdicts, std::string_view(verdict));
            if (found == verdicts.end()) {
                fail(value.source(), fmt::format("unknown verdict \"{}\"{}", shortened(verdict),
                                                 expected_names(verdict, verdicts)));
            }
            expectation.verdict = static_cast<ExpectedVerdict>(found - verdicts.begin());
            has_verdict = true;
        } else if (name.str() == "steps") {
            expectation.steps = static_cast<std::uint32_t>(
                count(name, value, 0, std::numeric_limits<std::uint32_t>::max()));
        } else {
            fail(name.source(),
                 fmt::format("unknown key \"{}\" of an expectation{}", shortened(name.str()),
                             expected_names(name.str(), keys)));
        }
    }
    if (!has_verdict) {
        fail(key.source(), fmt::format("no verdict is given for \"{}\", expected verdict = {}",
                                       key.str(), "\"holds\", \"refuted\" or \"not_applicable\""));
    }
    if (expectation.steps && expectation.verdict != ExpectedVerdict::refuted) {
        fail(entries.source(), fmt::format("\"steps\" without a refutation of \"{}\", expected "
                                           "verdict = \"refuted\" with it",
                                           key.str()));
    }
    return expectation;
}

Expectations Reader::expectations(const toml::key& key, const toml::node& node) const {
    Expectations expectations;
    for (const auto& [name, value] : table(key, node)) {
        if (name.str() == "states") {
            expectations.states = count(name, value, 1, std::numeric_limits<std::int64_t>::max());
        } else if (name.str() == "never") {
            for (const Setting& witness : list(name, value)) {
                if (std::ranges::find(known_.witnesses, witness.value) == known_.witnesses.end()) {
                    throw ConfigurationError(fmt::format(
                        "{}: unknown witness \"{}\"{}", witness.where, shortened(witness.value),
                        expected_names(witness.value, known_.witnesses,
                                       "ringfence list witnesses")));
                }
                expectations.never.push_back(witness.value);
            }
        } else {
            if (std::ranges::find(known_.laws, name.str()) == known_.laws.end()) {
                std::vector<std::string_view> names = known_.laws;
                names.insert(names.end(), {"states", "never"});
                fail(name.source(),
                     fmt::format("unknown law \"{}\" in [expect]{}", shortened(name.str()),
                                 expected_names(name.str(), names, "ringfence list laws")));
            }
            expectations.laws.push_back(expectation(name, value));
        }
    }
    return expectations;
}

void Reader::read_key(ScenarioFile& file, const toml::key& key, const toml::node& node) const {
    static constexpr std::string_view keys[] = {"name",   "what",      "source",
                                                "scheme", "kafka",     "broker",
                                                "client", "guarantee", "transaction_version",
                                                "force",  "laws",      "witnesses",
                                                "rules",  "bounds",    "disturbances",
                                                "expect"};
    const std::string_view name = key.str();
    if (name == "name") {
        file.name = scenario_name(key, node);
    } else if (name == "what") {
        file.what = text(key, node);
    } else if (name == "source") {
        file.source = text(key, node);
    } else if (name == "rules" || name == "bounds" || name == "disturbances") {
        read_section(file.settings, key, node);
    } else if (name == "expect") {
        file.expectations = expectations(key, node);
    } else if (name == "laws" || name == "witnesses") {
        const Layer entries = list(key, node);
        file.settings.insert(file.settings.end(), entries.begin(), entries.end());
    } else if (std::ranges::find(keys, name) != std::end(keys)) {
        file.settings.push_back(scalar(std::string(name), key, node));
    } else {
        fail(key.source(), fmt::format("unknown key \"{}\"{}", shortened(name),
                                       expected_names(name, keys, "ringfence list keys")));
    }
}

void Reader::check_expectations(const toml::table& expect, const Resolved& asked) const {
    const auto is_in = [](const std::vector<std::string>& names, std::string_view name) {
        return std::ranges::find(names, name) != names.end();
    };
    for (const auto& [name, value] : expect) {
        if (name.str() == "states") { continue; }
        if (name.str() != "never") {
            if (asked.laws.empty() || is_in(asked.laws, name.str())) { continue; }
            fail(name.source(),
                 fmt::format("something is expected of \"{}\", which is not checked, "
                             "expected it among \"laws\" too",
                             name.str()));
        }
        for (const Setting& witness : list(name, value)) {
            if (!is_in(asked.witnesses, witness.value)) { continue; }
            throw ConfigurationError(
                fmt::format("{}: \"{}\" is both among \"witnesses\" and in \"never\", expected it "
                            "in one of them",
                            witness.where, witness.value));
        }
    }
}

toml::table Reader::parsed(std::string_view text) const {
    try {
        return toml::parse(text, path_);
    } catch (const toml::parse_error& error) {
        fail(error.source(), std::string(error.description()));
    }
}

ScenarioFile Reader::read(std::string_view text) const {
    ScenarioFile file{.path = path_};
    const toml::table root = parsed(text);
    for (const auto& [key, node] : root) { read_key(file, key, node); }
    if (file.name.empty()) {
        throw ConfigurationError(fmt::format(
            "{}:1:1: the scenario has no name, expected name = \"...\" at the top", path_));
    }
    // Names are checked now, whatever comes on top: a wrong one is wrong in any case. Rules that
    // Kafka refuses may still be forced.
    const Layer forced = {{.key = "force", .value = "true", .where = {}}};
    const std::array layers = {file.settings, forced};
    const Resolved asked = resolve(layers, known_);
    if (file.expectations) { check_expectations(*root["expect"].as_table(), asked); }
    return file;
}

void drop_other_laws(Expectations& expectations, const std::vector<std::string>& laws) {
    if (laws.empty()) { return; }
    std::erase_if(expectations.laws, [&laws](const Expectation& expectation) {
        return std::ranges::find(laws, expectation.law) == laws.end();
    });
}

// A flag may not ask for a step that the file expects never to be met.
void refuse_never(const Expectations& expectations, std::string_view path,
                  std::span<const Layer> layers) {
    for (const Layer& layer : layers) {
        for (const Setting& setting : layer) {
            if (setting.key != "witnesses") { continue; }
            if (std::ranges::find(expectations.never, setting.value) == expectations.never.end()) {
                continue;
            }
            throw ConfigurationError(
                fmt::format("{}: \"{}\" must never be met, says \"never\" in {}; expected another "
                            "witness",
                            setting.where, setting.value, path));
        }
    }
}

}  // namespace

std::string_view name_of(ExpectedVerdict verdict) {
    return verdicts[static_cast<std::size_t>(verdict)];
}

ScenarioFile read_scenario(std::string_view text, std::string_view path, const KnownNames& known) {
    return Reader(path, known).read(text);
}

Scenario scenario_of(const ScenarioFile& file, std::span<const Layer> layers,
                     const KnownNames& known, bool keeps_expectations) {
    std::vector<Layer> all = {file.settings};
    all.insert(all.end(), layers.begin(), layers.end());
    Scenario scenario{.path = file.path,
                      .name = file.name,
                      .what = file.what,
                      .source = file.source,
                      .asked = resolve(all, known),
                      .expectations = file.expectations};
    refuse_impossible(all, known, file.path);

    const std::array as_written = {file.settings,
                                   Layer{{.key = "force", .value = "true", .where = {}}}};
    const Resolved written = resolve(as_written, known);
    scenario.settings = std::move(all);
    if (!keeps_expectations && !scenario.asked.asks_as(written)) {
        scenario.expectations.reset();
        scenario.requires_witnesses = std::ranges::any_of(
            layers, [](const Layer& layer) { return find_setting(layer, "witnesses") != nullptr; });
    }
    if (scenario.expectations) {
        drop_other_laws(*scenario.expectations, scenario.asked.laws);
        if (scenario.asked.laws != written.laws) { scenario.expectations->states.reset(); }
        refuse_never(*scenario.expectations, scenario.path, layers);
    }
    return scenario;
}

}  // namespace ringfence::model
