// The state of the whole model: what every actor knows, in Kafka's words, and nothing else.
//
// Plain one-byte fields, zero where unused, laid out for the largest bounds; the search stores only
// the bits that ever differ. model/README.md lists every field with its range, when it is reset
// and under which rules it stays constant. A thread never reads another actor's part: it acts on
// what it believes, and that is what makes a zombie.
#pragma once

#include "model/bounds.hpp"
#include "model/ids.hpp"
#include "model/request.hpp"

#include <array>
#include <cstdint>
#include <type_traits>

namespace ringfence::model {

inline constexpr std::size_t producers_max = 8;              // transactional ids
inline constexpr std::size_t members_max = 2 * threads_max;  // slot t, and 4 + t: see MemberSlots
inline constexpr std::uint8_t offsets_partition_bit = 1U << partitions_max;
inline constexpr std::uint8_t coordinator_epoch_max = 15;
inline constexpr std::size_t messages_max = 4;  // in flight

// ---- stream thread: consumer, tasks and producers ----

enum class Life : std::uint8_t { alive, down };

enum class Membership : std::uint8_t {
    out,            // no member id: joins as a new member
    awaiting_join,  // JoinGroup is parked until the join phase ends
    awaiting_sync,  // knows the new generation, not yet its assignment
    in,             // has synced
    closing,        // after a dirty close: leaves, then joins as a new member
};

enum class TaskPhase : std::uint8_t {
    none,  // not this thread's, as far as it believes
    needs_fetch,
    running,
    revoking,    // cooperative: to be committed and given up with the follow-up rebalance
    needs_init,  // v1: fetched, its producer is not initialised
    needs_both,
    kept,  // a careless client: lost, but its work is still to be committed
};

struct Task {
    TaskPhase phase{};
    Offset first = 0;     // where the work of the open transaction begins
    Offset position = 0;  // the next record to process; first < position is progress
    // Ghost, for the law about superseded owners. Bit t: thread t was given the task before this
    // one, or is this one, and has not dropped it yet. `superseded`: a later owner has fetched its
    // start position.
    std::uint8_t elders = 0;
    // Ghost: the work up to here was decided as a commit already, for all the client has heard.
    Offset decided = 0;
    // Restoring (changelog.hpp). Bit k: a transaction of producer k was open on the changelog when
    // its end offset was read, and is not decided there yet.
    std::uint8_t awaited = 0;
    // `restore_due`: the end offset is to be read. Bits 0 to 3, a ghost: the records restored so
    // far; once it processes, those by which its state differs from what its start calls for.
    std::uint8_t restore = 0;

    static constexpr std::uint8_t superseded = 1U << threads_max;
    static constexpr std::uint8_t restore_due = 1U << records_max;

    [[nodiscard]] bool has_progress() const { return first < position; }
    [[nodiscard]] bool is_restored() const { return awaited == 0 && restore < restore_due; }
    [[nodiscard]] bool may_process() const { return phase == TaskPhase::running && is_restored(); }
    // Of a task that processes.
    [[nodiscard]] std::uint8_t wrong_records() const { return restore; }
    friend bool operator==(const Task&, const Task&) = default;
};

// How far the client is with ending its transaction.
enum class TransactionPhase : std::uint8_t {
    working,           // not at all; a transaction is open if a partition was added
    offsets_added,     // AddOffsetsToTxn is acknowledged
    offsets_accepted,  // TxnOffsetCommit is accepted
    must_abort,        // an abortable error: the only EndTxn left is an abort
    offsets_refused,   // TxnOffsetCommit was refused to a client that may commit all the same
    aborting,          // aborts, and then does the work again with the same producer
    aborts_and_bumps,  // the same, but needs a new epoch first (KIP-360)
    bumping,           // has aborted: InitProducerId, its epoch given
};

struct Producer {
    Epoch epoch{};  // none: not initialised
    TransactionPhase phase{};
    std::uint8_t added = 0;      // bit p: AddPartitionsToTxn for output p is acknowledged
    std::uint8_t timed_out = 0;  // ghost: the coordinator timed the open transaction out
    // Batches that wait at their leaders, by the bits of TransactionalId::partitions: the
    // coordinator has answered the question about them (KIP-890); and since then an append or a
    // marker of the producer has overtaken that.
    std::uint8_t verified = 0;
    std::uint8_t overtaken = 0;
    // Requests without an answer, which the client will send again: bit p is a Produce to output p,
    // bit 4 the first one of a commit.
    std::uint8_t unanswered = 0;
    std::uint8_t appended = 0;  // bit p: of those to outputs: its record is in the log already
    // Ghost, bit p: work on p in this transaction was decided as a commit, by a copy that came late
    // or unheard.
    std::uint8_t decided = 0;

