// The exit status of the program itself, row by row, and where several rows apply. (13 waits for a
// law about liveness, and 70 for a bug: conclusion_test.cpp has them.)
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace ringfence::test;

namespace {

const std::string falls = "v2 --records 1 --law single_appender_per_partition ";

// v1 whose client forgets the fenced work: a record is lost, and with it the end of the story.
const std::string deadlocked = "check spring_kafka_1424 --records 1 ";

int status_of(const std::string& arguments) { return run(arguments).status; }

int status_of_file(const std::string& text, const std::string& flags = "") {
    const Workplace place;
    place.write("s.toml", "name = \"s\"\nscheme = \"v2\"\n" + text);
    return run(place, "check ./s.toml " + flags).status;
}

int status_after(int signal, const std::string& arguments) {
    const Workplace place;
    Running program(place, arguments);
    program.wait_for_progress();
    program.send(signal);
    return program.end().status;
}

}  // namespace

TEST_CASE("status 0") {
    CHECK(status_of("check") == 0);
    CHECK(status_of("check v2 --law exactly_once_output") == 0);
    CHECK(status_of("why v2 --records 1") == 0);
    CHECK(status_of("list") == 0);
}

TEST_CASE("status 2") {
    CHECK(status_of("check v9") == 2);
    CHECK(status_of_file("kafka = \"3.5\"\n") == 2);
}

TEST_CASE("status 3") {
    CHECK(status_of("check v2 --law exactly_once_output --max-states 5") == 3);
    CHECK(status_of("why v2 --max-depth 2") == 3);
    CHECK(status_of("cost v2 --max-depth 2") == 3);
}

TEST_CASE("status 4") {
    const std::string holds = "[expect]\nsingle_appender_per_partition = { verdict = \"holds\" }\n";
    CHECK(status_of_file(holds, "--law single_appender_per_partition") == 4);
    CHECK(status_of_file("[bounds]\nrecords = 1\n[expect]\nstates = 5\n",
                         "--law exactly_once_output") == 0);  // states of other laws
    CHECK(status_of_file("laws = [\"exactly_once_output\"]\n[bounds]\nrecords = 1\n[expect]\n"
                         "states = 5\n") == 4);
}

TEST_CASE("status 5") {
    CHECK(status_of(
              "check v2 --threads 1 --records 1 --generations 1 --witness generation_refused") ==
          5);
    CHECK(status_of("check v2 --threads 1 --records 1 --generations 1 --strict") == 5);
}

TEST_CASE("status 11") { CHECK(status_of(deadlocked + "--law deadlock_free") == 11); }

TEST_CASE("status 12") { CHECK(status_of("check " + falls) == 12); }

TEST_CASE("status 20") {
    const Workplace place;
    run(place, "check " + falls + "--save-traces .");
    const std::string file = "v2.single_appender_per_partition.json";
    auto trace = nlohmann::ordered_json::parse(place.read(file));
    trace["bounds"]["generations"] = 1;
    place.write("changed.json", trace.dump());
    CHECK(run(place, "replay " + file).status == 0);
    CHECK(run(place, "replay changed.json").status == 20);
}

TEST_CASE("status 74") { CHECK(status_of("check ./missing.toml") == 74); }

TEST_CASE("status 130 and 143") {
    const std::string endless = "check v2 --threads 3 --partitions 3 --law exactly_once_output";
    CHECK(status_after(SIGINT, endless) == 130);
    CHECK(status_after(SIGTERM, endless) == 143);
}

TEST_CASE("74 goes before 12: the trace of a refutation cannot be saved") {
    const Workplace place;
    place.write("file", "");
    CHECK(run(place, "check " + falls + "--save-traces file/below").status == 74);
}

TEST_CASE("2 goes before everything that a search could say") {
    CHECK(status_of("check " + falls + "--max-states 5 --witness nobody") == 2);
}

TEST_CASE("130 goes before 12: a law had fallen when the signal came") {
    const Workplace place;
    Running program(place, "check v2 --partitions 2 --records 4 --json");
    program.wait_for_depth(12);
    program.send(SIGINT);
    const Outcome outcome = program.end();
    CHECK(outcome.status == 130);
    const auto laws = outcome.json()["scenarios"][0]["laws"];
    CHECK(laws["single_appender_per_partition"]["verdict"] == "refuted");
}

TEST_CASE("4 goes before 3: a decided law contradicts, another is undecided") {
    const std::string file =
        "laws = [\"single_appender_per_partition\", \"exactly_once_output\"]\n"
        "[expect]\nsingle_appender_per_partition = { verdict = \"holds\" }\n";
    CHECK(status_of_file(file, "--max-depth 12") == 4);
    CHECK(status_of_file(file, "--max-depth 3") == 3);
}

TEST_CASE("12 goes before 11 and before 3") {
    CHECK(status_of(deadlocked + "--law deadlock_free --law no_false_fence") == 12);
    CHECK(status_of("check " + falls + "--law exactly_once_output --max-depth 11") == 12);
}

TEST_CASE("12 goes before 5, and 3 before 5") {
    CHECK(status_of("check " + falls + "--witness two_producers_pending") == 12);
    CHECK(status_of("check v2 --threads 1 --records 1 --generations 1 --strict --max-depth 2") ==
          3);
}
