// What a person set, where, and which rules, bounds and budgets come of it.
//
// A scenario file, the environment and the command line are *layers* of the same kind: lists of
// named values, each with the place it was written at. Layers are put on top of one another, and
// the later one wins, name by name; but for the base (a scheme, or Kafka releases), the laws and
// the witnesses, where the last layer that gives any replaces them as a whole.
#pragma once

#include "model/bounds.hpp"
#include "model/rules.hpp"

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ringfence::model {

// Something a person wrote is wrong. what() is one line: "place: what is wrong, what was expected,
// nearest is NAME".
struct ConfigurationError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Setting {
    // "scheme", "kafka", "broker", "client", "transaction_version", "guarantee", "force",
    // "laws", "witnesses", "rules.NAME", "bounds.NAME" or "disturbances.NAME"
    std::string key;
    std::string value;
    std::string where;  // "file:line:column", "--flag" or "RINGFENCE_NAME"
};

using Layer = std::vector<Setting>;

// What the names in settings may be, where that is not for model/ to say.
struct KnownNames {
    std::vector<std::string_view> laws;
    std::vector<std::string_view> witnesses;
};

struct Resolved {
    std::string scheme;  // the named rule set that `rules` started from; empty for Kafka releases
    std::string broker;  // releases, or empty
    std::string client;
    Rules rules;
    Bounds bounds;
    Disturbances disturbances;
    std::vector<std::string> laws;       // empty: all of them
    std::vector<std::string> witnesses;  // that must be reached
    bool is_forced = false;              // checks what Kafka refuses

    // The same question: the same answer is expected.
    [[nodiscard]] bool asks_as(const Resolved& other) const {
        return rules == other.rules && bounds == other.bounds && disturbances == other.disturbances;
    }
};

// The last setting of that key in a layer; null if there is none.
[[nodiscard]] const Setting* find_setting(const Layer& layer, std::string_view key);

// Throws ConfigurationError.
[[nodiscard]] Resolved resolve(std::span<const Layer> layers, const KnownNames& known);

// Throws ConfigurationError if Kafka has no such rules and they are not forced. `where` is the
// place to blame. Apart from resolve(), since a layer still to come may force them.
void refuse_impossible(const Resolved& resolved, std::string_view where);

// Name of the value that a rule has.
[[nodiscard]] std::string_view value_of(const RuleEntry& rule, const Rules& rules);

// "unlimited" or the number.
[[nodiscard]] std::string budget_text(std::uint8_t budget);

}  // namespace ringfence::model
