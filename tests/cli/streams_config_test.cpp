// Properties files as people write them (tests/cli/streams_config/), and what is made of them.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace ringfence::test;

namespace {

const std::string folder = RINGFENCE_SOURCE_DIR "/tests/cli/streams_config/";

Outcome check(const std::string& file, const std::string& flags, const std::string& before = "") {
    return run("check --max-states 5 --streams-config " + folder + file + " " + flags, before);
}

// A file that can be checked: what it leads to, and an entry of the report under `list` that has
// this key and whose text holds these words.
struct Accepted {
    std::string file;
    std::string flags;
    std::string guarantee;
    int threads;
    std::string list;
    std::string key;
    std::string text;
};

const std::vector<Accepted> accepted{
    {"word_count.properties", "--kafka 3.5", "at_least_once", 2, "follows", "processing.guarantee",
     "Kafka's default"},
    {"word_count.properties", "", "at_least_once", 2, "ignored", "application.id", "no bearing"},
    {"empty.properties", "--kafka 0.11", "at_least_once", 2, "follows", "num.stream.threads",
     "as many instances of one thread"},
    {"v2.properties", "", "exactly_once_v2", 2, "follows", "num.stream.threads",
     "bound threads = 2"},
    {"v2.properties", "--kafka 3.5", "exactly_once_v2", 2, "follows", "num.stream.threads",
     "bound threads = 2"},
    {"v2.properties", "--kafka 3.5 --threads 3", "exactly_once_v2", 3, "ignored",
     "num.stream.threads", "--threads says 3"},
    {"v2.properties", "--kafka 3.5 --guarantee exactly_once", "exactly_once", 2, "ignored",
     "processing.guarantee", "--guarantee says exactly_once"},
    {"v2.properties", "--kafka 2.8 --force", "exactly_once_v2", 2, "warnings",
     "processing.guarantee", "forced: Kafka Streams 2.8 refuses it"},
    {"v1_2.6.properties", "--kafka 2.6", "exactly_once", 2, "follows", "processing.guarantee",
     "guarantee = exactly_once"},
    {"v1_deprecated.properties", "--kafka 3.0", "exactly_once", 3, "warnings",
     "processing.guarantee", "deprecated in Kafka 3.0 and removed in 4.0"},
    {"beta.properties", "--kafka 2.7", "exactly_once_v2", 2, "follows", "processing.guarantee",
     "guarantee = exactly_once_v2"},
    {"beta.properties", "--kafka 3.5", "exactly_once_v2", 2, "warnings", "processing.guarantee",
     "deprecated in Kafka 3.0"},
    {"at_least_once.properties", "--kafka 3.5", "at_least_once", 2, "ignored",
     "transaction.timeout.ms", "no bearing"},
    {"timeouts_that_fit.properties", "--kafka 3.5", "exactly_once_v2", 2, "timing",
     "producer.transaction.timeout.ms", "transaction_timeout"},
    {"commit_interval_too_long.properties", "--broker 3.5 --client 3.5 --force", "exactly_once_v2",
     2, "warnings", "commit.interval.ms", "forced: Kafka Streams 3.5 refuses it"},
    {"timeout_without_prefix.properties", "--kafka 3.5", "exactly_once_v2", 2, "warnings",
     "commit.interval.ms", "Kafka does not notice"},
    {"timeout_beyond_broker.properties", "--kafka 3.5", "exactly_once_v2", 2, "warnings",
     "producer.transaction.timeout.ms", "InvalidTxnTimeoutException"},
    {"upgrade_from_2.3.properties", "--kafka 2.6", "exactly_once", 2, "follows", "upgrade.from",
     "closes_before_rejoin = eager"},
    {"upgrade_from_2.3.properties", "--kafka 3.5", "exactly_once", 2, "warnings", "upgrade.from",
     "deprecated since Kafka 3.1"},
    {"upgrade_from_3.2.properties", "--kafka 3.5", "exactly_once_v2", 2, "ignored", "upgrade.from",
     "no bearing"},
    {"upgrade_to_v2_at_once.properties", "--kafka 3.5 --force", "exactly_once_v2", 2, "warnings",
     "upgrade.from", "forced: threads rejoin eagerly"},
    {"many_threads.properties", "--kafka 3.5 --threads 4", "exactly_once_v2", 4, "ignored",
     "num.stream.threads", "--threads says 4"},
    {"duplicate_key.properties", "--kafka 3.5", "exactly_once_v2", 2, "warnings",
     "processing.guarantee", "given again in line 7"},
    {"unknown_keys.properties", "--kafka 3.5", "at_least_once", 2, "unknown", "processing.garantee",
     "nearest is \"processing.guarantee\""},
    {"unknown_keys.properties", "--kafka 3.5", "at_least_once", 2, "unknown", "producer.linger.sm",
     "nearest is \"producer.linger.ms\""},
    {"unknown_keys.properties", "--kafka 3.5", "at_least_once", 2, "unknown",
     "consumer.processing.guarantee", "Kafka Streams reads \"processing.guarantee\""},
    {"escapes.properties", "--kafka 3.5", "exactly_once_v2", 2, "follows", "processing.guarantee",
     "guarantee = exactly_once_v2"},
    {"streams_chooses.properties", "--kafka 3.5", "exactly_once_v2", 2, "warnings",
     "consumer.isolation.level", "takes read_committed"},
    {"streams_chooses.properties", "--kafka 3.5", "exactly_once_v2", 2, "warnings",
     "producer.transactional.id", "generates its own"},
    {"prefixes.properties", "--kafka 3.5", "exactly_once_v2", 2, "timing",
     "main.consumer.session.timeout.ms", "expulsion"},
    {"prefixes.properties", "--kafka 3.5", "exactly_once_v2", 2, "ignored", "session.timeout.ms",
     "main.consumer.session.timeout.ms goes before it"},
    {"windows_line_ends.properties", "--kafka 3.5", "exactly_once_v2", 3, "follows",
     "num.stream.threads", "bound threads = 3"},
    {"new_consumer_groups.properties", "--kafka 3.5", "exactly_once_v2", 2, "warnings",
     "consumer.group.protocol", "keeps to classic groups"},
    {"new_consumer_groups.properties", "--broker 3.5 --client 4.0", "exactly_once_v2", 2,
     "warnings", "consumer.group.protocol", "ignores it and chooses itself"},
    {"two_phase_commit.properties", "--kafka 3.5", "exactly_once_v2", 2, "warnings",
     "transaction.two.phase.commit.enable", "Kafka 3.5 does not know it"},
    {"secrets.properties", "--kafka 3.5", "exactly_once_v2", 2, "ignored", "sasl.jaas.config",
     "no bearing"},
};

// A file that is refused: the place, and words of the one line that says why.
struct Refused {
    std::string file;
    std::string flags;
    std::string place;
    std::string text;
};

const std::vector<Refused> refused{
    {"v2.properties", "--kafka 2.8", ":5:24: ",
     "Kafka Streams 2.8 refuses it (ConfigException): it came with 3.0, expected "
     "\"at_least_once\", \"exactly_once\" or \"exactly_once_beta\""},
    {"v2.properties", "--broker 2.4 --client 3.5",
     "--broker: ", "exactly_once_v2 needs brokers of 2.5 or newer: UnsupportedVersionException"},
    {"v2.properties", "--kafka 3.5 --scheme v2", "--scheme: ", "a scheme and --streams-config"},
    {"v2.properties", "--kafka 9.9", "--kafka: ", "unknown Kafka release \"9.9\""},
    {"v1_2.6.properties", "--broker 3.5 --client 4.0", ":3:22: ", "4.0 removed it (KAFKA-16331)"},
    {"v1_2.6.properties", "", ":3:22: ", "the newest release, since none is given"},
    {"beta.properties", "--kafka 2.5", ":3:22: ", "it came with 2.6"},
    {"beta.properties", "--broker 3.5 --client 4.0", ":3:22: ", "4.0 removed it"},
    {"upper_case.properties", "--kafka 3.5", ":3:22: ", "nearest is \"exactly_once_v2\""},
    {"misspelt_value.properties", "--kafka 3.5", ":3:22: ", "nearest is \"exactly_once_v2\""},
    {"commit_interval_too_long.properties", "--kafka 3.5", ":5:20: ",
     "Kafka Streams 3.5 refuses it (IllegalArgumentException): the transaction timeout of 10000"},
    {"main_consumer_protocol.properties", "--broker 3.5 --client 4.0",
     ":3:31: ", "consumer groups (KIP-848)"},
    {"two_phase_commit.properties", "--broker 3.5 --client 4.2",
     ":3:45: ", "two-phase commit (KIP-939) is not built yet"},
    {"static_members.properties", "--kafka 3.5", ":4:33: ", "\"static_members\" is not built yet"},
    {"new_consumer_groups.properties", "--broker 3.5 --client 3.7",
     ":4:25: ", "consumer groups (KIP-848): the rule \"group_protocol\" is not built yet"},
    {"streams_groups.properties", "--kafka 4.2",
     ":3:16: ", "streams groups (KIP-1071): the rule \"group_protocol\" is not built yet"},
    {"upgrade_from_3.2.properties", "--kafka 3.2",
     ":4:14: ", "Kafka Streams 3.2 refuses it (ConfigException), expected 0.10.0 to 2.3"},
    {"upgrade_to_v2_at_once.properties", "--kafka 3.5", ":4:14: ", "threads rejoin eagerly"},
    {"many_threads.properties", "--kafka 3.5", ":4:20: ", "the bound \"threads\" goes from 1 to 4"},
    {"broken_escape.properties", "--kafka 3.5", ":3:33: ", "\"\\users\" is no character"},
    {"too_many_in_flight.properties", "--kafka 3.5", ":4:48: ", "at most 5 under exactly once"},
    {"reads_uncommitted.properties", "--kafka 3.5", ":4:31: ", "not built"},
    {"heartbeat.properties", "--kafka 3.5", ":4:20: ", "must be lower than session.timeout.ms"},
    {"not_a_number.properties", "--kafka 3.5", ":4:20: ", "not a number"},
};

}  // namespace

