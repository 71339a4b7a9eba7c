// The inner loop for models with scopes: the steps of a scope are taken once for all states of a
// chunk that agree in it (step_cache.hpp), and followed from each of them by key alone. What is
// asked about states is still asked about each.
#pragma once

#include "checker/ensure.hpp"
#include "checker/expansion.hpp"
#include "checker/scopes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace ringfence::checker {

// Of each scope the components, as bits.
template <Model M>
[[nodiscard]] std::vector<std::uint32_t> scopes_of(const M& model, bool has_finer_components) {
    if constexpr (HasScopes<M>) { return model.scopes(has_finer_components); }
    return {};
}

// To be used where scopes_of() are some.
template <HasScopes M>
class ScopedExpansion {
  public:
    using Action = typename M::Action;
    using Steps = typename StepCache<M>::Steps;

    ScopedExpansion(const M& model, const LevelStore& store, const Expansion<M>& expansion,
                    Scopes scopes)
        : model_(model), codec_(store.codec()), expansion_(expansion), scopes_(std::move(scopes)) {}

    // Expands the state: finish() does it.
    void expand(const std::uint64_t* key, Desk<M>& desk) const { desk.steps.add_state(key); }

    void finish(Desk<M>& desk) const {
        StepCache<M>& cache = desk.steps;
        desk.recent.clear(codec_.key_words(), keys_per_state * cache.states());
        cache.share(scopes_);
        std::size_t read = cache.states();  // none
        for (Steps& steps : cache.all_steps()) {
            if (steps.state != read) {
                read_state(read = steps.state, desk);
                desk.after = desk.before;
            }
            take(steps, desk);
        }
        expansion_.finish(desk);
        if (desk.chunk->is_misfit) { return; }  // the round is done again
        for (const Steps& steps : cache.all_steps()) { count(steps, desk); }
        if (codec_.key_words() == 1) {
            follow_all<1>(desk);
        } else {
            follow_all<any_width>(desk);
        }
        expansion_.finish(desk);
    }

  private:
    static constexpr std::size_t keys_per_state = 4;  // about

    void read_state(std::size_t state, Desk<M>& desk) const {
        codec_.prefetch_values(desk.steps.key(std::min(state + 3, desk.steps.states() - 1)));
        expansion_.read(desk.steps.key(state), desk);
    }

    // In desk.before.
    void take(Steps& steps, Desk<M>& desk) const {
        StepCache<M>& cache = desk.steps;
        cache.begin(steps);
        desk.enabled.clear();
        model_.actions_in(steps.scope, desk.before, desk.enabled);
        for (const Action& action : desk.enabled) {
            const bool is_beyond =
                !model_.stays_in_scope(action) || expansion_.looks_beyond_scope(action);
            if (is_beyond) {
                cache.add_beyond(action);
            } else {
                record(steps, action, desk);
            }
        }
        steps.is_cut = desk.enabled.is_cut();
        if (!desk.enabled.has_counts()) { return; }
        for (std::size_t kind = 0; kind < cut_kinds_max; ++kind) {
            for (auto count = desk.enabled.cuts()[kind]; count > 0; --count) {
                cache.add_cell(desk.chunk->findings.cell_of_cut(kind));
            }
        }
    }

    void record(Steps& steps, const Action& action, Desk<M>& desk) const {
        StepCache<M>& cache = desk.steps;
        const auto taken = expansion_.step(action, desk);
        cache.add_cell(taken.cell);
        steps.is_direct |= taken.is_violation;  // each state's is a violation of its own
        if (!taken.is_changed) { return; }
        steps.is_healed |= model_.is_healing(action);
        if (taken.is_misfit) { return; }
        ensure((taken.parts & ~scopes_.parts(steps.scope)) == 0, "a step stays in its scope");
        PendingSuccessor& next = desk.ring.next();
        next.move = cache.add_move(next.label);
        next.steps = static_cast<std::uint32_t>(&steps - cache.all_steps().data());
        expansion_.push(cache.key(steps.state), desk);
    }

    // For all states that share them.
    void count(const Steps& steps, Desk<M>& desk) const {
        if (steps.is_direct) { return; }  // taken, and counted, in each
        for (const std::uint16_t cell : desk.steps.cells(steps)) {
            desk.chunk->findings.count(cell, steps.states);
        }
    }

    // The usual width is one that the compiler knows.
    static constexpr std::size_t any_width = 0;

    template <std::size_t KeyWords>
    void follow_all(Desk<M>& desk) const {
        const std::size_t key_words = KeyWords == any_width ? codec_.key_words() : KeyWords;
        for (std::size_t state = 0; state < desk.steps.states(); ++state) {
            follow(state, key_words, desk);
        }
    }

    [[gnu::always_inline]] void follow(std::size_t state, std::size_t key_words,
                                       Desk<M>& desk) const {
        StepCache<M>& cache = desk.steps;
        const std::uint64_t* const key = cache.key(state);
        read_state(state, desk);
        expansion_.check_state_laws(desk);
        Expanded expanded;
        bool is_copied = false;
        for (std::size_t scope = 0; scope < scopes_.size(); ++scope) {
            const Steps& steps = cache.steps_of(state, scope);
            const bool needs_copy = steps.is_direct || !cache.beyond(steps).empty();
            if (needs_copy && !std::exchange(is_copied, true)) { desk.after = desk.before; }
            if (steps.is_direct) {
                desk.enabled.clear();
                model_.actions_in(scope, desk.before, desk.enabled);
                expansion_.take_all(key, desk, expanded);
                continue;
            }
            const std::uint64_t* delta = cache.deltas(steps);
            for (const std::uint8_t label : cache.labels(steps)) {
                std::array<std::uint64_t, key_words_max> to;
                for (std::size_t word = 0; word < key_words; ++word) {
                    to[word] = key[word] ^ *delta++;
                }
                expansion_.append_once(to.data(), key_words, label, desk);
            }
            for (const Action& action : cache.beyond(steps)) {
                expansion_.take(key, action, desk, expanded);
            }
            expanded.is_healed |= steps.is_healed;
            expanded.is_cut |= steps.is_cut;
        }
        expansion_.check_deadlock(expanded, desk);
    }

    const M& model_;
    const KeyCodec& codec_;
    const Expansion<M>& expansion_;
    Scopes scopes_;
};

}  // namespace ringfence::checker
