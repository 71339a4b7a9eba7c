// Laws and witnesses about single steps, where no small search tells two readings apart.
#include "properties/catalogue.hpp"
#include "properties/laws.hpp"

#include <doctest/doctest.h>

namespace ringfence::tests {

namespace {

using namespace ringfence::model;

// Threads A and B are current members of a stable group; A runs p0 in an ongoing transaction.
Cluster two_members() {
    Cluster cluster;
    cluster.group = {.phase = GroupPhase::stable, .generation = 1, .members = 0b11};
    for (StreamThread& thread : {std::ref(cluster.threads[0]), std::ref(cluster.threads[1])}) {
        thread.membership = Membership::in;
        thread.generation = 1;
    }
    cluster.threads[0].tasks[0] = {.phase = TaskPhase::running, .position = 1};
    cluster.threads[0].producers[0] = {.epoch = Epoch{1}, .added = 1};
    cluster.transactional_ids[0] = {
        .epoch = Epoch{1}, .state = TransactionState::ongoing, .partitions = 1};
    return cluster;
}

bool is_hit(std::string_view witness, const Cluster& before, const Action& action,
            const Outcome& outcome) {
    const KafkaModel model({}, {.partitions = 2}, {});
    return properties::find_witness(witness)->is_reached_by(model,
                                                            {before, action, outcome, before});
}

bool holds_over(std::string_view law, const Rules& rules, const Action& action,
                const Outcome& outcome) {
    const KafkaModel model(rules, {}, {});
    const Cluster before = two_members();
    return properties::find_law(law)->holds_over(model, {before, action, outcome, before});
}

}  // namespace

TEST_CASE("a kept task counts as committed only with work in it") {
    Cluster cluster = two_members();
    const Action commit{.verb = Verb::end_txn_commit};
    const Outcome decided{.decided_commit = true};
    CHECK(!is_hit("kept_offsets_committed", cluster, commit, decided));
    cluster.threads[0].tasks[1].phase = TaskPhase::kept;
    CHECK(!is_hit("kept_offsets_committed", cluster, commit, decided));
    cluster.threads[0].tasks[1].position = 1;
    CHECK(is_hit("kept_offsets_committed", cluster, commit, decided));
    CHECK(!is_hit("kept_offsets_committed", cluster, commit, {}));
}

TEST_CASE("a partition is given up under the new generation only with work in it") {
    Cluster cluster = two_members();
    const Action commit{.verb = Verb::txn_offset_commit};
    CHECK(!is_hit("gave_up_under_new_generation", cluster, commit, {}));
    cluster.threads[0].tasks[1].phase = TaskPhase::revoking;
    CHECK(!is_hit("gave_up_under_new_generation", cluster, commit, {}));
    cluster.threads[0].tasks[1].position = 1;
    CHECK(is_hit("gave_up_under_new_generation", cluster, commit, {}));
}

TEST_CASE("either kind of add can open a finished transaction again") {
    for (const Verb verb : {Verb::add_partition, Verb::add_offsets}) {
        Cluster cluster = two_members();
        CHECK(!is_hit("finished_transaction_reopened", cluster, {.verb = verb}, {}));
        cluster.transactional_ids[0].state = TransactionState::complete_abort;
        CHECK(is_hit("finished_transaction_reopened", cluster, {.verb = verb}, {}));
    }
}

TEST_CASE("each of the errors that Kafka Streams does not survive is a false fatal one") {
    const Action commit{.verb = Verb::end_txn_commit};
    for (const Error error : {Error::invalid_txn_state, Error::invalid_producer_id_mapping}) {
        CHECK(!holds_over("no_false_fatal", {}, commit, {.error = error}));
    }
    CHECK(holds_over("no_false_fatal", {}, commit, {.error = Error::producer_fenced}));
}

TEST_CASE("a current member that takes an id over robs nobody") {
    Rules rules;
    rules.transactional_id = IdScope::instance;
    const Action init{.verb = Verb::init_producer_id, .thread = ThreadId{1}};
    CHECK(holds_over("no_false_fence", rules, init, {.took_over = true}));
}

TEST_CASE("a marker that is refused fences no thread") {
    const Outcome refused{.error = Error::invalid_producer_epoch};
    CHECK(holds_over("no_false_fence", {}, {.verb = Verb::write_marker}, refused));
    CHECK(!holds_over("no_false_fence", {}, {.verb = Verb::produce}, refused));
}

TEST_CASE("a marker in flight is the outcome of what it finds open at its own partition") {
    const KafkaModel model({}, {.partitions = 2}, {.late_marker = 1});
    const PartitionId p0{0};
    Cluster cluster;
    cluster.outputs[0][0] = {.epoch = Epoch{1}, .open = 1};
    cluster.in_flight[0] = {.verb = Verb::write_marker, .partition = PartitionId{1}};
    CHECK(!properties::is_outcome_in_flight(model, cluster, p0));
    cluster.in_flight[0].partition = p0;
    CHECK(properties::is_outcome_in_flight(model, cluster, p0));
    cluster.outputs[0][0].open = 0;
    CHECK(!properties::is_outcome_in_flight(model, cluster, p0));
    cluster.in_flight[0].verb = Verb::write_offsets_marker;
    CHECK(!properties::is_outcome_in_flight(model, cluster, p0));
    cluster.group.offsets[0].pending[0].offset = 1;
    CHECK(properties::is_outcome_in_flight(model, cluster, p0));
}

TEST_CASE("a coordinator that gave up before its markers covers nothing that is open") {
    Rules rules;
    rules.changelog = Changelog::restored_to_end_offset;
    const KafkaModel model(rules, {}, {});
    const auto holds = [&](const Cluster& cluster) {
        return properties::find_law("no_hanging_transaction")->holds_in(model, cluster);
    };
    Cluster cluster;
    TransactionalId& id = cluster.transactional_ids[0];
    id = {.epoch = Epoch{1}, .state = TransactionState::prepare_abort, .partitions = 1};
    id.changelogs = 1;
    cluster.changelogs[0][0] = {Epoch{1}, 1};
    CHECK(holds(cluster));
    id.gave_up = GaveUp::on_a_marker;
    CHECK(holds(cluster));
    id.gave_up = GaveUp::before_markers;
    CHECK(!holds(cluster));
    cluster.changelogs[0][0] = {};
    cluster.outputs[0][0] = {.epoch = Epoch{1}, .open = 1};
    CHECK(!holds(cluster));
    id.gave_up = GaveUp::no;
    CHECK(holds(cluster));
}

}  // namespace ringfence::tests
