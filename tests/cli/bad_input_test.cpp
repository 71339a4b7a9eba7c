// What people and files get wrong, and files that cannot be written.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace ringfence::test;

namespace {

const std::string refuted = "v2 --records 1 --law single_appender_per_partition ";

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// The line on stderr about a scenario file.
std::string refusal_of(const std::string& text, const std::string& flags = "") {
    const Workplace place;
    place.write("s.toml", text);
    const Outcome outcome = run(place, "check ./s.toml --max-depth 1 " + flags);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    return outcome.err;
}

std::string last_line(const std::string& text) {
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
}

}  // namespace

TEST_CASE("a trace that cannot be saved costs the report nothing") {
    const Workplace place;
    place.write("file", "");
    const Outcome text = run(place, "check " + refuted + "--save-traces file/below");
    CHECK(text.status == 74);
    CHECK(last_line(text.out).starts_with("verdict: v2: "));
    CHECK(text.err.starts_with("cannot make the directory file/below: "));

    const Outcome json = run(place, "check --json " + refuted + "--save-traces file/below");
    CHECK(json.status == 74);
    CHECK(json.json()["status"] == 74);
    const auto law = json.json()["scenarios"][0]["laws"]["single_appender_per_partition"];
    CHECK(law["verdict"] == "refuted");
    CHECK_FALSE(law.contains("trace_file"));
}

TEST_CASE("why shows its matrix also where no trace can be saved") {
    const Workplace place;
    place.write("traces", "");
    const Outcome outcome = run(place, "why v2_no_tests --json --records 1");
    CHECK(outcome.status == 74);
    CHECK(outcome.json()["rows"][0]["complete"] == true);
    CHECK(has(outcome.err, " traces not saved)\n"));
}

TEST_CASE("a limit on the size of files gives 74 and leaves no unfinished file") {
    const Workplace place;
    const Outcome outcome =
        run(place, "check " + refuted + "--trace=off --save-traces kept", "ulimit -f 10;");
    CHECK(outcome.status == 74);
    CHECK(last_line(outcome.out).starts_with("verdict: v2: "));
    CHECK(has(outcome.err, "cannot write kept/v2.single_appender_per_partition.json: File too"));
    CHECK(std::filesystem::is_empty(place.path("kept")));
}

TEST_CASE("scenarios of one name are refused where they were asked for") {
    const Workplace place;
    place.write("other.toml", "name = \"v2\"\nscheme = \"v2\"\n");
    CHECK(run(place, "check v2 v2").err ==
          "command line: scenario \"v2\" is given twice, expected it once\n");
    CHECK(run(place, "check v2 ./other.toml").err ==
          "command line: scenarios/why/07_v2.toml and ./other.toml both have the name \"v2\", "
          "expected one of them\n");
}

TEST_CASE("rules and bounds that do not fit together blame the setting that does it") {
    const std::string file =
        "name = \"x\"\nscheme = \"v2\"\n[rules]\ncloses_before_rejoin = \"eager\"\n";
    CHECK(refusal_of(file).starts_with("./s.toml:4:24: exactly_once_v2 rejoins cooperatively, "));
    const std::string scope = "name = \"x\"\nscheme = \"v2\"\n";
    CHECK(refusal_of(scope, "--rule transactional_id=task").starts_with("--rule: "));
    CHECK(refusal_of(scope + "[rules]\ntransactional_id = \"task\"\n")
              .starts_with("./s.toml:4:20: transactional_id = task needs"));
    CHECK(refusal_of(scope + "[rules]\ntransactional_id = \"random\"\n",
                     "--scheme v1_clients_up_to_2.5 --threads 4 --partitions 4")
              .find("transactional ids") != std::string::npos);
}

TEST_CASE("a release that Kafka refuses blames the side that does it") {
    CHECK(run("check --broker 2.4 --client 3.0").err.starts_with("--broker: exactly_once_v2 "));
    CHECK(run("check --broker 3.5 --client 2.4").err.starts_with("--client: Kafka Streams before"));
    CHECK(refusal_of("name = \"x\"\nkafka = \"3.5\"\n", "--broker 2.4").starts_with("--broker: "));
    CHECK(refusal_of("name = \"x\"\nkafka = \"2.4\"\n", "--client 3.5")
              .starts_with("./s.toml:2:9: "));
}

