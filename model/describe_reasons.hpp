// Why a step came out as it did, in one line and in Kafka's words. Private to model/describe*.cpp.
// The reasons ask the same acceptance functions as the steps, so that they cannot tell another
// story than what happened.
#pragma once

#include "model/brokers.hpp"
#include "model/client.hpp"
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

// The leader's question to the coordinator, and a batch that the guard refuses.
[[nodiscard]] std::string question_reason_of(const Taken& taken);
[[nodiscard]] std::string guard_reason_of(const Taken& taken);
[[nodiscard]] std::string failover_reason_of(const Taken& taken);
// A leader that forgets a producer id.
[[nodiscard]] std::string expiry_reason_of(const Taken& taken);
// What the network did to a request or marker, around the reason of its handling.
[[nodiscard]] std::string fate_reason(const Taken& taken, const std::string& handled);
[[nodiscard]] std::string_view fate_name(Fate fate);  // "late", "answer lost", ...
[[nodiscard]] std::string message_value(const Configuration& configuration, const Request& message);
// As against a marker.
[[nodiscard]] bool is_asked_by_thread(Verb verb);

// ": UNKNOWN_MEMBER_ID"
[[nodiscard]] std::string refusal(Error error);
// The same where the client sends the request again: of a message in flight nobody does.
[[nodiscard]] std::string refusal_for_now(const Taken& taken);

// ---- whom a step concerns, before it ----

// What the step asks a broker, where it asks one: what is sent, or was in flight.
[[nodiscard]] Request request_in(const Taken& taken);
// "member A", or who else sent it.
[[nodiscard]] std::string member_in(const Taken& taken);
[[nodiscard]] inline Sender sender_in(const Taken& taken) {
    return sender_of(taken.configuration, taken.before.group, request_in(taken));
}
[[nodiscard]] inline const TransactionalId& id_in(const Taken& taken) {
    return taken.before.transactional_ids[taken.action.producer.value];
}

}  // namespace ringfence::model
