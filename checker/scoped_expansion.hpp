// The inner loop for models with scopes: the steps of a scope are taken once for all states of a
// chunk that agree in it (step_cache.hpp), and followed from each of them by key alone. What is
// asked about states is still asked about each.
#pragma once

#include "checker/ensure.hpp"
#include "checker/expansion.hpp"
#include "checker/kept_steps.hpp"
#include "checker/scopes.hpp"
#include "checker/step_record.hpp"
#include "checker/step_taking.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
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
    using NewSteps = typename StepCache<M>::NewSteps;

    // `kept`: of a level in the order of the scopes' common part, what is known of its steps; or
    // nullptr.
    ScopedExpansion(const M& model, const LevelStore& store, const Expansion<M>& expansion,
                    Scopes scopes, const Footprints& footprints, const KeptSteps* kept)
        : model_(model),
          codec_(store.codec()),
          expansion_(expansion),
          scopes_(std::move(scopes)),
          taking_(model, expansion, scopes_, footprints),
          kept_(kept),
          common_part_(scopes_.common_part().value_or(0)) {
        ensure(kept == nullptr || kept->key_layouts() == store.key_layouts(),
               "steps are kept for the keys that are in use");
    }

    // As Expansion.
    void expand_share(const LevelStore& store, std::uint64_t first, std::uint64_t last,
                      Desk<M>& desk) const {
        if (store.is_level_sorted()) {
            desk.steps.use_states(store.keys_left(first), last - first);
        } else {
            store.for_each_left(first, last,
                                [&](const std::uint64_t* key) { desk.steps.add_state(key); });
        }
        expand_chunk(desk);
    }

  private:
    static constexpr std::size_t keys_per_state = 4;  // about
    static constexpr std::size_t states_ahead = 8;    // whose memory is on its way

    void expand_chunk(Desk<M>& desk) const {
        StepCache<M>& cache = desk.steps;
        share(cache);
        take_new(desk);
        expansion_.finish(desk);
        if (desk.chunk->is_misfit) { return; }  // the round is done again
        write_records(desk);
        if (codec_.key_words() == 1 && expansion_.route().is_by_part()) {
            follow_all<1, true>(desk);
        } else if (codec_.key_words() == 1) {
            follow_all<1, false>(desk);
        } else {
            follow_all<any_width, false>(desk);
        }
        look_at_rest(desk);
        expansion_.finish(desk);
    }

    [[gnu::always_inline]] void prefetch_values(std::size_t state, const Desk<M>& desk) const {
        codec_.prefetch_values(desk.steps.key(state));
    }

    // In the part that all scopes have in common.
    [[nodiscard]] std::uint32_t number_of(const std::uint64_t* key) const {
        return codec_.layout().number(key, common_part_);
    }

    void share(StepCache<M>& cache) const {
        if (kept_ == nullptr) {  // states come in any order
            cache.share(scopes_, [](const std::uint64_t*) { return 0; });
            return;
        }
        const auto group_of = [common = codec_.layout().field(common_part_)](
                                  const std::uint64_t* key) { return common.number(key); };
        const std::uint32_t first = number_of(cache.key(0));
        const std::uint32_t last = number_of(cache.key(cache.states() - 1));
        kept_->for_each(first, last, codec_.key_words(), group_of, [&](const StepRecord& record) {
            if (!record.header().is_direct) { cache.add_known(record); }
        });
        cache.share(scopes_, group_of);
    }

    void take_new(Desk<M>& desk) const {
        const std::span<NewSteps> to_take = desk.steps.new_steps();
        std::size_t read = desk.steps.states();  // none
        for (std::size_t item = 0; item < to_take.size(); ++item) {
            NewSteps& steps = to_take[item];
            prefetch_values(to_take[std::min(item + states_ahead, to_take.size() - 1)].state, desk);
            if (steps.state != read) {
                read = steps.state;
                expansion_.read(desk.steps.key(read), desk);
            }
            taking_.take(steps, desk);
        }
    }

    // Writes the records of all steps that are used, for the states of this chunk and for the next
    // level.
    void write_records(Desk<M>& desk) const {
        StepCache<M>& cache = desk.steps;
        const std::size_t key_words = codec_.key_words();
        for (const std::uint32_t number : cache.used()) {
            const std::uint64_t* const from = cache.record(number);
            if (from == nullptr) {
                write_record(number, desk);
            } else {
                const std::size_t words = StepRecord(from, key_words).header().words;
                std::uint64_t* const to = desk.chunk->steps.append(words, common_of(number, cache));
                StepRecord::copy(from, words, to);
                cache.set_record(number, to);
            }
            count(number, desk);
        }
    }

    // Of the steps' common part the number, if they are kept by it.
    [[nodiscard]] std::uint32_t common_of(std::uint32_t steps, const StepCache<M>& cache) const {
        return kept_ != nullptr ? number_of(cache.scope_key(steps)) : 0;
    }

    // Of new steps.
    void write_record(std::uint32_t number, Desk<M>& desk) const {
        StepCache<M>& cache = desk.steps;
        const Steps& steps = cache.at(number);
        const std::size_t key_words = codec_.key_words();
        const std::uint64_t* const key = cache.scope_key(number);
        const NewSteps& taken = cache.new_steps()[steps.taken];
        StepRecord::Content<Action> content = cache.content_of(taken);
        const bool is_direct = taken.is_direct || content.words(key_words) > StepBlock::words_max ||
                               content.actions.size() > StepRecord::actions_max;
        if (is_direct) { content = {}; }
        std::uint64_t* const to =
            desk.chunk->steps.append(content.words(key_words), common_of(number, cache));
        StepRecord::write(taken.claims,
                          {.scope = static_cast<std::uint8_t>(steps.scope),
                           .is_healed = taken.is_healed,
                           .is_cut = taken.is_cut,
                           .is_direct = is_direct,
                           .has_joint = taken.has_joint,
                           .tells_joint = taken.tells_joint && !is_direct},
                          key, key_words, content, to);
        cache.set_record(number, to);
    }

    // For all states that share them. Of those that are taken anew in each state nothing.
    void count(std::uint32_t number, Desk<M>& desk) const {
        const StepRecord record(desk.steps.record(number), codec_.key_words());
        const std::uint32_t states = desk.steps.at(number).states;
        record.for_each_cell([&](std::size_t cell) { desk.chunk->findings.count(cell, states); });
    }

    // The usual width and route are such that the compiler knows.
    static constexpr std::size_t any_width = 0;

    template <std::size_t KeyWords, bool IsByPart>
    void follow_all(Desk<M>& desk) const {
        const std::size_t key_words = KeyWords == any_width ? codec_.key_words() : KeyWords;
        const StepCache<M>& cache = desk.steps;
        auto& successors = desk.chunk->successors;
        const Route route = expansion_.route();
        const RecentKeys::Places recent =
            desk.recent.clear(key_words, keys_per_state * cache.states());
        using Key = std::array<std::uint64_t, KeyWords == any_width ? key_words_max : KeyWords>;
        const auto send = [&](Key& key, std::uint8_t verb) {
            if constexpr (!IsByPart) { route.make_canonical(key.data(), key_words); }
            const bool is_met = recent.meet(key.data(), key_words);
            const std::size_t shard = IsByPart ? route.shard_by_part(key.data(), key_words)
                                               : route.shard_of(key.data(), key_words);
            successors.append_if(!is_met, shard, key.data(), key_words, verb);
        };
        for (std::size_t state = 0; state < cache.states(); ++state) {
            const std::uint64_t* const key = cache.key(state);
            JointClaims claims;
            HeadersOfState headers;
            for (const std::uint32_t steps : cache.steps_of(state)) {
                const StepRecord record(cache.record(steps), key_words);
                const StepRecord::Header header = record.header();
                claims.add(record.claims());
                headers.add(record);
                const std::uint64_t* move = record.moves();
                const std::uint8_t* verb = record.verbs(header);
                for (std::size_t left = header.moves; left > 0; --left) {
                    Key to;
                    for (std::size_t word = 0; word < key_words; ++word) {
                        to[word] = key[word] ^ *move++;
                    }
                    send(to, *verb++);
                }
            }
            if (headers.all().tells_joint) [[unlikely]] {
                Key to;
                std::copy_n(key, key_words, to.data());
                std::uint8_t verb = 0;
                for (const std::uint32_t steps : cache.steps_of(state)) {
                    const StepRecord record(cache.record(steps), key_words);
                    const std::uint64_t* const move = record.joint_move();
                    for (std::size_t word = 0; word < key_words; ++word) { to[word] ^= move[word]; }
                    verb = record.joint_verb();
                }
                send(to, verb);
            }
            const Expanded expanded{headers.any().is_healed, headers.any().is_cut};
            if (claims.are_met() || !headers.are_complete() || expansion_.may_be_stuck(expanded)) {
                desk.to_look_at.push_back(
                    {static_cast<std::uint32_t>(state), claims.are_met(), expanded});
            }
        }
    }

    void look_at_rest(Desk<M>& desk) const {
        const auto& states = desk.to_look_at;
        for (std::size_t item = 0; item < states.size(); ++item) {
            prefetch_values(states[std::min(item + states_ahead, states.size() - 1)].number, desk);
            look_at(states[item], desk);
        }
    }

    // At the state itself, which what is known of its scopes cannot answer for.
    void look_at(const StateToLookAt& state, Desk<M>& desk) const {
        StepCache<M>& cache = desk.steps;
        const std::uint64_t* const key = cache.key(state.number);
        expansion_.read(key, desk);
        if (state.has_met_claims) { expansion_.check_state_laws(desk); }
        Expanded expanded = state.expanded;
        HeadersOfState headers;
        for (std::size_t scope = 0; scope < scopes_.size(); ++scope) {
            const StepRecord record(cache.record(cache.steps_of(state.number)[scope]),
                                    codec_.key_words());
            headers.add(record);
            const StepRecord::Header header = record.header();
            if (header.is_direct) {
                desk.enabled.clear();
                model_.actions_in(scope, desk.before, desk.enabled);
                expansion_.take_all(key, desk, expanded);
                continue;
            }
            for (std::size_t item = 0; item < header.actions; ++item) {
                desk.chunk->findings.count(
                    expansion_.take(key, record.action<Action>(header, item), desk, expanded));
            }
        }
        if (!headers.tell_joint()) { take_joint_in(state, desk, expanded); }
        expansion_.check_deadlock(expanded, desk);
    }

    // A joint step that some scope does not tell. If the first one does, it is counted already.
    void take_joint_in(const StateToLookAt& state, Desk<M>& desk, Expanded& expanded) const {
        const StepCache<M>& cache = desk.steps;
        const StepRecord first(cache.record(cache.steps_of(state.number)[0]), codec_.key_words());
        desk.enabled.clear();
        model_.joint_actions(desk.before, desk.enabled);
        for (const Action& action : desk.enabled) {
            const std::size_t cell =
                expansion_.take(cache.key(state.number), action, desk, expanded);
            if (!first.header().tells_joint) { desk.chunk->findings.count(cell); }
        }
    }

    const M& model_;
    const KeyCodec& codec_;
    const Expansion<M>& expansion_;
    Scopes scopes_;
    StepTaking<M> taking_;
    const KeptSteps* kept_;
    std::size_t common_part_;
};

}  // namespace ringfence::checker
