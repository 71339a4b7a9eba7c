// The steps of the scopes in a chunk of states (HasScopes), each taken once for all states of the
// chunk that agree in the scope, and not at all if they are known from the level before.
//
//     state 0    [ steps of scope 0 | of scope 1 | .. ]      by number: states share them
//     state 1    [ ...
//     steps      known: a record of the level before (kept_steps.hpp)
//                new:   [ cell cell .. ]     what they count
//                       [ move move .. ]     by which bits keys change, and the verb
//                       [ action .. ]        asked about from beyond the scope: taken in each state
//                       once they are taken, a record too
//
// What a step does to the key is the same in all these states: so are the numbers it is made of.
// Transition caching in this sense: Blom, van de Pol, Weber, "LTSmin", CAV 2010.
#pragma once

#include "checker/model.hpp"
#include "checker/scopes.hpp"
#include "checker/sharding.hpp"
#include "checker/step_record.hpp"

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
        std::uint32_t states = 0;  // that share them
        std::uint32_t taken = 0;   // of new ones: index into new_steps()
        std::uint32_t scope = 0;
    };

    // As they are taken.
    struct NewSteps {
        std::uint64_t claims = 0;
        std::uint32_t state = 0;  // the one of the chunk in which they are taken
        std::uint32_t scope = 0;
        std::uint32_t cells = 0, moves = 0, beyond = 0;  // where they begin
        bool is_healed = false;
        bool is_cut = false;
        bool has_joint = false;    // see StepRecord
        bool tells_joint = false;  // by the last move
        // There is more to them than can be kept: they are taken anew in each state.
        bool is_direct = false;
    };

    void clear(std::size_t key_words) {
        key_words_ = key_words;
        own_keys_.clear();
        states_ = 0;
        known_.clear();
        steps_count_ = 0;
        std::fill_n(table_.begin(), table_used_, 0);
        table_used_ = 0;
        used_count_ = 0;
        new_steps_.clear();
        cells_count_ = 0;
        moves_count_ = 0;
        beyond_count_ = 0;
    }

    // ---- the states of the chunk, and what is known ----

    void add_state(const std::uint64_t* key) {
        own_keys_.insert(own_keys_.end(), key, key + key_words_);
        use_states(own_keys_.data(), states_ + 1);
    }
    // So many states, whose keys stay where they are. (Or else they are added one by one.)
    void use_states(const std::uint64_t* keys, std::size_t states) {
        keys_ = keys;
        states_ = states;
    }
    [[nodiscard]] std::size_t states() const { return states_; }
    [[nodiscard]] const std::uint64_t* key(std::size_t state) const {
        return keys_ + state * key_words_;
    }
    // It must not change any more.
    void add_known(const StepRecord& record) { known_.push_back(record.words()); }

    // Finds out which states share which steps. Those that do have the same group_of(key); such
    // states lie together, and what is known of them is in their order.
    template <class GroupOf>
    void share(const Scopes& scopes, const GroupOf& group_of) {
        scopes_ = scopes.size();
        steps_of_states_.resize(states() * scopes_);
        used_.resize(states() * scopes_ + 1);
        if (key_words_ == 1) {  // the usual width is one that the compiler knows
            share_all(scopes, 1, group_of);
        } else {
            share_all(scopes, key_words_, group_of);
        }
    }
    // By scope.
    [[nodiscard]] std::span<const std::uint32_t> steps_of(std::size_t state) const {
        return {steps_of_states_.data() + state * scopes_, scopes_};
    }
    [[nodiscard]] const Steps& at(std::size_t steps) const { return steps_[steps]; }
    // nullptr for new ones, until theirs is written.
    [[nodiscard]] const std::uint64_t* record(std::size_t steps) const { return records_[steps]; }
    void set_record(std::size_t steps, const std::uint64_t* record) { records_[steps] = record; }
    // Those that some state has, in the order in which a state has them first.
    [[nodiscard]] std::span<const std::uint32_t> used() const {
        return std::span(used_).first(used_count_);
    }
    // Under the mask of their scope.
    [[nodiscard]] const std::uint64_t* scope_key(std::size_t steps) const {
        return scope_keys_.data() + steps * key_words_;
    }

    // ---- one after another, the new steps are taken ----

    [[nodiscard]] std::span<NewSteps> new_steps() { return new_steps_; }
    [[nodiscard]] std::uint32_t index_of(const NewSteps& steps) const {
        return static_cast<std::uint32_t>(&steps - new_steps_.data());
    }
    // They will have so many moves at most.
    void begin(NewSteps& steps, std::size_t moves_max) {
        steps.cells = cells_count_;
        steps.moves = moves_count_;
        steps.beyond = beyond_count_;
        grow(verbs_, moves_count_ + moves_max + items_behind<std::uint8_t>);
        grow(moves_, (moves_count_ + moves_max) * key_words_);
    }
    void add_cell(std::size_t cell) {
        grow(cells_, cells_count_ + 1 + items_behind<std::uint16_t>);
        cells_[cells_count_++] = static_cast<std::uint16_t>(cell);
    }
    void add_beyond(const Action& action) {
        grow(beyond_, beyond_count_ + 1 + items_behind<Action>);
        beyond_[beyond_count_++] = action;
    }
    // The number of a move whose keys will be known later.
    [[nodiscard]] std::uint32_t add_move(std::uint8_t verb) {
        verbs_[moves_count_] = verb;
        return moves_count_++;
    }
    void set_move(std::uint32_t move, const std::uint64_t* change) {
        for (std::size_t word = 0; word < key_words_; ++word) {
            moves_[move * key_words_ + word] = change[word];
        }
    }
    [[nodiscard]] StepRecord::Content<Action> content_of(const NewSteps& steps) const {
        return {.moves = moves_.data() + steps.moves * key_words_,
                .verbs = part(verbs_, moves_count_, steps, &NewSteps::moves),
                .cells = part(cells_, cells_count_, steps, &NewSteps::cells),
                .actions = part(beyond_, beyond_count_, steps, &NewSteps::beyond)};
    }

  private:
    template <class T>
    [[nodiscard]] std::span<const T> part(const std::vector<T>& items, std::uint32_t count,
                                          const NewSteps& steps,
                                          std::uint32_t NewSteps::*begin) const {
        const bool is_last = &steps == &new_steps_.back();
        const std::uint32_t end = is_last ? count : (&steps)[1].*begin;
        return std::span(items).subspan(steps.*begin, end - steps.*begin);
    }
    // That are read with others, see StepRecord::Content.
    template <class T>
    static constexpr std::size_t items_behind = StepRecord::bytes_behind / sizeof(T) + 1;

    // Makes room, so that adding allocates nothing.
    template <class T>
    static void grow(std::vector<T>& items, std::size_t size) {
        if (items.size() < size) { items.resize(std::max(size, 2 * items.size())); }
    }

    // A group at a time, whose tables stay in the innermost cache: one for each scope.
    template <class GroupOf>
    [[gnu::always_inline]] void share_all(const Scopes& scopes, std::size_t key_words,
                                          const GroupOf& group_of) {
        make_room(known_.size() + states_ * scopes_);
        const std::size_t states = states_;  // these two are not read again after each store
        const std::size_t scopes_count = scopes_;
        std::uint32_t* steps_of_states = steps_of_states_.data();
        std::size_t known = 0;
        for (std::size_t first = 0, last = 0; first < states; first = last) {
            const auto group = group_of(key(first));
            while (last < states && group_of(key(last)) == group) { ++last; }
            const auto group_known = [&](std::size_t item) {
                return group_of(StepRecord(known_[item], key_words).key());
            };
            while (known < known_.size() && group_known(known) < group) { ++known; }
            const std::size_t first_known = known;
            while (known < known_.size() && group_known(known) == group) { ++known; }
            const Table table = table_for(last - first + known - first_known);
            for (std::size_t item = first_known; item < known; ++item) {
                put(StepRecord(known_[item], key_words), table, key_words);
            }
            for (std::size_t state = first; state < last; ++state) {
                for (std::size_t scope = 0; scope < scopes_count; ++scope) {
                    const auto steps =
                        find_or_add(scopes.mask(scope).data(), state, scope, table, key_words);
                    used_[used_count_] = steps;  // without a branch that nobody could predict
                    used_count_ += steps_[steps].states++ == 0 ? 1 : 0;
                    *steps_of_states++ = steps;
                }
            }
        }
    }

    // Where the steps of a group are found by their keys.
    class Table {
      public:
        // `size` is a power of two. Steps below the first one are those of groups before.
        Table(std::uint32_t* places, std::size_t size, std::uint32_t first_steps)
            : size_(size),
              shift_(64U - static_cast<unsigned>(std::countr_zero(size))),
              older_(first_steps),
              places_(places) {}
        // The upper bits of a hash are those that all bits of the key have a part in.
        [[nodiscard]] std::uint64_t home_of(std::uint64_t hash) const { return hash >> shift_; }
        [[nodiscard, gnu::always_inline]] std::uint32_t& at(std::size_t scope,
                                                            std::uint64_t slot) const {
            return places_[scope * size_ + (slot & (size_ - 1))];
        }
        // So a group need not clear what those before have left.
        [[nodiscard]] bool is_empty(std::uint32_t place) const { return place <= older_; }

      private:
        std::size_t size_;  // for each scope
        unsigned shift_;
        std::uint32_t older_;
        std::uint32_t* places_;  // 1 + index into steps_
    };
    [[nodiscard]] Table table_for(std::size_t steps) {
        const std::size_t size = std::bit_ceil(2 * steps);
        grow(table_, scopes_ * size);
        table_used_ = std::max(table_used_, scopes_ * size);
        return {table_.data(), size, steps_count_};
    }

    [[nodiscard, gnu::always_inline]] static std::uint64_t hash_of(const std::uint64_t* key,
                                                                   const std::uint64_t* mask,
                                                                   std::size_t key_words) {
        std::uint64_t hash = 0;
        for (std::size_t word = 0; word < key_words; ++word) {
            hash = (hash ^ (key[word] & mask[word])) * detail::odd;
        }
        return hash;
    }
    void make_room(std::size_t steps) {
        grow(records_, steps);
        grow(steps_, steps);
        grow(scope_keys_, steps * key_words_);
    }
    [[gnu::always_inline]] std::uint32_t add(const std::uint64_t* record, const Steps& steps) {
        records_[steps_count_] = record;
        steps_[steps_count_] = steps;
        return steps_count_++;
    }
    // Steps of another level: all are different.
    [[gnu::always_inline]] void put(const StepRecord& record, const Table& table,
                                    std::size_t key_words) {
        const std::uint32_t scope = record.header().scope;
        std::uint64_t slot = table.home_of(hash_of(record.key(), all_ones.data(), key_words));
        while (!table.is_empty(table.at(scope, slot))) { ++slot; }
        std::uint64_t* const scope_key = scope_keys_.data() + steps_count_ * key_words;
        for (std::size_t word = 0; word < key_words; ++word) {
            scope_key[word] = record.key()[word];
        }
        table.at(scope, slot) = 1 + add(record.words(), {.scope = scope});
    }
    [[nodiscard, gnu::always_inline]] std::uint32_t find_or_add(const std::uint64_t* mask,
                                                                std::size_t state,
                                                                std::size_t scope,
                                                                const Table& table,
                                                                std::size_t key_words) {
        const std::uint64_t* const own = keys_ + state * key_words;
        const std::uint64_t* const scope_keys = scope_keys_.data();
        for (std::uint64_t slot = table.home_of(hash_of(own, mask, key_words));; ++slot) {
            std::uint32_t& place = table.at(scope, slot);
            if (table.is_empty(place)) {
                place = 1 + add_new(mask, state, scope, key_words);
                return place - 1;
            }
            const std::uint64_t* const other = scope_keys + (place - 1) * key_words;
            std::uint64_t difference = 0;
            for (std::size_t word = 0; word < key_words; ++word) {
                difference |= (own[word] & mask[word]) ^ other[word];
            }
            if (difference == 0) { return place - 1; }
        }
    }
    [[nodiscard]] std::uint32_t add_new(const std::uint64_t* mask, std::size_t state,
                                        std::size_t scope, std::size_t key_words) {
        for (std::size_t word = 0; word < key_words; ++word) {
            scope_keys_[steps_count_ * key_words + word] =
                keys_[state * key_words + word] & mask[word];
        }
        const auto taken = static_cast<std::uint32_t>(new_steps_.size());
        new_steps_.push_back({.state = static_cast<std::uint32_t>(state),
                              .scope = static_cast<std::uint32_t>(scope)});
        return add(nullptr, {.taken = taken, .scope = static_cast<std::uint32_t>(scope)});
    }

    static constexpr KeyLayout::Mask all_ones = [] {
        KeyLayout::Mask mask{};
        mask.fill(~std::uint64_t{0});
        return mask;
    }();

    std::size_t key_words_ = 1;
    std::size_t scopes_ = 0;
    const std::uint64_t* keys_ = nullptr;  // of the states
    std::size_t states_ = 0;
    std::vector<std::uint64_t> own_keys_;  // those, unless they lie elsewhere
    std::vector<const std::uint64_t*> known_;
    std::vector<std::uint32_t> steps_of_states_;  // by state and scope: index into steps_
    std::vector<std::uint32_t> table_;            // see Table
    std::size_t table_used_ = 0;                  // the rest is zero
    std::uint32_t steps_count_ = 0;               // of the next three so many are in use
    std::vector<Steps> steps_;
    std::vector<const std::uint64_t*> records_;
    std::vector<std::uint64_t> scope_keys_;  // key_words_ for each
    std::vector<std::uint32_t> used_;        // of steps_, as many as used_count_
    std::size_t used_count_ = 0;
    std::vector<NewSteps> new_steps_;
    // Of these, so many are in use.
    std::uint32_t cells_count_ = 0;
    std::vector<std::uint16_t> cells_;
    std::uint32_t moves_count_ = 0;
    std::vector<std::uint64_t> moves_;  // key_words_ for each
    std::vector<std::uint8_t> verbs_;   // of moves
    std::uint32_t beyond_count_ = 0;
    std::vector<Action> beyond_;
};

}  // namespace ringfence::checker
