#include "model/client.hpp"

#include "model/group_coordinator.hpp"
#include "model/repeated_commits.hpp"
#include "model/stream_thread.hpp"
#include "model/verification.hpp"

#include <algorithm>
#include <array>

namespace ringfence::model {

Works works_of(const Configuration& configuration, const StreamThread& thread, std::size_t slot) {
    Works works{};
    for (std::size_t p = 0; p < partitions_max; ++p) {
        const Task& task = thread.tasks[p];
        if (!writes_for(configuration, slot, p) || !task.has_progress()) { continue; }
        works[p] = {task.first, task.position, task.elders, task.wrong_records()};
    }
    return works;
}

Works undecided_works_of(const Configuration& configuration, const StreamThread& thread,
                         std::size_t slot) {
    Works works = works_of(configuration, thread, slot);
    for (std::size_t p = 0; p < partitions_max; ++p) {
        Work& work = works[p];
        work.first = std::clamp(thread.tasks[p].decided, work.first, work.position);
        if (work.is_repeated()) { work = Work{}; }
    }
    return works;
}

namespace {

// Which member id the thread presents. Ids are not numbered here: whether it is that of a present
// member is settled when it is sent, and an id that is none then will never be one again.
GivenMember member_of(const Configuration& configuration, const Cluster& cluster, ThreadId thread) {
    const GroupMetadata given = configuration.rules.group_metadata;
    const bool gives = given == GroupMetadata::full || given == GroupMetadata::member_only;
    if (!gives) { return {}; }
    const MemberId slot = current_member(thread);
    const bool is_stale = cluster.threads[thread.value].metadata_is_stale != 0;
    return is_stale || !cluster.group.has(slot) ? GivenMember::stale() : GivenMember::in(slot);
}

GivenGeneration generation_of(const Configuration& configuration, const StreamThread& thread) {
    const GroupMetadata given = configuration.rules.group_metadata;
    const bool gives = given == GroupMetadata::full || given == GroupMetadata::generation_only;
    return gives ? GivenGeneration{thread.generation}.next() : GivenGeneration{};
}

}  // namespace

Verb request_in(const Configuration& configuration, Verb step) {
    const bool is_version_2 = configuration.is_version_2();
    switch (step) {
        case Verb::add_partition: return is_version_2 ? Verb::produce : step;
        case Verb::add_offsets: return is_version_2 ? Verb::txn_offset_commit : step;
        case Verb::verify_partition: return Verb::produce;
        case Verb::verify_offsets: return Verb::txn_offset_commit;
        default: return step;
    }
}

Request request_of(const Configuration& configuration, const Cluster& cluster,
                   const Action& action) {
    const StreamThread& thread = cluster.threads[action.thread.value];
    const std::size_t slot = configuration.producer_slot(action.partition);
    Request request{.verb = request_in(configuration, action.verb), .producer = action.producer};
    switch (request.verb) {
        case Verb::produce:
            request.record = thread.tasks[action.partition.value].position;
            request.behind = (thread.producers[slot].appended >> action.partition.value & 1U);
            [[fallthrough]];
        case Verb::add_partition: request.partition = action.partition; break;
        case Verb::txn_offset_commit:
        case Verb::offset_commit:
            request.member = member_of(configuration, cluster, action.thread);
            request.generation = generation_of(configuration, thread);
            request.work = request.verb == Verb::offset_commit
                               ? works_to_commit(configuration, thread)
                               : works_of(configuration, thread, slot);
            break;
        case Verb::end_txn_commit:
            request.work = undecided_works_of(configuration, thread, slot);
            break;
        default: break;
    }
    request.epoch = thread.producers[slot].epoch;
    const bool is_append = request.verb == Verb::produce || request.verb == Verb::txn_offset_commit;
    if (is_append) { request.guard = guard_of(thread.producers[slot], partition_of(request)); }
    return request;
}

// ---- answers ----

namespace {

struct Row {
    std::uint64_t requests;
    Error error;
    Reaction reaction;
};

constexpr auto adds = set_of(Verb::add_partition, Verb::add_offsets);
constexpr auto ends = set_of(Verb::end_txn_commit, Verb::end_txn_abort);
constexpr auto offset_commits = set_of(Verb::txn_offset_commit, Verb::offset_commit);

// TransactionManager's handlers, Sender.failBatch, and what Kafka Streams makes of them.
constexpr std::array<Row, 17> table{{
    {set_of(Verb::init_producer_id), Error::producer_fenced, Reaction::give_up},
    {set_of(Verb::init_producer_id) | adds | ends, Error::concurrent_transactions, Reaction::retry},
    {adds | ends, Error::producer_fenced, Reaction::give_up},
    {set_of(Verb::produce), Error::invalid_producer_epoch, Reaction::abort},  // 2.7, KIP-588
    {set_of(Verb::produce), Error::invalid_txn_state, Reaction::abort},
    {set_of(Verb::produce), Error::transaction_abortable, Reaction::abort},
    {set_of(Verb::produce), Error::out_of_order_sequence_number, Reaction::abort},
    {set_of(Verb::produce), Error::not_enough_replicas, Reaction::retry},
    {set_of(Verb::produce, Verb::txn_offset_commit), Error::concurrent_transactions,
     Reaction::retry},
    {set_of(Verb::txn_offset_commit), Error::invalid_producer_epoch, Reaction::give_up},
    {set_of(Verb::txn_offset_commit), Error::invalid_txn_state, Reaction::end},
    {set_of(Verb::txn_offset_commit), Error::transaction_abortable, Reaction::abort},
    {offset_commits, Error::unknown_member_id, Reaction::abort},
    {offset_commits, Error::illegal_generation, Reaction::abort},
    {set_of(Verb::offset_commit), Error::rebalance_in_progress, Reaction::abort},
    {set_of(Verb::end_txn_commit), Error::invalid_txn_state, Reaction::end},
    {set_of(Verb::end_txn_abort), Error::invalid_txn_state, Reaction::give_up},
}};

}  // namespace

Reaction reaction_to(const Rules& rules, Verb request, Error error) {
    const bool retries_commit = error == Error::rebalance_in_progress &&
                                rules.rebalance_reaction == RebalanceReaction::retry;
    if (retries_commit) { return Reaction::retry; }
    for (const Row& row : table) {
        const bool is_asked = (row.requests >> static_cast<unsigned>(request) & 1U) != 0;
        if (is_asked && row.error == error) { return row.reaction; }
    }
    return Reaction::give_up;
}

namespace {

// One answer, as the thread takes it.
class Hearer {
  public:
    Hearer(const Configuration& configuration, StreamThread& thread, const Action& action)
        : configuration_(configuration),
          self_(thread),
          action_(action),
          task_(thread.tasks[action.partition.value]),
          slot_(configuration.producer_slot(action.partition)),
          producer_(thread.producers[slot_]) {}

