// Why a step came out as it did, in one line and in Kafka's words. Private to model/describe*.cpp.
// The reasons ask the same acceptance functions as the steps, so that they cannot tell another
// story than what happened.
#pragma once

#include "model/describe.hpp"
#include "model/stream_thread.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ringfence::model {

[[nodiscard]] std::string reason_of(const Taken& taken);

// Membership, rebalances, expulsions; offsets as the group coordinator sees them.
[[nodiscard]] std::string group_reason_of(const Taken& taken);
[[nodiscard]] std::string offsets_reason_of(const Taken& taken);
// Transactional ids, outputs, markers.
[[nodiscard]] std::string transaction_reason_of(const Taken& taken);
[[nodiscard]] std::string log_reason_of(const Taken& taken);

// ": UNKNOWN_MEMBER_ID"
[[nodiscard]] std::string refusal(Error error);

// ---- whom a step concerns, before it ----

[[nodiscard]] inline const StreamThread& thread_in(const Taken& taken) {
    return taken.before.threads[taken.action.thread.value];
}
[[nodiscard]] inline std::size_t slot_in(const Taken& taken) {
    return taken.configuration.producer_slot(taken.action.partition);
}
[[nodiscard]] inline const Producer& producer_in(const Taken& taken) {
    return thread_in(taken).producers[slot_in(taken)];
}
[[nodiscard]] inline std::uint8_t content_in(const Taken& taken) {
    return content_of(taken.configuration, thread_in(taken), slot_in(taken));
}
[[nodiscard]] inline const TransactionalId& id_in(const Taken& taken) {
    return taken.before.transactional_ids[taken.action.producer.value];
}

}  // namespace ringfence::model
