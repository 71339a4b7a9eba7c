#include "model/failover.hpp"

#include "model/network.hpp"

#include <algorithm>

namespace ringfence::model {

namespace {

void read_log(const Configuration& configuration, TransactionalId& id) {
    id.last_epoch = Epoch{};
    id.gave_up = GaveUp::no;
    if (configuration.counts_coordinator_epochs()) { ++id.coordinator_epoch; }
    if (!id.is_preparing()) { return; }
    id.partitions = id.decided;
    constexpr auto outputs = static_cast<std::uint8_t>(offsets_partition_bit - 1);
    if (configuration.has_changelog()) { id.changelogs = id.decided & outputs; }
}

void lose_requests(Cluster& cluster, ProducerId producer) {
    constexpr auto to_coordinator =
        set_of(Verb::init_producer_id, Verb::add_partition, Verb::add_offsets, Verb::end_txn_commit,
               Verb::end_txn_abort);
    for (Request& message : cluster.in_flight) {
        const bool is_lost = message.producer == producer &&
                             (to_coordinator >> static_cast<unsigned>(message.verb) & 1U) != 0;
        if (is_lost) { message = Request{}; }
    }
    std::ranges::partition(cluster.in_flight,
                           [](const Request& message) { return !message.is_none(); });
    sort_messages(cluster);
}

}  // namespace

void fail_over(const Configuration& configuration, Cluster& cluster, ProducerId producer) {
    read_log(configuration, cluster.transactional_ids[producer.value]);
    lose_requests(cluster, producer);
}

}  // namespace ringfence::model
