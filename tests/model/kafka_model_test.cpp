#include "model/kafka_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace ringfence::model {

TEST_CASE("settings that need more transactional ids than there is room for are refused") {
    const Bounds largest{.threads = 4, .partitions = 4};
    const auto model_of = [&](std::string_view scheme, IdScope scope, const Bounds& bounds) {
        Rules rules = std::ranges::find(scheme_catalogue(), scheme, &Scheme::name)->rules;
        rules.transactional_id = scope;
        return KafkaModel(rules, bounds, {});
    };
    CHECK_NOTHROW(model_of("v2", IdScope::automatic, largest));
    CHECK_NOTHROW(model_of("v2", IdScope::random, largest));
    CHECK_NOTHROW(model_of("v1_clients_up_to_2.5", IdScope::automatic, largest));
    CHECK_NOTHROW(
        model_of("v1_clients_up_to_2.5", IdScope::thread, {.threads = 4, .partitions = 2}));
    CHECK_THROWS(
        model_of("v1_clients_up_to_2.5", IdScope::thread, {.threads = 3, .partitions = 3}));
    CHECK_NOTHROW(
        model_of("v1_clients_up_to_2.5", IdScope::random, {.threads = 2, .partitions = 2}));
    CHECK_THROWS(
        model_of("v1_clients_up_to_2.5", IdScope::random, {.threads = 3, .partitions = 2}));
    CHECK_THROWS(model_of("v2", IdScope::task, {}));
    CHECK_NOTHROW(model_of("at_least_once", IdScope::task, largest));
    CHECK_THROWS(model_of("v2", IdScope::automatic, {.threads = 0}));
    CHECK_THROWS(model_of("v2", IdScope::automatic, {.threads = 5}));
}

TEST_CASE("there are scopes where no two threads share an id, a changelog or the network") {
    const auto scopes_of = [](Guarantee guarantee, IdScope scope, bool has_finer_components = false,
                              Changelog changelog = Changelog::no, std::uint8_t late = 0) {
        const Rules rules{
            .guarantee = guarantee, .transactional_id = scope, .changelog = changelog};
        const KafkaModel model(rules, {.threads = 2}, {.late_request = late});
        return model.scopes(has_finer_components);
    };
    // Each thread with what is common to all.
    const std::vector<std::uint32_t> expected{0b101, 0b110};
    using enum Guarantee;
    CHECK(scopes_of(exactly_once_v2, IdScope::automatic) == expected);
    CHECK(scopes_of(exactly_once_v2, IdScope::random) == expected);
    CHECK(scopes_of(exactly_once, IdScope::thread) == expected);
    CHECK(scopes_of(at_least_once, IdScope::automatic) == expected);
    CHECK(scopes_of(exactly_once, IdScope::task).empty());
    CHECK(scopes_of(exactly_once_v2, IdScope::instance).empty());
    CHECK(scopes_of(exactly_once_v2, IdScope::thread, true).empty());
    CHECK(scopes_of(exactly_once_v2, IdScope::thread, false, Changelog::restored_to_end_offset)
              .empty());
    CHECK(scopes_of(exactly_once_v2, IdScope::thread, false, Changelog::no, 1).empty());
    // Nobody would share a thread's steps if it is alone.
    CHECK(KafkaModel({.guarantee = exactly_once_v2}, {.threads = 1}, {}).scopes().empty());
}

TEST_CASE("only the end of the join phase concerns all threads") {
    const KafkaModel model({}, {}, {});
    Cluster cluster = model.initial_states().front();
    checker::Enabled<Action> enabled;
    model.joint_actions(cluster, enabled);
    REQUIRE(enabled.size() == 1);
    CHECK(enabled.begin()->verb == Verb::complete_join);
    enabled.clear();
    cluster.group.joined = 0;
    model.joint_actions(cluster, enabled);
    CHECK(enabled.size() == 0);
}

TEST_CASE("actions that differ have codes that differ") {
    const std::vector<Action> actions{{},
                                      {.verb = Verb::restart},
                                      {.thread = ThreadId{threads_max - 1}},
                                      {.partition = PartitionId{partitions_max - 1}},
                                      {.producer = ProducerId{producers_max - 1}},
                                      {.member = MemberId{members_max - 1}},
                                      {.spends_budget = true},
                                      {.assignment = 0xFFFF},
                                      {.fate = Fate::unanswered},
                                      {.gives_up = true},
                                      {.message = messages_max - 1}};
    std::uint64_t bits = 0;
    for (const Action& action : actions) {
        CHECK((bits & code_of(action)) == 0);
        bits |= code_of(action);
    }
    CHECK(bits < std::uint64_t{1} << checker::action_code_bits);
}

