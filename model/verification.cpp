#include "model/verification.hpp"

#include "model/network.hpp"

#include <bit>

namespace ringfence::model {

std::uint8_t partition_of(const Request& request) {
    return request.verb == Verb::produce ? request.partition.bit() : offsets_partition_bit;
}

bool waits_for_coordinator(const Configuration& configuration, const Cluster& cluster,
                           const Request& request) {
    const bool is_append = request.verb == Verb::produce || request.verb == Verb::txn_offset_commit;
    if (!is_append || request.guard != Guard::none || !configuration.is_transactional()) {
        return false;
    }
    const Rules& rules = configuration.rules;
    const std::size_t k = request.producer.value;
    const auto asks = [&](Log log, const auto& entry) {
        return asks_coordinator(rules, log, state_of(entry), request.epoch);
    };
    if (request.verb == Verb::txn_offset_commit) {
        return asks(Log::offsets, cluster.group.offsets[k]);
    }
    const std::size_t p = request.partition.value;
    return asks(Log::output, cluster.outputs[p][k]) ||
           (configuration.has_changelog() && asks(Log::output, cluster.changelogs[p][k]));
}

Guard guard_of(const Producer& producer, std::uint8_t partition) {
    if ((producer.verified & partition) == 0) { return Guard::none; }
    return (producer.overtaken & partition) == 0 ? Guard::current : Guard::overtaken;
}

void remember_answer(Producer& producer, std::uint8_t partition) {
    producer.verified = with(producer.verified, partition);
}

void forget_answer(Producer& producer, std::uint8_t partition) {
    producer.verified = without(producer.verified, partition);
    producer.overtaken = without(producer.overtaken, partition);
}

void overtake(const Configuration& configuration, Cluster& cluster, ProducerId producer,
              std::uint8_t partition, Epoch marker) {
    if (configuration.rules.verification != Verification::guarded) { return; }
    overtake_in_flight(configuration, cluster, producer, partition, marker);
    for (std::size_t t = 0; t < configuration.bounds.threads; ++t) {
        for (std::size_t slot = 0; slot < configuration.producer_slots(); ++slot) {
            const bool is_of_producer =
                configuration.producer_id(ThreadId{t}, PartitionId{slot}) == producer;
            Producer& waiting = cluster.threads[t].producers[slot];
            const bool is_hit = is_of_producer && (waiting.verified & partition) != 0 &&
                                overtakes(configuration.rules, marker, waiting.epoch);
            if (is_hit) { waiting.overtaken = with(waiting.overtaken, partition); }
        }
    }
}

void expire(Cluster& cluster, ProducerId producer, std::uint8_t partition) {
    if (partition == offsets_partition_bit) {
        cluster.group.offsets[producer.value] = OffsetsEntry{};
        return;
    }
    const auto p = static_cast<std::size_t>(std::countr_zero(partition));
    cluster.outputs[p][producer.value] = OutputEntry{};
    ChangelogEntry& changelog = cluster.changelogs[p][producer.value];
    if (changelog.open() == 0) { changelog = ChangelogEntry{}; }
}

}  // namespace ringfence::model
