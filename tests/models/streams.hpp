// Exactly-once stream instances with rebalance, fencing, zombies and transaction timeout: the model
// that the peers (Spin, Rumur, TLC) were measured with, so state and transition counts are known.
#pragma once

#include "checker/model.hpp"
#include "checker/property.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ringfence::tests {

class Streams {
  public:
    static constexpr std::size_t instances_max = 4;
    static constexpr std::size_t partitions_max = 2;
    static constexpr std::size_t records_max = 2;

    enum class Phase : std::uint8_t { idle, fetched, in_txn, produced, sent, aborted };

    struct State {
        std::uint8_t generation;
        std::uint8_t members;  // bit sets of instances
        std::uint8_t paused;
        std::array<std::uint8_t, partitions_max> committed;
        std::array<std::array<std::uint8_t, records_max>, partitions_max> outputs;
        std::array<std::uint8_t, instances_max> own_generation;
        std::array<std::uint8_t, instances_max> assigned;  // bit sets of partitions
        std::array<Phase, instances_max> phase;
        std::array<std::uint8_t, instances_max> current;
        std::array<std::uint8_t, instances_max> position;
        std::array<std::uint8_t, partitions_max> pending;  // who has sent offsets: bit sets
        std::uint8_t unused;
        friend bool operator==(const State&, const State&) = default;
    };

    enum class Verb : std::uint8_t {
        join,
        kick,
        sync,
        begin,
        produce,
        send_offsets,
        commit,
        pause,
        resume,
        time_out,
        see_abort,
        fetch
    };

    struct Action {
        Verb verb;
        std::uint8_t instance;
        std::uint8_t partition;
        friend auto operator<=>(const Action&, const Action&) = default;
    };

    struct Outcome {
        bool is_refused = false;
    };

    struct Size {
        std::uint8_t instances = 3;
        std::uint8_t partitions = 2;
        std::uint8_t generations = 3;
        std::uint8_t records = 1;
        bool fetches_stable = true;  // a fetch waits for a pending offset commit (KIP-447)
    };

    explicit Streams(const Size& size) : size_(size) {}

    [[nodiscard]] std::vector<State> initial_states() const { return {State{}}; }

    void actions(const State& state, checker::Enabled<Action>& enabled) const {
        for (std::uint8_t i = 0; i < size_.instances; ++i) { add_actions_of(state, i, enabled); }
    }

    Outcome apply(State& state, const Action& action) const {
        const std::uint8_t i = action.instance;
        const auto bit = static_cast<std::uint8_t>(1U << i);
        switch (action.verb) {
            case Verb::join:
            case Verb::kick:
                toggle(state.members, bit);
                ++state.generation;
                break;
            case Verb::sync: sync(state, i); break;
            case Verb::begin: state.phase[i] = Phase::in_txn; break;
            case Verb::produce: state.phase[i] = Phase::produced; break;
            case Verb::send_offsets:
                if ((state.members & bit) == 0 || state.own_generation[i] != state.generation) {
                    forget(state, i);
                    return {true};
                }
                state.phase[i] = Phase::sent;
                toggle(state.pending[state.current[i]], bit);
                break;
            case Verb::commit:
                toggle(state.pending[state.current[i]], bit);
                commit(state, i);
                break;
            case Verb::pause:
            case Verb::resume: toggle(state.paused, bit); break;
            case Verb::time_out:
                if (state.phase[i] == Phase::sent) { toggle(state.pending[state.current[i]], bit); }
                state.phase[i] = Phase::aborted;
                break;
            case Verb::see_abort: forget(state, i); break;
            case Verb::fetch:
                state.phase[i] = Phase::fetched;
                state.current[i] = action.partition;
                state.position[i] = state.committed[action.partition];
                break;
        }
        return {};
    }

    [[nodiscard]] bool is_healing(const Action& action) const { return action.verb != Verb::pause; }
    [[nodiscard]] bool work_is_left(const State&) const { return true; }

    static std::size_t verb_of(const Action& action) {
        return static_cast<std::size_t>(action.verb);
    }
    static std::size_t result_of(const Outcome& outcome) { return outcome.is_refused ? 1 : 0; }
    static std::size_t actor_of(const Action& action) { return action.instance; }
    static std::vector<std::string> verb_names() {
        return {"join",   "kick",  "sync",   "begin",    "produce",   "send_offsets",
                "commit", "pause", "resume", "time_out", "see_abort", "fetch"};
    }
    static std::vector<std::string> result_names() { return {"done", "refused"}; }
    static std::vector<std::string> cut_names() { return {}; }

    static bool is_exactly_once(const Streams&, const State& state) {
        for (const auto& outputs : state.outputs) {
            for (const std::uint8_t count : outputs) {
                if (count > 1) { return false; }
            }
        }
        return true;
    }

  protected:
    void add_actions_of(const State& state, std::uint8_t i,
                        checker::Enabled<Action>& enabled) const {
        if ((state.paused >> i & 1U) != 0) {
            add_actions_of_paused(state, i, enabled);
        } else {
            add_actions_of_running(state, i, enabled);
        }
    }
    [[nodiscard]] std::uint8_t instances() const { return size_.instances; }

  private:
    void add_actions_of_paused(const State& state, std::uint8_t i,
                               checker::Enabled<Action>& enabled) const {
        const bool is_member = (state.members >> i & 1U) != 0;
        if (is_member && state.generation < size_.generations) { enabled.add({Verb::kick, i, 0}); }
        enabled.add({Verb::resume, i, 0});
        if (state.phase[i] >= Phase::in_txn && state.phase[i] <= Phase::sent) {
            enabled.add({Verb::time_out, i, 0});
        }
    }