    void hear(const Outcome& answer) {
        hear_of_question(answer);
        if (!answer.awaits_log) {
            producer_.unanswered = without(producer_.unanswered, asked_about());
        }
        if (answer.error != Error::none) {
            hear_error(answer.error);
            return;
        }
        switch (action_.verb) {
            case Verb::init_producer_id: begin_with(answer.epoch); return;
            case Verb::add_partition: begin(); return;
            case Verb::produce:
                ++task_.position;
                producer_.appended = without(producer_.appended, action_.partition.bit());
                if (configuration_.is_version_2()) { begin(); }
                return;
            case Verb::add_offsets: producer_.phase = TransactionPhase::offsets_added; return;
            case Verb::txn_offset_commit:
                producer_.phase = TransactionPhase::offsets_accepted;
                return;
            case Verb::offset_commit: close(true); return;
            case Verb::end_txn_commit: end(true, answer.epoch); return;
            case Verb::end_txn_abort: end(false, answer.epoch); return;
            default: return;
        }
    }

    void hear_nothing() {
        hear_of_question({});
        if (action_.gives_up) {  // what is behind it has no sequence any more
            begin_anew(configuration_, self_, slot_, true);
            return;
        }
        const bool commits = action_.verb == Verb::end_txn_commit;
        const bool is_end = commits || action_.verb == Verb::end_txn_abort;
        if (is_end) { only_sends_again(); }
        if (configuration_.is_transactional()) { await(); }
        switch (configuration_.rules.unknown_outcome) {
            case UnknownOutcome::retry: return;
            case UnknownOutcome::reinitialise:
                if (action_.verb != Verb::init_producer_id && configuration_.is_transactional()) {
                    begin_anew(configuration_, self_, slot_, false);
                }
                return;
            case UnknownOutcome::forget:
                if (is_end) { close(false); }
                return;
            case UnknownOutcome::abort:
                if (commits) { producer_.phase = TransactionPhase::aborting; }
                return;
        }
    }

