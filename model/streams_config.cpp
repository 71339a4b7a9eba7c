// Which values a release accepts: StreamsConfig 0.11.0, 2.0, 2.4, 2.6, 3.0, 3.3, 3.9 and 4.0;
// AssignorConfiguration 2.6 and 3.8; ConsumerConfig 2.3 and 3.7.
#include "model/streams_config.hpp"

#include "model/nearest_name.hpp"
#include "model/streams_checks.hpp"
#include "model/streams_properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace ringfence::model {

namespace {

using enum StreamsNoteKind;

// A value of processing.guarantee, and the releases of the client that accept it.
struct GuaranteeValue {
    std::string_view name;
    Guarantee guarantee;
    std::string_view since;
    std::string_view until;  // the first without it, or empty
};

constexpr std::array<GuaranteeValue, 4> guarantee_values{{
    {"at_least_once", Guarantee::at_least_once, "0.11", ""},
    {"exactly_once", Guarantee::exactly_once, "0.11", "4.0"},
    {"exactly_once_beta", Guarantee::exactly_once_v2, "2.6", "4.0"},
    {"exactly_once_v2", Guarantee::exactly_once_v2, "3.0", ""},
}};

std::string_view name_of(Guarantee guarantee) {
    return std::ranges::find(rule_catalogue(), "guarantee", &RuleEntry::name)
        ->values[static_cast<std::size_t>(guarantee)];
}

std::string lower_case(std::string text) {
    for (char& letter : text) {
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return text;
}

class Mapping {
  public:
    Mapping(StreamsProperties& properties, Layer& settings)
        : properties_(properties), settings_(settings) {}

    void read() {
        read_guarantee();
        read_threads();
        read_upgrade();
        read_static_members();
        read_group_protocol();
        read_two_phase_commit();
        check_streams_timing(properties_, guarantee_ != Guarantee::at_least_once);
        check_fixed_values(properties_, guarantee_ != Guarantee::at_least_once);
    }

  private:
    [[nodiscard]] const StreamsContext& context() const { return properties_.context(); }
    [[nodiscard]] const std::string& client() const { return context().client; }
    [[nodiscard]] bool accepts(const GuaranteeValue& value) const {
        return !properties_.client_is_before(value.since) &&
               (value.until.empty() || properties_.client_is_before(value.until));
    }

    // False where the environment or a flag says otherwise.
    bool set(const StreamsValue& from, std::string_view key, std::string value, std::string text) {
        if (const Setting* above = find_setting(context().above, key)) {
            properties_.note(ignored, from, fmt::format("{} says {}", above->where, above->value));
            return false;
        }
        properties_.note(follows, from, std::move(text));
        settings_.push_back(
            {.key = std::string(key), .value = std::move(value), .where = from.where});
        return true;
    }

    void read_guarantee();
    void expect_guarantee(const StreamsValue& from, const GuaranteeValue* value);
    void read_threads();
    void read_upgrade();
    [[nodiscard]] std::vector<std::string> releases_to_upgrade_from() const;
    void read_static_members();
    void read_group_protocol();
    void expect_group_protocol(const StreamsValue& from, std::string_view newer,
                               std::string_view source);
    void read_two_phase_commit();

    StreamsProperties& properties_;
    Layer& settings_;
    Guarantee guarantee_ = Guarantee::at_least_once;
};

void Mapping::read_guarantee() {
    const auto given = properties_.exact("processing.guarantee");
    const StreamsValue from =
        given.value_or(StreamsValue{"processing.guarantee", "at_least_once", properties_.path()});
    const Setting* above = find_setting(context().above, "guarantee");
    const std::string_view name = above != nullptr ? above->value : from.value;
    const auto value = std::ranges::find(guarantee_values, name, &GuaranteeValue::name);
    if (above == nullptr) {
        expect_guarantee(from, value == guarantee_values.end() ? nullptr : &*value);
    }
    if (value != guarantee_values.end()) { guarantee_ = value->guarantee; }

    const std::string rule(name_of(guarantee_));
    const bool is_set =
        set(from, "guarantee", rule,
            fmt::format("guarantee = {}{}", rule, given ? "" : " (Kafka's default)"));
    const bool is_deprecated = value != guarantee_values.end() && !value->until.empty() &&
                               !properties_.client_is_before("3.0");
    if (is_set && is_deprecated) {
        properties_.note(
            warning, from,
            fmt::format(
                "deprecated in Kafka 3.0 and removed in 4.0; exactly_once_v2 "
                "takes its place{}",
                guarantee_ == Guarantee::exactly_once ? " and needs brokers of 2.5 or newer" : ""));
    }
}

void Mapping::expect_guarantee(const StreamsValue& from, const GuaranteeValue* value) {
    if (value != nullptr && accepts(*value)) { return; }
    std::vector<std::string_view> names;
    for (const GuaranteeValue& candidate : guarantee_values) {
        if (accepts(candidate)) { names.push_back(candidate.name); }
    }
    const std::string_view newest = context().release_from.empty()
                                        ? " (the newest release, since none is given: see --kafka)"
                                        : "";
    const std::string refused =
        fmt::format("Kafka Streams {} refuses it{} (ConfigException)", client(), newest);
    const std::string expected = expected_names(from.value, names);
    if (value == nullptr) { properties_.fail(from, refused + expected); }
    const std::string history = properties_.client_is_before(value->since)
                                    ? fmt::format("it came with {}", value->since)
                                    : fmt::format("{} removed it (KAFKA-16331)", value->until);
    properties_.refuse(from, fmt::format("{}: {}{}", refused, history, expected));
}

void Mapping::read_threads() {
    const auto given = properties_.exact("num.stream.threads");
    const StreamsValue from =
        given.value_or(StreamsValue{"num.stream.threads", "1", properties_.path()});
    const std::int64_t threads = properties_.number(from);
    if (find_setting(context().above, "bounds.threads") != nullptr) {
        set(from, "bounds.threads", from.value, {});
    } else if (threads < 1 || threads > static_cast<std::int64_t>(threads_max)) {
        properties_.fail(from, fmt::format("the bound \"threads\" goes from 1 to {}, and more is "
                                           "never approximated; --threads {} checks fewer",
                                           threads_max, threads_max));
    } else if (threads == 1) {
        // The file says nothing about other instances, without which there is nothing to fence.
        properties_.note(follows, from,
                         fmt::format("the bound \"threads\" stays as it is, for as many instances "
                                     "of one thread{}",
                                     given ? "" : " (Kafka's default)"));
    } else {
        set(from, "bounds.threads", std::to_string(threads),
            fmt::format("bound threads = {}", threads));
    }
}

std::vector<std::string> Mapping::releases_to_upgrade_from() const {
    std::vector<std::string> names{"0.10.0", "0.10.1", "0.10.2"};
    std::string_view end = client();
    if (properties_.client_is_before("3.3")) { end = "2.4"; }
    if (properties_.client_is_before("2.4")) { end = "2.0"; }
    for (const std::string_view release : release_catalogue()) {
        if (release == end) { break; }
        names.emplace_back(release == "0.11" ? "0.11.0" : release);
    }
    return names;
}

void Mapping::read_upgrade() {
    const auto given = properties_.exact("upgrade.from");
    if (!given) { return; }
    if (properties_.client_is_before("2.0")) {
        properties_.note(ignored, *given,
                         fmt::format("Kafka Streams {} does not know it", client()));
        return;
    }
    const std::vector<std::string> releases = releases_to_upgrade_from();
    const auto found = std::ranges::find(releases, given->value);
    if (found == releases.end()) {
        const std::vector<std::string_view> names(releases.begin(), releases.end());
        properties_.fail(*given, fmt::format("Kafka Streams {} refuses it (ConfigException), "
                                             "expected {} to {}, nearest is \"{}\"",
                                             client(), names.front(), names.back(),
                                             nearest_name(given->value, names)));
    }
    const auto first_cooperative = std::ranges::find(releases, "2.4");
    if (properties_.client_is_before("2.4") || found >= first_cooperative) {
        properties_.note(ignored, *given, "no bearing on how a thread rejoins");
        return;
    }
    if (guarantee_ == Guarantee::exactly_once_v2) {
        properties_.refuse(*given,
                           "threads rejoin eagerly while upgrade.from is 2.3 or older; Kafka "
                           "documents no such upgrade straight to exactly_once_v2");
    }
    const bool is_set = set(*given, "rules.closes_before_rejoin", "eager",
                            "closes_before_rejoin = eager, until the upgrade is over");
    if (is_set && !properties_.client_is_before("3.1")) {
        properties_.note(warning, *given, "the eager protocol is deprecated since Kafka 3.1");
    }
}

void Mapping::read_static_members() {
    const auto given = properties_.of_consumer("group.instance.id");
    if (!given) { return; }
    if (properties_.client_is_before("2.3")) {
        properties_.note(ignored, *given, fmt::format("Kafka {} does not know it", client()));
        return;
    }
    properties_.fail(*given,
                     "static members (KIP-345): the rule \"static_members\" is not built "
                     "yet and never approximated");
}

void Mapping::expect_group_protocol(const StreamsValue& from, std::string_view newer,
                                    std::string_view source) {
    const std::string protocol = lower_case(from.value);
    if (protocol == newer) {
        properties_.fail(from, fmt::format("{} groups ({}): the rule \"group_protocol\" is not "
                                           "built yet and never approximated",
                                           newer, source));
    }
    if (protocol != "classic") {
        const std::array<std::string_view, 2> names{"classic", newer};
        properties_.fail(from, fmt::format("Kafka {} refuses it (ConfigException){}", client(),
                                           expected_names(protocol, names)));
    }
    properties_.note(follows, from, "classic groups, which the rules are about");
}

void Mapping::read_group_protocol() {
    const bool is_streams_own = !properties_.client_is_before("4.1");
    if (is_streams_own) {
        const auto given = properties_.exact("group.protocol");
        if (given) { expect_group_protocol(*given, "streams", "KIP-1071"); }
    }
    const auto given = properties_.of_consumer("group.protocol");
    if (!given || (is_streams_own && given->key == "group.protocol")) { return; }
    // Since 4.0 Streams puts back what it chose, but not under the main consumer's prefix.
    const bool reaches_consumer =
        properties_.client_is_before("4.0") || given->key.starts_with("main.consumer.");
    if (properties_.client_is_before("3.7")) {
        properties_.note(
            warning, *given,
            fmt::format("Kafka {} does not know it and keeps to classic groups", client()));
    } else if (reaches_consumer) {
        expect_group_protocol(*given, "consumer", "KIP-848");
    } else if (lower_case(given->value) != "classic") {
        properties_.note(warning, *given,
                         fmt::format("Kafka Streams {} ignores it and chooses itself", client()));
    }
}

void Mapping::read_two_phase_commit() {
    const auto given = properties_.of_producer("transaction.two.phase.commit.enable");
    if (!given) { return; }
    if (properties_.client_is_before("4.1")) {
        properties_.note(warning, *given, fmt::format("Kafka {} does not know it", client()));
        return;
    }
    if (lower_case(given->value) == "true") {
        properties_.fail(*given,
                         "two-phase commit (KIP-939) is not built yet and never "
                         "approximated");
    }
    properties_.note(ignored, *given, "no bearing on fencing");
}

}  // namespace

StreamsConfig read_streams_config(std::string_view text, std::string_view path,
                                  const StreamsContext& context) {
    StreamsConfig config{.path = std::string(path),
                         .broker = context.broker,
                         .client = context.client,
                         .release_from = context.release_from};
    StreamsProperties properties(text, path, context);
    Mapping(properties, config.settings).read();
    if (context.release_from.empty()) {
        config.settings.push_back(
            {.key = "kafka", .value = context.client, .where = std::string(path)});
    }
    config.notes = properties.take_notes();
    return config;
}

}  // namespace ringfence::model
