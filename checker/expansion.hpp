// The inner loop: one state is unpacked, the laws still open are asked, its steps are taken, and
// the successors are packed into a buffer for each shard. No allocation once buffers have grown,
// no lock, no string, nothing shared that is written: a chunk belongs to one worker at its desk.
//
//     key -> parts -> before = after      a few states ahead, so that their memory is there
//     step: after changes, is asked about, and is taken back: only the changed words are packed
//     parts -> ring -> key -> buffer      numbers are looked up some steps later, likewise
//
// A successor with a value that has no number yet is set aside as a *stranger*; the search numbers
// strangers between the phases.
#pragma once

#include "checker/chunk.hpp"
#include "checker/level_store.hpp"
#include "checker/open_questions.hpp"
#include "checker/property.hpp"
#include "checker/route.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace ringfence::checker {

template <Model M>
class Expansion {
  public:
    using State = typename M::State;
    using Action = typename M::Action;

    Expansion(const M& model, const LevelStore& store, const OpenQuestions<M>& questions)
        : model_(model),
          packing_(store.packing()),
          codec_(store.codec()),
          route_(store),
          questions_(questions),
          asks_deadlock_(!questions.laws(PropertyKind::deadlock).empty()) {}

    // Expands the share from first / left() to last / left() of what is left of the level.
    void expand_share(const LevelStore& store, std::uint64_t first, std::uint64_t last,
                      Desk<M>& desk) const {
        store.for_each_left(first, last, [&](const std::uint64_t* key) {
            codec_.prefetch_values(key);
            if (desk.coming.is_full()) { expand_now(desk.coming.pop().data(), desk); }
            codec_.copy_key(key, desk.coming.next().data());
            desk.coming.push();
        });
        while (!desk.coming.is_empty()) { expand_now(desk.coming.pop().data(), desk); }
        finish(desk);
    }

    // With the successors that are still on their way.
    void finish(Desk<M>& desk) const {
        while (!desk.ring.is_empty()) { file(desk.ring.pop(), desk); }
    }

    // No step is taken.
    void only_check(const std::uint64_t* key, Desk<M>& desk) const {
        read(key, desk);
        check_state_laws(desk);
    }

    // Puts a successor, or its canonical image, where its shard will find it.
    void append(std::uint64_t* key, std::uint8_t label, Chunk<M>& chunk) const {
        const std::size_t key_words = codec_.key_words();
        route_.make_canonical(key, key_words);
        chunk.successors.append(route_.shard_of(key, key_words), key, key_words, label);
    }
    [[nodiscard]] const Route& route() const { return route_; }

    // The state is desk.before then.
    void read(const std::uint64_t* key, Desk<M>& desk) const {
        const std::uint64_t* const earlier = desk.before_parts();
        std::uint64_t* const parts = desk.turn_parts();
        codec_.decode(key, parts);
        desk.is_after_ready = false;
        std::byte* const state = writable_bytes_of(desk.before);
        if (std::exchange(desk.has_before, true)) {
            packing_.unpack_over(earlier, parts, state);
        } else {
            packing_.unpack(parts, state);
        }
    }

    void check_state_laws(Desk<M>& desk) const {
        for (const std::size_t law : questions_.laws(PropertyKind::state)) {
            if (!questions_.property(law).holds_in(model_, desk.before)) {
                desk.chunk->findings.add_violation(law, {desk.before});
            }
        }
    }

    // Takes all of desk.enabled from desk.before, which has that key.
    void take_all(const std::uint64_t* key, Desk<M>& desk, Expanded& expanded) const {
        for (const Action& action : desk.enabled) {
            desk.chunk->findings.count(take(key, action, desk, expanded));
        }
        expanded.is_cut |= desk.enabled.is_cut();
        if (desk.enabled.has_counts()) { desk.chunk->findings.count_cuts(desk.enabled.cuts()); }
    }

    // Takes a step, and returns the cell that is to count it.
    [[nodiscard]] std::size_t take(const std::uint64_t* key, const Action& action, Desk<M>& desk,
                                   Expanded& expanded) const {
        const Taken taken = step(action, desk);
        if (!taken.is_changed) { return taken.cell; }
        expanded.is_healed |= asks_deadlock_ && !expanded.is_healed && model_.is_healing(action);
        if (taken.is_misfit) { return taken.cell; }
        PendingSuccessor& next = desk.ring.next();
        if (codec_.is_plain()) {
            append(next.parts.data(), next.label, *desk.chunk);
            return taken.cell;
        }
        next.move = PendingSuccessor::no_move;
        push(key, desk);
        return taken.cell;
    }

