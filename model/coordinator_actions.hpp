// Which steps brokers may take by themselves. See stream_thread.hpp for those of threads.
#pragma once

#include "checker/model.hpp"
#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"

namespace ringfence::model {

void list_coordinator_actions(const Configuration& configuration, const Cluster& cluster,
                              checker::Enabled<Action>& enabled);

// Does a thread that is up hold the id's present epoch, with a transaction open or a record for the
// next one? Only then is a transaction timeout a disturbance; the transaction of a producer that
// is gone, or that a late request began for one that rests, times out as a matter of course.
[[nodiscard]] bool has_live_holder(const Configuration& configuration, const Cluster& cluster,
                                   ProducerId producer);

}  // namespace ringfence::model
