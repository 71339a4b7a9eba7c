// --store=fingerprint: the same answers, with the odds beside them.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <regex>
#include <string>

using namespace ringfence::test;
using namespace std::string_literals;

namespace {

// 512,588 states: more than an exact search may have.
const std::string large = "check v2 --partitions 2 --records 1 --generations 2 ";

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string one_line(const std::string& text) {
    return std::regex_replace(text, std::regex("\\s+"), " ");
}

// What does not depend on the store, nor on the machine.
nlohmann::json answers(const nlohmann::json& scenario) {
    nlohmann::json kept;
    for (const std::string key : {"ending", "complete", "states", "transitions", "depth",
                                  "states_per_level", "bounds_cut", "witnesses", "permutations"}) {
        kept[key] = scenario.at(key);
    }
    for (const auto& [law, found] : scenario["laws"].items()) {
        kept["laws"][law] = found;
        kept["laws"][law].erase("odds_of_a_lost_state");
    }
    return kept;
}

}  // namespace

TEST_CASE("fingerprints give the same answers, and JSON has the odds of each law that holds") {
    for (const std::string& asked : {large, "check v2 --partitions 2 --records 1 --symmetry "s}) {
        CAPTURE(asked);
        const Workplace place;
        const Outcome exact = run(place, asked + "--json --save-traces .");
        const Outcome found =
            run(place, asked + "--json --save-traces . --store=fingerprint --workers 2");
        CHECK(exact.status == found.status);
        const auto one = exact.json()["scenarios"][0];
        const auto other = found.json()["scenarios"][0];
        CHECK(answers(one) == answers(other));
        CHECK(one["store"] == nlohmann::json{{"kind", "exact"}});
        CHECK(other["store"]["kind"] == "fingerprint");
        CHECK(other["store"]["bits"] == 70);
        CHECK(other["store"]["has_lost_state"] == false);
        CHECK_FALSE(other["store"].contains("traces_ended_by"));
        const double odds = other["store"]["odds_of_a_lost_state"];
        CHECK(odds > 0);
        CHECK(odds < 1e-8);
        for (const auto& [law, verdict] : other["laws"].items()) {
            CHECK(verdict.contains("odds_of_a_lost_state") == (verdict["verdict"] == "holds"));
        }
    }
}

TEST_CASE("the report has the odds beside the verdict") {
    const Outcome outcome = run(large + "--store=fingerprint --trace=off");
    const std::string text = one_line(outcome.out);
    CHECK(has(text,
              " store fingerprints of 70 bits: no state was lost unless two share one, odds of at "
              "most 1 in 8,980,000,000"));
    CHECK(has(text.substr(text.rfind("verdict: ")),
              "; what holds does so unless two of 512,588 states share a fingerprint: odds of at "
              "most 1 in 8,980,000,000"));
    CHECK_FALSE(has(run(large).out, "fingerprint"));
}

TEST_CASE("a small search keeps every state, whatever the store") {
    const Outcome outcome = run("check v2 --json --store fingerprint");
    CHECK(outcome.status == 0);
    CHECK(outcome.json()["scenarios"][0]["store"]["kind"] == "exact");
    CHECK(run("check v2 --json --store exact").status == 0);
}

TEST_CASE("a limit on memory ends a search by fingerprints as inconclusive") {
    const Outcome outcome =
        run("check v2 --partitions 2 --law exactly_once_output --memory 40M --json "
            "--store=fingerprint");
    CHECK(outcome.status == 3);
    const auto scenario = outcome.json()["scenarios"][0];
    CHECK(scenario["ending"] == "memory");
    CHECK(scenario["memory_bytes"] <= 40U << 20U);
    CHECK(scenario["store"]["kind"] == "fingerprint");
    CHECK(scenario["laws"]["exactly_once_output"]["verdict"] == "inconclusive");
}

TEST_CASE("a signal stops a search by fingerprints with what it has") {
    const Workplace place;
    Running program(place,
                    "check v2 --threads 3 --partitions 3 --json --save-traces . "
                    "--store=fingerprint --law single_appender_per_partition "
                    "--law exactly_once_output");
    program.wait_for_depth(12);
    program.send(SIGINT);
    const Outcome outcome = program.end();
    CHECK(outcome.status == 130);
    const auto scenario = outcome.json()["scenarios"][0];
    CHECK(scenario["ending"] == "interrupted");
    CHECK(scenario["store"]["kind"] == "fingerprint");
    CHECK(scenario["laws"]["exactly_once_output"]["verdict"] == "inconclusive");
    CHECK(scenario["laws"]["single_appender_per_partition"]["verdict"] == "refuted");
}

TEST_CASE("a store that is none, and a verb that has none, are refused") {
    const Outcome unknown = run("check v2 --store=bits");
    CHECK(unknown.status == 2);
    CHECK(
        has(unknown.err, "--store: has no value \"bits\", expected \"exact\" or \"fingerprint\""));
    for (const std::string verb : {"why", "cost"}) {
        const Outcome outcome = run(verb + " --store=fingerprint");
        CHECK(outcome.status == 2);
        CHECK(has(outcome.err,
                  "unknown flag \"--store\": `ringfence check` has it, this verb has not"));
    }
}
