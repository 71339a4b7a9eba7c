// What a changelog's leader accepts, and what a new owner waits for and restores.
#include "model/changelog.hpp"

#include "model/former_producers.hpp"
#include "model/steps.hpp"
#include "model/transaction_coordinator.hpp"

#include <doctest/doctest.h>

namespace ringfence::model {

namespace {

constexpr PartitionId p0{0};
constexpr ThreadId thread_a{0};
constexpr ThreadId thread_b{1};
constexpr std::uint8_t r1 = 0b01;
constexpr std::uint8_t r2 = 0b10;

Configuration restoring_to(Changelog rule) {
    Configuration configuration;
    configuration.rules.changelog = rule;
    return configuration;
}

// A has decided a commit of r1 at p0, and its markers are owed; B is about to begin at offset 1.
Cluster handover() {
    Cluster cluster;
    cluster.transactional_ids[0] = {.epoch = Epoch{1},
                                    .state = TransactionState::prepare_commit,
                                    .partitions = 1,
                                    .changelogs = 1};
    cluster.changelogs[0][0] = {Epoch{1}, r1};
    cluster.group.committed[0] = 1;
    cluster.threads[1].producers[0].epoch = Epoch{1};
    cluster.threads[1].tasks[0] = {
        .phase = TaskPhase::running, .first = 1, .position = 1, .restore = Task::restore_due};
    return cluster;
}

constexpr Action marker_of_a{.verb = Verb::write_changelog_marker};

}  // namespace

TEST_CASE("an entry of a changelog keeps an epoch and the records that are open") {
    ChangelogEntry entry;
    CHECK(!entry.epoch().is_known());
    CHECK(entry.open() == 0);
    entry = {Epoch{epoch_max + 1}, 0b1111};
    CHECK(entry.epoch() == Epoch{epoch_max + 1});
    CHECK(entry.open() == 0b1111);
}

TEST_CASE("the leader of a changelog refuses an older epoch and learns a newer one") {
    ChangelogEntry entry{Epoch{2}, r1};
    CHECK(append_to_changelog({}, entry, {.epoch = Epoch{1}}, 1) == Error::invalid_producer_epoch);
    CHECK(entry == ChangelogEntry{Epoch{2}, r1});
    CHECK(append_to_changelog({}, entry, {.epoch = Epoch{3}}, 1) == Error::none);
    CHECK(entry == ChangelogEntry{Epoch{3}, r1 | r2});
    CHECK(append_to_changelog({.output_epoch_test = Test::off}, entry, {.epoch = Epoch{1}}, 1) ==
          Error::none);
}

TEST_CASE("a decision owes a marker to each output and, apart from it, to its changelog") {
    TransactionalId id{.epoch = Epoch{1},
                       .state = TransactionState::ongoing,
                       .partitions = 0b101 | offsets_partition_bit};
    TransactionalId without = id;
    decide({}, without, Decision::commit);
    CHECK(without.changelogs == 0);
    decide({.changelog = Changelog::restored_to_end_offset}, id, Decision::commit);
    CHECK(id.partitions == (0b101 | offsets_partition_bit));
    CHECK(id.changelogs == 0b101);
    id.partitions = 0;
    CHECK(!id.owes_no_marker());
    id.changelogs = 0;
    CHECK(id.owes_no_marker());
}

TEST_CASE("up to the end offset a restore awaits whoever is open there") {
    const Configuration configuration = restoring_to(Changelog::restored_to_end_offset);
    Cluster cluster = handover();
    Task& task = cluster.threads[1].tasks[0];
    begin_restore(configuration, cluster, thread_b, p0);
    CHECK(task.awaited == 0b1);
    CHECK(!task.may_process());
    // Whoever begins later is not awaited.
    cluster.changelogs[0][1] = {Epoch{1}, r2};
    take_step(configuration, cluster, marker_of_a);
    CHECK(task.may_process());
    CHECK(task.wrong_records() == 0);
    CHECK(cluster.ghosts[0].logged == r1);
    CHECK(cluster.changelogs[0][0] == ChangelogEntry{Epoch{1}, 0});
    CHECK(cluster.transactional_ids[0].changelogs == 0);
    CHECK(cluster.transactional_ids[0].partitions == 1);
}

TEST_CASE("up to the last stable offset a restore waits for nobody") {
    const Configuration configuration = restoring_to(Changelog::restored_to_last_stable_offset);
    Cluster cluster = handover();
    const Task& task = cluster.threads[1].tasks[0];
    begin_restore(configuration, cluster, thread_b, p0);
    CHECK(task.may_process());
    CHECK(task.wrong_records() == r1);
    take_step(configuration, cluster, marker_of_a);
    CHECK(task.wrong_records() == r1);
}

TEST_CASE("what an awaited transaction aborted is not restored") {
    const Configuration configuration = restoring_to(Changelog::restored_to_end_offset);
    Cluster cluster = handover();
    cluster.transactional_ids[0].state = TransactionState::prepare_abort;
    begin_restore(configuration, cluster, thread_b, p0);
    take_step(configuration, cluster, marker_of_a);
    CHECK(cluster.threads[1].tasks[0].wrong_records() == r1);
    CHECK(cluster.ghosts[0].logged == 0);
}

TEST_CASE("what is restored is kept until the offset is fetched") {
    const Configuration configuration = restoring_to(Changelog::restored_to_end_offset);
    Cluster cluster = handover();
    Task& task = cluster.threads[1].tasks[0];
    task = {.phase = TaskPhase::needs_fetch, .restore = Task::restore_due};
    begin_restore(configuration, cluster, thread_b, p0);
    take_step(configuration, cluster, marker_of_a);
    CHECK(task.is_restored());
    CHECK(!task.may_process());
    CHECK(task.restore == r1);
    take_step(configuration, cluster, {.verb = Verb::fetch_offset, .thread = thread_b});
    CHECK(task.may_process());
    CHECK(task.wrong_records() == 0);
}

TEST_CASE("on a marker that is refused the coordinator gives up") {
    const Configuration configuration = restoring_to(Changelog::restored_to_end_offset);
    Cluster cluster = handover();
    cluster.changelogs[0][0] = {Epoch{2}, r1};
    Cluster expected = cluster;
    expected.transactional_ids[0].changelogs = 0;
    expected.transactional_ids[0].gave_up = GaveUp::on_a_marker;
    CHECK(take_step(configuration, cluster, marker_of_a).error == Error::invalid_producer_epoch);
    CHECK(cluster == expected);
}

// A of v1 whose transaction was fenced, and one of the two markers is written.
TEST_CASE("each leader accepts or refuses a record by itself, and the client sees the refusal") {
    Configuration configuration = restoring_to(Changelog::restored_to_end_offset);
    configuration.rules.guarantee = Guarantee::exactly_once;
    Cluster cluster;
    cluster.threads[0].tasks[0] = {.phase = TaskPhase::running};
    cluster.threads[0].producers[0] = {.epoch = Epoch{1}, .added = 1};
    cluster.outputs[0][0].epoch = Epoch{2};
    const Action produce{.verb = Verb::produce, .thread = thread_a};
    SUBCASE("the output is marked") {
        CHECK(take_step(configuration, cluster, produce).error == Error::invalid_producer_epoch);
        CHECK(cluster.outputs[0][0].open == 0);
        CHECK(cluster.changelogs[0][0] == ChangelogEntry{Epoch{1}, r1});
    }
    SUBCASE("the changelog is marked") {
        cluster.outputs[0][0].epoch = Epoch{1};
        cluster.changelogs[0][0] = {Epoch{2}, 0};
        CHECK(take_step(configuration, cluster, produce).error == Error::invalid_producer_epoch);
        CHECK(cluster.outputs[0][0].open == 1);
        CHECK(cluster.changelogs[0][0] == ChangelogEntry{Epoch{2}, 0});
    }
    CHECK(cluster.threads[0].tasks[0] == Task{});
}

TEST_CASE("a transaction of a random id that was retired is still awaited") {
    Configuration configuration = restoring_to(Changelog::restored_to_end_offset);
    configuration.rules.transactional_id = IdScope::random;
    Cluster cluster = handover();
    begin_restore(configuration, cluster, thread_b, p0);
    retire(configuration, cluster, ProducerId{0});
    const std::size_t former = configuration.current_producers();
    CHECK(cluster.threads[1].tasks[0].awaited == ProducerId{former}.bit());
    CHECK(cluster.changelogs[0][former] == ChangelogEntry{Epoch{1}, r1});
    CHECK(cluster.changelogs[0][0] == ChangelogEntry{});
    const Action marker{.verb = Verb::write_changelog_marker, .producer = ProducerId{former}};
    take_step(configuration, cluster, marker);
    CHECK(cluster.threads[1].tasks[0].may_process());
}

TEST_CASE("what no law reads is not remembered") {
    Configuration configuration = restoring_to(Changelog::restored_to_last_stable_offset);
    configuration.ghosts.restored = false;
    Cluster cluster = handover();
    begin_restore(configuration, cluster, thread_b, p0);
    take_step(configuration, cluster, marker_of_a);
    CHECK(cluster.threads[1].tasks[0].restore == 0);
    CHECK(cluster.ghosts[0].logged == 0);
}

}  // namespace ringfence::model
