// Where in a JSON text each value stands, so that a message about a value can name its line and
// column. (nlohmann-json tells positions of syntax errors only.)
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ringfence::counterexamples {

struct Position {
    std::size_t line = 1;
    std::size_t column = 1;  // in bytes, from 1

    friend bool operator==(const Position&, const Position&) = default;
};

// Of byte `offset` of a text (from 0; the end of the text for a larger one).
[[nodiscard]] Position position_of(std::string_view text, std::size_t offset);

struct JsonPositions {
    std::map<std::string, std::size_t> offsets;  // by JSON pointer; "" is the whole text
    std::optional<std::string> repeated;         // pointer of the first key given twice, if any
};

// `text` is well-formed JSON: it has been parsed before.
[[nodiscard]] JsonPositions positions_of(std::string_view text);

}  // namespace ringfence::counterexamples
