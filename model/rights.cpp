#include "model/rights.hpp"

#include "model/brokers.hpp"
#include "model/client.hpp"
#include "model/group_coordinator.hpp"
#include "model/partition_leader.hpp"
#include "model/stream_thread.hpp"
#include "model/transaction_coordinator.hpp"

namespace ringfence::model {

bool holds_commit_right(const Configuration& configuration, const Cluster& cluster, ThreadId thread,
                        PartitionId partition) {
    const StreamThread& self = cluster.threads[thread.value];
    if (!self.tasks[partition.value].has_progress()) { return false; }
    const std::size_t slot = configuration.producer_slot(partition);
    const Producer& producer = self.producers[slot];
    if (!producer.has_open_transaction()) { return false; }

    const Rules& rules = configuration.rules;
    const ProducerId producer_id = configuration.producer_id(thread, partition);
    TransactionalId id = cluster.transactional_ids[producer_id.value];
    switch (producer.phase) {
        case TransactionPhase::must_abort:
        case TransactionPhase::offsets_refused: return false;
        case TransactionPhase::working:
            if (add_error(rules, id, producer.epoch) != Error::none) { return false; }
            add_partition(id, offsets_partition_bit);
            [[fallthrough]];
        case TransactionPhase::offsets_added: {
            const Request request = request_of(
                configuration, cluster,
                {.verb = Verb::txn_offset_commit, .thread = thread, .partition = partition});
            const Sender sender = sender_of(configuration, cluster.group, request);
            const Error refused = txn_offset_commit_error(rules, cluster.group, sender);
            if (refused != Error::none) { return false; }
            const Epoch known = cluster.group.offsets[producer_id.value].epoch;
            const Error fenced = append_error(rules.offsets_epoch_test, known, producer.epoch);
            if (fenced != Error::none) { return false; }
            break;
        }
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

    const Rules& rules = configuration.rules;
    const ProducerId id = configuration.producer_id(thread, partition);
    // Once the client is ending the transaction, its next record belongs to the next one.
    const bool is_added =
        producer.phase == TransactionPhase::working && (producer.added & partition.bit()) != 0;
    if (!is_added) {
        const Error error = add_error(rules, cluster.transactional_ids[id.value], producer.epoch);
        const bool is_refused = error != Error::none && error != Error::concurrent_transactions;
        if (is_refused) { return false; }
    }
    const Epoch known = cluster.outputs[partition.value][id.value].epoch;
    return append_error(rules.output_epoch_test, known, producer.epoch) == Error::none;
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
