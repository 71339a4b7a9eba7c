#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace ringfence::test;

namespace {

// A workplace with the trace of a refutation in it.
struct WithTrace {
    Workplace place;
    nlohmann::ordered_json trace;

    WithTrace() {
        run(place, "check v2 --records 1 --law single_appender_per_partition --save-traces .");
        trace = nlohmann::ordered_json::parse(place.read("v2.single_appender_per_partition.json"));
    }
    Outcome replayed(const std::string& flags = "--json") const {
        place.write("changed.json", trace.dump(2));
        return run(place, "replay changed.json " + flags);
    }
};

}  // namespace

TEST_CASE("a saved trace replays and is told again") {
    const WithTrace saved;
    const Outcome outcome = saved.replayed("");
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find("and single_appender_per_partition is violated") != std::string::npos);
    CHECK(saved.replayed().json()["replays"] == true);
}

TEST_CASE("a step that is not enabled stops the replay") {
    WithTrace saved;
    saved.trace["steps"].erase(1);
    for (std::size_t i = 0; i < saved.trace["steps"].size(); ++i) {
        saved.trace["steps"][i]["number"] = i + 1;
    }
    saved.trace["length"] = saved.trace["steps"].size();
    CHECK(saved.replayed().status != 0);
}

TEST_CASE("a step that the model does not know stops the replay") {
    WithTrace saved;
    saved.trace["steps"][2]["action"] = "no_such_verb thread=0";
    const Outcome outcome = saved.replayed();
    CHECK(outcome.status == 20);
    CHECK(outcome.json()["stops_at_step"] == 3);
}

TEST_CASE("another answer stops the replay") {
    WithTrace saved;
    saved.trace["steps"][1]["answer"] = "PRODUCER_FENCED";
    const Outcome outcome = saved.replayed();
    CHECK(outcome.status == 20);
    CHECK(outcome.json()["stops_at_step"] == 2);
}

TEST_CASE("other rules than the trace was found under stop the replay") {
    WithTrace saved;
    saved.trace["bounds"]["generations"] = 1;
    CHECK(saved.replayed().status == 20);
}

TEST_CASE("a law that holds at the end does not fit") {
    WithTrace saved;
    saved.trace["law"]["name"] = "no_stale_commit";
    const Outcome outcome = saved.replayed();
    CHECK(outcome.status == 20);
    CHECK(outcome.json()["reason"].get<std::string>().find("not violated") != std::string::npos);
}

TEST_CASE("an unknown rule in a trace is refused where it stands") {
    WithTrace saved;
    saved.trace["rules"]["member_test"] = "maybe";
    const Outcome outcome = saved.replayed();
    CHECK(outcome.status == 2);
    CHECK(outcome.err.starts_with("changed.json:"));
    CHECK(outcome.err.find("nearest is") != std::string::npos);
}

TEST_CASE("half a trace is refused") {
    const Workplace place;
    place.write("half.json", "{\"format\": \"ringfence.trace\",");
    const Outcome outcome = run(place, "replay half.json");
    CHECK(outcome.status == 2);
    CHECK(outcome.err.starts_with("half.json:1:"));
}

TEST_CASE("a setting that is missing from a trace is refused by name, not assumed") {
    for (const std::string section : {"rules", "bounds", "disturbances"}) {
        WithTrace saved;
        const std::string name = std::prev(saved.trace[section].end()).key();
        saved.trace[section].erase(name);
        CAPTURE(section);
        const Outcome outcome = saved.replayed();
        CHECK(outcome.status == 2);
        CHECK(outcome.err.starts_with("changed.json:"));
        CHECK(outcome.err.find("key \"" + section + "." + name + "\" is missing\n") !=
              std::string::npos);
    }
}

TEST_CASE("bounds that do not fit a trace's rules are refused at the setting") {
    WithTrace saved;
    saved.trace["rules"]["transactional_id"] = "task";
    const Outcome outcome = saved.replayed();
    CHECK(outcome.status == 2);
    CHECK(outcome.err.find(": transactional_id = task needs") != std::string::npos);
    CHECK(outcome.err.starts_with("changed.json:"));
    CHECK_FALSE(outcome.err.starts_with("changed.json: "));
}
