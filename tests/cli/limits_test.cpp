// What a limit leaves of a report, and progress while a search runs.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace ringfence::test;

namespace {

const std::string large = "check v2 --partitions 2 --json ";

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

nlohmann::json limited(const std::string& limit) {
    const Outcome outcome = run(large + limit);
    CHECK(outcome.status == 3);
    CHECK(outcome.err.empty());
    const auto json = outcome.json();
    CHECK(json["status"] == 3);
    const auto scenario = json["scenarios"][0];
    CHECK(scenario["complete"] == false);
    std::uint64_t states = 0;
    for (const auto& level : scenario["states_per_level"]) { states += level.get<std::uint64_t>(); }
    CHECK(states == scenario["states"]);
    for (const auto& [law, found] : scenario["laws"].items()) {
        CHECK(found["verdict"] != "holds");
    }
    return scenario;
}

}  // namespace

TEST_CASE("--max-states ends the search soon after so many states") {
    const auto scenario = limited("--max-states 50000 --law exactly_once_output");
    CHECK(scenario["ending"] == "states");
    CHECK(scenario["states"] > 50'000);
    CHECK(scenario["states"] < 500'000);
}

TEST_CASE("--max-depth ends the search at that depth, with all states up to it") {
    const auto scenario = limited("--max-depth 12 --law exactly_once_output");
    CHECK(scenario["ending"] == "depth");
    CHECK(scenario["depth"] == 12);
    const auto deeper = limited("--max-depth 13 --law exactly_once_output");
    auto levels = deeper["states_per_level"];
    levels.erase(levels.size() - 1);
    CHECK(levels == scenario["states_per_level"]);
}

TEST_CASE("--timeout ends the search after so many seconds") {
    const auto scenario = limited("--timeout 0.3 --law exactly_once_output");
    CHECK(scenario["ending"] == "time");
    CHECK(scenario["seconds"] >= 0.3);
    CHECK(scenario["states"] > 0);
}

TEST_CASE("--memory ends the search before it owns more than that") {
    const auto scenario = limited("--memory 24M --law exactly_once_output");
    CHECK(scenario["ending"] == "memory");
    CHECK(scenario["memory_bytes"] <= 24U << 20U);
    CHECK(scenario["states"] > 1000);
}

TEST_CASE("a limit says nothing about laws that fell before it") {
    const Outcome outcome = run(large +
                                "--max-depth 12 --law single_appender_per_partition "
                                "--law exactly_once_output");
    CHECK(outcome.status == 12);
    const auto laws = outcome.json()["scenarios"][0]["laws"];
    CHECK(laws["single_appender_per_partition"]["verdict"] == "refuted");
    CHECK(laws["exactly_once_output"]["verdict"] == "inconclusive");
}

TEST_CASE("the text of a partial report names the limit") {
    const auto text = [](const std::string& limit) {
        return run("check v2 --law exactly_once_output " + limit).out;
    };
    CHECK(has(text("--max-states 10"), "not exhaustive: stopped by the limit on states"));
    CHECK(has(text("--max-depth 3"), "not exhaustive: stopped by the limit on depth"));
    CHECK(has(text("--timeout 0"), "not exhaustive: stopped by the limit on time"));
    CHECK(has(text("--memory 1"), "not exhaustive: stopped by the limit on memory"));
}

TEST_CASE("limits from the environment are limits, and flags beat them") {
    const auto ending = [](const std::string& flags) {
        const auto json =
            run("check v2 --json --law exactly_once_output " + flags, "RINGFENCE_MAX_DEPTH=2");
        return json.json()["scenarios"][0]["depth"].get<int>();
    };
    CHECK(ending("") == 2);
    CHECK(ending("--max-depth 4") == 4);
}

TEST_CASE("progress on a terminal is one line that is written over, and gone at the end") {
    const Workplace place;
    const std::string shown = shown_on_terminal(
        place, RINGFENCE_EXECUTABLE " check v2 --threads 3 --partitions 3 --timeout 60 >stdout",
        " % of the limit\r\x1b[Kv2: ");
    CHECK(shown.starts_with("v2: "));
    CHECK(has(shown, " s, "));
    CHECK(shown.ends_with("\r\x1b[K"));
    CHECK(std::ranges::count(shown, '\n') == 0);
    CHECK(has(place.read("stdout"), "stopped by a signal"));
}
