#include "model/steps.hpp"

#include "model/changelog.hpp"
#include "model/former_producers.hpp"
#include "model/ghosts.hpp"
#include "model/group_coordinator.hpp"
#include "model/partition_leader.hpp"
#include "model/stream_thread.hpp"
#include "model/transaction_coordinator.hpp"

namespace ringfence::model {

namespace {

// One step in the making: the cluster, and short names for those whom the action concerns.
class StepTaker {
  public:
    StepTaker(const Configuration& configuration, Cluster& cluster, const Action& action)
        : configuration_(configuration),
          rules_(configuration.rules),
          cluster_(cluster),
          group_(cluster.group),
          action_(action),
          self_(cluster.threads[action.thread.value]),
          id_(cluster.transactional_ids[action.producer.value]),
          offsets_(cluster.group.offsets[action.producer.value]),
          p_(action.partition.value),
          slot_(configuration.producer_slot(action.partition)),
          producer_(self_.producers[slot_]) {}

    Outcome take() {
        switch (action_.verb) {
            case Verb::join_group: return join_group();
            case Verb::rejoin_group:
            case Verb::trigger_rebalance: return rejoin_group();
            case Verb::complete_join: return complete_join_phase();
            case Verb::sync_group: return sync_group();
            case Verb::leave_group: return leave_group();
            case Verb::learn_of_expulsion: return learn_of_expulsion();
            case Verb::init_producer_id: return init_producer();
            case Verb::fetch_offset: return fetch_offset();
            case Verb::restore_changelog: return restore_changelog();
            case Verb::add_partition: return add_output();
            case Verb::produce: return produce();
            case Verb::add_offsets: return add_offsets();
            case Verb::txn_offset_commit: return txn_offset_commit();
            case Verb::offset_commit: return offset_commit();
            case Verb::end_txn_commit: return end_txn(Decision::commit);
            case Verb::end_txn_abort: return end_txn(Decision::abort);
            case Verb::write_marker: return write_marker();
            case Verb::write_changelog_marker: return write_changelog_marker();
            case Verb::write_offsets_marker: return write_offsets_marker();
            case Verb::materialise: return materialise_one();
            case Verb::complete_txn: return complete_txn();
            case Verb::expel_member: return expel_member();
            case Verb::time_out_txn: return time_out_txn();
            case Verb::crash: return crash();
            case Verb::restart: return restart();
        }
        return {};
    }

  private:
    // A step that is a disturbance costs one of its budget.
    void spend(std::uint8_t Disturbances::*budget, std::uint8_t Budgets::*left) {
        const bool is_counted = configuration_.disturbances.*budget != Disturbances::unlimited;
        if (action_.spends_budget && is_counted) { --(cluster_.budgets.*left); }
    }

    // ---- the group ----

    Outcome join_group() {
        join(group_, current_member(action_.thread), 0);
        self_.membership = Membership::awaiting_join;
        return {};
    }

    Outcome rejoin_group() {
        spend(&Disturbances::voluntary_rebalance, &Budgets::voluntary_rebalance);
        prepare_to_rejoin(configuration_, self_);
        join(group_, current_member(action_.thread), owned_partitions(configuration_, self_));
        self_.membership = Membership::awaiting_join;
        return {};
    }

    Outcome complete_join_phase() {
        complete_join(group_);
        for (std::size_t t = 0; t < configuration_.bounds.threads; ++t) {
            Membership& membership = cluster_.threads[t].membership;
            if (membership == Membership::awaiting_join) { membership = Membership::awaiting_sync; }
        }
        return {};
    }

    Outcome sync_group() {
        if (group_.phase == GroupPhase::completing) {
            assign(configuration_, group_, action_.assignment);
        }
        adopt_assignment(configuration_, cluster_, action_.thread);
        return {};
    }

    Outcome leave_group() {
        const MemberId member = current_member(action_.thread);
        const bool ends =
            self_.membership == Membership::closing && rules_.fence_reaction == FenceReaction::stop;
        const bool is_listed = group_.has(member);
        if (is_listed) { remove_member(group_, member); }
        self_ = StreamThread{.life = ends ? Life::down : Life::alive};
        spend(&Disturbances::voluntary_rebalance, &Budgets::voluntary_rebalance);
        return {.error = is_listed ? Error::none : Error::unknown_member_id};
    }

    Outcome learn_of_expulsion() {
        lose_membership(configuration_, self_);
        return {.error = Error::unknown_member_id};
    }

    Outcome expel_member() {
        remove_member(group_, action_.member);
        spend(&Disturbances::expulsion, &Budgets::expulsion);
        return {};
    }

    // ---- a task starts ----

    Outcome init_producer() {
        if (configuration_.draws_id_at_init()) {
            retire(configuration_, cluster_, action_.producer);
        }
        const bool was_ongoing = id_.state == TransactionState::ongoing;
        const Error error = init_producer_id(rules_, id_);
        if (error != Error::none) { return {.error = error, .fenced_ongoing = was_ongoing}; }
        producer_ = Producer{.epoch = id_.epoch};
        Task& task = self_.tasks[p_];
        if (configuration_.has_producer_per_task()) {
            task.phase =
                task.phase == TaskPhase::needs_both ? TaskPhase::needs_fetch : TaskPhase::running;
        }
        return {.fenced_ongoing = was_ongoing, .took_over = true};
    }