TEST_CASE("properties files that can be checked lead to rules, bounds and warnings") {
    for (const Accepted& row : accepted) {
        CAPTURE(row.file);
        CAPTURE(row.flags);
        const Outcome outcome = check(row.file, "--json " + row.flags);
        CAPTURE(outcome.err);
        REQUIRE(outcome.status == 3);  // the limit on states
        CHECK(outcome.err.empty());
        const auto json = outcome.json();
        REQUIRE(json["scenarios"].size() == 1);
        CHECK(json["scenarios"][0]["rules"]["guarantee"] == row.guarantee);
        CHECK(json["scenarios"][0]["bounds"]["threads"] == row.threads);
        const auto& notes = json["streams_config"][row.list];
        CHECK(std::ranges::any_of(notes, [&row](const auto& note) {
            return note["key"] == row.key &&
                   note["text"].template get<std::string>().find(row.text) != std::string::npos;
        }));
    }
}

TEST_CASE("properties files that Kafka refuses, or that need what is not built, give one line") {
    for (const Refused& row : refused) {
        CAPTURE(row.file);
        CAPTURE(row.flags);
        const Outcome outcome = check(row.file, row.flags);
        CAPTURE(outcome.err);
        CHECK(outcome.status == 2);
        CHECK(outcome.out.empty());
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
        CHECK(outcome.err.find(row.place) != std::string::npos);
        CHECK(outcome.err.find(row.text) != std::string::npos);
    }
}

