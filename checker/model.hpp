// The contract between a model and the search, on one page.
//
// A model is a value that knows its initial states, can list the steps that are possible in a
// state, and can take one of them. Everything else (where states are kept, in which order they
// are visited, how a trace is found) is the search's own business.
//
// What the search relies on, and tests/checker/contract_test.cpp checks for every model we ship:
//   - actions() and apply() are deterministic functions of their arguments;
//   - every action that actions() lists is enabled, and none is listed twice;
//   - State is plain memory without padding whose unused bytes are zero, so that equality of
//     states is equality of bytes; a state never holds an address.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ringfence::checker {

// Most kinds of step that bounds may forbid in any one model.
inline constexpr std::size_t cut_kinds_max = 16;

// What a model fills in for one state: the enabled actions, and how many steps of each kind were
// possible but for a bound. The search owns it, clears it and hands it out again: no allocation
// in the loop once it has grown.
template <class Action>
class Enabled {
  public:
    void add(const Action& action) { actions_.push_back(action); }
    // One to be filled in, until the next is added. Quicker than to copy one that was written just
    // before, member by member: a processor waits where it reads as a whole what came in pieces.
    [[nodiscard]] Action& add() { return actions_.emplace_back(); }

    // A *healing* step that a bound forbade. (A disturbance whose budget is spent is no cut.)
    void cut(std::size_t kind) {
        forbid(kind);
        is_cut_ = true;
    }

    // A disturbance that a bound, not its budget, forbade: counted, but no excuse for a deadlock.
    void forbid(std::size_t kind) {
        ++cuts_[kind];
        has_counts_ = true;
    }

    void clear() {
        actions_.clear();
        if (has_counts_) { cuts_.fill(0); }
        has_counts_ = is_cut_ = false;
    }

    [[nodiscard]] auto begin() const { return actions_.begin(); }
    [[nodiscard]] auto end() const { return actions_.end(); }
    [[nodiscard]] std::size_t size() const { return actions_.size(); }
    [[nodiscard]] bool is_cut() const { return is_cut_; }
    [[nodiscard]] bool has_counts() const { return has_counts_; }
    [[nodiscard]] const std::array<std::uint16_t, cut_kinds_max>& cuts() const { return cuts_; }

  private:
    std::vector<Action> actions_;
    std::array<std::uint16_t, cut_kinds_max> cuts_{};
    bool has_counts_ = false;
    bool is_cut_ = false;
};

template <class M>
concept Model = requires(const M& model, typename M::State& changing,
                         const typename M::State& state, const typename M::Action& action,
                         const typename M::Outcome& outcome, Enabled<typename M::Action>& enabled) {
    requires std::is_trivially_copyable_v<typename M::State>;
    requires sizeof(typename M::State) % sizeof(std::uint64_t) == 0;
    requires std::equality_comparable<typename M::State>;
    requires std::is_trivially_copyable_v<typename M::Action>;
    requires std::totally_ordered<typename M::Action>;
    requires std::is_trivially_copyable_v<typename M::Outcome>;

    { model.initial_states() } -> std::same_as<std::vector<typename M::State>>;
    { model.actions(state, enabled) } -> std::same_as<void>;
    // Takes the step; `changing` is the state before it and then the state after it.
    { model.apply(changing, action) } -> std::same_as<typename M::Outcome>;

    // Ordinary work, as against a disturbance. Only healing steps count against a deadlock.
    { model.is_healing(action) } -> std::same_as<bool>;
    // Is there still something to do, and somebody who could? A state without work may rest.
    { model.work_is_left(state) } -> std::same_as<bool>;

    // For the report and for telling traces: small dense numbers and their names.
    { M::verb_of(action) } -> std::convertible_to<std::size_t>;     // < verb_names().size()
    { M::result_of(outcome) } -> std::convertible_to<std::size_t>;  // < result_names().size()
    { M::actor_of(action) } -> std::convertible_to<std::size_t>;    // who acts, any numbering
    { M::verb_names() } -> std::convertible_to<std::vector<std::string>>;
    { M::result_names() } -> std::convertible_to<std::vector<std::string>>;
    { M::cut_names() } -> std::convertible_to<std::vector<std::string>>;  // <= cut_kinds_max
};

// A model whose state is made of parts that change by themselves (threads, coordinators) may number
// the component of every byte of its state: the search then keeps a short number instead of each
// component's value (dictionary.hpp). Good components take few values; any choice is correct.
// `finer` asks for smaller ones, for which symmetry has room where the others have more than 64
// bits.
template <class M>
concept HasComponents = requires(const M& model, bool finer) {
    { model.components(finer) } -> std::convertible_to<std::vector<std::uint8_t>>;
};

// A model whose components mostly mind their own business may say so. A *scope* is a set of
// components (as bits) and the actions that concern only these: in two states that agree in the
// components of a scope, actions_in() lists the same actions, and they do the same to these
// components, to no other, and come to the same outcome. All scopes together list each action of
// actions() once, but for *joint* ones, in which all scopes have a part: joint_actions() lists
// these, and cuts none. In two states that agree in any scope they are the same, come to the same
// outcome, and do the same to the components of that scope; to others they do what those of their
// scopes say, and nothing to one that lies in none. The search then takes such a step once for all
// states of a level that agree there (step_cache.hpp). Laws and witnesses about steps are asked as
// seldom, unless they say that they look further. tests/model/scopes_test.cpp checks all of this.
template <class M>
concept HasScopes = HasComponents<M> &&
    requires(const M& model, bool finer, std::size_t scope, const typename M::State& state,
             Enabled<typename M::Action>& enabled) {
    { model.scopes(finer) } -> std::convertible_to<std::vector<std::uint32_t>>;  // or none
    { model.actions_in(scope, state, enabled) } -> std::same_as<void>;
    { model.joint_actions(state, enabled) } -> std::same_as<void>;
};

// A model with scopes may say how little its most frequent actions depend on. A *footprint* is a
// set of bytes of the state. In two states that agree there an action with this footprint changes
// the same bits, comes to the same outcome, and laws and witnesses about steps that do not look
// beyond the scope answer the same: the search asks once (recent_effects.hpp). What is listed, and
// where, is not concerned. tests/model/scopes_test.cpp checks all of this.
inline constexpr unsigned action_code_bits = 47;
template <class M>
concept HasFootprints = HasScopes<M> && requires(const M& model, const typename M::Action& action) {
    // Of each the bytes, marked by something other than 0.
    { model.footprints() } -> std::convertible_to<std::vector<std::vector<std::uint8_t>>>;
    {
        model.footprint_of(action)
        } -> std::same_as<std::size_t>;  // its number; if none, a larger one
    // Of action_code_bits at most, and different for different actions.
    { M::code_of(action) } -> std::same_as<std::uint64_t>;
};

// A model with interchangeable components (threads, partitions) may list the permutations that
// change nothing but names: with the identity they must be a group, carry the first initial state
// (the only one) into itself, components into components, steps into steps, and neither laws nor
// witnesses may tell a state from its image. tests/model/symmetry_test.cpp checks all of this.
template <class M>
concept HasSymmetry = HasComponents<M> &&
    requires(const M& model, typename M::State& state, std::size_t permutation) {
    { model.permutations() } -> std::convertible_to<std::size_t>;  // besides the identity
    { model.permute(state, permutation) } -> std::same_as<void>;   // in place
};

// One step, as a law or a witness sees it.
template <class M>
struct Step {
    const typename M::State& before;
    const typename M::Action& action;
    const typename M::Outcome& outcome;
    const typename M::State& after;
};

}  // namespace ringfence::checker
