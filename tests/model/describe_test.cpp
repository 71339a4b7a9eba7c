#include "model/describe.hpp"

#include "model/kafka_model.hpp"
#include "model/steps.hpp"
#include "tests/model/disturbances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

namespace ringfence::model {

namespace {

// Two threads that run p0 and p1 under generation 1; each has produced one record in an open
// transaction.
Cluster two_running_threads() {
    Cluster cluster;
    cluster.group.phase = GroupPhase::stable;
    cluster.group.generation = 1;
    cluster.group.members = 0b11;
    cluster.group.assignment = {1, 2};
    for (std::size_t t = 0; t < 2; ++t) {
        StreamThread& thread = cluster.threads[t];
        thread.membership = Membership::in;
        thread.generation = 1;
        thread.tasks[t] = {.phase = TaskPhase::running, .position = 1};
        thread.producers[0] = {.epoch = Epoch{1}, .added = PartitionId{t}.bit()};
        cluster.transactional_ids[t] = {.epoch = Epoch{1},
                                        .state = TransactionState::ongoing,
                                        .partitions = PartitionId{t}.bit()};
        cluster.outputs[t][t] = {.epoch = Epoch{1}, .open = 1};
    }
    return cluster;
}

Configuration two_by_two() {
    Configuration configuration;
    configuration.bounds.partitions = 2;
    return configuration;
}

// B's TxnOffsetCommit, with AddOffsetsToTxn done.
constexpr Action commit_of_b{
    .verb = Verb::txn_offset_commit, .thread = ThreadId{1}, .producer = ProducerId{1}};

Cluster ready_to_commit() {
    Cluster cluster = two_running_threads();
    cluster.threads[1].producers[0].phase = TransactionPhase::offsets_added;
    cluster.transactional_ids[1].partitions |= offsets_partition_bit;
    return cluster;
}

StepText told(const Configuration& configuration, const Cluster& before, const Action& action) {
    Cluster after = before;
    const Outcome outcome = take_step(configuration, after, action);
    return step_text({configuration, before, action, outcome, after});
}

std::string value_of(const std::vector<Variable>& variables, std::string_view actor,
                     std::string_view name) {
    const auto found = std::ranges::find_if(variables, [&](const Variable& variable) {
        return variable.actor == actor && variable.name == name;
    });
    return found == variables.end() ? "(no such variable)" : found->value;
}

}  // namespace

TEST_CASE("a TxnOffsetCommit of a current member is told with the checks that it passed") {
    const StepText text = told(two_by_two(), ready_to_commit(), commit_of_b);
    CHECK(text.actor == "B");
    CHECK(text.verb == "txn_offset_commit");
    CHECK(text.target == "group");
    CHECK(text.arguments == std::vector<std::pair<std::string, std::string>>{{"p1", "offset 1"},
                                                                             {"generation", "1"}});
    CHECK(text.answer == "success");
    CHECK(text.reason ==
          "accepted: member B is in the group and generation 1 is current (state "
          "Stable); pending until decided");
}

TEST_CASE("a TxnOffsetCommit while a rebalance is prepared says why it is accepted") {
    Cluster cluster = ready_to_commit();
    cluster.group.phase = GroupPhase::preparing;
    CHECK(told(two_by_two(), cluster, commit_of_b).reason ==
          "accepted: the member is still listed, the rebalance has not completed (state "
          "PreparingRebalance), so generation 1 is current; pending until decided");
}

TEST_CASE("a refused TxnOffsetCommit names the check and Kafka's error") {
    Cluster cluster = ready_to_commit();
    cluster.group.generation = 2;
    const StepText old_generation = told(two_by_two(), cluster, commit_of_b);
    CHECK(old_generation.answer == "ILLEGAL_GENERATION");
    CHECK(old_generation.reason ==
          "generation 1 is not the group's current 2: ILLEGAL_GENERATION; all that is left for the "
          "client is to abort");
    cluster.group.members = 0b01;
    CHECK(told(two_by_two(), cluster, commit_of_b).reason ==
          "member B is not in the group: UNKNOWN_MEMBER_ID; all that is left for the client is to "
          "abort");
    Configuration careless = two_by_two();
    careless.rules.after_refused_offsets = AfterRefusedOffsets::may_commit;
    CHECK(told(careless, cluster, commit_of_b).reason ==
          "member B is not in the group: UNKNOWN_MEMBER_ID; the client may commit all the same");
}

TEST_CASE("a test that a rule switched off is named where it would have refused") {
    Configuration configuration = two_by_two();
    configuration.rules.member_test = Test::off;
    configuration.rules.generation_test = Test::off;
    Cluster cluster = ready_to_commit();
    cluster.group.members = 0b01;
    CHECK(told(configuration, cluster, commit_of_b).reason ==
          "accepted: member B is not in the group, but that is not tested here; pending until "
          "decided");
    cluster.group.members = 0b11;
    cluster.group.generation = 2;
    CHECK(told(configuration, cluster, commit_of_b).reason ==
          "accepted: generation 1 is not the current 2, but that is not tested here; pending until "
          "decided");
    configuration.rules.group_metadata = GroupMetadata::group_id_only;
    const StepText bare = told(configuration, cluster, commit_of_b);
    CHECK(bare.arguments.back() == std::pair<std::string, std::string>{"", "group id only"});
    CHECK(bare.reason ==
          "accepted: only the group id is given, so neither member nor generation is tested; "
          "pending until decided");
}

TEST_CASE("the ownership test is told apart from the generation test") {
    Configuration configuration = two_by_two();
    configuration.rules.ownership_test = Test::on;
    Cluster cluster = ready_to_commit();
    cluster.group.assignment = {1, 1};
    CHECK(told(configuration, cluster, commit_of_b).reason ==
          "not all of these partitions are assigned to member B: ILLEGAL_GENERATION; all that is "
          "left for the client is to abort");
}

TEST_CASE("the offsets partition refuses an old epoch after the group has agreed") {
    Cluster cluster = ready_to_commit();
    cluster.group.offsets[1].epoch = Epoch{2};
    CHECK(told(two_by_two(), cluster, commit_of_b).reason ==
          "epoch 0 is older than 1, which the offsets partition has seen: INVALID_PRODUCER_EPOCH");
}

TEST_CASE("a fetch names whose pending offset it waits for, or does not wait for") {
    Cluster cluster = two_running_threads();
    cluster.threads[0].tasks[0] = {.phase = TaskPhase::needs_fetch};
    cluster.group.offsets[1].pending[0] = {.offset = 1};
    const Action fetch{.verb = Verb::fetch_offset};
    const StepText waits = told(two_by_two(), cluster, fetch);
    CHECK(waits.answer == "UNSTABLE_OFFSET_COMMIT");
    CHECK(
        waits.reason ==
        "pending offset 1 of app-B on p0 is undecided: UNSTABLE_OFFSET_COMMIT; the client retries");
    Configuration unstable = two_by_two();
    unstable.rules.offset_fetch = OffsetFetch::any;
    CHECK(
        told(unstable, cluster, fetch).reason ==
        "pending offset 1 of app-B on p0 is not waited for (offset_fetch = any): committed offset "
        "0");
    cluster.group.offsets[1].pending[0] = {};
    CHECK(told(two_by_two(), cluster, fetch).reason ==
          "nothing is pending on p0: committed offset 0");
}

TEST_CASE("a producer with an old epoch is told so by coordinator and leader") {
    Cluster cluster = two_running_threads();
    cluster.transactional_ids[0] = {.epoch = Epoch{2}, .state = TransactionState::empty};
    CHECK(told(two_by_two(), cluster, {.verb = Verb::add_offsets}).reason ==
          "epoch 0 is older than the coordinator's 1: PRODUCER_FENCED");
    CHECK(told(two_by_two(), cluster, {.verb = Verb::end_txn_commit}).reason ==
          "epoch 0 is older than the coordinator's 1: PRODUCER_FENCED");
    CHECK(told(two_by_two(), cluster, {.verb = Verb::produce}).reason ==
          "epoch 0 is the leader's: appended, invisible before a commit marker; the coordinator "
          "lists it in no transaction");
    cluster.outputs[0][0].epoch = Epoch{2};
    CHECK(told(two_by_two(), cluster, {.verb = Verb::produce}).reason ==
          "epoch 0 is older than the leader's 1: INVALID_PRODUCER_EPOCH");
}

TEST_CASE("InitProducerId over an ongoing transaction is told as fence, wait and bump") {
    Cluster cluster = two_running_threads();
    cluster.threads[0].producers[0] = Producer{};  // a new one, under the same id
    const Configuration configuration = two_by_two();
    const Action init{.verb = Verb::init_producer_id};
    CHECK(
        told(configuration, cluster, init).reason ==
        "a transaction is Ongoing: fenced and aborted, epoch 0 -> 1: CONCURRENT_TRANSACTIONS; the "
        "client retries");
    take_step(configuration, cluster, init);
    CHECK(told(configuration, cluster, init).reason ==
          "the former transaction is in PrepareAbort, markers are owed to p0: "
          "CONCURRENT_TRANSACTIONS; the client retries");
    take_step(configuration, cluster, {.verb = Verb::write_marker});
    take_step(configuration, cluster, {.verb = Verb::complete_txn});
    CHECK(told(configuration, cluster, init).reason ==
          "no transaction is open: epoch 1 -> 2, older ones are fenced");
}

TEST_CASE("a commit decided for a zombie says that EndTxn asks for no generation") {
    Cluster cluster = ready_to_commit();
    take_step(two_by_two(), cluster, commit_of_b);
    const Action commit{
        .verb = Verb::end_txn_commit, .thread = ThreadId{1}, .producer = ProducerId{1}};
    CHECK(told(two_by_two(), cluster, commit).reason ==
          "epoch 0 is the coordinator's: decided, PrepareCommit, markers are owed to p1, offsets");
    cluster.group.generation = 2;
    CHECK(told(two_by_two(), cluster, commit).reason ==
          "epoch 0 is the coordinator's: decided, PrepareCommit, markers are owed to p1, offsets; "
          "EndTxn asks for no member and no generation");
}

TEST_CASE("a restore names whom it waits for, and a marker who has waited") {
    Configuration configuration = two_by_two();
    configuration.rules.changelog = Changelog::restored_to_end_offset;
    Cluster cluster = two_running_threads();
    cluster.changelogs[0][0] = {Epoch{1}, 0b1};
    cluster.threads[1].tasks[0] = {.phase = TaskPhase::running, .restore = Task::restore_due};
    const Action restore{.verb = Verb::restore_changelog, .thread = ThreadId{1}};
    const StepText text = told(configuration, cluster, restore);
    CHECK(text.actor == "B");
    CHECK(text.target == "changelog p0");
    CHECK(text.answer == "success");
    CHECK(text.reason ==
          "up to the end offset, behind r1 of app-A, open: waits until that is decided");
    configuration.rules.changelog = Changelog::restored_to_last_stable_offset;
    CHECK(told(configuration, cluster, restore).reason ==
          "up to the last stable offset, before r1 of app-A, open: that is not waited for");

    configuration.rules.changelog = Changelog::restored_to_end_offset;
    take_step(configuration, cluster, restore);
    const auto state = [&] {
        return value_of(variables_under(configuration, cluster), "B", "state of task p0");
    };
    CHECK(state() == "awaits app-A, holds none");
    cluster.transactional_ids[0] = {.epoch = Epoch{1},
                                    .state = TransactionState::prepare_commit,
                                    .partitions = 1,
                                    .changelogs = 1};
    const Action marker{.verb = Verb::write_changelog_marker};
    const StepText marked = told(configuration, cluster, marker);
    CHECK(marked.actor == "app-A");
    CHECK(marked.target == "changelog p0");
    CHECK(marked.reason == "r1 for all to restore; B has waited for it");
    CHECK(value_of(variables_under(configuration, cluster), "app-A", "changelog markers owed") ==
          "p0");
    take_step(configuration, cluster, marker);
    CHECK(state() == "does not fit: r1");
}

TEST_CASE("computed columns say what no actor knows") {
    const Configuration configuration = two_by_two();
    Cluster cluster = two_running_threads();
    const auto value = [&](std::string_view actor, std::string_view name) {
        return value_of(columns_under(configuration, cluster), actor, name);
    };
    CHECK(value("group", "members at its generation") == "A, B");
    CHECK(value("app-A", "current epoch held by") == "A");
    CHECK(value("p0", "last stable offset") == "before r1 of app-A");
    CHECK(value("p0", "commit right held by") == "A");
    cluster.group.members = 0b10;
    cluster.transactional_ids[1].epoch = Epoch{2};
    cluster.outputs[0][0].open = 0;
    CHECK(value("group", "members at its generation") == "B");
    CHECK(value("app-B", "current epoch held by") == "nobody");
    CHECK(value("p0", "last stable offset") == "end of the log");
    CHECK(value("p0", "commit right held by") == "nobody");
}

namespace {

// Every step of a random walk is fully told.
void check_walk(const KafkaModel& model, std::uint32_t seed) {
    std::mt19937 random(seed);
    Cluster cluster = model.initial_states().front();
    for (int step = 0; step < 60; ++step) {
        checker::Enabled<Action> enabled;
        model.actions(cluster, enabled);
        if (enabled.size() == 0) { return; }
        const Action action = *(enabled.begin() + static_cast<long>(random() % enabled.size()));
        const Cluster before = cluster;
        const Outcome outcome = model.apply(cluster, action);
        const StepText text = text_of(model, before, action, outcome, cluster);
        INFO("seed ", seed, ", step ", step, ": ", encode(action));
        REQUIRE(decode(encode(action)) == action);
        REQUIRE_FALSE(text.actor.empty());
        REQUIRE_FALSE(text.reason.empty());
        REQUIRE(text.reason.find('\n') == std::string::npos);
        const bool is_refused = outcome.error != Error::none;
        const std::string error(name_of(outcome.error));
        REQUIRE((text.answer == error) == is_refused);
        REQUIRE((text.reason.find(": " + error) != std::string::npos) == is_refused);
        // Who would send a message in flight again, if nobody hears the answer?
        const bool is_delivered = action.verb == Verb::deliver_request;
        REQUIRE_FALSE((is_delivered && text.reason.find("client retries") != std::string::npos));
        const auto old_variables = variables_of(model, before);
        const auto new_variables = variables_of(model, cluster);
        REQUIRE(old_variables.size() == new_variables.size());
        REQUIRE((old_variables == new_variables) == (before == cluster));
    }
}

}  // namespace

TEST_CASE("random walks under every scheme are told completely") {
    const Disturbances all = tests::of_each(2);
    const Bounds bounds{.threads = 2, .partitions = 2, .records = 2, .generations = 6, .epoch = 7};
    for (const Scheme& scheme : scheme_catalogue()) {
        CAPTURE(scheme.name);
        const KafkaModel model(scheme.rules, bounds, all);
        for (std::uint32_t seed = 0; seed < 30; ++seed) { check_walk(model, seed); }
    }
}

TEST_CASE("random walks under every single rule value are told completely") {
    const Bounds bounds{.threads = 2, .partitions = 1, .records = 2, .generations = 6, .epoch = 7};
    const Disturbances all = tests::of_each(2);
    for (const RuleEntry& rule : rule_catalogue()) {
        for (std::size_t value = 0; value < rule.values.size(); ++value) {
            for (const Guarantee guarantee :
                 {Guarantee::exactly_once_v2, Guarantee::exactly_once}) {
                Rules rules{.guarantee = guarantee};
                rule.set(rules, value);
                const bool is_v2 = rules.guarantee == Guarantee::exactly_once_v2;
                if (is_v2 && rules.transactional_id == IdScope::task) { continue; }
                CAPTURE(rule.name);
                CAPTURE(rule.values[value]);
                const KafkaModel model(rules, bounds, all);
                for (std::uint32_t seed = 0; seed < 10; ++seed) { check_walk(model, seed); }
            }
        }
    }
}

TEST_CASE("an owner and a name stand for one variable, and owners stand together") {
    const KafkaModel model(Rules{}, Bounds{.threads = 4, .partitions = 4}, Disturbances{});
    std::set<std::pair<std::string, std::string>> seen;
    std::vector<std::string> owners;
    for (const Variable& variable : variables_of(model, model.initial_states().front())) {
        CHECK(seen.emplace(variable.actor, variable.name).second);
        if (owners.empty() || owners.back() != variable.actor) { owners.push_back(variable.actor); }
    }
    CHECK(std::set<std::string>(owners.begin(), owners.end()).size() == owners.size());
}

}  // namespace ringfence::model
