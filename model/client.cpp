#include "model/client.hpp"

#include "model/group_coordinator.hpp"
#include "model/stream_thread.hpp"

#include <array>

namespace ringfence::model {

namespace {

// Work of the transaction of the producer in `slot`: what EndTxn ends, whose offsets are committed.
Works works_of(const Configuration& configuration, const StreamThread& thread, std::size_t slot) {
    Works works{};
    for (std::size_t p = 0; p < partitions_max; ++p) {
        const Task& task = thread.tasks[p];
        if (!writes_for(configuration, slot, p) || !task.has_progress()) { continue; }
        works[p] = {task.first, task.position, task.elders, task.wrong_records()};
    }
    return works;
}

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

Request request_of(const Configuration& configuration, const Cluster& cluster,
                   const Action& action) {
    const StreamThread& thread = cluster.threads[action.thread.value];
    const std::size_t slot = configuration.producer_slot(action.partition);
    Request request{.verb = action.verb, .producer = action.producer};
    switch (action.verb) {
        case Verb::init_producer_id: return request;
        case Verb::produce:
            request.record = thread.tasks[action.partition.value].position;
            [[fallthrough]];
        case Verb::add_partition: request.partition = action.partition; break;
        case Verb::txn_offset_commit:
        case Verb::offset_commit:
            request.member = member_of(configuration, cluster, action.thread);
            request.generation = generation_of(configuration, thread);
            [[fallthrough]];
        case Verb::end_txn_commit: request.work = works_of(configuration, thread, slot); break;
        default: break;
    }
    request.epoch = thread.producers[slot].epoch;
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
constexpr std::array<Row, 9> table{{
    {set_of(Verb::init_producer_id) | adds | ends, Error::concurrent_transactions, Reaction::retry},
    {adds | ends, Error::producer_fenced, Reaction::give_up},
    {set_of(Verb::produce), Error::invalid_producer_epoch, Reaction::abort},  // 2.7, KIP-588
    {set_of(Verb::txn_offset_commit), Error::invalid_producer_epoch, Reaction::give_up},
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
        if (answer.error != Error::none) {
            hear_error(answer.error);
            return;
        }
        switch (action_.verb) {
            case Verb::init_producer_id: begin_with(answer.epoch); return;
            case Verb::add_partition:
                producer_.added =
                    static_cast<std::uint8_t>(producer_.added | action_.partition.bit());
                return;
            case Verb::produce: ++task_.position; return;
            case Verb::add_offsets: producer_.phase = TransactionPhase::offsets_added; return;
            case Verb::txn_offset_commit:
                producer_.phase = TransactionPhase::offsets_accepted;
                return;
            case Verb::offset_commit:
            case Verb::end_txn_commit: close(true); return;
            case Verb::end_txn_abort: close(false); return;
            default: return;
        }
    }

  private:
    void close(bool is_commit) { close_transaction(configuration_, self_, slot_, is_commit); }

    void begin_with(Epoch epoch) {
        producer_ = Producer{.epoch = epoch};
        if (!configuration_.has_producer_per_task()) { return; }
        task_.phase =
            task_.phase == TaskPhase::needs_both ? TaskPhase::needs_fetch : TaskPhase::running;
    }

    void hear_error(Error error) {
        const Reaction reaction = reaction_to(configuration_.rules, action_.verb, error);
        if (reaction == Reaction::retry) { return; }
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

}  // namespace ringfence::model
