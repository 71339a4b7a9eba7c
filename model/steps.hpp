// What a step does: a thread's request, its handling and its answer, or one thing that an actor
// does by itself. Which steps are possible is decided in thread_actions.cpp and
// coordinator_actions.cpp.
#pragma once

#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"

namespace ringfence::model {

// Takes `action`, which must be enabled, in `cluster`.
Outcome take_step(const Configuration& configuration, Cluster& cluster, const Action& action);

}  // namespace ringfence::model
