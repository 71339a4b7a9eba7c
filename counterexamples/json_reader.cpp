// The way back from JSON to the document, refusing what it does not understand.
#include "counterexamples/json.hpp"

#include "counterexamples/layout.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace ringfence::counterexamples {

namespace {

using Json = nlohmann::ordered_json;

// A name or value from the file as a message shows it.
std::string shown(std::string_view text) {
    constexpr std::size_t bytes_max = 60;
    return shortened(text, bytes_max);
}

// A key as a part of a JSON pointer.
std::string escaped(const std::string& key) {
    std::string result;
    for (const char letter : key) {
        if (letter == '~') {
            result += "~0";
        } else if (letter == '/') {
            result += "~1";
        } else {
            result += letter;
        }
    }
    return result;
}

// A value and the way to it.
class Node {
  public:
    explicit Node(const Json& json) : json_(&json) {}

    [[noreturn]] void refuse(const std::string& what) const {
        throw SchemaError(pointer_, (path_.empty() ? "the document" : path_) + ": " + what);
    }

    [[noreturn]] void refuse_kind(const std::string& expected) const {
        const bool is_short = json_->is_number() || json_->is_boolean() || json_->is_null();
        refuse("expected " + expected + ", found " +
               (is_short ? json_->dump() : json_->type_name()));
    }

    void must_be(Json::value_t type, const char* expected) const {
        if (json_->type() != type) { refuse_kind(expected); }
    }

    // An object with exactly these keys.
    void must_have_only(std::initializer_list<std::string_view> keys) const {
        must_be(Json::value_t::object, "an object");
        for (const auto& [key, value] : json_->items()) {
            if (std::ranges::find(keys, key) == keys.end()) { at(key).refuse("unknown key"); }
        }
        for (const std::string_view key : keys) {
            if (!has(key)) { refuse("key \"" + std::string(key) + "\" is missing"); }
        }
    }

    [[nodiscard]] bool has(std::string_view key) const { return json_->contains(std::string(key)); }

    [[nodiscard]] Node at(const std::string& key) const {
        const bool is_plain = key.find_first_of(" .[]\"") == std::string::npos && !key.empty();
        std::string path = path_;
        if (is_plain) {
            path += (path.empty() ? "" : ".") + shown(key);
        } else {
            path += "[\"" + shown(key) + "\"]";
        }
        return {json_->at(key), pointer_ + "/" + escaped(key), path};
    }

    [[nodiscard]] Node at(std::size_t index) const {
        const std::string number = std::to_string(index);
        return {json_->at(index), pointer_ + "/" + number, path_ + "[" + number + "]"};
    }

    [[nodiscard]] std::size_t size() const { return json_->size(); }

    [[nodiscard]] std::string string() const {
        must_be(Json::value_t::string, "a string");
        return json_->get<std::string>();
    }

    [[nodiscard]] std::string string(const std::string& key) const { return at(key).string(); }

    [[nodiscard]] std::size_t count() const {
        if (!is_count()) { refuse_kind("a number from 0"); }
        return json_->get<std::size_t>();
    }

    // Calls visit(key, node) for every member of an object, in order.
    template <class Visit>
    void for_each(const Visit& visit) const {
        must_be(Json::value_t::object, "an object");
        for (const auto& [key, value] : json_->items()) { visit(key, at(key)); }
    }

    // Calls visit(index, node) for every element of an array.
    template <class Visit>
    void for_each_element(const Visit& visit) const {
        must_be(Json::value_t::array, "an array");
        for (std::size_t i = 0; i < size(); ++i) { visit(i, at(i)); }
    }

    [[nodiscard]] std::pair<std::string, std::string> pair() const {
        must_be(Json::value_t::array, "a pair of strings");
        if (size() != 2) { refuse("expected a pair of strings, found " + shown(json_->dump())); }
        return {at(0).string(), at(1).string()};
    }

    [[nodiscard]] bool is_count() const {
        return json_->is_number_unsigned() ||
               (json_->is_number_integer() && json_->get<std::int64_t>() >= 0);
    }

    [[nodiscard]] std::string string_or_count(const std::string& expected) const {
        if (json_->is_string()) { return string(); }
        if (!is_count()) { refuse_kind(expected); }
        return std::to_string(count());
    }

  private:
    Node(const Json& json, std::string pointer, std::string path)
        : json_(&json), pointer_(std::move(pointer)), path_(std::move(path)) {}

