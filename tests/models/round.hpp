// The search's own concurrency, as a model: workers that take numbers, expand chunks into buffers,
// and, once all are done, insert the buffers shard by shard (checker/parallel.hpp, visited.hpp).
//
// Every access that another worker could see is a step of its own, so that the check of a key and
// its appending can be torn apart. What holds it together is that a number is handed out once, and
// that nobody inserts before all have expanded. Either can be switched off.
#pragma once

#include "checker/model.hpp"
#include "checker/property.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace ringfence::tests {

class Round {
  public:
    static constexpr std::size_t workers_max = 3;
    static constexpr std::uint8_t chunks = 2;
    static constexpr std::uint8_t shards = 2;
    static constexpr std::uint8_t keys = 4;  // key k belongs to shard k % shards

    struct Rules {
        bool hands_out_at_once = true;  // fetch_add, not a load and a store
        bool waits_between = true;      // for_each returns when all of its calls have
    };

    enum class Doing : std::uint8_t {
        nothing,
        has_read_next,  // of a handing out in two steps
        expanding,
        looking_up,
        appending,
    };

    struct Worker {
        Doing doing;
        std::uint8_t is_inserting;  // the phase whose number it took
        std::uint8_t number;        // of the chunk or shard
        std::uint8_t at;            // the next key to write, or to take out of the buffers
        friend bool operator==(const Worker&, const Worker&) = default;
    };

    struct State {
        std::array<Worker, workers_max> workers;
        std::array<std::uint8_t, 2> next;                           // number, by phase
        std::array<std::array<std::uint8_t, shards>, chunks> sent;  // bit set of keys, in a buffer
        std::array<std::uint8_t, keys> stored;  // how often a key was appended, up to 2
        std::array<std::uint8_t, 2> unused;
        friend bool operator==(const State&, const State&) = default;
    };
    static_assert(sizeof(State) == 24);

    enum class Verb : std::uint8_t { take_number, store_next, write_key, look_up, append, finish };

    struct Action {
        Verb verb;
        std::uint8_t worker;
        std::uint8_t is_inserting;
        friend auto operator<=>(const Action&, const Action&) = default;
    };

    struct Outcome {};

    Round(std::uint8_t workers, const Rules& rules) : workers_(workers), rules_(rules) {}

    [[nodiscard]] std::vector<State> initial_states() const { return {State{}}; }

    void actions(const State& state, checker::Enabled<Action>& enabled) const {
        for (std::uint8_t w = 0; w < workers_; ++w) {
            const Worker& worker = state.workers[w];
            switch (worker.doing) {
                case Doing::nothing: add_numbers(state, w, enabled); break;
                case Doing::has_read_next:
                    enabled.add({Verb::store_next, w, worker.is_inserting});
                    break;
                case Doing::expanding:
                    enabled.add({worker.at < keys_of_chunk ? Verb::write_key : Verb::finish, w, 0});
                    break;
                case Doing::looking_up:
                    enabled.add({worker.at < chunks * keys ? Verb::look_up : Verb::finish, w, 1});
                    break;
                case Doing::appending: enabled.add({Verb::append, w, 1}); break;
            }
        }
    }

    Outcome apply(State& state, const Action& action) const {
        Worker& worker = state.workers[action.worker];
        switch (action.verb) {
            case Verb::take_number:
                worker.is_inserting = action.is_inserting;
                worker.number = state.next[action.is_inserting];
                if (rules_.hands_out_at_once) {
                    ++state.next[action.is_inserting];
                    begin(worker);
                } else {
                    worker.doing = Doing::has_read_next;
                }
                break;
            case Verb::store_next:
                state.next[action.is_inserting] = static_cast<std::uint8_t>(worker.number + 1);
                begin(worker);
                break;
            case Verb::write_key: {
                const std::uint8_t key = key_of(worker);
                state.sent[worker.number][key % shards] |= static_cast<std::uint8_t>(1U << key);
                ++worker.at;
                break;
            }
            case Verb::look_up: look_up(state, worker); break;
            case Verb::append:
                if (state.stored[key_at(worker)] < 2) { ++state.stored[key_at(worker)]; }
                worker.doing = Doing::looking_up;
                ++worker.at;
                break;
            case Verb::finish: worker = {}; break;
        }
        return {};
    }

