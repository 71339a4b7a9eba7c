// The leader of an output partition (ProducerStateManager, ProducerAppendInfo; Kafka up to 3.5, so
// without KIP-890's verification). It knows an epoch only once something was written under it.
#pragma once

#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/rules.hpp"

namespace ringfence::model {

// A transactional Produce: an older epoch is refused, a newer one is accepted without asking anyone
// (ProducerAppendInfo.checkProducerEpoch).
[[nodiscard]] Error append_error(Test epoch_test, Epoch known, Epoch given);
// `is_listed`: the coordinator has the partition in a transaction of this producer (ghost).
void append(OutputEntry& entry, Epoch epoch, Offset record, bool is_listed, bool keeps_ghost);

// A marker: refused if its epoch is smaller than the known one (appendEndTxnMarker).
[[nodiscard]] Error marker_error(Epoch known, Epoch given);
// Closes whatever the producer has open here, whichever epoch opened it.
void append_marker(OutputEntry& entry, Epoch epoch);

}  // namespace ringfence::model
