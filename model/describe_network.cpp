// What is in flight, and what the network does to a message.
#include "model/describe_reasons.hpp"
#include "model/names.hpp"
#include "model/network.hpp"

#include <cstddef>

namespace ringfence::model {

namespace {

std::string sender_value(const Request& message) {
    std::string value;
    if (message.member.is_in_slot()) {
        value += ", member " + member_name(message.member.slot());
    } else if (message.member.is_given()) {
        value += ", a former member";
    }
    if (message.generation.is_known()) {
        value += ", generation " + std::to_string(message.generation.number());
    }
    return value;
}

// "p0 from 0 to 1"; of offsets only where they end.
std::string work_value(const Configuration& configuration, const Request& message) {
    std::string value;
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        const Work& work = message.work[p];
        if (!work.is_some()) { continue; }
        value += ", " + partition_name(PartitionId{p});
        if (message.verb != Verb::txn_offset_commit) {
            value += " from " + std::to_string(work.first);
        }
        value += " to " + std::to_string(work.position);
        const auto elders = static_cast<std::uint8_t>(work.elders & ~Work::superseded);
        if (elders != 0) { value += ", not before " + members_name(elders); }
        if (work.is_superseded()) { value += ", superseded"; }
        if (work.wrong_records != 0) {
            value += ", of a state without " + records_of_bits(work.wrong_records);
        }
    }
    return value;
}

}  // namespace

std::string message_value(const Configuration& configuration, const Request& message) {
    if (message.is_none()) { return "none"; }
    std::string value(name_of(message.verb));
    if (configuration.is_transactional()) {
        value += " of " + producer_name(configuration, message.producer);
    }
    if (message.epoch.is_known()) { value += ", epoch " + epoch_name(message.epoch); }
    if (names_partition(message.verb)) { value += ", " + partition_name(message.partition); }
    if (message.verb == Verb::produce) { value += ", " + record_name(message.record); }
    if (message.is_commit) { value += ", commit"; }
    if (message.coordinator_epoch != 0) {
        value += ", coordinator epoch " + std::to_string(message.coordinator_epoch);
    }
    if (message.guard != Guard::none) {
        const bool is_overtaken = message.guard == Guard::overtaken;
        value += is_overtaken ? ", waits at its leader, overtaken" : ", waits at its leader";
    }
    if (message.behind != 0) {
        value += ", sequence " + std::to_string(message.behind) + " behind the leader's next";
    }
    if (message.is_aborted) { value += ", aborted since"; }
    return value + sender_value(message) + work_value(configuration, message);
}

// ---- reasons ----

namespace {

// What a sender that hears nothing does.
std::string reaction_to_silence(const Taken& taken) {
    if (!is_asked_by_thread(taken.action.verb)) { return "the coordinator will send it again"; }
    if (taken.action.gives_up) {
        return "delivery.timeout.ms passes, and the client gives the batch up: it will abort";
    }
    const bool commits = taken.action.verb == Verb::end_txn_commit;
    const bool is_end = commits || taken.action.verb == Verb::end_txn_abort;
    switch (taken.configuration.rules.unknown_outcome) {
        case UnknownOutcome::retry: break;
        case UnknownOutcome::reinitialise:
            if (taken.action.verb == Verb::init_producer_id) { break; }
            return "the client will initialise its producer anew";
        case UnknownOutcome::forget:
            if (!is_end) { break; }
            return "the client forgets the transaction, and keeps its epoch";
        case UnknownOutcome::abort:
            if (!commits) { break; }
            return "the client will abort";
    }
    return "the client will send it again";
}

}  // namespace

std::string fate_reason(const Taken& taken, const std::string& handled) {
    switch (taken.action.fate) {
        case Fate::answered: return handled;
        case Fate::late:
            return "stays in flight" + refusal(taken.outcome.error) + "; " +
                   reaction_to_silence(taken);
        case Fate::duplicated: return handled + "; a copy stays in flight";
        case Fate::unanswered: break;
    }
    return handled + "; the answer is lost" + refusal(taken.outcome.error) + "; " +
           reaction_to_silence(taken);
}

std::string_view fate_name(Fate fate) {
    switch (fate) {
        case Fate::answered: return "";
        case Fate::late: return "late";
        case Fate::duplicated: return "duplicated";
        case Fate::unanswered: return "answer lost";
    }
    return "";
}

}  // namespace ringfence::model
