// Shortest traces without parent pointers (which would cost 8 bytes a state).
//
// The store keeps every level. For a target found at depth d, the states of level d - 1 are
// expanded again until all steps into the target are known; one is chosen, its state becomes the
// new target, and so on down to level 0. One sweep serves all targets together and costs about as
// much as the search up to the deepest of them, without inserting.
//
// Canonical: of the steps into a target the search prefers one whose actor also takes the step
// that follows (stories that switch actors less are easier to read), then the smallest action, then
// the smallest state. The choice is a minimum, so it depends neither on the number of workers nor
// on the order of the states. Shortest, because every level below a target was complete.
#pragma once

#include "checker/ensure.hpp"
#include "checker/level_store.hpp"
#include "checker/parallel.hpp"
#include "checker/property.hpp"
#include "checker/verdict.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace ringfence::checker {

template <Model M>
struct TraceTarget {
    std::size_t depth;        // of `state`
    typename M::State state;  // where the trace found so far begins
    const Property<M>* law;
    std::vector<typename M::Action> actions_backwards;
    std::vector<typename M::State> states_backwards;  // each after the action of that place
};

namespace detail {

using Key = std::array<std::uint64_t, key_words_max>;
using Parts = std::array<std::uint64_t, parts_max>;

template <Model M>
struct Predecessor {
    bool switches_actor;
    typename M::Action action;
    typename M::State state;

    [[nodiscard]] bool is_smaller_than(const Predecessor& other) const {
        if (switches_actor != other.switches_actor) { return other.switches_actor; }
        if (action != other.action) { return action < other.action; }
        return std::memcmp(&state, &other.state, sizeof state) < 0;
    }
};

template <Model M>
using Predecessors = std::vector<std::optional<Predecessor<M>>>;  // per target, the smallest

template <Model M>
void keep_smaller(std::optional<Predecessor<M>>& kept, const Predecessor<M>& found) {
    if (!kept || found.is_smaller_than(*kept)) { kept = found; }
}

// Looks for the targets among the successors of some states.
template <Model M>
class BackwardStep {
  public:
    // What one worker needs besides.
    struct Scratch {
        typename M::State before;
        typename M::State after;
        Enabled<typename M::Action> enabled;
        std::vector<std::uint64_t> missing =
            std::vector<std::uint64_t>(words_of<typename M::State>);
    };

    BackwardStep(const M& model, const LevelStore& store, std::vector<TraceTarget<M>*> targets)
        : model_(model), store_(store), targets_(std::move(targets)) {
        for (std::size_t index = 0; index < targets_.size(); ++index) { add_images(index); }
    }

    void visit(const std::uint64_t* key, Scratch& scratch, Predecessors<M>& found) const {
        const Packing& packing = store_.packing();
        Parts parts;
        store_.codec().decode(key, parts.data());
        packing.unpack(parts.data(), writable_bytes_of(scratch.before));
        scratch.after = scratch.before;
        scratch.enabled.clear();
        model_.actions(scratch.before, scratch.enabled);
        for (const typename M::Action& action : scratch.enabled) {
            (void)model_.apply(scratch.after, action);
            Parts successor;
            const Packing::Difference difference = packing.take_back(
                bytes_of(scratch.before), parts.data(), writable_bytes_of(scratch.after),
                successor.data(), scratch.missing.data());
            // What does not fit was never found, and is no target.
            if (difference.is_misfit) { continue; }
            for (const Image& image : images_) {
                const bool is_target = std::equal(
                    image.parts.begin(), image.parts.begin() + part_count(), successor.begin());
                if (!is_target) { continue; }
                keep_smaller(found[image.target],
                             {switches_actor(image.target, action), action, scratch.before});
            }
        }
    }

    [[nodiscard]] const std::vector<TraceTarget<M>*>& targets() const { return targets_; }

  private:
    [[nodiscard]] bool switches_actor(std::size_t index, const typename M::Action& action) const {
        const auto& later = targets_[index]->actions_backwards;
        return !later.empty() && M::actor_of(later.back()) != M::actor_of(action);
    }

    // A state that stands for a target: the target itself, or what a permutation makes of it.
    struct Image {
        std::size_t target;
        Parts parts;
    };

    void add_images(std::size_t target) {
        const typename M::State& state = targets_[target]->state;
        Image image{target, {}};
        ensure(store_.packing().pack(bytes_of(state), image.parts.data()),
               "a state that was found fits the packing");
        images_.push_back(image);
        if constexpr (HasSymmetry<M>) {
            for (std::size_t i = 0; i < store_.symmetry().permutations(); ++i) {
                typename M::State renamed = state;
                model_.permute(renamed, i);
                ensure(store_.packing().pack(bytes_of(renamed), image.parts.data()),
                       "the packing has room for the images of what was found");
                images_.push_back(image);
            }
        }
    }
    [[nodiscard]] std::ptrdiff_t part_count() const {
        return static_cast<std::ptrdiff_t>(store_.packing().parts());
    }

