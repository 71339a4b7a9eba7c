#include "model/settings.hpp"

#include "model/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace ringfence::model {

namespace {

// What the rules start from where nobody says; the name of Rules{}.
constexpr std::string_view scheme_by_default = "v2";

constexpr std::string_view can_be_forced = " (force = true or --force checks it all the same)";

template <class Entry>
std::vector<std::string_view> names_of(std::span<const Entry> catalogue) {
    std::vector<std::string_view> names;
    for (const Entry& entry : catalogue) { names.push_back(entry.name); }
    return names;
}

[[noreturn]] void fail(const Setting& setting, const std::string& what) {
    throw ConfigurationError(fmt::format("{}: {}", setting.where, what));
}

// The entry of that name; else a line that says what there is, or that it is still to come.
template <class Entry>
const Entry& entry_of(std::string_view kind, std::string_view name, const Setting& setting,
                      std::span<const Entry> catalogue,
                      std::span<const std::string_view> not_built = {}) {
    const auto found = std::ranges::find(catalogue, name, &Entry::name);
    if (found != catalogue.end()) { return *found; }
    if (std::ranges::find(not_built, name) != not_built.end()) {
        fail(setting, fmt::format("{} \"{}\" is not built yet and never approximated", kind, name));
    }
    const std::string listed_by = fmt::format("ringfence list {}s", kind);
    const auto names = names_of(catalogue);
    fail(setting, fmt::format("unknown {} \"{}\"{}", kind, shortened(name),
                              expected_names(name, names, listed_by)));
}

std::optional<unsigned> number_in(std::string_view text) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) { return std::nullopt; }
    return number;
}

void set_rule(Rules& rules, std::string_view name, const Setting& setting) {
    const RuleEntry& rule = entry_of("rule", name, setting, rule_catalogue(), rules_not_built());
    const auto value = std::ranges::find(rule.values, std::string_view(setting.value));
    if (value == rule.values.end()) {
        fail(setting,
             fmt::format("rule \"{}\" has no value \"{}\"{}", name, shortened(setting.value),
                         expected_names(setting.value, rule.values)));
    }
    rule.set(rules, static_cast<std::size_t>(value - rule.values.begin()));
}

void set_bound(Bounds& bounds, std::string_view name, const Setting& setting) {
    const BoundEntry& bound = entry_of("bound", name, setting, bound_catalogue());
    const auto number = number_in(setting.value);
    if (!number || *number < bound.min || *number > bound.max) {
        fail(setting, fmt::format("bound \"{}\" is \"{}\", expected a whole number from {} to {}",
                                  name, shortened(setting.value), bound.min, bound.max));
    }
    bounds.*bound.member = static_cast<std::uint8_t>(*number);
}

void set_disturbance(Disturbances& disturbances, std::string_view name, const Setting& setting) {
    const DisturbanceEntry& disturbance =
        entry_of("disturbance", name, setting, disturbance_catalogue(), disturbances_not_built());
    std::uint8_t& budget = disturbances.*disturbance.member;
    if (setting.value == "unlimited") {
        budget = Disturbances::unlimited;
        return;
    }
    const auto number = number_in(setting.value);
    if (!number || *number > Disturbances::budget_max) {
        fail(setting,
             fmt::format("disturbance \"{}\" is \"{}\", expected a whole number from 0 to {} "
                         "or \"unlimited\"",
                         name, shortened(setting.value), Disturbances::budget_max));
    }
    budget = static_cast<std::uint8_t>(*number);
}

bool truth_of(const Setting& setting) {
    static constexpr std::string_view values[] = {"true", "false"};
    if (setting.value == values[0]) { return true; }
    if (setting.value == values[1]) { return false; }
    fail(setting, fmt::format("\"{}\" is \"{}\"{}", setting.key, shortened(setting.value),
                              expected_names(setting.value, values)));
}

// What the rules start from, before single rules are put on top: a scheme or two releases.
struct Base {
    const Setting* scheme = nullptr;
    const Setting* broker = nullptr;
    const Setting* client = nullptr;
    const Setting* transaction_version = nullptr;
    const Setting* guarantee = nullptr;
};

