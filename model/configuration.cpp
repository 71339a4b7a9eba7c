#include "model/configuration.hpp"

namespace ringfence::model {

IdScope Configuration::id_scope() const {
    if (rules.transactional_id != IdScope::automatic) { return rules.transactional_id; }
    return has_producer_per_task() ? IdScope::task : IdScope::thread;
}

std::size_t Configuration::current_producers() const {
    if (!is_transactional()) { return 0; }
    switch (id_scope()) {
        case IdScope::automatic:
        case IdScope::task: return bounds.partitions;
        case IdScope::instance: return 1;
        case IdScope::thread:
        case IdScope::random: break;
    }
    const std::size_t tasks = has_producer_per_task() ? bounds.partitions : 1;
    return bounds.threads * tasks;
}

std::size_t Configuration::producers() const {
    const bool leaves_behind = id_scope() == IdScope::random;
    return current_producers() * (leaves_behind ? 2 : 1);
}

ProducerId Configuration::producer_id(ThreadId thread, PartitionId partition) const {
    if (!is_transactional()) { return ProducerId{0}; }
    switch (id_scope()) {
        case IdScope::automatic:
        case IdScope::task: return ProducerId{partition.value};
        case IdScope::instance: return ProducerId{0};
        case IdScope::thread:
        case IdScope::random: break;
    }
    const std::size_t tasks = has_producer_per_task() ? bounds.partitions : 1;
    return ProducerId{thread.value * tasks + producer_slot(partition)};
}

}  // namespace ringfence::model
