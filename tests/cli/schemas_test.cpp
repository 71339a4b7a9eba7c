// Every document that the program prints is held to its schema in schemas/, by python3-jsonschema:
// an independent reader of both. Without it these tests fail; scripts/build installs it.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace ringfence::test;

namespace {

const std::string source = RINGFENCE_SOURCE_DIR;

// The first Python that has the package: another one may stand before Debian's in the path.
const std::string& python() {
    static const std::string found = [] {
        for (const std::string candidate : {"python3", "/usr/bin/python3"}) {
            const std::string imports = candidate + " -c 'import jsonschema' >/dev/null 2>&1";
            if (std::system(imports.c_str()) == 0) { return candidate; }
        }
        FAIL("no python3 can import jsonschema, expected the package python3-jsonschema");
        return std::string();
    }();
    return found;
}

std::string schema_of(const nlohmann::json& document) {
    const std::string format = document.at("format");
    REQUIRE(format.starts_with("ringfence."));
    return source + "/schemas/" + format.substr(format.find('.') + 1) + ".schema.json";
}

struct Validation {
    int status = 0;
    std::string reasons;
};

Validation validation(const nlohmann::json& document) {
    const Workplace place;
    place.write("document.json", document.dump());
    const std::string command = python() + " " + source + "/tests/cli/validate.py " +
                                schema_of(document) + " " + place.path("document.json") + " >" +
                                place.path("reasons") + " 2>&1";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, place.read("reasons")};
}

// Stdout holds one JSON document and nothing else, and its schema takes it.
nlohmann::json valid_document(const Workplace& place, const std::string& arguments) {
    CAPTURE(arguments);
    const auto document = run(place, arguments).json();
    const Validation found = validation(document);
    CHECK_MESSAGE(found.status == 0, found.reasons);
    return document;
}

const std::string refuted = "v2 --json --records 1 --generations 2 --save-traces . ";

}  // namespace

TEST_CASE("check: holds, refuted, expected and cut short are all valid") {
    const Workplace place;
    place.write("s.toml",
                "name = \"s\"\nlaws = [\"single_appender_per_partition\"]\n"
                "witnesses = [\"member_refused\"]\n[bounds]\nrecords = 1\ngenerations = 2\n"
                "[expect]\nstates = 5\nnever = [\"two_producers_pending\"]\n"
                "single_appender_per_partition = { verdict = \"refuted\", steps = 10 }\n");
    valid_document(place, "check " + refuted);
    valid_document(place, "check ./s.toml --json --save-traces .");
    valid_document(place, "check ./s.toml --json --max-depth 2 --disturb crash=unlimited");
    valid_document(place, "check at_least_once --json --max-depth 2");
    valid_document(place, "check --kafka 3.5 --json --max-states 5");
    valid_document(place, "check v2 --json --partitions 2 --max-depth 22 --store=fingerprint");
    valid_document(place,
                   "check v2 --json --partitions 2 --records 1 --generations 2 "
                   "--store=fingerprint");
}

TEST_CASE("why: every kind of cell is valid") {
    const Workplace place;
    valid_document(place, "why at_least_once v2 v2_no_tests --json --records 1 --generations 2");
    valid_document(place, "why v2 --json --max-depth 2 --rule member_test=off --all-laws");
}

TEST_CASE("cost: complete, scaled and cut short are all valid") {
    const Workplace place;
    valid_document(place, "cost --json --partitions 1");
    valid_document(place, "cost v2 --json --scale-partitions 9 --scale-threads 2 --max-states 9");
}

TEST_CASE("list and show: all topics and all shipped scenarios are valid") {
    const Workplace place;
    const auto list = valid_document(place, "list --json");
    valid_document(place, "list rules --json");
    for (const auto& scenario : list["scenarios"]) {
        valid_document(place, "show " + scenario["name"].get<std::string>() + " --json");
    }
}

TEST_CASE("explain and replay: a saved trace and what became of it are valid") {
    const Workplace place;
    valid_document(place, "check --law single_appender_per_partition " + refuted);
    const std::string file = "v2.single_appender_per_partition.json";
    const auto trace = valid_document(place, "explain --json " + file);
    CHECK(trace == nlohmann::json::parse(place.read(file)));
    valid_document(place, "replay --json " + file);

    auto changed = nlohmann::ordered_json::parse(place.read(file));
    changed["steps"][1]["answer"] = "PRODUCER_FENCED";
    place.write("changed.json", changed.dump());
    const auto replayed = valid_document(place, "replay --json changed.json");
    CHECK(replayed["replays"] == false);
}

TEST_CASE("init: the file and its text are valid") {
    const Workplace place;
    valid_document(place, "init --json");
    valid_document(place, "init new.toml --json");
}

TEST_CASE("a schema refuses what the program would not print") {
    const Workplace place;
    const auto document = valid_document(place, "check " + refuted);
    const std::string law = "/scenarios/0/laws/single_appender_per_partition";
    const auto is_refused = [&](const std::string& pointer, const nlohmann::json& value) {
        auto changed = document;
        changed[nlohmann::json::json_pointer(pointer)] = value;
        return validation(changed).status == 1;
    };
    CHECK(is_refused("/version", 2));
    CHECK(is_refused("/status", 1));
    CHECK(is_refused("/unknown", true));
    CHECK(is_refused("/scenarios/0/states", -1));
    CHECK(is_refused("/scenarios/0/states", "many"));
    CHECK(is_refused("/scenarios/0/disturbances/crash", "often"));
    CHECK(is_refused("/scenarios/0/store/kind", "fingerprint"));  // without odds
    CHECK(is_refused(law + "/verdict", "falls"));
    CHECK(is_refused(law + "/verdict", "holds"));  // steps stand beside a refutation only
    auto shorter = document;
    shorter["scenarios"][0].erase("complete");
    CHECK(validation(shorter).status == 1);
}

TEST_CASE("there is a schema for every document, and no other") {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(source + "/schemas")) {
        const std::string name = entry.path().filename().string();
        names.push_back(name.substr(0, name.find('.')));
        const Workplace place;
        place.write("schema.json", [&] {
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            return text.str();
        }());
        const auto schema = nlohmann::json::parse(place.read("schema.json"));
        CHECK(schema["properties"]["format"]["const"] == "ringfence." + names.back());
        CHECK(schema["additionalProperties"] == false);
    }
    std::ranges::sort(names);
    CHECK(names == std::vector<std::string>{"check", "cost", "init", "list", "replay", "scenario",
                                            "trace", "why"});
}
