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

    friend bool operator==(const Setting&, const Setting&) = default;
};

using Layer = std::vector<Setting>;

// What the names in settings may be, where that is not for model/ to say.
struct KnownNames {
    std::vector<std::string_view> laws;
    std::vector<std::string_view> witnesses;
};

struct Resolved {
    std::string scheme;  // the named rule set that `rules` started from; empty for Kafka releases
    bool is_default_scheme = false;  // nobody named it
    std::string broker;              // releases, or empty
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

// Throws ConfigurationError if Kafka has no such rules and they are not forced. Blames the setting
// that makes the difference, or else `where`. Apart from resolve(), since a layer still to come may
// force them.
void refuse_impossible(std::span<const Layer> layers, const KnownNames& known,
                       std::string_view where);

// The place to blame for settings that do not fit together: that of the last setting without which
// `is_refused` says no more; else `otherwise`.
template <class IsRefused>  // of a span of layers
[[nodiscard]] std::string place_to_blame(std::span<const Layer> layers, std::string_view otherwise,
                                         const IsRefused& is_refused) {
    std::vector<Layer> rest(layers.begin(), layers.end());
    for (std::size_t i = rest.size(); i-- > 0;) {
        for (std::size_t j = rest[i].size(); j-- > 0;) {
            const auto place = rest[i].begin() + static_cast<std::ptrdiff_t>(j);
            const Setting removed = *place;
            rest[i].erase(place);
            if (!removed.where.empty() && !is_refused(std::span<const Layer>(rest))) {
                return removed.where;
            }
            rest[i].insert(rest[i].begin() + static_cast<std::ptrdiff_t>(j), removed);
        }
    }
    return std::string(otherwise);
}

// Name of the value that a rule has.
[[nodiscard]] std::string_view value_of(const RuleEntry& rule, const Rules& rules);

// "unlimited" or the number.
[[nodiscard]] std::string budget_text(std::uint8_t budget);

}  // namespace ringfence::model