    [[nodiscard]] bool has_open_transaction() const {
        return added != 0 || phase != TransactionPhase::working;
    }
    // A record was sent to this output, and is answered or sent again, whatever becomes of the task
    // (Sender: no EndTxn before that, KafkaProducer.abortTransaction).
    [[nodiscard]] bool has_sent(std::size_t output) const {
        return ((unanswered | verified) >> output & 1U) != 0;
    }
    friend bool operator==(const Producer&, const Producer&) = default;
};

struct StreamThread {
    Life life{};
    Membership membership{};
    Generation generation = 0;           // in the consumer's groupMetadata
    std::uint8_t metadata_is_stale = 0;  // groupMetadata still names a member id that was lost
    std::array<Task, partitions_max> tasks{};
    std::array<Producer, partitions_max> producers{};  // v1: of task p; v2: only the first

    friend bool operator==(const StreamThread&, const StreamThread&) = default;
};

// ---- transaction coordinator ----

enum class TransactionState : std::uint8_t {
    empty,
    ongoing,
    prepare_commit,
    prepare_abort,
    complete_commit,
    complete_abort,
};

// A decision whose markers will not all be written before the next coordinator sends them again.
enum class GaveUp : std::uint8_t {
    no,
    before_markers,  // none is sent, and no completion is pending (KAFKA-9600)
    on_a_marker,     // one was refused: the others are written, the completion stays pending
};

struct TransactionalId {
    Epoch epoch{};
    TransactionState state{};
    // Bit p is output p, bit 4 the offsets partition. Ongoing: in the transaction. Prepare: its
    // marker is still owed. Otherwise empty.
    std::uint8_t partitions = 0;
    Epoch marker_epoch{};  // epoch at the decision, where InitProducerId does not wait; else none
    Epoch last_epoch{};    // the one before the last bump, where InitProducerId may give it
    // Where the coordinator may fail over. Prepare: the partitions that the decision names, all of
    // which the next coordinator owes a marker. And how often it has failed over.
    std::uint8_t decided = 0;
    std::uint8_t coordinator_epoch = 0;
    // Prepare: bit p: the marker for changelog p is still owed. A changelog is in the transaction
    // with its output; otherwise empty.
    std::uint8_t changelogs = 0;
    GaveUp gave_up{};  // prepare

    [[nodiscard]] bool owes_no_marker() const { return (partitions | changelogs) == 0; }
    [[nodiscard]] bool is_preparing() const {
        return state == TransactionState::prepare_commit ||
               state == TransactionState::prepare_abort;
    }
    friend bool operator==(const TransactionalId&, const TransactionalId&) = default;
};

// ---- leader of an output partition, per producer id ----

struct OutputEntry {
    Epoch epoch{};           // the newest epoch that was written here; none: never
    std::uint8_t open = 0;   // records of the open transaction: two bits each, a count up to 2
    std::uint8_t stray = 0;  // ghost: open records that no transaction lists, or that were aborted
    std::uint8_t coordinator_epoch = 0;  // of the last marker

    friend bool operator==(const OutputEntry&, const OutputEntry&) = default;
};

// ---- leader of a changelog partition, per producer id ----

class ChangelogEntry {
  public:
    ChangelogEntry() = default;
    constexpr ChangelogEntry(Epoch epoch, std::uint8_t open)
        : bits_(static_cast<std::uint8_t>(epoch.raw << records_max | open)) {}

    [[nodiscard]] Epoch epoch() const { return {static_cast<std::uint8_t>(bits_ >> records_max)}; }
    // Records of the open transaction, a bit each.
    [[nodiscard]] std::uint8_t open() const { return bits_ & ((1U << records_max) - 1U); }
    friend bool operator==(const ChangelogEntry&, const ChangelogEntry&) = default;

    std::uint8_t coordinator_epoch = 0;  // of the last marker

  private:
    std::uint8_t bits_ = 0;  // the epoch above the records: it is at most epoch_max + 1
};
static_assert(epoch_max + 1 < 1U << records_max && 2 * records_max <= 8);

// ---- group coordinator, and leader of the offsets partition ----

enum class GroupPhase : std::uint8_t { empty, preparing, completing, stable };

// An accepted transactional offset that is not decided. `position` orders the records of one
// partition: how many undecided ones were written before it, or `overtaken` once a later one has
// been materialised.
struct PendingOffset {
    static constexpr std::uint8_t overtaken = 15;

