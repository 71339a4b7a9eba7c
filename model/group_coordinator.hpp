// The group coordinator: a classic group (join phase, sync, expulsion) and, as leader of the
// offsets partition, committed and pending offsets (GroupMetadataManager, OffsetMetadataManager).
//
// Acceptance functions are pure: see transaction_coordinator.hpp.
#pragma once

#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"

namespace ringfence::model {

// ---- membership ----

[[nodiscard]] constexpr MemberId current_member(ThreadId thread) { return MemberId{thread.value}; }
[[nodiscard]] constexpr MemberId former_member(ThreadId thread) {
    return MemberId{threads_max + thread.value};
}
[[nodiscard]] constexpr ThreadId thread_of(MemberId member) {
    return ThreadId{member.value % threads_max};
}

// JoinGroup of a new or known member: it waits for the end of the join phase, which a join begins
// outside of one. `claims` are the partitions that it says it still owns (KIP-429).
void join(GroupCoordinator& group, MemberId member, std::uint8_t claims);

// LeaveGroup, session timeout, or not rejoining in time: the member is gone at once, the generation
// moves only when the next join phase ends.
void remove_member(GroupCoordinator& group, MemberId member);

// The thread restarts: its new incarnation will be a new member, and the old one stays listed in
// the slot of former members until it is expelled.
void leave_member_behind(GroupCoordinator& group, ThreadId thread);

// The join phase ends: all members have joined, the generation moves.
[[nodiscard]] bool join_is_complete(const GroupCoordinator& group);
void complete_join(GroupCoordinator& group);

// Calls visit(encoded) for each assignment that the first member to sync may choose (Action's
// `assignment`). A cooperative assignor gives a claimed partition to the member that claims it, or
// to nobody until that member has given it up.
template <class Visit>
void for_each_assignment(const Configuration& configuration, const GroupCoordinator& group,
                         Visit visit);
void assign(const Configuration& configuration, GroupCoordinator& group, std::uint16_t encoded);

// ---- offsets ----

// What TxnOffsetCommit or OffsetCommit tells the coordinator about its sender.
struct Sender {
    bool gives_member = true;
    bool is_member = true;  // the member id that it gives is in the group
    bool gives_generation = true;
    Generation generation = 0;
    bool owns_partitions = true;  // of all partitions in the request, by the group's assignment
};

// ClassicGroup.validateOffsetCommit for transactional commits: no REBALANCE_IN_PROGRESS.
[[nodiscard]] Error txn_offset_commit_error(const Rules& rules, const GroupCoordinator& group,
                                            const Sender& sender);
// The same for plain commits.
[[nodiscard]] Error offset_commit_error(const Rules& rules, const GroupCoordinator& group,
                                        const Sender& sender);
// OffsetFetch: with requireStable it waits while any producer has a pending offset there.
[[nodiscard]] Error offset_fetch_error(const Rules& rules, const GroupCoordinator& group,
                                       PartitionId partition);

// An accepted TxnOffsetCommit: pending, behind all that is pending for the partition.
void add_pending(GroupCoordinator& group, ProducerId producer, PartitionId partition,
                 Offset offset);
// The marker's effect: everything pending for the producer is stored or dropped. An offset is
// stored only if its record lies behind that of the stored one, not by the order of markers.
void materialise(GroupCoordinator& group, ProducerId producer, bool is_commit);

// Markers acknowledged on append wait here to be materialised, oldest first (KAFKA-17507).
inline constexpr unsigned queue_length_max = 4;
[[nodiscard]] unsigned queue_length(std::uint8_t queue);
void push_marker(OffsetsEntry& entry, bool is_commit);
[[nodiscard]] bool pop_marker(OffsetsEntry& entry);  // was it a commit?

// ---- implementation ----

// Asks for each partition in turn; at most 8 members and 4 partitions.
template <class Visit>
void for_each_assignment(const Configuration& configuration, const GroupCoordinator& group,
                         Visit visit) {
    const bool respects_claims =
        configuration.rules.closes_before_rejoin == ClosesBeforeRejoin::cooperative;
    const bool has_several = (group.members & (group.members - 1)) != 0;
    const auto choose = [&](auto&& self, unsigned partition, unsigned encoded) -> void {
        if (partition == configuration.bounds.partitions) {
            visit(static_cast<std::uint16_t>(encoded));
            return;
        }
        const auto with = [&](unsigned owner) {
            self(self, partition + 1, encoded | owner << (4 * partition));
        };
        for (unsigned slot = 0; slot < members_max && respects_claims; ++slot) {
            if ((group.claims[slot] >> partition & 1U) == 0) { continue; }
            with(1 + slot);
            if (has_several) { with(0); }
            return;
        }
        for (unsigned slot = 0; slot < members_max; ++slot) {
            if ((group.members >> slot & 1U) != 0) { with(1 + slot); }
        }
    };
    choose(choose, 0, 0);
}

}  // namespace ringfence::model
