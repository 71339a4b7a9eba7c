// Reads the text of a Java .properties file as java.util.Properties does, but keeps duplicates and
// the place of every key and value, so that messages can name them.
//
//   # comment              ! comment as well
//   key = value            key: value            key value            key
//   a\ key = tab\there, caf\u00e9
//
// A line that ends in an odd number of backslashes goes on in the next one, whose leading blanks
// do not count. An escaped letter other than t, n, r, f and u stands for itself. Bytes are taken as
// they are; \uXXXX becomes UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ringfence::model {

// Both count from 1; columns count bytes.
struct TextPosition {
    std::size_t line = 1;
    std::size_t column = 1;

    friend bool operator==(const TextPosition&, const TextPosition&) = default;
};

struct Property {
    std::string key;
    std::string value;  // with its trailing blanks
    TextPosition key_at;
    TextPosition value_at;  // the end of the line for an empty value
};

// In the order of the file, duplicates too: Java keeps the last. `path` is for messages.
// Throws ConfigurationError for a \u without four hexadecimal digits, where Java throws as well.
[[nodiscard]] std::vector<Property> read_properties(std::string_view text, std::string_view path);

}  // namespace ringfence::model
