#include "model/streams_properties.hpp"

#include "model/nearest_name.hpp"
#include "model/streams_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace ringfence::model {

namespace {

std::string place(std::string_view path, const TextPosition& at) {
    return fmt::format("{}:{}:{}", path, at.line, at.column);
}

std::string trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\n\r\f\v";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos) { return {}; }
    return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

bool is_before(std::string_view release, std::string_view other) {
    const auto releases = release_catalogue();
    return std::ranges::find(releases, release) < std::ranges::find(releases, other);
}

}  // namespace

StreamsProperties::StreamsProperties(std::string_view text, std::string_view path,
                                     const StreamsContext& context)
    : path_(path), context_(context) {
    for (Property& property : read_properties(text, path)) {
        const auto former = std::ranges::find(properties_, property.key, &Property::key);
        if (former == properties_.end()) {
            properties_.push_back(std::move(property));
            continue;
        }
        note_key(
            StreamsNoteKind::warning, *former,
            fmt::format("given again in line {}, and the last one wins", property.key_at.line));
        *former = std::move(property);
    }
}

StreamsValue StreamsProperties::value_of(const Property& property) const {
    return {.key = property.key,
            .value = trimmed(property.value),
            .where = place(path_, property.value_at)};
}

std::optional<StreamsValue> StreamsProperties::exact(std::string_view key) {
    return first_of({std::string(key)});
}

std::optional<StreamsValue> StreamsProperties::of_consumer(std::string_view name) {
    const std::string plain(name);
    // The prefix came with Streams 2.0 (KIP-276).
    if (client_is_before("2.0")) { return first_of({"consumer." + plain, plain}); }
    return first_of({"main.consumer." + plain, "consumer." + plain, plain});
}

std::optional<StreamsValue> StreamsProperties::of_producer(std::string_view name) {
    return first_of({"producer." + std::string(name), std::string(name)});
}

std::optional<StreamsValue> StreamsProperties::first_of(const std::vector<std::string>& keys) {
    std::optional<StreamsValue> first;
    for (const std::string& key : keys) {
        const auto found = std::ranges::find(properties_, key, &Property::key);
        if (found == properties_.end()) { continue; }
        const bool is_new = seen_.insert(key).second;
        if (!first) {
            first = value_of(*found);
        } else if (is_new) {
            note(StreamsNoteKind::ignored, value_of(*found),
                 fmt::format("{} goes before it", first->key));
        }
    }
    return first;
}

bool StreamsProperties::client_is_before(std::string_view release) const {
    return is_before(context_.client, release);
}

bool StreamsProperties::broker_is_before(std::string_view release) const {
    return is_before(context_.broker, release);
}

void StreamsProperties::note(StreamsNoteKind kind, const StreamsValue& value, std::string text) {
    notes_.push_back({.kind = kind,
                      .where = value.where,
                      .key = value.key,
                      .value = value.value,
                      .text = std::move(text)});
}

void StreamsProperties::refuse(const StreamsValue& value, const std::string& reason) {
    if (!context_.is_forced) { fail(value, reason + " (--force checks it all the same)"); }
    note(StreamsNoteKind::warning, value, "forced: " + reason);
}

void StreamsProperties::fail(const StreamsValue& value, const std::string& reason) const {
    std::string text = fmt::format("{}: {} = {}: {}", value.where, value.key, value.value, reason);
    // A value may hold line ends, a message is one line.
    std::ranges::replace_if(
        text, [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
    throw ConfigurationError(text);
}

std::int64_t StreamsProperties::number(const StreamsValue& value) const {
    std::string_view digits = value.value;
    if (digits.starts_with('+')) { digits.remove_prefix(1); }
    std::int64_t number = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc{} || stop != end) {
        fail(value, fmt::format("Kafka {} refuses it (ConfigException: not a number), expected a "
                                "whole number",
                                context_.client));
    }
    return number;
}

void StreamsProperties::note_key(StreamsNoteKind kind, const Property& property, std::string text) {
    notes_.push_back({.kind = kind,
                      .where = place(path_, property.key_at),
                      .key = property.key,
                      .value = {},
                      .text = std::move(text)});
}

void StreamsProperties::note_leftover(const Property& property) {
    if (kind_of_key(property.key) != KeyKind::unknown) {
        note_key(StreamsNoteKind::ignored, property, "no bearing on fencing");
        return;
    }
    const std::string_view prefix = prefix_of_key(property.key);
    const std::string_view name = std::string_view(property.key).substr(prefix.size());
    const std::string nearest = nearest_key(property.key);
    std::string text = "neither Kafka Streams nor its clients know it";
    if (!prefix.empty() && kind_of_key(name) == KeyKind::streams) {
        text = fmt::format("no client reads it; Kafka Streams reads \"{}\"", name);
    } else if (3 * edit_distance(property.key, nearest) <= property.key.size()) {
        text += fmt::format(", nearest is \"{}\"", nearest);
    }
    note_key(StreamsNoteKind::unknown, property, std::move(text));
}

std::vector<StreamsNote> StreamsProperties::take_notes() {
    for (const Property& property : properties_) {
        if (!seen_.contains(property.key)) { note_leftover(property); }
    }
    return std::exchange(notes_, {});
}

}  // namespace ringfence::model