TEST_CASE("a budget starts full, and one without a limit is never counted") {
    const Disturbances disturbances{.expulsion = 2,
                                    .transaction_timeout = Disturbances::unlimited,
                                    .voluntary_rebalance = 3,
                                    .crash = Disturbances::unlimited,
                                    .restart = 4,
                                    .late_request = 5,
                                    .duplicated_request = 6,
                                    .lost_answer = Disturbances::unlimited,
                                    .late_marker = 7,
                                    .duplicated_marker = 8,
                                    .transaction_coordinator_failover = 9,
                                    .producer_expiry = 10};
    const KafkaModel model({}, {}, disturbances);
    const Budgets expected{.expulsion = 2,
                           .voluntary_rebalance = 3,
                           .restart = 4,
                           .late_request = 5,
                           .duplicated_request = 6,
                           .late_marker = 7,
                           .duplicated_marker = 8,
                           .transaction_coordinator_failover = 9,
                           .producer_expiry = 10};
    CHECK(model.initial_states().front().budgets == expected);
}

namespace {

// Every record is visible and nothing is undecided.
Cluster finished() {
    Cluster cluster;
    cluster.ghosts[0].visible = 0b0101;
    return cluster;
}

}  // namespace

TEST_CASE("work is left while a record has no visible output") {
    const KafkaModel model({}, {}, {});
    Cluster cluster = finished();
    CHECK(!model.work_is_left(cluster));
    cluster.ghosts[0].visible = 0b0001;
    CHECK(model.work_is_left(cluster));
    cluster.ghosts[0].visible = 0b0100;
    CHECK(model.work_is_left(cluster));
}

TEST_CASE("work is left while a transaction is undecided or a marker is queued") {
    const KafkaModel model({}, {}, {});
    for (const auto state : {TransactionState::ongoing, TransactionState::prepare_commit,
                             TransactionState::prepare_abort}) {
        Cluster cluster = finished();
        cluster.transactional_ids[1].state = state;
        CHECK(model.work_is_left(cluster));
    }
    Cluster cluster = finished();
    cluster.transactional_ids[1].state = TransactionState::complete_commit;
    CHECK(!model.work_is_left(cluster));
    cluster.group.offsets[1].queue = 1;
    CHECK(model.work_is_left(cluster));
}

TEST_CASE("a timeout beyond the largest epoch excuses a deadlock only if it is healing work") {
    const KafkaModel model({}, {.epoch = 0}, {});
    Cluster cluster = finished();
    cluster.group = {.phase = GroupPhase::stable, .generation = 1, .members = 0b11};
    for (std::size_t t = 0; t < 2; ++t) {
        cluster.threads[t].membership = Membership::in;
        cluster.threads[t].generation = 1;
    }
    cluster.transactional_ids[0] = {.epoch = Epoch{1}, .state = TransactionState::ongoing};
    cluster.threads[0].producers[0] = {.epoch = Epoch{1}, .added = 1};
    cluster.budgets.transaction_timeout = 1;
    checker::Enabled<Action> enabled;
    model.actions(cluster, enabled);
    CHECK(enabled.cuts()[static_cast<std::size_t>(Cut::epoch)] == 1);
    CHECK(!enabled.is_cut());

    cluster.threads[0].producers[0] = {};
    enabled.clear();
    model.actions(cluster, enabled);
    CHECK(enabled.cuts()[static_cast<std::size_t>(Cut::epoch)] == 1);
    CHECK(enabled.is_cut());
}

TEST_CASE("no work is left for anybody where all threads are down") {
    const KafkaModel model({}, {}, {});
    Cluster cluster;
    CHECK(model.work_is_left(cluster));
    cluster.threads[1].life = Life::down;
    CHECK(model.work_is_left(cluster));
    cluster.threads[0].life = Life::down;
    CHECK(!model.work_is_left(cluster));
    cluster.threads[1].life = Life::alive;
    CHECK(model.work_is_left(cluster));
}

TEST_CASE("no commit begins while the batch of a task that is given up waits for its answer") {
    const KafkaModel model({}, {.threads = 1, .partitions = 2}, {.lost_answer = 1});
    Cluster cluster;
    cluster.group = {.phase = GroupPhase::stable, .generation = 1, .members = 1};
    cluster.transactional_ids[0] = {
        .epoch = Epoch{1}, .state = TransactionState::ongoing, .partitions = 0b11};
    StreamThread& thread = cluster.threads[0];
    thread.membership = Membership::in;
    thread.generation = 1;
    thread.tasks[0] = {.phase = TaskPhase::revoking};
    thread.tasks[1] = {.phase = TaskPhase::running, .position = 1};
    thread.producers[0] = {.epoch = Epoch{1}, .added = 0b11, .unanswered = 0b01};
    const auto lists = [&](Verb verb) {
        checker::Enabled<Action> enabled;
        model.actions(cluster, enabled);
        return std::ranges::any_of(enabled,
                                   [&](const Action& action) { return action.verb == verb; });
    };
    CHECK(lists(Verb::produce));
    CHECK(!lists(Verb::add_offsets));
    thread.producers[0].unanswered = 0;
    CHECK(lists(Verb::add_offsets));
}

}  // namespace ringfence::model