Base base_of(std::span<const Layer> layers) {
    Base base;
    for (const Layer& layer : layers) {
        const Setting* scheme = find_setting(layer, "scheme");
        const Setting* kafka = find_setting(layer, "kafka");
        const Setting* broker = find_setting(layer, "broker");
        const Setting* client = find_setting(layer, "client");
        const Setting* release = kafka != nullptr ? kafka : broker != nullptr ? broker : client;
        if (scheme != nullptr && release != nullptr) {
            fail(*release, fmt::format("\"{}\" and \"scheme\" both say what the rules start from, "
                                       "expected one of them",
                                       release->key));
        }
        if (scheme != nullptr || release != nullptr) { base.scheme = scheme; }
        if (scheme != nullptr) { base.broker = base.client = nullptr; }
        if (kafka != nullptr) { base.broker = base.client = kafka; }
        if (broker != nullptr) { base.broker = broker; }
        if (client != nullptr) { base.client = client; }
        if (const Setting* version = find_setting(layer, "transaction_version")) {
            base.transaction_version = version;
        }
        if (const Setting* guarantee = find_setting(layer, "guarantee")) {
            base.guarantee = guarantee;
        }
    }
    return base;
}

void expect_release(const Setting& setting) {
    const auto releases = release_catalogue();
    if (std::ranges::find(releases, std::string_view(setting.value)) != releases.end()) { return; }
    fail(setting, fmt::format("unknown Kafka release \"{}\"{}", shortened(setting.value),
                              expected_names(setting.value, releases, "ringfence list releases")));
}

// A release of one side says nothing about the other: mixtures matter.
void expect_both_releases(const Base& base) {
    if (base.broker != nullptr && base.client != nullptr) { return; }
    const Setting& given = base.broker != nullptr ? *base.broker : *base.client;
    const std::string_view missing = base.broker != nullptr ? "client" : "broker";
    fail(given, fmt::format("\"{}\" is the release of one side alone, expected \"{}\" beside it, "
                            "or \"kafka\" for both",
                            given.key, missing));
}

// What is wrong with the releases, if anything: Kafka's refusal.
std::optional<std::string> refusal_of_releases(const Base& base, bool is_forced) {
    Rules rules;
    if (base.guarantee != nullptr) { set_rule(rules, "guarantee", *base.guarantee); }
    const ReleaseRules release =
        rules_of_release(base.broker->value, base.client->value, rules.guarantee);
    if (is_forced) { return {}; }
    const bool wants_version_2 =
        base.transaction_version != nullptr && base.transaction_version->value == "2";
    if (wants_version_2 && release.rules.transaction_version == TransactionVersion::one &&
        release.rules.guarantee != Guarantee::at_least_once) {
        return "transaction version 2 needs brokers and clients of 4.0 or newer (KIP-890)";
    }
    return release.refusal;
}

// The setting to blame: the last one that would not be missed, were the others all there is. A
// side without a release has that of the other.
std::string place_to_blame_for_releases(std::span<const Layer> layers, const Base& base,
                                        bool is_forced) {
    const std::string_view otherwise =
        base.guarantee != nullptr ? base.guarantee->where : base.client->where;
    return place_to_blame(layers, otherwise, [is_forced](std::span<const Layer> rest) {
        Base other = base_of(rest);
        if (other.broker == nullptr) { other.broker = other.client; }
        if (other.client == nullptr) { other.client = other.broker; }
        return other.broker != nullptr && refusal_of_releases(other, is_forced).has_value();
    });
}

void start_from_releases(Resolved& resolved, std::span<const Layer> layers, const Base& base) {
    expect_both_releases(base);
    expect_release(*base.broker);
    expect_release(*base.client);
    resolved.broker = base.broker->value;
    resolved.client = base.client->value;
    const ReleaseRules release =
        rules_of_release(resolved.broker, resolved.client, resolved.rules.guarantee);
    resolved.rules = release.rules;
    const auto refusal = refusal_of_releases(base, resolved.is_forced);
    if (!refusal) { return; }
    throw ConfigurationError(
        fmt::format("{}: {}{}", place_to_blame_for_releases(layers, base, resolved.is_forced),
                    *refusal, can_be_forced));
}

// Expects resolved.is_forced to be set.
void start_from_base(Resolved& resolved, std::span<const Layer> layers, const Base& base) {
    if (base.guarantee != nullptr) { set_rule(resolved.rules, "guarantee", *base.guarantee); }
    if (base.broker != nullptr || base.client != nullptr) {
        start_from_releases(resolved, layers, base);
        return;
    }
    resolved.scheme = scheme_by_default;
    resolved.is_default_scheme = base.scheme == nullptr;
    if (base.scheme != nullptr) {
        const Scheme& scheme =
            entry_of("scheme", base.scheme->value, *base.scheme, scheme_catalogue());
        resolved.scheme = scheme.name;
        resolved.rules = scheme.rules;
        if (base.guarantee != nullptr) { set_rule(resolved.rules, "guarantee", *base.guarantee); }
    }
}

