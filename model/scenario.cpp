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
             fmt::format("\"{}\" has the wrong type, expected {}", key.str(), expected));
    }

    [[nodiscard]] const toml::table& table(const toml::key& key, const toml::node& node) const;
    [[nodiscard]] std::string text(const toml::key& key, const toml::node& node) const;
    [[nodiscard]] std::int64_t count(const toml::key& key, const toml::node& node) const;
    // A string, a whole number or a truth value, as it would stand on the command line.
    [[nodiscard]] Setting scalar(std::string key, const toml::key& name,
                                 const toml::node& node) const;
    [[nodiscard]] Layer list(const toml::key& key, const toml::node& node) const;

    void read_section(Layer& settings, const toml::key& key, const toml::node& node) const;
    [[nodiscard]] Expectations expectations(const toml::key& key, const toml::node& node) const;
    [[nodiscard]] Expectation expectation(const toml::key& key, const toml::node& node) const;
    void read_key(ScenarioFile& file, const toml::key& key, const toml::node& node) const;

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

std::int64_t Reader::count(const toml::key& key, const toml::node& node) const {
    const auto* found = node.as_integer();
    if (found == nullptr || found->get() < 0) { fail_type(key, node, "a whole number from 0"); }
    return found->get();
}

Setting Reader::scalar(std::string key, const toml::key& name, const toml::node& node) const {
    Setting setting{.key = std::move(key), .value = {}, .where = place(node.source())};
    if (const auto* string = node.as_string()) {
        setting.value = string->get();
    } else if (const auto* integer = node.as_integer()) {
        setting.value = std::to_string(integer->get());
    } else if (const auto* boolean = node.as_boolean()) {
        setting.value = boolean->get() ? "true" : "false";
    } else {
        fail_type(name, node, "a string, a whole number or a truth value");
    }
    return setting;
}

Layer Reader::list(const toml::key& key, const toml::node& node) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) { fail_type(key, node, "a list of strings"); }
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
        // A name that nobody knows is to blame on the name, a wrong value on the value.
        Setting setting = scalar(fmt::format("{}.{}", key.str(), name.str()), name, value);
        const auto is_named = [&](const auto& entry) { return entry.name == name.str(); };
        const bool is_known = std::ranges::any_of(rule_catalogue(), is_named) ||
                              std::ranges::any_of(bound_catalogue(), is_named) ||
                              std::ranges::any_of(disturbance_catalogue(), is_named);
        if (!is_known) { setting.where = place(name.source()); }
        settings.push_back(std::move(setting));
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
                fail(value.source(), fmt::format("unknown verdict \"{}\"{}", verdict,
                                                 expected_names(verdict, verdicts)));
            }
            expectation.verdict = static_cast<ExpectedVerdict>(found - verdicts.begin());
            has_verdict = true;
        } else if (name.str() == "steps") {
            expectation.steps = static_cast<std::uint32_t>(std::min<std::int64_t>(
                count(name, value), std::numeric_limits<std::uint32_t>::max()));
        } else {
            fail(name.source(), fmt::format("unknown key \"{}\" of an expectation{}", name.str(),
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
            expectations.states = static_cast<std::uint64_t>(count(name, value));
        } else if (name.str() == "never") {
            for (const Setting& witness : list(name, value)) {
                if (std::ranges::find(known_.witnesses, witness.value) == known_.witnesses.end()) {
                    throw ConfigurationError(
                        fmt::format("{}: unknown witness \"{}\"{}", witness.where, witness.value,
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
                     fmt::format("unknown law \"{}\" in [expect]{}", name.str(),
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
        file.name = text(key, node);
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
        fail(key.source(), fmt::format("unknown key \"{}\"{}", name,
                                       expected_names(name, keys, "ringfence list keys")));
    }
}

ScenarioFile Reader::read(std::string_view text) const {
    ScenarioFile file{.path = path_};
    try {
        const toml::table root = toml::parse(text, path_);
        for (const auto& [key, node] : root) { read_key(file, key, node); }
    } catch (const toml::parse_error& error) {
        fail(error.source(), fmt::format("{}, expected TOML", error.description()));
    }
    if (file.name.empty()) {
        throw ConfigurationError(fmt::format(
            "{}:1:1: the scenario has no name, expected name = \"...\" at the top", path_));
    }
    // Names are checked now, whatever comes on top: a wrong one is wrong in any case. Rules that
    // Kafka refuses may still be forced.
    const Layer forced = {{.key = "force", .value = "true", .where = {}}};
    const std::array layers = {file.settings, forced};
    static_cast<void>(resolve(layers, known_));
    return file;
}

void drop_other_laws(Expectations& expectations, const std::vector<std::string>& laws) {
    if (laws.empty()) { return; }
    std::erase_if(expectations.laws, [&laws](const Expectation& expectation) {
        return std::ranges::find(laws, expectation.law) == laws.end();
    });
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
    refuse_impossible(scenario.asked, file.path);

    const std::array as_written = {file.settings,
                                   Layer{{.key = "force", .value = "true", .where = {}}}};
    const Resolved written = resolve(as_written, known);
    if (!keeps_expectations && !scenario.asked.asks_as(written)) {
        scenario.expectations.reset();
        scenario.requires_witnesses = std::ranges::any_of(
            layers, [](const Layer& layer) { return find_setting(layer, "witnesses") != nullptr; });
    }
    if (scenario.expectations) {
        drop_other_laws(*scenario.expectations, scenario.asked.laws);
        if (scenario.asked.laws != written.laws) { scenario.expectations->states.reset(); }
    }
    return scenario;
}

}  // namespace ringfence::model
