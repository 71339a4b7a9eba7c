// A story of three steps, written by hand, that uses every part of a document.
#pragma once

#include "counterexamples/document.hpp"

namespace ringfence::counterexamples {

inline Document small_document() {
    Document document;
    document.header = {
        .program = "ringfence",
        .version = "0.1.0",
        .scenario = "v2_without_stable_fetch",
        .source = "KIP-447",
        .scheme = "v2",
        .rules = {{"guarantee", "exactly_once_v2", true}, {"offset_fetch", "any", false}},
        .bounds = {{"threads", "2"}, {"partitions", "1"}},
        .disturbances = {{"expulsion", "1"}, {"crash", "unlimited"}},
        .law = {"exactly_once_output", "No input record has two visible outputs.", "KIP-98"},
    };
    document.initial = {.variables = {{"group", "phase", "Empty"},
                                      {"group", "generation", "0"},
                                      {"A", "member id", "none"}},
                        .columns = {{"p0", "last stable offset", "0"}}};
    Situation joined = document.initial;
    joined.variables[0].value = "PreparingRebalance";
    joined.variables[2].value = "A1";
    Situation moved = joined;
    moved.variables[1].value = "1";
    moved.columns[0].value = "2";
    document.steps = {
        {1,
         "join_group thread=0",
         "A",
         "join_group",
         "group",
         {},
         "success",
         "a new member: the group prepares a rebalance",
         joined},
        {2,
         "txn_offset_commit thread=1 producer=1",
         "B",
         "txn_offset_commit",
         "group",
         {{"p0", "offset 1"}, {"generation", "1"}},
         "UNKNOWN_MEMBER_ID",
         "member B1 is not in the group: UNKNOWN_MEMBER_ID",
         joined},
        {3, "expel_member member=1", "group", "expel_member", "", {}, "", "", moved},
    };
    document.explanation = "r1 is visible twice on p0.\nA and B both committed it.";
    return document;
}

}  // namespace ringfence::counterexamples
