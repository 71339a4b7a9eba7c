#include "model/stream_thread.hpp"

#include "model/former_producers.hpp"
#include "model/ghosts.hpp"
#include "model/network.hpp"
#include "model/transaction_coordinator.hpp"

#include <algorithm>

namespace ringfence::model {

std::uint8_t owned_partitions(const Configuration& configuration, const StreamThread& thread) {
    unsigned owned = 0;
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        const TaskPhase phase = thread.tasks[p].phase;
        if (phase != TaskPhase::none && phase != TaskPhase::kept) { owned |= 1U << p; }
    }
    return static_cast<std::uint8_t>(owned);
}

std::uint8_t content_of(const Configuration& configuration, const StreamThread& thread,
                        std::size_t slot) {
    unsigned content = 0;
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        const bool counts = writes_for(configuration, slot, p) && thread.tasks[p].has_progress();
        if (counts) { content |= 1U << p; }
    }
    return static_cast<std::uint8_t>(content);
}

bool is_current_member(const Cluster& cluster, ThreadId thread) {
    const StreamThread& self = cluster.threads[thread.value];
    const bool has_synced =
        self.membership == Membership::in || self.membership == Membership::awaiting_join;
    return has_synced && self.metadata_is_stale == 0 && cluster.group.has(current_member(thread)) &&
           self.generation == cluster.group.generation;
}

bool expects_transaction(const Configuration& configuration, const StreamThread& thread,
                         std::size_t slot) {
    if (thread.producers[slot].has_open_transaction()) { return true; }
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        const Task& task = thread.tasks[p];
        const bool works = task.phase != TaskPhase::none && task.phase != TaskPhase::revoking;
        const bool has_record = works && task.position < configuration.bounds.records;
        if (writes_for(configuration, slot, p) && has_record) { return true; }
    }
    return false;
}

// ---- reactions ----

namespace {

Task new_task(const Configuration& configuration, std::uint8_t elders) {
    const TaskPhase phase =
        configuration.has_producer_per_task() ? TaskPhase::needs_both : TaskPhase::needs_fetch;
    return Task{.phase = phase,
                .elders = elders,
                .restore = configuration.has_changelog() ? Task::restore_due : std::uint8_t{0}};
}

// Whatever waits at leaders, or for an answer, is given up.
void must_abort(Producer& producer, TransactionPhase phase = TransactionPhase::must_abort) {
    producer.phase = phase;
    producer.verified = producer.overtaken = 0;
    producer.unanswered = producer.appended = 0;
}

// The work that was fenced is not done again; but it stays in the local state.
void forget_work(const Configuration& configuration, Task& task) {
    const unsigned records = (1U << task.position) - (1U << task.first);
    const bool remembers = configuration.has_changelog() && configuration.ghosts.restored;
    if (remembers) { task.restore = static_cast<std::uint8_t>(task.restore ^ records); }
    task.first = task.position;
    task.decided = 0;
}

// The client begins again with the same producer object's successor (FenceReaction).
void begin_again(const Configuration& configuration, StreamThread& thread, std::size_t slot) {
    const bool refetches = configuration.rules.fence_reaction == FenceReaction::refetch;
    const bool per_task = configuration.has_producer_per_task();
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        Task& task = thread.tasks[p];
        if (!writes_for(configuration, slot, p)) { continue; }
        if (task.phase == TaskPhase::kept) {
            task = Task{};
        } else if (task.phase != TaskPhase::running || !refetches) {
            forget_work(configuration, task);
            const bool initialises = per_task && task.phase == TaskPhase::running;
            if (initialises) { task.phase = TaskPhase::needs_init; }
        } else {
            task = new_task(configuration, task.elders);
        }
    }
}

}  // namespace

void close_dirty(const Configuration& configuration, StreamThread& thread,
                 std::size_t fenced_slot) {
    thread.tasks = {};
    for (std::size_t slot = 0; slot < configuration.producer_slots(); ++slot) {
        Producer& producer = thread.producers[slot];
        const bool aborts = producer.has_open_transaction() && slot != fenced_slot &&
                            producer.phase != TransactionPhase::bumping;
        if (aborts) {
            must_abort(producer);
        } else {
            producer = Producer{};
        }
    }
    if (thread.membership != Membership::out) { thread.membership = Membership::closing; }
    thread.generation = 0;
    thread.metadata_is_stale = 0;
}

