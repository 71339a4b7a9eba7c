// Another broker becomes the coordinator of a transactional id, and reads its log
// (loadTransactionsForTxnTopicPartition).
#pragma once

#include "model/cluster.hpp"
#include "model/configuration.hpp"

namespace ringfence::model {

// What was in memory only is forgotten: the last epoch, and which markers were acknowledged; all of
// them are sent again, under the next coordinator epoch. What was under way to the former
// coordinator is lost.
void fail_over(const Configuration& configuration, Cluster& cluster, ProducerId producer);

}  // namespace ringfence::model
