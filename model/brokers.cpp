#include "model/brokers.hpp"

#include "model/changelog.hpp"
#include "model/ghosts.hpp"
#include "model/network.hpp"
#include "model/partition_leader.hpp"
#include "model/repeated_commits.hpp"
#include "model/transaction_coordinator.hpp"
#include "model/verification.hpp"

namespace ringfence::model {

namespace {

// One request in the handling, and short names for those whom it concerns.
class Handler {
  public:
    Handler(const Configuration& configuration, Cluster& cluster, const Request& request)
        : configuration_(configuration),
          rules_(configuration.rules),
          cluster_(cluster),
          group_(cluster.group),
          request_(request),
          id_(cluster.transactional_ids[request.producer.value]),
          p_(request.partition.value) {}

    Outcome take() {
        if (waits_for_coordinator(configuration_, cluster_, request_)) { return ask(); }
        switch (request_.verb) {
            case Verb::init_producer_id: return init_producer();
            case Verb::add_partition: return add(request_.partition.bit());
            case Verb::add_offsets: return add(offsets_partition_bit);
            case Verb::produce: return produce();
            case Verb::txn_offset_commit: return txn_offset_commit();
            case Verb::offset_commit: return offset_commit();
            case Verb::end_txn_commit: return end_txn(Decision::commit);
            case Verb::end_txn_abort: return end_txn(Decision::abort);
            case Verb::write_marker: return write_marker();
            case Verb::write_changelog_marker:
                return {.error = close_on_changelog(configuration_, cluster_, request_)};
            case Verb::write_offsets_marker: return write_offsets_marker();
            default: return {};  // no request of these
        }
    }

  private:
    // ---- transaction coordinator ----

    Outcome init_producer() {
        const bool was_ongoing = id_.state == TransactionState::ongoing;
        settle_work(cluster_, request_.producer);
        const Error error = init_producer_id(rules_, id_, request_.epoch);
        if (error != Error::none) { return {.error = error, .fenced_ongoing = was_ongoing}; }
        return {.fenced_ongoing = was_ongoing, .took_over = true, .epoch = id_.epoch};
    }

    Outcome add(std::uint8_t partition) {
        const Error error = add_error(rules_, id_, request_.epoch);
        if (error == Error::none) { model::add_partition(id_, partition); }
        return {.error = error};
    }

    Outcome end_txn(Decision decision) {
        const bool commits = decision == Decision::commit;
        const Ending ending = end_transaction(rules_, id_, request_.epoch, decision);
        if (ending.decides) { settle_work(cluster_, request_.producer); }
        const bool is_refused = ending.error != Error::none;
        const bool is_abort = !commits && (ending.decides || !is_refused);
        if (is_abort) { remember_abort(configuration_, cluster_, request_); }
        if (is_refused) { return {.error = ending.error}; }
        Outcome outcome = commits && ending.decides ? decided_commit() : Outcome{};
        if (configuration_.is_version_2()) { outcome.epoch = id_.epoch; }
        return outcome;
    }

    Outcome decided_commit() {
        remember_decision(configuration_, cluster_, request_.work);
        return {.decided_commit = true, .decided = request_.work};
    }

    // ---- partition leaders ----

    // The first of the two phases of an append; the second follows with another step.
    Outcome ask() {
        const Log log = request_.verb == Verb::produce ? Log::output : Log::offsets;
        const std::uint8_t partition = partition_of(request_);
        Error error = question_error(rules_, log, state_at_leader(), request_.epoch);
        if (error != Error::none) { return {.error = error}; }
        const bool adds = configuration_.is_version_2();
        error = adds ? add_error(rules_, id_, request_.epoch)
                     : verify_error(rules_, id_, request_.epoch, partition);
        if (error != Error::none) { return {.error = told_by_leader(rules_, log, error)}; }
        if (adds) { model::add_partition(id_, partition); }
        return {.awaits_log = true};
    }

    [[nodiscard]] ProducerState state_at_leader() const {
        const std::size_t k = request_.producer.value;
        return request_.verb == Verb::produce ? state_of(cluster_.outputs[p_][k])
                                              : state_of(group_.offsets[k]);
    }
    [[nodiscard]] Batch batch() const {
        const auto behind = static_cast<std::int8_t>(request_.behind);
        return {.epoch = request_.epoch,
                .guard = request_.guard,
                .sequence = static_cast<std::int8_t>(-behind)};
    }

    Outcome produce() {
        if (configuration_.is_transactional()) { return append_to_logs(); }
        std::uint8_t& visible = cluster_.ghosts[p_].visible;
        if (configuration_.ghosts.visible) { visible = with_one_more(visible, request_.record); }
        return {};
    }

