// The document as JSON: format "ringfence.trace", version 1. It is a report and a saved trace at
// the same time: nothing of the document is lost, and the encoded actions let `replay` take the
// steps again.
//
//   {"format": "ringfence.trace", "version": 1, "program": ..., "program_version": ...,
//    "scenario": ..., "source": ..., "scheme": ...,
//    "rules": {name: value}, "rules_unlike_v2": [name], "bounds": {name: number},
//    "disturbances": {name: number or "unlimited"}, "law": {"name", "sentence", "source"},
//    "length": number of steps, "initial_state": index,
//    "initial": {"variables": {actor: {name: value}}, "columns": {...}},
//    "steps": [{"number", "action", "actor", "verb", "target", "arguments": [[name, value]],
//               "answer", "reason",
//               "changes": {actor: {name: [before, after]}}, "column_changes": {...}}],
//    "explanation": ...}
//
// Steps hold only what they changed: the variables after a step are the initial ones with all
// changes up to it. Keys stand in this order, so that equal documents are equal text.
#pragma once

#include "counterexamples/document.hpp"

#include <nlohmann/json_fwd.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace ringfence::counterexamples {

inline constexpr std::string_view trace_format = "ringfence.trace";
inline constexpr int trace_version = 1;

[[nodiscard]] nlohmann::ordered_json json_of(const Document& document);

// json_of() as text with two blanks a level and a line end.
[[nodiscard]] std::string json_text_of(const Document& document);

// A JSON value that is not what the format says. what() begins with the key's path as a person
// writes it ("steps[3].action: ..."); `pointer` is the same as a JSON pointer (RFC 6901).
struct SchemaError : std::runtime_error {
    SchemaError(std::string at, const std::string& what)
        : std::runtime_error(what), pointer(std::move(at)) {}

    std::string pointer;
};

// Reads strictly: every key must be there, none may be unknown, every step must follow from the
// one before. Throws SchemaError.
[[nodiscard]] Document document_of(const nlohmann::ordered_json& json);

}  // namespace ringfence::counterexamples