  private:
    // The output, or the offsets partition, that a request with a place in the transaction is
    // about.
    [[nodiscard]] std::uint8_t asked_about() const {
        switch (request_in(configuration_, action_.verb)) {
            case Verb::produce: return action_.partition.bit();
            case Verb::add_offsets:
            case Verb::txn_offset_commit: return offsets_partition_bit;
            default: return 0;
        }
    }

    // The transaction goes no further before these are answered.
    void await() {
        const bool is_produce = request_in(configuration_, action_.verb) == Verb::produce;
        if (is_produce) { begin(); }
        // Of a commit the first one alone: AddOffsetsToTxn, or what has the leader add the offsets.
        const bool is_first = producer_.phase == TransactionPhase::working;
        if (is_first) { producer_.unanswered |= asked_about(); }
    }

    // EndTxn is never changed once it was sent.
    void only_sends_again() {
        const bool is_bound = producer_.phase == TransactionPhase::must_abort ||
                              producer_.phase == TransactionPhase::aborts_and_bumps;
        if (is_bound) { return; }
        producer_.phase = action_.verb == Verb::end_txn_commit ? TransactionPhase::offsets_accepted
                                                               : TransactionPhase::aborting;
    }

    void close(bool is_commit) { close_transaction(configuration_, self_, slot_, is_commit); }

    // Version 2 answers with the epoch of the next transaction, whose sequences begin anew.
    void end(bool is_commit, Epoch next) {
        close(is_commit);
        if (!next.is_known() || !producer_.epoch.is_known()) { return; }
        producer_.epoch = next;
        producer_.appended = 0;
    }

    // The partition is in the transaction, as the client sees it: under version 1 once it is
    // added, and so before a batch; under version 2 with the first batch that is sent.
    void begin() { producer_.added = with(producer_.added, action_.partition.bit()); }

    // Not the client but the leader keeps this, while the client waits for the answer.
    void hear_of_question(const Outcome& answer) {
        const Verb request = request_in(configuration_, action_.verb);
        const bool is_produce = request == Verb::produce;
        if (!is_produce && request != Verb::txn_offset_commit) { return; }
        const std::uint8_t partition = is_produce ? action_.partition.bit() : offsets_partition_bit;
        if (answer.awaits_log) {
            remember_answer(producer_, partition);
        } else {
            forget_answer(producer_, partition);
        }
    }

    void begin_with(Epoch epoch) {
        producer_ = Producer{.epoch = epoch};
        // No task waits for a producer that is its thread's.
        if (task_.phase == TaskPhase::needs_both) {
            task_.phase = TaskPhase::needs_fetch;
        } else if (task_.phase == TaskPhase::needs_init) {
            task_.phase = TaskPhase::running;
        }
    }

    void hear_error(Error error) {
        const Verb request = request_in(configuration_, action_.verb);
        const Reaction reaction = reaction_to(configuration_.rules, request, error);
        if (reaction == Reaction::retry) {
            if (request == Verb::produce) { begin(); }
            return;
        }
        if (producer_.phase == TransactionPhase::must_abort) {
            close(false);  // a client that is closing swallows whatever its abort comes to
            return;
        }
        const bool commits_all_the_same =
            action_.verb == Verb::txn_offset_commit && reaction == Reaction::abort &&
            configuration_.rules.after_refused_offsets == AfterRefusedOffsets::may_commit;
        if (commits_all_the_same) {
            producer_.phase = TransactionPhase::offsets_refused;
        } else if (reaction == Reaction::end) {
            die(self_);
        } else {
            react_to_fence(configuration_, self_, slot_, reaction == Reaction::give_up);
        }
    }

    const Configuration& configuration_;
    StreamThread& self_;
    const Action& action_;
    Task& task_;
    std::size_t slot_;
    Producer& producer_;
};

}  // namespace

void hear(const Configuration& configuration, StreamThread& thread, const Action& action,
          const Outcome& answer) {
    Hearer(configuration, thread, action).hear(answer);
}

void hear_nothing(const Configuration& configuration, StreamThread& thread, const Action& action) {
    Hearer(configuration, thread, action).hear_nothing();
}

bool may_bump_by_itself(const Configuration& configuration, const Cluster& cluster,
                        const Action& action) {
    const std::size_t slot = configuration.producer_slot(action.partition);
    const Epoch epoch = cluster.threads[action.thread.value].producers[slot].epoch;
    return configuration.rules.bumps_after_abort != BumpsAfterAbort::by_itself ||
           epoch.raw < configuration.bounds.epoch + 1U;
}

}  // namespace ringfence::model