    Outcome fetch_offset() {
        const Error error = offset_fetch_error(rules_, group_, action_.partition);
        if (error != Error::none) { return {.error = error}; }
        Task& task = self_.tasks[p_];
        task.first = task.position = group_.committed[p_];
        task.phase =
            task.phase == TaskPhase::needs_both ? TaskPhase::needs_init : TaskPhase::running;
        compare_restored(configuration_, task);
        remember_fetch(cluster_, action_.thread, action_.partition);
        return {};
    }

    Outcome restore_changelog() {
        begin_restore(configuration_, cluster_, action_.thread, action_.partition);
        return {};
    }

    // ---- records ----

    Outcome add_output() {
        const Error error = add_error(rules_, id_, producer_.epoch);
        if (error != Error::none) { return refused_by_coordinator(error); }
        model::add_partition(id_, action_.partition.bit());
        producer_.added = static_cast<std::uint8_t>(producer_.added | action_.partition.bit());
        return {};
    }

    Outcome produce() {
        Task& task = self_.tasks[p_];
        std::uint8_t& visible = cluster_.ghosts[p_].visible;
        if (configuration_.is_transactional()) {
            const Error error = append_to_logs(task.position);
            if (error != Error::none) {
                // Abortable for the client since 2.7 (KIP-588).
                react_to_fence(configuration_, self_, slot_, false);
                return {.error = error};
            }
        } else if (configuration_.ghosts.visible) {
            visible = with_one_more(visible, task.position);
        }
        ++task.position;
        return {};
    }

    // A request to each leader, and either may refuse.
    Error append_to_logs(Offset record) {
        OutputEntry& entry = cluster_.outputs[p_][action_.producer.value];
        const Error error = append_error(rules_.output_epoch_test, entry.epoch, producer_.epoch);
        if (error == Error::none) {
            const bool is_listed = (id_.partitions & action_.partition.bit()) != 0;
            append(entry, producer_.epoch, record, is_listed, configuration_.ghosts.stray);
        }
        if (!configuration_.has_changelog()) { return error; }
        ChangelogEntry& changelog = cluster_.changelogs[p_][action_.producer.value];
        const Error other = append_to_changelog(rules_, changelog, producer_.epoch, record);
        return error == Error::none ? other : error;
    }

    // ---- the end of a transaction ----

    Outcome add_offsets() {
        const Error error = add_error(rules_, id_, producer_.epoch);
        if (error != Error::none) { return refused_by_coordinator(error); }
        model::add_partition(id_, offsets_partition_bit);
        producer_.phase = TransactionPhase::offsets_added;
        return {};
    }

    Outcome txn_offset_commit() {
        const std::uint8_t content = content_of(configuration_, self_, slot_);
        const Sender sender = sender_of(configuration_, cluster_, action_.thread, content);
        Error error = txn_offset_commit_error(rules_, group_, sender);
        if (error != Error::none) { return offsets_refused(error); }
        error = append_error(rules_.offsets_epoch_test, offsets_.epoch, producer_.epoch);
        if (error != Error::none) {
            react_to_fence(configuration_, self_, slot_, true);
            return {.error = error};
        }
        offsets_.epoch = producer_.epoch;
        for (std::size_t p = 0; p < configuration_.bounds.partitions; ++p) {
            if ((content >> p & 1U) == 0) { continue; }
            add_pending(group_, action_.producer, PartitionId{p}, self_.tasks[p].position);
        }
        producer_.phase = TransactionPhase::offsets_accepted;
        return {};
    }

    Outcome offsets_refused(Error error) {
        if (rules_.after_refused_offsets == AfterRefusedOffsets::may_commit) {
            producer_.phase = TransactionPhase::offsets_refused;
        } else {
            react_to_fence(configuration_, self_, slot_, false);
        }
        return {.error = error};
    }

    Outcome offset_commit() {
        const std::uint8_t content = content_of(configuration_, self_, 0);
        const Sender sender = sender_of(configuration_, cluster_, action_.thread, content);
        const Error error = offset_commit_error(rules_, group_, sender);
        const bool retries = error == Error::rebalance_in_progress &&
                             rules_.rebalance_reaction == RebalanceReaction::retry;
        if (retries) { return {.error = error}; }
        if (error != Error::none) {
            react_to_fence(configuration_, self_, 0, false);
            return {.error = error};
        }
        for (std::size_t p = 0; p < configuration_.bounds.partitions; ++p) {
            if ((content >> p & 1U) != 0) { group_.committed[p] = self_.tasks[p].position; }
        }
        remember_decision(configuration_, cluster_, action_.thread, content);
        close_transaction(configuration_, self_, 0, true);
        return {.decided_commit = true};
    }

