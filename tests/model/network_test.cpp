// What messages in flight say, as the state moves on: one rule each, on literal states.
#include "model/network.hpp"

#include "model/brokers.hpp"
#include "model/client.hpp"
#include "model/ghosts.hpp"
#include "tests/model/literals.hpp"

#include <doctest/doctest.h>

namespace ringfence::model {

namespace {

Configuration disturbed() {
    return {.rules = {},
            .bounds = {.threads = 2, .partitions = 2},
            .disturbances = {.late_request = 2},
            .ghosts = {}};
}

Work from_to(Offset first, Offset position, std::uint8_t elders = 0) {
    return {.first = first, .position = position, .elders = elders};
}

// Thread A works on p0 from 0 to 1 in an open transaction of epoch 0.
Cluster working() {
    Cluster cluster;
    cluster.threads[0].tasks[0] = {.phase = TaskPhase::running, .position = 1};
    cluster.threads[0].producers[0] = {.epoch = e0, .added = 1};
    cluster.transactional_ids[0] = {
        .epoch = e0, .state = TransactionState::ongoing, .partitions = 1};
    return cluster;
}

Request end_of_a(Epoch epoch = e0) {
    return {.verb = Verb::end_txn_commit, .producer = of_a, .epoch = epoch};
}
Request produce_of_a(Offset record = 0) {
    return {.verb = Verb::produce, .producer = of_a, .epoch = e0, .record = record};
}

// ---- EndTxn(commit): what it ends ----

}  // namespace

TEST_CASE("an EndTxn in flight ends what its client has open, and keeps nothing itself") {
    const Configuration configuration = disturbed();
    Cluster cluster = working();
    Request sent = end_of_a();
    sent.work[0] = from_to(0, 1);
    put_in_flight(configuration, cluster, sent);
    CHECK(cluster.in_flight[0].work == Works{});
    CHECK(message_in(configuration, cluster, 0).work[0] == from_to(0, 1));
    cluster.threads[0].tasks[0].position = 2;
    CHECK(message_in(configuration, cluster, 0).work[0] == from_to(0, 2));
    SUBCASE("under its own epoch alone") {
        cluster.threads[0].producers[0].epoch = e1;
        CHECK(message_in(configuration, cluster, 0).work == Works{});
    }
    SUBCASE("without what was decided already") {
        cluster.threads[0].tasks[0].decided = 1;
        CHECK(message_in(configuration, cluster, 0).work[0] == from_to(1, 2));
        cluster.threads[0].tasks[0].decided = 2;
        CHECK(message_in(configuration, cluster, 0).work == Works{});
    }
    SUBCASE("with what was left with it before") {
        cluster.in_flight[0].work[0] = from_to(0, 1, 0b00010);
        cluster.threads[0].tasks[0] = {.phase = TaskPhase::running, .first = 1, .position = 2};
        CHECK(message_in(configuration, cluster, 0).work[0] == from_to(0, 2, 0b00010));
        cluster.threads[0].tasks[0].first = 2;
        CHECK(message_in(configuration, cluster, 0).work[0] == from_to(0, 1, 0b00010));
        cluster.in_flight[0].work[0].first = 1;
        cluster.in_flight[0].work[0].position = 2;
        CHECK(message_in(configuration, cluster, 0).work[0] == from_to(1, 2, 0b00010));
    }
}

TEST_CASE("a client that loses its transaction leaves its work with the EndTxn in flight") {
    Configuration configuration = disturbed();
    Cluster cluster = working();
    cluster.threads[0].tasks[0].elders = 0b00001;
    cluster.in_flight[0] = end_of_a();
    cluster.in_flight[1] = produce_of_a();
    sort_messages(cluster);
    const std::size_t end = cluster.in_flight[0].verb == Verb::end_txn_commit ? 0 : 1;
    const auto work_left = [&] { return cluster.in_flight[end].work[0]; };
    const StreamThread before = cluster.threads[0];
    SUBCASE("it has it still: nothing") {
        leave_work(configuration, cluster, before, a);
        CHECK(work_left() == Work{});
    }
    SUBCASE("it has done more since: nothing") {
        cluster.threads[0].tasks[0].position = 2;
        leave_work(configuration, cluster, before, a);
        CHECK(work_left() == Work{});
    }
    SUBCASE("it has lost its task") {
        cluster.threads[0].tasks[0] = Task{};
        leave_work(configuration, cluster, before, a);
        CHECK(work_left() == from_to(0, 1, 0b00001));
        CHECK(cluster.in_flight[1 - end].work == Works{});
    }
    SUBCASE("it has begun again behind it") {
        cluster.threads[0].tasks[0].first = 1;
        cluster.threads[0].tasks[0].position = 2;
        leave_work(configuration, cluster, before, a);
        CHECK(work_left() == from_to(0, 1, 0b00001));
    }
    SUBCASE("it has gone back before its end") {
        cluster.threads[0].tasks[0].position = 0;
        leave_work(configuration, cluster, before, a);
        CHECK(work_left() == from_to(0, 1, 0b00001));
    }
    SUBCASE("it has a new epoch") {
        cluster.threads[0].producers[0].epoch = e1;
        leave_work(configuration, cluster, before, a);
        CHECK(work_left() == from_to(0, 1, 0b00001));
    }
    SUBCASE("no law asks") {
        configuration.ghosts = {.decided_end = false, .elders = false, .restored = false};
        cluster.threads[0] = StreamThread{};
        leave_work(configuration, cluster, before, a);
        CHECK(work_left() == Work{});
    }
    SUBCASE("the transaction is decided already") {
        cluster.transactional_ids[0].state = TransactionState::prepare_commit;
        cluster.threads[0] = StreamThread{};
        leave_work(configuration, cluster, before, a);
        CHECK(work_left() == Work{});
    }
    SUBCASE("the EndTxn is of an epoch before") {
        cluster.in_flight[end].epoch = e1;
        cluster.threads[0] = StreamThread{};
        leave_work(configuration, cluster, before, a);
        CHECK(work_left() == Work{});
    }
    SUBCASE("the EndTxn is another thread's") {
        cluster.in_flight[end].producer = of_b;
        cluster.transactional_ids[1] = cluster.transactional_ids[0];
        cluster.threads[0] = StreamThread{};
        leave_work(configuration, cluster, before, a);
        CHECK(work_left() == Work{});
    }
    SUBCASE("two tasks, and one is lost") {
        StreamThread both = before;
        both.tasks[1] = {.phase = TaskPhase::running, .first = 1, .position = 2, .elders = 0b00001};
        leave_work(configuration, cluster, both, a);
        CHECK(work_left() == Work{});
        CHECK(cluster.in_flight[end].work[1] == from_to(1, 2, 0b00001));
    }
}

TEST_CASE("what was left with messages is settled with the transaction of their producer") {
    Cluster cluster = working();
    cluster.in_flight[0] = end_of_a();
    cluster.in_flight[1] = end_of_a();
    cluster.in_flight[1].producer = of_b;
    cluster.in_flight[2] = {.verb = Verb::txn_offset_commit, .producer = of_a, .epoch = e0};
    for (std::size_t place = 0; place < 3; ++place) {
        cluster.in_flight[place].work[0] = from_to(0, 1);
    }
    sort_messages(cluster);
    settle_work(cluster, of_a);
    for (std::size_t place = 0; place < 3; ++place) {
        const Request& message = cluster.in_flight[place];
        const bool is_settled = message.verb == Verb::end_txn_commit && message.producer == of_a;
        CHECK(message.work[0] == (is_settled ? Work{} : from_to(0, 1)));
    }
}

TEST_CASE("an EndTxn that is refused settles nothing") {
    const Configuration configuration = disturbed();
    Cluster cluster = working();
    cluster.threads[0] = StreamThread{};
    cluster.in_flight[0] = end_of_a();
    cluster.in_flight[0].work[0] = from_to(0, 1);
    const Cluster before = cluster;
    CHECK(handle(configuration, cluster, end_of_a(e1)).error == Error::producer_fenced);
    CHECK(cluster == before);
    CHECK(handle(configuration, cluster, end_of_a()).decided_commit);
    CHECK(cluster.in_flight[0].work == Works{});
}

TEST_CASE("a decision is noted with the client that holds the epoch, and no one else") {
    Configuration configuration = disturbed();
    Cluster cluster = working();
    cluster.threads[1] = cluster.threads[0];
    Request commit = end_of_a();
    commit.work[0] = from_to(0, 1);
    SUBCASE("its work and its records are decided") {
        note_decision(configuration, cluster, commit);
        CHECK(cluster.threads[0].tasks[0].decided == 1);
        CHECK(cluster.threads[0].producers[0].decided == 0b1);
        CHECK(cluster.threads[0].tasks[1].decided == 0);
        CHECK(cluster.threads[1].tasks[0].decided == 0);
    }
    SUBCASE("it has another epoch by now") {
        cluster.threads[0].producers[0].epoch = e1;
        const Cluster before = cluster;
        note_decision(configuration, cluster, commit);
        CHECK(cluster == before);
    }
    SUBCASE("no law asks") {
        configuration.ghosts = {
            .decided_end = false, .elders = false, .stray = false, .restored = false};
        const Cluster before = cluster;
        note_decision(configuration, cluster, commit);
        CHECK(cluster == before);
    }
    SUBCASE("each of the laws asks for its own") {
        configuration.ghosts = {.decided_end = false, .elders = false, .restored = true};
        configuration.ghosts.stray = false;
        note_decision(configuration, cluster, commit);
        CHECK(cluster.threads[0].tasks[0].decided == 1);
        CHECK(cluster.threads[0].producers[0].decided == 0);
    }
    SUBCASE("nothing is late") {
        configuration.disturbances = {};
        const Cluster before = cluster;
        note_decision(configuration, cluster, commit);
        CHECK(cluster == before);
    }
}

// ---- offsets in flight ----

TEST_CASE("of offsets in flight, the ghosts of a plain commit alone are kept") {
    Configuration configuration = disturbed();
    Request commit{.verb = Verb::offset_commit};
    commit.work[0] = {.first = 1, .position = 2, .elders = 0b00011, .wrong_records = 0b1};
    const auto sent = [&](Verb verb) {
        Cluster cluster;
        commit.verb = verb;
        put_in_flight(configuration, cluster, commit);
        return cluster.in_flight[0].work;
    };
    CHECK(sent(Verb::offset_commit)[0] == from_to(1, 2, 0b00011));
    CHECK(sent(Verb::txn_offset_commit)[0] == from_to(0, 2));
    configuration.ghosts.decided_end = false;
    CHECK(sent(Verb::offset_commit)[0] == from_to(1, 2, 0b00011));
    configuration.ghosts = {.elders = false};
    CHECK(sent(Verb::offset_commit)[0] == from_to(1, 2));
    configuration.ghosts = {.decided_end = false, .elders = false};
    CHECK(sent(Verb::offset_commit)[0] == from_to(0, 2));
}

TEST_CASE("whoever fetches supersedes the work in flight of those that were there before") {
    Cluster cluster;
    cluster.in_flight[0] = {.verb = Verb::offset_commit};
    cluster.in_flight[0].work[0] = from_to(0, 1, 0b00001);
    cluster.in_flight[1] = {.verb = Verb::txn_offset_commit};
    cluster.in_flight[1].work[0] = from_to(0, 1);
    sort_messages(cluster);
    const auto elders_of = [&](Verb verb) {
        const std::size_t place = cluster.in_flight[0].verb == verb ? 0 : 1;
        return cluster.in_flight[place].work[0].elders;
    };
    supersede_in_flight(cluster, a, p0);
    CHECK(elders_of(Verb::offset_commit) == 0b00001);
    supersede_in_flight(cluster, b, p1);
    CHECK(elders_of(Verb::offset_commit) == 0b00001);
    supersede_in_flight(cluster, b, p0);
    CHECK(elders_of(Verb::offset_commit) == (0b00001 | Work::superseded));
    CHECK(elders_of(Verb::txn_offset_commit) == 0);
    forget_elder(cluster, b, 0);
    CHECK(elders_of(Verb::offset_commit) == (0b00001 | Work::superseded));
    forget_elder(cluster, a, 0);
    CHECK(elders_of(Verb::offset_commit) == Work::superseded);
}

TEST_CASE("where no law asks for elders, a fetch supersedes nothing in flight") {
    Configuration configuration = disturbed();
    Cluster cluster = working();
    cluster.in_flight[0] = {.verb = Verb::offset_commit};
    cluster.in_flight[0].work[0] = from_to(0, 1);
    configuration.ghosts.elders = false;
    remember_fetch(configuration, cluster, b, p0);
    CHECK(cluster.in_flight[0].work[0].elders == 0);
    configuration.ghosts.elders = true;
    remember_fetch(configuration, cluster, b, p0);
    CHECK(cluster.in_flight[0].work[0].elders == Work::superseded);
}

TEST_CASE("an abort that is heard of taints what was decided as a commit in its transaction") {
    const Configuration configuration = disturbed();
    Cluster cluster = working();
    Producer client = cluster.threads[0].producers[0];
    remember_heard_abort(configuration, cluster, client);
    CHECK(cluster == working());
    client.decided = 0b10;
    remember_heard_abort(configuration, cluster, client);
    CHECK(cluster.ghosts[0].tainted == 0);
    CHECK(cluster.ghosts[1].tainted == 1);
}

TEST_CASE("messages follow their member and their producer") {
    Cluster cluster;
    cluster.in_flight[0] = {
        .verb = Verb::txn_offset_commit, .producer = of_a, .member = GivenMember::in(MemberId{0})};
    cluster.in_flight[1] = {
        .verb = Verb::txn_offset_commit, .producer = of_b, .member = GivenMember::in(MemberId{1})};
    rename_member(cluster, MemberId{0}, MemberId{4});
    CHECK(cluster.in_flight[0].member == GivenMember::in(MemberId{4}));
    CHECK(cluster.in_flight[1].member == GivenMember::in(MemberId{1}));
    forget_member(cluster, MemberId{4});
    CHECK(cluster.in_flight[0].member == GivenMember::stale());
    CHECK(cluster.in_flight[1].member == GivenMember::in(MemberId{1}));
    rename_producer(cluster, of_b, ProducerId{5});
    CHECK(cluster.in_flight[0].producer == of_a);
    CHECK(cluster.in_flight[1].producer == ProducerId{5});
    CHECK(is_in_flight(cluster, of_a));
    CHECK(!is_in_flight(cluster, of_b));
    CHECK(!is_in_flight(Cluster{}, ProducerId{0}));
}

// ---- batches in flight ----

TEST_CASE("an append moves on whatever carries its sequence, and that alone") {
    Configuration configuration = disturbed();
    Cluster cluster = working();
    cluster.in_flight[0] = produce_of_a();
    SUBCASE("its copy is behind, and so is its client's retry") {
        count_append(configuration, cluster, produce_of_a());
        CHECK(cluster.in_flight[0].behind == 1);
        CHECK(cluster.threads[0].producers[0].appended == 0b1);
    }
    SUBCASE("what was appended once more moves nothing") {
        Request again = produce_of_a();
        again.behind = 1;
        count_append(configuration, cluster, again);
        CHECK(cluster.in_flight[0].behind == 0);
        CHECK(cluster.threads[0].producers[0].appended == 0);
    }
    SUBCASE("a batch of another epoch has its own sequences") {
        cluster.in_flight[0].epoch = e1;
        count_append(configuration, cluster, produce_of_a());
        CHECK(cluster.in_flight[0].behind == 0);
    }
    SUBCASE("so has one to another partition") {
        cluster.in_flight[0].partition = p1;
        count_append(configuration, cluster, produce_of_a());
        CHECK(cluster.in_flight[0].behind == 0);
    }
    SUBCASE("and one of another producer") {
        cluster.in_flight[0].producer = of_b;
        count_append(configuration, cluster, produce_of_a());
        CHECK(cluster.in_flight[0].behind == 0);
    }
    SUBCASE("what is no batch has none") {
        cluster.in_flight[0].verb = Verb::add_partition;
        count_append(configuration, cluster, produce_of_a());
        CHECK(cluster.in_flight[0].behind == 0);
    }
    SUBCASE("seven is as far as it counts") {
        cluster.in_flight[0].behind = 7;
        count_append(configuration, cluster, produce_of_a());
        CHECK(cluster.in_flight[0].behind == 7);
    }
    SUBCASE("a client that ends its transaction sends no batch again") {
        cluster.threads[0].producers[0].phase = TransactionPhase::must_abort;
        count_append(configuration, cluster, produce_of_a());
        CHECK(cluster.threads[0].producers[0].appended == 0);
    }
    SUBCASE("nor does one with another epoch") {
        cluster.threads[0].producers[0].epoch = e1;
        count_append(configuration, cluster, produce_of_a());
        CHECK(cluster.threads[0].producers[0].appended == 0);
    }
    SUBCASE("where nothing is late, nothing is counted") {
        configuration.disturbances = {};
        count_append(configuration, cluster, produce_of_a());
        CHECK(cluster.in_flight[0].behind == 0);
        CHECK(cluster.threads[0].producers[0].appended == 0);
    }
}

TEST_CASE("whoever takes its next epoch by itself gives up no batch at the largest one") {
    Configuration configuration = disturbed();
    Cluster cluster = working();
    const auto may = [&] { return may_bump_by_itself(configuration, cluster, {.thread = a}); };
    Epoch& epoch = cluster.threads[0].producers[0].epoch;
    epoch.raw = static_cast<std::uint8_t>(configuration.bounds.epoch + 1U);
    CHECK(may());
    configuration.rules.bumps_after_abort = BumpsAfterAbort::by_itself;
    CHECK(!may());
    --epoch.raw;
    CHECK(may());
}

TEST_CASE(
    "an abort marks the batches in flight of its producer and epoch, but what is in the log") {
    const Request abort{.verb = Verb::end_txn_abort, .producer = of_a, .epoch = e0};
    const auto is_marked = [&](Request message) {
        Cluster cluster;
        cluster.in_flight[0] = message;
        mark_aborted(cluster, abort);
        return cluster.in_flight[0].is_aborted;
    };
    CHECK(is_marked(produce_of_a()));
    Request other = produce_of_a();
    other.behind = 1;
    CHECK(!is_marked(other));
    other = produce_of_a();
    other.producer = of_b;
    CHECK(!is_marked(other));
    other = produce_of_a();
    other.epoch = e1;
    CHECK(!is_marked(other));
    other = produce_of_a();
    other.verb = Verb::add_partition;
    CHECK(!is_marked(other));
}

TEST_CASE("what is written overtakes the questions of its producer at its partition") {
    Configuration configuration = disturbed();
    const auto guard_after = [&](Request message, Epoch marker) {
        Cluster cluster;
        cluster.in_flight[0] = message;
        overtake_in_flight(configuration, cluster, of_a, p0.bit(), marker);
        return cluster.in_flight[0].guard;
    };
    Request waiting = produce_of_a();
    waiting.guard = Guard::current;
    CHECK(guard_after(waiting, {}) == Guard::overtaken);
    CHECK(guard_after(produce_of_a(), {}) == Guard::none);
    Request other = waiting;
    other.producer = of_b;
    CHECK(guard_after(other, {}) == Guard::current);
    other = waiting;
    other.partition = p1;
    CHECK(guard_after(other, {}) == Guard::current);
    CHECK(guard_after(waiting, e0) == Guard::overtaken);
    configuration.rules.transaction_version = TransactionVersion::two;
    CHECK(guard_after(waiting, e0) == Guard::current);
    CHECK(guard_after(waiting, e1) == Guard::overtaken);
}

}  // namespace ringfence::model
