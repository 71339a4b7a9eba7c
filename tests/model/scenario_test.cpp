#include "model/scenario.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace ringfence::model;

namespace {

const KnownNames known{.laws = {"exactly_once_output", "no_stale_commit"},
                       .witnesses = {"member_refused", "zombie_appended"}};

ScenarioFile read(std::string_view text) { return read_scenario(text, "s.toml", known); }

Scenario asked_of(std::string_view text, const Layer& flags = {}, bool keeps = false) {
    const std::vector<Layer> layers = {flags};
    return scenario_of(read(text), layers, known, keeps);
}

std::string refusal_of(std::string_view text) {
    try {
        static_cast<void>(read(text));
    } catch (const ConfigurationError& error) { return error.what(); }
    return "accepted";
}

constexpr std::string_view full = R"(
name = "everything"
what = "one line"
source = "KIP-447"
scheme = "v2"
laws = ["exactly_once_output", "no_stale_commit"]
witnesses = ["member_refused"]

[rules]
member_test = "off"

[bounds]
threads = 3

[disturbances]
expulsion = "unlimited"
crash = 1

[expect]
states = 12345
never = ["zombie_appended"]
no_stale_commit = { verdict = "holds" }

[expect.exactly_once_output]
verdict = "refuted"
steps = 25
)";

}  // namespace

TEST_CASE("a scenario file holds a question and the answer that is expected") {
    const Scenario scenario = asked_of(full);
    CHECK(scenario.name == "everything");
    CHECK(scenario.what == "one line");
    CHECK(scenario.source == "KIP-447");
    CHECK(scenario.asked.rules.member_test == Test::off);
    CHECK(scenario.asked.bounds.threads == 3);
    CHECK(scenario.asked.disturbances.expulsion == Disturbances::unlimited);
    CHECK(scenario.asked.disturbances.crash == 1);
    CHECK(scenario.asked.laws.size() == 2);
    CHECK(scenario.asked.witnesses == std::vector<std::string>{"member_refused"});
    REQUIRE(scenario.expectations);
    CHECK(scenario.expectations->states == 12345);
    CHECK(scenario.expectations->never == std::vector<std::string>{"zombie_appended"});
    CHECK(scenario.expectations->laws ==
          std::vector<Expectation>{{"exactly_once_output", ExpectedVerdict::refuted, 25},
                                   {"no_stale_commit", ExpectedVerdict::holds, {}}});
}

TEST_CASE("a scenario needs no more than a name") {
    const Scenario scenario = asked_of("name = \"least\"");
    CHECK(scenario.asked.rules == Rules{});
    CHECK_FALSE(scenario.expectations);
}

TEST_CASE("a flag that changes the question drops the expectations") {
    CHECK_FALSE(asked_of(full, {{"bounds.records", "1", "--records"}}).expectations);
    CHECK_FALSE(asked_of(full, {{"disturbances.crash", "0", "--disturb"}}).expectations);
    CHECK_FALSE(asked_of(full, {{"rules.member_test", "on", "--rule"}}).expectations);
    CHECK(asked_of(full, {{"bounds.records", "1", "--records"}}, true).expectations);
}

TEST_CASE("witnesses of a file are not required where a flag changes the question") {
    CHECK(asked_of(full).requires_witnesses);
    CHECK_FALSE(asked_of(full, {{"bounds.records", "1", "--records"}}).requires_witnesses);
    CHECK(asked_of(full, {{"bounds.records", "1", "--records"},
                          {"witnesses", "member_refused", "--witness"}})
              .requires_witnesses);
}

TEST_CASE("a flag that repeats the file changes nothing") {
    CHECK(asked_of(full, {{"bounds.threads", "3", "--threads"}}).expectations);
}

TEST_CASE("fewer laws keep what is expected of them alone") {
    const Scenario scenario = asked_of(full, {{"laws", "no_stale_commit", "--law"}});
    REQUIRE(scenario.expectations);
    CHECK(scenario.expectations->laws ==
          std::vector<Expectation>{{"no_stale_commit", ExpectedVerdict::holds, {}}});
    CHECK_FALSE(scenario.expectations->states);
}

TEST_CASE("rules that Kafka refuses are refused when the question is put, not when it is read") {
    constexpr std::string_view eager = "name = \"x\"\n[rules]\ncloses_before_rejoin = \"eager\"\n";
    CHECK(refusal_of(eager) == "accepted");
    CHECK_THROWS_AS(asked_of(eager), ConfigurationError);
    CHECK_NOTHROW(asked_of(eager, {{"force", "true", "--force"}}));
}

TEST_CASE("a broken file is refused at its line and column") {
    CHECK(refusal_of("name = \"x\"\nlaws = [\n").starts_with("s.toml:"));
    CHECK(refusal_of("name = ").starts_with("s.toml:1:"));
    CHECK(refusal_of("").starts_with("s.toml:1:1: the scenario has no name"));
}

TEST_CASE("an unknown name is refused where it stands") {
    CHECK(refusal_of("name = \"x\"\n[rules]\n  memeber_test = \"off\"\n") ==
          "s.toml:3:3: unknown rule \"memeber_test\", expected a name from `ringfence list rules`, "
          "nearest is \"member_test\"");
    CHECK(refusal_of("name = \"x\"\n[bounds]\nthread = 2\n").starts_with("s.toml:3:1: "));
    CHECK(refusal_of("name = \"x\"\nboundz = 2\n").starts_with("s.toml:2:1: unknown key"));
    CHECK(refusal_of("name = \"x\"\nlaws = [\"exactly_once\"]\n").starts_with("s.toml:2:9: "));
    CHECK(refusal_of("name = \"x\"\n[expect.exactly_once]\nverdict = \"holds\"\n")
              .starts_with("s.toml:2:9: unknown law"));
    CHECK(
        refusal_of("name = \"x\"\n[expect]\nnever = [\"zombie\"]\n").starts_with("s.toml:3:10: "));
}

