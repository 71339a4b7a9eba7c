// Two-phase commit (Gray and Lamport): the classic with known state counts.
#pragma once

#include "checker/model.hpp"
#include "checker/property.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace ringfence::tests {

class TwoPhase {
  public:
    static constexpr std::size_t managers_max = 9;

    enum class Resource : std::uint8_t { working, prepared, committed, aborted };
    enum class Transaction : std::uint8_t { open, committed, aborted };

    struct State {
        std::array<Resource, managers_max> resources;
        Transaction transaction;
        std::uint16_t heard_prepared;  // bit sets of resource managers
        std::uint16_t sent_prepared;
        bool sent_commit;  // messages stay in flight for ever
        bool sent_abort;
        friend bool operator==(const State&, const State&) = default;
    };

    enum class Verb : std::uint8_t {
        commit,
        abort,
        hear_prepared,
        prepare,
        choose_abort,
        hear_commit,
        hear_abort
    };

    struct Action {
        Verb verb;
        std::uint8_t manager;
        friend auto operator<=>(const Action&, const Action&) = default;
    };

    struct Outcome {};

    explicit TwoPhase(std::uint8_t managers) : managers_(managers) {}

    [[nodiscard]] std::vector<State> initial_states() const { return {State{}}; }

    void actions(const State& state, checker::Enabled<Action>& enabled) const {
        const bool is_open = state.transaction == Transaction::open;
        if (is_open && state.heard_prepared == (1U << managers_) - 1) {
            enabled.add({Verb::commit, managers_});
        }
        if (is_open) { enabled.add({Verb::abort, managers_}); }
        for (std::uint8_t manager = 0; manager < managers_; ++manager) {
            if (is_open && (state.sent_prepared >> manager & 1U) != 0) {
                enabled.add({Verb::hear_prepared, manager});
            }
            if (state.resources[manager] == Resource::working) {
                enabled.add({Verb::prepare, manager});
                enabled.add({Verb::choose_abort, manager});
            }
            if (state.sent_commit) { enabled.add({Verb::hear_commit, manager}); }
            if (state.sent_abort) { enabled.add({Verb::hear_abort, manager}); }
        }
    }

    Outcome apply(State& state, const Action& action) const {
        const auto bit = static_cast<std::uint16_t>(1U << action.manager);
        switch (action.verb) {
            case Verb::commit:
                state.transaction = Transaction::committed;
                state.sent_commit = true;
                break;
            case Verb::abort:
                state.transaction = Transaction::aborted;
                state.sent_abort = true;
                break;
            case Verb::hear_prepared: state.heard_prepared |= bit; break;
            case Verb::prepare:
                state.resources[action.manager] = Resource::prepared;
                state.sent_prepared |= bit;
                break;
            case Verb::hear_commit: state.resources[action.manager] = Resource::committed; break;
            case Verb::choose_abort:
            case Verb::hear_abort: state.resources[action.manager] = Resource::aborted; break;
        }
        return {};
    }

    [[nodiscard]] bool is_healing(const Action&) const { return true; }
    [[nodiscard]] bool work_is_left(const State& state) const {
        for (std::uint8_t manager = 0; manager < managers_; ++manager) {
            if (state.resources[manager] < Resource::committed) { return true; }
        }
        return false;
    }

    static std::size_t verb_of(const Action& action) {
        return static_cast<std::size_t>(action.verb);
    }
    static std::size_t result_of(const Outcome&) { return 0; }
    static std::size_t actor_of(const Action& action) { return action.manager; }
    static std::vector<std::string> verb_names() {
        return {"commit",       "abort",       "hear_prepared", "prepare",
                "choose_abort", "hear_commit", "hear_abort"};
    }
    static std::vector<std::string> result_names() { return {"done"}; }
    static std::vector<std::string> cut_names() { return {}; }

    static bool is_consistent(const TwoPhase&, const State& state) {
        bool is_any_committed = false;
        bool is_any_aborted = false;
        for (const Resource resource : state.resources) {
            is_any_committed |= resource == Resource::committed;
            is_any_aborted |= resource == Resource::aborted;
        }
        return !(is_any_committed && is_any_aborted);
    }

  private:
    std::uint8_t managers_;
};

static_assert(checker::Model<TwoPhase>);

inline constexpr checker::Property<TwoPhase> two_phase_consistent{
    .name = "consistent",
    .sentence = "No manager commits while another one aborts.",
    .source = "twophase.m",
    .kind = checker::PropertyKind::state,
    .is_applicable = [](const TwoPhase&) { return true; },
    .holds_in = TwoPhase::is_consistent,
};

}  // namespace ringfence::tests
