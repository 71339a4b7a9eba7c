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
