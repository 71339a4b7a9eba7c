// Short stories that a person who knows Kafka can check line by line.
#include "tests/model/story.hpp"
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

namespace ringfence::tests {

namespace {

using model::Disturbances;
using model::Epoch;
using model::Error;
using model::KafkaModel;
using model::Life;
using model::Membership;
using model::ProducerId;
using model::TaskPhase;
using model::TransactionPhase;
using model::TransactionState;
using model::Verb;

KafkaModel v2(const Disturbances& disturbances = {}) {
    return KafkaModel(rules_of_scheme("v2"), {}, disturbances);
}

KafkaModel v1() { return KafkaModel(rules_of_scheme("v1_clients_up_to_2.5"), {}, {}); }

Epoch epoch(unsigned number) { return Epoch{static_cast<std::uint8_t>(number + 1)}; }

// The first generation: A and B are members, A has p0.
void form_group(Story& story) {
    story.succeed({.verb = Verb::complete_join});
    story.succeed({.verb = Verb::sync_group, .thread = thread_a, .assignment = assignment(1)});
    story.succeed({.verb = Verb::sync_group, .thread = thread_b});
}

// The thread starts its task and appends the first record in an open transaction.
void process_first_record(Story& story, model::ThreadId thread) {
    story.succeed({.verb = Verb::init_producer_id, .thread = thread});
    story.succeed({.verb = Verb::fetch_offset, .thread = thread, .partition = p0});
    story.succeed({.verb = Verb::add_partition, .thread = thread, .partition = p0});
    story.succeed({.verb = Verb::produce, .thread = thread, .partition = p0});
}

// A is expelled and does not know it; B, which is still a member, gets p0.
void hand_over_behind_the_back_of_a(Story& story) {
    story.succeed({.verb = Verb::expel_member, .thread = thread_a});
    story.succeed({.verb = Verb::rejoin_group, .thread = thread_b});
    story.succeed({.verb = Verb::complete_join});
    story.succeed({.verb = Verb::sync_group, .thread = thread_b, .assignment = assignment(2)});
}

// All markers of the decided transaction, outputs first.
void finish_transaction(Story& story, ProducerId producer) {
    while (story.can({.verb = Verb::write_marker, .producer = producer})) {
        story.succeed({.verb = Verb::write_marker, .producer = producer});
    }
    if (story.can({.verb = Verb::write_offsets_marker, .producer = producer})) {
        story.succeed({.verb = Verb::write_offsets_marker, .producer = producer});
    }
    story.succeed({.verb = Verb::complete_txn, .producer = producer});
}

}  // namespace

TEST_CASE("a v2 zombie cannot commit after the rebalance") {
    const KafkaModel model = v2();
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);
    hand_over_behind_the_back_of_a(story);

    // The transaction coordinator knows nothing of the group; the group coordinator does.
    story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
    CHECK(story.error_of({.verb = Verb::txn_offset_commit, .thread = thread_a}) ==
          Error::unknown_member_id);

    CHECK_FALSE(story.can({.verb = Verb::end_txn_commit}));
    story.succeed({.verb = Verb::end_txn_abort, .thread = thread_a});
    finish_transaction(story, ProducerId{0});
    CHECK(story.now().ghosts[0].visible == 0);

    story.succeed({.verb = Verb::fetch_offset, .thread = thread_b, .partition = p0});
    CHECK(story.task(thread_b, p0).position == 0);
}

TEST_CASE("a v2 zombie may append, invisibly, after the new owner has started") {
    const KafkaModel model = v2();
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);
    hand_over_behind_the_back_of_a(story);
    process_first_record(story, thread_b);

    story.succeed({.verb = Verb::produce, .thread = thread_a, .partition = p0});
    CHECK(story.now().outputs[0][0].open == 0b0101);  // r1 and r2 of A
    CHECK(story.now().outputs[0][1].open == 0b0001);  // r1 of B
    CHECK(story.now().ghosts[0].visible == 0);
}

TEST_CASE("a v1 zombie is fenced by the epoch") {
    const KafkaModel model = v1();
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);
    hand_over_behind_the_back_of_a(story);
    CHECK(story.take({.verb = Verb::init_producer_id, .thread = thread_b}).fenced_ongoing);

    // No leader has heard of the new epoch yet: the coordinator alone refuses.
    CHECK(story.now().outputs[0][0].epoch == epoch(0));
    CHECK(story.error_of({.verb = Verb::add_offsets, .thread = thread_a}) ==
          Error::producer_fenced);
    CHECK_FALSE(story.can({.verb = Verb::end_txn_commit}));
    CHECK_FALSE(story.can({.verb = Verb::end_txn_abort}));
    CHECK(story.thread(thread_a).membership == Membership::closing);
}

