// StreamsConfig 2.6, 3.0 and 3.9 (verifyEOSTransactionTimeoutCompatibility and
// checkIfUnexpectedUserSpecifiedConsumerConfig), Heartbeat, KafkaConfig 2.2 and 2.3.
#include "model/streams_checks.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace ringfence::model {

namespace {

using enum StreamsNoteKind;

constexpr std::int64_t transaction_timeout_max = 900'000;  // transaction.max.timeout.ms

// A number that is in force: the file's or Kafka's default.
struct Duration {
    std::int64_t milliseconds = 0;
    std::optional<StreamsValue> from;  // none: the default
};

Duration duration(const StreamsProperties& properties, std::optional<StreamsValue> from,
                  std::int64_t otherwise) {
    const std::int64_t milliseconds = from ? properties.number(*from) : otherwise;
    return {.milliseconds = milliseconds, .from = std::move(from)};
}

void note_timing(StreamsProperties& properties, const Duration& time, std::string_view text) {
    if (time.from) { properties.note(timing, *time.from, std::string(text)); }
}

// The place to blame: where the file says anything, the file.
const StreamsValue& blamed(const Duration& first, const Duration& second) {
    return first.from ? *first.from : *second.from;
}

// Kafka 3.0 and later refuse a commit interval beyond the transaction timeout, but compare with
// producer.transaction.timeout.ms alone, where the producer takes the key without a prefix as well.
void check_commit_interval(StreamsProperties& properties, const Duration& commit,
                           const Duration& timeout) {
    constexpr std::string_view tested_key = "producer.transaction.timeout.ms";
    constexpr std::int64_t timeout_by_default = 10'000;
    if (!commit.from && !timeout.from) { return; }
    const bool is_tested = !properties.client_is_before("3.0");
    const bool is_tested_value = timeout.from && timeout.from->key == tested_key;
    const std::int64_t tested = is_tested_value ? timeout.milliseconds : timeout_by_default;
    if (is_tested && tested < commit.milliseconds) {
        properties.refuse(
            blamed(commit, timeout),
            fmt::format("Kafka Streams {} refuses it (IllegalArgumentException): the transaction "
                        "timeout of {} ms ({}{}) is less than the commit interval of {} ms, so "
                        "that every transaction would time out",
                        properties.context().client, tested, tested_key,
                        is_tested_value ? "" : ", by default", commit.milliseconds));
    } else if (timeout.milliseconds < commit.milliseconds) {
        properties.note(
            warning, blamed(commit, timeout),
            fmt::format("the commit interval of {} ms is beyond the transaction timeout of {} ms, "
                        "so that transactions time out before they are committed; {}",
                        commit.milliseconds, timeout.milliseconds,
                        is_tested ? "Kafka does not notice, since it tests the key with the prefix "
                                    "producer. alone"
                                  : "Kafka refuses this since 3.0"));
    }
}

void check_transaction_timeout(StreamsProperties& properties, const Duration& timeout) {
    if (!timeout.from) { return; }
    if (timeout.milliseconds <= 0 || timeout.milliseconds > transaction_timeout_max) {
        properties.note(warning, *timeout.from,
                        fmt::format("a broker refuses InitProducerId with it "
                                    "(InvalidTxnTimeoutException) unless its "
                                    "transaction.max.timeout.ms is above the default of {}",
                                    transaction_timeout_max));
    }
}

void check_session(StreamsProperties& properties) {
    constexpr std::int64_t heartbeat_by_default = 3'000;
    constexpr std::int64_t session_min = 6'000;
    const std::int64_t session_max = properties.broker_is_before("2.3") ? 300'000 : 1'800'000;
    const std::int64_t session_by_default = properties.client_is_before("3.0") ? 10'000 : 45'000;
    const Duration session =
        duration(properties, properties.of_consumer("session.timeout.ms"), session_by_default);
    const Duration heartbeat =
        duration(properties, properties.of_consumer("heartbeat.interval.ms"), heartbeat_by_default);
    note_timing(properties, session, "a disturbance: expulsion");
    note_timing(properties, heartbeat, "heartbeats are not modelled");
    if (heartbeat.milliseconds >= session.milliseconds) {
        properties.refuse(
            blamed(session, heartbeat),
            fmt::format("Kafka {} refuses it (IllegalArgumentException): "
                        "heartbeat.interval.ms is {}, and must be lower than "
                        "session.timeout.ms, {}",
                        properties.context().client, heartbeat.milliseconds, session.milliseconds));
    }
    const bool is_usual =
        session.milliseconds >= session_min && session.milliseconds <= session_max;
    if (session.from && !is_usual) {
        properties.note(warning, *session.from,
                        fmt::format("a broker refuses JoinGroup with it "
                                    "(InvalidSessionTimeoutException) unless its "
                                    "group.min.session.timeout.ms ({}) or "
                                    "group.max.session.timeout.ms ({}) differs from the default",
                                    session_min, session_max));
    }
}

// A setting that Streams chooses itself, and what it puts in place of a person's.
struct FixedValue {
    std::string_view name;
    bool is_producers;
    bool only_exactly_once;
    std::string_view value;  // empty: Streams generates it
};

constexpr std::array<FixedValue, 4> fixed_values{{
    {"enable.auto.commit", false, false, "false"},
    {"isolation.level", false, true, "read_committed"},
    {"enable.idempotence", true, true, "true"},
    {"transactional.id", true, true, ""},
}};

void check_fixed_value(StreamsProperties& properties, const FixedValue& fixed) {
    const auto given = fixed.is_producers ? properties.of_producer(fixed.name)
                                          : properties.of_consumer(fixed.name);
    if (!given) { return; }
    if (given->value == fixed.value) {
        properties.note(ignored, *given, "Kafka Streams sets it just so");
    } else if (given->key.starts_with("main.consumer.")) {
        // Streams tests the other two spellings alone: this one reaches the consumer.
        properties.fail(*given, fmt::format("a main consumer without {} = {} is not built and "
                                            "never approximated",
                                            fixed.name, fixed.value));
    } else {
        properties.note(
            warning, *given,
            fmt::format(
                "Kafka Streams {} ignores it and {}", properties.context().client,
                fixed.value.empty() ? "generates its own" : fmt::format("takes {}", fixed.value)));
    }
}

void check_requests_in_flight(StreamsProperties& properties) {
    constexpr std::int64_t requests_max = 5;
    const auto given = properties.of_producer("max.in.flight.requests.per.connection");
    if (!given) { return; }
    if (!properties.client_is_before("2.0") && properties.number(*given) > requests_max) {
        properties.refuse(*given, fmt::format("Kafka Streams {} refuses it (ConfigException): at "
                                              "most {} under exactly once",
                                              properties.context().client, requests_max));
    }
    properties.note(ignored, *given, "requests of one producer keep their order");
}

}  // namespace

