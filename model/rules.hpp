// CATALOGUE 1: every safety mechanism of the protocol as a switch.
//
// A *scheme* (v1 with clients 3.0 to 3.9, v2, ...) and a *Kafka release* are nothing but named sets
// of these rules, so that "how did it evolve, and why" can be asked of the checker. The defaults
// are exactly_once_v2 with transaction version 1 on brokers that verify nothing (up to 3.5); of
// what matters only otherwise, what Kafka does today.
//
// To add a rule: an enum and a member here, one line in rule_catalogue() in rules.cpp, the place in
// an actor's file that reads it, and a test that shows a law fall under the wrong value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ringfence::model {

// Kafka Streams' processing.guarantee. v1 (exactly_once) has one producer per task, v2 one per
// stream thread (KIP-447), at_least_once has no transactions at all.
enum class Guarantee : std::uint8_t { exactly_once_v2, exactly_once, at_least_once };

// What a thread does about its tasks before it sends JoinGroup (KIP-429).
enum class ClosesBeforeRejoin : std::uint8_t {
    cooperative,  // keeps them; gives up under the new generation what it must (Streams 2.4+)
    eager,        // commits and closes all of them (Streams up to 2.3)
    no,           // keeps them, and commits the work of lost ones with its next transaction
};

// What a client may still do after the group coordinator refused its TxnOffsetCommit.
enum class AfterRefusedOffsets : std::uint8_t { only_aborts, may_commit };

// What TxnOffsetCommit says about the sender (KIP-447, KAFKA-9365, KAFKA-12574).
enum class GroupMetadata : std::uint8_t { full, generation_only, member_only, group_id_only };

// How the group coordinator treats a TxnOffsetCommit that gives only one of member and generation:
// 3.3 and later test both as soon as one is given, but nothing where no generation is given and the
// group is empty; 2.5 to 2.8 test each by itself; 3.0 to 3.2 test both even in an empty group.
enum class PartialMetadata : std::uint8_t { tests_both, tests_given, tests_both_always };

enum class Test : std::uint8_t { on, off };
enum class Switch : std::uint8_t { yes, no };

// KIP-890. Under version 2 the brokers add a partition to the transaction as the first batch or
// offset arrives there, and the epoch is bumped with every end of a transaction.
enum class TransactionVersion : std::uint8_t { one, two };

// Whether the leader of a partition asks the transaction coordinator before the first append of a
// transaction (version 2: has it add the partition), and whether the answer still counts once a
// marker or another batch of the producer was written meanwhile (KAFKA-14884).
enum class Verification : std::uint8_t { off, guarded, unguarded };
enum class VerifiedRequests : std::uint8_t { all, produce };  // 3.7: TxnOffsetCommit too

// Which open transaction of the producer spares the leader the question.
enum class VerificationSkipped : std::uint8_t { at_same_epoch, at_any_epoch };

// How a verification that fails is told (KIP-1050).
enum class VerificationRefusal : std::uint8_t { transaction_abortable, invalid_txn_state };

// Where the leader tests the epoch of a batch: before everything else (4.1.1), before it asks the
// coordinator and again after the guard (4.1.0), or only after the guard (up to 4.0).
enum class LeaderEpochTest : std::uint8_t { first, before_question, after_guard };

// Which epochs of version 2's markers a leader accepts, compared with the one that it knows. Those
// of version 1 must not be smaller.
enum class MarkerEpochTest : std::uint8_t {
    greater_or_equal_with_nothing_open,  // 4.2 and later
    greater,
    not_smaller,  // up to 4.1
};

// When the transaction coordinator answers an add CONCURRENT_TRANSACTIONS while markers are owed:
// after the epoch was tested (up to 3.9), or before.
enum class PendingTest : std::uint8_t { after_epoch, before_epoch };

// How often an abort by the coordinator bumps the epoch; 4.0.0 does it twice under version 2.
enum class AbortBump : std::uint8_t { yes, no, twice };

enum class OffsetFetch : std::uint8_t { stable, any };  // requireStable, KIP-447

// When a plain OffsetCommit meets REBALANCE_IN_PROGRESS, while members sync: once member and
// generation have passed (2.4 and later), or before they are looked at (up to 2.3).
enum class RebalanceTest : std::uint8_t { last, first };

// What a client does then: it tries again (2.5 and later), or takes it for a lost membership,
// CommitFailedException (1.0 to 2.4).
enum class RebalanceReaction : std::uint8_t { retry, rejoin };

// Order of InitProducerId and OffsetFetch when a task starts.
enum class StartOrder : std::uint8_t { either, init_then_fetch, fetch_then_init };

// What a transactional.id names. `automatic`: task under v1, thread under v2.
enum class IdScope : std::uint8_t { automatic, task, thread, instance, random };

// EndTxn from a client: which epochs pass (KAFKA-9600: "at least" before 2.6).
enum class EndTxnEpochTest : std::uint8_t { equal, at_least, none };

// When the group coordinator acknowledges a marker (KAFKA-17507).
enum class MarkerAcknowledged : std::uint8_t { on_materialisation, on_append };

// What a client does when it is fenced (spring-kafka 1424).
enum class FenceReaction : std::uint8_t {
    rejoin,        // closes all tasks dirty, leaves, joins as a new member (Kafka Streams)
    stop,          // the thread ends
    refetch,       // re-initialises the producer, fetches the offset again, goes on
    reinitialise,  // re-initialises the producer and goes on with the next record
};

