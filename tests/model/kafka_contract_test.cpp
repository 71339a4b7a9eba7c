// What the search relies on, and what every reachable state of the Kafka model has to look like.
#include "model/group_coordinator.hpp"
#include "tests/model/disturbances.hpp"
#include "tests/oracle/contract.hpp"
#include "tests/properties/rule_sets.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ringfence::tests {

namespace {

using model::Bounds;
using model::Cluster;
using model::Configuration;
using model::Disturbances;
using model::KafkaModel;

constexpr Bounds room_to_spare{
    .threads = 2, .partitions = 2, .records = 2, .generations = 4, .epoch = 3};

// ---- fields that these rules and bounds leave unused ----

void check_no_changelog(const Cluster& cluster) {
    REQUIRE(cluster.changelogs == decltype(cluster.changelogs){});
    for (const model::StreamThread& thread : cluster.threads) {
        for (const model::Task& task : thread.tasks) {
            REQUIRE(task.awaited == 0);
            REQUIRE(task.restore == 0);
        }
    }
    for (const model::TransactionalId& id : cluster.transactional_ids) {
        REQUIRE(id.changelogs == 0);
    }
    for (const model::PartitionGhosts& ghosts : cluster.ghosts) { REQUIRE(ghosts.logged == 0); }
}

void check_unused(const Configuration& configuration, const Cluster& cluster) {
    const Bounds& bounds = configuration.bounds;
    for (std::size_t t = bounds.threads; t < model::threads_max; ++t) {
        REQUIRE(cluster.threads[t] == model::StreamThread{});
    }
    for (const model::StreamThread& thread : cluster.threads) {
        for (std::size_t p = bounds.partitions; p < model::partitions_max; ++p) {
            REQUIRE(thread.tasks[p] == model::Task{});
        }
        for (std::size_t slot = configuration.producer_slots(); slot < model::partitions_max;
             ++slot) {
            REQUIRE(thread.producers[slot] == model::Producer{});
        }
    }
    for (std::size_t p = bounds.partitions; p < model::partitions_max; ++p) {
        REQUIRE(cluster.ghosts[p] == model::PartitionGhosts{});
        REQUIRE(cluster.group.assignment[p] == 0);
        REQUIRE(cluster.group.committed[p] == 0);
        for (const model::OutputEntry& entry : cluster.outputs[p]) {
            REQUIRE(entry == model::OutputEntry{});
        }
        for (const model::ChangelogEntry& entry : cluster.changelogs[p]) {
            REQUIRE(entry == model::ChangelogEntry{});
        }
    }
    for (std::size_t k = configuration.producers(); k < model::producers_max; ++k) {
        REQUIRE(cluster.transactional_ids[k] == model::TransactionalId{});
        REQUIRE(cluster.group.offsets[k] == model::OffsetsEntry{});
    }
    REQUIRE(cluster.unused == decltype(cluster.unused){});
    if (!configuration.has_changelog()) { check_no_changelog(cluster); }
}

// ---- ranges ----

void check_thread(const Configuration& configuration, const model::StreamThread& thread) {
    const Bounds& bounds = configuration.bounds;
    REQUIRE(thread.generation <= bounds.generations);
    for (const model::Task& task : thread.tasks) {
        REQUIRE(task.first <= task.position);
        REQUIRE(task.position <= bounds.records);
        if (task.phase == model::TaskPhase::none) { REQUIRE(task == model::Task{}); }
    }
    for (const model::Producer& producer : thread.producers) {
        REQUIRE(producer.epoch.raw <= bounds.epoch + 1);
        REQUIRE((producer.appended & ~producer.unanswered) == 0);
        if (!configuration.disturbs_network()) {
            REQUIRE(producer.unanswered == 0);
            REQUIRE(producer.decided == 0);
        }
    }
    if (thread.life == model::Life::down) {
        REQUIRE(thread == model::StreamThread{.life = model::Life::down});
    }
}

void check_coordinators(const Configuration& configuration, const Cluster& cluster) {
    const Bounds& bounds = configuration.bounds;
    const model::GroupCoordinator& group = cluster.group;
    REQUIRE(group.generation <= bounds.generations);
    REQUIRE((group.joined & ~group.members) == 0);
    for (std::size_t p = 0; p < bounds.partitions; ++p) {
        REQUIRE(group.committed[p] <= bounds.records);
        REQUIRE(cluster.ghosts[p].decided_end <= bounds.records);
        const std::uint8_t owner = group.assignment[p];
        if (owner != 0) { REQUIRE(group.has(model::MemberId{owner - std::size_t{1}})); }
    }
    for (const model::OffsetsEntry& entry : group.offsets) {
        REQUIRE(entry.epoch.raw <= bounds.epoch + 1);
        for (const model::PendingOffset& pending : entry.pending) {
            REQUIRE(pending.offset <= bounds.records);
            if (pending.offset == 0) { REQUIRE(pending == model::PendingOffset{}); }
        }
    }
    for (const model::TransactionalId& id : cluster.transactional_ids) {
        REQUIRE(id.epoch.raw <= bounds.epoch + 1);
        const bool may_name_partitions =
            id.state == model::TransactionState::ongoing || id.is_preparing();
        if (!may_name_partitions) { REQUIRE(id.partitions == 0); }
        if (!id.is_preparing()) { REQUIRE(id.changelogs == 0); }
    }
}

// Sorted, empty places last; what is empty is all zero.
void check_messages(const Configuration& configuration, const Cluster& cluster) {
    const auto& messages = cluster.in_flight;
    const auto end = std::ranges::find_if(messages, &model::Request::is_none);
    REQUIRE(std::is_sorted(messages.begin(), end));
    for (auto empty = end; empty != messages.end(); ++empty) {
        REQUIRE(*empty == model::Request{});
    }
    for (auto message = messages.begin(); message != end; ++message) {
        REQUIRE(configuration.disturbs_network());
        REQUIRE(message->epoch.raw <= configuration.bounds.epoch + 1);
        REQUIRE(message->record < configuration.bounds.records);
        for (const model::Work& work : message->work) {
            REQUIRE(work.first <= work.position);
            REQUIRE(work.position <= configuration.bounds.records);
        }
    }
}

void check_state(const Configuration& configuration, const Cluster& cluster) {
    check_messages(configuration, cluster);
    check_unused(configuration, cluster);
    for (const model::StreamThread& thread : cluster.threads) {
        check_thread(configuration, thread);
    }
    check_coordinators(configuration, cluster);
}

// ---- steps ----

int sum_of(const model::Budgets& budgets) {
    return budgets.expulsion + budgets.transaction_timeout + budgets.voluntary_rebalance +
           budgets.crash + budgets.restart + budgets.late_request + budgets.duplicated_request +
           budgets.lost_answer + budgets.late_marker + budgets.duplicated_marker +
           budgets.transaction_coordinator_failover + budgets.producer_expiry;
}

// A disturbance costs one of its budget, everything else nothing; an underflow would raise the sum.
void check_step(const KafkaModel& model, const Cluster& before, const model::Action& action,
                const Cluster& after) {
    REQUIRE(sum_of(after.budgets) == sum_of(before.budgets) - (action.spends_budget ? 1 : 0));
    REQUIRE(model.is_healing(action) != action.spends_budget);
    REQUIRE(action.thread.value < model.bounds().threads);
    REQUIRE(action.partition.value < model.bounds().partitions);
    if (model.configuration().is_transactional()) {
        REQUIRE(action.producer.value < model.configuration().producers());
    }
    REQUIRE(after.group.generation >= before.group.generation);
}

void walk(const KafkaModel& model, std::mt19937& random, int steps_max) {
    Cluster cluster = model.initial_states().front();
    checker::Enabled<model::Action> enabled;
    for (int step = 0; step < steps_max; ++step) {
        check_state(model.configuration(), cluster);
        enabled.clear();
        model.actions(cluster, enabled);
        if (enabled.size() == 0) { return; }
        std::vector<model::Action> sorted(enabled.begin(), enabled.end());
        std::ranges::sort(sorted);
        REQUIRE(std::ranges::adjacent_find(sorted) == sorted.end());
        for (const model::Action& action : sorted) {
            Cluster after = cluster;
            Cluster again = cluster;
            model.apply(after, action);
            model.apply(again, action);
            REQUIRE(after == again);
            check_step(model, cluster, action, after);
        }
        model.apply(cluster, sorted[random() % sorted.size()]);
    }
}

void check_walks(const model::Rules& rules, const Bounds& bounds, int walks_max) {
    constexpr unsigned seed = 20'240'607;
    std::mt19937 random(seed);
    CAPTURE(seed);
    const KafkaModel model(rules, bounds, of_each(1));
    for (int walks = 0; walks < walks_max; ++walks) { walk(model, random, 150); }
}

}  // namespace

