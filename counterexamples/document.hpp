// The story of a trace as a neutral tree: plain strings in the order in which they are told.
//
// Every format is a function from this tree to a string, and none of them knows what was checked:
// a model's words are put in once, by from_trace.hpp. The tree holds the whole situation after
// each step, because some formats want all variables in every state; what a step changed is
// derived from two situations and never kept twice.
//
//   Document -- header       all that is needed to repeat the run, and the law that fell
//            -- initial      the situation before the first step
//            -- steps -- 1   who did what to whom, the answer and its reason, the situation after
//                     -- 2   ...
//            -- explanation  what the law says about the end
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringfence::counterexamples {

// A variable belongs to one actor; (actor, name) is unique within a situation, and the variables
// of one actor stand together.
struct Variable {
    std::string actor;
    std::string name;
    std::string value;

    friend bool operator==(const Variable&, const Variable&) = default;
};

struct Situation {
    std::vector<Variable> variables;  // the same ones, in the same order, in every situation
    std::vector<Variable> columns;    // computed from them: what no single actor knows

    friend bool operator==(const Situation&, const Situation&) = default;
};

// The answer of a step that succeeded; any other answer is an error's name, or empty where nobody
// was asked (a crash has no answer).
inline constexpr std::string_view success = "success";

struct Step {
    std::size_t number = 0;  // from 1
    std::string action;      // encoded, so that the trace can be replayed
    std::string actor;
    std::string verb;
    std::string target;  // may be empty: what an actor does by itself
    std::vector<std::pair<std::string, std::string>> arguments;
    std::string answer;
    std::string reason;  // one line: which check passed or refused
    Situation after;

    friend bool operator==(const Step&, const Step&) = default;
};

// A rule, a bound or a budget. A rule is usual where v2 has the same value; the text names only the
// others. Bounds and budgets are always told.
struct Setting {
    std::string name;
    std::string value;
    bool is_usual = true;

    friend bool operator==(const Setting&, const Setting&) = default;
};

struct Law {
    std::string name;
    std::string sentence;
    std::string source;

    friend bool operator==(const Law&, const Law&) = default;
};

struct Header {
    std::string program;
    std::string version;
    std::string scenario;  // its name, or the file it was read from
    std::string source;    // where the scenario comes from
    std::string scheme;    // the named rule set that `rules` started from, if any
    std::vector<Setting> rules{};
    std::vector<Setting> bounds{};
    std::vector<Setting> disturbances{};
    Law law{};  // from_trace() fills it in

    friend bool operator==(const Header&, const Header&) = default;
};

struct Document {
    Header header;
    std::size_t initial_state = 0;  // which of the model's initial states, from 0
    Situation initial;
    std::vector<Step> steps;
    std::string explanation;

    friend bool operator==(const Document&, const Document&) = default;
};

struct Change {
    std::string actor;
    std::string name;
    std::string before;
    std::string after;

    friend bool operator==(const Change&, const Change&) = default;
};

// What differs, in the order of the variables. Both lists name the same variables in the same
// order: throws std::logic_error if not, since a variable that comes and goes cannot be compared.
[[nodiscard]] std::vector<Change> changes_between(const std::vector<Variable>& before,
                                                  const std::vector<Variable>& after);

// The situation before step `index` (from 0).
[[nodiscard]] const Situation& situation_before(const Document& document, std::size_t index);

}  // namespace ringfence::counterexamples
