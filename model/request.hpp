// A request as a value: all that travels, and so all that its receiver knows of the sender. Clients
// send to brokers, and the transaction coordinator sends markers to leaders.
#pragma once

#include "model/actions.hpp"
#include "model/ids.hpp"
#include "model/work.hpp"

#include <compare>
#include <cstdint>

namespace ringfence::model {

// What an offset commit says of its sender's member id: none, one that is not in the group any
// more (ids do not come back), or the one in a slot of the group.
struct GivenMember {
    std::uint8_t raw = 0;

    static constexpr GivenMember stale() { return {1}; }
    static constexpr GivenMember in(MemberId slot) {
        return {static_cast<std::uint8_t>(2 + slot.value)};
    }
    [[nodiscard]] constexpr bool is_given() const { return raw != 0; }
    [[nodiscard]] constexpr bool is_in_slot() const { return raw >= 2; }
    [[nodiscard]] constexpr MemberId slot() const { return MemberId{raw - 2U}; }

    friend auto operator<=>(GivenMember, GivenMember) = default;
};

// What a batch knows of its leader's question to the coordinator (KIP-890): never asked, answered,
// or answered and overtaken by an append or a marker of the producer since (VerificationGuard).
enum class Guard : std::uint8_t { none, current, overtaken };

using GivenGeneration = Counter<struct GenerationTag>;

struct Request {
    Verb verb{};
    ProducerId producer{};    // whose transactional id and producer id
    Epoch epoch{};            // none: a plain commit; InitProducerId of a new producer
    PartitionId partition{};  // AddPartitionsToTxn, Produce, WriteTxnMarkers to an output
    bool is_commit = false;   // WriteTxnMarkers
    std::uint8_t coordinator_epoch = 0;  // likewise
    Offset record = 0;                   // Produce
    Guard guard{};  // Produce, TxnOffsetCommit: once they have come to the leader
    // Produce: how far its sequence lies behind the one that the leader expects next. 0 fits, 1 was
    // appended last.
    std::uint8_t behind = 0;
    bool is_aborted = false;       // Produce, a ghost: its client has aborted since
    GivenMember member{};          // TxnOffsetCommit, OffsetCommit
    GivenGeneration generation{};  // likewise
    // The offsets of TxnOffsetCommit and OffsetCommit are the positions. Of EndTxn it is a ghost:
    // what the client's transaction has processed.
    Works work{};

    // An empty place among those in flight.
    [[nodiscard]] constexpr bool is_none() const { return verb == Verb::join_group; }
    friend auto operator<=>(const Request&, const Request&) = default;
};

}  // namespace ringfence::model