    Outcome end_txn(Decision decision) {
        const bool commits = decision == Decision::commit;
        const Error error = end_error(rules_, id_, producer_.epoch, decision);
        if (error == Error::concurrent_transactions) { return {.error = error}; }
        if (error != Error::none) { return end_refused(error, decision); }
        const bool decides = id_.state == TransactionState::ongoing;
        const std::uint8_t content = content_of(configuration_, self_, slot_);
        if (decides) { model::decide(rules_, id_, decision); }
        if (commits && decides) {
            remember_decision(configuration_, cluster_, action_.thread, content);
        }
        if (commits) { remember_confirmation(configuration_, cluster_, action_.thread, content); }
        if (!commits) { remember_abort(configuration_, cluster_, action_.producer); }
        const bool was_timed_out = producer_.timed_out != 0;
        close_transaction(configuration_, self_, slot_, commits);
        // The bump of a timeout is still to be met by the next request under the old epoch.
        const bool is_outdated = producer_.epoch.is_known() && producer_.epoch != id_.epoch;
        if (was_timed_out && is_outdated) { producer_.timed_out = 1; }
        return {.decided_commit = commits && decides};
    }

    Outcome end_refused(Error error, Decision decision) {
        // A client that is closing swallows whatever its abort comes to.
        const bool is_closing = producer_.phase == TransactionPhase::must_abort;
        if (is_closing) {
            close_transaction(configuration_, self_, slot_, false);
        } else if (error == Error::invalid_txn_state && decision == Decision::commit) {
            die(self_);
        } else {
            react_to_fence(configuration_, self_, slot_, true);
        }
        return {.error = error};
    }

    // A refusal of AddPartitionsToTxn or AddOffsetsToTxn: retried, or fatal.
    Outcome refused_by_coordinator(Error error) {
        if (error != Error::concurrent_transactions) {
            react_to_fence(configuration_, self_, slot_, true);
        }
        return {.error = error};
    }

    // ---- markers and timeouts ----

    Outcome write_marker() {
        OutputEntry& entry = cluster_.outputs[p_][action_.producer.value];
        const Epoch epoch = marker_epoch(id_);
        // The coordinator gives up on a marker that is refused: the id stays where it is.
        const Error error = marker_error(entry.epoch, epoch);
        if (error != Error::none) { return {.error = error}; }
        if (id_.state == TransactionState::prepare_commit) {
            remember_visible(configuration_, cluster_.ghosts[p_], entry);
        }
        append_marker(entry, epoch);
        acknowledge_marker(action_.partition.bit());
        return {};
    }

    Outcome write_changelog_marker() {
        return {.error = close_on_changelog(configuration_, cluster_, action_.partition,
                                            action_.producer)};
    }

    Outcome write_offsets_marker() {
        const Epoch epoch = marker_epoch(id_);
        const Error error = marker_error(offsets_.epoch, epoch);
        if (error != Error::none) { return {.error = error}; }
        offsets_.epoch = epoch;
        const bool is_commit = id_.state == TransactionState::prepare_commit;
        if (rules_.marker_acknowledged == MarkerAcknowledged::on_append) {
            push_marker(offsets_, is_commit);
        } else {
            materialise(group_, action_.producer, is_commit);
        }
        acknowledge_marker(offsets_partition_bit);
        return {};
    }

    Outcome materialise_one() {
        const bool is_commit = pop_marker(offsets_);
        materialise(group_, action_.producer, is_commit);
        forget_if_done(configuration_, cluster_, action_.producer);
        return {};
    }

    Outcome complete_txn() {
        complete(id_);
        forget_if_done(configuration_, cluster_, action_.producer);
        return {};
    }

    Outcome time_out_txn() {
        spend(&Disturbances::transaction_timeout, &Budgets::transaction_timeout);
        remember_timeout(configuration_, cluster_, action_.producer);
        time_out(rules_, id_);
        return {};
    }

    void acknowledge_marker(std::uint8_t partition) {
        id_.partitions = static_cast<std::uint8_t>(id_.partitions & ~partition);
    }

    // ---- threads that end and begin ----

    Outcome crash() {
        spend(&Disturbances::crash, &Budgets::crash);
        die(self_);
        return {};
    }

    Outcome restart() {
        spend(&Disturbances::restart, &Budgets::restart);
        start_again(configuration_, cluster_, action_.thread);
        return {};
    }

    const Configuration& configuration_;
    const Rules& rules_;
    Cluster& cluster_;
    GroupCoordinator& group_;
    const Action& action_;
    StreamThread& self_;
    TransactionalId& id_;
    OffsetsEntry& offsets_;
    std::size_t p_;
    std::size_t slot_;
    Producer& producer_;
};

}  // namespace

Outcome take_step(const Configuration& configuration, Cluster& cluster, const Action& action) {
    const Outcome outcome = StepTaker(configuration, cluster, action).take();
    const bool is_of_coordinator =
        action.verb >= Verb::write_marker && action.verb <= Verb::time_out_txn;
    if (!is_of_coordinator) { forget_dropped_tasks(configuration, cluster, action.thread); }
    return outcome;
}

}  // namespace ringfence::model
