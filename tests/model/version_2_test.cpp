// Stories of KIP-890: version 2 of the transaction protocol, and leaders that ask first.
#include "model/rights.hpp"
#include "tests/model/story.hpp"
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace ringfence::tests {

namespace {

using model::Disturbances;
using model::Epoch;
using model::Error;
using model::Fate;
using model::KafkaModel;
using model::ProducerId;
using model::TransactionPhase;
using model::TransactionState;
using model::Verb;

constexpr ProducerId of_a{0};

KafkaModel version_2(std::initializer_list<std::string_view> changes = {}) {
    const model::Rules rules =
        with(rules_of_scheme("v2"), {"transaction_version=2", "verification=guarded"});
    return KafkaModel(with(rules, changes), {}, {});
}

KafkaModel verifying(std::initializer_list<std::string_view> changes = {}) {
    const model::Rules rules =
        with(rules_of_scheme("v2"), {"verification=guarded", "timeout_bumps_epoch=no"});
    return KafkaModel(with(rules, changes), {}, {});
}

Epoch epoch(unsigned number) { return Epoch{static_cast<std::uint8_t>(number + 1)}; }

// A has p0, is initialised and knows where to begin.
void start(Story& story) {
    story.succeed({.verb = Verb::complete_join});
    story.succeed({.verb = Verb::sync_group, .thread = thread_a, .assignment = assignment(1)});
    story.succeed({.verb = Verb::init_producer_id, .thread = thread_a});
    story.succeed({.verb = Verb::fetch_offset, .thread = thread_a, .partition = p0});
}

void process(Story& story) {
    story.succeed({.verb = Verb::add_partition, .thread = thread_a});
    story.succeed({.verb = Verb::produce, .thread = thread_a});
}

void commit(Story& story) {
    story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
    story.succeed({.verb = Verb::txn_offset_commit, .thread = thread_a});
    story.succeed({.verb = Verb::end_txn_commit, .thread = thread_a});
}

void finish_transaction(Story& story) {
    if (story.can({.verb = Verb::write_marker})) { story.succeed({.verb = Verb::write_marker}); }
    if (story.can({.verb = Verb::write_offsets_marker})) {
        story.succeed({.verb = Verb::write_offsets_marker});
    }
    story.succeed({.verb = Verb::complete_txn});
}

// The coordinator has answered about A's batch, and before it is appended the transaction times
// out and all its markers are written.
void answer_and_overtake(Story& story) {
    start(story);
    story.succeed({.verb = Verb::add_partition, .thread = thread_a});
    story.succeed({.verb = Verb::verify_partition, .thread = thread_a});
    story.succeed({.verb = Verb::time_out_txn});
    finish_transaction(story);
}

}  // namespace

TEST_CASE("version 2 ends a transaction with a new epoch, and the client goes on with it") {
    const KafkaModel model = version_2();
    Story story(model);
    start(story);
    process(story);
    commit(story);
    CHECK(story.id(0).epoch == epoch(1));
    CHECK(story.thread(thread_a).producers[0].epoch == epoch(1));
    CHECK(story.now().outputs[0][0].epoch == epoch(0));
    finish_transaction(story);
    CHECK(story.now().outputs[0][0].epoch == epoch(1));
    CHECK(story.now().group.offsets[0].epoch == epoch(1));
    process(story);
    CHECK(story.now().outputs[0][0].open == 0b0100);
}

TEST_CASE("version 1 fences the abort of what timed out") {
    const KafkaModel model =
        version_2({"transaction_version=1", "verification=off", "aborts_at_will=yes"});
    Story story(model);
    start(story);
    process(story);
    story.succeed({.verb = Verb::time_out_txn});
    finish_transaction(story);
    CHECK(story.error_of({.verb = Verb::end_txn_abort, .thread = thread_a}) ==
          Error::producer_fenced);
}

TEST_CASE("version 2 takes the abort of what timed out for a retry") {
    const KafkaModel model = version_2({"aborts_at_will=yes"});
    Story story(model);
    start(story);
    process(story);
    story.succeed({.verb = Verb::time_out_txn});
    CHECK(story.error_of({.verb = Verb::end_txn_abort, .thread = thread_a}) ==
          Error::concurrent_transactions);
    finish_transaction(story);
    story.succeed({.verb = Verb::end_txn_abort, .thread = thread_a});
    CHECK(story.id(0).state == TransactionState::complete_abort);
    CHECK(story.thread(thread_a).producers[0].epoch == epoch(1));
    process(story);
    commit(story);
}

TEST_CASE("a refused TxnOffsetCommit leaves the offsets partition in version 2's transaction") {
    const KafkaModel model = version_2();
    Story story(model);
    start(story);
    process(story);
    story.succeed({.verb = Verb::expel_member, .thread = thread_a});
    story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
    CHECK(story.error_of({.verb = Verb::txn_offset_commit, .thread = thread_a}) ==
          Error::unknown_member_id);
    CHECK((story.id(0).partitions & model::offsets_partition_bit) != 0);
    story.succeed({.verb = Verb::end_txn_abort, .thread = thread_a});
    CHECK(story.can({.verb = Verb::write_offsets_marker}));
}

TEST_CASE("a Produce that waits for the former transaction begins the next one at the client") {
    const KafkaModel model = version_2({"aborts_at_will=yes"});
    Story story(model);
    start(story);
    process(story);
    commit(story);
    CHECK(story.error_of({.verb = Verb::add_partition, .thread = thread_a}) ==
          Error::concurrent_transactions);
    CHECK(story.thread(thread_a).producers[0].has_open_transaction());
    finish_transaction(story);
    story.succeed({.verb = Verb::end_txn_abort, .thread = thread_a});
    CHECK(story.id(0).state == TransactionState::prepare_abort);
    CHECK(story.id(0).epoch == epoch(2));
    story.succeed({.verb = Verb::complete_txn});
}

TEST_CASE("a second record of an open transaction is not asked about") {
    const KafkaModel model = version_2();
    Story story(model);
    start(story);
    process(story);
    CHECK_FALSE(story.can({.verb = Verb::add_partition}));
    story.succeed({.verb = Verb::produce, .thread = thread_a});
}

TEST_CASE("verification refuses a batch whose transaction has ended") {
    const KafkaModel model = verifying();
    Story story(model);
    start(story);
    story.succeed({.verb = Verb::add_partition, .thread = thread_a});
    CHECK_FALSE(story.can({.verb = Verb::produce}));
    story.succeed({.verb = Verb::time_out_txn});
    CHECK(story.error_of({.verb = Verb::verify_partition, .thread = thread_a}) ==
          Error::not_enough_replicas);
    finish_transaction(story);
    CHECK(story.error_of({.verb = Verb::verify_partition, .thread = thread_a}) ==
          Error::transaction_abortable);
    CHECK(story.thread(thread_a).producers[0].phase == TransactionPhase::must_abort);
}

TEST_CASE("the guard refuses a batch that a marker has overtaken") {
    const KafkaModel model = verifying();
    Story story(model);
    answer_and_overtake(story);
    CHECK_FALSE(could_append(model.configuration(), story.now(), thread_a, p0));
    CHECK(story.error_of({.verb = Verb::produce, .thread = thread_a}) == Error::invalid_txn_state);
    CHECK(story.now().outputs[0][0].open == 0);
}

TEST_CASE("no transaction ends while a batch of it waits at its leader") {
    const KafkaModel model = verifying({"aborts_at_will=yes"});
    Story story(model);
    start(story);
    story.succeed({.verb = Verb::add_partition, .thread = thread_a});
    CHECK(story.can({.verb = Verb::end_txn_abort}));
    story.succeed({.verb = Verb::verify_partition, .thread = thread_a});
    CHECK_FALSE(story.can({.verb = Verb::end_txn_abort}));
    story.succeed({.verb = Verb::produce, .thread = thread_a});
    CHECK(story.can({.verb = Verb::end_txn_abort}));
}

TEST_CASE("without a guard the batch hangs") {
    const KafkaModel model = verifying({"verification=unguarded"});
    Story story(model);
    answer_and_overtake(story);
    CHECK(could_append(model.configuration(), story.now(), thread_a, p0));
    story.succeed({.verb = Verb::produce, .thread = thread_a});
    CHECK(story.now().outputs[0][0].open == 0b0001);
    CHECK(story.id(of_a.value).partitions == 0);
}

TEST_CASE("since 3.7 leaders ask about offsets too") {
    const KafkaModel model = verifying();
    Story story(model);
    start(story);
    story.succeed({.verb = Verb::add_partition, .thread = thread_a});
    story.succeed({.verb = Verb::verify_partition, .thread = thread_a});
    story.succeed({.verb = Verb::produce, .thread = thread_a});
    story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
    CHECK_FALSE(story.can({.verb = Verb::txn_offset_commit}));
    CHECK(holds_commit_right(model.configuration(), story.now(), thread_a, p0));
    story.succeed({.verb = Verb::verify_offsets, .thread = thread_a});
    CHECK(holds_commit_right(model.configuration(), story.now(), thread_a, p0));
    story.succeed({.verb = Verb::txn_offset_commit, .thread = thread_a});
    story.succeed({.verb = Verb::end_txn_commit, .thread = thread_a});
}

TEST_CASE("offsets that are overtaken end the thread") {
    const KafkaModel model = verifying();
    Story story(model);
    start(story);
    story.succeed({.verb = Verb::add_partition, .thread = thread_a});
    story.succeed({.verb = Verb::verify_partition, .thread = thread_a});
    story.succeed({.verb = Verb::produce, .thread = thread_a});
    story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
    story.succeed({.verb = Verb::verify_offsets, .thread = thread_a});
    story.succeed({.verb = Verb::time_out_txn});
    finish_transaction(story);
    CHECK_FALSE(holds_commit_right(model.configuration(), story.now(), thread_a, p0));
    CHECK(story.error_of({.verb = Verb::txn_offset_commit, .thread = thread_a}) ==
          Error::invalid_txn_state);
    CHECK(story.thread(thread_a).life == model::Life::down);
}

TEST_CASE("the next coordinator sends all markers again, acknowledged or not") {
    const KafkaModel model(rules_of_scheme("v2"), {}, {.transaction_coordinator_failover = 1});
    Story story(model);
    start(story);
    process(story);
    commit(story);
    story.succeed({.verb = Verb::write_marker});
    CHECK(story.id(0).partitions == model::offsets_partition_bit);
    story.succeed({.verb = Verb::fail_over_coordinator, .producer = of_a});
    CHECK(story.id(0).state == TransactionState::prepare_commit);
    CHECK(story.id(0).partitions == (model::offsets_partition_bit | p0.bit()));
    CHECK_FALSE(story.can({.verb = Verb::complete_txn}));
    finish_transaction(story);
    CHECK(story.id(0).decided == 0);
    CHECK(story.now().ghosts[0].visible == 0b0001);
}

TEST_CASE("on a refused marker the coordinator gives up, and its successor sends all again") {
    const model::Rules rules =
        with(rules_of_scheme("v2"),
             {"transaction_version=2", "verification=guarded", "marker_epoch_test=greater"});
    const KafkaModel model(rules, {}, {.lost_answer = 1, .transaction_coordinator_failover = 1});
    Story story(model);
    start(story);
    process(story);
    commit(story);
    const Wanted marker{.verb = Verb::write_marker};
    story.take({.verb = Verb::write_marker, .fate = Fate::unanswered});
    CHECK(story.error_of(marker) == Error::invalid_producer_epoch);
    CHECK(story.id(0).gave_up == model::GaveUp::on_a_marker);
    CHECK_FALSE(story.can(marker));
    story.succeed({.verb = Verb::write_offsets_marker});
    CHECK_FALSE(story.can({.verb = Verb::complete_txn}));
    CHECK(story.id(0).state == TransactionState::prepare_commit);
    story.succeed({.verb = Verb::fail_over_coordinator, .producer = of_a});
    CHECK(story.id(0).gave_up == model::GaveUp::no);
    CHECK(story.id(0).partitions == (model::offsets_partition_bit | p0.bit()));
    CHECK(story.error_of(marker) == Error::invalid_producer_epoch);
}

// UnifiedLog.updateProducers keeps a question through a marker of its own epoch alone, and 4.2
// writes an older marker again where it is the last one and nothing is open (checkProducerEpoch).
TEST_CASE("a copy of the last marker takes the guard of a TxnOffsetCommit under a newer epoch") {
    const model::Rules rules =
        with(rules_of_scheme("v2"),
             {"transaction_version=2", "verification=guarded", "aborts_at_will=yes"});
    const KafkaModel model(rules, {}, {.duplicated_marker = 1});
    Story story(model);
    start(story);
    process(story);
    commit(story);
    story.succeed({.verb = Verb::write_offsets_marker, .fate = Fate::duplicated});
    finish_transaction(story);
    process(story);
    const Wanted copy{.verb = Verb::deliver_marker};
    SUBCASE("one of the same epoch leaves it alone") {
        story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
        story.succeed(copy);
        story.succeed({.verb = Verb::txn_offset_commit, .thread = thread_a});
    }
    SUBCASE("a transaction without offsets has moved the epoch on") {
        story.succeed({.verb = Verb::end_txn_abort, .thread = thread_a});
        finish_transaction(story);
        process(story);
        story.succeed({.verb = Verb::add_offsets, .thread = thread_a});
        CHECK(story.now().group.offsets[0].epoch == epoch(1));
        CHECK(story.thread(thread_a).producers[0].epoch == epoch(2));
        story.succeed(copy);
        CHECK(story.error_of({.verb = Verb::txn_offset_commit, .thread = thread_a}) ==
              Error::invalid_txn_state);
        CHECK(story.thread(thread_a).life == model::Life::down);
    }
}

TEST_CASE(
    "the marker of a coordinator that was replaced is refused by whom its successor reached") {
    const KafkaModel model(rules_of_scheme("v2"), {},
                           {.duplicated_marker = 1, .transaction_coordinator_failover = 1});
    Story story(model);
    start(story);
    process(story);
    commit(story);
    story.succeed({.verb = Verb::write_marker, .fate = Fate::duplicated});
    model::Cluster cluster = story.now();
    const auto take = [&](const model::Action& action) { return model.apply(cluster, action); };
    static_cast<void>(
        take({.verb = Verb::fail_over_coordinator, .producer = of_a, .spends_budget = true}));
    CHECK(take({.verb = Verb::write_marker, .producer = of_a}).error == Error::none);
    CHECK(cluster.outputs[0][0].coordinator_epoch == 1);
    CHECK(take({.verb = Verb::deliver_marker}).error == Error::transaction_coordinator_fenced);
}

TEST_CASE("a request to a coordinator that was replaced is not handled by its successor") {
    const KafkaModel model(rules_of_scheme("v2"), {}, {.transaction_coordinator_failover = 1});
    Story story(model);
    start(story);
    process(story);
    model::Cluster cluster = story.now();
    cluster.in_flight[0] = {.verb = Verb::end_txn_abort, .producer = of_a, .epoch = epoch(0)};
    cluster.in_flight[1] = {.verb = Verb::produce, .producer = of_a, .epoch = epoch(0)};
    static_cast<void>(model.apply(
        cluster, {.verb = Verb::fail_over_coordinator, .producer = of_a, .spends_budget = true}));
    CHECK(cluster.in_flight[0].verb == Verb::produce);
    CHECK(cluster.in_flight[1].is_none());
}

TEST_CASE("a leader forgets a producer of which nothing is open, and with it the epoch") {
    const KafkaModel model(rules_of_scheme("v2"), {}, {.producer_expiry = 2});
    Story story(model);
    start(story);
    CHECK_FALSE(story.can({.verb = Verb::expire_producer}));
    process(story);
    CHECK_FALSE(story.can({.verb = Verb::expire_producer}));
    commit(story);
    CHECK_FALSE(story.can({.verb = Verb::expire_offsets_producer}));
    finish_transaction(story);
    story.succeed({.verb = Verb::expire_producer, .partition = p0, .producer = of_a});
    CHECK(!story.now().outputs[0][0].epoch.is_known());
    CHECK(story.now().group.offsets[0].epoch.is_known());
    story.succeed({.verb = Verb::expire_offsets_producer, .producer = of_a});
    CHECK(!story.now().group.offsets[0].epoch.is_known());
}

}  // namespace ringfence::tests
