#include "properties/laws.hpp"

namespace ringfence::properties {

bool is_outcome_in_flight(const KafkaModel& model, const Cluster& cluster, PartitionId partition) {
    for (std::size_t k = 0; k < model.configuration().producers(); ++k) {
        const model::TransactionalId& id = cluster.transactional_ids[k];
        const model::OffsetsEntry& offsets = cluster.group.offsets[k];
        if (offsets.queue != 0) { return true; }
        if (!id.is_preparing()) { continue; }
        const bool owes_output = (id.partitions & partition.bit()) != 0;
        const bool owes_offset = (id.partitions & model::offsets_partition_bit) != 0 &&
                                 offsets.pending[partition.value].offset != 0;
        if (owes_output || owes_offset) { return true; }
    }
    return false;
}

}  // namespace ringfence::properties
