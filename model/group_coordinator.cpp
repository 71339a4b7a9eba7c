#include "model/group_coordinator.hpp"

#include <algorithm>
#include <cassert>

namespace ringfence::model {

void join(GroupCoordinator& group, MemberId member, std::uint8_t claims) {
    group.phase = GroupPhase::preparing;
    group.members = with(group.members, member.bit());
    group.joined = with(group.joined, member.bit());
    group.claims[member.value] = claims;
}

void remove_member(GroupCoordinator& group, MemberId member) {
    group.phase = GroupPhase::preparing;
    group.members = without(group.members, member.bit());
    group.joined = without(group.joined, member.bit());
    group.claims[member.value] = 0;
    for (auto& owner : group.assignment) {
        if (owner == member.value + 1) { owner = 0; }
    }
}

void leave_member_behind(GroupCoordinator& group, ThreadId thread) {
    const MemberId current = current_member(thread);
    const MemberId former = former_member(thread);
    if (!group.has(current)) { return; }
    const auto move = [&](std::uint8_t& set) {
        const bool is_in = (set & current.bit()) != 0;
        set = with(without(set, current.bit()), is_in ? former.bit() : std::uint8_t{0});
    };
    move(group.members);
    move(group.joined);
    group.claims[former.value] = group.claims[current.value];
    group.claims[current.value] = 0;
    for (auto& owner : group.assignment) {
        if (owner == current.value + 1) { owner = static_cast<std::uint8_t>(former.value + 1); }
    }
}

bool join_is_complete(const GroupCoordinator& group) {
    return group.phase == GroupPhase::preparing && group.joined == group.members;
}

void complete_join(GroupCoordinator& group) {
    ++group.generation;
    group.phase = group.members == 0 ? GroupPhase::empty : GroupPhase::completing;
    group.joined = 0;
    group.assignment = {};
}

void assign(const Configuration& configuration, GroupCoordinator& group, std::uint16_t encoded) {
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        group.assignment[p] = static_cast<std::uint8_t>(encoded >> (4 * p) & 15U);
    }
    group.claims = {};
    group.phase = GroupPhase::stable;
}

namespace {

// Rule (b) of validateOffsetCommit: who gives no generation may commit to an empty group.
bool is_simple(const GroupCoordinator& group, const Sender& sender) {
    return !sender.gives_generation && group.phase == GroupPhase::empty;
}

// Rule (c). `both`: one value given means that both are tested.
Error membership_error(const Rules& rules, const GroupCoordinator& group, const Sender& sender,
                       bool both) {
    const bool tests_all = both && (sender.gives_member || sender.gives_generation);
    const bool tests_member = rules.member_test == Test::on && (tests_all || sender.gives_member);
    if (tests_member && !sender.is_member) { return Error::unknown_member_id; }
    const bool tests_generation =
        rules.generation_test == Test::on && (tests_all || sender.gives_generation);
    if (tests_generation && !(sender.gives_generation && sender.generation == group.generation)) {
        return Error::illegal_generation;
    }
    // KAFKA-20191 proposes this test; no release has it.
    const bool is_foreign = rules.ownership_test == Test::on && !sender.owns_partitions;
    return is_foreign ? Error::illegal_generation : Error::none;
}

}  // namespace

Error txn_offset_commit_error(const Rules& rules, const GroupCoordinator& group,
                              const Sender& sender) {
    const PartialMetadata rule = rules.partial_metadata;
    if (rule == PartialMetadata::tests_both && is_simple(group, sender)) { return Error::none; }
    const bool both = rule != PartialMetadata::tests_given;
    return membership_error(rules, group, sender, both);
}

