// Which steps a thread may take: the guards. Their effects are in steps.cpp.
#include "model/client.hpp"
#include "model/former_producers.hpp"
#include "model/network.hpp"
#include "model/stream_thread.hpp"
#include "model/transaction_coordinator.hpp"
#include "model/verification.hpp"

#include <algorithm>

namespace ringfence::model {

namespace {

// One thread's view of one state, while its steps are listed.
class Lister {
  public:
    Lister(const Configuration& configuration, const Cluster& cluster, ThreadId thread,
           checker::Enabled<Action>& enabled)
        : configuration_(configuration),
          cluster_(cluster),
          thread_(thread),
          self_(cluster.threads[thread.value]),
          group_(cluster.group),
          enabled_(enabled) {}

    void list() {
        if (self_.life == Life::down) {
            list_restart();
            return;
        }
        list_crash();
        if (list_blocking_calls()) { return; }
        list_membership();
        list_tasks();
        list_commits();
    }

  private:
    // ---- budgets and bounds ----

    [[nodiscard]] bool may_start_rebalance() const {
        return group_.phase == GroupPhase::preparing ||
               group_.generation < configuration_.bounds.generations;
    }
    [[nodiscard]] bool fits(unsigned bumps, Epoch epoch) const {
        return epoch.raw + bumps <= configuration_.bounds.epoch + 1U;
    }
    void cut(Cut kind) { enabled_.cut(static_cast<std::size_t>(kind)); }
    void forbid(Cut kind) { enabled_.forbid(static_cast<std::size_t>(kind)); }

    Action& add(Verb verb) {
        Action& action = enabled_.add();
        action.verb = verb;
        action.thread = thread_;
        return action;
    }
    void add_disturbance(Verb verb) { add(verb).spends_budget = true; }
    // Of the producer in `slot`, about partition `p` where that matters.
    Action& add(Verb verb, std::size_t slot, std::size_t p) {
        Action& action = add(verb);
        action.partition = PartitionId{p};
        action.producer = configuration_.producer_id(thread_, PartitionId{slot});
        return action;
    }
    // The same, of a request that the network may disturb.
    void ask(Verb verb, std::size_t slot, std::size_t p) {
        list_fates(configuration_, cluster_, add(verb, slot, p), enabled_);
    }

    // ---- life ----

    void list_restart() {
        if (!has_left(configuration_.disturbances.restart, cluster_.budgets.restart)) { return; }
        const bool former_is_gone =
            !group_.has(former_member(thread_)) || !group_.has(current_member(thread_));
        const ProducerId id = configuration_.producer_id(thread_, PartitionId{});
        const bool has_room = !configuration_.draws_id_at_start() ||
                              has_room_for_former(configuration_, cluster_, id);
        if (!former_is_gone) {
            forbid(Cut::former_member);
        } else if (!has_room) {
            forbid(Cut::former_producer);
        } else {
            add_disturbance(Verb::restart);
        }
    }

    void list_crash() {
        if (has_left(configuration_.disturbances.crash, cluster_.budgets.crash)) {
            add_disturbance(Verb::crash);
        }
    }

    // ---- calls that keep the thread from anything else ----

    bool list_blocking_calls() {
        bool is_blocked = false;
        for (std::size_t slot = 0; slot < configuration_.producer_slots(); ++slot) {
            const Producer& producer = self_.producers[slot];
            switch (producer.phase) {
                case TransactionPhase::working:
                    if ((producer.unanswered & offsets_partition_bit) == 0) { continue; }
                    ask(Verb::add_offsets, slot, slot);
                    break;
                case TransactionPhase::offsets_added: list_offset_commit(slot); break;
                case TransactionPhase::offsets_accepted: list_end(Decision::commit, slot); break;
                case TransactionPhase::offsets_refused:
                    list_end(Decision::commit, slot);
                    list_end(Decision::abort, slot);
                    break;
                case TransactionPhase::bumping: list_init(slot); break;
                case TransactionPhase::aborting:
                case TransactionPhase::aborts_and_bumps:
                case TransactionPhase::must_abort: list_end(Decision::abort, slot); break;
            }
            is_blocked = true;
        }
        return is_blocked;
    }

    // ---- the group ----

    void list_membership() {
        const bool is_listed = group_.has(current_member(thread_));
        switch (self_.membership) {
            case Membership::out: list_join(); return;
            case Membership::awaiting_join: return;
            case Membership::closing: list_leave(is_listed); return;
            case Membership::awaiting_sync:
            case Membership::in: break;
        }
        if (!is_listed) {
            add(Verb::learn_of_expulsion);
            return;
        }
        if (self_.membership == Membership::awaiting_sync) { list_sync(); }
        list_rejoin();
    }

    // Without kept offsets no transaction is open here: list_blocking_calls.
    void list_join() {
        if (may_start_rebalance()) {
            add(Verb::join_group);
        } else {
            cut(Cut::join);
        }
    }

    void list_leave(bool is_listed) {
        if (!is_listed || may_start_rebalance()) {
            add(Verb::leave_group);
        } else {
            cut(Cut::leave);
        }
    }