// A feature of the cluster, which may be lower than its releases allow.
void start_from(Resolved& resolved, std::span<const Layer> layers) {
    const Base base = base_of(layers);
    start_from_base(resolved, layers, base);
    if (base.transaction_version != nullptr) {
        set_rule(resolved.rules, "transaction_version", *base.transaction_version);
    }
}

// Settings that are a single value by themselves, and the lists.
constexpr std::string_view plain_keys[] = {
    "scheme",    "kafka", "broker", "client",   "transaction_version",
    "guarantee", "force", "laws",   "witnesses"};

void put_on_top(Resolved& resolved, const Setting& setting) {
    const std::string_view key = setting.key;
    const std::size_t dot = key.find('.');
    const std::string_view section = key.substr(0, dot);
    const std::string_view name = dot == key.npos ? std::string_view{} : key.substr(dot + 1);
    if (section == "rules") {
        set_rule(resolved.rules, name, setting);
    } else if (section == "bounds") {
        set_bound(resolved.bounds, name, setting);
    } else if (section == "disturbances") {
        set_disturbance(resolved.disturbances, name, setting);
    } else if (std::ranges::find(plain_keys, key) == std::end(plain_keys)) {
        fail(setting, fmt::format("unknown key \"{}\"{}", shortened(key),
                                  expected_names(key, plain_keys, "ringfence list keys")));
    }
}

// The names in the last layer that has any, each of them known and given once.
std::vector<std::string> list_of(std::span<const Layer> layers, std::string_view key,
                                 std::string_view kind, std::span<const std::string_view> known) {
    std::vector<std::string> names;
    for (const Layer& layer : layers) {
        if (find_setting(layer, key) == nullptr) { continue; }
        names.clear();
        for (const Setting& setting : layer) {
            if (setting.key != key) { continue; }
            if (std::ranges::find(known, std::string_view(setting.value)) == known.end()) {
                fail(setting, fmt::format("unknown {} \"{}\"{}", kind, shortened(setting.value),
                                          expected_names(setting.value, known,
                                                         "ringfence list " + std::string(key))));
            }
            if (std::ranges::find(names, setting.value) != names.end()) {
                fail(setting, fmt::format("{} \"{}\" is given twice", kind, setting.value));
            }
            names.push_back(setting.value);
        }
    }
    return names;
}

}  // namespace

const Setting* find_setting(const Layer& layer, std::string_view key) {
    const auto found = std::find_if(layer.rbegin(), layer.rend(),
                                    [key](const Setting& setting) { return setting.key == key; });
    return found == layer.rend() ? nullptr : &*found;
}

Resolved resolve(std::span<const Layer> layers, const KnownNames& known) {
    Resolved resolved;
    for (const Layer& layer : layers) {
        if (const Setting* force = find_setting(layer, "force")) {
            resolved.is_forced = truth_of(*force);
        }
    }
    start_from(resolved, layers);
    for (const Layer& layer : layers) {
        for (const Setting& setting : layer) { put_on_top(resolved, setting); }
    }
    resolved.laws = list_of(layers, "laws", "law", known.laws);
    resolved.witnesses = list_of(layers, "witnesses", "witness", known.witnesses);
    return resolved;
}

void refuse_impossible(std::span<const Layer> layers, const KnownNames& known,
                       std::string_view where) {
    const Resolved resolved = resolve(layers, known);
    const auto reason = reason_to_refuse(resolved.rules);
    if (resolved.is_forced || !reason) { return; }
    const std::string place = place_to_blame(layers, where, [&](std::span<const Layer> rest) {
        try {
            return reason_to_refuse(resolve(rest, known).rules).has_value();
        } catch (const ConfigurationError&) { return true; }
    });
    throw ConfigurationError(fmt::format("{}: {}{}", place, *reason, can_be_forced));
}

std::string_view value_of(const RuleEntry& rule, const Rules& rules) {
    return rule.values[rule.get(rules)];
}

std::string budget_text(std::uint8_t budget) {
    return budget == Disturbances::unlimited ? "unlimited" : std::to_string(budget);
}

}  // namespace ringfence::model
