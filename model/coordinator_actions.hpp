// Which steps brokers may take by themselves. See stream_thread.hpp for those of threads.
#pragma once

#include "checker/model.hpp"
#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"

namespace ringfence::model {

// The group coordinator ends the join phase.
void list_end_of_join(const Cluster& cluster, checker::Enabled<Action>& enabled);
// It expels the thread's member, or the one that an earlier incarnation has left behind.
void list_expulsion(const Configuration& configuration, const Cluster& cluster, ThreadId thread,
                    checker::Enabled<Action>& enabled);
// What happens to a transaction of `producer` at its coordinator and at leaders.
void list_transaction_actions(const Configuration& configuration, const Cluster& cluster,
                              ProducerId producer, checker::Enabled<Action>& enabled);

// Does a thread that is up hold the id's present epoch, with a transaction open or a record for the
// next one? Only then is a transaction timeout a disturbance; the transaction of a producer that
// is gone, or that a late request began for one that rests, times out as a matter of course.
[[nodiscard]] bool has_live_holder(const Configuration& configuration, const Cluster& cluster,
                                   ProducerId producer);

}  // namespace ringfence::model