    // A request to each leader, and either may refuse.
    Outcome append_to_logs() {
        OutputEntry& entry = cluster_.outputs[p_][request_.producer.value];
        if (is_duplicate(rules_, state_of(entry), batch())) { return {}; }
        const Error error = append_error(rules_, Log::output, state_of(entry), batch());
        const bool is_appended = error == Error::none;
        if (is_appended) {
            const bool is_listed = (id_.partitions & request_.partition.bit()) != 0;
            append(entry, request_.epoch, request_.record, is_listed && !request_.is_aborted,
                   configuration_.ghosts.stray);
            overtake(configuration_, cluster_, request_.producer, request_.partition.bit());
        }
        if (!configuration_.has_changelog()) { return {.error = error, .appended = is_appended}; }
        ChangelogEntry& changelog = cluster_.changelogs[p_][request_.producer.value];
        const Error other = append_to_changelog(rules_, changelog, batch(), request_.record);
        return {.error = is_appended ? other : error, .appended = is_appended};
    }

    Outcome write_marker() {
        OutputEntry& entry = cluster_.outputs[p_][request_.producer.value];
        const Error error = marker_error(rules_, state_of(entry), marker_in(request_));
        if (error != Error::none) { return {.error = error}; }
        if (request_.is_commit) { remember_visible(configuration_, cluster_.ghosts[p_], entry); }
        append_marker(entry, marker_in(request_));
        overtake(configuration_, cluster_, request_.producer, request_.partition.bit(),
                 request_.epoch);
        return {};
    }

    // ---- group coordinator ----

    Outcome write_offsets_marker() {
        OffsetsEntry& offsets = offsets_of_producer();
        const Error error = marker_error(rules_, state_of(offsets), marker_in(request_));
        if (error != Error::none) { return {.error = error}; }
        offsets.epoch = request_.epoch;
        offsets.coordinator_epoch = request_.coordinator_epoch;
        offsets.is_open = 0;
        overtake(configuration_, cluster_, request_.producer, offsets_partition_bit,
                 request_.epoch);
        if (rules_.marker_acknowledged == MarkerAcknowledged::on_append) {
            push_marker(offsets, request_.is_commit);
        } else {
            materialise(group_, request_.producer, request_.is_commit);
        }
        return {};
    }

    Outcome txn_offset_commit() {
        OffsetsEntry& offsets = offsets_of_producer();
        Error error =
            txn_offset_commit_error(rules_, group_, sender_of(configuration_, group_, request_));
        if (error != Error::none) { return {.error = error}; }
        error = append_error(rules_, Log::offsets, state_of(offsets), batch());
        if (error != Error::none) { return {.error = error}; }
        offsets.epoch = request_.epoch;
        if (asks_ever(rules_)) { offsets.is_open = 1; }
        overtake(configuration_, cluster_, request_.producer, offsets_partition_bit);
        for (std::size_t p = 0; p < configuration_.bounds.partitions; ++p) {
            const Work& work = request_.work[p];
            if (!work.is_some()) { continue; }
            add_pending(group_, request_.producer, PartitionId{p}, work.position);
        }
        return {};
    }

    // A plain one is decided as it is handled.
    Outcome offset_commit() {
        const Error error =
            offset_commit_error(rules_, group_, sender_of(configuration_, group_, request_));
        if (error != Error::none) { return {.error = error}; }
        for (std::size_t p = 0; p < configuration_.bounds.partitions; ++p) {
            const Work& work = request_.work[p];
            if (work.is_some()) { group_.committed[p] = work.position; }
        }
        remember_plain_commit(configuration_, cluster_, request_);
        return decided_commit();
    }

    OffsetsEntry& offsets_of_producer() { return group_.offsets[request_.producer.value]; }

    const Configuration& configuration_;
    const Rules& rules_;
    Cluster& cluster_;
    GroupCoordinator& group_;
    const Request& request_;
    TransactionalId& id_;
    std::size_t p_;
};

}  // namespace

Outcome handle(const Configuration& configuration, Cluster& cluster, const Request& request) {
    const Outcome outcome = Handler(configuration, cluster, request).take();
    remember_decided(configuration, cluster.transactional_ids[request.producer.value]);
    return outcome;
}

Sender sender_of(const Configuration& configuration, const GroupCoordinator& group,
                 const Request& request) {
    const GivenMember member = request.member;
    Sender sender{.gives_member = member.is_given(),
                  .is_member = member.is_in_slot(),
                  .gives_generation = request.generation.is_known(),
                  .generation = static_cast<Generation>(request.generation.number())};
    for (std::size_t p = 0; p < configuration.bounds.partitions; ++p) {
        // Of whom no member id is given, nobody can tell.
        const bool owns = !member.is_given() ||
                          (member.is_in_slot() && group.assignment[p] == member.slot().value + 1U);
        sender.owns_partitions = sender.owns_partitions && (!request.work[p].is_some() || owns);
    }
    return sender;
}

}  // namespace ringfence::model