    [[nodiscard]] bool is_healing(const Action&) const { return true; }
    // Until every number was taken and everybody has finished.
    [[nodiscard]] bool work_is_left(const State& state) const { return !is_done(state); }

    static std::size_t verb_of(const Action& action) {
        return static_cast<std::size_t>(action.verb);
    }
    static std::size_t result_of(const Outcome&) { return 0; }
    static std::size_t actor_of(const Action& action) { return action.worker; }
    static std::vector<std::string> verb_names() {
        return {"take_number", "store_next", "write_key", "look_up", "append", "finish"};
    }
    static std::vector<std::string> result_names() { return {"done"}; }
    static std::vector<std::string> cut_names() { return {}; }

    // ---- laws ----

    // Who writes a shard or a buffer is alone with it.
    static bool has_no_race(const Round& model, const State& state) {
        for (std::uint8_t left = 0; left < model.workers_; ++left) {
            for (std::uint8_t right = 0; right < model.workers_; ++right) {
                const Worker& writer = state.workers[left];
                const Worker& other = state.workers[right];
                if (left != right && is_race(writer, other)) { return false; }
            }
        }
        return true;
    }

    // At the end each key is there, once.
    static bool keeps_every_key_once(const Round&, const State& state) {
        if (!is_done(state)) { return true; }
        for (const std::uint8_t count : state.stored) {
            if (count != 1) { return false; }
        }
        return true;
    }

  private:
    // Chunk c sends keys c, c + 1, c + 2: those in the middle come from both.
    static constexpr std::uint8_t keys_of_chunk = 3;
    static std::uint8_t key_of(const Worker& worker) {
        return static_cast<std::uint8_t>(worker.number + worker.at);
    }
    static std::uint8_t key_at(const Worker& worker) { return worker.at % keys; }

    static void begin(Worker& worker) {
        worker.doing = worker.is_inserting != 0 ? Doing::looking_up : Doing::expanding;
        worker.at = 0;
    }

    static bool is_done(const State& state) {
        for (const Worker& worker : state.workers) {
            if (worker.doing != Doing::nothing) { return false; }
        }
        return state.next[0] >= chunks && state.next[1] >= shards;
    }

    static bool is_race(const Worker& writer, const Worker& other) {
        const bool other_inserts =
            other.doing == Doing::looking_up || other.doing == Doing::appending;
        if (writer.doing == Doing::appending) {  // expanding reads every shard
            return other.doing == Doing::expanding ||
                   (other_inserts && other.number == writer.number);
        }
        if (writer.doing != Doing::expanding) { return false; }
        return other_inserts || (other.doing == Doing::expanding && other.number == writer.number);
    }

    void add_numbers(const State& state, std::uint8_t w, checker::Enabled<Action>& enabled) const {
        if (state.next[0] < chunks) {
            enabled.add({Verb::take_number, w, 0});
            return;
        }
        const auto is_expanding = [](const Worker& worker) {
            return worker.doing != Doing::nothing && worker.is_inserting == 0;
        };
        for (const Worker& worker : state.workers) {
            if (rules_.waits_between && is_expanding(worker)) { return; }
        }
        if (state.next[1] < shards) { enabled.add({Verb::take_number, w, 1}); }
    }

    // Goes through the buffers of its shard, chunk by chunk.
    static void look_up(State& state, Worker& worker) {
        const std::uint8_t key = key_at(worker);
        const unsigned buffer = state.sent[worker.at / keys][worker.number];
        const bool is_sent = (buffer >> key & 1U) != 0;
        if (is_sent && state.stored[key] == 0) {
            worker.doing = Doing::appending;
        } else {
            ++worker.at;
        }
    }

    std::uint8_t workers_;
    Rules rules_;
};

static_assert(checker::Model<Round>);

inline constexpr std::array<checker::Property<Round>, 2> round_laws{{
    {.name = "no_race",
     .sentence = "Who writes a buffer or a shard is alone with it.",
     .source = "checker/parallel.hpp",
     .kind = checker::PropertyKind::state,
     .is_applicable = [](const Round&) { return true; },
     .holds_in = Round::has_no_race},
    {.name = "every_key_once",
     .sentence = "At the end of a round every key is in its shard, once.",
     .source = "checker/visited.hpp",
     .kind = checker::PropertyKind::state,
     .is_applicable = [](const Round&) { return true; },
     .holds_in = Round::keeps_every_key_once},
}};

}  // namespace ringfence::tests
