// A stream thread: its consumer, its tasks and its producers (StreamThread, TaskManager,
// ConsumerCoordinator, TransactionManager). It acts on what it believes alone.
//
// One thread does one thing at a time: the calls of a commit (AddOffsetsToTxn, TxnOffsetCommit,
// EndTxn) follow one another without a poll between them, so no rejoin falls between them either.
#pragma once

#include "checker/model.hpp"
#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/group_coordinator.hpp"

namespace ringfence::model {

// Healing steps that a bound may forbid.
enum class Cut : std::uint8_t {
    join,                 // a new member joins at the last generation
    follow_up_rebalance,  // a cooperative member that gave partitions up rejoins at the last one
    leave,                // a thread leaves after a dirty close at the last generation
    expulsion,            // a member whose thread is down, at the last generation
    epoch,                // a bump beyond the largest epoch
    former_producer,      // one more random id than the state has room for
    former_member,        // a restart while an earlier incarnation is still listed
    marker_queue,         // one more queued marker than the state has room for
    messages,             // one more message in flight than the state has room for
    coordinator_epoch,    // one more failover than epochs of coordinators are counted
};
inline constexpr std::size_t cuts = static_cast<std::size_t>(Cut::coordinator_epoch) + 1;

[[nodiscard]] std::string_view name_of(Cut cut);

// The steps that thread `thread` may take now.
void list_thread_actions(const Configuration& configuration, const Cluster& cluster,
                         ThreadId thread, checker::Enabled<Action>& enabled);

// Partitions that the thread's consumer claims to own when it joins.
[[nodiscard]] std::uint8_t owned_partitions(const Configuration& configuration,
                                            const StreamThread& thread);

// Is this partition's work part of the transaction of the producer in `slot`?
[[nodiscard]] inline bool writes_for(const Configuration& configuration, std::size_t slot,
                                     std::size_t partition) {
    return configuration.producer_slot(PartitionId{partition}) == slot;
}

// Partitions with progress in the transaction of the producer in `slot`.
[[nodiscard]] std::uint8_t content_of(const Configuration& configuration,
                                      const StreamThread& thread, std::size_t slot);

// Is the thread, as it believes and in truth, a member at the group's current generation?
[[nodiscard]] bool is_current_member(const Cluster& cluster, ThreadId thread);

// Does the client of the producer in `slot` have a transaction open, or a record for its next one?
[[nodiscard]] bool expects_transaction(const Configuration& configuration,
                                       const StreamThread& thread, std::size_t slot);

// ---- reactions ----

// onPartitionsLost, TaskMigratedException: all tasks are closed dirty, open transactions are
// aborted where that is possible, the member leaves and joins as a new one. The producer in
// `fenced_slot` was told so fatally and cannot abort any more.
inline constexpr std::size_t no_slot = partitions_max;
void close_dirty(const Configuration& configuration, StreamThread& thread, std::size_t fenced_slot);

// A fencing error on a request of the producer in `slot`. `is_fatal`: the client may not even send
// EndTxn(abort).
void react_to_fence(const Configuration& configuration, StreamThread& thread, std::size_t slot,
                    bool is_fatal);

// The client initialises the producer anew, once it has aborted if it `aborts`, and does the work
// again from what is committed.
void begin_anew(const Configuration& configuration, StreamThread& thread, std::size_t slot,
                bool aborts);

// An error that Kafka Streams does not survive (INVALID_TXN_STATE): the thread ends without leaving
// the group (internal.leave.group.on.close is false); its member is expelled later.
void die(StreamThread& thread);

// The thread comes back as a new incarnation, with a new id if those are random. The member that
// the last one was stays listed until it is expelled.
void start_again(const Configuration& configuration, Cluster& cluster, ThreadId thread);

// EndTxn was answered with success, or with an error that a closing client swallows.
void close_transaction(const Configuration& configuration, StreamThread& thread, std::size_t slot,
                       bool is_commit);

// The thread gets what the group assigned to it.
void adopt_assignment(const Configuration& configuration, Cluster& cluster, ThreadId thread);

// Before JoinGroup goes out: what the thread closes under its rule.
void prepare_to_rejoin(const Configuration& configuration, StreamThread& thread);

// UNKNOWN_MEMBER_ID on a heartbeat.
void lose_membership(const Configuration& configuration, StreamThread& thread);

}  // namespace ringfence::model
