// CATALOGUE 5: what a scheme costs. Quantities of a state or a step, and formulas by which they
// grow.
//
// A *search* finds the largest value over all reachable states of a small cluster; a *formula* says
// what it is for a cluster of any size. tests/cli/cost_test.cpp holds one to the other at every
// bound that the search can reach. Each is asked twice: about a cluster that nothing disturbs, and
// about one of whose members one is expelled and does not know it yet, since much of the price of
// fencing shows only where there is somebody to fence.
//
// To add a cost: what is counted in cost.cpp, an entry with its formulas in cost_catalogue.cpp.
#pragma once

#include "model/kafka_model.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace ringfence::model {

enum class Situation : std::uint8_t {
    undisturbed,      // one generation
    member_expelled,  // a live member, once: two generations
};
inline constexpr std::array situations{Situation::undisturbed, Situation::member_expelled};

[[nodiscard]] std::string_view name_of(Situation situation);
[[nodiscard]] Disturbances disturbances_of(Situation situation);
[[nodiscard]] std::uint8_t generations_of(Situation situation);

// What formulas are asked about. A search tries every assignment and every moment, so there one
// thread may have all tasks, and no thread need have a producer yet; a deployment at work has its
// tasks spread evenly, and a producer wherever one was ever needed.
struct Deployment {
    std::uint64_t tasks = 1;            // P: input partitions
    std::uint64_t threads = 2;          // T: of all instances, at least 2
    std::uint64_t tasks_of_thread = 1;  // K: the most that one thread has, and may hand over
    std::uint64_t producerless = 1;     // N: threads in a rebalance that have no producer
    std::uint64_t records = 1;          // R: of one task in one transaction
    Situation situation = Situation::undisturbed;

    // W: threads that have tasks, as they believe.
    [[nodiscard]] std::uint64_t threads_at_work() const;
};

[[nodiscard]] Deployment searched(const Bounds& bounds, Situation situation);
[[nodiscard]] Deployment at_work(std::uint64_t tasks, std::uint64_t threads, std::uint64_t records,
                                 Situation situation);

struct CostSymbol {
    std::string_view letter;
    std::string_view what;
};
[[nodiscard]] std::span<const CostSymbol> cost_symbols();

struct CostFormula {
    std::string_view text;  // in the letters of cost_symbols()
    std::uint64_t (*value)(const Deployment&);
};

struct CostOfScheme {
    CostFormula undisturbed;
    CostFormula member_expelled;
    std::string_view why;

    [[nodiscard]] const CostFormula& in(Situation situation) const {
        return situation == Situation::undisturbed ? undisturbed : member_expelled;
    }
};

enum class CostKind : std::uint8_t {
    state,       // `in` is asked about every reachable state
    step,        // `of` is asked about every step
    init_wait,   // steps until an owner's InitProducerId is refused no more
    fetch_wait,  // the same of its OffsetFetch
};

struct CostEntry {
    std::string_view name;
    std::string_view what;  // what is counted
    std::string_view source;
    CostKind kind;
    std::array<CostOfScheme, 3> schemes;  // by Guarantee
    unsigned (*in)(const KafkaModel&, const Cluster&) = nullptr;
    unsigned (*of)(const KafkaModel&, const checker::Step<KafkaModel>&) = nullptr;

    [[nodiscard]] const CostOfScheme& of_scheme(const Rules& rules) const {
        return schemes[static_cast<std::size_t>(rules.guarantee)];
    }
};

[[nodiscard]] std::span<const CostEntry> cost_catalogue();

// ---- what is counted ----

using KafkaStep = checker::Step<KafkaModel>;

[[nodiscard]] unsigned producers_in(const KafkaModel& model, const Cluster& cluster);
[[nodiscard]] unsigned connections_in(const KafkaModel& model, const Cluster& cluster);
[[nodiscard]] unsigned coordinator_entries_in(const KafkaModel& model, const Cluster& cluster);
// InitProducerId calls that the assignment which the step brings makes necessary: for each task
// that is new to its owner (v1), for each owner that had no task and no producer (v2).
[[nodiscard]] unsigned init_calls_at_start(const KafkaModel& model, const KafkaStep& step);
[[nodiscard]] unsigned init_calls_of_rebalance(const KafkaModel& model, const KafkaStep& step);
// What the transaction that the step decides to abort had appended.
[[nodiscard]] unsigned tasks_rolled_back(const KafkaModel& model, const KafkaStep& step);
[[nodiscard]] unsigned records_rolled_back(const KafkaModel& model, const KafkaStep& step);

// Does the step show that its thread waits in the state before it? An owner's InitProducerId or
// OffsetFetch was refused until the work of another transaction is done.
[[nodiscard]] bool shows_wait(const KafkaStep& step, CostKind kind);

// A thread that shows no wait has none if it would show it: it is an owner still, and no call of a
// commit keeps it from asking.
[[nodiscard]] bool would_show_wait(const Cluster& cluster, ThreadId thread);

// May the step be part of a schedule that ends a wait? All that producers, transaction coordinators
// and leaders do by themselves. Not the steps of the group, which could end it only by taking the
// task away, and no disturbance.
[[nodiscard]] bool may_end_wait(const Action& action);

}  // namespace ringfence::model
