// Reasons of the transaction coordinator's steps, and of what is written to logs.
#include "model/describe_reasons.hpp"
#include "model/names.hpp"
#include "model/partition_leader.hpp"
#include "model/transaction_coordinator.hpp"

#include <cstddef>

namespace ringfence::model {

namespace {

std::string from_to(Epoch before, Epoch after) {
    return "epoch " + epoch_name(before) + " -> " + epoch_name(after);
}

std::string state_of(const TransactionalId& id) { return std::string(name_of(id.state)); }

// How the producer's epoch stands to the one that somebody knows: "epoch 0 is older than the
// coordinator's 1".
std::string epochs_compared(Epoch given, Epoch known, std::string_view whose) {
    const std::string begin = "epoch " + epoch_name(given) + " is ";
    if (given == known) { return begin + std::string(whose); }
    const std::string end = std::string(whose) + " " + epoch_name(known);
    return begin + (given < known ? "older than " : "newer than ") + end;
}

std::string compared_with_coordinator(const Taken& taken) {
    return epochs_compared(request_in(taken).epoch, id_in(taken).epoch, "the coordinator's");
}

// "p0, offsets, the changelog of p0"
std::string markers_owed(const TransactionalId& id) {
    std::string owed = id.partitions == 0 ? "" : partitions_name(id.partitions);
    if (id.changelogs == 0) { return owed; }
    if (!owed.empty()) { owed += ", "; }
    return owed + "the changelog of " + partitions_name(id.changelogs);
}

std::string still_preparing(const TransactionalId& id) {
    return "the former transaction is in " + state_of(id) +
           (id.owes_no_marker() ? ", not yet complete"
                                : ", markers are owed to " + markers_owed(id));
}

// ---- InitProducerId ----

std::string init_refused(const Taken& taken) {
    const TransactionalId& before = id_in(taken);
    const TransactionalId& after = taken.after.transactional_ids[taken.action.producer.value];
    if (taken.outcome.error == Error::producer_fenced) {
        return compared_with_coordinator(taken) + ", and not the one before its last bump" +
               refusal(taken.outcome.error);
    }
    if (!taken.outcome.fenced_ongoing) { return still_preparing(before) + refusal_for_now(taken); }
    const std::string fence = before.epoch == after.epoch
                                  ? "aborted, and its epoch " + epoch_name(before.epoch) + " kept"
                                  : "fenced and aborted, " + from_to(before.epoch, after.epoch);
    return "a transaction is Ongoing: " + fence + refusal_for_now(taken);
}

std::string init_reason(const Taken& taken) {
    if (taken.outcome.error != Error::none) { return init_refused(taken); }
    const TransactionalId& before = id_in(taken);
    const TransactionalId& after = taken.after.transactional_ids[taken.action.producer.value];
    const bool is_fresh = taken.configuration.id_scope() == IdScope::random &&
                          taken.configuration.has_producer_per_task();
    if (is_fresh) { return "a new random id: epoch " + epoch_name(after.epoch); }
    if (!before.epoch.is_known()) { return "the id is new: epoch " + epoch_name(after.epoch); }
    std::string text;
    if (taken.outcome.fenced_ongoing) {
        text = "the Ongoing transaction is aborted, its markers are not waited for: ";
    } else if (before.is_preparing()) {
        text = still_preparing(before) + ", and is not waited for: ";
    } else {
        text = "no transaction is open: ";
    }
    const bool is_retry =
        request_in(taken).epoch.is_known() && request_in(taken).epoch == before.last_epoch;
    if (is_retry) { text = "taken for a retry, whose answer was lost: "; }
    if (before.epoch == after.epoch) { return text + "epoch " + epoch_name(after.epoch) + " kept"; }
    return text + from_to(before.epoch, after.epoch) + ", older ones are fenced";
}

// ---- AddPartitionsToTxn, AddOffsetsToTxn ----

std::string add_reason(const Taken& taken, const std::string& what) {
    const TransactionalId& id = id_in(taken);
    if (taken.outcome.error == Error::concurrent_transactions) {
        return still_preparing(id) + refusal_for_now(taken);
    }
    std::string text = compared_with_coordinator(taken);
    if (taken.outcome.error != Error::none) { return text + refusal(taken.outcome.error); }
    if (request_in(taken).epoch != id.epoch) { text += ", but that is not tested here"; }
    const bool is_ongoing = id.state == TransactionState::ongoing;
    return text + ": " + what + (is_ongoing ? " joins the transaction" : " begins a transaction");
}

// ---- EndTxn ----

std::string end_refused(const Taken& taken) {
    const TransactionalId& id = id_in(taken);
    const std::string error = refusal(taken.outcome.error);
    if (taken.outcome.error == Error::producer_fenced) {
        return compared_with_coordinator(taken) + error;
    }
    if (taken.outcome.error == Error::concurrent_transactions) {
        return "the transaction is in " + state_of(id) + " already" + refusal_for_now(taken);
    }
    if (taken.outcome.error == Error::invalid_producer_epoch) {
        return compared_with_coordinator(taken) +
               ", but that passes here: decided; once it is logged the epochs are compared again" +
               error + ", and no marker is sent";
    }
    const bool commits = taken.action.verb == Verb::end_txn_commit;
    return "the state is " + state_of(id) + ", which allows no " + (commits ? "commit" : "abort") +
           error;
}

std::string end_reason(const Taken& taken) {
    if (taken.outcome.error != Error::none) { return end_refused(taken); }
    const TransactionalId& id = id_in(taken);
    const TransactionalId& after = taken.after.transactional_ids[taken.action.producer.value];
    if (!after.is_preparing()) {
        return "the state is " + state_of(id) + " already: taken for a retry";
    }
    if (id.state != TransactionState::ongoing) {
        return "nothing is open: an empty abort, " + from_to(id.epoch, after.epoch);
    }
    std::string text = compared_with_coordinator(taken);
    if (request_in(taken).epoch != id.epoch) { text += ", but that passes here"; }
    text += ": decided, " + state_of(after) + ", markers are owed to " + markers_owed(after);
    if (taken.configuration.is_version_2()) { text += ", " + from_to(id.epoch, after.epoch); }
    const bool is_zombie = taken.outcome.decided_commit && taken.delivered == nullptr &&
                           !is_current_member(taken.before, taken.action.thread);
    return text + (is_zombie ? "; EndTxn asks for no member and no generation" : "");
}

// ---- Produce and markers ----

std::string produce_reason(const Taken& taken) {
    if (!taken.configuration.is_transactional()) { return "no transaction: visible at once"; }
    const std::size_t producer = taken.action.producer.value;
    const OutputEntry& entry = taken.before.outputs[taken.action.partition.value][producer];
    const Epoch given = request_in(taken).epoch;
    std::string text = entry.epoch.is_known() ? epochs_compared(given, entry.epoch, "the leader's")
                                              : "the leader knows no epoch of this producer";
    if (taken.outcome.error == Error::invalid_txn_state) { return guard_reason_of(taken); }
    if (taken.outcome.error != Error::none) {
        const Epoch known = taken.before.changelogs[taken.action.partition.value][producer].epoch();
        const bool is_of_changelog = given >= entry.epoch;
        return (is_of_changelog ? epochs_compared(given, known, "the changelog's") : text) +
               refusal(taken.outcome.error);
    }
    if (!taken.outcome.appended) { return text + ": its sequence was appended already"; }
    if (given < entry.epoch) { text += ", but that is not tested here"; }
    text += ": appended, invisible before a commit marker";
    const bool is_listed = (id_in(taken).partitions & taken.action.partition.bit()) != 0;
    return text + (is_listed ? "" : "; the coordinator lists it in no transaction");
}

std::string refused_marker(const Taken& taken, const ProducerState& known) {
    const Request marker = request_in(taken);
    std::string why;
    if (taken.outcome.error == Error::transaction_coordinator_fenced) {
        why = "coordinator epoch " + std::to_string(marker.coordinator_epoch) +
              " is older than the leader's " + std::to_string(known.coordinator_epoch);
    } else if (marker.epoch != known.epoch) {
        why = epochs_compared(marker.epoch, known.epoch, "the leader's");
    } else {
        const std::string later = known.is_open ? ", whose open transaction is a later one"
                                                : ", and is taken for an old one";
        why = "epoch " + epoch_name(marker.epoch) + " is the leader's already" + later;
    }
    why += refusal(taken.outcome.error);
    return why + (taken.delivered == nullptr ? "; the coordinator gives up" : "");
}

std::string learned(Epoch before, Epoch after) {
    return before == after ? "" : "; the leader learns epoch " + epoch_name(after);
}

std::string marker_reason(const Taken& taken) {
    const std::size_t p = taken.action.partition.value;
    const std::size_t producer = taken.action.producer.value;
    const OutputEntry& entry = taken.before.outputs[p][producer];
    if (taken.outcome.error != Error::none) { return refused_marker(taken, state_of(entry)); }
    const bool commits = request_in(taken).is_commit;
    std::string text = "nothing is open there";
    if (entry.open != 0) {
        text = records_name(entry.open) + (commits ? " visible to readers" : " never visible");
    }
    return text + learned(entry.epoch, taken.after.outputs[p][producer].epoch);
}

std::string changelog_marker_reason(const Taken& taken) {
    const std::size_t p = taken.action.partition.value;
    const std::size_t producer = taken.action.producer.value;
    const ChangelogEntry& entry = taken.before.changelogs[p][producer];
    if (taken.outcome.error != Error::none) { return refused_marker(taken, state_of(entry)); }
    const bool commits = request_in(taken).is_commit;
    std::string text = "nothing is open there";
    if (entry.open() != 0) {
        text = records_of_bits(entry.open()) + (commits ? " for all to restore" : " for nobody");
    }
    for (std::size_t t = 0; t < taken.configuration.bounds.threads; ++t) {
        const bool awaited = (taken.before.threads[t].tasks[p].awaited >> producer & 1U) != 0;
        if (awaited) { text += "; " + thread_name(ThreadId{t}) + " has waited for it"; }
    }
    return text + learned(entry.epoch(), taken.after.changelogs[p][producer].epoch());
}

// How far a new owner restores, and whom it waits for.
std::string restore_reason(const Taken& taken) {
    const std::size_t p = taken.action.partition.value;
    std::string open;
    for (std::size_t k = 0; k < taken.configuration.producers(); ++k) {
        const std::uint8_t records = taken.before.changelogs[p][k].open();
        if (records == 0) { continue; }
        open += (open.empty() ? "" : ", ") + records_of_bits(records) + " of " +
                producer_name(taken.configuration, ProducerId{k});
    }
    if (open.empty()) { return "no transaction is open there: all is restored"; }
    const bool waits = taken.configuration.rules.changelog == Changelog::restored_to_end_offset;
    return waits
               ? "up to the end offset, behind " + open + ", open: waits until that is decided"
               : "up to the last stable offset, before " + open + ", open: that is not waited for";
}

// What materialising did to the committed offsets.
std::string materialised(const Taken& taken, bool commits) {
    std::string text;
    for (std::size_t p = 0; p < taken.configuration.bounds.partitions; ++p) {
        const PendingOffset& pending =
            taken.before.group.offsets[taken.action.producer.value].pending[p];
        if (pending.offset == 0) { continue; }
        if (!text.empty()) { text += ", "; }
        text += partition_name(PartitionId{p}) + " offset " + std::to_string(pending.offset);
        if (!commits) {
            text += " dropped";
        } else {
            const bool is_overtaken = pending.position == PendingOffset::overtaken;
            text += is_overtaken ? " overtaken by a later record" : " committed";
        }
    }
    return text.empty() ? "nothing is pending there" : text;
}

std::string offsets_marker_reason(const Taken& taken) {
    const std::size_t producer = taken.action.producer.value;
    const OffsetsEntry& entry = taken.before.group.offsets[producer];
    if (taken.outcome.error != Error::none) { return refused_marker(taken, state_of(entry)); }
    const bool commits = request_in(taken).is_commit;
    const bool is_queued =
        taken.configuration.rules.marker_acknowledged == MarkerAcknowledged::on_append;
    return (is_queued ? "acknowledged on append, to be materialised later (KAFKA-17507)"
                      : materialised(taken, commits)) +
           learned(entry.epoch, taken.after.group.offsets[producer].epoch);
}

std::string timeout_reason(const Taken& taken) {
    const TransactionalId& before = id_in(taken);
    const TransactionalId& after = taken.after.transactional_ids[taken.action.producer.value];
    const std::string epoch = before.epoch == after.epoch
                                  ? "epoch " + epoch_name(before.epoch) + " kept"
                                  : from_to(before.epoch, after.epoch);
    return std::string("transaction.timeout.ms of a ") +
           (taken.action.spends_budget ? "live producer" : "producer that is gone") +
           " has passed: aborted, " + epoch;
}

}  // namespace

std::string transaction_reason_of(const Taken& taken) {
    switch (taken.action.verb) {
        case Verb::init_producer_id: return init_reason(taken);
        case Verb::verify_partition:
        case Verb::verify_offsets: return question_reason_of(taken);
        case Verb::add_partition:
            if (taken.configuration.is_version_2()) { return question_reason_of(taken); }
            return add_reason(
                taken, "output " + partition_name(taken.action.partition) +
                           (taken.configuration.has_changelog() ? " with its changelog" : ""));
        case Verb::add_offsets:
            if (taken.configuration.is_version_2()) { return question_reason_of(taken); }
            return add_reason(taken, "the offsets partition");
        case Verb::end_txn_commit:
        case Verb::end_txn_abort: return end_reason(taken);
        case Verb::time_out_txn: return timeout_reason(taken);
        case Verb::complete_txn: {
            const bool commits = id_in(taken).state == TransactionState::prepare_commit;
            return std::string("all markers are acknowledged: ") +
                   (commits ? "CompleteCommit" : "CompleteAbort");
        }
        default: return "";
    }
}

std::string log_reason_of(const Taken& taken) {
    switch (taken.action.verb) {
        case Verb::produce: return produce_reason(taken);
        case Verb::restore_changelog: return restore_reason(taken);
        case Verb::write_marker: return marker_reason(taken);
        case Verb::write_changelog_marker: return changelog_marker_reason(taken);
        case Verb::write_offsets_marker: return offsets_marker_reason(taken);
        case Verb::materialise: {
            const std::uint8_t queue =
                taken.before.group.offsets[taken.action.producer.value].queue;
            return materialised(taken, (queue & 3U) == 1);
        }
        default: return "";
    }
}

std::string refusal(Error error) { return ": " + std::string(name_of(error)); }

std::string refusal_for_now(const Taken& taken) {
    return refusal(taken.outcome.error) +
           (taken.delivered == nullptr ? "; the client retries" : "");
}

std::string reason_of(const Taken& taken) {
    switch (taken.action.verb) {
        case Verb::join_group:
        case Verb::rejoin_group:
        case Verb::complete_join:
        case Verb::sync_group:
        case Verb::leave_group:
        case Verb::learn_of_expulsion:
        case Verb::expel_member:
        case Verb::trigger_rebalance:
        case Verb::crash:
        case Verb::restart: return group_reason_of(taken);
        case Verb::deliver_request:
        case Verb::deliver_marker: break;  // told as what is delivered
        case Verb::fetch_offset:
        case Verb::txn_offset_commit:
        case Verb::offset_commit: return offsets_reason_of(taken);
        case Verb::init_producer_id:
        case Verb::add_partition:
        case Verb::verify_partition:
        case Verb::add_offsets:
        case Verb::verify_offsets:
        case Verb::end_txn_commit:
        case Verb::end_txn_abort:
        case Verb::time_out_txn:
        case Verb::complete_txn: return transaction_reason_of(taken);
        case Verb::fail_over_coordinator: return failover_reason_of(taken);
        case Verb::expire_producer:
        case Verb::expire_offsets_producer: return expiry_reason_of(taken);
        case Verb::restore_changelog:
        case Verb::produce:
        case Verb::write_marker:
        case Verb::write_changelog_marker:
        case Verb::write_offsets_marker:
        case Verb::materialise: return log_reason_of(taken);
    }
    return "";
}

}  // namespace ringfence::model