    void add_actions_of_running(const State& state, std::uint8_t i,
                                checker::Enabled<Action>& enabled) const {
        const bool is_member = (state.members >> i & 1U) != 0;
        enabled.add({Verb::pause, i, 0});
        if (!is_member && state.generation < size_.generations) { enabled.add({Verb::join, i, 0}); }
        switch (state.phase[i]) {
            case Phase::idle: add_actions_of_idle(state, i, enabled); break;
            case Phase::fetched: enabled.add({Verb::begin, i, 0}); break;
            case Phase::in_txn: enabled.add({Verb::produce, i, 0}); break;
            case Phase::produced: enabled.add({Verb::send_offsets, i, 0}); break;
            case Phase::sent: enabled.add({Verb::commit, i, 0}); break;
            case Phase::aborted: enabled.add({Verb::see_abort, i, 0}); break;
        }
    }

    void add_actions_of_idle(const State& state, std::uint8_t i,
                             checker::Enabled<Action>& enabled) const {
        const bool is_member = (state.members >> i & 1U) != 0;
        if (is_member && state.own_generation[i] != state.generation) {
            enabled.add({Verb::sync, i, 0});
        }
        for (std::uint8_t p = 0; p < size_.partitions; ++p) {
            const bool is_assigned = (state.assigned[i] >> p & 1U) != 0;
            if (!is_assigned || state.committed[p] >= size_.records) { continue; }
            if (size_.fetches_stable && state.pending[p] != 0) { continue; }
            enabled.add({Verb::fetch, i, p});
        }
    }

    static void toggle(std::uint8_t& set, std::uint8_t bit) {
        set = static_cast<std::uint8_t>(set ^ bit);
    }

    // Round robin among the members.
    void sync(State& state, std::uint8_t instance) const {
        unsigned members = 0;
        unsigned rank = 0;
        for (std::uint8_t other = 0; other < size_.instances; ++other) {
            if ((state.members >> other & 1U) == 0) { continue; }
            ++members;
            if (other < instance) { ++rank; }
        }
        state.own_generation[instance] = state.generation;
        state.assigned[instance] = 0;
        for (unsigned p = 0; p < size_.partitions; ++p) {
            if (p % members == rank) {
                state.assigned[instance] =
                    static_cast<std::uint8_t>(state.assigned[instance] | 1U << p);
            }
        }
    }

    static void commit(State& state, std::uint8_t i) {
        const std::uint8_t partition = state.current[i];
        state.committed[partition] = static_cast<std::uint8_t>(state.position[i] + 1);
        ++state.outputs[partition][state.position[i]];
        state.phase[i] = Phase::idle;
        state.current[i] = 0;
        state.position[i] = 0;
    }

    static void forget(State& state, std::uint8_t i) {
        state.phase[i] = Phase::idle;
        state.current[i] = 0;
        state.position[i] = 0;
        state.own_generation[i] = 0;
        state.assigned[i] = 0;
    }

    Size size_;
};

static_assert(checker::Model<Streams> && !checker::HasComponents<Streams>);

// The same, cut into the group and its instances, each of which is a scope with it: bytes of one
// word belong to several of them.
class SplitStreams : public Streams {
  public:
    using Streams::Streams;

    [[nodiscard]] std::vector<std::uint8_t> components(bool) const {
        std::vector<std::uint8_t> components(sizeof(State));
        const auto split = [&](std::size_t offset) {
            for (std::size_t instance = 0; instance < instances_max; ++instance) {
                components[offset + instance] = static_cast<std::uint8_t>(1 + instance);
            }
        };
        for (const std::size_t offset :
             {offsetof(State, own_generation), offsetof(State, assigned), offsetof(State, phase),
              offsetof(State, current), offsetof(State, position)}) {
            split(offset);
        }
        return components;
    }
    [[nodiscard]] std::vector<std::uint32_t> scopes(bool) const {
        std::vector<std::uint32_t> scopes;
        for (std::uint8_t i = 0; i < instances(); ++i) { scopes.push_back(1U | 2U << i); }
        return scopes;
    }
    void actions_in(std::size_t scope, const State& state,
                    checker::Enabled<Action>& enabled) const {
        add_actions_of(state, static_cast<std::uint8_t>(scope), enabled);
    }
    static void joint_actions(const State&, checker::Enabled<Action>&) {}
};

static_assert(checker::Model<SplitStreams> && checker::HasScopes<SplitStreams>);

template <class M>
inline constexpr checker::Property<M> exactly_once_in{
    .name = "exactly_once",
    .sentence = "No input record has two committed outputs.",
    .source = "streams.m",
    .kind = checker::PropertyKind::state,
    .is_applicable = [](const M&) { return true; },
    .holds_in = [](const M& model,
                   const Streams::State& state) { return Streams::is_exactly_once(model, state); },
    // The group has the outputs, and lies in every scope.
    .claims_in = [](const M& model, const Streams::State& state, std::size_t) -> checker::Claims {
        const bool holds = Streams::is_exactly_once(model, state);
        return {holds ? std::uint8_t{0} : checker::Claims::alone};
    },
};
inline constexpr const checker::Property<Streams>& streams_exactly_once = exactly_once_in<Streams>;

}  // namespace ringfence::tests