TEST_CASE("a release of one side sets that side alone") {
    const Workplace place;
    place.write("s.toml", "name = \"s\"\nkafka = \"3.5\"\n");
    const auto released = [&](const std::string& flags) {
        return run(place, "check ./s.toml --json --max-depth 1 " + flags).json()["scenarios"][0];
    };
    CHECK(released("--broker 3.0")["broker"] == "3.0");
    CHECK(released("--broker 3.0")["client"] == "3.5");
    CHECK(released("--client 2.8")["broker"] == "3.5");
    CHECK(released("--client 2.8")["client"] == "2.8");
    CHECK(
        run("check --broker 3.5").err ==
        "--broker: \"broker\" is the release of one side alone, expected \"client\" beside it, or "
        "\"kafka\" for both\n");
    CHECK(run("check v2 --client 3.5").err.starts_with("--client: \"client\" is the release of"));
}

TEST_CASE("a choice may stand behind a blank") {
    const Outcome always = run("check --color always v2 --max-depth 1");
    CHECK(always.status == 3);
    CHECK(has(always.out, "\033["));
    const Outcome full = run("check " + refuted + "--trace full --color never");
    CHECK(full.status == 12);
    const std::string told = run("check " + refuted + "--trace=full --color=never").out;
    const std::string heading = "single_appender_per_partition is refuted in ";
    CHECK(full.out.substr(full.out.find(heading)) == told.substr(told.find(heading)));
}

TEST_CASE("control characters of a file reach no terminal") {
    const Workplace place;
    place.write("s.toml", "name = \"s\"\nscheme = \"v2\"\nwhat = \"\\u001b[31mred\\u009b\"\n");
    const Outcome shown = run(place, "show ./s.toml");
    CHECK(has(shown.out, "\\x1b[31mred\\x9b"));
    CHECK_FALSE(has(shown.out, "\033"));
    CHECK(has(run(place, "check ./s.toml --max-depth 1").out, "\\x1b[31mred\\x9b"));
    CHECK(has(refusal_of("name = \"x\"\nlaws = [\"a\\u001b\\nb\"]\n"), "\"a\\x1b\\x0ab\""));
}

TEST_CASE("a very long name is cut in a message") {
    const Outcome outcome = run("check " + std::string(5000, 'x'));
    CHECK(outcome.status == 2);
    CHECK(outcome.err.size() < 250);
    CHECK(has(outcome.err, "\"" + std::string(60, 'x') + "...\""));
}

TEST_CASE("a misspelt choice is refused with the choices, not taken for a name") {
    CHECK(run("check --color alwys v2").err ==
          "--color: has no value \"alwys\", expected \"always\", \"auto\" or \"never\", nearest is "
          "\"always\"\n");
    CHECK(run("check v2 --trace ful").err.starts_with("--trace: has no value \"ful\", expected "));
    CHECK(run("list --color rules").err.starts_with("--color: has no value \"rules\""));
    CHECK(run("check v2", "RINGFENCE_COLOR=alwys").err.starts_with("RINGFENCE_COLOR: has no"));
    // Alone, last or before another flag, it stands for its first choice.
    CHECK(run("check v2 --max-depth 1 --color").status == 3);
    CHECK(run("check --color --max-depth 1 v2").status == 3);
}

TEST_CASE("a witness that the scenario expects never to be met is refused") {
    const std::string file =
        "name = \"s\"\nscheme = \"v2\"\nlaws = [\"exactly_once_output\"]\n[bounds]\nrecords = 1\n"
        "[expect]\nnever = [\"two_producers_pending\"]\n";
    CHECK(refusal_of(file, "--witness two_producers_pending") ==
          "--witness: \"two_producers_pending\" must never be met, says \"never\" in ./s.toml; "
          "expected another witness\n");
    const Workplace place;
    place.write("s.toml", file);
    CHECK(run(place, "check ./s.toml --witness member_refused").status == 0);
    // Without its expectations the file says nothing of witnesses any more.
    const std::string changed = "check ./s.toml --witness two_producers_pending --generations 2 ";
    CHECK(run(place, changed).status == 5);
    CHECK(run(place, changed + "--keep-expect").status == 2);
}

TEST_CASE("a scenario that starts from nothing named starts from v2, and reports say so") {
    const Workplace place;
    place.write("s.toml", "name = \"s\"\n[bounds]\nrecords = 1\n");
    const std::string flags = " --max-depth 1";
    CHECK(has(run(place, "check ./s.toml" + flags).out,
              "scheme v2, the default: neither a scheme nor a release is named\n"));
    CHECK(has(run(place, "show ./s.toml").out, "v2 (the default)\n"));
    const auto is_default = [&](const std::string& more) {
        const auto json = run(place, "check ./s.toml --json" + flags + more).json();
        return json["scenarios"][0]["default_scheme"].get<bool>();
    };
    CHECK(is_default(""));
    CHECK_FALSE(is_default(" --scheme v2"));
    CHECK_FALSE(is_default(" --kafka 3.5"));
}
