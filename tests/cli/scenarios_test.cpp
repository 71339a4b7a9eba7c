// The shipped scenarios, and the verbs that show names.
#include "cli/scenarios.hpp"
#include "cli/shipped.hpp"
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace ringfence;
using namespace ringfence::test;

TEST_CASE("shipped scenarios have names, sources and expectations of their own") {
    std::set<std::string> names;
    for (const model::ScenarioFile& file : cli::shipped_scenarios()) {
        CAPTURE(file.path);
        CHECK(names.insert(file.name).second);
        CHECK(!file.what.empty());
        CHECK(!file.source.empty());
        REQUIRE(file.expectations);
        CHECK(!file.expectations->laws.empty());
        // The name follows the number in the file's name.
        CHECK(file.path.ends_with(file.name + ".toml"));
    }
    CHECK(names.size() == cli::shipped_files().size());
}

TEST_CASE("every scheme is shipped as a scenario of its name") {
    for (const model::Scheme& scheme : model::scheme_catalogue()) {
        const model::ScenarioFile file = cli::load_scenario(std::string(scheme.name));
        const model::Scenario scenario = model::scenario_of(file, {}, cli::known_names(), false);
        CHECK(scenario.asked.rules == scheme.rules);
    }
}

TEST_CASE("no two rows of the matrix have the same rules") {
    std::vector<model::Rules> rules;
    for (const model::ScenarioFile& row : cli::shipped_rows()) {
        CAPTURE(row.name);
        const auto scenario = model::scenario_of(row, {}, cli::known_names(), false);
        CHECK(std::ranges::find(rules, scenario.asked.rules) == rules.end());
        rules.push_back(scenario.asked.rules);
    }
}

namespace {

using model::ExpectedVerdict;

constexpr std::string_view incidents = "scenarios/incidents/";
constexpr std::string_view fixed = "_fixed";

const model::Expectation& expected(const model::ScenarioFile& file, std::string_view law) {
    const auto& laws = file.expectations->laws;
    const auto found = std::ranges::find(laws, law, &model::Expectation::law);
    REQUIRE(found != laws.end());
    return *found;
}

}  // namespace

TEST_CASE("an incident and its fix differ in rules alone, and some law falls only without it") {
    const std::vector<model::ScenarioFile> shipped = cli::shipped_scenarios();
    std::size_t pairs = 0;
    for (const model::ScenarioFile& file : shipped) {
        const bool is_incident = file.path.starts_with(incidents);
        if (!is_incident || file.name.ends_with(fixed)) { continue; }
        CAPTURE(file.name);
        const model::ScenarioFile fix = cli::load_scenario(file.name + std::string(fixed));
        const auto broken = model::scenario_of(file, {}, cli::known_names(), false);
        const auto mended = model::scenario_of(fix, {}, cli::known_names(), false);
        CHECK(broken.asked.bounds == mended.asked.bounds);
        CHECK(broken.asked.disturbances == mended.asked.disturbances);
        CHECK(broken.asked.rules != mended.asked.rules);
        CHECK(broken.asked.laws == mended.asked.laws);
        bool is_fixed = false;
        for (const model::Expectation& law : file.expectations->laws) {
            const bool holds = expected(fix, law.law).verdict == ExpectedVerdict::holds;
            is_fixed = is_fixed || (law.verdict == ExpectedVerdict::refuted && holds);
        }
        CHECK(is_fixed);
        ++pairs;
    }
    CHECK(pairs >= 15);
}

TEST_CASE("every scenario comes out as it is pinned, with and without symmetry") {
    std::string command = "check --trace=off --json";
    for (const model::ScenarioFile& file : cli::shipped_scenarios()) { command += " " + file.name; }
    const Outcome all = run(command);
    const Outcome orbits = run(command + " --symmetry");
    REQUIRE(all.status == 0);
    REQUIRE(orbits.status == 0);
    const auto scenarios = all.json()["scenarios"];
    const auto canonical = orbits.json()["scenarios"];
    REQUIRE(scenarios.size() == canonical.size());
    std::size_t smaller = 0;
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        CAPTURE(scenarios[i]["name"]);
        for (const char* key : {"name", "ending", "depth", "witnesses"}) {
            CAPTURE(key);
            CHECK(scenarios[i][key] == canonical[i][key]);
        }
        for (const auto& [law, report] : scenarios[i]["laws"].items()) {
            CAPTURE(law);
            const auto& other = canonical[i]["laws"][law];
            CHECK(report["verdict"] == other["verdict"]);
            CHECK(report.value("steps", 0) == other.value("steps", 0));
        }
        if (canonical[i]["states"] < scenarios[i]["states"]) { ++smaller; }
    }
    CHECK(smaller > scenarios.size() / 2);
}

TEST_CASE("list is the authority on every name") {
    const auto json = run("list --json").json();
    CHECK(json["format"] == "ringfence.list");
    for (const std::string topic :
         {"scenarios", "schemes", "rules", "bounds", "disturbances", "laws", "witnesses", "actions",
          "answers", "bounds_cut", "releases", "formats", "keys"}) {
        CAPTURE(topic);
        REQUIRE(json.contains(topic));
        CHECK(!json[topic].empty());
        CHECK(json[topic][0].contains("name"));
    }
    CHECK(json["rules"].size() == model::rule_catalogue().size());
    CHECK(run("list rules --json").json().size() == 3);
}

TEST_CASE("show tells a scenario with its rules and sources") {
    const Outcome text = run("show v2_no_tests");
    CHECK(text.status == 0);
    CHECK(text.out.find("off *") != std::string::npos);
    const auto json = run("show v2_no_tests --json").json();
    CHECK(json["rules"]["member_test"] == "off");
    CHECK(json["expect"]["single_writer_per_partition"]["verdict"] == "refuted");
}
