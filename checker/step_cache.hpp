// The steps of the scopes in a chunk of states (HasScopes), each taken once for all states of the
// chunk that agree in the scope.
//
//     state 0    [ steps of scope 0 | of scope 1 | .. ]      by number: states share them
//     state 1    [ ...
//     steps      [ cell cell .. ]     what they count
//                [ move move .. ]     by which bits the key of a successor differs, and the verb
//                [ action .. ]        steps that leave the scope: to be taken in each state
//
// What a step does to the key is the same in all these states: so are the numbers it is made of.
// Transition caching in this sense: Blom, van de Pol, Weber, "LTSmin", CAV 2010.
#pragma once

#include "checker/model.hpp"
#include "checker/scopes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ringfence::checker {

template <Model M>
class StepCache {
  public:
    using Action = typename M::Action;

    struct Steps {
        std::uint32_t state = 0;  // the one of the chunk in which they are taken
        std::uint32_t scope = 0;
        std::uint32_t states = 0;                        // that share them
        std::uint32_t cells = 0, moves = 0, beyond = 0;  // where they begin
        bool is_healed = false;
        bool is_cut = false;
        // There is more to them than is kept here: they are taken anew in each state.
        bool is_direct = false;
    };

    void clear(std::size_t key_words) {
        key_words_ = key_words;
        keys_.clear();
        steps_.clear();
        steps_of_states_.clear();
        cells_.clear();
        deltas_.clear();
        labels_.clear();
        beyond_.clear();
    }

    // ---- the states of the chunk ----

    void add_state(const std::uint64_t* key) {
        for (std::size_t word = 0; word < key_words_; ++word) { keys_.push_back(key[word]); }
    }
    [[nodiscard]] std::size_t states() const { return keys_.size() / key_words_; }
    [[nodiscard]] const std::uint64_t* key(std::size_t state) const {
        return keys_.data() + state * key_words_;
    }

    // Finds out which states share which steps.
    void share(const Scopes& scopes) {
        scopes_ = scopes.size();
        table_.assign(std::bit_ceil(2 * states() * scopes_), 0);
        steps_of_states_.resize(states() * scopes_);
        if (key_words_ == 1) {  // the usual width is one that the compiler knows
            share_all(scopes, 1);
        } else {
            share_all(scopes, key_words_);
        }
    }
    [[nodiscard]] std::span<Steps> all_steps() { return steps_; }
    [[nodiscard]] Steps& steps_of(std::size_t state, std::size_t scope) {
        return steps_[steps_of_states_[state * scopes_ + scope]];
    }

    // ---- one after another, the steps are taken ----

    void begin(Steps& steps) {
        steps.cells = static_cast<std::uint32_t>(cells_.size());
        steps.moves = static_cast<std::uint32_t>(labels_.size());
        steps.beyond = static_cast<std::uint32_t>(beyond_.size());
    }
    void add_cell(std::size_t cell) { cells_.push_back(static_cast<std::uint16_t>(cell)); }
    void add_beyond(const Action& action) { beyond_.push_back(action); }
    // The number of a move whose keys will be known later.
    [[nodiscard]] std::uint32_t add_move(std::uint8_t label) {
        deltas_.resize(deltas_.size() + key_words_);
        labels_.push_back(label);
        return static_cast<std::uint32_t>(labels_.size() - 1);
    }
    void set_move(std::uint32_t move, const std::uint64_t* before, const std::uint64_t* after) {
        for (std::size_t word = 0; word < key_words_; ++word) {
            deltas_[move * key_words_ + word] = before[word] ^ after[word];
        }
    }

    // ---- and then followed ----

    [[nodiscard]] std::span<const std::uint16_t> cells(const Steps& steps) const {
        return part(cells_, steps, &Steps::cells);
    }
    [[nodiscard]] std::span<const Action> beyond(const Steps& steps) const {
        return part(beyond_, steps, &Steps::beyond);
    }
    // Of each move the verb, and the bits by which keys change: so many words each.
    [[nodiscard]] std::span<const std::uint8_t> labels(const Steps& steps) const {
        return part(labels_, steps, &Steps::moves);
    }
    [[nodiscard]] const std::uint64_t* deltas(const Steps& steps) const {
        return deltas_.data() + steps.moves * key_words_;
    }

  private:
    template <class T>
    [[nodiscard]] std::span<const T> part(const std::vector<T>& items, const Steps& steps,
                                          std::uint32_t Steps::*begin) const {
        const bool is_last = &steps == &steps_.back();
        const std::size_t end = is_last ? items.size() : (&steps)[1].*begin;
        return std::span(items).subspan(steps.*begin, end - steps.*begin);
    }

    [[gnu::always_inline]] void share_all(const Scopes& scopes, std::size_t key_words) {
        std::uint32_t* steps_of_state = steps_of_states_.data();
        for (std::size_t state = 0; state < states(); ++state) {
            for (std::size_t scope = 0; scope < scopes_; ++scope) {
                const auto steps = find_or_add(scopes.mask(scope), state, scope, key_words);
                ++steps_[steps].states;
                *steps_of_state++ = steps;
            }
        }
    }
    [[nodiscard, gnu::always_inline]] std::uint32_t find_or_add(const KeyLayout::Mask& mask,
                                                                std::size_t state,
                                                                std::size_t scope,
                                                                std::size_t key_words) {
        const std::uint64_t* const own = keys_.data() + state * key_words;
        std::uint64_t hash = scope;
        for (std::size_t word = 0; word < key_words; ++word) {
            hash = (hash ^ (own[word] & mask[word])) * 0x9E3779B97F4A7C15U;
            hash ^= hash >> 32U;
        }
        for (std::size_t slot = hash;; ++slot) {
            std::uint32_t& place = table_[slot & (table_.size() - 1)];
            if (place == 0) {
                steps_.push_back({.state = static_cast<std::uint32_t>(state),
                                  .scope = static_cast<std::uint32_t>(scope)});
                place = static_cast<std::uint32_t>(steps_.size());
                return place - 1;
            }
            const Steps& found = steps_[place - 1];
            if (found.scope != scope) { continue; }
            const std::uint64_t* const other = keys_.data() + found.state * key_words;
            std::uint64_t difference = 0;
            for (std::size_t word = 0; word < key_words; ++word) {
                difference |= (own[word] ^ other[word]) & mask[word];
            }
            if (difference == 0) { return place - 1; }
        }
    }

    std::size_t key_words_ = 1;
    std::size_t scopes_ = 0;
    std::vector<std::uint64_t> keys_;             // of the states
    std::vector<std::uint32_t> steps_of_states_;  // by state and scope: index into steps_
    std::vector<std::uint32_t> table_;            // 1 + index into steps_; a power of two of them
    std::vector<Steps> steps_;
    std::vector<std::uint16_t> cells_;
    std::vector<std::uint64_t> deltas_;  // key_words_ for each move
    std::vector<std::uint8_t> labels_;
    std::vector<Action> beyond_;
};

}  // namespace ringfence::checker
