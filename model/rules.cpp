#include "model/rules.hpp"

#include <array>

namespace ringfence::model {

namespace {

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 3> guarantees{"exactly_once_v2", "exactly_once",
                                                     "at_least_once"};
constexpr std::array<std::string_view, 3> closings{"cooperative", "eager", "no"};
constexpr std::array<std::string_view, 2> after_refusals{"only_aborts", "may_commit"};
constexpr std::array<std::string_view, 4> metadata{"full", "generation_only", "member_only",
                                                   "group_id_only"};
constexpr std::array<std::string_view, 3> partial{"tests_both", "tests_given", "tests_both_always"};
constexpr std::array<std::string_view, 2> rebalance_tests{"last", "first"};
constexpr std::array<std::string_view, 2> rebalance_reactions{"retry", "rejoin"};
constexpr std::array<std::string_view, 2> on_off{"on", "off"};
constexpr std::array<std::string_view, 2> yes_no{"yes", "no"};
constexpr std::array<std::string_view, 3> yes_no_twice{"yes", "no", "twice"};
constexpr std::array<std::string_view, 2> fetches{"stable", "any"};
constexpr std::array<std::string_view, 2> versions{"1", "2"};
constexpr std::array<std::string_view, 3> verifications{"off", "guarded", "unguarded"};
constexpr std::array<std::string_view, 2> verified{"all", "produce"};
constexpr std::array<std::string_view, 2> skips{"at_same_epoch", "at_any_epoch"};
constexpr std::array<std::string_view, 2> verification_refusals{"transaction_abortable",
                                                                "invalid_txn_state"};
constexpr std::array<std::string_view, 3> leader_tests{"first", "before_question", "after_guard"};
constexpr std::array<std::string_view, 3> marker_tests{"greater_or_equal_with_nothing_open",
                                                       "greater", "not_smaller"};
constexpr std::array<std::string_view, 2> pending_tests{"after_epoch", "before_epoch"};
constexpr std::array<std::string_view, 3> orders{"either", "init_then_fetch", "fetch_then_init"};
constexpr std::array<std::string_view, 5> scopes{"automatic", "task", "thread", "instance",
                                                 "random"};
constexpr std::array<std::string_view, 3> bumps_after_abort{"yes", "no", "by_itself"};
constexpr std::array<std::string_view, 3> end_tests{"equal", "at_least", "none"};
constexpr std::array<std::string_view, 2> acknowledgements{"on_materialisation", "on_append"};
constexpr std::array<std::string_view, 3> changelogs{"no", "restored_to_end_offset",
                                                     "restored_to_last_stable_offset"};
constexpr std::array<std::string_view, 4> unknown_outcomes{"retry", "reinitialise", "forget",
                                                           "abort"};
constexpr std::array<std::string_view, 4> reactions{"rejoin", "stop", "refetch", "reinitialise"};

// An entry for one member: the enumerators count from 0 in the order of the names.
template <auto member>
constexpr RuleEntry entry(std::string_view name, Names values, std::string_view what,
                          std::string_view source) {
    return {.name = name,
            .values = values,
            .what = what,
            .source = source,
            .get = [](const Rules& rules) { return static_cast<std::size_t>(rules.*member); },
            .set =
                [](Rules& rules, std::size_t index) {
                    rules.*member =
                        static_cast<std::remove_reference_t<decltype(rules.*member)>>(index);
                }};
}

constexpr std::array<RuleEntry, 39> catalogue{{
    entry<&Rules::guarantee>("guarantee", guarantees,
                             "processing.guarantee: one producer per thread (v2), per task (v1), "
                             "or no transactions",
                             "KIP-447, KIP-129"),
    entry<&Rules::closes_before_rejoin>("closes_before_rejoin", closings,
                                        "what a thread does about its tasks before it rejoins",
                                        "KIP-429"),
    entry<&Rules::after_refused_offsets>(
        "after_refused_offsets", after_refusals,
        "what a client may send after its TxnOffsetCommit was refused", "TransactionManager"),
    entry<&Rules::group_metadata>("group_metadata", metadata,
                                  "what TxnOffsetCommit says about its sender",
                                  "KIP-447, KAFKA-9365, KAFKA-12574"),
    entry<&Rules::member_test>("member_test", on_off,
                               "the group coordinator tests the member id of an offset commit",
                               "KIP-447"),
    entry<&Rules::generation_test>("generation_test", on_off,
                                   "the group coordinator tests the generation of an offset commit",
                                   "KIP-447"),
    entry<&Rules::ownership_test>(
        "ownership_test", on_off,
        "the group coordinator tests that the member owns the partitions (in no release)",
        "KAFKA-20191"),
    entry<&Rules::partial_metadata>("partial_metadata", partial,
                                    "a commit that gives only a member or only a generation has "
                                    "both tested (3.3), or the given one (2.5 to 2.8), or both "
                                    "even in an empty group (3.0 to 3.2)",
                                    "ClassicGroup.validateOffsetCommit"),
    entry<&Rules::rebalance_test>("rebalance_test", rebalance_tests,
                                  "a plain commit meets REBALANCE_IN_PROGRESS after the tests of "
                                  "member and generation (2.4), or before them (up to 2.3)",
                                  "GroupCoordinator.doCommitOffsets, 2.3 and 2.4"),
    entry<&Rules::rebalance_reaction>("rebalance_reaction", rebalance_reactions,
                                      "a client that meets it tries again (2.5), or closes its "
                                      "tasks and rejoins (1.0 to 2.4)",
                                      "ConsumerCoordinator, 2.4 and 2.5"),
    entry<&Rules::offset_fetch>("offset_fetch", fetches,
                                "OffsetFetch waits while a transactional offset is pending",
                                "KIP-447 (requireStable)"),
    entry<&Rules::start_order>("start_order", orders,
                               "order of InitProducerId and OffsetFetch when a task starts",
                               "StreamTask, 2.5 and 2.6"),
    entry<&Rules::transactional_id>("transactional_id", scopes,
                                    "what a transactional.id names; automatic: task under v1, "
                                    "thread under v2",
                                    "spring-kafka 800, Materialize 23363, KAFKA-10716"),
    entry<&Rules::transaction_version>(
        "transaction_version", versions,
        "1: clients add partitions, epochs live on; 2: brokers add them as batches arrive, every "
        "end of a transaction bumps the epoch",
        "KIP-890"),
    entry<&Rules::fence_bumps_epoch>("fence_bumps_epoch", yes_no_twice,
                                     "InitProducerId over an ongoing transaction bumps the epoch "
                                     "before it aborts (4.0.0 with version 2: twice)",
                                     "KAFKA-5231, KAFKA-19367"),
    entry<&Rules::init_bumps_epoch>("init_bumps_epoch", yes_no,
                                    "InitProducerId bumps the epoch that it answers", "KIP-98"),
    entry<&Rules::init_waits>("init_waits", yes_no,
                              "InitProducerId waits until the former transaction is complete",
                              "KIP-98"),
    entry<&Rules::timeout_bumps_epoch>("timeout_bumps_epoch", yes_no_twice,
                                       "an abort by transaction timeout bumps the epoch (4.0.0 "
                                       "with version 2: twice)",
                                       "KAFKA-6119, KAFKA-19367"),
    entry<&Rules::pending_test>("pending_test", pending_tests,
                                "while markers are owed an add is told so after the test of its "
                                "epoch (up to 3.9), or before it (4.0)",
                                "handleAddPartitionsToTransaction"),
    entry<&Rules::add_epoch_test>("add_epoch_test", on_off,
                                  "the transaction coordinator tests the epoch of "
                                  "AddPartitionsToTxn and AddOffsetsToTxn",
                                  "KIP-98"),
    entry<&Rules::output_epoch_test>("output_epoch_test", on_off,
                                     "the leader of an output partition tests the epoch of Produce",
                                     "KIP-98"),
    entry<&Rules::offsets_epoch_test>(
        "offsets_epoch_test", on_off,
        "the leader of the offsets partition tests the epoch of TxnOffsetCommit", "KIP-98"),
    entry<&Rules::verification>(
        "verification", verifications,
        "before the first append of a transaction the leader asks the coordinator whether it has "
        "the partition (3.6); unguarded: an answer counts however late",
        "KIP-890, KAFKA-14402, KAFKA-14884"),
    entry<&Rules::verified_requests>("verified_requests", verified,
                                     "what leaders ask about: Produce and TxnOffsetCommit (3.7), "
                                     "or only Produce (3.6)",
                                     "KAFKA-14884, GroupCoordinator"),
    entry<&Rules::verification_skipped>("verification_skipped", skips,
                                        "leaders do not ask where the producer has a transaction "
                                        "open at the same epoch (4.0), or at any (3.6 to 3.9)",
                                        "UnifiedLog.hasOngoingTransaction"),
    entry<&Rules::verification_refusal>(
        "verification_refusal", verification_refusals,
        "what a client hears of a partition that is not in the transaction (3.8, or 3.6 and 3.7)",
        "KIP-1050"),
    entry<&Rules::leader_epoch_test>(
        "leader_epoch_test", leader_tests,
        "leaders test the epoch before all else (4.1.1), before they ask and after the guard "
        "(4.1.0), or only after the guard (up to 4.0)",
        "KAFKA-18042, KAFKA-19690"),
    entry<&Rules::sequence_test>("sequence_test", on_off,
                                 "leaders of outputs test sequence numbers: a batch that was "
                                 "appended already is not appended again, a gap is refused",
                                 "KIP-98"),
    entry<&Rules::first_sequence_test>(
        "first_sequence_test", on_off,
        "under version 2 the first batch of an unknown producer id must have sequence 0 (4.1)",
        "KAFKA-18202"),
    entry<&Rules::marker_epoch_test>(
        "marker_epoch_test", marker_tests,
        "which epochs of version 2's markers a leader accepts: above the known one, or equal where "
        "nothing is open (4.2); only above it; all that are not smaller (up to 4.1)",
        "KIP-1228, KAFKA-19446, KAFKA-19999"),
    entry<&Rules::coordinator_epoch_test>("coordinator_epoch_test", on_off,
                                          "leaders refuse markers of a transaction coordinator "
                                          "that was replaced, once they have seen "
                                          "one of its successor",
                                          "KIP-98"),
    entry<&Rules::end_txn_epoch_test>("end_txn_epoch_test", end_tests,
                                      "which epochs EndTxn accepts from a client", "KAFKA-9600"),
    entry<&Rules::marker_acknowledged>("marker_acknowledged", acknowledgements,
                                       "when the group coordinator acknowledges a marker",
                                       "KAFKA-17507"),
    entry<&Rules::fence_reaction>("fence_reaction", reactions, "what a client does when fenced",
                                  "spring-kafka 1424"),
    entry<&Rules::bumps_after_abort>(
        "bumps_after_abort", bumps_after_abort,
        "a client that has given a batch up aborts and goes on with its producer: with "
        "InitProducerId, its epoch given, or under version 2 with the epoch that it is answered; "
        "by_itself: it takes the next epoch without asking, and aborts under that",
        "KIP-360, KAFKA-9600"),
    entry<&Rules::unknown_outcome>(
        "unknown_outcome", unknown_outcomes,
        "what a client does about a request that is never answered: sends it again, initialises "
        "anew, or, about the end of a transaction, forgets it or aborts",
        "KAFKA-17754, franz-go 6ecd2f9f"),
    entry<&Rules::commits_kept_offsets>(
        "commits_kept_offsets", yes_no,
        "a careless client commits work from before it was expelled under its new membership",
        "KIP-447"),
    entry<&Rules::aborts_at_will>("aborts_at_will", yes_no,
                                  "a client may abort a transaction for reasons of its own",
                                  "KIP-98"),
    entry<&Rules::changelog>("changelog", changelogs,
                             "tasks write a changelog, which a new owner restores before it "
                             "processes: up to its end offset (2.6), or up to the last stable one "
                             "(up to 2.5)",
                             "KAFKA-10167"),
}};

}  // namespace

std::span<const RuleEntry> rule_catalogue() { return catalogue; }

std::span<const std::string_view> rules_not_built() {
    static constexpr std::array<std::string_view, 4> names{
        "epoch_at_exhaustion", "group_protocol", "static_members", "assignment_epoch_test"};
    return names;
}

namespace {

constexpr Rules v1_up_to_2_5{.guarantee = Guarantee::exactly_once,
                             .group_metadata = GroupMetadata::group_id_only,
                             .start_order = StartOrder::init_then_fetch};
constexpr Rules v1_2_6_to_2_8{.guarantee = Guarantee::exactly_once};
constexpr Rules v1_3_0_to_3_9{.guarantee = Guarantee::exactly_once,
                              .group_metadata = GroupMetadata::group_id_only};

}  // namespace

std::span<const Scheme> scheme_catalogue() {
    static constexpr std::array<Scheme, 5> schemes{{
        {"v2",
         "exactly_once_v2: one producer per thread, fenced by member and generation (KIP-447)",
         Rules{}},
        {"v1_clients_up_to_2.5",
         "exactly_once: one producer per task, initialised before the offset is fetched",
         v1_up_to_2_5},
        {"v1_clients_2.6_to_2.8",
         "exactly_once: initialised and fetched in either order, full group metadata",
         v1_2_6_to_2_8},
        {"v1_clients_3.0_to_3.9",
         "exactly_once: in either order, and TxnOffsetCommit names only the group (KAFKA-12574)",
         v1_3_0_to_3_9},
        {"at_least_once", "no transactions: plain appends and plain offset commits",
         Rules{.guarantee = Guarantee::at_least_once}},
    }};
    return schemes;
}

}  // namespace ringfence::model