void react_to_fence(const Configuration& configuration, StreamThread& thread, std::size_t slot,
                    bool is_fatal) {
    switch (configuration.rules.fence_reaction) {
        case FenceReaction::rejoin:
        case FenceReaction::stop: {
            close_dirty(configuration, thread, is_fatal ? slot : no_slot);
            return;
        }
        case FenceReaction::refetch:
        case FenceReaction::reinitialise: break;
    }
    if (configuration.is_transactional()) {
        Producer& producer = thread.producers[slot];
        if (is_fatal || !producer.has_open_transaction()) {
            producer = Producer{};
        } else {
            must_abort(producer);
        }
    }
    begin_again(configuration, thread, slot);
}

namespace {

// How a client aborts that needs a new epoch then: with a new producer, or with its own, which
// under version 2 gets one with the answer.
TransactionPhase abort_before_new_epoch(const Configuration& configuration) {
    switch (configuration.rules.bumps_after_abort) {
        case BumpsAfterAbort::no: return TransactionPhase::must_abort;
        case BumpsAfterAbort::by_itself: return TransactionPhase::aborting;
        case BumpsAfterAbort::yes: break;
    }
    return configuration.is_version_2() ? TransactionPhase::aborting
                                        : TransactionPhase::aborts_and_bumps;
}

}  // namespace

void begin_anew(const Configuration& configuration, StreamThread& thread, std::size_t slot,
                bool aborts) {
    Producer& producer = thread.producers[slot];
    const bool was_closing = producer.phase == TransactionPhase::must_abort;
    if (aborts) {
        must_abort(producer, abort_before_new_epoch(configuration));
        const bool bumps = configuration.rules.bumps_after_abort == BumpsAfterAbort::by_itself;
        if (bumps) { producer.epoch = producer.epoch.next(); }
    } else {
        producer = Producer{};
    }
    for (std::size_t p = 0; p < configuration.bounds.partitions && !was_closing; ++p) {
        Task& task = thread.tasks[p];
        if (!writes_for(configuration, slot, p)) { continue; }
        switch (task.phase) {
            case TaskPhase::none: break;
            case TaskPhase::kept: task = Task{}; break;
            case TaskPhase::revoking:
                task.position = task.first;
                task.decided = 0;
                break;
            case TaskPhase::needs_fetch:
            case TaskPhase::running:
            case TaskPhase::needs_init:
            case TaskPhase::needs_both: task = new_task(configuration, task.elders); break;
        }
    }
}

void die(StreamThread& thread) { thread = StreamThread{.life = Life::down}; }

void start_again(const Configuration& configuration, Cluster& cluster, ThreadId thread) {
    leave_member_behind(cluster.group, thread);
    rename_member(cluster, current_member(thread), former_member(thread));
    if (configuration.draws_id_at_start()) {
        retire(configuration, cluster, configuration.producer_id(thread, PartitionId{}));
    }
    cluster.threads[thread.value].life = Life::alive;
}

namespace {

// What becomes of the producer's tasks when its transaction has ended.
void settle_tasks(const Configuration& configuration, StreamThread& thread, std::size_t slot,
                  bool is_commit) {
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        Task& task = thread.tasks[p];
        if (!writes_for(configuration, slot, p) || task.phase == TaskPhase::none) { continue; }
        task.decided = 0;
        if (task.phase == TaskPhase::kept) {
            task = Task{};
        } else if (is_commit) {
            task.first = task.position;
        } else {
            // The consumer seeks back to what is committed, and so does the state.
            const bool is_dirty = task.has_progress() && configuration.has_changelog();
            if (is_dirty) { task.restore = Task::restore_due; }
            task.position = task.first;
        }
    }
}

}  // namespace