    struct Taken {
        std::size_t cell;     // that counts it
        bool is_changed;      // leads to another state
        bool is_misfit;       // one that the packing has no place for
        bool is_violation;    // a law falls
        std::uint32_t parts;  // that change
    };
    // Takes the step and takes it back: desk.after equals desk.before then. What it leads to, if to
    // another state, is desk.ring.next(), still to be pushed.
    Taken step(const Action& action, Desk<M>& desk) const {
        if (!std::exchange(desk.is_after_ready, true)) {
            desk.after = desk.before;  // all of it, which is quicker than to unpack once more
        }
        const typename M::Outcome outcome = model_.apply(desk.after, action);
        const bool is_violation =
            !holds_over({desk.before, action, outcome, desk.after}, desk.chunk->findings);
        PendingSuccessor& next = desk.ring.next();
        const Packing::Difference difference = packing_.take_back(
            bytes_of(desk.before), desk.before_parts(), writable_bytes_of(desk.after),
            next.parts.data(), desk.chunk->missing.data());
        desk.chunk->is_misfit |= difference.is_misfit;
        next.changed = difference.parts;
        next.label = static_cast<std::uint8_t>(M::verb_of(action));
        return {desk.chunk->findings.cell_of(action, outcome), difference.is_any,
                difference.is_misfit, is_violation, difference.parts};
    }
    // For numbered keys.
    void push(const std::uint64_t* key, Desk<M>& desk) const {
        PendingSuccessor& next = desk.ring.next();
        codec_.copy_key(key, next.before_key.data());
        codec_.prefetch(next.changed, next.parts.data());
        desk.ring.push();
        if (desk.ring.is_full()) { file(desk.ring.pop(), desk); }
    }

    void check_deadlock(const Expanded& expanded, Desk<M>& desk) const {
        if (!may_be_stuck(expanded) || !model_.work_is_left(desk.before)) { return; }
        for (const std::size_t law : questions_.laws(PropertyKind::deadlock)) {
            desk.chunk->findings.add_violation(law, {desk.before});
        }
    }

    // Could this be a deadlock, for what its steps say?
    [[nodiscard]] bool may_be_stuck(const Expanded& expanded) const {
        return asks_deadlock_ && !expanded.is_healed && !expanded.is_cut;
    }

    // Of the laws on states, in a scope of desk.before.
    [[nodiscard]] AllClaims claims_in(std::size_t scope, const Desk<M>& desk) const {
        return questions_.claims_in(model_, desk.before, scope);
    }
    [[nodiscard]] bool looks_beyond_scope(const Action& action) const {
        return questions_.about_steps(M::verb_of(action)).looks_beyond_scope;
    }
    // Is a law or a witness open that asks about such steps?
    [[nodiscard]] bool asks_about(const Action& action) const {
        const auto& questions = questions_.about_steps(M::verb_of(action));
        return !questions.laws.empty() || !questions.witnesses.empty();
    }

  private:
    void expand_now(const std::uint64_t* key, Desk<M>& desk) const {
        only_check(key, desk);
        desk.enabled.clear();
        model_.actions(desk.before, desk.enabled);
        Expanded expanded;
        take_all(key, desk, expanded);
        check_deadlock(expanded, desk);
    }

    // Looks up the numbers of a successor's parts.
    void file(const PendingSuccessor& successor, Desk<M>& desk) const {
        std::array<std::uint64_t, key_words_max> change;
        const bool is_known = codec_.encode_change(successor.before_key.data(), successor.changed,
                                                   successor.parts.data(), change.data());
        if (successor.move == PendingSuccessor::no_move) {
            send(successor, is_known ? change.data() : nullptr, desk);
        } else if (is_known) {
            desk.steps.set_move(successor.move, change.data());
        } else {
            desk.steps.new_steps()[successor.steps].is_direct = true;
        }
    }
    // To its shard, or to the strangers if a number is not known.
    [[gnu::noinline]] void send(const PendingSuccessor& successor, std::uint64_t* change,
                                Desk<M>& desk) const {
        if (change == nullptr) {
            desk.chunk->successors.append(Chunk<M>::strangers, successor.parts.data(),
                                          packing_.parts(), successor.label);
            return;
        }
        for (std::size_t word = 0; word < codec_.key_words(); ++word) {
            change[word] ^= successor.before_key[word];
        }
        append(change, successor.label, *desk.chunk);
    }

    // Do all laws hold that are asked about this step?
    bool holds_over(const Step<M>& step, Findings<M>& findings) const {
        bool holds = true;
        const auto& questions = questions_.about_steps(M::verb_of(step.action));
        for (const std::size_t law : questions.laws) {
            if (!questions_.property(law).holds_over(model_, step)) {
                findings.add_violation(law, {step.before, step.action});
                holds = false;
            }
        }
        for (const std::size_t witness : questions.witnesses) {
            if (questions_.witness(witness).is_reached_by(model_, step)) {
                findings.add_witness(witness);
            }
        }
        return holds;
    }

    const M& model_;
    const Packing& packing_;
    const KeyCodec& codec_;
    Route route_;
    const OpenQuestions<M>& questions_;
    bool asks_deadlock_;
};

// For states at the depth limit.
template <Model M>
class OnlyChecks {
  public:
    explicit OnlyChecks(const Expansion<M>& expansion) : expansion_(expansion) {}
    void expand_share(const LevelStore& store, std::uint64_t first, std::uint64_t last,
                      Desk<M>& desk) const {
        store.for_each_left(first, last,
                            [&](const std::uint64_t* key) { expansion_.only_check(key, desk); });
    }

  private:
    const Expansion<M>& expansion_;
};

}  // namespace ringfence::checker
