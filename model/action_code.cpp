#include "model/action_code.hpp"

#include "model/cluster.hpp"

#include <array>
#include <charconv>
#include <cstddef>

namespace ringfence::model {

namespace {

struct Field {
    std::string_view name;
    unsigned limit;  // values are below
    unsigned (*get)(const Action&);
    void (*set)(Action&, unsigned);
};

constexpr std::array fields{
    Field{"thread", threads_max,
          [](const Action& action) -> unsigned { return action.thread.value; },
          [](Action& action, unsigned value) { action.thread = ThreadId{value}; }},
    Field{"partition", partitions_max,
          [](const Action& action) -> unsigned { return action.partition.value; },
          [](Action& action, unsigned value) { action.partition = PartitionId{value}; }},
    Field{"producer", producers_max,
          [](const Action& action) -> unsigned { return action.producer.value; },
          [](Action& action, unsigned value) { action.producer = ProducerId{value}; }},
    Field{"member", members_max,
          [](const Action& action) -> unsigned { return action.member.value; },
          [](Action& action, unsigned value) { action.member = MemberId{value}; }},
    Field{"disturbance", 2, [](const Action& action) -> unsigned { return action.spends_budget; },
          [](Action& action, unsigned value) { action.spends_budget = value != 0; }},
    Field{"assignment", 1U << 16U,
          [](const Action& action) -> unsigned { return action.assignment; },
          [](Action& action, unsigned value) {
              action.assignment = static_cast<std::uint16_t>(value);
          }},
    Field{"fate", 4, [](const Action& action) -> unsigned { return unsigned(action.fate); },
          [](Action& action, unsigned value) { action.fate = static_cast<Fate>(value); }},
    Field{"gives_up", 2, [](const Action& action) -> unsigned { return action.gives_up; },
          [](Action& action, unsigned value) { action.gives_up = value != 0; }},
    Field{
        "message", messages_max, [](const Action& action) -> unsigned { return action.message; },
        [](Action& action, unsigned value) { action.message = static_cast<std::uint8_t>(value); }},
};

// Which fields a verb names even if they are zero, so that a person need not guess.
bool always_names(Verb verb, std::string_view field) {
    switch (verb) {
        case Verb::complete_join: return false;
        case Verb::expel_member: return field == "member";
        case Verb::deliver_request:
        case Verb::deliver_marker: return field == "message";
        case Verb::time_out_txn:
        case Verb::fail_over_coordinator:
        case Verb::expire_offsets_producer:
        case Verb::complete_txn:
        case Verb::materialise:
        case Verb::write_offsets_marker: return field == "producer";
        case Verb::expire_producer:
        case Verb::write_marker:
        case Verb::write_changelog_marker: return field == "partition" || field == "producer";
        case Verb::fetch_offset:
        case Verb::restore_changelog:
        case Verb::add_partition:
        case Verb::verify_partition:
        case Verb::produce: return field == "thread" || field == "partition";
        case Verb::init_producer_id:
        case Verb::add_offsets:
        case Verb::verify_offsets:
        case Verb::txn_offset_commit:
        case Verb::end_txn_commit:
        case Verb::end_txn_abort: return field == "thread" || field == "producer";
        case Verb::join_group:
        case Verb::rejoin_group:
        case Verb::sync_group:
        case Verb::leave_group:
        case Verb::learn_of_expulsion:
        case Verb::offset_commit:
        case Verb::trigger_rebalance:
        case Verb::crash:
        case Verb::restart: return field == "thread";
    }
    return false;
}

std::optional<Verb> verb_named(std::string_view name) {
    for (std::size_t index = 0; index < verbs; ++index) {
        const auto verb = static_cast<Verb>(index);
        if (name_of(verb) == name) { return verb; }
    }
    return std::nullopt;
}

// Takes everything up to the next blank off `text`, and the blank.
std::string_view next_word(std::string_view& text) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size() == text.size() ? word.size() : word.size() + 1);
    return word;
}

bool set_field(Action& action, std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) { return false; }
    const std::string_view digits = word.substr(equals + 1);
    unsigned value = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), value);
    if (error != std::errc{} || end != digits.end()) { return false; }
    for (const Field& field : fields) {
        if (field.name != word.substr(0, equals) || value >= field.limit) { continue; }
        field.set(action, value);
        return true;
    }
    return false;
}

}  // namespace

std::string encode(const Action& action) {
    std::string text(name_of(action.verb));
    for (const Field& field : fields) {
        const unsigned value = field.get(action);
        if (value == 0 && !always_names(action.verb, field.name)) { continue; }
        text += " " + std::string(field.name) + "=" + std::to_string(value);
    }
    return text;
}

std::optional<Action> decode(std::string_view text) {
    std::string_view rest = text;
    const std::optional<Verb> verb = verb_named(next_word(rest));
    if (!verb) { return std::nullopt; }
    Action action{.verb = *verb};
    while (!rest.empty()) {
        if (!set_field(action, next_word(rest))) { return std::nullopt; }
    }
    // Refuses repeated fields, another order, leading zeros and blanks at the end, all at once.
    if (encode(action) != text) { return std::nullopt; }
    return action;
}

}  // namespace ringfence::model
