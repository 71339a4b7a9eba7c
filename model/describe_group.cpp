// Reasons of the group coordinator's steps: membership, and the offsets that it is asked for.
#include "model/describe_reasons.hpp"
#include "model/group_coordinator.hpp"
#include "model/names.hpp"
#include "model/partition_leader.hpp"

#include <bit>
#include <cstddef>

namespace ringfence::model {

namespace {

std::string generation_name(Generation generation) {
    return "generation " + std::to_string(generation);
}

std::string state_name(const GroupCoordinator& group) {
    return "(state " + std::string(name_of(group.phase)) + ")";
}

// How the group takes somebody's coming or going.
std::string rebalance_text(const Taken& taken) {
    const GroupCoordinator& group = taken.before.group;
    if (group.phase == GroupPhase::preparing) { return "the join phase is under way"; }
    return "a rebalance begins; " + generation_name(group.generation) +
           " stays current until the join phase ends";
}

std::string rejoin_reason(const Taken& taken) {
    const std::uint8_t claims = taken.after.group.claims[taken.action.thread.value];
    std::string kept = claims == 0 ? "owning nothing" : "keeping " + partitions_name(claims);
    const bool gave_up = taken.before.group.phase != GroupPhase::preparing &&
                         taken.action.verb == Verb::rejoin_group;
    if (gave_up) { kept += ", having given up what it had to"; }
    return "member " + thread_name(taken.action.thread) + " joins " + kept + ": " +
           rebalance_text(taken);
}

std::string complete_join_reason(const Taken& taken) {
    const GroupCoordinator& before = taken.before.group;
    const std::string moves = generation_name(before.generation) + " ends, " +
                              generation_name(taken.after.group.generation) + " is current";
    if (before.members == 0) { return "nobody is left in the group: " + moves; }
    const int members = std::popcount(before.members);
    return (members == 1 ? "the only member has joined: " : "all members have joined: ") + moves;
}

std::string sync_reason(const Taken& taken) {
    const GroupCoordinator& group = taken.after.group;
    std::string text = taken.before.group.phase == GroupPhase::completing
                           ? "the first to sync chooses the assignment: "
                           : "the assignment is there: ";
    unsigned assigned = 0;
    for (std::size_t p = 0; p < taken.configuration.bounds.partitions; ++p) {
        const bool is_own = group.assignment[p] == current_member(taken.action.thread).value + 1;
        assigned |= is_own ? 1U << p : 0U;
    }
    text += thread_name(taken.action.thread) + " owns ";
    text += assigned == 0 ? "nothing" : partitions_name(static_cast<std::uint8_t>(assigned));
    return text + " under " + generation_name(group.generation);
}

std::string leave_reason(const Taken& taken) {
    const std::string name = "member " + thread_name(taken.action.thread);
    if (taken.outcome.error != Error::none) {
        return name + " is not in the group any more" + refusal(taken.outcome.error);
    }
    const std::string why =
        taken.action.spends_budget ? " leaves of its own accord" : " leaves after a dirty close";
    return name + why + " and is removed at once: " + rebalance_text(taken);
}

std::string learn_reason(const Taken& taken) {
    const bool keeps = taken.after.threads[taken.action.thread.value].metadata_is_stale != 0;
    return "heartbeat: member " + thread_name(taken.action.thread) +
           " is not in the group any more" + refusal(taken.outcome.error) + "; " +
           (keeps ? "its work is kept over the rejoin" : "its tasks are closed dirty");
}

std::string expel_reason(const Taken& taken) {
    const std::string member = member_name(taken.action.member);
    const std::string what = taken.action.spends_budget
                                 ? "session or rebalance timeout of a live member: "
                                 : "session timeout of a member that is gone: ";
    const std::string untold = taken.action.spends_budget ? ", and is not told" : "";
    return what + member + " is removed at once" + untold + "; " + rebalance_text(taken);
}

// ---- TxnOffsetCommit and OffsetCommit ----

// Which of the group's own checks a commit failed.
std::string refused_by_group(const Taken& taken, const Sender& sender) {
    const Error error = taken.outcome.error;
    const GroupCoordinator& group = taken.before.group;
    const std::string name = member_in(taken);
    if (error == Error::unknown_member_id) {
        if (sender.gives_member) { return name + " is not in the group" + refusal(error); }
        return (sender.gives_generation ? "a generation but no member id is given"
                                        : "only the group id is given, and the group has members") +
               refusal(error);
    }
    if (error == Error::rebalance_in_progress) {
        return "plain commits wait while members sync " + state_name(group) + refusal(error);
    }
    Rules without_ownership = taken.configuration.rules;
    without_ownership.ownership_test = Test::off;
    const auto asked =
        taken.action.verb == Verb::offset_commit ? offset_commit_error : txn_offset_commit_error;
    if (asked(without_ownership, group, sender) == Error::none) {
        return "not all of these partitions are assigned to " + name + refusal(error);
    }
    const std::string current = "the group's current " + std::to_string(group.generation);
    if (!sender.gives_generation) {
        return "generation -1 (none given) is not " + current + refusal(error);
    }
    return generation_name(sender.generation) + " is not " + current + refusal(error);
}

// What the group let pass, and why.
std::string accepted_by_group(const Taken& taken, const Sender& sender) {
    const GroupCoordinator& group = taken.before.group;
    const std::string name = member_in(taken);
    if (!sender.gives_member && !sender.gives_generation) {
        return "only the group id is given, so neither member nor generation is tested";
    }
    if (sender.gives_member && !sender.is_member) {
        return name + " is not in the group, but that is not tested here";
    }
    if (sender.gives_generation && sender.generation != group.generation) {
        return generation_name(sender.generation) + " is not the current " +
               std::to_string(group.generation) + ", but that is not tested here";
    }
    if (!sender.gives_generation) { return name + " is in the group; no generation is given"; }
    const std::string current = generation_name(sender.generation) + " is current ";
    if (group.phase == GroupPhase::preparing) {
        return "the member is still listed, the rebalance has not completed " + state_name(group) +
               ", so " + generation_name(sender.generation) + " is current";
    }
    if (!sender.gives_member) { return current + state_name(group) + "; no member id is given"; }
    return name + " is in the group and " + current + state_name(group);
}

std::string client_after_refusal(const Taken& taken) {
    if (taken.action.verb == Verb::offset_commit) { return ""; }
    const bool may_commit =
        taken.configuration.rules.after_refused_offsets == AfterRefusedOffsets::may_commit;
    return may_commit ? "; the client may commit all the same"
                      : "; all that is left for the client is to abort";
}

std::string txn_offset_commit_reason(const Taken& taken) {
    const Rules& rules = taken.configuration.rules;
    const Sender sender = sender_in(taken);
    if (txn_offset_commit_error(rules, taken.before.group, sender) != Error::none) {
        return refused_by_group(taken, sender) + client_after_refusal(taken);
    }
    if (taken.outcome.error == Error::invalid_txn_state) { return guard_reason_of(taken); }
    const Epoch known = taken.before.group.offsets[taken.action.producer.value].epoch;
    const Epoch given = request_in(taken).epoch;
    if (taken.outcome.error != Error::none) {
        return "epoch " + epoch_name(given) + " is older than " + epoch_name(known) +
               ", which the offsets partition has seen" + refusal(taken.outcome.error);
    }
    std::string text = "accepted: " + accepted_by_group(taken, sender);
    if (given < known) {
        text += "; epoch " + epoch_name(given) + " is older than the partition's " +
                epoch_name(known) + ", but that is not tested here";
    }
    return text + "; pending until decided";
}

std::string offset_commit_reason(const Taken& taken) {
    const Sender sender = sender_in(taken);
    if (taken.outcome.error != Error::none) { return refused_by_group(taken, sender); }
    return "accepted: " + accepted_by_group(taken, sender) + "; a plain commit, decided at once";
}

// ---- OffsetFetch ----

std::string fetch_reason(const Taken& taken) {
    const GroupCoordinator& group = taken.before.group;
    const std::size_t p = taken.action.partition.value;
    std::string pending;
    for (std::size_t k = 0; k < taken.configuration.producers(); ++k) {
        const Offset offset = group.offsets[k].pending[p].offset;
        if (offset == 0) { continue; }
        if (!pending.empty()) { pending += " and "; }
        pending += "pending offset " + std::to_string(offset) + " of " +
                   producer_name(taken.configuration, ProducerId{k});
    }
    const std::string name = partition_name(taken.action.partition);
    const std::string committed = "committed offset " + std::to_string(group.committed[p]);
    if (taken.outcome.error != Error::none) {
        return pending + " on " + name + " is undecided" + refusal_for_now(taken);
    }
    if (pending.empty()) { return "nothing is pending on " + name + ": " + committed; }
    return pending + " on " + name + " is not waited for (offset_fetch = any): " + committed;
}

}  // namespace

std::string group_reason_of(const Taken& taken) {
    const std::string name = thread_name(taken.action.thread);
    switch (taken.action.verb) {
        case Verb::join_group: return "a new member joins: " + rebalance_text(taken);
        case Verb::rejoin_group: return rejoin_reason(taken);
        case Verb::trigger_rebalance: return rejoin_reason(taken) + " (a disturbance)";
        case Verb::complete_join: return complete_join_reason(taken);
        case Verb::sync_group: return sync_reason(taken);
        case Verb::leave_group: return leave_reason(taken);
        case Verb::learn_of_expulsion: return learn_reason(taken);
        case Verb::expel_member: return expel_reason(taken);
        case Verb::crash:
            return name + " ends without a word: its member and its transaction stay behind";
        case Verb::restart: return "a new incarnation of " + name + ", no member yet";
        default: return "";
    }
}

std::string offsets_reason_of(const Taken& taken) {
    switch (taken.action.verb) {
        case Verb::fetch_offset: return fetch_reason(taken);
        case Verb::txn_offset_commit: return txn_offset_commit_reason(taken);
        case Verb::offset_commit: return offset_commit_reason(taken);
        default: return "";
    }
}

}  // namespace ringfence::model