TEST_CASE("the report is on stderr, and stdout holds the result") {
    const Outcome outcome = check("duplicate_key.properties", "--kafka 3.5");
    CHECK(outcome.err.starts_with("streams config: "));
    CHECK(outcome.err.find("Kafka 3.5 (from --kafka)") != std::string::npos);
    CHECK(outcome.err.find("release: marker_acknowledged = on_append") != std::string::npos);
    CHECK(outcome.err.find("warning: ") != std::string::npos);
    CHECK(outcome.out.find("streams config: ") == std::string::npos);
    CHECK(outcome.out.find("verdict: streams_config: ") != std::string::npos);
}

TEST_CASE("values without bearing are not told, for passwords are among them") {
    for (const std::string flags : {"", "--json"}) {
        const Outcome outcome = check("secrets.properties", "--kafka 3.5 " + flags);
        CHECK(outcome.status == 3);
        CHECK((outcome.out + outcome.err).find("hunter") == std::string::npos);
        CHECK((outcome.out + outcome.err).find("ssl.key.password") != std::string::npos);
    }
}

TEST_CASE("the environment may name the file, and a flag beats it") {
    const Workplace place;
    place.write("a.properties", "num.stream.threads=3\n");
    place.write("b.properties", "num.stream.threads=4\n");
    const auto threads = [&place](const std::string& flags) {
        const auto json = run(place, "check --kafka 3.5 --json --max-states 5 " + flags,
                              "RINGFENCE_STREAMS_CONFIG=a.properties")
                              .json();
        return json["scenarios"][0]["bounds"]["threads"].get<int>();
    };
    CHECK(threads("") == 3);
    CHECK(threads("--streams-config b.properties") == 4);
}

TEST_CASE("the file beats a scenario, whose release it takes") {
    const Workplace place;
    place.write("s.toml",
                "name = \"s\"\nkafka = \"2.8\"\nguarantee = \"exactly_once\"\n[bounds]\n"
                "threads = 1\nrecords = 1\n");
    place.write("a.properties", "processing.guarantee=exactly_once_beta\nnum.stream.threads=2\n");
    const auto json =
        run(place, "check ./s.toml --json --max-states 5 --streams-config a.properties").json();
    CHECK(json["streams_config"]["client"] == "2.8");
    CHECK(json["streams_config"]["release_from"] == "./s.toml:2:9");
    const auto scenario = json["scenarios"][0];
    CHECK(scenario["client"] == "2.8");
    CHECK(scenario["rules"]["guarantee"] == "exactly_once_v2");
    CHECK(scenario["bounds"]["threads"] == 2);
    CHECK(scenario["bounds"]["records"] == 1);
}

TEST_CASE("one scenario at most goes with a Streams configuration") {
    const Outcome outcome = check("v2.properties", "v2 v1_clients_2.6_to_2.8 --kafka 3.5");
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find("expected one at most") != std::string::npos);
}

TEST_CASE("a Streams configuration that cannot be read gives 74") {
    CHECK(check("missing.properties", "--kafka 3.5").status == 74);
}