    const M& model_;
    const LevelStore& store_;
    std::vector<TraceTarget<M>*> targets_;
    std::vector<Image> images_;
};

template <Model M>
Predecessors<M> find_predecessors(const BackwardStep<M>& step, const Visited& visited,
                                  const Level& level, Workers& workers) {
    constexpr std::uint64_t stripe_states_min = 64;
    constexpr std::uint64_t stripes_max = 64;
    const std::uint64_t size = level.size();
    const std::uint64_t stripes =
        std::clamp(size / stripe_states_min, std::uint64_t{1}, stripes_max);
    std::vector<Predecessors<M>> found(stripes, Predecessors<M>(step.targets().size()));
    workers.for_each(stripes, [&](std::size_t stripe) {
        typename BackwardStep<M>::Scratch scratch;
        level.for_each_key(
            visited, size * stripe / stripes, size * (stripe + 1) / stripes,
            [&](const std::uint64_t* key) { step.visit(key, scratch, found[stripe]); });
    });
    for (std::size_t stripe = 1; stripe < stripes; ++stripe) {
        for (std::size_t index = 0; index < found[0].size(); ++index) {
            if (found[stripe][index]) { keep_smaller(found[0][index], *found[stripe][index]); }
        }
    }
    return found[0];
}

// A trace of canonical states names the same thread differently from step to step. This is the run
// that it stands for: from the initial state, steps of one concrete run into the same orbits. Of
// several it takes one whose actor took the step before, then the smallest.
template <Model M>
Trace<M> concrete_trace(const M& model, const LevelStore& store, const TraceTarget<M>& target) {
    Trace<M> trace{target.state, {}};
    typename M::State current = target.state;
    Enabled<typename M::Action> enabled;
    const bool ends_with_step = target.law->kind == PropertyKind::step;
    for (std::size_t left = target.actions_backwards.size(); left-- > 0;) {
        // The state to be reached, or the offending step.
        Key wanted{};
        const bool is_last = left == 0 && ends_with_step;
        if (!is_last) {
            ensure(store.key_of(bytes_of(target.states_backwards[left]), wanted.data()),
                   "a state that was found has a key");
        }
        const auto leads_on = [&](const typename M::Action& action) {
            typename M::State after = current;
            const typename M::Outcome outcome = model.apply(after, action);
            if (is_last) {
                const bool concerns = (target.law->verbs >> M::verb_of(action) & 1U) != 0;
                return concerns &&
                       !target.law->holds_over(model, {current, action, outcome, after});
            }
            Key key{};
            return store.key_of(bytes_of(after), key.data()) && key == wanted;
        };
        const auto switches = [&](const typename M::Action& action) {
            return !trace.actions.empty() &&
                   M::actor_of(trace.actions.back()) != M::actor_of(action);
        };
        enabled.clear();
        model.actions(current, enabled);
        std::optional<typename M::Action> chosen;
        for (const typename M::Action& action : enabled) {
            if (!leads_on(action)) { continue; }
            const bool is_better = !chosen || std::pair(switches(action), action) <
                                                  std::pair(switches(*chosen), *chosen);
            if (is_better) { chosen = action; }
        }
        ensure(chosen.has_value(), "a symmetric model takes the same steps under other names");
        trace.actions.push_back(*chosen);
        (void)model.apply(current, *chosen);
    }
    return trace;
}

}  // namespace detail

// Extends every target back to an initial state. Levels are complete below the deepest target.
template <Model M>
std::vector<Trace<M>> find_traces(const M& model, const LevelStore& store, Workers& workers,
                                  std::vector<TraceTarget<M>> targets) {
    const std::vector<Level> levels = store.levels();
    for (std::size_t depth = levels.size(); depth-- > 0;) {
        std::vector<TraceTarget<M>*> above;
        for (TraceTarget<M>& target : targets) {
            if (target.depth == depth + 1) { above.push_back(&target); }
        }
        if (above.empty()) { continue; }
        const detail::BackwardStep<M> step(model, store, std::move(above));
        const auto found = detail::find_predecessors(step, store.visited(), levels[depth], workers);
        for (std::size_t index = 0; index < found.size(); ++index) {
            ensure(found[index].has_value(),
                   "no step leads to a state that was found: the model is not deterministic");
            TraceTarget<M>& target = *step.targets()[index];
            target.depth = depth;
            target.states_backwards.push_back(target.state);
            target.state = found[index]->state;
            target.actions_backwards.push_back(found[index]->action);
        }
    }
    std::vector<Trace<M>> traces;
    for (TraceTarget<M>& target : targets) {
        if (!store.symmetry().is_trivial()) {
            traces.push_back(detail::concrete_trace(model, store, target));
            continue;
        }
        std::reverse(target.actions_backwards.begin(), target.actions_backwards.end());
        traces.push_back({target.state, std::move(target.actions_backwards)});
    }
    return traces;
}

}  // namespace ringfence::checker
