#include "tests/cli/program.hpp"

#include "model/bounds.hpp"
#include "model/rules.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace ringfence;
using namespace ringfence::test;

namespace {

// The scenario with the comment sign taken away from every rule.
std::string with_all_rules(std::string text) {
    for (const model::RuleEntry& rule : model::rule_catalogue()) {
        const std::string line = "\n#" + std::string(rule.name) + " = ";
        const std::size_t found = text.find(line);
        REQUIRE(found != std::string::npos);
        text.erase(found + 1, 1);
    }
    return text;
}

}  // namespace

TEST_CASE("init writes a scenario that is checked as expected, under its file's name") {
    const Workplace place;
    const Outcome made = run(place, "init mine.toml");
    CHECK(made.status == 0);
    CHECK(made.err.empty());
    CHECK(place.files() == 1);
    const Outcome checked = run(place, "check ./mine.toml --strict --json");
    CHECK(checked.status == 0);
    CHECK(checked.json()["scenarios"][0]["name"] == "mine");
}

TEST_CASE("init without a file prints the scenario") {
    const Workplace place;
    const Outcome printed = run(place, "init");
    CHECK(printed.status == 0);
    CHECK(place.files() == 0);
    place.write("printed.toml", printed.out);
    CHECK(run(place, "check ./printed.toml").status == 0);
}

TEST_CASE("init names every rule, and each line is what it says to be: the default") {
    const Workplace place;
    place.write("all.toml", with_all_rules(run("init").out));
    const auto shown = run(place, "show ./all.toml --json").json();
    CHECK(shown["rules"] == run("show v2 --json").json()["rules"]);
    CHECK(run(place, "check ./all.toml").status == 0);
}

TEST_CASE("init never touches a file that is there") {
    const Workplace place;
    place.write("mine.toml", "precious");
    const Outcome refused = run(place, "init mine.toml");
    CHECK(refused.status == 74);
    CHECK(refused.out.empty());
    CHECK(refused.err == "cannot write mine.toml: File exists\n");
    CHECK(place.read("mine.toml") == "precious");
    CHECK(place.files() == 1);
    CHECK(run(place, "init missing/mine.toml").status == 74);
}

TEST_CASE("init makes a name of whatever the file is called") {
    const Workplace place;
    CHECK(run(place, "init 'my \"own\" case.toml'").status == 0);
    CHECK(run(place, "check './my \"own\" case.toml' --max-states 5").status == 3);
    CHECK(run(place, "init .toml --json")
              .json()["text"]
              .get<std::string>()
              .find("name = \".toml\"") != std::string::npos);
}
