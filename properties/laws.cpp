#include "properties/laws.hpp"

#include <algorithm>

namespace ringfence::properties {

std::string sender_name(const KafkaModel& model, const Step& step) {
    if (step.action.verb != model::Verb::deliver_request) {
        return thread_name(step.action.thread);
    }
    const model::Request& message = step.before.in_flight[step.action.message];
    if (!has_transactions(model)) { return "a client, long in flight,"; }
    return "a message of " + producer_name(model.configuration(), message.producer);
}

namespace {

// A marker on its way that will find something of the partition to close.
bool is_awaited(const Cluster& cluster, const model::Request& marker, PartitionId partition) {
    const std::size_t producer = marker.producer.value;
    switch (marker.verb) {
        case model::Verb::write_marker:
            return marker.partition == partition &&
                   cluster.outputs[partition.value][producer].open != 0;
        case model::Verb::write_offsets_marker:
            return cluster.group.offsets[producer].pending[partition.value].offset != 0;
        default: return false;
    }
}

}  // namespace

bool is_outcome_in_flight(const KafkaModel& model, const Cluster& cluster, PartitionId partition) {
    for (std::size_t k = 0; k < model.configuration().producers(); ++k) {
        if ((outcomes_in_flight(cluster, ProducerId{k}) & partition.bit()) != 0) { return true; }
    }
    return std::ranges::any_of(cluster.in_flight, [&](const model::Request& message) {
        return is_awaited(cluster, message, partition);
    });
}

}  // namespace ringfence::properties
