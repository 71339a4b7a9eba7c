// `ringfence cost`, as people and scripts meet it.
#include "tests/cli/program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace ringfence::test;

namespace {

// One partition: some thousand states.
const std::string small = "cost --partitions 1 ";
const std::string scaled =
    small + "--scale-partitions 1000 --scale-threads 4 --scale-instances 10 ";

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("cost finds every formula right, and its verdict is the last thing printed") {
    const Outcome outcome = run(small);
    CHECK(outcome.status == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out.ends_with("\nverdict: 54 formulas give what was found\n"));
    CHECK_FALSE(has(outcome.out, "scaled   by"));
    CHECK(has(outcome.out, "v2                      undisturbed          56 states, exhaustive"));
}

TEST_CASE("cost scales v1 and v2 to a deployment, and says where each number comes from") {
    const auto json = run(scaled + "--json").json();
    CHECK(json["status"] == 0);
    CHECK(json["scale"]["tasks_of_thread"] == 25);
    const auto of = [&json](const std::string& scheme, const std::string& cost) {
        for (const auto& candidate : json["schemes"]) {
            if (candidate["name"] == scheme) { return candidate["costs"][cost]; }
        }
        return nlohmann::json();
    };
    const std::string v1 = "v1_clients_2.6_to_2.8";
    CHECK(of(v1, "producers")["undisturbed"]["scaled"] == 1000);
    CHECK(of(v1, "producers")["member_expelled"]["scaled"] == 1025);
    CHECK(of("v2", "producers")["undisturbed"]["scaled"] == 40);
    CHECK(of("v2", "producers")["member_expelled"]["scaled"] == 40);
    CHECK(of(v1, "connections")["undisturbed"]["scaled"] == 3000);
    CHECK(of("v2", "connections")["undisturbed"]["scaled"] == 1080);
    CHECK(of(v1, "init_calls_of_rebalance")["member_expelled"]["scaled"] == 25);
    CHECK(of("v2", "init_calls_of_rebalance")["member_expelled"]["scaled"] == 1);
    CHECK(of(v1, "tasks_rolled_back")["member_expelled"]["scaled"] == 1);
    CHECK(of("v2", "tasks_rolled_back")["member_expelled"]["scaled"] == 25);
    CHECK(of(v1, "init_wait")["member_expelled"]["scaled"] == 76);
    CHECK(of("v2", "fetch_wait")["member_expelled"]["scaled"] == 2);
    for (const auto& scheme : json["schemes"]) {
        CHECK(scheme["searches"]["undisturbed"]["complete"] == true);
        for (const auto& [name, cost] : scheme["costs"].items()) {
            CHECK(!json["costs"][name]["source"].get<std::string>().empty());
            CHECK(!cost["why"].get<std::string>().empty());
            CHECK(!cost["undisturbed"]["formula"].get<std::string>().empty());
        }
    }
    const Outcome text = run(scaled);
    CHECK(
        has(text.out, "scaled   by the formulas to 1,000 partitions, 10 instances with 4 threads"));
    CHECK(has(text.out, "1,025  P + K\n"));
    CHECK(has(text.out, "source: KIP-447"));
}

TEST_CASE("records of a transaction scale apart from the bounds") {
    const auto records = [](const std::string& flags) {
        const auto json = run(small + "v2 --json --scale-partitions 10 --scale-threads 2 " + flags);
        return json.json()["schemes"][0]["costs"]["records_rolled_back"]["member_expelled"];
    };
    CHECK(records("")["scaled"] == 5);
    CHECK(records("--records 2")["scaled"] == 10);
    CHECK(records("--records 2")["found"] == 2);
    CHECK(records("--scale-records 1000")["scaled"] == 5000);
}

TEST_CASE("cost looks at the schemes that are named, and at no other") {
    const auto json = run(small + "v1_clients_up_to_2.5 --json").json();
    REQUIRE(json["schemes"].size() == 1);
    CHECK(json["schemes"][0]["name"] == "v1_clients_up_to_2.5");
    CHECK(json["schemes"][0]["rules"]["start_order"] == "init_then_fetch");
    CHECK_FALSE(json.contains("scale"));
}

TEST_CASE("a search that a limit ended leaves costs undecided: status 3") {
    const Outcome outcome = run(small + "v2 --json --max-states 20");
    CHECK(outcome.status == 3);
    const auto scheme = outcome.json()["schemes"][0];
    CHECK(scheme["searches"]["undisturbed"]["ending"] == "states");
    CHECK(scheme["costs"]["producers"]["undisturbed"]["agreement"] == "undecided");
    CHECK(scheme["costs"]["fetch_wait"]["undisturbed"]["found"] == nullptr);
    const std::string text = run(small + "v2 --max-depth 2").out;
    CHECK(has(text, "1+"));
    CHECK(has(text, "?"));
    CHECK(text.ends_with("\nverdict: 0 formulas give what was found, 18 undecided\n"));
}

TEST_CASE("cost refuses what it has no formula for, in one line") {
    const auto refusal = [](const std::string& arguments) {
        const Outcome outcome = run("cost " + arguments);
        CHECK(outcome.status == 2);
        CHECK(outcome.out.empty());
        CHECK(std::ranges::count(outcome.err, '\n') == 1);
        return outcome.err;
    };
    CHECK(has(refusal("v3"), "unknown scheme \"v3\", expected \"v2\""));
    CHECK(has(refusal("v2 v2"), "scheme \"v2\" is given twice, expected it once"));
    CHECK(refusal("--threads 1") == "--threads: is \"1\", expected a whole number from 2 to 4\n");
    CHECK(has(refusal("--partitions 5"), "--partitions: is \"5\", expected"));
    CHECK(has(refusal("--generations 3"), "unknown flag \"--generations\""));
    CHECK(has(refusal("--scale-partitions 0"), "--scale-partitions: is \"0\", expected"));
    CHECK(has(refusal("--scale-partitions 2000000"), "from 1 to 1000000\n"));
    CHECK(refusal("--scale-partitions 10") ==
          "--scale-partitions: a deployment needs more than that, expected --scale-threads too\n");
    CHECK(has(refusal("--scale-threads 4"), "expected --scale-partitions too\n"));
    CHECK(has(refusal("--scale-records 4"),
              "--scale-records: a deployment needs more than that, "
              "expected --scale-partitions and --scale-threads too"));
    CHECK(has(refusal("--scale-partitions 10 --scale-threads 1"), "expected 2 or more\n"));
}

TEST_CASE("cost reads the environment, and flags beat it") {
    const auto partitions = [](const std::string& flags) {
        return run("cost at_least_once --json " + flags, "RINGFENCE_PARTITIONS=1")
            .json()["bounds"]["partitions"]
            .get<int>();
    };
    CHECK(partitions("") == 1);
    CHECK(partitions("--partitions 3") == 3);
}
