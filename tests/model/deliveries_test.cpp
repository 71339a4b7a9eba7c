// What may be sent with another fate than an answer, and what may be delivered now.
#include "model/network.hpp"

#include "model/group_coordinator.hpp"
#include "model/stream_thread.hpp"

#include <doctest/doctest.h>

namespace ringfence::model {

namespace {

constexpr ProducerId of_a{0};

using Enabled = checker::Enabled<Action>;

Configuration disturbed() {
    return {.rules = {},
            .bounds = {.threads = 1, .partitions = 1, .epoch = 3},
            .disturbances = {.late_request = 1, .duplicated_request = 1, .lost_answer = 1},
            .ghosts = {}};
}

Cluster with_budgets() {
    Cluster cluster;
    cluster.budgets.late_request = cluster.budgets.duplicated_request = 1;
    cluster.budgets.lost_answer = 1;
    return cluster;
}

// "late duplicated unanswered", a "!" behind one that is given up.
std::string fates_of(const Configuration& configuration, const Cluster& cluster, Verb verb) {
    Enabled enabled;
    list_fates(configuration, cluster, {.verb = verb}, enabled);
    std::string text;
    for (const Action& action : enabled) {
        CHECK(action.spends_budget);
        CHECK(action.verb == verb);
        text += action.fate == Fate::late         ? " late"
                : action.fate == Fate::duplicated ? " duplicated"
                                                  : " unanswered";
        if (action.gives_up) { text += "!"; }
    }
    const std::size_t cuts = enabled.cuts()[static_cast<std::size_t>(Cut::messages)];
    if (cuts != 0) { text += " cut " + std::to_string(cuts); }
    if (enabled.cuts()[static_cast<std::size_t>(Cut::epoch)] != 0) { text += " epoch"; }
    CHECK(!enabled.is_cut());
    return text;
}

// How many messages may be delivered, and what is cut.
struct Deliveries {
    std::size_t listed = 0;
    std::size_t epoch = 0;
    std::size_t queue = 0;
};
Deliveries deliveries_of(const Configuration& configuration, const Cluster& cluster) {
    Enabled enabled;
    list_deliveries(configuration, cluster, enabled);
    return {.listed = enabled.size(),
            .epoch = enabled.cuts()[static_cast<std::size_t>(Cut::epoch)],
            .queue = enabled.cuts()[static_cast<std::size_t>(Cut::marker_queue)]};
}

}  // namespace

TEST_CASE("a request may be late, repeated or unanswered, as far as budgets go") {
    Configuration configuration = disturbed();
    Cluster cluster = with_budgets();
    CHECK(fates_of(configuration, cluster, Verb::add_offsets) == " late duplicated unanswered");
    cluster.budgets.duplicated_request = 0;
    CHECK(fates_of(configuration, cluster, Verb::add_offsets) == " late unanswered");
    CHECK(fates_of(configuration, cluster, Verb::write_marker) == " unanswered");
    configuration.disturbances.late_marker = 1;
    cluster.budgets.late_marker = 1;
    CHECK(fates_of(configuration, cluster, Verb::write_marker) == " late unanswered");
    configuration.disturbances = {};
    CHECK(fates_of(configuration, cluster, Verb::add_offsets).empty());
}

TEST_CASE("where no more messages fit, an answer may be lost all the same") {
    const Configuration configuration = disturbed();
    Cluster cluster = with_budgets();
    for (Request& message : cluster.in_flight) { message.verb = Verb::add_offsets; }
    CHECK(fates_of(configuration, cluster, Verb::add_offsets) == " unanswered cut 2");
    cluster.in_flight.back() = Request{};
    CHECK(fates_of(configuration, cluster, Verb::add_offsets) == " late duplicated unanswered");
}

TEST_CASE("a batch that is not answered may be given up, where transactions are") {
    Configuration configuration = disturbed();
    Cluster cluster = with_budgets();
    const std::string_view all = " late late! duplicated unanswered unanswered!";
    CHECK(fates_of(configuration, cluster, Verb::produce) == all);
    CHECK(fates_of(configuration, cluster, Verb::verify_partition) == all);
    CHECK(fates_of(configuration, cluster, Verb::add_partition) == " late duplicated unanswered");
    configuration.rules.bumps_after_abort = BumpsAfterAbort::by_itself;
    CHECK(fates_of(configuration, cluster, Verb::produce) == all);
    cluster.threads[0].producers[0].epoch.raw = 4;
    CHECK(fates_of(configuration, cluster, Verb::produce) == " late duplicated unanswered epoch");
    configuration.rules.transaction_version = TransactionVersion::two;
    configuration.rules.bumps_after_abort = BumpsAfterAbort::no;
    CHECK(fates_of(configuration, cluster, Verb::add_partition) == all);
    configuration.rules.guarantee = Guarantee::at_least_once;
    CHECK(fates_of(configuration, cluster, Verb::produce) == " late duplicated unanswered");
}

TEST_CASE("equal messages are delivered as one") {
    const Configuration configuration = disturbed();
    Cluster cluster;
    for (std::size_t place = 0; place < 3; ++place) {
        cluster.in_flight[place] = {.verb = Verb::add_offsets, .producer = of_a};
    }
    CHECK(deliveries_of(configuration, cluster).listed == 1);
    cluster.in_flight[2].epoch = Epoch{1};
    CHECK(deliveries_of(configuration, cluster).listed == 2);
}

TEST_CASE("a message that would raise the largest epoch is not delivered") {
    Configuration configuration = disturbed();
    Cluster cluster;
    TransactionalId& id = cluster.transactional_ids[0];
    id = {.epoch = Epoch{4}, .state = TransactionState::ongoing, .partitions = 1};
    const auto is_delivered = [&](Verb verb) {
        cluster.in_flight[0] = {.verb = verb, .producer = of_a, .epoch = id.epoch};
        const Deliveries found = deliveries_of(configuration, cluster);
        CHECK(found.listed + found.epoch == 1);
        return found.listed == 1;
    };
    CHECK(is_delivered(Verb::end_txn_commit));
    CHECK(is_delivered(Verb::end_txn_abort));
    CHECK(!is_delivered(Verb::init_producer_id));
    configuration.rules.transaction_version = TransactionVersion::two;
    CHECK(!is_delivered(Verb::end_txn_commit));
    CHECK(!is_delivered(Verb::end_txn_abort));
    CHECK(is_delivered(Verb::add_offsets));
    id.epoch = Epoch{3};
    CHECK(is_delivered(Verb::end_txn_commit));
    CHECK(is_delivered(Verb::init_producer_id));
    id = {.epoch = Epoch{4}, .state = TransactionState::prepare_commit, .partitions = 1};
    CHECK(is_delivered(Verb::end_txn_commit));  // it is refused
}

TEST_CASE("a marker is not delivered where four wait to be materialised") {
    const Configuration configuration = disturbed();
    Cluster cluster;
    cluster.in_flight[0] = {.verb = Verb::write_offsets_marker, .producer = of_a};
    OffsetsEntry& offsets = cluster.group.offsets[0];
    for (int marker = 0; marker < 3; ++marker) { push_marker(offsets, true); }
    CHECK(deliveries_of(configuration, cluster).listed == 1);
    push_marker(offsets, true);
    CHECK(deliveries_of(configuration, cluster).listed == 0);
    CHECK(deliveries_of(configuration, cluster).queue == 1);
    cluster.in_flight[0].verb = Verb::write_marker;
    CHECK(deliveries_of(configuration, cluster).listed == 1);
}

}  // namespace ringfence::model
