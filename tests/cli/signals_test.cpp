// SIGINT, SIGTERM and SIGUSR1 during a search that would take very long.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace ringfence::test;

namespace {

const std::string endless = "check v2 --threads 3 --partitions 3 ";

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Outcome stopped(const std::string& arguments, int signal) {
    const Workplace place;
    Running program(place, arguments);
    program.wait_for_progress();
    program.send(signal);
    return program.end();
}

std::vector<std::uint64_t> levels_of(const nlohmann::json& scenario) {
    return scenario["states_per_level"].get<std::vector<std::uint64_t>>();
}

}  // namespace

TEST_CASE("SIGINT stops the search with a partial report and status 130") {
    const Outcome outcome = stopped(endless + "--json", SIGINT);
    CHECK(outcome.status == 130);
    const auto json = outcome.json();
    CHECK(json["status"] == 130);
    const auto scenario = json["scenarios"][0];
    CHECK(scenario["ending"] == "interrupted");
    CHECK(scenario["complete"] == false);
    CHECK(scenario["laws"]["exactly_once_output"]["verdict"] == "inconclusive");
    for (const auto& [law, found] : scenario["laws"].items()) {
        CHECK(found["verdict"] != "holds");
    }
}

TEST_CASE("SIGTERM does the same with status 143") {
    const Outcome outcome = stopped(endless + "--json", SIGTERM);
    CHECK(outcome.status == 143);
    CHECK(outcome.json()["status"] == 143);
    CHECK(outcome.json()["scenarios"][0]["ending"] == "interrupted");
}

TEST_CASE("a partial report is correct: its counts are those of a search that goes on") {
    const Workplace place;
    const auto partial = stopped(endless + "--json", SIGINT).json()["scenarios"][0];
    const auto levels = levels_of(partial);
    std::uint64_t states = 0;
    for (const std::uint64_t level : levels) { states += level; }
    CHECK(states == partial["states"]);
    CHECK(levels.size() == partial["depth"].get<std::size_t>() + 1);

    // The last level, and the one that was being expanded, may be incomplete.
    REQUIRE(levels.size() > 3);
    const std::size_t depth = std::min<std::size_t>(levels.size() - 2, 12);
    const auto again = levels_of(
        run(place, endless + "--json --max-depth " + std::to_string(depth)).json()["scenarios"][0]);
    REQUIRE(again.size() == depth + 1);
    CHECK(std::equal(again.begin(), again.end(), levels.begin()));
}

TEST_CASE("a stopped search leaves nothing behind: the same counts when run again") {
    const std::string limited = "check v2 --partitions 2 --records 1 --max-depth 14 --json";
    const auto counts = [&limited] {
        auto scenario = run(limited).json()["scenarios"][0];
        for (const std::string key : {"seconds", "memory_bytes"}) { scenario.erase(key); }
        return scenario;
    };
    const auto before = counts();
    CHECK(stopped(endless, SIGINT).status == 130);
    CHECK(counts() == before);
}

TEST_CASE("the text of a partial report says what stopped it, and ends with the verdict") {
    const Outcome outcome = stopped(endless, SIGINT);
    CHECK(outcome.status == 130);
    CHECK(has(outcome.out, "not exhaustive: stopped by a signal"));
    CHECK(has(outcome.out, " inconclusive"));
    CHECK(outcome.out.ends_with('\n'));
    const std::size_t last = outcome.out.rfind("verdict: v2: ");
    REQUIRE(last != std::string::npos);
    CHECK(outcome.out.substr(0, last).ends_with("\n\n"));
}

TEST_CASE("a law that fell before the signal is refuted, with its trace, and status stays 130") {
    const Workplace place;
    Running program(place,
                    "check v2 --partitions 2 --records 4 --json --save-traces . "
                    "--law single_appender_per_partition --law exactly_once_output");
    program.wait_for_depth(12);
    program.send(SIGINT);
    const Outcome outcome = program.end();
    CHECK(outcome.status == 130);
    const auto laws = outcome.json()["scenarios"][0]["laws"];
    CHECK(laws["exactly_once_output"]["verdict"] == "inconclusive");
    const auto refuted = laws["single_appender_per_partition"];
    REQUIRE(refuted["verdict"] == "refuted");
    CHECK(run(place, "replay " + refuted["trace_file"].get<std::string>()).status == 0);
}

TEST_CASE("a signal during one of several scenarios keeps the reports so far, and stops") {
    const Outcome outcome = stopped(
        "check v1_clients_2.6_to_2.8 v2 at_least_once --threads 3 --partitions 3 --json", SIGINT);
    CHECK(outcome.status == 130);
    CHECK(outcome.json()["scenarios"].size() == 1);
}

TEST_CASE("SIGUSR1 asks for one progress line, and changes nothing else") {
    const Workplace place;
    Running program(place, endless + "--law exactly_once_output --max-states 3000000 --json");
    program.wait_for_progress();
    const Outcome outcome = program.end();
    CHECK(outcome.status == 3);
    CHECK(outcome.json()["scenarios"][0]["ending"] == "states");
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK(outcome.err.starts_with("v2: "));
    for (const std::string part :
         {" states (", " M/s)", " transitions, depth ", ", queue ", "iB, ", " % of the limit\n"}) {
        CHECK_MESSAGE(has(outcome.err, part), outcome.err);
    }
}

TEST_CASE("why stops with the rows that it has") {
    const Outcome outcome = stopped("why --threads 3 --partitions 3 --json", SIGINT);
    CHECK(outcome.status == 130);
    const auto rows = outcome.json()["rows"];
    REQUIRE(!rows.empty());
    CHECK(rows.back()["complete"] == false);
}

TEST_CASE("cost stops with what it has found") {
    const std::string arguments = "cost v1_clients_2.6_to_2.8 --partitions 4 --records 4 --json";
    const Outcome interrupted = stopped(arguments, SIGINT);
    CHECK(interrupted.status == 130);
    const auto json = interrupted.json();
    CHECK(json["status"] == 130);
    const auto searches = json["schemes"][0]["searches"];
    CHECK(searches["undisturbed"]["ending"] == "interrupted");
    CHECK(searches["undisturbed"]["states"] > 0);
    CHECK_FALSE(searches.contains("member_expelled"));
    CHECK(stopped(arguments, SIGTERM).status == 143);
}
