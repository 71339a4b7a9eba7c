// Random transactional ids: what a producer leaves behind when its successor takes a fresh id.
//
// Nobody will ever use the old id again, but its transaction may still be open, and blocks readers
// and stable fetches until it times out. It moves to the slot of former ids; once nothing of it can
// matter any more the slot is cleared, so that equal situations are equal states.
#pragma once

#include "model/cluster.hpp"
#include "model/configuration.hpp"

namespace ringfence::model {

// Can the id in `current` be retired now? The slot of former ids must be free, or nothing is left.
[[nodiscard]] bool has_room_for_former(const Configuration& configuration, const Cluster& cluster,
                                       ProducerId current);
void retire(const Configuration& configuration, Cluster& cluster, ProducerId current);

// Clears `producer` if it is a former id of which nothing is left.
void forget_if_done(const Configuration& configuration, Cluster& cluster, ProducerId producer);

}  // namespace ringfence::model
