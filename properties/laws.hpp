// Declares what each law's file defines, and the few words that they share.
#pragma once

#include "checker/property.hpp"
#include "model/kafka_model.hpp"
#include "model/names.hpp"

#include <string>

namespace ringfence::properties {

using model::Cluster;
using model::KafkaModel;
using model::PartitionId;
using model::ProducerId;
using model::ThreadId;
using Law = checker::Property<KafkaModel>;
using Step = checker::Step<KafkaModel>;

[[nodiscard]] Law single_writer_per_partition();
[[nodiscard]] Law no_stale_commit();
[[nodiscard]] Law no_stale_state();
[[nodiscard]] Law superseded_owner_is_fenced();
[[nodiscard]] Law single_appender_per_partition();
[[nodiscard]] Law exactly_once_output();
[[nodiscard]] Law atomic_outcome();
[[nodiscard]] Law no_hanging_transaction();
[[nodiscard]] Law no_aborted_read();
[[nodiscard]] Law confirmed_commit_is_kept();
[[nodiscard]] Law no_false_fence();
[[nodiscard]] Law no_false_fatal();
[[nodiscard]] Law deadlock_free();

// A law that reads transactions says nothing about plain appends and commits.
[[nodiscard]] inline bool has_transactions(const KafkaModel& model) {
    return model.configuration().is_transactional();
}
[[nodiscard]] inline bool always(const KafkaModel&) { return true; }

// Whose request this step handles: "A", or "a message of app-A" if nobody waits for its answer.
[[nodiscard]] std::string sender_name(const KafkaModel& model, const Step& step);

// The partitions, as bits, about whose output or offset a marker of a transaction of the producer
// is still owed, or its materialisation queued.
[[nodiscard]] inline unsigned outcomes_in_flight(const Cluster& cluster, ProducerId producer) {
    constexpr unsigned all = model::offsets_partition_bit - 1U;
    const model::TransactionalId& id = cluster.transactional_ids[producer.value];
    const model::OffsetsEntry& offsets = cluster.group.offsets[producer.value];
    if (offsets.queue != 0) { return all; }
    if (!id.is_preparing()) { return 0; }
    unsigned partitions = id.partitions & all;
    if ((id.partitions & model::offsets_partition_bit) == 0) { return partitions; }
    for (std::size_t p = 0; p < model::partitions_max; ++p) {
        partitions |= static_cast<unsigned>(offsets.pending[p].offset != 0) << p;
    }
    return partitions;
}
// Is the partition among those of some producer, or is such a marker in flight?
[[nodiscard]] bool is_outcome_in_flight(const KafkaModel& model, const Cluster& cluster,
                                        PartitionId partition);

}  // namespace ringfence::properties