TEST_CASE("a v1 zombie is fenced by the leader once a marker has brought the new epoch") {
    const KafkaModel model = v1();
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);
    hand_over_behind_the_back_of_a(story);
    CHECK(story.take({.verb = Verb::init_producer_id, .thread = thread_b}).fenced_ongoing);

    story.succeed({.verb = Verb::write_marker, .partition = p0});
    CHECK(story.now().outputs[0][0].epoch == epoch(1));
    CHECK(story.error_of({.verb = Verb::produce, .thread = thread_a, .partition = p0}) ==
          Error::invalid_producer_epoch);
}

TEST_CASE("InitProducerId over an ongoing transaction takes two rounds and two bumps") {
    const KafkaModel model = v1();
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);
    CHECK(story.id(0).epoch == epoch(0));
    hand_over_behind_the_back_of_a(story);

    const model::Outcome first = story.take({.verb = Verb::init_producer_id, .thread = thread_b});
    CHECK(first.error == Error::concurrent_transactions);
    CHECK(first.fenced_ongoing);
    CHECK_FALSE(first.took_over);
    CHECK(story.id(0).epoch == epoch(1));
    CHECK(story.id(0).state == TransactionState::prepare_abort);

    // Until the abort is complete, asking again changes nothing.
    const model::Cluster waiting = story.now();
    CHECK(story.error_of({.verb = Verb::init_producer_id, .thread = thread_b}) ==
          Error::concurrent_transactions);
    CHECK(story.now() == waiting);

    finish_transaction(story, ProducerId{0});
    CHECK(story.take({.verb = Verb::init_producer_id, .thread = thread_b}).took_over);
    CHECK(story.id(0).epoch == epoch(2));
    CHECK(story.thread(thread_b).producers[0].epoch == epoch(2));
}

TEST_CASE("an offset pending before a rebalance makes the new owner wait") {
    const KafkaModel model = v2();
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);
    story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
    story.succeed({.verb = Verb::txn_offset_commit, .thread = thread_a});
    hand_over_behind_the_back_of_a(story);

    const Wanted fetch{.verb = Verb::fetch_offset, .thread = thread_b, .partition = p0};
    const model::Cluster waiting = story.now();
    CHECK(story.error_of(fetch) == Error::unstable_offset_commit);
    CHECK(story.now() == waiting);

    // EndTxn tests no generation: what was accepted before the rebalance is decided after it.
    CHECK(story.take({.verb = Verb::end_txn_commit, .thread = thread_a}).decided_commit);
    CHECK(story.error_of(fetch) == Error::unstable_offset_commit);
    story.succeed({.verb = Verb::write_offsets_marker});
    story.succeed(fetch);
    CHECK(story.task(thread_b, p0).position == 1);
}

TEST_CASE("markers of outputs and offsets are independent") {
    const KafkaModel model = v2();
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);
    story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
    story.succeed({.verb = Verb::txn_offset_commit, .thread = thread_a});
    story.succeed({.verb = Verb::end_txn_commit, .thread = thread_a});

    Story offsets_first = story;
    offsets_first.succeed({.verb = Verb::write_offsets_marker});
    CHECK(offsets_first.now().group.committed[0] == 1);
    CHECK(offsets_first.now().ghosts[0].visible == 0);
    CHECK_FALSE(offsets_first.can({.verb = Verb::complete_txn}));
    offsets_first.succeed({.verb = Verb::write_marker, .partition = p0});

    Story output_first = story;
    output_first.succeed({.verb = Verb::write_marker, .partition = p0});
    CHECK(output_first.now().group.committed[0] == 0);
    CHECK(output_first.now().ghosts[0].visible == 1);
    CHECK_FALSE(output_first.can({.verb = Verb::complete_txn}));
    output_first.succeed({.verb = Verb::write_offsets_marker});

    CHECK(offsets_first.now() == output_first.now());
    CHECK(output_first.can({.verb = Verb::complete_txn}));
}

