// All reachable states of a small model, kept outright, with the steps between them: for questions
// that no state can answer by itself, such as how far it is from each of them to a better one.
//
//     states_   [ state 0 | state 1 | ... ]   in the order of a breadth-first search
//     numbers_  a hash set of those numbers that compares the states behind them
//     steps_    [ from, to ] ...              only steps that the caller wants to keep
//
// One thread, no packing: about sizeof(State) + 60 bytes a state and 8 a step. The search in
// breadth_first.hpp is the one for large models; this one is for looking at a small one as a whole.
#pragma once

#include "checker/model.hpp"
#include "checker/search_options.hpp"
#include "checker/verdict.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace ringfence::checker {

template <Model M>
class StateGraph {
  public:
    using State = typename M::State;
    using Number = std::uint32_t;

    static constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

    StateGraph() = default;
    StateGraph(const StateGraph&) = delete;  // the set of numbers looks into the states
    StateGraph& operator=(const StateGraph&) = delete;

    // Visits every reachable state once, within the limits; `workers` plays no part. Calls
    // visit(number) for each state before its steps, and keeps(number, step) for every step from
    // it, self-loops included, which says whether the graph keeps the step. To be called once.
    template <class Visit, class Keeps>
    [[nodiscard]] Ending explore(const M& model, const SearchOptions& options, const Visit& visit,
                                 const Keeps& keeps);

    [[nodiscard]] std::size_t size() const { return states_.size(); }
    [[nodiscard]] const State& state(Number number) const { return states_[number]; }
    [[nodiscard]] std::uint32_t depth() const {  // of the deepest state visited
        return static_cast<std::uint32_t>(level_ends_.size() - 1);
    }
    // Fewest steps from an initial state.
    [[nodiscard]] std::uint32_t depth_of(Number number) const;
    [[nodiscard]] std::uint64_t transitions() const { return transitions_; }
    // Steps that a bound forbade, by kind.
    [[nodiscard]] const std::array<std::uint64_t, cut_kinds_max>& cuts() const { return cuts_; }
    [[nodiscard]] std::uint64_t memory_bytes() const;

    // For each state the fewest kept steps to one for which is_target(number) holds.
    template <class IsTarget>
    [[nodiscard]] std::vector<std::uint32_t> distances_to(const IsTarget& is_target) const;

  private:
    using Clock = std::chrono::steady_clock;

    struct KeptStep {
        Number from;
        Number to;
    };
    struct Hash {
        const std::deque<State>* states;
        std::size_t operator()(Number number) const {
            const auto* bytes = reinterpret_cast<const char*>(&(*states)[number]);
            return std::hash<std::string_view>{}({bytes, sizeof(State)});
        }
    };
    struct Equal {
        const std::deque<State>* states;
        bool operator()(Number left, Number right) const {
            return (*states)[left] == (*states)[right];
        }
    };

    [[nodiscard]] Number number_of(const State& state);
    [[nodiscard]] std::optional<Ending> limit_reached(const SearchOptions& options) const;
    void tell_progress(const SearchOptions& options, Number next);
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - started_).count();
    }

    std::deque<State> states_;
    std::unordered_set<Number, Hash, Equal> numbers_{0, Hash{&states_}, Equal{&states_}};
    std::vector<KeptStep> steps_;
    std::vector<Number> level_ends_;  // of every level up to the one that is being visited
    std::uint64_t transitions_ = 0;
    std::array<std::uint64_t, cut_kinds_max> cuts_{};
    Clock::time_point started_ = Clock::now();
    double progress_told_ = 0;
};