TEST_CASE("a wrong value is refused where it stands") {
    CHECK(refusal_of("name = \"x\"\n[rules]\nmember_test = \"of\"\n").starts_with("s.toml:3:15: "));
    CHECK(refusal_of("name = \"x\"\n[bounds]\nthreads = 9\n").starts_with("s.toml:3:11: "));
    CHECK(refusal_of("name = \"x\"\n[bounds]\nthreads = 1.5\n").starts_with("s.toml:3:11: "));
    CHECK(refusal_of("name = 3\n").starts_with("s.toml:1:8: \"name\" has the wrong type"));
    CHECK(refusal_of("name = \"x\"\nrules = 3\n").starts_with("s.toml:2:9: "));
    CHECK(refusal_of("name = \"x\"\nlaws = \"all\"\n").starts_with("s.toml:2:8: "));
}

TEST_CASE("an expectation must make sense") {
    constexpr std::string_view head = "name = \"x\"\n[expect.no_stale_commit]\n";
    const auto refusal = [&](std::string_view rest) {
        return refusal_of(std::string(head) + std::string(rest));
    };
    CHECK(refusal("verdict = \"hold\"\n").find("nearest is \"holds\"") != std::string::npos);
    CHECK(refusal("steps = 3\n").find("no verdict is given") != std::string::npos);
    CHECK(refusal("verdict = \"holds\"\nsteps = 3\n").find("\"steps\" without a refutation") !=
          std::string::npos);
    CHECK(refusal("verdict = \"refuted\"\nsteps = -3\n").find("a whole number") !=
          std::string::npos);
    CHECK(refusal("verdict = \"refuted\"\nstep = 3\n").find("nearest is \"steps\"") !=
          std::string::npos);
}

TEST_CASE("nothing is expected of a law that the file does not check") {
    constexpr std::string_view head = "name = \"x\"\nlaws = [\"no_stale_commit\"]\n[expect]\n";
    CHECK(refusal_of(std::string(head) + "exactly_once_output = { verdict = \"holds\" }\n") ==
          "s.toml:4:1: something is expected of \"exactly_once_output\", which is not checked, "
          "expected it among \"laws\" too");
    CHECK(refusal_of(std::string(head) + "no_stale_commit = { verdict = \"holds\" }\n") ==
          "accepted");
}

TEST_CASE("a witness is wanted or unwanted, not both") {
    CHECK(refusal_of("name = \"x\"\nwitnesses = [\"member_refused\"]\n[expect]\n"
                     "never = [\"member_refused\"]\n")
              .starts_with("s.toml:4:10: \"member_refused\" is both among"));
}

TEST_CASE("a scenario's name is fit for a file's name") {
    CHECK(refusal_of("name = \"v1_clients_2.6-a\"\n") == "accepted");
    for (const std::string name : {"x/y", "x y", "x\\u001by", "x+y", "caf\xc3\xa9"}) {
        CAPTURE(name);
        CHECK(refusal_of("name = \"" + name + "\"\n")
                  .starts_with("s.toml:1:8: a scenario cannot be named "));
    }
    CHECK(refusal_of("name = \"" + std::string(101, 'x') + "\"\n").find("at most 100") !=
          std::string::npos);
}

TEST_CASE("a value of another type is refused with what was expected") {
    const auto refusal = [](std::string_view rest) {
        return refusal_of("name = \"x\"\n" + std::string(rest));
    };
    CHECK(refusal("[bounds]\nthreads = 2.5\n") ==
          "s.toml:3:11: \"threads\" has the wrong type, expected a whole number from 1 to 4");
    CHECK(refusal("[bounds]\nthreads = \"2\"\n").ends_with("a whole number from 1 to 4"));
    CHECK(refusal("[disturbances]\ncrash = \"2\"\n")
              .ends_with("a whole number from 0 to 15 or \"unlimited\""));
    CHECK(refusal("kafka = 3.5\n") ==
          "s.toml:2:9: \"kafka\" has the wrong type, expected a release in quotes: kafka = "
          "\"3.5\"");
    CHECK(refusal("force = \"true\"\n").ends_with("expected true or false"));
    CHECK(refusal("[rules]\nmember_test = true\n").ends_with("\"on\" or \"off\" in quotes"));
    CHECK(refusal("laws = []\n").starts_with("s.toml:2:8: \"laws\" is empty"));
}

TEST_CASE("a number that is expected is refused where it cannot be, never clipped") {
    const auto refusal = [](std::string_view rest) {
        return refusal_of("name = \"x\"\n[expect]\n" + std::string(rest));
    };
    constexpr std::string_view steps = "no_stale_commit = { verdict = \"refuted\", steps = ";
    CHECK(refusal(std::string(steps) + "4294967295 }\n") == "accepted");
    CHECK(refusal(std::string(steps) + "4294967296 }\n").ends_with("from 0 to 4294967295"));
    CHECK(refusal("states = 0\n").starts_with("s.toml:3:10: "));
    CHECK(refusal("states = -1\n").find("a whole number from 1") != std::string::npos);
    CHECK(refusal("states = 99999999999999999999\n").starts_with("s.toml:3:"));
}

TEST_CASE("what is wrong with the TOML is said, and no more") {
    CHECK(refusal_of("name = ").find("expected TOML") == std::string::npos);
}
