// Which rules a Kafka release has. Facts and their sources: model/README.md.
#include "model/rules.hpp"

#include <algorithm>
#include <array>

namespace ringfence::model {

namespace {

constexpr std::array<std::string_view, 26> releases{
    "0.11", "1.0", "1.1", "2.0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "3.0",
    "3.1",  "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.8", "3.9", "4.0", "4.1", "4.2", "4.3"};

// Position in the list: releases compare as these do.
std::size_t number(std::string_view release) {
    return static_cast<std::size_t>(std::ranges::find(releases, release) - releases.begin());
}

bool is_before(std::string_view release, std::string_view other) {
    return number(release) < number(other);
}

void set_broker_rules(Rules& rules, std::string_view broker) {
    // Plain commits carried and were tested for both long before transactional ones.
    const bool is_transactional = rules.guarantee != Guarantee::at_least_once;
    if (is_before(broker, "2.5") && is_transactional) {
        rules.member_test = Test::off;
        rules.generation_test = Test::off;
    }
    if (is_before(broker, "2.5")) { rules.offset_fetch = OffsetFetch::any; }
    if (is_before(broker, "3.0")) {
        rules.partial_metadata = PartialMetadata::tests_given;
    } else if (is_before(broker, "3.3")) {
        rules.partial_metadata = PartialMetadata::tests_both_always;
    }
    if (is_before(broker, "2.4")) { rules.rebalance_test = RebalanceTest::first; }
    if (is_before(broker, "2.6")) { rules.end_txn_epoch_test = EndTxnEpochTest::at_least; }
    // 0.11.0.0 and 0.11.0.1; the bump of a fence (KAFKA-5231) came before the first release.
    if (broker == "0.11") { rules.timeout_bumps_epoch = AbortBump::no; }
    const bool is_materialised_late = !is_before(broker, "2.0") && is_before(broker, "4.0");
    if (is_materialised_late) { rules.marker_acknowledged = MarkerAcknowledged::on_append; }
}

// KIP-890 at the leaders.
void set_verification(Rules& rules, std::string_view broker) {
    if (is_before(broker, "3.6")) { return; }
    rules.verification = Verification::guarded;
    if (is_before(broker, "3.7")) { rules.verified_requests = VerifiedRequests::produce; }
    if (is_before(broker, "4.0")) {
        rules.verification_skipped = VerificationSkipped::at_any_epoch;
    } else {
        rules.pending_test = PendingTest::before_epoch;
    }
    if (is_before(broker, "4.1")) {
        rules.leader_epoch_test = LeaderEpochTest::after_guard;
        rules.first_sequence_test = Test::off;
    } else if (is_before(broker, "4.2")) {
        rules.leader_epoch_test = LeaderEpochTest::before_question;
    }
    if (is_before(broker, "4.2")) { rules.marker_epoch_test = MarkerEpochTest::not_smaller; }
}

// What needs both sides: the version of the requests is the older one's.
void set_version_rules(Rules& rules, std::string_view broker, std::string_view client) {
    const std::string_view older = is_before(broker, client) ? broker : client;
    const bool verifies = rules.verification != Verification::off;
    if (verifies && is_before(older, "3.8")) {
        rules.verification_refusal = VerificationRefusal::invalid_txn_state;
    }
    if (is_before(older, "4.0")) { return; }
    rules.transaction_version = TransactionVersion::two;
    if (broker == "4.0") { rules.fence_bumps_epoch = rules.timeout_bumps_epoch = AbortBump::twice; }
}

void set_client_rules(Rules& rules, std::string_view client) {
    const bool is_v1 = rules.guarantee == Guarantee::exactly_once;
    if (is_before(client, "2.4")) { rules.closes_before_rejoin = ClosesBeforeRejoin::eager; }
    if (is_before(client, "2.6")) { rules.start_order = StartOrder::init_then_fetch; }
    if (is_before(client, "2.5")) { rules.offset_fetch = OffsetFetch::any; }
    // Streams 0.11 only writes the refusal into its log.
    if (is_before(client, "2.5") && client != "0.11") {
        rules.rebalance_reaction = RebalanceReaction::rejoin;
    }
    const bool names_group_only = is_before(client, "2.6") || !is_before(client, "3.0");
    if (is_v1 && names_group_only) { rules.group_metadata = GroupMetadata::group_id_only; }
}

}  // namespace

std::span<const std::string_view> release_catalogue() { return releases; }

ReleaseRules rules_of_release(std::string_view broker, std::string_view client,
                              Guarantee guarantee) {
    ReleaseRules result{.rules = {.guarantee = guarantee}, .refusal = {}};
    set_broker_rules(result.rules, broker);
    set_client_rules(result.rules, client);
    if (guarantee != Guarantee::at_least_once) {
        set_verification(result.rules, broker);
        set_version_rules(result.rules, broker, client);
    }

    const bool is_v2 = guarantee == Guarantee::exactly_once_v2;
    const bool is_v1 = guarantee == Guarantee::exactly_once;
    if (is_v2 && is_before(client, "2.6")) {
        result.refusal = "Kafka Streams before 2.6 has no exactly_once_beta or exactly_once_v2";
    } else if (is_v2 && is_before(broker, "2.5")) {
        result.refusal =
            "exactly_once_v2 needs brokers of 2.5 or newer: UnsupportedVersionException "
            "(OffsetFetch without requireStable)";
    } else if (is_v1 && !is_before(client, "4.0")) {
        result.refusal = "Kafka Streams 4.0 removed exactly_once (KAFKA-16331)";
    }
    return result;
}

std::optional<std::string> reason_to_refuse(const Rules& rules) {
    const bool is_v2 = rules.guarantee == Guarantee::exactly_once_v2;
    const bool is_eager = rules.closes_before_rejoin == ClosesBeforeRejoin::eager;
    if (is_v2 && is_eager) {
        return "exactly_once_v2 rejoins cooperatively, but for an upgrade.from of 2.3 or older, "
               "and Kafka documents no such upgrade straight to it: closes_before_rejoin = eager "
               "is no way to run it";
    }
    return {};
}

}  // namespace ringfence::model
