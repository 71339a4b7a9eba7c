#include "model/partition_leader.hpp"

namespace ringfence::model {

Error append_error(Test epoch_test, Epoch known, Epoch given) {
    const bool is_fenced = epoch_test == Test::on && given < known;
    return is_fenced ? Error::invalid_producer_epoch : Error::none;
}

void append(OutputEntry& entry, Epoch epoch, Offset record, bool is_listed, bool keeps_ghost) {
    entry.epoch = epoch;
    entry.open = with_one_more(entry.open, record);
    if (keeps_ghost && !is_listed) { entry.stray = 1; }
}

Error marker_error(Epoch known, Epoch given) {
    return given < known ? Error::invalid_producer_epoch : Error::none;
}

void append_marker(OutputEntry& entry, Epoch epoch) { entry = OutputEntry{.epoch = epoch}; }

}  // namespace ringfence::model
