// Plays every row of the acceptance tables against the pure functions that the steps, the laws and
// the reasons in traces ask.
#include "model/group_coordinator.hpp"
#include "model/partition_leader.hpp"
#include "model/transaction_coordinator.hpp"
#include "tests/acceptance/table.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <ranges>

namespace ringfence::acceptance {

namespace {

using namespace ringfence::model;

// ---- Kafka's words for the model's values ----

Epoch epoch_of(int number) { return Epoch{static_cast<std::uint8_t>(number + 1)}; }

std::string transaction_state_name(TransactionState state) {
    static constexpr std::array<const char*, 6> names{
        "Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort"};
    return names.at(static_cast<std::size_t>(state));
}

TransactionState transaction_state(const std::string& name) {
    for (std::size_t index = 0; index < 6; ++index) {
        const auto state = static_cast<TransactionState>(index);
        if (transaction_state_name(state) == name) { return state; }
    }
    throw std::runtime_error("no such transaction state: " + name);
}

GroupPhase group_phase(const std::string& name) {
    if (name == "Empty") { return GroupPhase::empty; }
    if (name == "PreparingRebalance") { return GroupPhase::preparing; }
    if (name == "CompletingRebalance") { return GroupPhase::completing; }
    if (name == "Stable") { return GroupPhase::stable; }
    throw std::runtime_error("no such group state: " + name);
}

// The last letter of "member-a" or "producer-a", counted from 0.
std::size_t letter_of(const std::string& name) {
    return static_cast<std::size_t>(name.back() - 'a');
}
// The last digit of "input-1" or "output-1".
std::size_t digit_of(const std::string& name) {
    return static_cast<std::size_t>(name.back() - '0');
}

std::uint8_t partitions_of(const std::vector<std::string>& names) {
    unsigned set = 0;
    for (const std::string& name : names) {
        const bool is_offsets = name.starts_with("__consumer_offsets");
        set |= is_offsets ? unsigned{offsets_partition_bit} : 1U << digit_of(name);
    }
    return static_cast<std::uint8_t>(set);
}

GaveUp gave_up_by(const std::string& completion) {
    if (completion == "pending") { return GaveUp::no; }
    if (completion == "given up") { return GaveUp::before_markers; }
    if (completion == "marker refused") { return GaveUp::on_a_marker; }
    throw std::runtime_error("no such completion: " + completion);
}

TransactionalId transactional_id(const Fields& state) {
    return {.epoch = epoch_of(state.number("producer_epoch", -1)),
            .state = transaction_state(state.text("state")),
            .partitions = partitions_of(state.list("partitions")),
            .marker_epoch = epoch_of(state.number("marker_epoch", -1)),
            .last_epoch = epoch_of(state.number("last_producer_epoch", -1)),
            .gave_up = gave_up_by(state.text("completion", "pending"))};
}

// The row's rules under the transaction version that its request has from this version on.
Rules rules_from_version(const Row& row, int version_2_since) {
    Rules rules = row.rules;
    if (row.request.number("version", 0) >= version_2_since) {
        rules.transaction_version = TransactionVersion::two;
    }
    return rules;
}

// Only clients that give their epoch have the coordinator remember the last one (KIP-360).
Rules with_last_epoch(Rules rules) {
    rules.bumps_after_abort = BumpsAfterAbort::yes;
    return rules;
}

void expect_error(const Row& row, Error error) {
    CHECK(name_of(error) == row.expect.text("error"));
}

void expect_after(const Row& row, const TransactionalId& id) {
    if (row.after.is_empty()) { return; }
    CHECK(transaction_state_name(id.state) == row.after.text("state"));
    CHECK(id.epoch.number() == row.after.number("producer_epoch", -1));
    CHECK(id.partitions == partitions_of(row.after.list("partitions")));
    if (row.after.has("marker_epoch")) {
        CHECK(marker_epoch(id).number() == row.after.number("marker_epoch", -1));
    }
    if (row.after.has("completion")) {
        CHECK(id.gave_up == gave_up_by(row.after.text("completion")));
    }
    if (row.after.has("last_producer_epoch")) {
        CHECK(id.last_epoch.number() == row.after.number("last_producer_epoch", -1));
    }
}

// ---- transaction coordinator ----

void play_init_producer_id(const Row& row) {
    const Rules rules = with_last_epoch(row.rules);
    const TransactionalId before = transactional_id(row.state);
    Epoch expected;
    if (row.request.has("producer_id")) {
        REQUIRE(row.request.text("producer_id") == "stored");
        expected = epoch_of(row.request.number("producer_epoch", -1));
    }
    TransactionalId id = before;
    expect_error(row, init_producer_id(rules, id, expected));
    expect_after(row, id);
    CHECK(id.epoch.number() - before.epoch.number() ==
          static_cast<int>(bumps_of_init(rules, before, expected)));
    if (row.expect.has("producer_epoch")) {
        CHECK(id.epoch.number() == row.expect.number("producer_epoch", -1));
    }
}

void play_add_partitions(const Row& row) {
    TransactionalId id = transactional_id(row.state);
    const Epoch epoch = epoch_of(row.request.number("producer_epoch", -1));
    const std::uint8_t partitions = partitions_of(row.request.list("partitions"));
    if (row.request.truth("verify_only", false)) {
        expect_error(row, verify_error(row.rules, id, epoch, partitions));
    } else {
        const Error error = add_error(row.rules, id, epoch);
        expect_error(row, error);
        if (error == Error::none) { add_partition(id, partitions); }
    }
    expect_after(row, id);
}

void play_end_txn(const Row& row) {
    const Rules rules = with_last_epoch(rules_from_version(row, 5));
    TransactionalId id = transactional_id(row.state);
    const Epoch epoch = epoch_of(row.request.number("producer_epoch", -1));
    const Decision decision =
        row.request.truth("committed", true) ? Decision::commit : Decision::abort;
    expect_error(row, end_transaction(rules, id, epoch, decision).error);
    expect_after(row, id);
    if (row.expect.has("producer_epoch")) {
        CHECK(id.epoch.number() == row.expect.number("producer_epoch", -1));
    }
}

void play_timeout(const Row& row) {
    const TransactionalId before = transactional_id(row.state);
    TransactionalId id = before;
    time_out(with_last_epoch(row.rules), id);
    expect_after(row, id);
    CHECK(id.epoch.number() - before.epoch.number() ==
          static_cast<int>(bumps_of_timeout(row.rules)));
}

// ---- leaders ----

OutputEntry output_entry(const Row& row) {
    const bool is_open = row.state.truth("open_transaction", false);
    return {
        .epoch = epoch_of(row.state.number("producer_epoch", -1)),
        .open = static_cast<std::uint8_t>(is_open ? 1 : 0),
        .coordinator_epoch = static_cast<std::uint8_t>(row.state.number("coordinator_epoch", 0))};
}

void expect_after(const Row& row, const OutputEntry& entry) {
    if (row.after.is_empty()) { return; }
    CHECK(entry.epoch.number() == row.after.number("producer_epoch", -1));
    CHECK((entry.open != 0) == row.after.truth("open_transaction", false));
    CHECK(entry.coordinator_epoch == row.after.number("coordinator_epoch", 0));
}

Guard guard_named(const std::string& name) {
    if (name == "answered") { return Guard::current; }
    if (name == "overtaken") { return Guard::overtaken; }
    throw std::runtime_error("no such verification: " + name);
}

// Kafka's sequence as the model counts it: from the one that the leader expects next.
std::int8_t sequence_of(const Row& row, Epoch epoch) {
    const bool is_same = epoch == epoch_of(row.state.number("producer_epoch", -1));
    const int known = row.state.number("last_sequence", -1);
    const int last = is_same ? known : -1;
    return static_cast<std::int8_t>(row.request.number("base_sequence", last + 1) - last - 1);
}

// Phase A, unless the row says what came of it: the coordinator is asked where it has to be.
Error ask(const Row& row, const Rules& rules, Log log, const ProducerState& state, Batch& batch,
          TransactionalId& id) {
    if (row.state.has("verification")) {
        batch.guard = guard_named(row.state.text("verification"));
        return Error::none;
    }
    const std::uint8_t partition = log == Log::output ? 1 : offsets_partition_bit;
    id = {.epoch = batch.epoch, .state = TransactionState::ongoing, .partitions = partition};
    if (row.state.has("coordinator")) { id = transactional_id(row.state.table("coordinator")); }
    if (!asks_coordinator(rules, log, state, batch.epoch)) { return Error::none; }
    Error error = question_error(rules, log, state, batch.epoch);
    if (error != Error::none) { return error; }
    const bool adds = rules.transaction_version == TransactionVersion::two;
    error =
        adds ? add_error(rules, id, batch.epoch) : verify_error(rules, id, batch.epoch, partition);
    if (error != Error::none) { return told_by_leader(rules, log, error); }
    if (adds) { add_partition(id, partition); }
    batch.guard = Guard::current;
    return Error::none;
}

// A request of an older version has no word for TRANSACTION_ABORTABLE.
Rules rules_of_append(const Row& row, int abortable_since, int version_2_since) {
    Rules rules = rules_from_version(row, version_2_since);
    const bool is_old = row.request.number("version", 0) < abortable_since;
    if (is_old) { rules.verification_refusal = VerificationRefusal::invalid_txn_state; }
    return rules;
}

void play_produce(const Row& row) {
    const Rules rules = rules_of_append(row, 11, 12);
    OutputEntry entry = output_entry(row);
    const Epoch epoch = epoch_of(row.request.number("producer_epoch", -1));
    Batch batch{.epoch = epoch, .sequence = sequence_of(row, epoch)};
    TransactionalId id;
    Error error = ask(row, rules, Log::output, state_of(entry), batch, id);
    const bool is_repeated = error == Error::none && is_duplicate(rules, state_of(entry), batch);
    if (error == Error::none && !is_repeated) {
        error = append_error(rules, Log::output, state_of(entry), batch);
    }
    expect_error(row, error);
    if (error == Error::none && !is_repeated) { append(entry, epoch, 1, true, true); }
    expect_after(row, entry);
    if (row.after.has("last_sequence")) {
        const int last = row.state.number("last_sequence", -1);
        const int given = row.request.number("base_sequence", -1);
        CHECK(row.after.number("last_sequence", -1) == (is_repeated ? last : given));
    }
}

void play_marker(const Row& row) {
    Rules rules = row.rules;
    if (row.request.number("transaction_version", 1) == 2) {
        rules.transaction_version = TransactionVersion::two;
    }
    OutputEntry entry = output_entry(row);
    const Epoch epoch = epoch_of(row.request.number("producer_epoch", -1));
    // Output leaders treat both results alike.
    CHECK((row.request.text("result") == "COMMIT" || row.request.text("result") == "ABORT"));
    const Marker marker{
        .epoch = epoch,
        .coordinator_epoch = static_cast<std::uint8_t>(row.request.number("coordinator_epoch", 0))};
    const Error error = marker_error(rules, state_of(entry), marker);
    expect_error(row, error);
    if (error == Error::none) { append_marker(entry, marker); }
    expect_after(row, entry);
    if (row.after.has("verification")) {
        const Epoch asked = epoch_of(row.state.number("verification", -1));
        const bool is_overtaken = row.after.text("verification") == "overtaken";
        CHECK(overtakes(rules, epoch, asked) == is_overtaken);
    }
}

// What the coordinator makes of the answer to a marker for one partition.
void play_answer(const Row& row) {
    TransactionalId id = transactional_id(row.state);
    const std::uint8_t partition = partitions_of({row.request.text("partition")});
    const std::string answer = row.expect.text("error");
    const auto errors = {Error::none, Error::network_exception, Error::invalid_producer_epoch,
                         Error::transaction_coordinator_fenced};
    const auto error = std::ranges::find(errors, answer, [](Error e) { return name_of(e); });
    REQUIRE(error != errors.end());
    const bool is_output = partition != offsets_partition_bit;
    hear_of_marker(id, {.verb = is_output ? Verb::write_marker : Verb::write_offsets_marker},
                   *error);
    expect_after(row, id);
}

void play_complete(const Row& row) {
    TransactionalId id = transactional_id(row.state);
    complete(id);
    expect_after(row, id);
}

// ---- offsets ----

void play_event(GroupCoordinator& group, const Fields& event) {
    const ProducerId producer{letter_of(event.text("producer"))};
    OffsetsEntry& entry = group.offsets[producer.value];
    if (event.has("offset")) {
        const auto offset = static_cast<Offset>(event.number("offset", 0));
        add_pending(group, producer, PartitionId{}, offset);
    } else if (event.has("marker")) {
        materialise(group, producer, event.text("marker") == "COMMIT");
    } else if (event.has("queued_marker")) {
        push_marker(entry, event.text("queued_marker") == "COMMIT");
    } else if (event.truth("materialises", false)) {
        const bool is_commit = pop_marker(entry);
        materialise(group, producer, is_commit);
    }
}

std::vector<std::string> queued_markers(OffsetsEntry entry) {
    std::vector<std::string> names;
    while (queue_length(entry.queue) > 0) {
        names.emplace_back(pop_marker(entry) ? "COMMIT" : "ABORT");
    }
    return names;
}

void play_log(const Row& row) {
    GroupCoordinator group;
    for (const Fields& event : row.log) { play_event(group, event); }
    CHECK(group.committed[0] == row.after.number("committed_offset", -1));
    std::vector<std::string> pending;
    for (std::size_t producer = 0; producer < producers_max; ++producer) {
        if (group.offsets[producer].pending[0].offset == 0) { continue; }
        pending.emplace_back(1, static_cast<char>('a' + producer));
    }
    CHECK(pending == row.after.list("pending"));
    if (row.after.has("queued_markers")) {
        CHECK(queued_markers(group.offsets[0]) == row.after.list("queued_markers"));
    }
}

void play_write_txn_markers(const Row& row) {
    if (row.check == "offsets") { return play_log(row); }
    if (row.check == "complete") { return play_complete(row); }
    if (row.check == "answers") { return play_answer(row); }
    play_marker(row);
}

GroupCoordinator group_of(const Row& row) {
    GroupCoordinator group{
        .phase = group_phase(row.state.text("group_state")),
        .generation = static_cast<Generation>(row.state.number("generation", 0))};
    for (const std::string& member : row.state.list("members")) {
        group.members = static_cast<std::uint8_t>(group.members | 1U << letter_of(member));
    }
    const Fields assignment = row.state.table("assignment");
    for (std::size_t p = 0; p < partitions_max; ++p) {
        const std::string partition = "input-" + std::to_string(p);
        if (!assignment.has(partition)) { continue; }
        const std::size_t owner = letter_of(assignment.text(partition)) + 1;
        group.assignment[p] = static_cast<std::uint8_t>(owner);
    }
    return group;
}

Sender sender_of(const Row& row, const GroupCoordinator& group) {
    const std::string member_id = row.request.text("member_id");
    const int generation = row.request.number("generation", -1);
    const MemberId member{member_id.empty() ? 0 : letter_of(member_id)};
    Sender sender{.gives_member = !member_id.empty(),
                  .is_member = !member_id.empty() && group.has(member),
                  .gives_generation = generation >= 0,
                  .generation = static_cast<Generation>(generation)};
    for (const std::string& partition : row.request.list("partitions")) {
        const bool owns = group.assignment[digit_of(partition)] == member.value + 1;
        sender.owns_partitions = sender.owns_partitions && owns;
    }
    return sender;
}

void play_txn_offset_commit(const Row& row) {
    const Rules rules = rules_of_append(row, 4, 5);
    const GroupCoordinator group = group_of(row);
    const Sender sender = sender_of(row, group);
    const ProducerState state{.epoch = epoch_of(row.state.number("producer_epoch", -1))};
    Batch batch{.epoch = epoch_of(row.request.number("producer_epoch", -1))};
    TransactionalId id;
    Error error = ask(row, rules, Log::offsets, state, batch, id);
    if (error == Error::none) { error = txn_offset_commit_error(rules, group, sender); }
    if (error == Error::none) { error = append_error(rules, Log::offsets, state, batch); }
    expect_error(row, error);
    expect_after(row, id);
}

void play_offset_commit(const Row& row) {
    const GroupCoordinator group = group_of(row);
    expect_error(row, offset_commit_error(row.rules, group, sender_of(row, group)));
}

void play_offset_fetch(const Row& row) {
    GroupCoordinator group;
    group.committed[1] = static_cast<Offset>(row.state.number("committed_offset", 0));
    for (const std::string& producer : row.state.list("pending")) {
        add_pending(group, ProducerId{letter_of(producer)}, PartitionId{1}, 2);
    }
    for (const std::string& producer : row.state.list("pending_elsewhere")) {
        add_pending(group, ProducerId{letter_of(producer)}, PartitionId{0}, 2);
    }
    Rules rules = row.rules;
    const bool is_stable = row.request.truth("require_stable", true);
    rules.offset_fetch = is_stable ? OffsetFetch::stable : OffsetFetch::any;
    expect_error(row, offset_fetch_error(rules, group, PartitionId{1}));
    if (row.expect.has("offset")) { CHECK(group.committed[1] == row.expect.number("offset", -1)); }
}

// ---- the tables ----

using Player = void (*)(const Row&);

const std::map<std::string, Player>& players() {
    static const std::map<std::string, Player> by_request{
        {"AddPartitionsToTxn", play_add_partitions}, {"EndTxn", play_end_txn},
        {"InitProducerId", play_init_producer_id},   {"OffsetCommit", play_offset_commit},
        {"OffsetFetch", play_offset_fetch},          {"Produce", play_produce},
        {"TransactionTimeout", play_timeout},        {"TxnOffsetCommit", play_txn_offset_commit},
        {"WriteTxnMarkers", play_write_txn_markers},
    };
    return by_request;
}

void expect_rules_of_release(const Row& row, const std::string& release, Guarantee guarantee) {
    const Rules rules = rules_of_release(release, release, guarantee).rules;
    for (const RuleEntry& rule : rule_catalogue()) {
        if (row.given_rules.has(rule.name)) { CHECK(rule.get(rules) == rule.get(row.rules)); }
    }
}

}  // namespace

TEST_CASE("every row that the model can form is answered as Kafka answers it") {
    std::size_t played = 0;
    for (const auto& file : table_files()) {
        const Table table = read_table(file);
        for (const Row& row : table.rows) {
            if (row.not_formed) { continue; }
            INFO(file.filename().string(), ", check ", row.check, ": ", row.what);
            players().at(table.request)(row);
            CHECK(row.unread() == "");
            ++played;
        }
    }
    CHECK(played > 100);
}

TEST_CASE("every ordered check has a row, and every row a check") {
    for (const auto& file : table_files()) {
        const Table table = read_table(file);
        INFO(file.filename().string());
        for (const std::string& check : table.checks) {
            INFO("check ", check);
            CHECK(std::ranges::count(table.rows, check, &Row::check) > 0);
        }
        for (const Row& row : table.rows) {
            INFO("row ", row.what);
            CHECK(std::ranges::count(table.checks, row.check) == 1);
            CHECK(std::ranges::count(table.rows, row.what, &Row::what) == 1);
        }
    }
}

TEST_CASE("every request that the tables promise has one") {
    std::set<std::string> requests;
    for (const auto& file : table_files()) { requests.insert(read_table(file).request); }
    std::set<std::string> expected;
    for (const auto& [request, player] : players()) { expected.insert(request); }
    CHECK(requests == expected);
}

TEST_CASE("the releases of a row with rules have these rules") {
    for (const auto& file : table_files()) {
        const Table table = read_table(file);
        const bool is_plain = table.request == "OffsetCommit";
        const Guarantee guarantee = is_plain ? Guarantee::at_least_once : Guarantee::exactly_once;
        for (const Row& row : table.rows) {
            INFO(file.filename().string(), ": ", row.what);
            for (const auto& release : {row.since, row.until}) {
                if (!row.not_formed && release) {
                    expect_rules_of_release(row, *release, guarantee);
                }
            }
        }
    }
}

}  // namespace ringfence::acceptance
