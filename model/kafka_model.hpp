// Kafka under exactly-once, as a value and its steps: satisfies checker::Model. The contents:
//
//   cluster.hpp                  the state
//   actions.hpp                  the vocabulary of steps
//   rules.hpp, bounds.hpp        what can be switched, what is limited
//   stream_thread.*              a thread's reactions; thread_actions.cpp: which steps it may take
//   coordinator_actions.*        which steps brokers take by themselves
//   transaction_coordinator.*, group_coordinator.*, partition_leader.*
//                                what each of them accepts, and with which effect
//   request.hpp                  what travels; client.*: who sends it and hears the answer;
//                                brokers.*: who handles it
//   network.*                    what it may do to them, and what is in flight
//   steps.*                      a step: request, handling and answer together
//   ghosts.*                     what laws remember
//   footprints.*                 how little the most frequent steps depend on
#pragma once

#include "checker/model.hpp"
#include "model/actions.hpp"
#include "model/cluster.hpp"
#include "model/configuration.hpp"
#include "model/footprints.hpp"
#include "model/stream_thread.hpp"
#include "model/symmetry.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace ringfence::model {

class KafkaModel {
  public:
    using State = Cluster;
    using Action = model::Action;
    using Outcome = model::Outcome;

    // Throws std::invalid_argument, with a message for the user, where rules and bounds do not fit
    // together or a bound is out of range.
    KafkaModel(const Rules& rules, const Bounds& bounds, const Disturbances& disturbances,
               const Ghosts& ghosts = {});

    // All threads wait in the join phase of the first generation.
    [[nodiscard]] std::vector<Cluster> initial_states() const;
    void actions(const Cluster& cluster, checker::Enabled<Action>& enabled) const;
    Outcome apply(Cluster& cluster, const Action& action) const;

    // A scope for each thread: what it does, and what happens to its member and its producers
    // (checker::HasScopes). The end of the join phase, which all threads notice, is a joint step.
    // None for a thread alone, nor where threads share a transactional id, a changelog or the
    // network.
    static constexpr std::size_t common_scope = 0;
    [[nodiscard]] std::vector<std::uint32_t> scopes(bool finer = false) const;
    void actions_in(std::size_t scope, const Cluster& cluster,
                    checker::Enabled<Action>& enabled) const;
    void joint_actions(const Cluster& cluster, checker::Enabled<Action>& enabled) const;

    // How little its most frequent actions depend on (checker::HasFootprints), where there are
    // scopes.
    [[nodiscard]] const std::vector<std::vector<std::uint8_t>>& footprints() const {
        return footprints_.all();
    }
    [[nodiscard]] std::size_t footprint_of(const Action& action) const {
        return footprints_.of(action);
    }
    [[nodiscard]] static std::uint64_t code_of(const Action& action) {
        return model::code_of(action);
    }

    // Of every byte of a cluster (checker::HasComponents): each thread, with what brokers hold of
    // the producer that is its alone unless they are to be finer; each other producer; all else;
    // what is in flight.
    [[nodiscard]] std::vector<std::uint8_t> components(bool finer = false) const;
    // Renamings of threads and partitions (checker::HasSymmetry).
    [[nodiscard]] std::size_t permutations() const { return renamings_.size(); }
    void permute(Cluster& cluster, std::size_t permutation) const {
        rename(configuration_, renamings_[permutation], cluster);
    }

    [[nodiscard]] bool is_healing(const Action& action) const { return !action.spends_budget; }
    // Where each has its own, as under scopes().
    [[nodiscard]] const std::vector<ProducerId>& producers_of(std::size_t thread) const {
        return producers_of_threads_[thread];
    }

    // Some thread is up, and a record has no visible output or a transaction is not finished.
    [[nodiscard]] bool work_is_left(const Cluster& cluster) const;

    [[nodiscard]] const Configuration& configuration() const { return configuration_; }
    [[nodiscard]] const Rules& rules() const { return configuration_.rules; }
    [[nodiscard]] const Bounds& bounds() const { return configuration_.bounds; }

    static std::size_t verb_of(const Action& action) {
        return static_cast<std::size_t>(action.verb);
    }
    static std::size_t result_of(const Outcome& outcome) {
        return static_cast<std::size_t>(outcome.error);
    }
    // Threads, then brokers: the group coordinator, and one for each transactional id; the network.
    static std::size_t actor_of(const Action& action);
    static std::vector<std::string> verb_names();
    static std::vector<std::string> result_names();
    static std::vector<std::string> cut_names();

  private:
    [[nodiscard]] bool has_component_per_thread(bool finer) const;
    Configuration configuration_;
    Footprints footprints_;
    std::vector<Renaming> renamings_;
    std::array<std::vector<ProducerId>, threads_max> producers_of_threads_;
};

static_assert(checker::Model<KafkaModel> && checker::HasSymmetry<KafkaModel> &&
              checker::HasScopes<KafkaModel> && checker::HasFootprints<KafkaModel>);

}  // namespace ringfence::model
