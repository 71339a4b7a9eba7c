#include "model/possible_verbs.hpp"

namespace ringfence::model {

namespace {

// Leaders ask whether what a client has added is in its transaction; under version 2 they add.
bool verifies(const Configuration& configuration) {
    return configuration.is_transactional() && !configuration.is_version_2() &&
           configuration.rules.verification != Verification::off;
}

}  // namespace

bool is_possible(Verb verb, const Configuration& configuration) {
    const Rules& rules = configuration.rules;
    const Disturbances& budgets = configuration.disturbances;
    switch (verb) {
        case Verb::join_group:
        case Verb::rejoin_group:
        case Verb::complete_join:
        case Verb::sync_group:
        case Verb::leave_group:
        case Verb::fetch_offset:
        case Verb::produce: return true;
        case Verb::init_producer_id:
        case Verb::add_partition:
        case Verb::add_offsets:
        case Verb::txn_offset_commit:
        case Verb::end_txn_commit:
        case Verb::end_txn_abort:
        case Verb::write_marker:
        case Verb::write_offsets_marker:
        case Verb::complete_txn: return configuration.is_transactional();
        case Verb::verify_partition: return verifies(configuration);
        case Verb::verify_offsets:
            return verifies(configuration) && rules.verified_requests == VerifiedRequests::all;
        case Verb::restore_changelog:
        case Verb::write_changelog_marker: return configuration.has_changelog();
        case Verb::offset_commit: return !configuration.is_transactional();
        case Verb::materialise:
            return configuration.is_transactional() &&
                   rules.marker_acknowledged == MarkerAcknowledged::on_append;
        case Verb::deliver_request:
            return budgets.late_request > 0 || budgets.duplicated_request > 0;
        case Verb::deliver_marker:
            return configuration.is_transactional() &&
                   (budgets.late_marker > 0 || budgets.duplicated_marker > 0);
        // What follows without a budget from a thread that has died is not asked for.
        case Verb::learn_of_expulsion: return budgets.expulsion > 0;
        case Verb::expel_member: return budgets.expulsion > 0 || budgets.crash > 0;
        case Verb::time_out_txn:
            return configuration.is_transactional() && budgets.transaction_timeout > 0;
        case Verb::fail_over_coordinator: return configuration.fails_over();
        case Verb::expire_producer:
        case Verb::expire_offsets_producer:
            return configuration.is_transactional() && budgets.producer_expiry > 0;
        case Verb::trigger_rebalance: return budgets.voluntary_rebalance > 0;
        case Verb::crash: return budgets.crash > 0;
        case Verb::restart: return budgets.crash > 0 && budgets.restart > 0;
    }
    return true;
}

}  // namespace ringfence::model