void check_streams_timing(StreamsProperties& properties, bool is_exactly_once) {
    const bool is_2_6 = !properties.client_is_before("2.6");
    const Duration commit = duration(properties, properties.exact("commit.interval.ms"),
                                     is_exactly_once ? 100 : 30'000);
    if (commit.from && commit.milliseconds < 0) {
        properties.refuse(*commit.from, fmt::format("Kafka Streams {} refuses it "
                                                    "(ConfigException), expected at least 0",
                                                    properties.context().client));
    }
    note_timing(properties, commit, "a commit may come at any moment");
    if (is_exactly_once) {
        const Duration timeout = duration(
            properties, properties.of_producer("transaction.timeout.ms"), is_2_6 ? 10'000 : 60'000);
        note_timing(properties, timeout, "a disturbance: transaction_timeout");
        check_commit_interval(properties, commit, timeout);
        check_transaction_timeout(properties, timeout);
    }
    check_session(properties);
    note_timing(properties, duration(properties, properties.of_consumer("max.poll.interval.ms"), 0),
                "a disturbance: expulsion");
}

void check_fixed_values(StreamsProperties& properties, bool is_exactly_once) {
    for (const FixedValue& fixed : fixed_values) {
        if (is_exactly_once || !fixed.only_exactly_once) { check_fixed_value(properties, fixed); }
    }
    if (is_exactly_once) { check_requests_in_flight(properties); }
}

}  // namespace ringfence::model
