#include "model/names.hpp"

#include "model/group_coordinator.hpp"

namespace ringfence::model {

namespace {

void append_to_list(std::string& list, std::string_view item) {
    if (!list.empty()) { list += ", "; }
    list += item;
}

std::string or_none(std::string list) { return list.empty() ? "none" : list; }

bool has_bit(unsigned set, unsigned bit) { return (set >> bit & 1U) != 0; }

std::string task_id(std::size_t partition) { return "0_" + std::to_string(partition); }

}  // namespace

std::string thread_name(ThreadId thread) {
    return std::string(1, static_cast<char>('A' + thread.value));
}

std::string partition_name(PartitionId partition) { return "p" + std::to_string(partition.value); }

std::string record_name(Offset record) { return "r" + std::to_string(record + 1); }

std::string member_name(MemberId member) {
    const std::string name = thread_name(thread_of(member));
    return member == current_member(thread_of(member)) ? name : name + "-former";
}

std::string producer_name(const Configuration& configuration, ProducerId producer) {
    switch (configuration.id_scope()) {
        case IdScope::automatic:
        case IdScope::task: return "app-" + task_id(producer.value);
        case IdScope::instance: return "app-instance";
        case IdScope::thread:
        case IdScope::random: break;
    }
    const std::size_t current = configuration.current_producers();
    const bool is_former = producer.value >= current;
    const std::size_t index = is_former ? producer.value - current : producer.value;
    const bool per_task = configuration.has_producer_per_task();
    const std::size_t tasks = per_task ? configuration.bounds.partitions : 1;
    std::string name = "app-" + thread_name(ThreadId{index / tasks});
    if (per_task) { name += "-" + task_id(index % tasks); }
    if (configuration.id_scope() == IdScope::random) { name += "-random"; }
    return is_former ? name + "-former" : name;
}

std::string epoch_name(Epoch epoch) {
    return epoch.is_known() ? std::to_string(epoch.number()) : "none";
}

std::string partitions_name(std::uint8_t partitions) {
    std::string list;
    for (unsigned p = 0; p < partitions_max; ++p) {
        if (has_bit(partitions, p)) { append_to_list(list, partition_name(PartitionId{p})); }
    }
    if ((partitions & offsets_partition_bit) != 0) { append_to_list(list, "offsets"); }
    return or_none(list);
}

std::string members_name(std::uint8_t members) {
    std::string list;
    for (unsigned slot = 0; slot < members_max; ++slot) {
        if (has_bit(members, slot)) { append_to_list(list, member_name(MemberId{slot})); }
    }
    return or_none(list);
}

std::string records_name(std::uint8_t counts) {
    std::string list;
    for (Offset record = 0; record < records_max; ++record) {
        const unsigned count = count_of(counts, record);
        if (count == 0) { continue; }
        append_to_list(list, record_name(record) + (count > 1 ? " twice" : ""));
    }
    return or_none(list);
}

std::string records_of_bits(std::uint8_t records) {
    std::uint8_t counts = 0;
    for (Offset record = 0; record < records_max; ++record) {
        if (has_bit(records, record)) { counts = with_one_more(counts, record); }
    }
    return records_name(counts);
}

std::string_view name_of(GroupPhase phase) {
    switch (phase) {
        case GroupPhase::empty: return "Empty";
        case GroupPhase::preparing: return "PreparingRebalance";
        case GroupPhase::completing: return "CompletingRebalance";
        case GroupPhase::stable: return "Stable";
    }
    return "?";
}

std::string_view name_of(TransactionState state) {
    switch (state) {
        case TransactionState::empty: return "Empty";
        case TransactionState::ongoing: return "Ongoing";
        case TransactionState::prepare_commit: return "PrepareCommit";
        case TransactionState::prepare_abort: return "PrepareAbort";
        case TransactionState::complete_commit: return "CompleteCommit";
        case TransactionState::complete_abort: return "CompleteAbort";
    }
    return "?";
}

std::string_view name_of(Life life) {
    switch (life) {
        case Life::alive: return "alive";
        case Life::down: return "down";
    }
    return "?";
}

std::string_view name_of(Membership membership) {
    switch (membership) {
        case Membership::out: return "no member";
        case Membership::awaiting_join: return "waits for JoinGroup";
        case Membership::awaiting_sync: return "must sync";
        case Membership::in: return "member";
        case Membership::closing: return "must leave";
    }
    return "?";
}

std::string_view name_of(TaskPhase phase) {
    switch (phase) {
        case TaskPhase::none: return "none";
        case TaskPhase::needs_fetch: return "needs OffsetFetch";
        case TaskPhase::running: return "running";
        case TaskPhase::revoking: return "to be given up";
        case TaskPhase::needs_init: return "needs InitProducerId";
        case TaskPhase::needs_both: return "needs InitProducerId and OffsetFetch";
        case TaskPhase::kept: return "lost, its work kept";
    }
    return "?";
}

std::string_view name_of(TransactionPhase phase) {
    switch (phase) {
        case TransactionPhase::working: return "working";
        case TransactionPhase::offsets_added: return "offsets partition added";
        case TransactionPhase::offsets_accepted: return "offsets accepted";
        case TransactionPhase::must_abort: return "must abort";
        case TransactionPhase::aborting: return "aborting";
        case TransactionPhase::aborts_and_bumps: return "aborting, then a bump";
        case TransactionPhase::bumping: return "needs a bump";
        case TransactionPhase::offsets_refused: return "offsets refused";
    }
    return "?";
}

}  // namespace ringfence::model
