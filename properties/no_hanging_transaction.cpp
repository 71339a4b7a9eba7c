// Whatever is open at a partition, its coordinator knows of: otherwise nothing ever closes it.
#include "properties/claims.hpp"
#include "properties/laws.hpp"

namespace ringfence::properties {

namespace {

// Those that it has not given up on.
bool sends_markers(const model::TransactionalId& id) {
    return id.gave_up != model::GaveUp::before_markers;
}

// Ongoing: in the transaction. Preparing: the marker is owed. Otherwise the set is empty.
bool is_listed(const Cluster& cluster, ProducerId producer, std::uint8_t partition) {
    const model::TransactionalId& id = cluster.transactional_ids[producer.value];
    return sends_markers(id) && (id.partitions & partition) != 0;
}

bool hangs_at_output(const Cluster& cluster, ProducerId producer, PartitionId partition) {
    return cluster.outputs[partition.value][producer.value].open != 0 &&
           !is_listed(cluster, producer, partition.bit());
}

// A changelog is in the transaction with its output, but its marker is owed by itself.
bool hangs_at_changelog(const Cluster& cluster, ProducerId producer, PartitionId partition) {
    const model::TransactionalId& id = cluster.transactional_ids[producer.value];
    const std::uint8_t listed = id.is_preparing() ? id.changelogs : id.partitions;
    const bool is_listed = sends_markers(id) && (listed & partition.bit()) != 0;
    return cluster.changelogs[partition.value][producer.value].open() != 0 && !is_listed;
}

bool hangs_at_offsets(const Cluster& cluster, ProducerId producer, PartitionId partition) {
    const model::OffsetsEntry& offsets = cluster.group.offsets[producer.value];
    return offsets.pending[partition.value].offset != 0 && offsets.queue == 0 &&
           !is_listed(cluster, producer, model::offsets_partition_bit);
}

bool hangs(const KafkaModel& model, const Cluster& cluster, ProducerId producer) {
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        const PartitionId partition{p};
        const bool hangs = hangs_at_output(cluster, producer, partition) ||
                           hangs_at_changelog(cluster, producer, partition) ||
                           hangs_at_offsets(cluster, producer, partition);
        if (hangs) { return true; }
    }
    return false;
}

bool holds(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t k = 0; k < model.configuration().producers(); ++k) {
        if (hangs(model, cluster, ProducerId{k})) { return false; }
    }
    return true;
}

// A producer hangs by itself.
Claims claims_in(const KafkaModel& model, const Cluster& cluster, std::size_t scope) {
    for (const ProducerId producer : model.producers_of(scope)) {
        if (hangs(model, cluster, producer)) { return {Claims::alone}; }
    }
    return {};
}

std::string explain(const KafkaModel& model, const Cluster& cluster) {
    for (std::size_t k = 0; k < model.configuration().producers(); ++k) {
        for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
            const ProducerId producer{k};
            const PartitionId partition{p};
            const std::string of = producer_name(model.configuration(), producer);
            if (hangs_at_output(cluster, producer, partition)) {
                return "Records of " + of + " are open on the output of " +
                       partition_name(partition) +
                       ", but the transaction coordinator does not list that partition: no marker "
                       "will come, and the last stable offset stays where it is.";
            }
            if (hangs_at_changelog(cluster, producer, partition)) {
                return "Records of " + of + " are open on the changelog of " +
                       partition_name(partition) +
                       ", but the transaction coordinator does not list that partition: whoever "
                       "restores up to its end waits for ever.";
            }
            if (hangs_at_offsets(cluster, producer, partition)) {
                return "An offset of " + of + " for " + partition_name(partition) +
                       " is pending, but the transaction coordinator does not list the offsets "
                       "partition: OffsetFetch answers UNSTABLE_OFFSET_COMMIT for ever.";
            }
        }
    }
    return {};
}

}  // namespace

Law no_hanging_transaction() {
    return {.name = "no_hanging_transaction",
            .sentence =
                "Every open record and every pending offset is covered by its "
                "coordinator: listed in an ongoing transaction, or its marker is owed, or "
                "its materialisation is queued.",
            .source = "KIP-890, KAFKA-14402",
            .kind = checker::PropertyKind::state,
            .is_applicable = has_transactions,
            .holds_in = holds,
            .claims_in = claims_in,
            .explain_state = explain};
}

}  // namespace ringfence::properties