    void list_sync() {
        if (group_.phase == GroupPhase::stable) { add(Verb::sync_group); }
        if (group_.phase != GroupPhase::completing) { return; }
        for_each_assignment(configuration_, group_, [&](std::uint16_t assignment) {
            add(Verb::sync_group).assignment = assignment;
        });
    }

    void list_rejoin() {
        if (!is_ready_to_rejoin()) { return; }
        if (group_.phase == GroupPhase::preparing) {
            add(Verb::rejoin_group);
            return;
        }
        if (self_.membership != Membership::in || group_.phase != GroupPhase::stable) { return; }
        if (is_revoking()) {
            if (may_start_rebalance()) {
                add(Verb::rejoin_group);
            } else {
                cut(Cut::follow_up_rebalance);
            }
            return;
        }
        const bool may_disturb = has_left(configuration_.disturbances.voluntary_rebalance,
                                          cluster_.budgets.voluntary_rebalance);
        if (!may_disturb || !may_start_rebalance()) { return; }
        add_disturbance(Verb::trigger_rebalance);
        if (!has_open_transaction() && !has_any_progress()) { add_disturbance(Verb::leave_group); }
    }

    [[nodiscard]] bool is_ready_to_rejoin() const {
        switch (configuration_.rules.closes_before_rejoin) {
            case ClosesBeforeRejoin::no: return true;
            case ClosesBeforeRejoin::eager: return !has_open_transaction() && !has_any_progress();
            case ClosesBeforeRejoin::cooperative: break;
        }
        for (std::size_t p = 0; p < configuration_.bounds.partitions; ++p) {
            const Task& task = self_.tasks[p];
            if (task.phase != TaskPhase::revoking) { continue; }
            const Producer& producer = producer_of(p);
            if (task.has_progress() || (producer.added >> p & 1U) != 0) { return false; }
        }
        return true;
    }

    // ---- tasks ----

    void list_tasks() {
        if (!configuration_.has_producer_per_task()) { list_thread_init(); }
        for (std::size_t p = 0; p < configuration_.bounds.partitions; ++p) {
            const Task& task = self_.tasks[p];
            const std::size_t slot = configuration_.producer_slot(PartitionId{p});
            if (configuration_.has_producer_per_task()) { list_task_init(p); }
            if (may_fetch(p)) { add(Verb::fetch_offset, slot, p); }
            if (may_restore(p)) { add(Verb::restore_changelog, slot, p); }
            const bool may_produce =
                task.may_process() && task.position < configuration_.bounds.records;
            if (may_produce || producer_of(p).has_sent(p)) { list_produce(p); }
        }
    }

    // Under version 2 nothing is added before it is produced: the leader does it, where it has to.
    void list_produce(std::size_t p) {
        const std::size_t slot = configuration_.producer_slot(PartitionId{p});
        const bool is_added = (producer_of(p).added >> p & 1U) != 0;
        const bool is_ready = !configuration_.is_transactional() || is_added ||
                              (configuration_.is_version_2() && producer_of(p).epoch.is_known());
        if (!is_ready) {
            if (producer_of(p).epoch.is_known()) { ask(Verb::add_partition, slot, p); }
        } else if (waits_for_coordinator(Verb::produce, slot, p)) {
            ask(configuration_.is_version_2() ? Verb::add_partition : Verb::verify_partition, slot,
                p);
        } else {
            ask(Verb::produce, slot, p);
        }
    }

    void list_init(std::size_t slot) {
        const ProducerId id = configuration_.producer_id(thread_, PartitionId{slot});
        const bool is_fresh = configuration_.draws_id_at_init();
        const TransactionalId& entry = cluster_.transactional_ids[id.value];
        const Epoch given = self_.producers[slot].epoch;
        if (!is_fresh && !fits(bumps_of_init(configuration_.rules, entry, given), entry.epoch)) {
            cut(Cut::epoch);
        } else if (is_fresh && !has_room_for_former(configuration_, cluster_, id)) {
            cut(Cut::former_producer);
        } else {
            ask(Verb::init_producer_id, slot, slot);
        }
    }

    // v2: lazily, at the first active task.
    void list_thread_init() {
        if (!configuration_.is_transactional() || self_.producers[0].epoch.is_known()) { return; }
        const bool fetches_first = configuration_.rules.start_order == StartOrder::fetch_then_init;
        bool has_task = false;
        for (std::size_t p = 0; p < configuration_.bounds.partitions; ++p) {
            const TaskPhase phase = self_.tasks[p].phase;
            if (phase == TaskPhase::needs_fetch && fetches_first) { return; }
            has_task = has_task || phase == TaskPhase::needs_fetch || phase == TaskPhase::running;
        }
        if (has_task) { list_init(0); }
    }

    void list_task_init(std::size_t p) {
        const TaskPhase phase = self_.tasks[p].phase;
        const bool fetches_first = configuration_.rules.start_order == StartOrder::fetch_then_init;
        const bool is_due =
            phase == TaskPhase::needs_init || (phase == TaskPhase::needs_both && !fetches_first);
        if (is_due) { list_init(p); }
    }

