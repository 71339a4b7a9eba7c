#include "model/repeated_commits.hpp"

#include "model/client.hpp"

#include <doctest/doctest.h>

namespace ringfence::model {

namespace {

Configuration disturbed() {
    return {.rules = {.guarantee = Guarantee::at_least_once},
            .bounds = {.threads = 2, .partitions = 2},
            .disturbances = {.late_request = 2},
            .ghosts = {}};
}

Work from_to(Offset first, Offset position) { return {.first = first, .position = position}; }

// Member A, at generation 1, has sent the commit of p0 from 0 to 1 and has heard nothing.
Cluster committing() {
    Cluster cluster;
    cluster.group = {.phase = GroupPhase::stable, .generation = 1, .members = 0b11};
    cluster.threads[0].generation = 1;
    cluster.threads[0].tasks[0] = {.phase = TaskPhase::running, .position = 1};
    return cluster;
}

Request plain_commit() {
    Request commit{.verb = Verb::offset_commit,
                   .member = GivenMember::in(MemberId{0}),
                   .generation = GivenGeneration{1}.next()};
    commit.work[0] = from_to(0, 1);
    return commit;
}

}  // namespace

TEST_CASE("a plain commit that was taken is repeated by its copies and by its client") {
    Configuration configuration = disturbed();
    Cluster cluster = committing();
    cluster.in_flight[0] = plain_commit();
    Request commit = plain_commit();
    StreamThread& thread = cluster.threads[0];
    Task& task = thread.tasks[0];
    const Work& copy = cluster.in_flight[0].work[0];
    const auto remember = [&] { remember_plain_commit(configuration, cluster, commit); };
    SUBCASE("both are the same commit") {
        remember();
        CHECK(copy.is_repeated());
        CHECK(copy.position == 1);
        CHECK(task.decided == 1);
        CHECK(works_to_commit(configuration, thread)[0].is_repeated());
        task.position = 2;
        CHECK(works_to_commit(configuration, thread)[0] == from_to(1, 2));
        CHECK(undecided_works_of(configuration, thread, 0)[0] == from_to(1, 2));
    }
    SUBCASE("of one that goes further, a part") {
        cluster.in_flight[0].work[0] = from_to(0, 2);
        remember();
        CHECK(copy == from_to(1, 2));
    }
    SUBCASE("of one that ends before, all") {
        commit.work[0] = from_to(0, 2);
        task.position = 3;
        remember();
        CHECK(copy == from_to(1, 1));
        CHECK(task.decided == 2);
        commit.work[0] = from_to(0, 1);
        remember();
        CHECK(task.decided == 2);
    }
    SUBCASE("of another partition, nothing") {
        cluster.in_flight[0].work = {Work{}, from_to(0, 1)};
        remember();
        CHECK(cluster.in_flight[0].work[1] == from_to(0, 1));
        CHECK(copy == Work{});
        CHECK(thread.tasks[1].decided == 0);
    }
    SUBCASE("a commit of another member is another one") {
        cluster.in_flight[0].member = GivenMember::in(MemberId{1});
        remember();
        CHECK(copy == from_to(0, 1));
    }
    SUBCASE("so is one under another generation") {
        cluster.in_flight[0].generation = GivenGeneration{2}.next();
        thread.generation = 2;
        remember();
        CHECK(copy == from_to(0, 1));
        CHECK(task.decided == 0);
    }
    SUBCASE("and what is no plain commit") {
        cluster.in_flight[0].verb = Verb::txn_offset_commit;
        remember();
        CHECK(copy == from_to(0, 1));
    }
    SUBCASE("what an incarnation before has left behind is not its client's") {
        commit.member = GivenMember::in(MemberId{4});
        remember();
        CHECK(task.decided == 0);
    }
    SUBCASE("a client that has heard of it sends nothing again") {
        task.first = 1;
        remember();
        CHECK(task.decided == 0);
        task = {.phase = TaskPhase::running, .first = 1, .position = 2};
        remember();
        CHECK(task.decided == 0);
    }
    SUBCASE("nobody can tell whose it is that names no member") {
        cluster.in_flight[0].member = commit.member = GivenMember{};
        remember();
        CHECK(copy == from_to(0, 1));
    }
    SUBCASE("no law asks") {
        configuration.ghosts = {.decided_end = false, .elders = false};
        const Cluster before = cluster;
        remember();
        CHECK(cluster == before);
    }
    SUBCASE("one of the two asks") {
        configuration.ghosts.decided_end = false;
        remember();
        CHECK(copy.is_repeated());
    }
    SUBCASE("the other of the two asks") {
        configuration.ghosts.elders = false;
        remember();
        CHECK(copy.is_repeated());
    }
    SUBCASE("nothing is late") {
        configuration.disturbances = {};
        const Cluster before = cluster;
        remember();
        CHECK(cluster == before);
    }
}

}  // namespace ringfence::model
