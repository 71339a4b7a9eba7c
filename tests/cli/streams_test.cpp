// Each stream by itself: the result on stdout, everything else on stderr; colour.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace ringfence::test;

namespace {

const std::string small = "check v2 --threads 1 --records 1 --generations 2 ";

bool is_coloured(const std::string& flags, const std::string& variables = "") {
    const Outcome outcome =
        run(small + flags, "env -u NO_COLOR -u FORCE_COLOR TERM=xterm " + variables);
    CHECK(outcome.status == 0);
    return outcome.out.find("\033[") != std::string::npos;
}

// The same with stdout on a terminal.
bool is_coloured_on_terminal(const std::string& flags, const std::string& variables = "") {
    const Workplace place;
    const std::string shown =
        shown_on_terminal(place, "env -u NO_COLOR -u FORCE_COLOR TERM=xterm " + variables + " " +
                                     RINGFENCE_EXECUTABLE + " " + small + flags);
    CHECK(shown.find("verdict: ") != std::string::npos);
    return shown.find("\033[") != std::string::npos;
}

}  // namespace

TEST_CASE("with --json stdout is one document and nothing else, and stderr is silent") {
    const Workplace place;
    static_cast<void>(
        run(place, "check v2 --records 1 --law single_appender_per_partition --save-traces ."));
    const std::string trace = "v2.single_appender_per_partition.json";
    const std::vector<std::string> verbs{small,
                                         "check v2 --records 1 --save-traces kept",
                                         "check v2 --max-states 5",
                                         "why v2 --records 1",
                                         "cost at_least_once",
                                         "list",
                                         "list rules",
                                         "show v2",
                                         "init",
                                         "init new.toml",
                                         "explain " + trace,
                                         "explain --trace=full " + trace,
                                         "replay " + trace};
    for (const std::string& arguments : verbs) {
        CAPTURE(arguments);
        const Outcome outcome = run(place, arguments + " --json --color=always");
        CHECK(outcome.err.empty());
        CHECK(outcome.out.starts_with("{\n"));
        CHECK(outcome.out.ends_with("}\n"));
        CHECK(outcome.json().is_object());  // throws if anything stands behind the document
        CHECK(outcome.json().contains("version"));
        CHECK(outcome.out.find('\033') == std::string::npos);
    }
}

TEST_CASE("what is not the result goes to stderr") {
    const Workplace place;
    place.write("app.properties", "processing.guarantee = exactly_once_v2\nnonsense.key = 1\n");
    const std::string arguments =
        "check --kafka 3.5 --max-depth 2 --streams-config app.properties ";
    const Outcome text = run(place, arguments);
    CHECK(text.err.starts_with("streams config: app.properties"));
    CHECK(text.out.find("streams config:") == std::string::npos);
    CHECK(text.out.find("verdict: ") != std::string::npos);
    const Outcome json = run(place, arguments + "--json");
    CHECK(json.err.empty());
    CHECK(json.json()["streams_config"]["unknown"].size() == 1);
}

TEST_CASE("where nothing could be done stdout is empty, with and without --json") {
    for (const std::string format : {"", " --json"}) {
        for (const std::string arguments :
             {"check v9", "why v9", "cost v9", "list v9", "show v9", "explain no.json",
              "replay no.json", "check ./no.toml", "check --streams-config no.properties"}) {
            CAPTURE(arguments);
            const Outcome outcome = run(arguments + format);
            CHECK((outcome.status == 2 || outcome.status == 74));
            CHECK(outcome.out.empty());
            CHECK(std::ranges::count(outcome.err, '\n') == 1);
        }
    }
}

TEST_CASE("a result that stdout does not take gives 74") {
    const Workplace place;
    for (const std::string arguments : {"list", "check v2 --max-depth 1", "cost at_least_once"}) {
        const std::string command = std::string(RINGFENCE_EXECUTABLE) + " " + arguments +
                                    " >/dev/full 2>" + place.path("stderr") + " </dev/null";
        const int status = std::system(command.c_str());
        CHECK(WEXITSTATUS(status) == 74);
        CHECK(place.read("stderr").starts_with("cannot write to stdout: "));
    }
}

TEST_CASE("colour: a flag goes before everything else") {
    CHECK(is_coloured("--color=always"));
    CHECK(is_coloured("--color=always", "NO_COLOR=1"));
    CHECK(is_coloured("--color", "NO_COLOR=1 TERM=dumb"));
    CHECK_FALSE(is_coloured("--color=never", "FORCE_COLOR=1"));
    CHECK(is_coloured("", "RINGFENCE_COLOR=always NO_COLOR=1"));
    CHECK_FALSE(is_coloured("--color=never", "RINGFENCE_COLOR=always"));
    CHECK_FALSE(is_coloured_on_terminal("--color=never"));
}

TEST_CASE("colour: NO_COLOR goes before FORCE_COLOR, and that before TERM and the terminal") {
    CHECK_FALSE(is_coloured(""));
    CHECK(is_coloured("", "FORCE_COLOR=1"));
    CHECK(is_coloured("--color=auto", "FORCE_COLOR=1"));
    CHECK(is_coloured("", "FORCE_COLOR=1 TERM=dumb"));
    CHECK_FALSE(is_coloured("", "NO_COLOR=1 FORCE_COLOR=1"));
    CHECK(is_coloured("", "NO_COLOR= FORCE_COLOR=1"));
}

TEST_CASE("colour: a terminal is painted unless NO_COLOR or TERM=dumb say no") {
    CHECK(is_coloured_on_terminal(""));
    CHECK(is_coloured_on_terminal("--color=auto"));
    CHECK_FALSE(is_coloured_on_terminal("", "NO_COLOR=1"));
    CHECK_FALSE(is_coloured_on_terminal("", "TERM=dumb"));
}