    const Json* json_;
    std::string pointer_;
    std::string path_;
};

// Before anything else, so that a file of another kind or time is called just that.
void check_format(const Node& root) {
    root.must_be(Json::value_t::object, "an object");
    if (!root.has("format")) { root.refuse("key \"format\" is missing: this is no saved trace"); }
    const std::string format = root.string("format");
    if (format != trace_format) {
        root.at("format").refuse("expected \"" + std::string(trace_format) + "\", found \"" +
                                 shown(format) + "\"");
    }
    if (!root.has("version")) { root.refuse("key \"version\" is missing"); }
    const std::size_t version = root.at("version").count();
    if (version != trace_version) {
        root.at("version").refuse("expected version " + std::to_string(trace_version) +
                                  ", found version " + std::to_string(version) +
                                  "; replay it with the release that wrote it");
    }
}

std::vector<Setting> settings_of(const Node& node, const std::string& expected) {
    std::vector<Setting> settings;
    node.for_each([&](const std::string& name, const Node& value) {
        settings.push_back({.name = name, .value = value.string_or_count(expected)});
    });
    return settings;
}

void mark_unusual(const Node& names, std::vector<Setting>& rules) {
    names.for_each_element([&](std::size_t, const Node& node) {
        const auto rule = std::ranges::find(rules, node.string(), &Setting::name);
        if (rule == rules.end()) {
            node.refuse("\"" + shown(node.string()) + "\" is not among the rules");
        }
        rule->is_usual = false;
    });
}

Header header_of(const Node& root) {
    Header header{
        .program = root.string("program"),
        .version = root.string("program_version"),
        .scenario = root.string("scenario"),
        .source = root.string("source"),
        .scheme = root.string("scheme"),
        .rules = settings_of(root.at("rules"), "a rule value (a string)"),
        .bounds = settings_of(root.at("bounds"), "a number from 0"),
        .disturbances = settings_of(root.at("disturbances"), "a number from 0 or \"unlimited\""),
        .law = {}};
    mark_unusual(root.at("rules_unlike_v2"), header.rules);
    const Node law = root.at("law");
    law.must_have_only({"name", "sentence", "source"});
    header.law = {law.string("name"), law.string("sentence"), law.string("source")};
    return header;
}

std::vector<Variable> variables_of(const Node& node) {
    std::vector<Variable> variables;
    node.for_each([&](const std::string& actor, const Node& names) {
        names.for_each([&](const std::string& name, const Node& value) {
            variables.push_back({actor, name, value.string()});
        });
    });
    return variables;
}

void apply_changes(const Node& node, std::vector<Variable>& variables) {
    node.for_each([&](const std::string& actor, const Node& names) {
        names.for_each([&](const std::string& name, const Node& change) {
            const auto variable = std::ranges::find_if(variables, [&](const Variable& candidate) {
                return candidate.actor == actor && candidate.name == name;
            });
            if (variable == variables.end()) { change.refuse("no such variable in \"initial\""); }
            const auto [before, after] = change.pair();
            if (before != variable->value) {
                change.at(0).refuse("expected \"" + variable->value +
                                    "\", the value after the step before, found \"" +
                                    shown(before) + "\"");
            }
            variable->value = after;
        });
    });
}

Step step_of(const Node& node, std::size_t number, const Situation& before) {
    node.must_have_only({"number", "action", "actor", "verb", "target", "arguments", "answer",
                         "reason", "changes", "column_changes"});
    if (node.at("number").count() != number) {
        node.at("number").refuse("expected " + std::to_string(number) + ", found " +
                                 std::to_string(node.at("number").count()));
    }
    Step step{.number = number,
              .action = node.string("action"),
              .actor = node.string("actor"),
              .verb = node.string("verb"),
              .target = node.string("target"),
              .arguments = {},
              .answer = node.string("answer"),
              .reason = node.string("reason"),
              .after = before};
    node.at("arguments").for_each_element([&](std::size_t, const Node& argument) {
        step.arguments.push_back(argument.pair());
    });
    apply_changes(node.at("changes"), step.after.variables);
    apply_changes(node.at("column_changes"), step.after.columns);
    return step;
}

}  // namespace

Document document_of(const Json& json) {
    const Node root(json);
    check_format(root);
    root.must_have_only({"format", "version", "program", "program_version", "scenario", "source",
                         "scheme", "rules", "rules_unlike_v2", "bounds", "disturbances", "law",
                         "length", "initial_state", "initial", "steps", "explanation"});
    const Node initial = root.at("initial");
    initial.must_have_only({"variables", "columns"});
    Document document{.header = header_of(root),
                      .initial_state = root.at("initial_state").count(),
                      .initial = {.variables = variables_of(initial.at("variables")),
                                  .columns = variables_of(initial.at("columns"))},
                      .steps = {},
                      .explanation = root.string("explanation")};
    root.at("steps").for_each_element([&](std::size_t index, const Node& node) {
        const Situation before = situation_before(document, index);
        document.steps.push_back(step_of(node, index + 1, before));
    });
    const Node length = root.at("length");
    if (length.count() != document.steps.size()) {
        length.refuse("expected " + std::to_string(document.steps.size()) +
                      ", the number of steps, found " + std::to_string(length.count()));
    }
    return document;
}

}  // namespace ringfence::counterexamples
