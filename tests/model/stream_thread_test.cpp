#include "model/stream_thread.hpp"

#include <doctest/doctest.h>

namespace ringfence::model {

namespace {

Configuration two_tasks(Guarantee guarantee = Guarantee::exactly_once_v2) {
    return {.rules = {.guarantee = guarantee},
            .bounds = {.threads = 1, .partitions = 2},
            .disturbances = {},
            .ghosts = {}};
}

}  // namespace

TEST_CASE("a producer expects a transaction while one is open, or one of its tasks has a record") {
    Configuration configuration = two_tasks();
    StreamThread thread;
    CHECK(!expects_transaction(configuration, thread, 0));
    thread.producers[0].added = 1;
    CHECK(expects_transaction(configuration, thread, 0));
    thread.producers[0].added = 0;
    thread.tasks[0] = {.phase = TaskPhase::running, .position = configuration.bounds.records};
    CHECK(!expects_transaction(configuration, thread, 0));
    thread.tasks[1] = {.phase = TaskPhase::running};
    CHECK(expects_transaction(configuration, thread, 0));
    configuration.rules.guarantee = Guarantee::exactly_once;
    CHECK(!expects_transaction(configuration, thread, 0));
    CHECK(expects_transaction(configuration, thread, 1));
    thread.tasks[1].phase = TaskPhase::revoking;
    CHECK(!expects_transaction(configuration, thread, 1));
}

TEST_CASE("who closes dirty aborts what it has open, but not what it has aborted already") {
    const Configuration configuration = two_tasks(Guarantee::exactly_once);
    StreamThread thread;
    thread.producers[0] = {.epoch = Epoch{1}, .added = 1};
    thread.producers[1] = {.epoch = Epoch{1}, .phase = TransactionPhase::bumping};
    close_dirty(configuration, thread, no_slot);
    CHECK(thread.producers[0].phase == TransactionPhase::must_abort);
    CHECK(thread.producers[1] == Producer{});
    thread.producers[0] = {.epoch = Epoch{1}, .added = 1};
    close_dirty(configuration, thread, 0);
    CHECK(thread.producers[0] == Producer{});
}

TEST_CASE("a client that initialises anew begins its tasks again, unless it has closed them") {
    const Configuration configuration = two_tasks();
    StreamThread thread;
    thread.tasks[0] = {.phase = TaskPhase::running, .position = 1};
    thread.producers[0] = {.epoch = Epoch{1}, .added = 1};
    const StreamThread working = thread;
    begin_anew(configuration, thread, 0, false);
    CHECK(thread.producers[0] == Producer{});
    CHECK(thread.tasks[0].phase == TaskPhase::needs_fetch);
    thread = working;
    thread.producers[0].phase = TransactionPhase::must_abort;
    begin_anew(configuration, thread, 0, false);
    CHECK(thread.producers[0] == Producer{});
    CHECK(thread.tasks[0] == working.tasks[0]);
}

TEST_CASE("a task whose batch waits for its answer is not given up before that") {
    Configuration configuration = two_tasks();
    Cluster cluster;
    cluster.group.assignment = {2, 2};  // both to thread B
    StreamThread& thread = cluster.threads[0];
    for (std::size_t p = 0; p < 2; ++p) {
        thread.tasks[p] = {.phase = TaskPhase::running, .first = 1, .position = 1};
    }
    thread.producers[0] = {.epoch = Epoch{1}, .added = 0b11, .unanswered = 0b01};
    SUBCASE("cooperative") {
        adopt_assignment(configuration, cluster, ThreadId{0});
        CHECK(thread.tasks[0] == Task{.phase = TaskPhase::revoking, .first = 1, .position = 1});
        CHECK(thread.tasks[1] == Task{.phase = TaskPhase::revoking});
    }
    SUBCASE("kept") {
        configuration.rules.closes_before_rejoin = ClosesBeforeRejoin::no;
        adopt_assignment(configuration, cluster, ThreadId{0});
        CHECK(thread.tasks[0].phase == TaskPhase::kept);
        CHECK(thread.tasks[1] == Task{});
    }
    SUBCASE("a batch that waits at its leader is one, too") {
        thread.producers[0].unanswered = 0;
        thread.producers[0].verified = 0b10;
        adopt_assignment(configuration, cluster, ThreadId{0});
        CHECK(thread.tasks[0] == Task{.phase = TaskPhase::revoking});
        CHECK(thread.tasks[1].position == 1);
    }
}

}  // namespace ringfence::model
