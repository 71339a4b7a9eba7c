// The network: what it may do to a request or a marker, and what is in flight.
//
// A message in flight is one that its sender has given up to wait for: it was late and was sent
// again, or it is the copy of one that has been answered. It may be delivered at any later time,
// which costs no budget, and the answer reaches nobody. That includes never: so a message that is
// lost needs no step. Nothing keeps messages in order (FIFO ends with the connection).
//
// A message keeps what it says, but names are relative to the state and follow it: of a member that
// is gone, of a producer id that has moved to a slot for former ones, and of the sequence that the
// leader expects next.
#pragma once

#include "checker/model.hpp"
#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/request.hpp"

namespace ringfence::model {

[[nodiscard]] std::size_t messages_in_flight(const Cluster& cluster);

// For list_fates: where the network disturbs at all, which it does in few configurations.
void list_disturbed(const Configuration& configuration, const Cluster& cluster,
                    const Action& action, checker::Enabled<Action>& enabled);
// What else than an answer may come of `action`, a request or marker that may be sent now. It may
// be one of those that are enabled.
inline void list_fates(const Configuration& configuration, const Cluster& cluster,
                       const Action& action, checker::Enabled<Action>& enabled) {
    if (configuration.disturbs_network()) {
        list_disturbed(configuration, cluster, action, enabled);
    }
}
void list_deliveries(const Configuration& configuration, const Cluster& cluster,
                     checker::Enabled<Action>& enabled);
// Takes the cost of a step with another fate off its budget.
void spend_fate(const Configuration& configuration, Cluster& cluster, const Action& action);

// `request`, just sent, stays in flight.
void put_in_flight(const Configuration& configuration, Cluster& cluster, Request request);
// The message at this place as its receiver sees it, and its delivery.
[[nodiscard]] Request message_in(const Configuration& configuration, const Cluster& cluster,
                                 std::size_t place);
Outcome deliver(const Configuration& configuration, Cluster& cluster, std::size_t place);

// ---- what messages say, as the state moves on ----

// Something was written to the partition, which overtakes the questions about what waits there:
// see verification.hpp.
void overtake_in_flight(const Configuration& configuration, Cluster& cluster, ProducerId producer,
                        std::uint8_t partition, Epoch marker);
// After a Produce was handled: whatever else carries its sequence comes after it now.
void count_append(const Configuration& configuration, Cluster& cluster, const Request& request);
// The member is not in the group any more, or has moved to another slot.
void forget_member(Cluster& cluster, MemberId member);
void rename_member(Cluster& cluster, MemberId from, MemberId to);
[[nodiscard]] bool is_in_flight(const Cluster& cluster, ProducerId producer);
void rename_producer(Cluster& cluster, ProducerId from, ProducerId to);
// Restores the order after messages were changed.
void sort_messages(Cluster& cluster);

// ---- ghosts ----

// The client has aborted: its records in flight may not become visible either.
void mark_aborted(Cluster& cluster, const Request& abort);

// A commit was decided: its client may not hear of it, and then ends the transaction once more.
void note_decision(const Configuration& configuration, Cluster& cluster, const Request& commit);

// What EndTxn ends is the client's transaction at the time when it is handled, so while the client
// has it open, nothing is kept with a message. A client that loses it leaves its work with those of
// its EndTxn(commit) that are in flight.
void leave_work(const Configuration& configuration, Cluster& cluster, const StreamThread& before,
                ThreadId thread);
// The producer's transaction was decided: what was left with messages is settled.
void settle_work(Cluster& cluster, ProducerId producer);
// The thread has fetched the offset of the partition; it has dropped its task there.
void supersede_in_flight(Cluster& cluster, ThreadId thread, PartitionId partition);
void forget_elder(Cluster& cluster, ThreadId thread, std::size_t partition);

}  // namespace ringfence::model