template <Model M>
template <class Visit, class Keeps>
Ending StateGraph<M>::explore(const M& model, const SearchOptions& options, const Visit& visit,
                              const Keeps& keeps) {
    constexpr Number states_between_looks = 512;
    started_ = Clock::now();
    for (const State& state : model.initial_states()) { static_cast<void>(number_of(state)); }
    level_ends_.push_back(static_cast<Number>(size()));
    Enabled<typename M::Action> enabled;
    for (Number number = 0; number < size(); ++number) {
        if (number == level_ends_.back()) { level_ends_.push_back(static_cast<Number>(size())); }
        if (number % states_between_looks == 0) {
            if (const auto limit = limit_reached(options)) { return *limit; }
            tell_progress(options, number);
        }
        visit(number);
        if (depth() == options.depth_max) { continue; }
        const State& before = states_[number];
        enabled.clear();
        model.actions(before, enabled);
        for (std::size_t kind = 0; kind < cut_kinds_max; ++kind) {
            cuts_[kind] += enabled.cuts()[kind];
        }
        for (const typename M::Action& action : enabled) {
            State after = before;
            const typename M::Outcome outcome = model.apply(after, action);
            ++transitions_;
            const Number to = number_of(after);
            if (keeps(number, Step<M>{before, action, outcome, after})) {
                steps_.push_back({number, to});
            }
        }
    }
    return depth() == options.depth_max ? Ending::depth : Ending::exhausted;
}

template <Model M>
auto StateGraph<M>::number_of(const State& state) -> Number {
    const auto fresh = static_cast<Number>(size());
    states_.push_back(state);
    const auto [place, is_new] = numbers_.insert(fresh);
    if (!is_new) { states_.pop_back(); }
    return *place;
}

template <Model M>
std::uint32_t StateGraph<M>::depth_of(Number number) const {
    const auto level = std::upper_bound(level_ends_.begin(), level_ends_.end(), number);
    return static_cast<std::uint32_t>(level - level_ends_.begin());
}

template <Model M>
std::uint64_t StateGraph<M>::memory_bytes() const {
    constexpr std::uint64_t set_entry_bytes = 32;  // a node with its hash, and its bucket
    return size() * (sizeof(State) + set_entry_bytes) + steps_.capacity() * sizeof(KeptStep);
}

template <Model M>
std::optional<Ending> StateGraph<M>::limit_reached(const SearchOptions& options) const {
    if (options.is_interrupted != nullptr && *options.is_interrupted) {
        return Ending::interrupted;
    }
    if (size() > options.states_max) { return Ending::states; }
    if (memory_bytes() > options.memory_bytes_max) { return Ending::memory; }
    if (seconds() > options.seconds_max) { return Ending::time; }
    return std::nullopt;
}

template <Model M>
void StateGraph<M>::tell_progress(const SearchOptions& options, Number next) {
    constexpr double pause_seconds = 0.25;
    if (options.on_progress == nullptr || seconds() - progress_told_ < pause_seconds) { return; }
    progress_told_ = seconds();
    const Progress progress{.states = size(),
                            .transitions = transitions_,
                            .frontier = size() - next,
                            .depth = depth(),
                            .memory_bytes = memory_bytes(),
                            .seconds = progress_told_};
    options.on_progress(progress, options.progress_context);
}

template <Model M>
template <class IsTarget>
std::vector<std::uint32_t> StateGraph<M>::distances_to(const IsTarget& is_target) const {
    // Steps by where they lead: those to state n are begins[n] to begins[n + 1] - 1 of `sources`.
    std::vector<std::uint32_t> begins(size() + 1);
    for (const KeptStep& step : steps_) { ++begins[step.to + 1]; }
    for (std::size_t n = 0; n < size(); ++n) { begins[n + 1] += begins[n]; }
    std::vector<Number> sources(steps_.size());
    std::vector<std::uint32_t> filled = begins;
    for (const KeptStep& step : steps_) { sources[filled[step.to]++] = step.from; }

    std::vector<std::uint32_t> distances(size(), unreachable);
    std::vector<Number> queue;
    for (Number number = 0; number < size(); ++number) {
        if (!is_target(number)) { continue; }
        distances[number] = 0;
        queue.push_back(number);
    }
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const Number to = queue[next];
        for (std::uint32_t i = begins[to]; i < begins[to + 1]; ++i) {
            if (distances[sources[i]] != unreachable) { continue; }
            distances[sources[i]] = distances[to] + 1;
            queue.push_back(sources[i]);
        }
    }
    return distances;
}

}  // namespace ringfence::checker
