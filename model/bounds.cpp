#include "model/bounds.hpp"

#include <array>

namespace ringfence::model {

std::span<const BoundEntry> bound_catalogue() {
    static constexpr std::array<BoundEntry, 5> catalogue{{
        {"threads", "stream threads", &Bounds::threads, 1, threads_max},
        {"partitions", "input partitions: one task and one output partition each",
         &Bounds::partitions, 1, partitions_max},
        {"records", "records in each input partition", &Bounds::records, 1, records_max},
        {"generations", "highest generation of the group", &Bounds::generations, 1,
         generations_max},
        {"epoch", "largest producer epoch", &Bounds::epoch, 0, epoch_max},
    }};
    return catalogue;
}

std::span<const DisturbanceEntry> disturbance_catalogue() {
    static constexpr std::array<DisturbanceEntry, 12> catalogue{{
        {"expulsion", "a live member misses its session or rebalance timeout",
         &Disturbances::expulsion},
        {"transaction_timeout", "a live producer's transaction outlives transaction.timeout.ms",
         &Disturbances::transaction_timeout},
        {"voluntary_rebalance", "a healthy member triggers a rebalance, or leaves",
         &Disturbances::voluntary_rebalance},
        {"crash", "a stream thread ends without a word", &Disturbances::crash},
        {"restart", "a thread that is down starts again as a new incarnation",
         &Disturbances::restart},
        {"late_request",
         "a request stays in flight, to be handled at any later time; its client hears nothing",
         &Disturbances::late_request},
        {"duplicated_request",
         "a request is handled and answered, and a copy of it stays in flight",
         &Disturbances::duplicated_request},
        {"lost_answer", "a request or a marker is handled, and the answer to it is lost",
         &Disturbances::lost_answer},
        {"late_marker", "a marker stays in flight, and is sent again", &Disturbances::late_marker},
        {"duplicated_marker", "a marker is acknowledged, and a copy of it stays in flight",
         &Disturbances::duplicated_marker},
        {"transaction_coordinator_failover",
         "another broker becomes the coordinator of a transactional id",
         &Disturbances::transaction_coordinator_failover},
        {"producer_expiry",
         "a leader forgets a producer id of which nothing is open (producer.id.expiration.ms)",
         &Disturbances::producer_expiry},
    }};
    return catalogue;
}

std::span<const std::string_view> disturbances_not_built() {
    static constexpr std::array<std::string_view, 3> names{"failed_append", "leader_change",
                                                           "group_coordinator_failover"};
    return names;
}

}  // namespace ringfence::model