TEST_CASE("a cooperative member commits what it gives up under the new generation") {
    const KafkaModel model = v2({.expulsion = 0, .voluntary_rebalance = 1});
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);

    story.succeed({.verb = Verb::trigger_rebalance, .thread = thread_b});
    story.succeed({.verb = Verb::rejoin_group, .thread = thread_a});
    CHECK(story.task(thread_a, p0).phase == TaskPhase::running);  // it keeps the task meanwhile
    story.succeed({.verb = Verb::complete_join});
    // Claimed by A and wanted for B: nobody gets it in this generation.
    story.succeed({.verb = Verb::sync_group, .thread = thread_b, .assignment = assignment(0)});
    CHECK_FALSE(story.can({.verb = Verb::fetch_offset, .thread = thread_b}));
    story.succeed({.verb = Verb::sync_group, .thread = thread_a});
    CHECK(story.task(thread_a, p0).phase == TaskPhase::revoking);
    CHECK(story.thread(thread_a).generation == 2);
    CHECK_FALSE(story.can({.verb = Verb::rejoin_group, .thread = thread_a}));

    story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
    story.succeed({.verb = Verb::txn_offset_commit, .thread = thread_a});
    CHECK(story.take({.verb = Verb::end_txn_commit, .thread = thread_a}).decided_commit);

    // Only a follow-up rebalance hands the partition on.
    story.succeed({.verb = Verb::rejoin_group, .thread = thread_a});
    CHECK(story.task(thread_a, p0).phase == TaskPhase::none);
    story.succeed({.verb = Verb::rejoin_group, .thread = thread_b});
    story.succeed({.verb = Verb::complete_join});
    story.succeed({.verb = Verb::sync_group, .thread = thread_b, .assignment = assignment(2)});
    CHECK(story.task(thread_b, p0).phase == TaskPhase::needs_fetch);
}

TEST_CASE("a member between the end of the join phase and its sync meets ILLEGAL_GENERATION") {
    const KafkaModel model = v2({.expulsion = 0, .voluntary_rebalance = 1});
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);
    story.succeed({.verb = Verb::trigger_rebalance, .thread = thread_b});
    story.succeed({.verb = Verb::rejoin_group, .thread = thread_a});
    story.succeed({.verb = Verb::complete_join});

    story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
    CHECK(story.error_of({.verb = Verb::txn_offset_commit, .thread = thread_a}) ==
          Error::illegal_generation);
}

TEST_CASE("a crashed thread's member is expelled without budget") {
    const KafkaModel model = v2({.expulsion = 0, .crash = 1});
    Story story(model);
    form_group(story);
    CHECK_FALSE(story.can({.verb = Verb::expel_member}));

    story.succeed({.verb = Verb::crash, .thread = thread_a});
    CHECK(story.thread(thread_a).life == Life::down);
    story.succeed({.verb = Verb::expel_member, .thread = thread_a});
    CHECK_FALSE(story.last().spends_budget);
    CHECK(model.is_healing(story.last()));
    CHECK_FALSE(story.can({.verb = Verb::expel_member, .thread = thread_b}));
    CHECK(story.can({.verb = Verb::rejoin_group, .thread = thread_b}));
}

TEST_CASE("a restart with a random id leaves its transaction to the timeout") {
    const KafkaModel model(with(rules_of_scheme("v2"), {"transactional_id=random"}), {},
                           {.transaction_timeout = 0, .crash = 1, .restart = 1});
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);
    story.succeed({.verb = Verb::crash, .thread = thread_a});
    story.succeed({.verb = Verb::restart, .thread = thread_a});

    // The id of A is a fresh one, and the transaction of the former one is open.
    const ProducerId former{2};
    CHECK(story.id(0) == model::TransactionalId{});
    CHECK(story.id(former.value).state == TransactionState::ongoing);
    CHECK(story.now().outputs[0][former.value].open == 1);

    story.succeed({.verb = Verb::time_out_txn, .producer = former});
    CHECK(model.is_healing(story.last()));
    finish_transaction(story, former);
    CHECK(story.now().ghosts[0].visible == 0);
    CHECK(story.id(former.value) == model::TransactionalId{});  // nothing of it can matter now
}

TEST_CASE("a restart under the same id leaves its transaction to InitProducerId") {
    const KafkaModel model = v2({.transaction_timeout = 0, .crash = 1, .restart = 1});
    Story story(model);
    form_group(story);
    process_first_record(story, thread_a);
    story.succeed({.verb = Verb::crash, .thread = thread_a});
    story.succeed({.verb = Verb::restart, .thread = thread_a});
    CHECK(story.id(0).state == TransactionState::ongoing);

    // The former incarnation is still a member and has to be expelled first.
    story.succeed({.verb = Verb::join_group, .thread = thread_a});
    story.succeed({.verb = Verb::rejoin_group, .thread = thread_b});
    CHECK_FALSE(story.can({.verb = Verb::complete_join}));
    story.succeed({.verb = Verb::expel_member, .thread = thread_a});
    story.succeed({.verb = Verb::complete_join});
    story.succeed({.verb = Verb::sync_group, .thread = thread_a, .assignment = assignment(1)});
    CHECK(story.take({.verb = Verb::init_producer_id, .thread = thread_a}).fenced_ongoing);
}

}  // namespace ringfence::tests
