// What is counted, in a state and over a step.
#include "model/cost.hpp"

#include "model/stream_thread.hpp"

#include <algorithm>
#include <bit>

namespace ringfence::model {

namespace {

template <class Count>
unsigned sum_over_threads(const KafkaModel& model, const Cluster& cluster, const Count& count) {
    unsigned sum = 0;
    for (std::size_t t = 0; t < model.bounds().threads; ++t) { sum += count(cluster.threads[t]); }
    return sum;
}

unsigned size_of(std::uint8_t set) { return static_cast<unsigned>(std::popcount(set)); }

// The coordinator of its id; in a transaction, the leader of each output in it, and the group
// coordinator that is to take its offsets.
unsigned partners_of(const Producer& producer) {
    if (!producer.epoch.is_known()) { return 0; }
    return 1 + size_of(producer.added) + (producer.added != 0 ? 1U : 0U);
}

}  // namespace

// Without transactions the model keeps no producers: a thread needs one as soon as it has a task.
unsigned producers_in(const KafkaModel& model, const Cluster& cluster) {
    return sum_over_threads(model, cluster, [&](const StreamThread& thread) {
        if (!model.configuration().is_transactional()) {
            return owned_partitions(model.configuration(), thread) != 0 ? 1U : 0U;
        }
        return static_cast<unsigned>(std::ranges::count_if(
            thread.producers, [](const Producer& producer) { return producer.epoch.is_known(); }));
    });
}

unsigned connections_in(const KafkaModel& model, const Cluster& cluster) {
    return sum_over_threads(model, cluster, [&](const StreamThread& thread) {
        if (!model.configuration().is_transactional()) {
            return size_of(owned_partitions(model.configuration(), thread));
        }
        unsigned partners = 0;
        for (const Producer& producer : thread.producers) { partners += partners_of(producer); }
        return partners;
    });
}

unsigned coordinator_entries_in(const KafkaModel&, const Cluster& cluster) {
    return static_cast<unsigned>(std::ranges::count_if(
        cluster.transactional_ids, [](const TransactionalId& id) { return id.epoch.is_known(); }));
}

namespace {

unsigned init_calls(const KafkaModel& model, const KafkaStep& step) {
    const bool assigns =
        step.action.verb == Verb::sync_group && step.before.group.phase == GroupPhase::completing;
    if (!assigns || !model.configuration().is_transactional()) { return 0; }
    unsigned new_tasks = 0;
    std::array<bool, threads_max> is_beginner{};
    for (std::size_t p = 0; p < model.bounds().partitions; ++p) {
        const std::uint8_t owner = step.after.group.assignment[p];  // 1 + slot
        if (owner == 0 || owner > threads_max) { continue; }
        const StreamThread& thread = step.before.threads[owner - 1U];
        if (thread.tasks[p].phase == TaskPhase::none) { ++new_tasks; }
        const bool has_task = owned_partitions(model.configuration(), thread) != 0;
        const bool has_producer = thread.producers[0].epoch.is_known();
        if (!has_task && !has_producer) { is_beginner[owner - 1U] = true; }
    }
    return model.configuration().has_producer_per_task()
               ? new_tasks
               : static_cast<unsigned>(std::ranges::count(is_beginner, true));
}

}  // namespace

unsigned init_calls_at_start(const KafkaModel& model, const KafkaStep& step) {
    return step.before.group.generation == 1 ? init_calls(model, step) : 0;
}

unsigned init_calls_of_rebalance(const KafkaModel& model, const KafkaStep& step) {
    return step.before.group.generation > 1 ? init_calls(model, step) : 0;
}

namespace {

// Sums up count(open records of one output) if the step decides to abort, whoever asked for it:
// the client, a fence or a timeout.
template <class Count>
unsigned sum_over_aborted(const KafkaStep& step, const Count& count) {
    const std::size_t id = step.action.producer.value;
    const bool aborts = step.before.transactional_ids[id].state == TransactionState::ongoing &&
                        step.after.transactional_ids[id].state == TransactionState::prepare_abort;
    unsigned sum = 0;
    for (const auto& output : step.before.outputs) { sum += aborts ? count(output[id].open) : 0; }
    return sum;
}

}  // namespace

unsigned tasks_rolled_back(const KafkaModel&, const KafkaStep& step) {
    return sum_over_aborted(step, [](std::uint8_t open) { return open != 0 ? 1U : 0U; });
}

unsigned records_rolled_back(const KafkaModel& model, const KafkaStep& step) {
    return sum_over_aborted(step, [&model](std::uint8_t open) {
        unsigned records = 0;
        for (Offset record = 0; record < model.bounds().records; ++record) {
            records += count_of(open, record);
        }
        return records;
    });
}

bool shows_wait(const KafkaStep& step, CostKind kind) {
    const Verb verb = kind == CostKind::init_wait ? Verb::init_producer_id : Verb::fetch_offset;
    return step.action.verb == verb && step.outcome.error != Error::none &&
           is_current_member(step.before, step.action.thread);
}

bool would_show_wait(const Cluster& cluster, ThreadId thread) {
    const auto is_working = [](const Producer& producer) {
        return producer.phase == TransactionPhase::working;
    };
    return is_current_member(cluster, thread) &&
           std::ranges::all_of(cluster.threads[thread.value].producers, is_working);
}

bool may_end_wait(const Action& action) {
    if (action.spends_budget) { return false; }
    return (action.verb >= Verb::init_producer_id && action.verb <= Verb::complete_txn) ||
           action.verb == Verb::time_out_txn;
}

}  // namespace ringfence::model
