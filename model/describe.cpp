// Computed columns, and a step's parts but for the reason, which describe_group.cpp and
// describe_transaction.cpp tell.
#include "model/describe.hpp"

#include "model/describe_reasons.hpp"
#include "model/kafka_model.hpp"
#include "model/names.hpp"
#include "model/network.hpp"
#include "model/rights.hpp"
#include "model/stream_thread.hpp"
#include "model/transaction_coordinator.hpp"

#include <cstddef>

namespace ringfence::model {

namespace {

void append_to_list(std::string& list, std::string_view item) {
    if (!list.empty()) { list += ", "; }
    list += item;
}

std::string or_nobody(std::string list) { return list.empty() ? "nobody" : list; }

template <class Predicate>
std::string threads_that(const Configuration& configuration, const Predicate& is_one) {
    std::string list;
    for (std::size_t t = 0; t < configuration.bounds.threads; ++t) {
        if (is_one(ThreadId{t})) { append_to_list(list, thread_name(ThreadId{t})); }
    }
    return or_nobody(std::move(list));
}

// A state does not say which records came first, but it says whose open records readers wait for.
std::string last_stable_offset(const Configuration& configuration, const Cluster& cluster,
                               std::size_t partition) {
    std::string holders;
    for (std::size_t k = 0; k < configuration.producers(); ++k) {
        const OutputEntry& entry = cluster.outputs[partition][k];
        if (entry.open == 0) { continue; }
        append_to_list(holders, records_name(entry.open) + " of " +
                                    producer_name(configuration, ProducerId{k}));
    }
    return holders.empty() ? "end of the log" : "before " + holders;
}

bool holds_current_epoch(const Configuration& configuration, const Cluster& cluster,
                         ThreadId thread, ProducerId producer) {
    const Epoch current = cluster.transactional_ids[producer.value].epoch;
    for (std::size_t slot = 0; slot < configuration.producer_slots(); ++slot) {
        const bool is_same = configuration.producer_id(thread, PartitionId{slot}) == producer;
        const Epoch held = cluster.threads[thread.value].producers[slot].epoch;
        if (is_same && held.is_known() && held == current) { return true; }
    }
    return false;
}

}  // namespace

std::vector<Variable> columns_under(const Configuration& configuration, const Cluster& cluster) {
    std::vector<Variable> columns;
    columns.push_back(
        {"group", "members at its generation", threads_that(configuration, [&](ThreadId thread) {
             return cluster.group.generation != 0 && is_current_member(cluster, thread);
         })});
    if (!configuration.is_transactional()) { return columns; }
    for (std::size_t k = 0; k < configuration.producers(); ++k) {
        const ProducerId producer{k};
        columns.push_back({producer_name(configuration, producer), "current epoch held by",
                           threads_that(configuration, [&](ThreadId thread) {
                               return holds_current_epoch(configuration, cluster, thread, producer);
                           })});
    }
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        const PartitionId partition{p};
        columns.push_back({partition_name(partition), "last stable offset",
                           last_stable_offset(configuration, cluster, p)});
        columns.push_back({partition_name(partition), "commit right held by",
                           threads_that(configuration, [&](ThreadId thread) {
                               return holds_commit_right(configuration, cluster, thread, partition);
                           })});
    }
    return columns;
}

// ---- steps ----

namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

std::string actor_of(const Taken& taken) {
    const std::size_t actor = KafkaModel::actor_of(taken.action);
    if (actor < threads_max) { return thread_name(ThreadId{actor}); }
    if (actor == threads_max) { return "group"; }
    if (actor > threads_max + producers_max) { return "network"; }
    return producer_name(taken.configuration, taken.action.producer);
}

