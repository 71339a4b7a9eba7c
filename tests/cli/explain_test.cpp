#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace ringfence::test;

namespace {

// A workplace with a refutation told by `check` and saved.
struct WithTrace {
    Workplace place;
    std::string told;
    const std::string file = "v2.single_appender_per_partition.json";

    WithTrace() {
        told =
            run(place, "check v2 --records 1 --law single_appender_per_partition --save-traces .")
                .out;
    }
    Outcome explained(const std::string& flags = "") const {
        return run(place, "explain " + file + " " + flags);
    }
};

}  // namespace

TEST_CASE("explain tells a trace as check told it") {
    const WithTrace saved;
    const Outcome outcome = saved.explained();
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out.starts_with("single_appender_per_partition is refuted in "));
    CHECK(saved.told.find(outcome.out) != std::string::npos);
}

TEST_CASE("explain as JSON gives the file again, byte for byte") {
    const WithTrace saved;
    CHECK(saved.explained("--json").out == saved.place.read(saved.file));
}

TEST_CASE("explain tells as much as is asked for") {
    const WithTrace saved;
    const std::string off = saved.explained("--trace=off").out;
    const std::string diff = saved.explained("--trace=diff").out;
    const std::string full = saved.explained("--trace=full").out;
    CHECK(diff == saved.explained().out);
    CHECK(off.find("initial state") == std::string::npos);
    CHECK(off.find("\nwhy\n") != std::string::npos);
    CHECK(off.size() < diff.size());
    CHECK(diff.size() < full.size());
}

TEST_CASE("explain paints only where it is told to") {
    const WithTrace saved;
    CHECK(saved.explained("--color=never").out.find('\033') == std::string::npos);
    CHECK(saved.explained("--color=always").out.find('\033') != std::string::npos);
    CHECK(saved.explained("--color --json").out.find('\033') == std::string::npos);
}

TEST_CASE("explain asks no model: actions that nobody knows any more are told all the same") {
    const WithTrace saved;
    auto trace = nlohmann::ordered_json::parse(saved.place.read(saved.file));
    trace["steps"][2]["action"] = "no_such_verb thread=0";
    trace["rules"]["no_such_rule"] = "on";
    saved.place.write("old.json", trace.dump(2));
    CHECK(run(saved.place, "explain old.json").status == 0);
    CHECK(run(saved.place, "replay old.json").status != 0);
}

TEST_CASE("explain refuses what is no trace") {
    const Workplace place;
    place.write("other.json", "{\"format\": \"ringfence.check\", \"version\": 1}");
    const Outcome outcome = run(place, "explain other.json");
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("other.json:1:"));
    CHECK(run(place, "explain missing.json").status == 74);
    CHECK(run(place, "explain").status == 2);
}

TEST_CASE("explain writes control characters of a trace as text") {
    const WithTrace saved;
    auto trace = nlohmann::ordered_json::parse(saved.place.read(saved.file));
    trace["scenario"] = "\x1b]0;title\x07";
    trace["steps"][0]["reason"] = "first\nverdict: all is well";
    saved.place.write("strange.json", trace.dump(2));
    const Outcome outcome = run(saved.place, "explain strange.json");
    CHECK(outcome.status == 0);
    CHECK(outcome.out.find("\\x1b]0;title\\x07") != std::string::npos);
    CHECK(outcome.out.find("first\\x0averdict: all is well") != std::string::npos);
    CHECK(outcome.out.find('\x1b') == std::string::npos);
}
