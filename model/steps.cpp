#include "model/steps.hpp"

#include "model/brokers.hpp"
#include "model/changelog.hpp"
#include "model/client.hpp"
#include "model/failover.hpp"
#include "model/former_producers.hpp"
#include "model/ghosts.hpp"
#include "model/group_coordinator.hpp"
#include "model/network.hpp"
#include "model/stream_thread.hpp"
#include "model/transaction_coordinator.hpp"
#include "model/verification.hpp"

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
            case Verb::fetch_offset: return fetch_offset();
            case Verb::restore_changelog: return restore_changelog();
            case Verb::init_producer_id:
            case Verb::add_partition:
            case Verb::verify_partition:
            case Verb::produce:
            case Verb::add_offsets:
            case Verb::verify_offsets:
            case Verb::txn_offset_commit:
            case Verb::offset_commit:
            case Verb::end_txn_commit:
            case Verb::end_txn_abort: return ask_and_hear();
            case Verb::write_marker:
            case Verb::write_changelog_marker:
            case Verb::write_offsets_marker: return write_and_acknowledge();
            case Verb::materialise: return materialise_one();
            case Verb::complete_txn: return complete_txn();
            case Verb::deliver_request:
            case Verb::deliver_marker: return deliver(configuration_, cluster_, action_.message);
            case Verb::expel_member: return expel_member();
            case Verb::time_out_txn: return time_out_txn();
            case Verb::fail_over_coordinator: return fail_over_coordinator();
            case Verb::expire_producer: return expire_producer(action_.partition.bit());
            case Verb::expire_offsets_producer: return expire_producer(offsets_partition_bit);
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
        if (is_listed) { remove(member); }
        self_ = StreamThread{.life = ends ? Life::down : Life::alive};
        spend(&Disturbances::voluntary_rebalance, &Budgets::voluntary_rebalance);
        return {.error = is_listed ? Error::none : Error::unknown_member_id};
    }

    Outcome learn_of_expulsion() {
        lose_membership(configuration_, self_);
        return {.error = Error::unknown_member_id};
    }

    Outcome expel_member() {
        remove(action_.member);
        spend(&Disturbances::expulsion, &Budgets::expulsion);
        return {};
    }

    void remove(MemberId member) {
        remove_member(group_, member);
        forget_member(cluster_, member);
    }

    // ---- a task starts ----

    Outcome fetch_offset() {
        const Error error = offset_fetch_error(rules_, group_, action_.partition);
        if (error != Error::none) { return {.error = error}; }
        Task& task = self_.tasks[p_];
        task.first = task.position = group_.committed[p_];
        task.phase =
            task.phase == TaskPhase::needs_both ? TaskPhase::needs_init : TaskPhase::running;
        compare_restored(configuration_, task);
        remember_fetch(configuration_, cluster_, action_.thread, action_.partition);
        return {};
    }

    Outcome restore_changelog() {
        begin_restore(configuration_, cluster_, action_.thread, action_.partition);
        return {};
    }

    // ---- requests of a producer, and plain commits ----

    // What the sender hears.
    Outcome send(const Request& request) {
        spend_fate(configuration_, cluster_, action_);
        const bool stays = action_.fate == Fate::late || action_.fate == Fate::duplicated;
        if (stays) { put_in_flight(configuration_, cluster_, request); }
        if (action_.fate == Fate::late) { return {.error = Error::network_exception}; }
        Outcome answer = handle(configuration_, cluster_, request);
        if (answer.appended) { count_append(configuration_, cluster_, request); }
        if (answer.decided_commit) { note_decision(configuration_, cluster_, request); }
        if (action_.fate == Fate::unanswered) {
            answer.unheard = answer.error;
            answer.error = Error::network_exception;
        }
        return answer;
    }

    Outcome ask_and_hear() {
        const bool draws =
            action_.verb == Verb::init_producer_id && configuration_.draws_id_at_init();
        if (draws) { retire(configuration_, cluster_, action_.producer); }
        const Request request = request_of(configuration_, cluster_, action_);
        const Outcome answer = send(request);
        if (answer.error == Error::network_exception) {
            hear_nothing(configuration_, self_, action_);
            return answer;
        }
        const bool is_confirmed =
            action_.verb == Verb::end_txn_commit && answer.error == Error::none;
        if (is_confirmed) {
            const Works works = works_of(configuration_, self_, slot_);
            remember_confirmation(configuration_, cluster_, works);
        }
        const Producer before = producer_;
        const bool is_aborted = action_.verb == Verb::end_txn_abort && answer.error == Error::none;
        if (is_aborted) { remember_heard_abort(configuration_, cluster_, before); }
        hear(configuration_, self_, action_, answer);
        remember_bump(before);
        return answer;
    }

    // Ghost. The bump of a timeout is still to be met by the next request under the old epoch.
    void remember_bump(const Producer& before) {
        const bool is_outdated = producer_.epoch.is_known() && producer_.epoch != id_.epoch;
        if (before.timed_out != 0 && is_outdated) { producer_.timed_out = 1; }
    }

    // ---- markers and timeouts ----

    Outcome write_and_acknowledge() {
        const Outcome answer = send(marker_of(cluster_, action_));
        hear_of_marker(id_, action_, answer.error);
        return answer;
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

    Outcome fail_over_coordinator() {
        spend(&Disturbances::transaction_coordinator_failover,
              &Budgets::transaction_coordinator_failover);
        fail_over(configuration_, cluster_, action_.producer);
        return {};
    }

    Outcome expire_producer(std::uint8_t partition) {
        spend(&Disturbances::producer_expiry, &Budgets::producer_expiry);
        expire(cluster_, action_.producer, partition);
        return {};
    }

    Outcome time_out_txn() {
        spend(&Disturbances::transaction_timeout, &Budgets::transaction_timeout);
        remember_timeout(configuration_, cluster_, action_.producer);
        time_out(rules_, id_);
        remember_decided(configuration_, id_);
        settle_work(cluster_, action_.producer);
        return {};
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
    constexpr std::uint64_t coordinator_steps =
        set_of(Verb::complete_join, Verb::write_marker, Verb::write_changelog_marker,
               Verb::write_offsets_marker, Verb::materialise, Verb::complete_txn,
               Verb::deliver_request, Verb::deliver_marker, Verb::expel_member, Verb::time_out_txn,
               Verb::fail_over_coordinator, Verb::expire_producer, Verb::expire_offsets_producer);
    const bool is_of_coordinator =
        (coordinator_steps >> static_cast<unsigned>(action.verb) & 1U) != 0;
    if (is_of_coordinator || !configuration.disturbs_network()) {
        const Outcome outcome = StepTaker(configuration, cluster, action).take();
        if (!is_of_coordinator) { forget_dropped_tasks(configuration, cluster, action.thread); }
        return outcome;
    }
    const StreamThread before = cluster.threads[action.thread.value];
    const Outcome outcome = StepTaker(configuration, cluster, action).take();
    leave_work(configuration, cluster, before, action.thread);
    forget_dropped_tasks(configuration, cluster, action.thread);
    return outcome;
}

}  // namespace ringfence::model
