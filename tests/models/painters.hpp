// Two painters on ladders of their own, and a bell that each may strike on the way up. After the
// second stroke the first painter begins again, and the second retires with his colour: a joint
// step, whose parts are known sooner in one scope than in the other. Small scopes, in which
// everything happens that the search has to tell apart when it takes a step once for many states.
// What one paints makes no difference to the other, but many states.
#pragma once

#include "checker/model.hpp"
#include "checker/property.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace ringfence::tests {

class Painters {
  public:
    static constexpr std::uint8_t top = 3;  // rungs
    static constexpr std::uint8_t retired = 4;
    static constexpr std::uint8_t red = 1;
    static constexpr std::uint8_t chimes = 2;  // strokes after which they part

    struct State {
        std::array<std::uint8_t, 2> rung;
        std::array<std::uint8_t, 2> colour;  // chosen at the foot
        std::uint8_t bell;                   // strokes: the common component
        std::array<std::uint8_t, 3> unused;
        friend bool operator==(const State&, const State&) = default;
    };
    enum class Verb : std::uint8_t { climb, paint, strike, part };
    struct Action {
        Verb verb;
        std::uint8_t painter;
        std::uint8_t colour;
        friend auto operator<=>(const Action&, const Action&) = default;
    };
    struct Outcome {
        bool is_last = false;  // stroke
    };

    // Who keeps no promise says that to part concerns the bell alone.
    explicit Painters(std::uint8_t colours, bool keeps_promises = true)
        : colours_(colours), keeps_promises_(keeps_promises) {}

    [[nodiscard]] std::vector<State> initial_states() const { return {State{}}; }

    [[nodiscard]] std::vector<std::uint8_t> components(bool) const {
        return {0, 1, 0, 1, 2, 2, 2, 2};
    }
    [[nodiscard]] std::vector<std::uint32_t> scopes(bool) const { return {0b101, 0b110, 0b100}; }
    void actions(const State& state, checker::Enabled<Action>& enabled) const {
        for (std::size_t scope = 0; scope < 2; ++scope) { actions_in(scope, state, enabled); }
        list_parting(state, enabled);
    }
    void joint_actions(const State& state, checker::Enabled<Action>& enabled) const {
        if (keeps_promises_) { list_parting(state, enabled); }
    }
    void actions_in(std::size_t scope, const State& state,
                    checker::Enabled<Action>& enabled) const {
        if (scope == 2) {
            if (!keeps_promises_) { list_parting(state, enabled); }
            return;
        }
        const auto painter = static_cast<std::uint8_t>(scope);
        const std::uint8_t rung = state.rung[scope];
        if (rung == 1 || rung == 2) { enabled.add({Verb::climb, painter, 0}); }
        for (std::uint8_t colour = 1; rung == 0 && colour <= colours_; ++colour) {
            enabled.add({Verb::paint, painter, colour});
        }
        if (rung == 2) { enabled.add({Verb::strike, painter, 0}); }
        // Who is red could still do something at the top, but for a bound.
        if (rung == top && state.colour[scope] == red) { enabled.cut(0); }
        if (rung == top) { enabled.forbid(1); }
    }

    Outcome apply(State& state, const Action& action) const {
        switch (action.verb) {
            case Verb::climb:
            case Verb::paint:
            case Verb::strike: ++state.rung[action.painter]; break;
            case Verb::part:
                state = State{.rung = {0, retired}, .colour = {0, state.colour[1]}};
                return {};
        }
        if (action.verb == Verb::paint) { state.colour[action.painter] = action.colour; }
        if (action.verb == Verb::strike) { ++state.bell; }
        return {state.bell == chimes};
    }

    // The rung of each painter and the bell, and the colour too where it is chosen; of both
    // painters all that changes when they part.
    [[nodiscard]] std::vector<std::vector<std::uint8_t>> footprints() const {
        return {{1, 0, 0, 0, 1, 0, 0, 0},
                {0, 1, 0, 0, 1, 0, 0, 0},
                {1, 0, 1, 0, 1, 0, 0, 0},
                {0, 1, 0, 1, 1, 0, 0, 0},
                {1, 1, 1, 0, 1, 0, 0, 0}};
    }
    [[nodiscard]] std::size_t footprint_of(const Action& action) const {
        switch (action.verb) {
            case Verb::climb:
            case Verb::strike: return action.painter;
            case Verb::paint: return 2U + action.painter;
            case Verb::part: break;
        }
        return 4;
    }
    static std::uint64_t code_of(const Action& action) {
        return static_cast<std::uint64_t>(action.verb) << 16U | action.painter << 8U |
               action.colour;
    }

