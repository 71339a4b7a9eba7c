// All reachable states of a small model, kept outright, with the steps between them: for questions
// that no state can answer by itself, such as how far it is from each of them to a better one.
//
//     blocks_   [ state 0 | state 1 | ... ] [ ... ]    in the order of a breadth-first search
//     index_    [ number + 1 | 0 | ... ]               open addressing, compares the states behind
//     steps_    [ from, to ] ...                       only steps that the caller wants to keep
//
// One thread, no packing: about sizeof(State) + 12 bytes a state and 8 a step. The search in
// breadth_first.hpp is the one for large models; this one looks at a small one as a whole.
#pragma once

#include "checker/model.hpp"
#include "checker/search_options.hpp"
#include "checker/verdict.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <string_view>
#include <vector>

namespace ringfence::checker {

template <Model M>
class StateGraph {
  public:
    using State = typename M::State;
    using Number = std::uint32_t;

    static constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

    // Visits every reachable state once, within the limits; `workers` plays no part. Calls
    // visit(number) for each state before its steps, and keeps(number, step) for every step from
    // it, self-loops included, which says whether the graph keeps the step. To be called once.
    template <class Visit, class Keeps>
    [[nodiscard]] Ending explore(const M& model, const SearchOptions& options, const Visit& visit,
                                 const Keeps& keeps);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const State& state(Number number) const {
        return blocks_[number / block_states][number % block_states];
    }
    [[nodiscard]] std::uint32_t depth() const {  // of the deepest state visited
        return static_cast<std::uint32_t>(level_ends_.size() - 1);
    }
    // Fewest steps from an initial state.
    [[nodiscard]] std::uint32_t depth_of(Number number) const;
    [[nodiscard]] std::uint64_t transitions() const { return transitions_; }
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
    template <class Keeps>
    void take_steps(const M& model, Number number, Enabled<typename M::Action>& enabled,
                    const Keeps& keeps);
    // That of an equal state, or a new one. Throws std::bad_alloc; the graph is then as it was.
    [[nodiscard]] Number number_of(const State& state);
    // Where an equal state is in the index, or where it would be.
    [[nodiscard]] std::size_t slot_of(const State& state) const;
    void double_index();
    [[nodiscard]] std::optional<Ending> limit_reached(const SearchOptions& options) const;
    void tell_progress(const SearchOptions& options, Number next);
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - started_).count();
    }

    static constexpr std::size_t block_states = 1024;
    std::vector<std::vector<State>> blocks_;
    std::size_t size_ = 0;
    std::vector<Number> index_ = std::vector<Number>(1024);  // a power of two, at most half full
    std::vector<KeptStep> steps_;
    std::vector<Number> level_ends_;  // of every level up to the one that is being visited
    std::uint64_t transitions_ = 0;
    Clock::time_point started_ = Clock::now();
    double progress_told_ = 0;
};

template <Model M>
template <class Visit, class Keeps>
Ending StateGraph<M>::explore(const M& model, const SearchOptions& options, const Visit& visit,
                              const Keeps& keeps) {
    constexpr Number states_between_looks = 16;
    started_ = Clock::now();
    try {
        for (const State& state : model.initial_states()) { static_cast<void>(number_of(state)); }
        level_ends_.push_back(static_cast<Number>(size()));
        Enabled<typename M::Action> enabled;
        for (Number number = 0; number < size(); ++number) {
            if (number == level_ends_.back()) {
                level_ends_.push_back(static_cast<Number>(size()));
            }
            if (number % states_between_looks == 0) {
                if (const auto limit = limit_reached(options)) { return *limit; }
                tell_progress(options, number);
            }
            visit(number);
            if (depth() < options.depth_max) { take_steps(model, number, enabled, keeps); }
        }
    } catch (const std::bad_alloc&) { return Ending::memory; }
    return depth() < options.depth_max ? Ending::exhausted : Ending::depth;
}

template <Model M>
template <class Keeps>
void StateGraph<M>::take_steps(const M& model, Number number, Enabled<typename M::Action>& enabled,
                               const Keeps& keeps) {
    const State before = state(number);
    enabled.clear();
    model.actions(before, enabled);
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

template <Model M>
auto StateGraph<M>::number_of(const State& state) -> Number {
    if (2 * size_ >= index_.size()) { double_index(); }
    const std::size_t slot = slot_of(state);
    if (index_[slot] != 0) { return index_[slot] - 1; }
    if (size_ % block_states == 0) { blocks_.emplace_back().reserve(block_states); }
    blocks_.back().push_back(state);
    index_[slot] = static_cast<Number>(++size_);
    return index_[slot] - 1;
}

template <Model M>
std::size_t StateGraph<M>::slot_of(const State& state) const {
    const std::string_view bytes{reinterpret_cast<const char*>(&state), sizeof state};
    const std::size_t mask = index_.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(bytes)&mask;
    while (index_[slot] != 0 && !(this->state(index_[slot] - 1) == state)) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

template <Model M>
void StateGraph<M>::double_index() {
    std::vector<Number> larger(2 * index_.size());
    index_.swap(larger);
    for (Number number = 0; number < size_; ++number) {
        index_[slot_of(state(number))] = number + 1;
    }
}

template <Model M>
std::uint32_t StateGraph<M>::depth_of(Number number) const {
    const auto level = std::upper_bound(level_ends_.begin(), level_ends_.end(), number);
    return static_cast<std::uint32_t>(level - level_ends_.begin());
}

template <Model M>
std::uint64_t StateGraph<M>::memory_bytes() const {
    return blocks_.size() * block_states * sizeof(State) + index_.size() * sizeof(Number) +
           steps_.capacity() * sizeof(KeptStep);
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
