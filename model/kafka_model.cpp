#include "model/kafka_model.hpp"

#include "model/coordinator_actions.hpp"
#include "model/network.hpp"
#include "model/steps.hpp"

#include <algorithm>
#include <stdexcept>

namespace ringfence::model {

namespace {

void check_bounds(const Bounds& bounds) {
    for (const BoundEntry& entry : bound_catalogue()) {
        const unsigned value = bounds.*entry.member;
        if (value >= entry.min && value <= entry.max) { continue; }
        throw std::invalid_argument(std::string(entry.name) + " = " + std::to_string(value) +
                                    ": expected " + std::to_string(entry.min) + " to " +
                                    std::to_string(entry.max));
    }
}

void check_producers(const Configuration& configuration) {
    const bool is_v2 = configuration.rules.guarantee == Guarantee::exactly_once_v2;
    if (is_v2 && configuration.id_scope() == IdScope::task) {
        throw std::invalid_argument(
            "transactional_id = task needs a producer for each task: guarantee = exactly_once");
    }
    if (configuration.producers() > producers_max) {
        throw std::invalid_argument("these rules and bounds need " +
                                    std::to_string(configuration.producers()) +
                                    " transactional ids (former ones included); at most " +
                                    std::to_string(producers_max) + " are supported");
    }
}

Configuration checked(const Configuration& configuration) {
    check_bounds(configuration.bounds);
    check_producers(configuration);
    return configuration;
}

std::uint8_t initial(std::uint8_t budget) {
    return budget == Disturbances::unlimited ? std::uint8_t{0} : budget;
}

}  // namespace

KafkaModel::KafkaModel(const Rules& rules, const Bounds& bounds, const Disturbances& disturbances,
                       const Ghosts& ghosts)
    : configuration_(checked({rules, bounds, disturbances, ghosts})),
      footprints_(configuration_),
      renamings_(renamings(configuration_)) {
    for (std::size_t k = 0; k < configuration_.producers(); ++k) {
        const std::size_t thread =
            k / configuration_.producer_slots() % configuration_.bounds.threads;
        producers_of_threads_[thread].push_back(ProducerId{k});
    }
}

std::vector<Cluster> KafkaModel::initial_states() const {
    Cluster cluster{};
    for (std::size_t t = 0; t < configuration_.bounds.threads; ++t) {
        join(cluster.group, current_member(ThreadId{t}), 0);
        cluster.threads[t].membership = Membership::awaiting_join;
    }
    const Disturbances& budgets = configuration_.disturbances;
    cluster.budgets = {
        .expulsion = initial(budgets.expulsion),
        .transaction_timeout = initial(budgets.transaction_timeout),
        .voluntary_rebalance = initial(budgets.voluntary_rebalance),
        .crash = initial(budgets.crash),
        .restart = initial(budgets.restart),
        .late_request = initial(budgets.late_request),
        .duplicated_request = initial(budgets.duplicated_request),
        .lost_answer = initial(budgets.lost_answer),
        .late_marker = initial(budgets.late_marker),
        .duplicated_marker = initial(budgets.duplicated_marker),
        .transaction_coordinator_failover = initial(budgets.transaction_coordinator_failover),
        .producer_expiry = initial(budgets.producer_expiry)};
    return {cluster};
}

void KafkaModel::actions(const Cluster& cluster, checker::Enabled<Action>& enabled) const {
    for (std::size_t t = 0; t < configuration_.bounds.threads; ++t) {
        list_thread_actions(configuration_, cluster, ThreadId{t}, enabled);
        list_expulsion(configuration_, cluster, ThreadId{t}, enabled);
    }
    list_end_of_join(cluster, enabled);
    for (std::size_t k = 0; k < configuration_.producers(); ++k) {
        list_transaction_actions(configuration_, cluster, ProducerId{k}, enabled);
    }
    list_deliveries(configuration_, cluster, enabled);
}

std::vector<std::uint32_t> KafkaModel::scopes(bool finer) const {
    const bool has_scopes = has_component_per_thread(finer) && !configuration_.has_changelog() &&
                            !configuration_.disturbs_network();
    const std::size_t threads = configuration_.bounds.threads;
    if (!has_scopes || threads == 1) { return {}; }
    const std::uint32_t rest = 1U << threads;
    std::vector<std::uint32_t> scopes;
    for (std::size_t t = 0; t < threads; ++t) { scopes.push_back(1U << t | rest); }
    return scopes;
}

void KafkaModel::actions_in(std::size_t scope, const Cluster& cluster,
                            checker::Enabled<Action>& enabled) const {
    list_thread_actions(configuration_, cluster, ThreadId{scope}, enabled);
    list_expulsion(configuration_, cluster, ThreadId{scope}, enabled);
    for (const ProducerId producer : producers_of(scope)) {
        list_transaction_actions(configuration_, cluster, producer, enabled);
    }
}

void KafkaModel::joint_actions(const Cluster& cluster, checker::Enabled<Action>& enabled) const {
    list_end_of_join(cluster, enabled);
}

Outcome KafkaModel::apply(Cluster& cluster, const Action& action) const {
    return take_step(configuration_, cluster, action);
}

bool KafkaModel::has_component_per_thread(bool finer) const {
    const IdScope scope = configuration_.id_scope();
    return !finer && (scope == IdScope::thread || scope == IdScope::random);
}

std::vector<std::uint8_t> KafkaModel::components(bool finer) const {
    const bool is_of_one_thread = has_component_per_thread(finer);
    const std::size_t threads = configuration_.bounds.threads;
    const std::size_t producers = configuration_.producers();
    const std::size_t rest = threads + (is_of_one_thread ? 0 : producers);

    std::vector<std::uint8_t> components(sizeof(Cluster), static_cast<std::uint8_t>(rest));
    const Cluster cluster{};
    const auto* const begin = reinterpret_cast<const std::byte*>(&cluster);
    const auto belongs_to = [&](std::size_t component, const auto& field) {
        const auto first = reinterpret_cast<const std::byte*>(&field) - begin;
        std::fill_n(components.begin() + first, sizeof field, static_cast<std::uint8_t>(component));
    };
    for (std::size_t t = 0; t < threads; ++t) { belongs_to(t, cluster.threads[t]); }
    const auto producer_belongs_to = [&](std::size_t component, std::size_t k) {
        belongs_to(component, cluster.transactional_ids[k]);
        belongs_to(component, cluster.group.offsets[k]);
        for (const auto& output : cluster.outputs) { belongs_to(component, output[k]); }
        for (const auto& changelog : cluster.changelogs) { belongs_to(component, changelog[k]); }
    };
    for (std::size_t k = 0; k < producers && !is_of_one_thread; ++k) {
        producer_belongs_to(threads + k, k);
    }
    for (std::size_t t = 0; t < threads && is_of_one_thread; ++t) {
        for (const ProducerId producer : producers_of(t)) {
            producer_belongs_to(t, producer.value);
        }
    }
    // What threads and producers see of each other.
    for (std::size_t t = 0; t < threads && is_of_one_thread; ++t) {
        for (const Task& task : cluster.threads[t].tasks) { belongs_to(rest, task.elders); }
    }
    for (std::size_t k = 0; k < producers && is_of_one_thread; ++k) {
        belongs_to(rest, cluster.group.offsets[k].pending);
    }
    if (configuration_.disturbs_network()) { belongs_to(rest + 1, cluster.in_flight); }
    return components;
}

bool KafkaModel::work_is_left(const Cluster& cluster) const {
    const auto is_alive = [&](std::size_t t) { return cluster.threads[t].life == Life::alive; };
    bool has_thread = false;
    for (std::size_t t = 0; t < configuration_.bounds.threads; ++t) {
        has_thread = has_thread || is_alive(t);
    }
    if (!has_thread) { return false; }
    for (std::size_t p = 0; p < configuration_.bounds.partitions; ++p) {
        for (Offset record = 0; record < configuration_.bounds.records; ++record) {
            if (count_of(cluster.ghosts[p].visible, record) == 0) { return true; }
        }
    }
    const bool is_undecided =
        std::ranges::any_of(cluster.transactional_ids, [](const TransactionalId& id) {
            return id.state == TransactionState::ongoing || id.is_preparing();
        });
    return is_undecided || std::ranges::any_of(cluster.group.offsets,
                                               [](const auto& entry) { return entry.queue != 0; });
}

std::size_t KafkaModel::actor_of(const Action& action) {
    switch (action.verb) {
        case Verb::join_group:
        case Verb::rejoin_group:
        case Verb::sync_group:
        case Verb::leave_group:
        case Verb::learn_of_expulsion:
        case Verb::init_producer_id:
        case Verb::fetch_offset:
        case Verb::restore_changelog:
        case Verb::add_partition:
        case Verb::verify_partition:
        case Verb::produce:
        case Verb::add_offsets:
        case Verb::verify_offsets:
        case Verb::txn_offset_commit:
        case Verb::offset_commit:
        case Verb::end_txn_commit:
        case Verb::end_txn_abort:
        case Verb::trigger_rebalance:
        case Verb::crash:
        case Verb::restart: return action.thread.value;
        case Verb::complete_join:
        case Verb::expel_member:
        case Verb::materialise: return threads_max;
        case Verb::write_marker:
        case Verb::write_changelog_marker:
        case Verb::write_offsets_marker:
        case Verb::complete_txn:
        case Verb::time_out_txn:
        case Verb::fail_over_coordinator:
        case Verb::expire_producer:
        case Verb::expire_offsets_producer: break;
        case Verb::deliver_request:
        case Verb::deliver_marker: return threads_max + 1U + producers_max;
    }
    return threads_max + 1U + action.producer.value;
}

namespace {

template <class Enumerator>
std::vector<std::string> names_of_all(std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        names.emplace_back(name_of(static_cast<Enumerator>(i)));
    }
    return names;
}

}  // namespace

std::vector<std::string> KafkaModel::verb_names() { return names_of_all<Verb>(verbs); }
std::vector<std::string> KafkaModel::result_names() { return names_of_all<Error>(errors); }
std::vector<std::string> KafkaModel::cut_names() { return names_of_all<Cut>(cuts); }

}  // namespace ringfence::model
