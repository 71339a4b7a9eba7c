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

TEST_CASE("no release has changelogs unless they are asked for") {
    for (const std::string_view release : release_catalogue()) {
        const Rules rules = rules_of_release(release, release, Guarantee::exactly_once).rules;
        CHECK(rules.changelog == Changelog::no);
    }
}

}  // namespace ringfence::model