    Offset offset = 0;  // 1 to records; 0: nothing is pending
    std::uint8_t position = 0;

    friend bool operator==(const PendingOffset&, const PendingOffset&) = default;
};

struct OffsetsEntry {
    Epoch epoch{};             // the newest epoch of the producer id that was written here
    std::uint8_t queue = 0;    // markers not yet materialised, oldest lowest: 1 commit, 2 abort
    std::uint8_t is_open = 0;  // no marker was written since the last TxnOffsetCommit
    std::uint8_t coordinator_epoch = 0;  // of the last marker
    std::array<PendingOffset, partitions_max> pending{};

    friend bool operator==(const OffsetsEntry&, const OffsetsEntry&) = default;
};

// Member slots: slot t is the member id of thread t's present incarnation, slot 4 + t the one that
// an incarnation before the last restart has left behind, until it is expelled.
struct GroupCoordinator {
    GroupPhase phase{};
    Generation generation = 0;
    std::uint8_t members = 0;  // bit per slot
    std::uint8_t joined = 0;   // bit per slot: waits for the end of the join phase
    std::array<std::uint8_t, partitions_max> assignment{};  // 1 + slot, 0 nobody
    std::array<Offset, partitions_max> committed{};
    std::array<std::uint8_t, members_max> claims{};  // owned partitions named in JoinGroup
    std::array<OffsetsEntry, producers_max> offsets{};

    [[nodiscard]] bool has(MemberId member) const { return (members & member.bit()) != 0; }
    friend bool operator==(const GroupCoordinator&, const GroupCoordinator&) = default;
};

// ---- ghosts: what laws remember, and no actor reads ----

struct PartitionGhosts {
    std::uint8_t visible = 0;    // two bits a record: visible outputs, a count up to 2
    std::uint8_t confirmed = 0;  // bit per record: a client was told that its commit succeeded
    std::uint8_t tainted = 0;    // a visible output was stray
    Offset decided_end = 0;      // end of the last decided commit
    std::uint8_t logged = 0;     // bit per record: committed on the changelog

    friend bool operator==(const PartitionGhosts&, const PartitionGhosts&) = default;
};

// Disturbances left; constant 0 where a budget is unlimited.
struct Budgets {
    std::uint8_t expulsion = 0;
    std::uint8_t transaction_timeout = 0;
    std::uint8_t voluntary_rebalance = 0;
    std::uint8_t crash = 0;
    std::uint8_t restart = 0;
    std::uint8_t late_request = 0;
    std::uint8_t duplicated_request = 0;
    std::uint8_t lost_answer = 0;
    std::uint8_t late_marker = 0;
    std::uint8_t duplicated_marker = 0;
    std::uint8_t transaction_coordinator_failover = 0;
    std::uint8_t producer_expiry = 0;

    friend bool operator==(const Budgets&, const Budgets&) = default;
};

struct alignas(8) Cluster {
    std::array<StreamThread, threads_max> threads{};
    std::array<TransactionalId, producers_max> transactional_ids{};
    std::array<std::array<OutputEntry, producers_max>, partitions_max> outputs{};
    std::array<std::array<ChangelogEntry, producers_max>, partitions_max> changelogs{};
    GroupCoordinator group{};
    std::array<PartitionGhosts, partitions_max> ghosts{};
    Budgets budgets{};
    // Requests and markers that somebody has given up to wait for: sorted, empty places last.
    std::array<Request, messages_max> in_flight{};
    std::array<std::uint8_t, 4> unused{};  // no padding: equal states are equal bytes

    friend bool operator==(const Cluster&, const Cluster&) = default;
};

static_assert(std::has_unique_object_representations_v<Cluster>);

// ---- counts of two bits a record ----

[[nodiscard]] constexpr unsigned count_of(std::uint8_t counts, Offset record) {
    return (counts >> (2U * record)) & 3U;
}

[[nodiscard]] constexpr std::uint8_t with_one_more(std::uint8_t counts, Offset record) {
    const bool is_saturated = count_of(counts, record) >= 2;
    return static_cast<std::uint8_t>(counts + (is_saturated ? 0U : 1U << (2U * record)));
}

// Bit r: record r was counted at all.
[[nodiscard]] constexpr unsigned records_in(std::uint8_t counts) {
    unsigned records = (counts | counts >> 1U) & 0b01010101U;
    records = (records | records >> 1U) & 0b00110011U;
    return (records | records >> 2U) & 0b00001111U;
}

}  // namespace ringfence::model