std::string target_of(const Taken& taken) {
    const Action& action = taken.action;
    switch (action.verb) {
        case Verb::join_group:
        case Verb::rejoin_group:
        case Verb::trigger_rebalance:
        case Verb::sync_group:
        case Verb::leave_group:
        case Verb::learn_of_expulsion:
        case Verb::verify_offsets:
        case Verb::txn_offset_commit:
        case Verb::offset_commit:
        case Verb::fetch_offset: return "group";
        case Verb::init_producer_id:
        case Verb::add_partition:
        case Verb::add_offsets:
        case Verb::end_txn_commit:
        case Verb::end_txn_abort: return producer_name(taken.configuration, action.producer);
        case Verb::verify_partition:
        case Verb::produce:
        case Verb::expire_producer:
        case Verb::write_marker: return "output " + partition_name(action.partition);
        case Verb::restore_changelog:
        case Verb::write_changelog_marker: return "changelog " + partition_name(action.partition);
        case Verb::expire_offsets_producer:
        case Verb::write_offsets_marker:
        case Verb::materialise: return "offsets";
        case Verb::expel_member: return member_name(action.member);
        case Verb::complete_join:
        case Verb::complete_txn:
        case Verb::deliver_request:
        case Verb::deliver_marker:
        case Verb::time_out_txn:
        case Verb::fail_over_coordinator:
        case Verb::crash:
        case Verb::restart: break;
    }
    return "";
}

// Nobody is asked, or the answer comes later (JoinGroup is parked until the join phase ends).
bool has_answer(Verb verb) {
    switch (verb) {
        case Verb::join_group:
        case Verb::rejoin_group:
        case Verb::trigger_rebalance:
        case Verb::complete_join:
        case Verb::expel_member:
        case Verb::materialise:
        case Verb::complete_txn:
        case Verb::time_out_txn:
        case Verb::fail_over_coordinator:
        case Verb::expire_producer:
        case Verb::expire_offsets_producer:
        case Verb::crash:
        case Verb::restart: return false;
        case Verb::sync_group:
        case Verb::leave_group:
        case Verb::learn_of_expulsion:
        case Verb::init_producer_id:
        case Verb::fetch_offset:
        case Verb::restore_changelog:
        case Verb::add_partition:
        case Verb::verify_partition:
        case Verb::produce:
        case Verb::add_offsets:
        case Verb::verify_offsets:
        case Verb::txn_offset_commit:
        case Verb::offset_commit:
        case Verb::end_txn_commit:
        case Verb::end_txn_abort:
        case Verb::write_marker:
        case Verb::write_changelog_marker:
        case Verb::write_offsets_marker:
        case Verb::deliver_request:
        case Verb::deliver_marker: break;
    }
    return true;
}

Arguments assignment_arguments(const Taken& taken) {
    Arguments arguments;
    if (taken.before.group.phase != GroupPhase::completing) { return arguments; }
    for (std::size_t p = 0; p < taken.configuration.bounds.partitions; ++p) {
        const unsigned owner = taken.action.assignment >> (4 * p) & 15U;
        arguments.emplace_back(partition_name(PartitionId{p}),
                               owner == 0 ? "to nobody" : "to " + member_name(MemberId{owner - 1}));
    }
    return arguments;
}

// The offsets, and what is said about the sender.
Arguments commit_arguments(const Taken& taken) {
    const Request request = request_in(taken);
    Arguments arguments;
    for (std::size_t p = 0; p < taken.configuration.bounds.partitions; ++p) {
        if (!request.work[p].is_some()) { continue; }
        arguments.emplace_back(partition_name(PartitionId{p}),
                               "offset " + std::to_string(request.work[p].position));
    }
    if (request.generation.is_known()) {
        arguments.emplace_back("generation", std::to_string(request.generation.number()));
    }
    if (!request.member.is_given() && !request.generation.is_known()) {
        arguments.emplace_back("", "group id only");
    }
    return arguments;
}

Arguments arguments_of(const Taken& taken) {
    const Action& action = taken.action;
    const std::pair<std::string, std::string> epoch{"epoch", epoch_name(request_in(taken).epoch)};
    const std::string partition = partition_name(action.partition);
    switch (action.verb) {
        case Verb::sync_group: return assignment_arguments(taken);
        case Verb::fetch_offset: return {{"", partition}};
        case Verb::add_partition: return {{"", partition}, epoch};
        case Verb::verify_partition:
        case Verb::produce: {
            Arguments arguments{{"", record_name(request_in(taken).record)}};
            if (taken.configuration.is_transactional()) { arguments.push_back(epoch); }
            return arguments;
        }
        case Verb::init_producer_id:
            return request_in(taken).epoch.is_known() ? Arguments{epoch} : Arguments{};
        case Verb::add_offsets:
        case Verb::end_txn_commit:
        case Verb::end_txn_abort: return {epoch};
        case Verb::verify_offsets:
        case Verb::txn_offset_commit:
        case Verb::offset_commit: return commit_arguments(taken);
        case Verb::write_marker:
        case Verb::write_changelog_marker:
        case Verb::write_offsets_marker:
            return {{"", request_in(taken).is_commit ? "commit" : "abort"}, epoch};
        case Verb::materialise: {
            const std::uint8_t queue = taken.before.group.offsets[action.producer.value].queue;
            return {{"", (queue & 3U) == 1 ? "commit" : "abort"}};
        }
        case Verb::join_group:
        case Verb::rejoin_group:
        case Verb::trigger_rebalance:
        case Verb::complete_join:
        case Verb::leave_group:
        case Verb::learn_of_expulsion:
        case Verb::restore_changelog:
        case Verb::complete_txn:
        case Verb::deliver_request:
        case Verb::deliver_marker:
        case Verb::time_out_txn:
        case Verb::fail_over_coordinator:
        case Verb::expire_producer:
        case Verb::expire_offsets_producer:
        case Verb::expel_member:
        case Verb::crash:
        case Verb::restart: break;
    }
    return {};
}