TEST_CASE("each scheme keeps the contract of models on the states that are found first") {
    for (const model::Scheme& scheme : model::scheme_catalogue()) {
        CAPTURE(scheme.name);
        check_contract(KafkaModel(scheme.rules, {}, of_each(1)), 3'000);
        check_contract(KafkaModel(scheme.rules, room_to_spare, of_each(1)), 3'000);
    }
}

TEST_CASE("each scheme keeps the contract and its ranges on random walks") {
    for (const model::Scheme& scheme : model::scheme_catalogue()) {
        CAPTURE(scheme.name);
        check_walks(scheme.rules, room_to_spare, 100);
        check_walks(scheme.rules, {.threads = 3, .partitions = 1, .records = 2, .generations = 3},
                    100);
    }
}

TEST_CASE("every value of every rule keeps the ranges on random walks") {
    for (const std::string_view scheme : {"v2", "v1_clients_2.6_to_2.8"}) {
        for (const model::RuleEntry& rule : model::rule_catalogue()) {
            for (std::size_t value = 0; value < rule.values.size(); ++value) {
                model::Rules rules = rules_of_scheme(scheme);
                rule.set(rules, value);
                const bool is_refused = rules.guarantee == model::Guarantee::exactly_once_v2 &&
                                        rules.transactional_id == model::IdScope::task;
                if (is_refused) { continue; }
                CAPTURE(rule.name);
                CAPTURE(rule.values[value]);
                check_walks(rules, {}, 20);
            }
        }
    }
}

TEST_CASE("an unlimited budget is a constant") {
    constexpr std::uint8_t unlimited = Disturbances::unlimited;
    const KafkaModel model(rules_of_scheme("v2"), {},
                           {.expulsion = unlimited, .transaction_timeout = unlimited});
    std::mt19937 random(7);
    Cluster cluster = model.initial_states().front();
    checker::Enabled<model::Action> enabled;
    for (int step = 0; step < 200; ++step) {
        REQUIRE(sum_of(cluster.budgets) == 0);
        enabled.clear();
        model.actions(cluster, enabled);
        if (enabled.size() == 0) { break; }
        model.apply(cluster, *(enabled.begin() + static_cast<long>(random() % enabled.size())));
    }
}

TEST_CASE("rules and bounds that do not fit together are refused") {
    const model::Rules v2 = rules_of_scheme("v2");
    const auto make = [](const model::Rules& rules, const Bounds& bounds) {
        return KafkaModel(rules, bounds, {});
    };
    CHECK_THROWS_AS(make(with(v2, {"transactional_id=task"}), {}), std::invalid_argument);
    CHECK_THROWS_AS(make(v2, {.threads = 0}), std::invalid_argument);
    CHECK_THROWS_AS(make(v2, {.threads = 5}), std::invalid_argument);
    CHECK_THROWS_AS(make(v2, {.records = 5}), std::invalid_argument);
    CHECK_THROWS_AS(make(v2, {.epoch = 8}), std::invalid_argument);
    const model::Rules random_v1 =
        with(rules_of_scheme("v1_clients_up_to_2.5"), {"transactional_id=random"});
    CHECK_THROWS_AS(make(random_v1, {.threads = 3, .partitions = 2}), std::invalid_argument);
    CHECK_NOTHROW(make(random_v1, {.threads = 2, .partitions = 2}));
}

}  // namespace ringfence::tests
