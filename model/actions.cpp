#include "model/actions.hpp"

#include "model/stream_thread.hpp"

namespace ringfence::model {

std::string_view name_of(Verb verb) {
    switch (verb) {
        case Verb::join_group: return "join_group";
        case Verb::rejoin_group: return "rejoin_group";
        case Verb::complete_join: return "complete_join";
        case Verb::sync_group: return "sync_group";
        case Verb::leave_group: return "leave_group";
        case Verb::learn_of_expulsion: return "learn_of_expulsion";
        case Verb::init_producer_id: return "init_producer_id";
        case Verb::fetch_offset: return "fetch_offset";
        case Verb::restore_changelog: return "restore_changelog";
        case Verb::add_partition: return "add_partition";
        case Verb::verify_partition: return "verify_partition";
        case Verb::produce: return "produce";
        case Verb::add_offsets: return "add_offsets";
        case Verb::verify_offsets: return "verify_offsets";
        case Verb::txn_offset_commit: return "txn_offset_commit";
        case Verb::offset_commit: return "offset_commit";
        case Verb::end_txn_commit: return "end_txn_commit";
        case Verb::end_txn_abort: return "end_txn_abort";
        case Verb::write_marker: return "write_marker";
        case Verb::write_changelog_marker: return "write_changelog_marker";
        case Verb::write_offsets_marker: return "write_offsets_marker";
        case Verb::materialise: return "materialise";
        case Verb::complete_txn: return "complete_txn";
        case Verb::deliver_request: return "deliver_request";
        case Verb::deliver_marker: return "deliver_marker";
        case Verb::expel_member: return "expel_member";
        case Verb::time_out_txn: return "time_out_txn";
        case Verb::fail_over_coordinator: return "fail_over_coordinator";
        case Verb::expire_producer: return "expire_producer";
        case Verb::expire_offsets_producer: return "expire_offsets_producer";
        case Verb::trigger_rebalance: return "trigger_rebalance";
        case Verb::crash: return "crash";
        case Verb::restart: return "restart";
    }
    return "?";
}

std::string_view name_of(Error error) {
    switch (error) {
        case Error::none: return "NONE";
        case Error::concurrent_transactions: return "CONCURRENT_TRANSACTIONS";
        case Error::producer_fenced: return "PRODUCER_FENCED";
        case Error::invalid_producer_epoch: return "INVALID_PRODUCER_EPOCH";
        case Error::invalid_producer_id_mapping: return "INVALID_PRODUCER_ID_MAPPING";
        case Error::invalid_txn_state: return "INVALID_TXN_STATE";
        case Error::unknown_member_id: return "UNKNOWN_MEMBER_ID";
        case Error::illegal_generation: return "ILLEGAL_GENERATION";
        case Error::rebalance_in_progress: return "REBALANCE_IN_PROGRESS";
        case Error::unstable_offset_commit: return "UNSTABLE_OFFSET_COMMIT";
        case Error::transaction_abortable: return "TRANSACTION_ABORTABLE";
        case Error::not_enough_replicas: return "NOT_ENOUGH_REPLICAS";
        case Error::out_of_order_sequence_number: return "OUT_OF_ORDER_SEQUENCE_NUMBER";
        case Error::transaction_coordinator_fenced: return "TRANSACTION_COORDINATOR_FENCED";
        case Error::network_exception: return "NETWORK_EXCEPTION";
    }
    return "?";
}

std::string_view name_of(Cut cut) {
    switch (cut) {
        case Cut::join: return "join";
        case Cut::follow_up_rebalance: return "follow_up_rebalance";
        case Cut::leave: return "leave";
        case Cut::expulsion: return "expulsion_of_a_dead_member";
        case Cut::epoch: return "epoch";
        case Cut::former_producer: return "former_producer";
        case Cut::former_member: return "former_member";
        case Cut::marker_queue: return "marker_queue";
        case Cut::coordinator_epoch: return "coordinator_epoch";
        case Cut::messages: return "messages_in_flight";
    }
    return "?";
}

}  // namespace ringfence::model