    [[nodiscard]] bool may_fetch(std::size_t p) const {
        const TaskPhase phase = self_.tasks[p].phase;
        const bool inits_first = configuration_.rules.start_order == StartOrder::init_then_fetch;
        if (phase == TaskPhase::needs_both) { return !inits_first; }
        if (phase != TaskPhase::needs_fetch) { return false; }
        return !inits_first || !configuration_.is_transactional() ||
               producer_of(p).epoch.is_known();
    }

    // In any order with the fetch, but not before its producer is initialised.
    [[nodiscard]] bool may_restore(std::size_t p) const {
        const Task& task = self_.tasks[p];
        const bool is_due = (task.restore & Task::restore_due) != 0;
        const bool is_started =
            task.phase == TaskPhase::needs_fetch || task.phase == TaskPhase::running;
        return is_due && is_started && producer_of(p).epoch.is_known();
    }

    // ---- transactions ----

    void list_commits() {
        if (!configuration_.is_transactional()) {
            if (content_of(configuration_, self_, 0) != 0) { ask(Verb::offset_commit, 0, 0); }
            return;
        }
        for (std::size_t slot = 0; slot < configuration_.producer_slots(); ++slot) {
            list_commit(slot);
        }
    }

    void list_offset_commit(std::size_t slot) {
        const bool waits = waits_for_coordinator(Verb::txn_offset_commit, slot, slot);
        ask(waits ? Verb::verify_offsets : Verb::txn_offset_commit, slot, slot);
    }

    // Version 2 bumps the epoch with the decision.
    void list_end(Decision decision, std::size_t slot) {
        const ProducerId producer = configuration_.producer_id(thread_, PartitionId{slot});
        const TransactionalId& id = cluster_.transactional_ids[producer.value];
        const bool bumps =
            configuration_.is_version_2() &&
            end_decides(configuration_.rules, id, self_.producers[slot].epoch, decision);
        if (bumps && !fits(1, id.epoch)) {
            cut(Cut::epoch);
            return;
        }
        const bool commits = decision == Decision::commit;
        ask(commits ? Verb::end_txn_commit : Verb::end_txn_abort, slot, slot);
    }

    void list_commit(std::size_t slot) {
        const Producer& producer = self_.producers[slot];
        if (!producer.has_open_transaction()) { return; }
        const std::uint8_t content = content_of(configuration_, self_, slot);
        const bool may_abort = configuration_.rules.aborts_at_will == Switch::yes;
        const auto half_done = static_cast<std::uint8_t>((producer.added & ~content) |
                                                         producer.verified | producer.unanswered);
        if (content != 0 && !produce_follows(half_done)) { ask(Verb::add_offsets, slot, slot); }
        // Partitions were added, nothing was produced, and nothing can be any more.
        const bool is_left_over = content == 0 && !produce_follows(half_done);
        const bool may_end = (producer.unanswered | producer.verified) == 0;
        if (may_end && (is_left_over || may_abort)) { list_end(Decision::abort, slot); }
    }

    // Was one of these outputs added for a record that the thread can still produce?
    [[nodiscard]] bool produce_follows(std::uint8_t half_done) const {
        for (std::size_t p = 0; p < configuration_.bounds.partitions; ++p) {
            const bool is_half_done = (half_done >> p & 1U) != 0;
            const bool can_be_done =
                self_.tasks[p].phase == TaskPhase::running || producer_of(p).has_sent(p);
            if (is_half_done && can_be_done) { return true; }
        }
        return false;
    }

    // ---- small questions ----

    // Has the leader to ask the coordinator about this request of the producer in `slot`?
    [[nodiscard]] bool waits_for_coordinator(Verb verb, std::size_t slot, std::size_t p) const {
        Request request{.verb = verb,
                        .producer = configuration_.producer_id(thread_, PartitionId{slot}),
                        .epoch = self_.producers[slot].epoch,
                        .partition = PartitionId{p}};
        request.guard = guard_of(self_.producers[slot], partition_of(request));
        return model::waits_for_coordinator(configuration_, cluster_, request);
    }
    [[nodiscard]] const Producer& producer_of(std::size_t partition) const {
        return self_.producers[configuration_.producer_slot(PartitionId{partition})];
    }
    [[nodiscard]] bool has_open_transaction() const {
        return std::ranges::any_of(self_.producers, &Producer::has_open_transaction);
    }
    [[nodiscard]] bool has_any_progress() const {
        return std::ranges::any_of(self_.tasks, &Task::has_progress);
    }
    [[nodiscard]] bool is_revoking() const {
        return std::ranges::any_of(
            self_.tasks, [](const Task& task) { return task.phase == TaskPhase::revoking; });
    }

    const Configuration& configuration_;
    const Cluster& cluster_;
    ThreadId thread_;
    const StreamThread& self_;
    const GroupCoordinator& group_;
    checker::Enabled<Action>& enabled_;
};

}  // namespace

void list_thread_actions(const Configuration& configuration, const Cluster& cluster,
                         ThreadId thread, checker::Enabled<Action>& enabled) {
    Lister(configuration, cluster, thread, enabled).list();
}

}  // namespace ringfence::model