Error offset_commit_error(const Rules& rules, const GroupCoordinator& group, const Sender& sender) {
    const bool accepts_simple = rules.partial_metadata != PartialMetadata::tests_both_always;
    if (accepts_simple && is_simple(group, sender)) { return Error::none; }
    const bool is_completing = group.phase == GroupPhase::completing;
    if (is_completing && rules.rebalance_test == RebalanceTest::first) {
        return Error::rebalance_in_progress;
    }
    const Error error = membership_error(rules, group, sender, true);
    if (error != Error::none) { return error; }
    // Only a group without members takes a plain commit from outside.
    const bool is_from_outside = !sender.gives_member && group.phase != GroupPhase::empty;
    if (rules.member_test == Test::on && is_from_outside) { return Error::unknown_member_id; }
    return is_completing ? Error::rebalance_in_progress : Error::none;
}

Error offset_fetch_error(const Rules& rules, const GroupCoordinator& group, PartitionId partition) {
    if (rules.offset_fetch == OffsetFetch::any) { return Error::none; }
    const bool is_unstable = std::ranges::any_of(group.offsets, [&](const OffsetsEntry& entry) {
        return entry.pending[partition.value].offset != 0;
    });
    return is_unstable ? Error::unstable_offset_commit : Error::none;
}

namespace {

// Takes the record of `producer` out of the order of the partition.
void remove_pending(GroupCoordinator& group, ProducerId producer, std::size_t partition) {
    PendingOffset& removed = group.offsets[producer.value].pending[partition];
    const std::uint8_t position = removed.position;
    removed = PendingOffset{};
    // Nothing lies behind a record that was overtaken, and a slot that is not in use behind none.
    for (OffsetsEntry& entry : group.offsets) {
        PendingOffset& other = entry.pending[partition];
        const bool is_behind = other.position > position;
        if (is_behind && other.position != PendingOffset::overtaken) { --other.position; }
    }
}

// Stores the offset unless a later record was stored before it; earlier records are overtaken now.
void store(GroupCoordinator& group, ProducerId producer, std::size_t partition) {
    PendingOffset& own = group.offsets[producer.value].pending[partition];
    const PendingOffset stored = own;
    own = PendingOffset{};
    if (stored.position == PendingOffset::overtaken) { return; }
    group.committed[partition] = stored.offset;
    for (OffsetsEntry& entry : group.offsets) {
        PendingOffset& other = entry.pending[partition];
        if (other.offset == 0 || other.position == PendingOffset::overtaken) { continue; }
        const bool is_later = other.position > stored.position;
        other.position = is_later ? static_cast<std::uint8_t>(other.position - stored.position - 1)
                                  : PendingOffset::overtaken;
    }
}

}  // namespace

void add_pending(GroupCoordinator& group, ProducerId producer, PartitionId partition,
                 Offset offset) {
    PendingOffset& pending = group.offsets[producer.value].pending[partition.value];
    if (pending.offset != 0) { remove_pending(group, producer, partition.value); }
    std::uint8_t before = 0;
    for (const OffsetsEntry& entry : group.offsets) {
        const PendingOffset& other = entry.pending[partition.value];
        if (other.offset != 0 && other.position != PendingOffset::overtaken) { ++before; }
    }
    pending = PendingOffset{.offset = offset, .position = before};
}

void materialise(GroupCoordinator& group, ProducerId producer, bool is_commit) {
    for (std::size_t p = 0; p < partitions_max; ++p) {
        if (group.offsets[producer.value].pending[p].offset == 0) { continue; }
        if (is_commit) {
            store(group, producer, p);
        } else {
            remove_pending(group, producer, p);
        }
    }
}

unsigned queue_length(std::uint8_t queue) {
    unsigned length = 0;
    for (; queue != 0; queue = static_cast<std::uint8_t>(queue >> 2U)) { ++length; }
    return length;
}

void push_marker(OffsetsEntry& entry, bool is_commit) {
    const unsigned length = queue_length(entry.queue);
    assert(length < queue_length_max);
    entry.queue =
        with(entry.queue, static_cast<std::uint8_t>((is_commit ? 1U : 2U) << (2 * length)));
}

bool pop_marker(OffsetsEntry& entry) {
    const bool is_commit = (entry.queue & 3U) == 1;
    entry.queue = static_cast<std::uint8_t>(entry.queue >> 2U);
    return is_commit;
}

}  // namespace ringfence::model