void close_transaction(const Configuration& configuration, StreamThread& thread, std::size_t slot,
                       bool is_commit) {
    Producer& producer = thread.producers[slot];
    const bool was_closing = producer.phase == TransactionPhase::must_abort;
    const bool was_refused = producer.phase == TransactionPhase::offsets_refused;
    if (was_closing) {
        producer = Producer{};  // the next one is created and initialised afresh
    } else if (producer.phase == TransactionPhase::aborts_and_bumps) {
        producer = Producer{.epoch = producer.epoch, .phase = TransactionPhase::bumping};
    } else {
        producer = Producer{.epoch = producer.epoch, .appended = producer.appended};
        settle_tasks(configuration, thread, slot, is_commit);
        if (was_refused && !is_commit) { close_dirty(configuration, thread, no_slot); }
    }
    const bool is_without_task =
        configuration.has_producer_per_task() && thread.tasks[slot].phase == TaskPhase::none;
    if (is_without_task) { thread.producers[slot] = Producer{}; }
}

namespace {

// A task that the new assignment does not name any more.
void give_up(const Configuration& configuration, StreamThread& thread, std::size_t partition) {
    Task& task = thread.tasks[partition];
    const std::size_t slot = configuration.producer_slot(PartitionId{partition});
    switch (configuration.rules.closes_before_rejoin) {
        case ClosesBeforeRejoin::cooperative:
            if (task.phase != TaskPhase::kept) { task.phase = TaskPhase::revoking; }
            if (task.has_progress() || thread.producers[slot].has_sent(partition)) { return; }
            task.first = task.position = 0;
            task.awaited = task.restore = 0;
            return;
        case ClosesBeforeRejoin::eager:
        case ClosesBeforeRejoin::no: break;
    }
    const bool per_task = configuration.has_producer_per_task();
    const bool is_added = per_task && thread.producers[slot].has_open_transaction();
    if (task.has_progress() || is_added || thread.producers[slot].has_sent(partition)) {
        task.phase = TaskPhase::kept;
        return;
    }
    task = Task{};
    if (per_task) { thread.producers[slot] = Producer{}; }
}

}  // namespace

void adopt_assignment(const Configuration& configuration, Cluster& cluster, ThreadId thread) {
    StreamThread& self = cluster.threads[thread.value];
    self.membership = Membership::in;
    self.generation = cluster.group.generation;
    self.metadata_is_stale = 0;
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        Task& task = self.tasks[p];
        const bool is_assigned = cluster.group.assignment[p] == current_member(thread).value + 1;
        if (!is_assigned) {
            if (task.phase != TaskPhase::none) { give_up(configuration, self, p); }
        } else if (task.phase == TaskPhase::none) {
            task = new_task(configuration, elders_of_new_task(configuration, cluster, thread, p));
        } else if (task.phase == TaskPhase::kept) {
            task.phase = TaskPhase::running;  // it kept the task, and so its seniority
        }
    }
}

void prepare_to_rejoin(const Configuration& configuration, StreamThread& thread) {
    // Under `no` nothing is ever revoking, so nothing is closed.
    const bool is_eager = configuration.rules.closes_before_rejoin == ClosesBeforeRejoin::eager;
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        const bool closes = is_eager ? thread.tasks[p].phase != TaskPhase::kept
                                     : thread.tasks[p].phase == TaskPhase::revoking;
        if (!closes) { continue; }
        thread.tasks[p] = Task{};
        if (configuration.has_producer_per_task()) { thread.producers[p] = Producer{}; }
    }
}

void lose_membership(const Configuration& configuration, StreamThread& thread) {
    if (configuration.rules.commits_kept_offsets == Switch::no) {
        thread.membership = Membership::out;
        close_dirty(configuration, thread, no_slot);
        return;
    }
    thread.membership = Membership::out;
    bool keeps_any = false;
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        const std::size_t slot = configuration.producer_slot(PartitionId{p});
        const bool per_task = configuration.has_producer_per_task();
        const bool is_open = per_task && thread.producers[slot].has_open_transaction();
        const bool is_sent = thread.producers[slot].has_sent(p);
        if (thread.tasks[p].has_progress() || is_open || is_sent) {
            thread.tasks[p].phase = TaskPhase::kept;
            keeps_any = true;
            continue;
        }
        thread.tasks[p] = Task{};
        if (per_task) { thread.producers[slot] = Producer{}; }
    }
    // Without work the careless client is like any other: it presents nothing stale.
    thread.metadata_is_stale = keeps_any ? 1 : 0;
    if (!keeps_any) { thread.generation = 0; }
}

}  // namespace ringfence::model