    [[nodiscard]] bool is_healing(const Action&) const { return true; }
    [[nodiscard]] bool work_is_left(const State&) const { return true; }

    static std::size_t verb_of(const Action& action) {
        return static_cast<std::size_t>(action.verb);
    }
    static std::size_t result_of(const Outcome& outcome) { return outcome.is_last ? 1 : 0; }
    static std::size_t actor_of(const Action& action) { return action.painter; }
    static std::vector<std::string> verb_names() { return {"climb", "paint", "strike", "part"}; }
    static std::vector<std::string> result_names() { return {"done", "last"}; }
    static std::vector<std::string> cut_names() { return {"idle", "at_the_top"}; }

  private:
    static void list_parting(const State& state, checker::Enabled<Action>& enabled) {
        if (state.bell == chimes) { enabled.add({Verb::part, 0, 0}); }
    }

    std::uint8_t colours_;
    bool keeps_promises_;
};

namespace painters {

using Step = checker::Step<Painters>;

inline bool always(const Painters&) { return true; }
inline bool strikes_once(const Painters&, const Step& step) {
    return step.action.verb != Painters::Verb::strike || step.before.bell == 0;
}
inline bool are_apart(const Painters&, const Painters::State& state) {
    return state.rung[0] < Painters::top || state.rung[1] < Painters::top || state.bell == 0;
}
inline bool is_silent(const Painters&, const Painters::State& state) { return state.bell == 0; }
// Each reads its own scope, and all the bell.
inline checker::Claims claims_on_top(const Painters&, const Painters::State& state,
                                     std::size_t scope) {
    const bool is_at_top = scope < 2 && state.rung[scope] >= Painters::top && state.bell > 0;
    return {is_at_top ? std::uint8_t{1} : std::uint8_t{0}};
}
inline checker::Claims claims_on_bell(const Painters& model, const Painters::State& state,
                                      std::size_t scope) {
    const bool falls = scope == 2 && !is_silent(model, state);
    return {falls ? checker::Claims::alone : std::uint8_t{0}};
}
inline bool are_both_red(const Painters&, const Step& step) {
    return step.action.verb == Painters::Verb::paint && step.action.colour == Painters::red &&
           step.before.colour[1U - step.action.painter] == Painters::red;
}

inline bool part_in_red(const Painters&, const Step& step) {
    return step.action.verb == Painters::Verb::part &&
           step.before.colour == std::array{Painters::red, Painters::red};
}

inline bool paints(const Painters&, const Step& step) {
    return step.action.verb == Painters::Verb::paint;
}

inline const std::array<checker::Property<Painters>, 4> laws{{
    {.name = "strikes_once",
     .sentence = "The bell is struck once.",
     .source = "",
     .kind = checker::PropertyKind::step,
     .is_applicable = always,
     .holds_over = strikes_once},
    {.name = "are_apart",
     .sentence = "Not both are at the top after a stroke.",
     .source = "",
     .kind = checker::PropertyKind::state,
     .is_applicable = always,
     .holds_in = are_apart,
     .claims_in = claims_on_top},
    {.name = "is_silent",
     .sentence = "The bell is not struck.",
     .source = "",
     .kind = checker::PropertyKind::state,
     .is_applicable = always,
     .holds_in = is_silent,
     .claims_in = claims_on_bell},
    {.name = "deadlock_free",
     .sentence = "Somebody can move.",
     .source = "",
     .kind = checker::PropertyKind::deadlock,
     .is_applicable = always},
}};
inline constexpr std::array<checker::Witness<Painters>, 3> witnesses{{
    {.name = "both_red",
     .sentence = "One chose red when the other had chosen it.",
     .is_reached_by = are_both_red,
     .verbs = checker::VerbSet{1} << static_cast<unsigned>(Painters::Verb::paint),
     .looks_beyond_scope = true},
    // In the first round, which is done again: numbers need room.
    {.name = "paints", .sentence = "One paints.", .is_reached_by = paints},
    {.name = "part_in_red",
     .sentence = "They part, and both are red.",
     .is_reached_by = part_in_red,
     .verbs = checker::VerbSet{1} << static_cast<unsigned>(Painters::Verb::part)},
}};

}  // namespace painters

}  // namespace ringfence::tests
