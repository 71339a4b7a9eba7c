// The vocabulary of steps. An action is a small value; choosing one is apart from applying it.
#pragma once

#include "model/ids.hpp"
#include "model/work.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace ringfence::model {

// In the order of the protocol: group, task start, processing, commit, markers, disturbances.
enum class Verb : std::uint8_t {
    join_group,          // a thread without a member id joins as a new member
    rejoin_group,        // a member rejoins: asked to, or to trigger the follow-up rebalance
    complete_join,       // the join phase ends; the generation moves
    sync_group,          // a member gets its assignment; the first one chooses it for all
    leave_group,         // after a dirty close, or (a voluntary rebalance) in good health
    learn_of_expulsion,  // a thread hears UNKNOWN_MEMBER_ID and closes its tasks dirty
    init_producer_id,
    fetch_offset,
    restore_changelog,  // reads how far to restore: changelog.hpp
    add_partition,      // AddPartitionsToTxn; version 2: by the leader, to whom a Produce has come
    verify_partition,   // the leader of an output asks about a Produce: verification.hpp
    produce,
    add_offsets,     // AddOffsetsToTxn; version 2: by the leader, for a TxnOffsetCommit
    verify_offsets,  // the leader of the offsets partition asks about a TxnOffsetCommit
    txn_offset_commit,
    offset_commit,  // a plain one (at_least_once)
    end_txn_commit,
    end_txn_abort,
    write_marker,  // to an output partition
    write_changelog_marker,
    write_offsets_marker,
    materialise,            // a queued marker of the offsets partition (KAFKA-17507)
    complete_txn,           // all markers are acknowledged
    deliver_request,        // a request in flight is handled; nobody waits for the answer
    deliver_marker,         // likewise
    expel_member,           // session or rebalance timeout
    time_out_txn,           // transaction.timeout.ms
    fail_over_coordinator,  // another broker reads the log of a transactional id
    expire_producer,  // producer.id.expiration.ms, at the leaders of an output and its changelog
    expire_offsets_producer,  // likewise at the leader of the offsets partition
    trigger_rebalance,        // a healthy member rejoins without need
    crash,
    restart,
};
inline constexpr std::size_t verbs = static_cast<std::size_t>(Verb::restart) + 1;

[[nodiscard]] std::string_view name_of(Verb verb);

// A set of verbs as bits, for laws and witnesses that concern only some (checker::VerbSet).
template <class... Verbs>
[[nodiscard]] constexpr std::uint64_t set_of(Verbs... members) {
    return ((std::uint64_t{1} << static_cast<unsigned>(members)) | ...);
}

// What the network does to a request, or to a marker. All but the first are disturbances.
enum class Fate : std::uint8_t {
    answered,    // it is handled once, and the sender hears the answer
    late,        // it stays in flight, and the sender hears nothing
    duplicated,  // it is handled and answered, and a copy stays in flight
    unanswered,  // it is handled, and the answer is lost
};

struct Action {
    Verb verb{};
    ThreadId thread{};           // who acts, where a thread does
    PartitionId partition{};     // of the task or output concerned, if any
    ProducerId producer{};       // whose coordinator or producer acts, if any
    MemberId member{};           // who is expelled
    bool spends_budget = false;  // a disturbance, as against healing work
    // sync_group by the first member: nibble p is 1 + the slot of the member that gets partition p,
    // 0 if nobody does. Otherwise 0.
    std::uint16_t assignment = 0;
    Fate fate{};               // of a request or marker
    bool gives_up = false;     // Produce without an answer: delivery.timeout.ms passes
    std::uint8_t message = 0;  // which one is delivered: its place in Cluster::in_flight

    friend auto operator<=>(const Action&, const Action&) = default;
};

// All of an action in 38 bits: equal codes are those of equal actions within the largest bounds.
[[nodiscard]] constexpr std::uint64_t code_of(const Action& action) {
    std::uint64_t code = 0;
    const auto append = [&code](unsigned bits, auto value) {
        code = code << bits | static_cast<std::uint64_t>(value);
    };
    append(16, action.assignment);
    append(6, action.verb);
    append(2, action.thread.value);
    append(2, action.partition.value);
    append(3, action.producer.value);
    append(3, action.member.value);
    append(1, action.spends_budget);
    append(2, action.fate);
    append(1, action.gives_up);
    append(2, action.message);
    return code;
}
static_assert(verbs <= 64);

// Answers in Kafka's names; `none` is success.
enum class Error : std::uint8_t {
    none,
    concurrent_transactions,
    producer_fenced,
    invalid_producer_epoch,
    invalid_producer_id_mapping,
    invalid_txn_state,
    unknown_member_id,
    illegal_generation,
    rebalance_in_progress,
    unstable_offset_commit,
    transaction_abortable,
    not_enough_replicas,
    out_of_order_sequence_number,
    transaction_coordinator_fenced,
    network_exception,  // no answer: the client's own name for it
};
inline constexpr std::size_t errors = static_cast<std::size_t>(Error::network_exception) + 1;

[[nodiscard]] std::string_view name_of(Error error);  // "PRODUCER_FENCED", "NONE", ...

// What a step came to. Laws, witnesses and the reasons in traces read it.
struct Outcome {
    Error error = Error::none;    // what the sender hears; of a message in flight, what is said
    Error unheard = Error::none;  // an answer that was lost
    bool appended = false;        // Produce: to the output, and not only found there already
    bool decided_commit = false;  // a transaction (or plain commit) was decided as a commit
    bool fenced_ongoing = false;  // InitProducerId began to abort an ongoing transaction
    bool took_over = false;       // InitProducerId was answered with an epoch
    bool awaits_log = false;      // the leader's question is answered: see verification.hpp
    Epoch epoch{};                // that InitProducerId, or version 2's EndTxn, was answered with
    Works decided{};              // the work of the decided commit
};

// Does a request of this kind say which partition it is about?
[[nodiscard]] constexpr bool names_partition(Verb verb) {
    return (set_of(Verb::add_partition, Verb::produce, Verb::write_marker,
                   Verb::write_changelog_marker) >>
                static_cast<unsigned>(verb) &
            1U) != 0;
}

}  // namespace ringfence::model
