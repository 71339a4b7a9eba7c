// What the Kafka model costs a transition: listing steps, taking them and taking them back, asking
// the laws. EOS v2 at two threads and partitions, over states of random walks.
#include "checker/packing.hpp"
#include "model/kafka_model.hpp"
#include "properties/catalogue.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace ringfence {

namespace {

using model::KafkaModel;

class Sample {
  public:
    Sample() : model_(model::Rules{}, bounds(), model::Disturbances{}), packing_(make_packing()) {}

    [[nodiscard]] const KafkaModel& model() const { return model_; }
    [[nodiscard]] const std::vector<model::Cluster>& states() const { return states_; }
    [[nodiscard]] const checker::Packing& packing() const { return packing_; }

  private:
    static constexpr std::size_t count = 4096;

    static model::Bounds bounds() {
        model::Bounds bounds;
        bounds.partitions = 2;
        return bounds;
    }

    // Visits `visit(successor)` for every step from a state.
    template <class Visit>
    void for_each_successor(const model::Cluster& state, const Visit& visit) {
        enabled_.clear();
        model_.actions(state, enabled_);
        for (const model::Action& action : enabled_) {
            model::Cluster successor = state;
            (void)model_.apply(successor, action);
            visit(successor);
        }
    }

    void walk(std::mt19937& random) {
        constexpr int steps = 70;
        constexpr int warm = 25;  // the joins at the beginning are all alike
        model::Cluster state = model_.initial_states().front();
        for (int step = 0; step < steps && states_.size() < count; ++step) {
            std::vector<model::Cluster> successors;
            for_each_successor(state, [&](const auto& after) { successors.push_back(after); });
            if (successors.empty()) { return; }
            state = successors[random() % successors.size()];
            if (step >= warm) { states_.push_back(state); }
        }
    }

    checker::Packing make_packing() {
        std::mt19937 random(1);
        while (states_.size() < count) { walk(random); }
        checker::Packing packing(std::as_bytes(std::span(states_).first(1)),
                                 checker::Packing::Path::fastest, model_.components());
        std::vector<std::uint64_t> missing(checker::words_of<model::Cluster>);
        const auto collect = [&](const model::Cluster& state) {
            packing.collect_missing(checker::bytes_of(state), missing.data());
        };
        for (const model::Cluster& state : states_) {
            collect(state);
            for_each_successor(state, collect);
        }
        packing.widen(missing);
        return packing.compacted();
    }

    KafkaModel model_;
    checker::Enabled<model::Action> enabled_;
    std::vector<model::Cluster> states_;
    checker::Packing packing_;
};

const Sample& sample() {
    static const Sample sample;
    return sample;
}

enum class Work : std::uint8_t { list, list_and_take, list_take_and_ask };

// One state: returns the number of its transitions.
template <Work work>
std::size_t generate(const model::Cluster& before, model::Cluster& after,
                     checker::Enabled<model::Action>& enabled) {
    const KafkaModel& model = sample().model();
    enabled.clear();
    model.actions(before, enabled);
    if (work == Work::list) { return enabled.size(); }
    std::array<std::uint64_t, checker::parts_max> parts{};
    std::array<std::uint64_t, checker::parts_max> successor{};
    std::vector<std::uint64_t> missing(checker::words_of<model::Cluster>);
    const auto& packing = sample().packing();
    benchmark::DoNotOptimize(packing.pack(checker::bytes_of(before), parts.data()));
    after = before;
    bool holds = true;
    for (const auto& law : properties::laws()) {
        const bool is_asked = work == Work::list_take_and_ask && law.is_applicable(model);
        if (is_asked && law.kind == checker::PropertyKind::state) {
            holds &= law.holds_in(model, before);
        }
    }
    for (const model::Action& action : enabled) {
        const model::Outcome outcome = model.apply(after, action);
        for (const auto& law : properties::laws()) {
            const bool concerns = (law.verbs >> KafkaModel::verb_of(action) & 1U) != 0;
            const bool is_asked = work == Work::list_take_and_ask && concerns &&
                                  law.kind == checker::PropertyKind::step;
            if (is_asked) { holds &= law.holds_over(model, {before, action, outcome, after}); }
        }
        benchmark::DoNotOptimize(packing.take_back(checker::bytes_of(before), parts.data(),
                                                   checker::writable_bytes_of(after),
                                                   successor.data(), missing.data()));
    }
    benchmark::DoNotOptimize(holds);
    return enabled.size();
}

template <Work work>
void successors(benchmark::State& run) {
    const auto& states = sample().states();
    model::Cluster after{};
    checker::Enabled<model::Action> enabled;
    std::size_t transitions = 0;
    std::size_t next = 0;
    for (auto _ : run) {
        transitions += generate<work>(states[next++ % states.size()], after, enabled);
    }
    run.counters["transitions"] =
        benchmark::Counter(static_cast<double>(transitions), benchmark::Counter::kIsRate);
    run.counters["per_transition"] =
        benchmark::Counter(static_cast<double>(transitions),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK(successors<Work::list>)->Name("successors/list");
BENCHMARK(successors<Work::list_and_take>)->Name("successors/list_and_take");
BENCHMARK(successors<Work::list_take_and_ask>)->Name("successors/list_take_and_ask");

}  // namespace

}  // namespace ringfence
