// CATALOGUE 1: every safety mechanism of the protocol as a switch.
//
// A *scheme* (v1 with clients 3.0 to 3.9, v2, ...) and a *Kafka release* are nothing but named sets
// of these rules, so that "how did it evolve, and why" can be asked of the checker. The default of
// every rule is what Kafka does today under exactly_once_v2 with transaction version 1.
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

// Whether tasks have a changelog, and how far a new owner restores it: up to its end offset, open
// transactions included, which it waits for (2.6 and later), or up to the last stable offset.
enum class Changelog : std::uint8_t {
    no,
    restored_to_end_offset,
    restored_to_last_stable_offset,
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
    Switch fence_bumps_epoch = Switch::yes;  // KAFKA-5231
    Switch init_bumps_epoch = Switch::yes;
    Switch init_waits = Switch::yes;           // for the former transaction to be complete
    Switch timeout_bumps_epoch = Switch::yes;  // KAFKA-6119
    Test add_epoch_test = Test::on;            // transaction coordinator, AddPartitions/AddOffsets
    Test output_epoch_test = Test::on;         // leader of an output partition, Produce
    Test offsets_epoch_test = Test::on;        // leader of the offsets partition, TxnOffsetCommit
    EndTxnEpochTest end_txn_epoch_test = EndTxnEpochTest::equal;
    MarkerAcknowledged marker_acknowledged = MarkerAcknowledged::on_materialisation;
    FenceReaction fence_reaction = FenceReaction::rejoin;
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

// The rules of a broker and a client release ("2.5", "3.4", ...) under a guarantee. `refusal` says
// in Kafka's words, or by the name of what is not built yet, why there are none.
struct ReleaseRules {
    Rules rules;
    std::optional<std::string> refusal;    // Kafka refuses this combination; may be forced
    std::optional<std::string> not_built;  // needs a mechanism of later work; cannot be forced
};
[[nodiscard]] ReleaseRules rules_of_release(std::string_view broker, std::string_view client,
                                            Guarantee guarantee);

// Known release names, oldest first: "0.11", "1.0", ..., "4.3".
[[nodiscard]] std::span<const std::string_view> release_catalogue();

}  // namespace ringfence::model
