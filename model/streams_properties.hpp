// The properties of one file as Kafka Streams and its clients look them up, and what is found out
// about them: notes, warnings, refusals.
//
// A client reads a setting under its own prefix first: main.consumer.NAME, then consumer.NAME, then
// NAME; producer.NAME, then NAME. Streams' own settings have no prefix.
#pragma once

#include "model/java_properties.hpp"
#include "model/streams_config.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ringfence::model {

// A property that is in force, trimmed as Kafka trims values.
struct StreamsValue {
    std::string key;
    std::string value;
    std::string where;  // of the value
};

class StreamsProperties {
  public:
    // Throws ConfigurationError.
    StreamsProperties(std::string_view text, std::string_view path, const StreamsContext& context);

    // The property that Kafka would read, if there is one; marks it and those that it hides.
    [[nodiscard]] std::optional<StreamsValue> exact(std::string_view key);
    [[nodiscard]] std::optional<StreamsValue> of_consumer(std::string_view name);
    [[nodiscard]] std::optional<StreamsValue> of_producer(std::string_view name);

    [[nodiscard]] bool client_is_before(std::string_view release) const;
    [[nodiscard]] bool broker_is_before(std::string_view release) const;
    [[nodiscard]] const StreamsContext& context() const { return context_; }
    [[nodiscard]] const std::string& path() const { return path_; }

    void note(StreamsNoteKind kind, const StreamsValue& value, std::string text);
    // Kafka refuses it: thrown, or a warning where it is forced.
    void refuse(const StreamsValue& value, const std::string& reason);
    // No rule of the model for it: thrown in any case.
    [[noreturn]] void fail(const StreamsValue& value, const std::string& reason) const;
    // A whole number as Java reads it. Throws ConfigurationError.
    [[nodiscard]] std::int64_t number(const StreamsValue& value) const;

    // Notes about all properties that nobody has asked for, then everything noted.
    [[nodiscard]] std::vector<StreamsNote> take_notes();

  private:
    [[nodiscard]] std::optional<StreamsValue> first_of(const std::vector<std::string>& keys);
    [[nodiscard]] StreamsValue value_of(const Property& property) const;
    void note_key(StreamsNoteKind kind, const Property& property, std::string text);
    void note_leftover(const Property& property);

    std::string path_;
    const StreamsContext& context_;
    std::vector<Property> properties_;  // those that Java keeps
    std::set<std::string, std::less<>> seen_;
    std::vector<StreamsNote> notes_;
};

}  // namespace ringfence::model
