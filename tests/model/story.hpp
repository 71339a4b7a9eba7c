// Drives the model along a literal sequence of actions: each is looked up among those that the
// model lists, so that no story can take a step that the search would not take.
#pragma once

#include "model/kafka_model.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

namespace ringfence::tests {

inline constexpr model::ThreadId thread_a{0};
inline constexpr model::ThreadId thread_b{1};
inline constexpr model::PartitionId p0{0};
inline constexpr model::PartitionId p1{1};

// What is said of an action; what is left out may be anything.
struct Wanted {
    model::Verb verb{};
    std::optional<model::ThreadId> thread{};
    std::optional<model::PartitionId> partition{};
    std::optional<model::ProducerId> producer{};
    std::optional<std::uint16_t> assignment{};
    model::Fate fate{};

    [[nodiscard]] bool fits(const model::Action& action) const {
        return action.verb == verb && action.fate == fate &&
               action.thread == thread.value_or(action.thread) &&
               action.partition == partition.value_or(action.partition) &&
               action.producer == producer.value_or(action.producer) &&
               action.assignment == assignment.value_or(action.assignment);
    }
};

class Story {
  public:
    explicit Story(const model::KafkaModel& model)
        : model_(model), cluster_(model.initial_states().front()) {}

    [[nodiscard]] const model::Cluster& now() const { return cluster_; }
    [[nodiscard]] const model::StreamThread& thread(model::ThreadId id) const {
        return cluster_.threads[id.value];
    }
    [[nodiscard]] const model::Task& task(model::ThreadId id, model::PartitionId p) const {
        return thread(id).tasks[p.value];
    }
    [[nodiscard]] const model::TransactionalId& id(std::size_t producer) const {
        return cluster_.transactional_ids[producer];
    }

    // All listed actions that fit.
    [[nodiscard]] std::vector<model::Action> possible(const Wanted& wanted) const {
        checker::Enabled<model::Action> enabled;
        model_.actions(cluster_, enabled);
        std::vector<model::Action> found;
        for (const model::Action& action : enabled) {
            if (wanted.fits(action)) { found.push_back(action); }
        }
        return found;
    }
    [[nodiscard]] bool can(const Wanted& wanted) const { return !possible(wanted).empty(); }

    // Takes the one action that fits.
    model::Outcome take(const Wanted& wanted) {
        const std::vector<model::Action> found = possible(wanted);
        const std::string verb(name_of(wanted.verb));
        CAPTURE(verb);
        REQUIRE(found.size() == 1);
        last_ = found.front();
        return model_.apply(cluster_, last_);
    }
    model::Error error_of(const Wanted& wanted) { return take(wanted).error; }
    // The same, where the step has to succeed.
    void succeed(const Wanted& wanted) { REQUIRE(error_of(wanted) == model::Error::none); }

    [[nodiscard]] const model::Action& last() const { return last_; }

  private:
    const model::KafkaModel& model_;
    model::Cluster cluster_;
    model::Action last_{};
};

// Which thread gets which partition: 1 for thread A, 2 for thread B, 0 for nobody.
[[nodiscard]] constexpr std::uint16_t assignment(unsigned of_p0, unsigned of_p1 = 0) {
    return static_cast<std::uint16_t>(of_p0 | of_p1 << 4U);
}

}  // namespace ringfence::tests
