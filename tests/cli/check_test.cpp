#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace ringfence::test;

namespace {

// One thread: a few hundred states.
const std::string small = "check v2 --threads 1 --records 1 --generations 2";

bool is_one_line(const std::string& text) {
    return std::ranges::count(text, '\n') == 1 && text.ends_with('\n');
}

}  // namespace

TEST_CASE("check without an argument checks v1 and v2 and meets their expectations") {
    const Outcome outcome = run("check --json");
    CHECK(outcome.status == 0);
    const auto json = outcome.json();
    CHECK(json["format"] == "ringfence.check");
    CHECK(json["version"] == 1);
    REQUIRE(json["scenarios"].size() == 2);
    CHECK(json["scenarios"][0]["name"] == "v1_clients_2.6_to_2.8");
    CHECK(json["scenarios"][1]["name"] == "v2");
    CHECK(json["scenarios"][1]["complete"] == true);
    CHECK(json["status"] == 0);
}

TEST_CASE("the verdict is the last thing printed, and stderr is silent") {
    const Outcome outcome = run(small);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    const std::size_t last = outcome.out.rfind('\n', outcome.out.size() - 2);
    CHECK(outcome.out.substr(last + 1).starts_with("verdict: v2: "));
}

TEST_CASE("a refutation without an expectation gives 12 and tells its trace") {
    const Outcome outcome = run("check v2 --records 1 --law single_appender_per_partition");
    CHECK(outcome.status == 12);
    CHECK(outcome.out.find("single_appender_per_partition is refuted in") != std::string::npos);
}

TEST_CASE("a refutation that contradicts the expectation gives 4") {
    const Workplace place;
    place.write("s.toml",
                "name = \"s\"\nlaws = [\"single_appender_per_partition\"]\n[bounds]\nrecords = 1\n"
                "[expect]\nsingle_appender_per_partition = { verdict = \"holds\" }\n");
    CHECK(run(place, "check ./s.toml").status == 4);
    CHECK(run(place, "check ./s.toml --max-depth 2").status == 3);
    CHECK(run(place, "check ./s.toml --generations 2").status == 12);
    CHECK(run(place, "check ./s.toml --generations 2 --keep-expect").status == 4);
}

TEST_CASE("a search cut short by a limit is inconclusive") {
    for (const std::string limit :
         {"--max-states 10", "--max-depth 3", "--timeout 0", "--memory 1"}) {
        CAPTURE(limit);
        const Outcome outcome = run("check v2 --law exactly_once_output --json " + limit);
        CHECK(outcome.status == 3);
        const auto scenario = outcome.json()["scenarios"][0];
        CHECK(scenario["complete"] == false);
        CHECK(scenario["laws"]["exactly_once_output"]["verdict"] == "inconclusive");
    }
}

TEST_CASE("the action report counts steps, answers and new states, and names dead actions") {
    // Nobody is there to be expelled by: one thread never meets a zombie's answers.
    const auto scenario = run(small + " --json").json()["scenarios"][0];
    std::uint64_t fired = 0;
    std::uint64_t new_states = 0;
    nlohmann::json dead = nlohmann::json::array();
    for (const auto& [verb, action] : scenario["actions"].items()) {
        std::uint64_t answers = 0;
        for (const auto& [answer, count] : action["results"].items()) {
            answers += count.get<std::uint64_t>();
        }
        CHECK(action["fired"] == answers);
        CHECK(action["new_states"] <= action["fired"]);
        fired += action["fired"].get<std::uint64_t>();
        new_states += action["new_states"].get<std::uint64_t>();
        if (action["possible"] == true && action["fired"] == 0) { dead.push_back(verb); }
    }
    CHECK(fired == scenario["transitions"]);
    CHECK(new_states + scenario["states_per_level"][0].get<std::uint64_t>() == scenario["states"]);
    CHECK(scenario["dead_actions"].size() == dead.size());
}

TEST_CASE("an action that could fire and never did is a warning, and with --strict status 5") {
    // In one generation nobody can be expelled, so nobody learns of it.
    const std::string dead = "check v2 --threads 1 --records 1 --generations 1";
    const Outcome usual = run(dead);
    CHECK(usual.status == 0);
    CHECK(usual.out.find("WARNING, never taken: ") != std::string::npos);
    const Outcome strict = run(dead + " --strict");
    CHECK(strict.status == 5);
    CHECK(strict.out.find("never taken\n", strict.out.find("verdict: ")) != std::string::npos);
    CHECK(run(dead + " --strict --max-depth 2").status == 3);
    CHECK(run("check v2 --strict").status == 0);
}

TEST_CASE("a witness that is wanted and not met gives 5, and the report says so") {
    const Outcome outcome =
        run("check v2 --threads 1 --records 1 --generations 1 --witness generation_refused");
    CHECK(outcome.status == 5);
    CHECK(outcome.out.find("not reached, but wanted") != std::string::npos);
}

TEST_CASE("results do not depend on the number of workers") {
    const auto without_times = [](const std::string& workers) {
        auto json = run("check v2 --json --workers " + workers).json();
        for (auto& scenario : json["scenarios"]) {
            scenario.erase("seconds");
            scenario.erase("workers");
        }
        return json;
    };
    const auto one = without_times("1");
    CHECK(one == without_times("2"));
    CHECK(one == without_times("4"));
}