// What a client does about a request of its producer whose answer it never hears.
enum class UnknownOutcome : std::uint8_t {
    retry,         // sends the identical request again, for ever (Kafka)
    reinitialise,  // InitProducerId, and does the work again (franz-go since 6ecd2f9f)
    forget,        // after EndTxn: keeps its epoch and does the work again (franz-go before)
    abort,         // after EndTxn(commit): EndTxn(abort), and does the work again
};

// Whether tasks have a changelog, and how far a new owner restores it: up to its end offset, open
// transactions included, which it waits for (2.6 and later), or up to the last stable offset.
enum class Changelog : std::uint8_t {
    no,
    restored_to_end_offset,
    restored_to_last_stable_offset,
};

// How a client goes on that has given a batch up, and with it the sequence (KIP-360).
enum class BumpsAfterAbort : std::uint8_t {
    yes,        // aborts, and then asks for a new epoch, its own given (2.5 and later)
    no,         // aborts, and creates another producer
    by_itself,  // takes the next epoch without asking, and aborts under that (KAFKA-9600)
};

struct Rules {
    Guarantee guarantee = Guarantee::exactly_once_v2;
    ClosesBeforeRejoin closes_before_rejoin = ClosesBeforeRejoin::cooperative;
    AfterRefusedOffsets after_refused_offsets = AfterRefusedOffsets::only_aborts;
    GroupMetadata group_metadata = GroupMetadata::full;
    Test member_test = Test::on;
    Test generation_test = Test::on;
    Test ownership_test = Test::off;  // KAFKA-20191: proposed, in no release
    PartialMetadata partial_metadata = PartialMetadata::tests_both;
    RebalanceTest rebalance_test = RebalanceTest::last;
    RebalanceReaction rebalance_reaction = RebalanceReaction::retry;
    OffsetFetch offset_fetch = OffsetFetch::stable;
    StartOrder start_order = StartOrder::either;
    IdScope transactional_id = IdScope::automatic;
    TransactionVersion transaction_version = TransactionVersion::one;
    AbortBump fence_bumps_epoch = AbortBump::yes;  // KAFKA-5231, KAFKA-19367
    Switch init_bumps_epoch = Switch::yes;
    Switch init_waits = Switch::yes;                 // for the former transaction to be complete
    AbortBump timeout_bumps_epoch = AbortBump::yes;  // KAFKA-6119, KAFKA-19367
    PendingTest pending_test = PendingTest::after_epoch;
    Test add_epoch_test = Test::on;      // transaction coordinator, AddPartitions/AddOffsets
    Test output_epoch_test = Test::on;   // leader of an output partition, Produce
    Test offsets_epoch_test = Test::on;  // leader of the offsets partition, TxnOffsetCommit
    Verification verification = Verification::off;
    VerifiedRequests verified_requests = VerifiedRequests::all;
    VerificationSkipped verification_skipped = VerificationSkipped::at_same_epoch;
    VerificationRefusal verification_refusal = VerificationRefusal::transaction_abortable;
    LeaderEpochTest leader_epoch_test = LeaderEpochTest::first;
    Test sequence_test = Test::on;           // leader of an output partition, Produce
    Test first_sequence_test = Test::on;     // version 2: KAFKA-18202
    Test coordinator_epoch_test = Test::on;  // leaders, WriteTxnMarkers
    MarkerEpochTest marker_epoch_test = MarkerEpochTest::greater_or_equal_with_nothing_open;
    EndTxnEpochTest end_txn_epoch_test = EndTxnEpochTest::equal;
    MarkerAcknowledged marker_acknowledged = MarkerAcknowledged::on_materialisation;
    FenceReaction fence_reaction = FenceReaction::rejoin;
    BumpsAfterAbort bumps_after_abort = BumpsAfterAbort::no;
    UnknownOutcome unknown_outcome = UnknownOutcome::retry;
    Switch commits_kept_offsets = Switch::no;  // offsets kept from before a rejoin
    Switch aborts_at_will = Switch::no;
    Changelog changelog = Changelog::no;

    friend bool operator==(const Rules&, const Rules&) = default;
};

// One rule of the catalogue, for everything that reads or lists rules by name.
struct RuleEntry {
    std::string_view name;                     // as in --rule NAME=VALUE
    std::span<const std::string_view> values;  // in the order of the enumerators
    std::string_view what;                     // one sentence
    std::string_view source;                   // section, KIP, ticket
    std::size_t (*get)(const Rules&);          // index into values
    void (*set)(Rules&, std::size_t index);
};

[[nodiscard]] std::span<const RuleEntry> rule_catalogue();

// Names of rules of later work, which are refused by name and never approximated.
[[nodiscard]] std::span<const std::string_view> rules_not_built();

// A named set of rules: "v2", "v1_clients_2.6_to_2.8", "at_least_once", ...
struct Scheme {
    std::string_view name;
    std::string_view what;
    Rules rules;
};

[[nodiscard]] std::span<const Scheme> scheme_catalogue();

// The reason why Kafka itself has no such combination of rules, if it has none; such rules can be
// checked all the same as a forced experiment. Empty for a possible combination.
[[nodiscard]] std::optional<std::string> reason_to_refuse(const Rules& rules);

// The rules of a broker and a client release ("2.5", "3.4", ...) under a guarantee, with the newest
// transaction version that both have. A release stands for its first version: "4.1" is 4.1.0.
// `refusal` says in Kafka's words why there are none; such rules may be forced.
struct ReleaseRules {
    Rules rules;
    std::optional<std::string> refusal;
};
[[nodiscard]] ReleaseRules rules_of_release(std::string_view broker, std::string_view client,
                                            Guarantee guarantee);

// Known release names, oldest first: "0.11", "1.0", ..., "4.3".
[[nodiscard]] std::span<const std::string_view> release_catalogue();

}  // namespace ringfence::model
