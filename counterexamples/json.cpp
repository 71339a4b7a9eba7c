#include "counterexamples/json.hpp"

#include <nlohmann/json.hpp>

namespace ringfence::counterexamples {

namespace {

using Json = nlohmann::ordered_json;

// Numbers as numbers, so that other programs need not parse them again.
Json value_of(const std::string& text) {
    const bool is_number = !text.empty() && text.size() <= 9 &&
                           text.find_first_not_of("0123456789") == std::string::npos &&
                           (text.size() == 1 || text.front() != '0');
    if (is_number) { return std::stoi(text); }
    return text;
}

Json object_of(const std::vector<Setting>& settings, bool has_numbers) {
    Json object = Json::object();
    for (const Setting& setting : settings) {
        object[setting.name] = has_numbers ? value_of(setting.value) : Json(setting.value);
    }
    return object;
}

Json object_of(const std::vector<Variable>& variables) {
    Json object = Json::object();
    for (const Variable& variable : variables) {
        object[variable.actor][variable.name] = variable.value;
    }
    return object;
}

Json object_of(const std::vector<Change>& changes) {
    Json object = Json::object();
    for (const Change& change : changes) {
        object[change.actor][change.name] = Json::array({change.before, change.after});
    }
    return object;
}

void add_header(Json& json, const Header& header) {
    json["program"] = header.program;
    json["program_version"] = header.version;
    json["scenario"] = header.scenario;
    json["source"] = header.source;
    json["scheme"] = header.scheme;
    json["rules"] = object_of(header.rules, false);
    json["rules_unlike_v2"] = Json::array();
    for (const Setting& rule : header.rules) {
        if (!rule.is_usual) { json["rules_unlike_v2"].push_back(rule.name); }
    }
    json["bounds"] = object_of(header.bounds, true);
    json["disturbances"] = object_of(header.disturbances, true);
    json["law"] = {{"name", header.law.name},
                   {"sentence", header.law.sentence},
                   {"source", header.law.source}};
}

Json json_of_step(const Step& step, const Situation& before) {
    Json json;
    json["number"] = step.number;
    json["action"] = step.action;
    json["actor"] = step.actor;
    json["verb"] = step.verb;
    json["target"] = step.target;
    json["arguments"] = Json::array();
    for (const auto& [name, value] : step.arguments) {
        json["arguments"].push_back(Json::array({name, value}));
    }
    json["answer"] = step.answer;
    json["reason"] = step.reason;
    json["changes"] = object_of(changes_between(before.variables, step.after.variables));
    json["column_changes"] = object_of(changes_between(before.columns, step.after.columns));
    return json;
}

}  // namespace

Json json_of(const Document& document) {
    Json json;
    json["format"] = trace_format;
    json["version"] = trace_version;
    add_header(json, document.header);
    json["length"] = document.steps.size();
    json["initial_state"] = document.initial_state;
    json["initial"]["variables"] = object_of(document.initial.variables);
    json["initial"]["columns"] = object_of(document.initial.columns);
    json["steps"] = Json::array();
    for (std::size_t i = 0; i < document.steps.size(); ++i) {
        json["steps"].push_back(json_of_step(document.steps[i], situation_before(document, i)));
    }
    json["explanation"] = document.explanation;
    return json;
}

std::string json_text_of(const Document& document) {
    // A file name need not be UTF-8, and must not keep the trace from being told.
    return json_of(document).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ringfence::counterexamples
