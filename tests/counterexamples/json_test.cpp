#include "counterexamples/json.hpp"

#include "tests/counterexamples/small_document.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

namespace ringfence::counterexamples {

namespace {

constexpr std::string_view small_document_json = R"({
  "format": "ringfence.trace",
  "version": 1,
  "program": "ringfence",
  "program_version": "0.1.0",
  "scenario": "v2_without_stable_fetch",
  "source": "KIP-447",
  "scheme": "v2",
  "rules": {
    "guarantee": "exactly_once_v2",
    "offset_fetch": "any"
  },
  "rules_unlike_v2": [
    "offset_fetch"
  ],
  "bounds": {
    "threads": 2,
    "partitions": 1
  },
  "disturbances": {
    "expulsion": 1,
    "crash": "unlimited"
  },
  "law": {
    "name": "exactly_once_output",
    "sentence": "No input record has two visible outputs.",
    "source": "KIP-98"
  },
  "length": 3,
  "initial_state": 0,
  "initial": {
    "variables": {
      "group": {
        "phase": "Empty",
        "generation": "0"
      },
      "A": {
        "member id": "none"
      }
    },
    "columns": {
      "p0": {
        "last stable offset": "0"
      }
    }
  },
  "steps": [
    {
      "number": 1,
      "action": "join_group thread=0",
      "actor": "A",
      "verb": "join_group",
      "target": "group",
      "arguments": [],
      "answer": "success",
      "reason": "a new member: the group prepares a rebalance",
      "changes": {
        "group": {
          "phase": [
            "Empty",
            "PreparingRebalance"
          ]
        },
        "A": {
          "member id": [
            "none",
            "A1"
          ]
        }
      },
      "column_changes": {}
    },
    {
      "number": 2,
      "action": "txn_offset_commit thread=1 producer=1",
      "actor": "B",
      "verb": "txn_offset_commit",
      "target": "group",
      "arguments": [
        [
          "p0",
          "offset 1"
        ],
        [
          "generation",
          "1"
        ]
      ],
      "answer": "UNKNOWN_MEMBER_ID",
      "reason": "member B1 is not in the group: UNKNOWN_MEMBER_ID",
      "changes": {},
      "column_changes": {}
    },
    {
      "number": 3,
      "action": "expel_member member=1",
      "actor": "group",
      "verb": "expel_member",
      "target": "",
      "arguments": [],
      "answer": "",
      "reason": "",
      "changes": {
        "group": {
          "generation": [
            "0",
            "1"
          ]
        }
      },
      "column_changes": {
        "p0": {
          "last stable offset": [
            "0",
            "2"
          ]
        }
      }
    }
  ],
  "explanation": "r1 is visible twice on p0.\nA and B both committed it."
}
)";

}  // namespace

TEST_CASE("the JSON text holds the whole document, and of each step what it changed") {
    CHECK(json_text_of(small_document()) == small_document_json);
}

TEST_CASE("a document comes back from JSON as it was") {
    CHECK(document_of(json_of(small_document())) == small_document());
    CHECK(document_of(nlohmann::ordered_json::parse(json_text_of(small_document()))) ==
          small_document());
}

TEST_CASE("a name that is not UTF-8 does not keep the trace from being written") {
    Document document = small_document();
    document.header.scenario = "caf\xe9.toml";
    CHECK(nlohmann::ordered_json::accept(json_text_of(document)));
}

namespace {

using Refusal = std::pair<std::string, std::string>;  // message and pointer

// With what a changed document is refused.
template <class Change>
Refusal refusal_after(const Change& change) {
    nlohmann::ordered_json json = json_of(small_document());
    change(json);
    try {
        [[maybe_unused]] const Document document = document_of(json);
        return {};
    } catch (const SchemaError& error) { return {error.what(), error.pointer}; }
}

}  // namespace

TEST_CASE("another format, another version and no format at all are called so") {
    CHECK(refusal_after([](auto& json) { json["format"] = "ringfence.why"; }) ==
          Refusal("format: expected \"ringfence.trace\", found \"ringfence.why\"", "/format"));
    CHECK(refusal_after([](auto& json) { json["version"] = 2; }) ==
          Refusal("version: expected version 1, found version 2; replay it with the release that "
                  "wrote it",
                  "/version"));
    CHECK(refusal_after([](auto& json) { json.erase("format"); }) ==
          Refusal("the document: key \"format\" is missing: this is no saved trace", ""));
    CHECK(refusal_after([](auto& json) { json.erase("version"); }) ==
          Refusal("the document: key \"version\" is missing", ""));
    CHECK(refusal_after([](auto& json) { json = nlohmann::ordered_json::array(); }) ==
          Refusal("the document: expected an object, found array", ""));
}

TEST_CASE("a key that is missing, unknown or of another type is named by its path") {
    CHECK(refusal_after([](auto& json) { json.erase("rules"); }) ==
          Refusal("the document: key \"rules\" is missing", ""));
    CHECK(refusal_after([](auto& json) { json["colour"] = 1; }) ==
          Refusal("colour: unknown key", "/colour"));
    CHECK(refusal_after([](auto& json) { json["law"].erase("source"); }) ==
          Refusal("law: key \"source\" is missing", "/law"));
    CHECK(refusal_after([](auto& json) { json["steps"] = "none"; }) ==
          Refusal("steps: expected an array, found string", "/steps"));
    CHECK(refusal_after([](auto& json) { json["steps"][1]["action"] = 7; }) ==
          Refusal("steps[1].action: expected a string, found 7", "/steps/1/action"));
    CHECK(refusal_after([](auto& json) { json["steps"][1]["arguments"][0] = {"a"}; }) ==
          Refusal("steps[1].arguments[0]: expected a pair of strings, found [\"a\"]",
                  "/steps/1/arguments/0"));
    CHECK(refusal_after([](auto& json) { json["bounds"]["threads"] = -1; }) ==
          Refusal("bounds.threads: expected a number from 0, found -1", "/bounds/threads"));
    CHECK(refusal_after([](auto& json) { json["bounds"]["threads"] = 1.5; }) ==
          Refusal("bounds.threads: expected a number from 0, found 1.5", "/bounds/threads"));
    CHECK(refusal_after([](auto& json) { json["rules_unlike_v2"][0] = "nothing"; }) ==
          Refusal("rules_unlike_v2[0]: \"nothing\" is not among the rules", "/rules_unlike_v2/0"));
}

TEST_CASE("steps that do not follow from each other are refused") {
    CHECK(refusal_after([](auto& json) { json["steps"].erase(1); }) ==
          Refusal("steps[1].number: expected 2, found 3", "/steps/1/number"));
    CHECK(refusal_after([](auto& json) { json["steps"].erase(2); }) ==
          Refusal("length: expected 2, the number of steps, found 3", "/length"));
    CHECK(
        refusal_after([](auto& json) { json["steps"][0]["changes"]["group"]["phase"][0] = "X"; }) ==
        Refusal("steps[0].changes.group.phase[0]: expected \"Empty\", the value after the step "
                "before, found \"X\"",
                "/steps/0/changes/group/phase/0"));
    CHECK(refusal_after([](auto& json) {
              json["steps"][2]["changes"]["a/b"]["c d"] = {"", ""};
          }) == Refusal("steps[2].changes.a/b[\"c d\"]: no such variable in \"initial\"",
                        "/steps/2/changes/a~1b/c d"));
}

}  // namespace ringfence::counterexamples
