// CATALOGUE of the settings that Kafka Streams 0.11 to 4.0 and its clients know, and of the
// prefixes that hand a setting to one client alone. It tells a setting without bearing on fencing
// from a misspelt one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ringfence::model {

enum class KeyKind : std::uint8_t {
    streams,  // read by Kafka Streams itself, without a prefix
    client,   // handed to consumers, producers or the admin client, with or without a prefix
    unknown,
};

[[nodiscard]] KeyKind kind_of_key(std::string_view key);

// "consumer.", "main.consumer.", ... or empty.
[[nodiscard]] std::string_view prefix_of_key(std::string_view key);

// The nearest known key, with the prefix of this one.
[[nodiscard]] std::string nearest_key(std::string_view key);

}  // namespace ringfence::model
