#include "properties/catalogue.hpp"
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace ringfence::test;

TEST_CASE("why decides every cell, and its report has the promised form") {
    const Workplace place;
    const Outcome outcome = run(place, "why v2 v2_no_tests --json --records 1");
    CHECK(outcome.status == 0);
    const auto json = outcome.json();
    CHECK(json["format"] == "ringfence.why");
    CHECK(json["version"] == 1);
    CHECK(json["bounds"]["records"] == 1);
    CHECK(json["disturbances"]["expulsion"] == 1);
    CHECK(json["laws"].size() == 7);
    REQUIRE(json["rows"].size() == 2);
    const auto& row = json["rows"][1];
    CHECK(row["name"] == "v2_no_tests");
    CHECK(row["rules"]["member_test"] == "off");
    CHECK(row["complete"] == true);
    CHECK(row["states"] > 0);
    CHECK(row["transitions"] > 0);
    CHECK(row["bounds_cut"].is_object());
    const auto& cell = row["cells"]["single_appender_per_partition"];
    CHECK(cell["verdict"] == "refuted");
    CHECK(cell["steps"] > 0);
    CHECK(row["cells"]["no_false_fence"] == nlohmann::json{{"verdict", "holds"}});
}

TEST_CASE("every refuted cell saves a trace that replays") {
    const Workplace place;
    const auto json = run(place, "why v2_no_tests --json --records 1").json();
    const auto& cells = json["rows"][0]["cells"];
    std::size_t refuted = 0;
    for (const auto& cell : cells) {
        if (cell["verdict"] != "refuted") { continue; }
        ++refuted;
        const Outcome replayed =
            run(place, "replay --json " + cell["trace_file"].get<std::string>());
        CHECK(replayed.status == 0);
        CHECK(replayed.json()["steps"] == cell["steps"]);
    }
    CHECK(refuted >= 2);
}

TEST_CASE("a rule adds a row on top of the named scheme") {
    const Workplace place;
    const auto json =
        run(place, "why v2 --json --records 1 --rule offset_fetch=any --generations 2").json();
    REQUIRE(json["rows"].size() == 2);
    CHECK(json["rows"][0]["rules"]["offset_fetch"] == "stable");
    CHECK(json["rows"][1]["name"] == "v2 + offset_fetch=any");
    CHECK(json["rows"][1]["rules"]["offset_fetch"] == "any");
    CHECK(json["bounds"]["generations"] == 2);

    const auto other = run(place,
                           "why v2 --json --records 1 --scheme v1_clients_up_to_2.5 "
                           "--rule init_bumps_epoch=no --generations 2")
                           .json();
    CHECK(other["rows"][1]["rules"]["guarantee"] == "exactly_once");
    CHECK(other["rows"][1]["rules"]["init_bumps_epoch"] == "no");
}

TEST_CASE("the same rules by another way give the same row") {
    const Workplace place;
    const auto json = run(place, "why v2_fetch_any --json --rule offset_fetch=any").json();
    auto shipped = json["rows"][0];
    auto added = json["rows"][1];
    for (auto* row : {&shipped, &added}) {
        row->erase("name");
        for (auto& cell : (*row)["cells"]) { cell.erase("trace_file"); }
    }
    CHECK(shipped == added);
}

TEST_CASE("a cell that a limit left open gives 3") {
    const Workplace place;
    const Outcome outcome = run(place, "why v2 --json --max-depth 2");
    CHECK(outcome.status == 3);
    CHECK(outcome.json()["rows"][0]["complete"] == false);
}

TEST_CASE("all laws become columns on demand") {
    const Workplace place;
    CHECK(run(place, "why v2 --json --max-depth 1 --all-laws").json()["laws"].size() ==
          ringfence::properties::laws().size());
    CHECK(run(place, "why v2 --json --max-depth 1 --law deadlock_free").json()["laws"].size() == 1);
}

TEST_CASE("a name that is no row is refused, and a scenario with the verb that searches it") {
    const Outcome unknown = run("why v2_no_test");
    CHECK(unknown.status == 2);
    CHECK(unknown.err.find("unknown row \"v2_no_test\"") != std::string::npos);
    CHECK(unknown.err.find("nearest is \"v2_no_tests\"") != std::string::npos);
    const Outcome scenario = run("why kafka_6119");
    CHECK(scenario.status == 2);
    CHECK(
        scenario.err.find("\"kafka_6119\" is no row of the matrix: `ringfence check kafka_6119`") !=
        std::string::npos);
}
