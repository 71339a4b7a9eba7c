// The brokers' part of a request: what they answer, and what they change among themselves.
//
// Nothing here reads or writes a client: a broker knows of it only what the request says. So it
// does not matter whether the client still waits for the answer, or is still there. Likewise a
// leader knows of the coordinator only what a marker says.
#pragma once

#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/group_coordinator.hpp"
#include "model/request.hpp"

namespace ringfence::model {

Outcome handle(const Configuration& configuration, Cluster& cluster, const Request& request);

// What the group coordinator makes of the sender of an offset commit.
[[nodiscard]] Sender sender_of(const Configuration& configuration, const GroupCoordinator& group,
                               const Request& request);

}  // namespace ringfence::model
