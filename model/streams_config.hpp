// From a Kafka Streams configuration (a .properties file) to settings of a scenario: which rules
// and bounds follow from which key, what Kafka would warn about or refuse, and what has no bearing.
//
// The file names no Kafka release, so that the caller does. What the model has no rule for yet is
// refused by name. The model has no clock either: timeouts and intervals are tested as Kafka tests
// them, but set no rule, since under a budget a timeout may strike at any moment.
#pragma once

#include "model/settings.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringfence::model {

enum class StreamsNoteKind : std::uint8_t {
    follows,  // sets a rule or a bound, or could have and leaves it as it is
    timing,   // tested as Kafka tests it; sets nothing
    ignored,  // known to Kafka, without bearing on fencing or without effect here
    unknown,  // to Kafka Streams and its clients
    warning,
};

struct StreamsNote {
    StreamsNoteKind kind = StreamsNoteKind::ignored;
    std::string where;  // "file:line:column"; the file alone for a key that is absent
    std::string key;
    // As Kafka reads it: without blanks around; of a default: Kafka's. None for keys without
    // bearing: passwords are among them.
    std::optional<std::string> value;
    std::string text;  // "guarantee = exactly_once_v2", or why not
};

struct StreamsContext {
    std::string broker;
    std::string client;
    std::string release_from;  // who named them: "--kafka", "s.toml:3:9"; empty: nobody
    Layer above;               // the environment's settings and the flags', which win
    bool is_forced = false;    // what Kafka refuses is a warning
};

struct StreamsConfig {
    std::string path;
    std::string broker;
    std::string client;
    std::string release_from;
    Layer settings;  // to be put below those of the context
    std::vector<StreamsNote> notes;
};

// Throws ConfigurationError where the file is malformed, where Kafka refuses it (unless forced) and
// where a rule is not built.
[[nodiscard]] StreamsConfig read_streams_config(std::string_view text, std::string_view path,
                                                const StreamsContext& context);

}  // namespace ringfence::model
