// A trace as a story for a terminal: one block a step, with what it changed.
//
//    16  A  txn_offset_commit  group  p1 offset 1, generation 1  -> UNKNOWN_MEMBER_ID
//        member A is not in the group: UNKNOWN_MEMBER_ID; all that is left is to abort
//          A   producer phase       offsets partition added -> must abort
//        = p1  last stable offset   before r1 of app-A -> end of the log
#pragma once

#include "counterexamples/document.hpp"

#include <cstdint>
#include <string>

namespace ringfence::counterexamples {

enum class Detail : std::uint8_t {
    diff,  // what each step changed
    full,  // all variables after each step, the changed ones marked
    off,   // no steps: the law and what it says about the end
};

struct TextOptions {
    Detail detail = Detail::diff;
    bool is_coloured = false;
};

[[nodiscard]] std::string text_of(const Document& document, const TextOptions& options = {});

}  // namespace ringfence::counterexamples
