// The steps of one scope in one state, taken for all states that agree there: what they count, by
// which bits they change a key, and the scope's part in a joint step. Part of scoped_expansion.hpp.
//
//     list -> look for effects -> ask for claims, while those are on their way -> take the others
#pragma once

#include "checker/ensure.hpp"
#include "checker/expansion.hpp"
#include "checker/recent_effects.hpp"
#include "checker/scopes.hpp"
#include "checker/step_cache.hpp"

#include <cstddef>
#include <cstdint>

namespace ringfence::checker {

template <HasScopes M>
class StepTaking {
  public:
    using Action = typename M::Action;
    using NewSteps = typename StepCache<M>::NewSteps;

    // All of them must outlive this.
    StepTaking(const M& model, const Expansion<M>& expansion, const Scopes& scopes,
               const Footprints& footprints)
        : model_(model),
          expansion_(expansion),
          scopes_(scopes),
          footprints_(footprints),
          footprints_count_(footprints.size()) {}

    // In desk.before, which has the key of steps.state.
    void take(NewSteps& steps, Desk<M>& desk) const {
        StepCache<M>& cache = desk.steps;
        desk.enabled.clear();
        model_.actions_in(steps.scope, desk.before, desk.enabled);
        cache.begin(steps, desk.enabled.size() + 1);  // and the part in a joint step
        find_effects(desk);
        steps.claims = expansion_.claims_in(steps.scope, desk);  // while their memory is on its way
        const RecentEffects::Lookup* lookup = desk.lookups.data();
        for (const Action& action : desk.enabled) {
            if (expansion_.looks_beyond_scope(action)) {
                cache.add_beyond(action);
            } else {
                record(steps, action, *lookup, desk);
            }
            ++lookup;
        }
        steps.is_cut = desk.enabled.is_cut();
        if (desk.enabled.has_counts()) { add_cuts(desk); }
        take_joint(steps, desk);
    }

  private:
    static void add_cuts(Desk<M>& desk) {
        for (std::size_t kind = 0; kind < cut_kinds_max; ++kind) {
            for (auto count = desk.enabled.cuts()[kind]; count > 0; --count) {
                desk.steps.add_cell(desk.chunk->findings.cell_of_cut(kind));
            }
        }
    }

    // Of all that is enabled.
    [[gnu::always_inline]] void find_effects(Desk<M>& desk) const {
        if (desk.lookups.size() < desk.enabled.size()) { desk.lookups.resize(desk.enabled.size()); }
        RecentEffects::Lookup* lookup = desk.lookups.data();
        for (const Action& action : desk.enabled) {
            lookup->place = nullptr;
            if constexpr (HasFootprints<M>) {
                const std::size_t footprint = model_.footprint_of(action);
                if (footprint < footprints_count_) {
                    lookup->question = {M::code_of(action), footprints_.mask(footprint),
                                        desk.before_parts()};
                    lookup->place = desk.effects.place_of(lookup->question);
                }
            }
            ++lookup;
        }
    }

    using Taken = typename Expansion<M>::Taken;

    // Takes the step, or finds what it did lately.
    [[nodiscard, gnu::always_inline]] Taken take_or_find(const Action& action,
                                                         const RecentEffects::Lookup& lookup,
                                                         Desk<M>& desk) const {
        const bool is_asked = lookup.place != nullptr;
        PendingSuccessor& next = desk.ring.next();
        if (is_asked && desk.effects.is_known(lookup.question, lookup.place)) {
            next.changed = desk.effects.apply(lookup.question, lookup.place, next.parts.data());
            next.label = static_cast<std::uint8_t>(M::verb_of(action));
            return {.cell = RecentEffects::cell(lookup.place),
                    .is_changed = next.changed != 0,
                    .is_misfit = false,
                    .is_violation = false,
                    .parts = next.changed};
        }
        const Taken taken = expansion_.step(action, desk);
        // A violation is told of each state.
        if (is_asked && !taken.is_violation && !taken.is_misfit) {
            desk.effects.learn(lookup.question, taken.cell, next.parts.data(), lookup.place);
        }
        return taken;
    }

    [[gnu::always_inline]] void record(NewSteps& steps, const Action& action,
                                       const RecentEffects::Lookup& lookup, Desk<M>& desk) const {
        const Taken taken = take_or_find(action, lookup, desk);
        desk.steps.add_cell(taken.cell);
        steps.is_direct |= taken.is_violation;  // each state's is a violation of its own
        if (!taken.is_changed) { return; }
        steps.is_healed |= model_.is_healing(action);
        if (taken.is_misfit) { return; }
        ensure((taken.parts & ~scopes_.parts(steps.scope)) == 0, "a step stays in its scope");
        push_move(steps, desk);
    }

    // Is a joint step enabled? They are few.
    [[gnu::always_inline]] void take_joint(NewSteps& steps, Desk<M>& desk) const {
        desk.enabled.clear();
        model_.joint_actions(desk.before, desk.enabled);
        if (desk.enabled.size() != 0) { take_enabled_joint(steps, desk); }
    }

    // The scope's part in a joint step, unless this is asked about: then the step is taken in each
    // state. The first scope counts it, and tells it only if there is a change in its own part:
    // then there is one wherever states agree with it.
    [[gnu::noinline]] void take_enabled_joint(NewSteps& steps, Desk<M>& desk) const {
        ensure(!desk.enabled.has_counts(), "no joint step is cut");
        steps.has_joint = true;
        const Action& action = *desk.enabled.begin();
        if (desk.enabled.size() > 1 || expansion_.asks_about(action)) { return; }
        find_effects(desk);
        const Taken taken = take_or_find(action, desk.lookups.front(), desk);
        if (taken.is_misfit) { return; }
        ensure((taken.parts & ~scopes_.all_parts()) == 0, "a joint step stays in the scopes");
        const std::uint32_t parts = taken.parts & scopes_.own_parts(steps.scope);
        if (steps.scope == 0) {
            if (parts == 0) { return; }
            desk.steps.add_cell(taken.cell);
            steps.is_healed |= model_.is_healing(action);
        }
        steps.tells_joint = true;
        desk.ring.next().changed = parts;
        push_move(steps, desk);
    }

    // To what the step leads that was just taken.
    void push_move(const NewSteps& steps, Desk<M>& desk) const {
        StepCache<M>& cache = desk.steps;
        PendingSuccessor& next = desk.ring.next();
        next.move = cache.add_move(next.label);
        next.steps = cache.index_of(steps);
        expansion_.push(cache.key(steps.state), desk);
    }

    const M& model_;
    const Expansion<M>& expansion_;
    const Scopes& scopes_;
    const Footprints& footprints_;
    std::size_t footprints_count_;
};

}  // namespace ringfence::checker
