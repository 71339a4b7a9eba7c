#include "model/network.hpp"

#include "model/brokers.hpp"
#include "model/client.hpp"
#include "model/former_producers.hpp"
#include "model/stream_thread.hpp"
#include "model/transaction_coordinator.hpp"
#include "model/verification.hpp"

#include <algorithm>
#include <optional>
#include <span>

namespace ringfence::model {

namespace {

constexpr auto markers =
    set_of(Verb::write_marker, Verb::write_changelog_marker, Verb::write_offsets_marker);

bool is_marker(Verb verb) { return (markers >> static_cast<unsigned>(verb) & 1U) != 0; }

struct Budget {
    std::uint8_t Disturbances::*all;
    std::uint8_t Budgets::*left;
};

Budget budget_of(Verb verb, Fate fate) {
    const bool is_of_marker = is_marker(verb);
    switch (fate) {
        case Fate::late:
            return is_of_marker ? Budget{&Disturbances::late_marker, &Budgets::late_marker}
                                : Budget{&Disturbances::late_request, &Budgets::late_request};
        case Fate::duplicated:
            return is_of_marker
                       ? Budget{&Disturbances::duplicated_marker, &Budgets::duplicated_marker}
                       : Budget{&Disturbances::duplicated_request, &Budgets::duplicated_request};
        case Fate::answered:
        case Fate::unanswered: break;
    }
    return {&Disturbances::lost_answer, &Budgets::lost_answer};
}

auto messages_of(Cluster& cluster) {
    return std::span(cluster.in_flight).first(messages_in_flight(cluster));
}

void remove_message(Cluster& cluster, std::size_t place) {
    auto& messages = cluster.in_flight;
    const auto from = messages.begin() + static_cast<std::ptrdiff_t>(place);
    std::rotate(from, from + 1, messages.end());
    messages.back() = Request{};
}

void insert_message(Cluster& cluster, const Request& message) {
    cluster.in_flight[messages_in_flight(cluster)] = message;
    sort_messages(cluster);
}

}  // namespace

std::size_t messages_in_flight(const Cluster& cluster) {
    const auto& messages = cluster.in_flight;
    if (messages.front().is_none()) { return 0; }  // as a rule
    return static_cast<std::size_t>(std::ranges::find_if(messages, &Request::is_none) -
                                    messages.begin());
}

void sort_messages(Cluster& cluster) { std::ranges::sort(messages_of(cluster), std::less<>()); }

// ---- what may be sent, and delivered ----

void list_disturbed(const Configuration& configuration, const Cluster& cluster,
                    const Action& action, checker::Enabled<Action>& enabled) {
    Action disturbed = action;  // those that are enabled move when another is added
    disturbed.spends_budget = true;
    for (const Fate fate : {Fate::late, Fate::duplicated, Fate::unanswered}) {
        const Budget budget = budget_of(disturbed.verb, fate);
        if (!has_left(configuration.disturbances.*budget.all, cluster.budgets.*budget.left)) {
            continue;
        }
        const bool has_room = messages_in_flight(cluster) < messages_max;
        if (!has_room && fate != Fate::unanswered) {
            enabled.forbid(static_cast<std::size_t>(Cut::messages));
            continue;
        }
        disturbed.fate = fate;
        disturbed.gives_up = false;
        enabled.add(disturbed);
        // A plain record is sent again for as long as it takes.
        const bool may_give_up = request_in(configuration, disturbed.verb) == Verb::produce &&
                                 fate != Fate::duplicated && configuration.is_transactional();
        if (!may_give_up) { continue; }
        if (!may_bump_by_itself(configuration, cluster, disturbed)) {
            enabled.forbid(static_cast<std::size_t>(Cut::epoch));
            continue;
        }
        disturbed.gives_up = true;
        enabled.add(disturbed);
    }
}

namespace {

// How often handling it raises the epoch.
unsigned bumps_of(const Configuration& configuration, const TransactionalId& id,
                  const Request& message) {
    const Rules& rules = configuration.rules;
    const auto ends = [&](Decision decision) {
        const bool bumps =
            configuration.is_version_2() && end_decides(rules, id, message.epoch, decision);
        return bumps ? 1U : 0U;
    };
    switch (message.verb) {
        case Verb::init_producer_id: return bumps_of_init(rules, id, message.epoch);
        case Verb::end_txn_commit: return ends(Decision::commit);
        case Verb::end_txn_abort: return ends(Decision::abort);
        default: return 0;
    }
}

// What a bound forbids to deliver now.
std::optional<Cut> cut_of(const Configuration& configuration, const Cluster& cluster,
                          const Request& message) {
    const TransactionalId& id = cluster.transactional_ids[message.producer.value];
    if (id.epoch.raw + bumps_of(configuration, id, message) > configuration.bounds.epoch + 1U) {
        return Cut::epoch;
    }
    const std::uint8_t queue = cluster.group.offsets[message.producer.value].queue;
    const bool is_full = queue_length(queue) == queue_length_max;
    if (message.verb == Verb::write_offsets_marker && is_full) { return Cut::marker_queue; }
    return {};
}

}  // namespace

void list_deliveries(const Configuration& configuration, const Cluster& cluster,
                     checker::Enabled<Action>& enabled) {
    Request listed;  // equal ones are neighbours
    for (std::size_t place = 0; place < messages_in_flight(cluster); ++place) {
        const Request& message = cluster.in_flight[place];
        if (message == listed) { continue; }
        listed = message;
        const std::optional<Cut> cut = cut_of(configuration, cluster, message);
        if (cut) {
            enabled.cut(static_cast<std::size_t>(*cut));
            continue;
        }
        enabled.add({.verb = is_marker(message.verb) ? Verb::deliver_marker : Verb::deliver_request,
                     .message = static_cast<std::uint8_t>(place)});
    }
}

void spend_fate(const Configuration& configuration, Cluster& cluster, const Action& action) {
    if (action.fate == Fate::answered) { return; }
    const Budget budget = budget_of(action.verb, action.fate);
    const bool is_counted = configuration.disturbances.*budget.all != Disturbances::unlimited;
    if (is_counted) { --(cluster.budgets.*budget.left); }
}

// ---- in flight ----

namespace {

// What travels in the message, and those ghosts alone that will not be looked up.
Works work_in_flight(const Configuration& configuration, const Request& request) {
    Works works{};
    for (std::size_t p = 0; p < partitions_max; ++p) {
        const Work& work = request.work[p];
        if (request.verb == Verb::end_txn_commit || !work.is_some()) { continue; }
        works[p].position = work.position;
        if (request.verb != Verb::offset_commit) { continue; }
        const Ghosts& kept = configuration.ghosts;
        if (kept.decided_end || kept.elders) { works[p].first = work.first; }
        if (kept.elders) { works[p].elders = work.elders; }
    }
    return works;
}

}  // namespace

void put_in_flight(const Configuration& configuration, Cluster& cluster, Request request) {
    request.work = work_in_flight(configuration, request);
    insert_message(cluster, request);
}

namespace {

// Does a law ask what a decided commit has processed?
bool asks_for_work(const Configuration& configuration) {
    const Ghosts& kept = configuration.ghosts;
    return kept.decided_end || kept.elders || kept.restored;
}

// Both in one transaction.
Work merged(const Work& one, const Work& other) {
    if (!one.is_some()) { return other; }
    if (!other.is_some()) { return one; }
    return {std::min(one.first, other.first), std::max(one.position, other.position),
            static_cast<std::uint8_t>(one.elders | other.elders),
            static_cast<std::uint8_t>(one.wrong_records | other.wrong_records)};
}

bool covers(const Work& work, const Work& part) {
    return !part.is_some() || (work.first <= part.first && work.position >= part.position);
}

struct Holder {
    bool is_known = false;
    std::size_t thread = 0;
    std::size_t slot = 0;
};

// The client that holds the epoch of the producer id under which `request` was sent.
Holder holder_of(const Configuration& configuration, const Cluster& cluster,
                 const Request& request) {
    for (std::size_t t = 0; t < configuration.bounds.threads; ++t) {
        for (std::size_t slot = 0; slot < configuration.producer_slots(); ++slot) {
            const bool is_same_id =
                configuration.producer_id(ThreadId{t}, PartitionId{slot}) == request.producer;
            const Epoch held = cluster.threads[t].producers[slot].epoch;
            if (is_same_id && held == request.epoch) { return {true, t, slot}; }
        }
    }
    return {};
}

}  // namespace

void note_decision(const Configuration& configuration, Cluster& cluster, const Request& commit) {
    if (!configuration.disturbs_network()) { return; }
    const Holder holder = holder_of(configuration, cluster, commit);
    if (!holder.is_known) { return; }
    StreamThread& thread = cluster.threads[holder.thread];
    for (std::size_t p = 0; p < partitions_max; ++p) {
        if (!commit.work[p].is_some()) { continue; }
        if (asks_for_work(configuration)) { thread.tasks[p].decided = commit.work[p].position; }
        std::uint8_t& decided = thread.producers[holder.slot].decided;
        if (configuration.ghosts.stray) { decided = with(decided, PartitionId{p}.bit()); }
    }
}

Request message_in(const Configuration& configuration, const Cluster& cluster, std::size_t place) {
    Request message = cluster.in_flight[place];
    if (message.verb != Verb::end_txn_commit) { return message; }
    const Holder holder = holder_of(configuration, cluster, message);
    if (!holder.is_known) { return message; }
    const Works open =
        undecided_works_of(configuration, cluster.threads[holder.thread], holder.slot);
    for (std::size_t p = 0; p < partitions_max; ++p) {
        message.work[p] = merged(message.work[p], open[p]);
    }
    return message;
}

Outcome deliver(const Configuration& configuration, Cluster& cluster, std::size_t place) {
    const Request message = message_in(configuration, cluster, place);
    remove_message(cluster, place);
    const Outcome answer = handle(configuration, cluster, message);
    if (answer.decided_commit) { note_decision(configuration, cluster, message); }
    if (answer.awaits_log) {  // it has come to the leader, and waits there
        Request waiting = message;
        waiting.guard = Guard::current;
        insert_message(cluster, waiting);
    }
    if (answer.appended) { count_append(configuration, cluster, message); }
    forget_if_done(configuration, cluster, message.producer);
    return answer;
}

// ---- what messages say, as the state moves on ----

void overtake_in_flight(const Configuration& configuration, Cluster& cluster, ProducerId producer,
                        std::uint8_t partition, Epoch marker) {
    for (Request& message : messages_of(cluster)) {
        const bool is_hit = message.guard == Guard::current && message.producer == producer &&
                            partition_of(message) == partition &&
                            overtakes(configuration.rules, marker, message.epoch);
        if (is_hit) { message.guard = Guard::overtaken; }
    }
    sort_messages(cluster);
}

void count_append(const Configuration& configuration, Cluster& cluster, const Request& request) {
    // What is appended once more (a leader has forgotten the producer, or tests no sequences) moves
    // nothing.
    if (!configuration.disturbs_network() || request.behind != 0) { return; }
    constexpr std::uint8_t behind_max = 7;
    for (Request& message : messages_of(cluster)) {
        const bool is_same =
            message.verb == Verb::produce && message.producer == request.producer &&
            message.epoch == request.epoch && message.partition == request.partition;
        if (is_same && message.behind < behind_max) { ++message.behind; }
    }
    sort_messages(cluster);
    const Holder holder = holder_of(configuration, cluster, request);
    if (!holder.is_known) { return; }
    Producer& producer = cluster.threads[holder.thread].producers[holder.slot];
    if (producer.phase != TransactionPhase::working) { return; }
    producer.appended = static_cast<std::uint8_t>(producer.appended | request.partition.bit());
}

void forget_member(Cluster& cluster, MemberId member) {
    for (Request& message : messages_of(cluster)) {
        if (message.member == GivenMember::in(member)) { message.member = GivenMember::stale(); }
    }
    sort_messages(cluster);
}

void rename_member(Cluster& cluster, MemberId from, MemberId to) {
    for (Request& message : messages_of(cluster)) {
        if (message.member == GivenMember::in(from)) { message.member = GivenMember::in(to); }
    }
    sort_messages(cluster);
}

bool is_in_flight(const Cluster& cluster, ProducerId producer) {
    return std::ranges::any_of(cluster.in_flight, [&](const Request& message) {
        return !message.is_none() && message.producer == producer;
    });
}

void rename_producer(Cluster& cluster, ProducerId from, ProducerId to) {
    for (Request& message : messages_of(cluster)) {
        if (message.producer == from) { message.producer = to; }
    }
    sort_messages(cluster);
}

// ---- ghosts ----

void mark_aborted(Cluster& cluster, const Request& abort) {
    for (Request& message : messages_of(cluster)) {
        const bool is_aborted = message.verb == Verb::produce && message.behind == 0 &&
                                message.producer == abort.producer && message.epoch == abort.epoch;
        if (is_aborted) { message.is_aborted = true; }
    }
    sort_messages(cluster);
}

void leave_work(const Configuration& configuration, Cluster& cluster, const StreamThread& before,
                ThreadId thread) {
    if (!asks_for_work(configuration)) { return; }
    const StreamThread& after = cluster.threads[thread.value];
    for (Request& message : messages_of(cluster)) {
        if (message.verb != Verb::end_txn_commit) { continue; }
        for (std::size_t slot = 0; slot < configuration.producer_slots(); ++slot) {
            const bool was_open =
                configuration.producer_id(thread, PartitionId{slot}) == message.producer &&
                before.producers[slot].epoch == message.epoch &&
                cluster.transactional_ids[message.producer.value].state ==
                    TransactionState::ongoing;
            if (!was_open) { continue; }
            const bool is_open = after.producers[slot].epoch == message.epoch;
            const Works now = is_open ? undecided_works_of(configuration, after, slot) : Works{};
            const Works lost = undecided_works_of(configuration, before, slot);
            for (std::size_t p = 0; p < partitions_max; ++p) {
                if (covers(now[p], lost[p])) { continue; }
                message.work[p] = merged(message.work[p], lost[p]);
            }
        }
    }
    sort_messages(cluster);
}

void settle_work(Cluster& cluster, ProducerId producer) {
    for (Request& message : messages_of(cluster)) {
        const bool is_settled =
            message.verb == Verb::end_txn_commit && message.producer == producer;
        if (is_settled) { message.work = Works{}; }
    }
    sort_messages(cluster);
}

void supersede_in_flight(Cluster& cluster, ThreadId thread, PartitionId partition) {
    for (Request& message : messages_of(cluster)) {
        Work& work = message.work[partition.value];
        const bool is_of_elder = message.verb != Verb::txn_offset_commit && work.is_some() &&
                                 (work.elders & thread.bit()) == 0;
        if (is_of_elder) { work.elders |= Work::superseded; }
    }
    sort_messages(cluster);
}

void forget_elder(Cluster& cluster, ThreadId thread, std::size_t partition) {
    for (Request& message : messages_of(cluster)) {
        std::uint8_t& elders = message.work[partition].elders;
        elders = static_cast<std::uint8_t>(elders & ~thread.bit());
    }
    sort_messages(cluster);
}

}  // namespace ringfence::model
