#include "model/failover.hpp"

#include "model/network.hpp"
#include "tests/model/literals.hpp"

#include <doctest/doctest.h>

namespace ringfence::model {

namespace {

Configuration failing_over() {
    return {.rules = {},
            .bounds = {.threads = 2, .partitions = 2},
            .disturbances = {.late_request = 2, .transaction_coordinator_failover = 1},
            .ghosts = {}};
}

Request end_of_a() { return {.verb = Verb::end_txn_commit, .producer = of_a, .epoch = e0}; }

}  // namespace

TEST_CASE("requests to a coordinator that fails over are lost with it, and no others") {
    Configuration configuration = failing_over();
    Cluster cluster;
    cluster.transactional_ids[0] = {
        .epoch = e0, .state = TransactionState::ongoing, .partitions = 1};
    cluster.in_flight[0] = end_of_a();
    cluster.in_flight[1] = end_of_a();
    cluster.in_flight[1].producer = of_b;
    cluster.in_flight[2] = {.verb = Verb::produce, .producer = of_a, .epoch = e0};
    sort_messages(cluster);
    fail_over(configuration, cluster, of_a);
    CHECK(messages_in_flight(cluster) == 2);
    for (std::size_t place = 0; place < 2; ++place) {
        const Request& message = cluster.in_flight[place];
        CHECK((message.producer == of_b || message.verb == Verb::produce));
    }
    CHECK(cluster.transactional_ids[0].partitions == 1);
}

TEST_CASE("a coordinator that fails over owes all markers of its decision, and has given up none") {
    Configuration configuration = failing_over();
    Cluster cluster;
    cluster.transactional_ids[0] = {.epoch = e1,
                                    .state = TransactionState::prepare_commit,
                                    .partitions = 0,
                                    .last_epoch = e0,
                                    .decided = 0b1 | offsets_partition_bit,
                                    .gave_up = GaveUp::on_a_marker};
    TransactionalId& id = cluster.transactional_ids[0];
    SUBCASE("outputs and offsets") {
        fail_over(configuration, cluster, of_a);
        CHECK(id.partitions == (0b1 | offsets_partition_bit));
        CHECK(id.changelogs == 0);
        CHECK(id.gave_up == GaveUp::no);
        CHECK(!id.last_epoch.is_known());
        CHECK(id.coordinator_epoch == 0);
    }
    SUBCASE("and changelogs") {
        configuration.rules.changelog = Changelog::restored_to_end_offset;
        fail_over(configuration, cluster, of_a);
        CHECK(id.changelogs == 0b1);
    }
    SUBCASE("its epoch is counted where a marker may be late") {
        configuration.disturbances.late_marker = 1;
        fail_over(configuration, cluster, of_a);
        CHECK(id.coordinator_epoch == 1);
    }
    SUBCASE("a transaction that is not decided goes on") {
        id = {.epoch = e0, .state = TransactionState::ongoing, .partitions = 0b10};
        fail_over(configuration, cluster, of_a);
        CHECK(id.state == TransactionState::ongoing);
        CHECK(id.partitions == 0b10);
    }
}

}  // namespace ringfence::model
