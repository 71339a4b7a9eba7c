#include "model/rights.hpp"

#include "model/brokers.hpp"
#include "model/client.hpp"
#include "model/group_coordinator.hpp"
#include "model/partition_leader.hpp"
#include "model/stream_thread.hpp"
#include "model/transaction_coordinator.hpp"
#include "model/verification.hpp"

namespace ringfence::model {

namespace {

// The leader's answer to a batch that is asked about now, if it has to be asked about at all, and
// the coordinator's to the question. A transaction that is being completed is waited for: by a
// batch of the next one. What offsets would wait for cannot be committed, as the caller sees.
Error error_of_append(const Configuration& configuration, const Cluster& cluster,
                      const TransactionalId& id, Request request, const ProducerState& state) {
    const Rules& rules = configuration.rules;
    const bool is_produce = request.verb == Verb::produce;
    if (waits_for_coordinator(configuration, cluster, request)) {
        const Error error = configuration.is_version_2()
                                ? add_error(rules, id, request.epoch)
                                : verify_error(rules, id, request.epoch, partition_of(request));
        const bool waits = error == Error::concurrent_transactions;
        if (error != Error::none && !waits) { return error; }
        request.guard = Guard::current;
    }
    return append_error(rules, is_produce ? Log::output : Log::offsets, state,
                        {.epoch = request.epoch, .guard = request.guard});
}

// Would TxnOffsetCommit be accepted, sent now by the producer whose id stands as `id`?
bool offsets_are_accepted(const Configuration& configuration, const Cluster& cluster,
                          ThreadId thread, PartitionId partition, const TransactionalId& id) {
    const ProducerId producer = configuration.producer_id(thread, partition);
    const Request request = request_of(configuration, cluster,
                                       {.verb = Verb::txn_offset_commit,
                                        .thread = thread,
                                        .partition = partition,
                                        .producer = producer});
    const Sender sender = sender_of(configuration, cluster.group, request);
    if (txn_offset_commit_error(configuration.rules, cluster.group, sender) != Error::none) {
        return false;
    }
    const ProducerState state = state_of(cluster.group.offsets[producer.value]);
    return error_of_append(configuration, cluster, id, request, state) == Error::none;
}

}  // namespace

bool holds_commit_right(const Configuration& configuration, const Cluster& cluster, ThreadId thread,
                        PartitionId partition) {
    const StreamThread& self = cluster.threads[thread.value];
    if (!self.tasks[partition.value].has_progress()) { return false; }
    const Producer& producer = self.producers[configuration.producer_slot(partition)];
    if (!producer.has_open_transaction()) { return false; }

    const Rules& rules = configuration.rules;
    const ProducerId producer_id = configuration.producer_id(thread, partition);
    TransactionalId id = cluster.transactional_ids[producer_id.value];
    switch (producer.phase) {
        case TransactionPhase::must_abort:
        case TransactionPhase::aborting:
        case TransactionPhase::aborts_and_bumps:
        case TransactionPhase::bumping:
        case TransactionPhase::offsets_refused: return false;
        case TransactionPhase::working:
            if (add_error(rules, id, producer.epoch) != Error::none) { return false; }
            add_partition(id, offsets_partition_bit);
            [[fallthrough]];
        case TransactionPhase::offsets_added:
            if (!offsets_are_accepted(configuration, cluster, thread, partition, id)) {
                return false;
            }
            break;
        case TransactionPhase::offsets_accepted: break;
    }
    const bool decides = id.state == TransactionState::ongoing;
    return decides && end_error(rules, id, producer.epoch, Decision::commit) == Error::none;
}

bool could_append(const Configuration& configuration, const Cluster& cluster, ThreadId thread,
                  PartitionId partition) {
    const StreamThread& self = cluster.threads[thread.value];
    const Task& task = self.tasks[partition.value];
    const Producer& producer = self.producers[configuration.producer_slot(partition)];
    const bool has_record = task.may_process() && task.position < configuration.bounds.records;
    if (!has_record || !producer.epoch.is_known()) { return false; }

    const ProducerId producer_id = configuration.producer_id(thread, partition);
    TransactionalId id = cluster.transactional_ids[producer_id.value];
    // Once the client is ending the transaction, its next record belongs to the next one.
    const bool is_added =
        producer.phase == TransactionPhase::working && (producer.added & partition.bit()) != 0;
    if (!is_added) {
        const Error error = add_error(configuration.rules, id, producer.epoch);
        const bool waits = error == Error::concurrent_transactions;
        if (error != Error::none && !waits) { return false; }
        if (!waits) { add_partition(id, partition.bit()); }
    }
    const Request request = request_of(
        configuration, cluster,
        {.verb = Verb::produce, .thread = thread, .partition = partition, .producer = producer_id});
    const ProducerState state = state_of(cluster.outputs[partition.value][producer_id.value]);
    return error_of_append(configuration, cluster, id, request, state) == Error::none;
}

bool is_rightful_owner(const Configuration& configuration, const Cluster& cluster, ThreadId thread,
                       PartitionId partition) {
    if (!is_current_member(cluster, thread)) { return false; }
    const StreamThread& self = cluster.threads[thread.value];
    if (configuration.has_producer_per_task()) {
        const TaskPhase phase = self.tasks[partition.value].phase;
        return phase != TaskPhase::none && phase != TaskPhase::kept;
    }
    return owned_partitions(configuration, self) != 0;
}

}  // namespace ringfence::model
