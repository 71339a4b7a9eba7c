#include "model/rights.hpp"

#include "model/stream_thread.hpp"

#include <doctest/doctest.h>

namespace ringfence::model {

namespace {

constexpr ThreadId a{0};
constexpr PartitionId p0{0};

// Thread A runs p0 at generation 1 of a stable group that knows it.
Cluster running() {
    Cluster cluster;
    cluster.group.phase = GroupPhase::stable;
    cluster.group.generation = 1;
    cluster.group.members = 0b11;
    cluster.group.assignment = {1};
    cluster.threads[0].membership = Membership::in;
    cluster.threads[0].generation = 1;
    cluster.threads[0].tasks[0] = {.phase = TaskPhase::running, .position = 1};
    cluster.threads[0].producers[0] = {.epoch = Epoch{1}, .added = 1};
    cluster.transactional_ids[0] = {
        .epoch = Epoch{1}, .state = TransactionState::ongoing, .partitions = 1};
    cluster.outputs[0][0] = {.epoch = Epoch{1}, .open = 1};
    return cluster;
}

}  // namespace

TEST_CASE("a member that has synced at the group's generation is current") {
    Cluster cluster = running();
    CHECK(is_current_member(cluster, a));
    cluster.threads[0].membership = Membership::awaiting_join;
    CHECK(is_current_member(cluster, a));
}

TEST_CASE("a thread outside of the group is no current member at any generation") {
    for (const auto membership :
         {Membership::out, Membership::closing, Membership::awaiting_sync}) {
        Cluster cluster = running();
        cluster.threads[0].membership = membership;
        CHECK(!is_current_member(cluster, a));
    }
}

TEST_CASE("a thread is no current member under a lost member id, or an ended generation") {
    Cluster cluster = running();
    cluster.threads[0].metadata_is_stale = 1;
    CHECK(!is_current_member(cluster, a));
    cluster = running();
    cluster.group.members = 0b10;
    CHECK(!is_current_member(cluster, a));
    cluster = running();
    cluster.group.generation = 2;
    CHECK(!is_current_member(cluster, a));
}

TEST_CASE("the owner of a task with progress holds the commit right, until something is missing") {
    const Configuration configuration;
    Cluster cluster = running();
    CHECK(holds_commit_right(configuration, cluster, a, p0));
    cluster.threads[0].producers[0].phase = TransactionPhase::offsets_added;
    CHECK(holds_commit_right(configuration, cluster, a, p0));
    cluster.threads[0].producers[0].phase = TransactionPhase::offsets_accepted;
    CHECK(holds_commit_right(configuration, cluster, a, p0));
    cluster.transactional_ids[0].state = TransactionState::complete_commit;
    CHECK(!holds_commit_right(configuration, cluster, a, p0));
    cluster = running();
    cluster.threads[0].producers[0].phase = TransactionPhase::must_abort;
    CHECK(!holds_commit_right(configuration, cluster, a, p0));
    cluster = running();
    cluster.threads[0].tasks[0].position = 0;
    CHECK(!holds_commit_right(configuration, cluster, a, p0));
    cluster = running();
    cluster.threads[0].producers[0] = {.epoch = Epoch{1}};
    CHECK(!holds_commit_right(configuration, cluster, a, p0));
}

TEST_CASE("each broker on the way to a commit can take the right away") {
    const Configuration configuration;
    Cluster cluster = running();
    cluster.transactional_ids[0].epoch = Epoch{2};
    CHECK(!holds_commit_right(configuration, cluster, a, p0));
    cluster.threads[0].producers[0].phase = TransactionPhase::offsets_accepted;
    CHECK(!holds_commit_right(configuration, cluster, a, p0));
    cluster = running();
    cluster.group.members = 0b10;
    CHECK(!holds_commit_right(configuration, cluster, a, p0));
    cluster.threads[0].producers[0].phase = TransactionPhase::offsets_accepted;
    CHECK(holds_commit_right(configuration, cluster, a, p0));
    cluster = running();
    cluster.group.offsets[0].epoch = Epoch{2};
    CHECK(!holds_commit_right(configuration, cluster, a, p0));
}

TEST_CASE("offsets are tested by the leader of the offsets partition") {
    Configuration configuration;
    configuration.rules.offsets_epoch_test = Test::off;
    Cluster cluster = running();
    cluster.group.offsets[0].epoch = Epoch{2};
    CHECK(holds_commit_right(configuration, cluster, a, p0));
    configuration.rules.offsets_epoch_test = Test::on;
    configuration.rules.output_epoch_test = Test::off;
    CHECK(!holds_commit_right(configuration, cluster, a, p0));
}

TEST_CASE("a partition that is added already can be appended to without the coordinator") {
    const Configuration configuration;
    Cluster cluster = running();
    cluster.transactional_ids[0].epoch = Epoch{2};
    CHECK(could_append(configuration, cluster, a, p0));
    cluster.threads[0].producers[0].phase = TransactionPhase::offsets_added;
    CHECK(!could_append(configuration, cluster, a, p0));
    cluster.threads[0].producers[0] = {.epoch = Epoch{1}};
    CHECK(!could_append(configuration, cluster, a, p0));
    cluster.threads[0].producers[0] = {.epoch = Epoch{2}};
    CHECK(could_append(configuration, cluster, a, p0));
    cluster.transactional_ids[0].state = TransactionState::prepare_commit;
    CHECK(could_append(configuration, cluster, a, p0));
    cluster.outputs[0][0].epoch = Epoch{3};
    CHECK(!could_append(configuration, cluster, a, p0));
}

TEST_CASE("where the coordinator is asked about a batch, the leader is asked all the same") {
    Configuration configuration;
    configuration.rules.verification = Verification::guarded;
    Cluster cluster = running();
    cluster.outputs[0][0] = {.epoch = Epoch{1}};
    CHECK(could_append(configuration, cluster, a, p0));
    cluster.outputs[0][0] = {.epoch = Epoch{3}};
    CHECK(!could_append(configuration, cluster, a, p0));
    cluster.outputs[0][0] = {.epoch = Epoch{1}};
    cluster.transactional_ids[0].partitions = 0b10;
    CHECK(!could_append(configuration, cluster, a, p0));
    configuration.rules.transaction_version = TransactionVersion::two;
    CHECK(could_append(configuration, cluster, a, p0));
}

TEST_CASE("only a running task with a record left can be appended to") {
    const Configuration configuration;
    Cluster cluster = running();
    cluster.threads[0].tasks[0].position = configuration.bounds.records;
    CHECK(!could_append(configuration, cluster, a, p0));
    cluster = running();
    cluster.threads[0].tasks[0].phase = TaskPhase::revoking;
    CHECK(!could_append(configuration, cluster, a, p0));
    cluster = running();
    cluster.threads[0].producers[0].epoch = Epoch{};
    CHECK(!could_append(configuration, cluster, a, p0));
}

TEST_CASE("the rightful owner is a current member with the task, under v2 with any task") {
    Configuration configuration;
    configuration.bounds.partitions = 2;
    Cluster cluster = running();
    CHECK(is_rightful_owner(configuration, cluster, a, p0));
    CHECK(is_rightful_owner(configuration, cluster, a, PartitionId{1}));
    Cluster idle = cluster;
    idle.threads[0].tasks = {};
    CHECK(!is_rightful_owner(configuration, idle, a, p0));
    configuration.rules.guarantee = Guarantee::exactly_once;
    CHECK(is_rightful_owner(configuration, cluster, a, p0));
    CHECK(!is_rightful_owner(configuration, cluster, a, PartitionId{1}));
    cluster.threads[0].tasks[0].phase = TaskPhase::kept;
    CHECK(!is_rightful_owner(configuration, cluster, a, p0));
    cluster = running();
    cluster.group.generation = 2;
    CHECK(!is_rightful_owner(configuration, cluster, a, p0));
}

}  // namespace ringfence::model