std::string answer_of(const Taken& taken) {
    if (taken.outcome.error != Error::none) { return std::string(name_of(taken.outcome.error)); }
    return has_answer(taken.action.verb) ? "success" : "";
}

}  // namespace

bool is_asked_by_thread(Verb verb) {
    return verb != Verb::write_marker && verb != Verb::write_changelog_marker &&
           verb != Verb::write_offsets_marker;
}

std::string member_in(const Taken& taken) {
    if (taken.delivered == nullptr) { return "member " + thread_name(taken.action.thread); }
    const GivenMember member = taken.delivered->member;
    return member.is_in_slot() ? "member " + member_name(member.slot()) : "the member that sent it";
}

Request request_in(const Taken& taken) {
    if (taken.delivered != nullptr) { return *taken.delivered; }
    switch (taken.action.verb) {
        case Verb::write_marker:
        case Verb::write_changelog_marker:
        case Verb::write_offsets_marker: return marker_of(taken.before, taken.action);
        default: return request_of(taken.configuration, taken.before, taken.action);
    }
}

namespace {

// A message in flight is told as the request that it is, but for who sends it.
StepText delivery_text(const Taken& taken) {
    const Request message = message_in(taken.configuration, taken.before, taken.action.message);
    const Action action{
        .verb = message.verb, .partition = message.partition, .producer = message.producer};
    const Taken handled{taken.configuration, taken.before, action,
                        taken.outcome,       taken.after,  &message};
    StepText text = step_text(handled);
    text.actor = actor_of(taken);
    text.verb = name_of(taken.action.verb);
    std::string what(name_of(message.verb));
    if (taken.configuration.is_transactional()) {
        what += " of " + producer_name(taken.configuration, message.producer);
    }
    text.arguments.insert(text.arguments.begin(), {"", what});
    text.reason += "; nobody waits for the answer";
    return text;
}

// The reason as if the answer had been heard.
std::string handled_reason(const Taken& taken) {
    Outcome outcome = taken.outcome;
    if (taken.action.fate == Fate::unanswered) { outcome.error = outcome.unheard; }
    return fate_reason(taken, reason_of({taken.configuration, taken.before, taken.action, outcome,
                                         taken.after, taken.delivered}));
}

}  // namespace

StepText step_text(const Taken& taken) {
    const bool is_delivery =
        taken.action.verb == Verb::deliver_request || taken.action.verb == Verb::deliver_marker;
    if (is_delivery) { return delivery_text(taken); }
    StepText text{.actor = actor_of(taken),
                  .verb = std::string(name_of(taken.action.verb)),
                  .target = target_of(taken),
                  .arguments = arguments_of(taken),
                  .answer = answer_of(taken),
                  .reason = handled_reason(taken)};
    if (taken.action.fate != Fate::answered) {
        text.arguments.emplace_back("", fate_name(taken.action.fate));
    }
    return text;
}

// ---- by model ----

std::vector<Variable> variables_of(const KafkaModel& model, const Cluster& cluster) {
    return variables_under(model.configuration(), cluster);
}

std::vector<Variable> computed_columns(const KafkaModel& model, const Cluster& cluster) {
    return columns_under(model.configuration(), cluster);
}

StepText text_of(const KafkaModel& model, const Cluster& before, const Action& action,
                 const Outcome& outcome, const Cluster& after) {
    return step_text({model.configuration(), before, action, outcome, after});
}

}  // namespace ringfence::model
