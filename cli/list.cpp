// `ringfence list`: every name that scenarios, flags and reports may use. It is the authority on
// them, since it shows the catalogues themselves.
#include "cli/output.hpp"
#include "cli/scenarios.hpp"
#include "cli/settings_json.hpp"
#include "cli/verbs.hpp"
#include "counterexamples/layout.hpp"
#include "model/nearest_name.hpp"
#include "properties/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringfence::cli {

namespace {

using nlohmann::ordered_json;

// A catalogue as JSON: a list of objects with "name", mostly "what", and more.
struct Topic {
    std::string_view name;
    ordered_json (*entries)();
};

ordered_json entry(std::string_view name, std::string_view what) {
    ordered_json json;
    json["name"] = name;
    if (!what.empty()) { json["what"] = what; }
    return json;
}

ordered_json scenarios() {
    ordered_json json = ordered_json::array();
    for (const model::ScenarioFile& file : shipped_scenarios()) {
        json.push_back(entry(file.name, file.what));
        json.back()["source"] = file.source;
        json.back()["file"] = file.path;
    }
    return json;
}

ordered_json schemes() {
    ordered_json json = ordered_json::array();
    for (const model::Scheme& scheme : model::scheme_catalogue()) {
        json.push_back(entry(scheme.name, scheme.what));
        json.back()["rules"] = rules_json(scheme.rules);
    }
    return json;
}

ordered_json rules() {
    ordered_json json = ordered_json::array();
    for (const model::RuleEntry& rule : model::rule_catalogue()) {
        json.push_back(entry(rule.name, rule.what));
        json.back()["source"] = rule.source;
        json.back()["values"] = std::vector<std::string>(rule.values.begin(), rule.values.end());
        json.back()["default"] = model::value_of(rule, model::Rules{});
    }
    return json;
}

ordered_json bounds() {
    ordered_json json = ordered_json::array();
    for (const model::BoundEntry& bound : model::bound_catalogue()) {
        json.push_back(entry(bound.name, bound.what));
        json.back()["min"] = bound.min;
        json.back()["max"] = bound.max;
        json.back()["default"] = model::Bounds{}.*bound.member;
    }
    return json;
}

ordered_json disturbances() {
    const ordered_json usual = disturbances_json({});
    ordered_json json = ordered_json::array();
    for (const model::DisturbanceEntry& disturbance : model::disturbance_catalogue()) {
        json.push_back(entry(disturbance.name, disturbance.what));
        json.back()["default"] = usual[std::string(disturbance.name)];
    }
    return json;
}

constexpr std::string_view name_of(checker::PropertyKind kind) {
    switch (kind) {
        case checker::PropertyKind::state: return "state";
        case checker::PropertyKind::step: return "step";
        case checker::PropertyKind::deadlock: return "deadlock";
    }
    return {};
}

ordered_json laws() {
    ordered_json json = ordered_json::array();
    for (const properties::Law& law : properties::laws()) {
        json.push_back(entry(law.name, law.sentence));
        json.back()["source"] = law.source;
        json.back()["kind"] = name_of(law.kind);
    }
    return json;
}

ordered_json witnesses() {
    ordered_json json = ordered_json::array();
    for (const properties::Witness& witness : properties::witnesses()) {
        json.push_back(entry(witness.name, witness.sentence));
    }
    return json;
}

template <class Name>
ordered_json names(const std::vector<Name>& all) {
    ordered_json json = ordered_json::array();
    for (const Name& name : all) { json.push_back(entry(name, {})); }
    return json;
}

ordered_json actions() { return names(model::KafkaModel::verb_names()); }
ordered_json answers() { return names(model::KafkaModel::result_names()); }
ordered_json bounds_cut() { return names(model::KafkaModel::cut_names()); }

ordered_json releases() {
    const auto catalogue = model::release_catalogue();
    return names(std::vector<std::string_view>(catalogue.begin(), catalogue.end()));
}

ordered_json formats() {
    return ordered_json::array(
        {entry("text", "traces for a terminal"),
         entry("json", "traces to be saved and replayed (ringfence.trace)")});
}

ordered_json keys() {
    return ordered_json::array(
        {entry("name", "what the scenario is called on the command line"),
         entry("what", "what it is about, in one line"), entry("source", "where it comes from"),
         entry("scheme", "the named rule set that the rules start from"),
         entry("kafka", "the Kafka release that they start from: broker and client"),
         entry("broker", "the broker's release"), entry("client", "the client's release"),
         entry("transaction_version",
               "1 or 2: the cluster's, where it is not the newest that both releases have"),
         entry("guarantee", "processing.guarantee"),
         entry("force", "true: checks what Kafka refuses"),
         entry("laws", "the laws to check; all of them where absent"),
         entry("witnesses", "steps that must be reached"), entry("rules", "single rules on top"),
         entry("bounds", "how large the cluster is"),
         entry("disturbances", "how often each disturbance may strike"),
         entry("expect", "states, never, and a table with verdict and steps for each law")});
}

constexpr Topic topics[] = {{"scenarios", scenarios},
                            {"schemes", schemes},
                            {"rules", rules},
                            {"bounds", bounds},
                            {"disturbances", disturbances},
                            {"laws", laws},
                            {"witnesses", witnesses},
                            {"actions", actions},
                            {"answers", answers},
                            {"bounds_cut", bounds_cut},
                            {"releases", releases},
                            {"formats", formats},
                            {"keys", keys}};

void append_text(std::string& text, std::string_view topic, const ordered_json& entries) {
    text += fmt::format("{}\n", topic);
    for (const ordered_json& entry : entries) {
        std::string words = entry.value("what", "");
        if (entry.contains("values")) {
            const auto values = entry["values"].get<std::vector<std::string>>();
            words += fmt::format(" ({})", fmt::join(values, ", "));
        }
        if (entry.contains("default")) {
            const ordered_json& usual = entry["default"];
            words += " default " + (usual.is_string() ? usual.get<std::string>() : usual.dump());
        }
        const std::string name = entry["name"].get<std::string>();
        text +=
            counterexamples::wrapped("  " + counterexamples::padded(name + "  ", 32), words, 34);
    }
    text += "\n";
}

std::vector<Topic> chosen_topics(const std::string& name) {
    std::vector<Topic> chosen;
    std::vector<std::string_view> known;
    for (const Topic& topic : topics) {
        known.push_back(topic.name);
        if (name.empty() || topic.name == name) { chosen.push_back(topic); }
    }
    if (chosen.empty()) {
        throw model::ConfigurationError(
            fmt::format("command line: unknown topic \"{}\"{}", name,
                        model::expected_names(name, known, "ringfence list --help")));
    }
    return chosen;
}

}  // namespace

Conclusion list(const ListOptions& options) {
    ordered_json json;
    json["format"] = "ringfence.list";
    json["version"] = 1;
    std::string text;
    for (const Topic& topic : chosen_topics(options.topic)) {
        const ordered_json entries = topic.entries();
        append_text(text, topic.name, entries);
        json[std::string(topic.name)] = entries;
    }
    print_result(options.output.is_json ? document_text(json) : text);
    return {};
}

}  // namespace ringfence::cli
