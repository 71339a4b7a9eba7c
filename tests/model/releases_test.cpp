// Rules that changed between Kafka releases, where the acceptance tables do not say so already.
#include "model/rules.hpp"

#include <doctest/doctest.h>

namespace ringfence::model {

namespace {

Rules rules_with_client(std::string_view client) {
    return rules_of_release("3.5", client, Guarantee::at_least_once).rules;
}
Rules rules_with_broker(std::string_view broker) {
    return rules_of_release(broker, "3.5", Guarantee::exactly_once).rules;
}

}  // namespace

TEST_CASE("Streams 1.0 to 2.4 closes its tasks when a commit meets a rebalance") {
    CHECK(rules_with_client("0.11").rebalance_reaction == RebalanceReaction::retry);
    CHECK(rules_with_client("1.0").rebalance_reaction == RebalanceReaction::rejoin);
    CHECK(rules_with_client("2.4").rebalance_reaction == RebalanceReaction::rejoin);
    CHECK(rules_with_client("2.5").rebalance_reaction == RebalanceReaction::retry);
}

TEST_CASE("brokers up to 2.3 test the state of the group before the member") {
    CHECK(rules_with_broker("2.3").rebalance_test == RebalanceTest::first);
    CHECK(rules_with_broker("2.4").rebalance_test == RebalanceTest::last);
}

TEST_CASE("brokers have treated partial group metadata in three ways") {
    CHECK(rules_with_broker("2.8").partial_metadata == PartialMetadata::tests_given);
    CHECK(rules_with_broker("3.0").partial_metadata == PartialMetadata::tests_both_always);
    CHECK(rules_with_broker("3.2").partial_metadata == PartialMetadata::tests_both_always);
    CHECK(rules_with_broker("3.3").partial_metadata == PartialMetadata::tests_both);
}

TEST_CASE("brokers verify from 3.6 on, and offsets from 3.7 on") {
    CHECK(rules_with_broker("3.5").verification == Verification::off);
    CHECK(rules_with_broker("3.6").verification == Verification::guarded);
    CHECK(rules_with_broker("3.6").verified_requests == VerifiedRequests::produce);
    CHECK(rules_with_broker("3.7").verified_requests == VerifiedRequests::all);
    const Guarantee plain = Guarantee::at_least_once;
    CHECK(rules_of_release("4.3", "4.3", plain).rules.verification == Verification::off);
}

TEST_CASE("the older side decides how a verification that fails is told") {
    const auto refusal = [](std::string_view broker, std::string_view client) {
        return rules_of_release(broker, client, Guarantee::exactly_once_v2)
            .rules.verification_refusal;
    };
    CHECK(refusal("3.7", "3.9") == VerificationRefusal::invalid_txn_state);
    CHECK(refusal("3.9", "3.7") == VerificationRefusal::invalid_txn_state);
    CHECK(refusal("3.8", "3.8") == VerificationRefusal::transaction_abortable);
}

TEST_CASE("brokers of 4.0 tell what is pending first, and verify each epoch") {
    CHECK(rules_with_broker("3.9").pending_test == PendingTest::after_epoch);
    CHECK(rules_with_broker("3.9").verification_skipped == VerificationSkipped::at_any_epoch);
    CHECK(rules_with_broker("4.0").pending_test == PendingTest::before_epoch);
    CHECK(rules_with_broker("4.0").verification_skipped == VerificationSkipped::at_same_epoch);
}

TEST_CASE("leaders test epochs and sequences earlier with every release of 4") {
    CHECK(rules_with_broker("4.0").leader_epoch_test == LeaderEpochTest::after_guard);
    CHECK(rules_with_broker("4.1").leader_epoch_test == LeaderEpochTest::before_question);
    CHECK(rules_with_broker("4.2").leader_epoch_test == LeaderEpochTest::first);
    CHECK(rules_with_broker("4.0").first_sequence_test == Test::off);
    CHECK(rules_with_broker("4.1").first_sequence_test == Test::on);
    CHECK(rules_with_broker("4.1").marker_epoch_test == MarkerEpochTest::not_smaller);
    CHECK(rules_with_broker("4.2").marker_epoch_test ==
          MarkerEpochTest::greater_or_equal_with_nothing_open);
}

TEST_CASE("both sides of 4.0 or newer speak transaction version 2, and 4.0.0 bumps twice") {
    const auto rules = [](std::string_view broker, std::string_view client) {
        return rules_of_release(broker, client, Guarantee::exactly_once_v2).rules;
    };
    CHECK(rules("3.9", "4.0").transaction_version == TransactionVersion::one);
    CHECK(rules("4.0", "3.9").transaction_version == TransactionVersion::one);
    CHECK(rules("4.0", "3.9").fence_bumps_epoch == AbortBump::yes);
    CHECK(rules("4.0", "4.0").transaction_version == TransactionVersion::two);
    CHECK(rules("4.0", "4.1").fence_bumps_epoch == AbortBump::twice);
    CHECK(rules("4.0", "4.1").timeout_bumps_epoch == AbortBump::twice);
    CHECK(rules("4.1", "4.0").timeout_bumps_epoch == AbortBump::yes);
}

TEST_CASE("no release has changelogs unless they are asked for") {
    for (const std::string_view release : release_catalogue()) {
        const Rules rules = rules_of_release(release, release, Guarantee::exactly_once).rules;
        CHECK(rules.changelog == Changelog::no);
    }
}

}  // namespace ringfence::model