TEST_CASE("with symmetry fewer states give the same verdicts, lengths and expectations") {
    const Outcome all = run("check --json");
    const Outcome orbits = run("check --json --symmetry");
    CHECK(orbits.status == 0);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto one = all.json()["scenarios"][i];
        const auto other = orbits.json()["scenarios"][i];
        CHECK(one["permutations"] == 1);
        CHECK(other["permutations"] == 2);
        CHECK(other["states"] < one["states"]);
        CHECK(one.contains("states_expected"));
        CHECK_FALSE(other.contains("states_expected"));
        CHECK(other["laws"].size() == one["laws"].size());
        for (const auto& [law, verdict] : one["laws"].items()) {
            CHECK(other["laws"][law]["verdict"] == verdict["verdict"]);
            CHECK(other["laws"][law].value("steps", 0) == verdict.value("steps", 0));
        }
    }
    const Outcome text = run("check v2 --symmetry");
    CHECK(text.out.find("symmetry       states up to 2 renamings") != std::string::npos);
}

TEST_CASE("flags beat the environment, and the environment beats the file") {
    const Workplace place;
    place.write("s.toml", "name = \"s\"\n[bounds]\nthreads = 3\nrecords = 1\ngenerations = 2\n");
    const auto threads = [&](const std::string& flags, const std::string& variables) {
        const auto json =
            run(place, "check ./s.toml --json --max-states 5 " + flags, variables).json();
        return json["scenarios"][0]["bounds"]["threads"].get<int>();
    };
    CHECK(threads("", "") == 3);
    CHECK(threads("", "RINGFENCE_THREADS=2") == 2);
    CHECK(threads("--threads 1", "RINGFENCE_THREADS=2") == 1);
}

TEST_CASE("rules and budgets may be set from flags and from the environment") {
    const Outcome outcome = run(
        small +
            " --json --rule member_test=off --disturb expulsion=unlimited --law no_stale_commit",
        "RINGFENCE_RULE=member_test=on,generation_test=off RINGFENCE_MAX_STATES=5");
    const auto scenario = outcome.json()["scenarios"][0];
    CHECK(scenario["rules"]["member_test"] == "off");
    CHECK(scenario["rules"]["generation_test"] == "off");
    CHECK(scenario["disturbances"]["expulsion"] == "unlimited");
    CHECK(scenario["laws"].size() == 1);
}

TEST_CASE("a release from the command line is a scenario of its own") {
    const Outcome outcome = run("check --kafka 3.5 --json --max-states 5");
    const auto scenario = outcome.json()["scenarios"][0];
    CHECK(scenario["broker"] == "3.5");
    CHECK(scenario["rules"]["marker_acknowledged"] == "on_append");
}

TEST_CASE("every refutation is saved where the flag says") {
    const Workplace place;
    const Outcome outcome = run(place,
                                "check v2 --json --records 1 --law single_appender_per_partition "
                                "--save-traces kept");
    const auto law = outcome.json()["scenarios"][0]["laws"]["single_appender_per_partition"];
    CHECK(law["trace_file"] == "kept/v2.single_appender_per_partition.json");
    CHECK(run(place, "replay kept/v2.single_appender_per_partition.json").status == 0);
}

TEST_CASE("bad input gives one line, status 2, and writes nothing") {
    const Workplace place;
    place.write("s.toml", "name = \"s\"\n[rules]\nmemeber_test = \"off\"\n");
    for (const std::string arguments : {"check ./s.toml --save-traces kept",
                                        "check v3 --save-traces kept",
                                        "chek",
                                        "",
                                        "check --thredas 3",
                                        "check --threads",
                                        "check --threads 9",
                                        "check --workers none",
                                        "check --rule x --save-traces kept",
                                        "check --memory 3X",
                                        "check --trace=loud",
                                        "check v2 ./s.toml --save-traces kept",
                                        "show",
                                        "show v9",
                                        "list rulez",
                                        "why v9",
                                        "check --disturb leader_change=1",
                                        "check --kafka 4.0 --guarantee exactly_once",
                                        "check v2 v2",
                                        "replay"}) {
        CAPTURE(arguments);
        const Outcome outcome = run(place, arguments);
        CHECK(outcome.status == 2);
        CHECK(outcome.out.empty());
        CHECK(is_one_line(outcome.err));
        CHECK(place.files() == 1);
    }
    CHECK(run(place, "check ./s.toml").err.starts_with("./s.toml:3:1: unknown rule"));
    CHECK(run(place, "check", "RINGFENCE_THREDS=2").err.starts_with("RINGFENCE_THREDS: unknown"));
}

TEST_CASE("a file that cannot be read or written gives 74") {
    const Workplace place;
    place.write("file", "");
    CHECK(run(place, "check ./missing.toml").status == 74);
    CHECK(run(place, "check ./").status == 74);
    CHECK(run(place, "replay missing.json").status == 74);
    CHECK(run(place, "check v2 --records 1 --save-traces file/below").status == 74);
}

TEST_CASE("help and version are results") {
    CHECK(run("--help").status == 0);
    const std::string help = run("check --help").out;
    CHECK(help.find("  --threads ") != std::string::npos);
    CHECK(help.find("  --trace ") != std::string::npos);
    CHECK(help.find('{') == std::string::npos);
    CHECK(run("--version").out.starts_with("ringfence "));
}
