// The inner loop: one state is unpacked, the laws still open are asked, its steps are taken, and
// the successors are packed into a buffer for each shard. No allocation once buffers have grown,
// no lock, no string, nothing shared that is written: a chunk of states belongs to one worker.
//
//     key -> parts -> before = after      a few states ahead, so that their memory is there
//     step: after changes, is asked about, and is taken back: only the changed words are packed
//     parts -> ring -> key -> buffer      numbers are looked up some steps later, likewise
//
// A successor with a value that has no number yet is set aside as a *stranger*; the search numbers
// strangers between the phases.
#pragma once

#include "checker/findings.hpp"
#include "checker/key_buffer.hpp"
#include "checker/level_store.hpp"
#include "checker/property.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

namespace ringfence::checker {

// The laws and witnesses that are still worth asking about, by their numbers.
template <Model M>
class OpenQuestions {
  public:
    OpenQuestions(const M& model, std::span<const Property<M>> properties,
                  std::span<const Witness<M>> witnesses)
        : properties_(properties), witnesses_(witnesses) {
        for (std::size_t index = 0; index < properties.size(); ++index) {
            if (properties[index].is_applicable(model)) {
                of(properties[index].kind).push_back(index);
            }
        }
        for (std::size_t index = 0; index < witnesses.size(); ++index) {
            open_witnesses_.push_back(index);
        }
        laws_ = laws_open();
        sort_by_verb();
    }

    void close_refuted(const Findings<M>& findings) {
        const auto is_refuted = [&](std::size_t index) {
            return findings.violation(index).has_value();
        };
        for (auto& laws : open_laws_) { std::erase_if(laws, is_refuted); }
        sort_by_verb();
    }
    void close_reached(const Findings<M>& findings) {
        std::erase_if(open_witnesses_,
                      [&](std::size_t index) { return findings.is_reached(index); });
        sort_by_verb();
    }

    [[nodiscard]] bool are_all_refuted() const { return laws_ > 0 && laws_open() == 0; }
    [[nodiscard]] const std::vector<std::size_t>& laws(PropertyKind kind) const {
        return open_laws_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] const std::vector<std::size_t>& witnesses() const { return open_witnesses_; }

    // What is to be asked about a step of this verb.
    struct AboutSteps {
        std::vector<std::size_t> laws;
        std::vector<std::size_t> witnesses;
    };
    [[nodiscard]] const AboutSteps& about_steps(std::size_t verb) const { return by_verb_[verb]; }
    [[nodiscard]] const Property<M>& property(std::size_t index) const {
        return properties_[index];
    }
    [[nodiscard]] const Witness<M>& witness(std::size_t index) const { return witnesses_[index]; }

  private:
    [[nodiscard]] std::vector<std::size_t>& of(PropertyKind kind) {
        return open_laws_[static_cast<std::size_t>(kind)];
    }
    void sort_by_verb() {
        const auto concerning = [](auto entries, const std::vector<std::size_t>& open,
                                   std::size_t verb) {
            std::vector<std::size_t> found;
            std::ranges::copy_if(open, std::back_inserter(found), [&](std::size_t index) {
                return (entries[index].verbs >> verb & 1U) != 0;
            });
            return found;
        };
        const auto& step_laws = laws(PropertyKind::step);
        for (std::size_t verb = 0; verb < verbs_max; ++verb) {
            by_verb_[verb] = {concerning(properties_, step_laws, verb),
                              concerning(witnesses_, open_witnesses_, verb)};
        }
    }
    [[nodiscard]] std::size_t laws_open() const {
        return open_laws_[0].size() + open_laws_[1].size() + open_laws_[2].size();
    }

    std::span<const Property<M>> properties_;
    std::span<const Witness<M>> witnesses_;
    std::array<std::vector<std::size_t>, 3> open_laws_;  // by PropertyKind
    std::vector<std::size_t> open_witnesses_;
    std::array<AboutSteps, verbs_max> by_verb_;
    std::size_t laws_ = 0;  // applicable ones
};

// A packed successor whose key is still to be put together.
struct PendingSuccessor {
    std::array<std::uint64_t, parts_max> parts;
    std::array<std::uint64_t, key_words_max> before_key;  // unless keys are plain
    std::uint32_t changed;                                // parts
    std::uint8_t label;
};

// First in, first out, in place: what is taken out stays readable until the next push().
template <class T, std::size_t Capacity>
class Ring {
  public:
    [[nodiscard]] bool is_empty() const { return popped_ == pushed_; }
    [[nodiscard]] bool is_full() const { return pushed_ - popped_ == Capacity - 1; }
    [[nodiscard]] T& next() { return items_[pushed_ % Capacity]; }  // written before push()
    void push() { ++pushed_; }
    [[nodiscard]] const T& pop() { return items_[popped_++ % Capacity]; }
    void clear() { pushed_ = popped_ = 0; }

  private:
    std::array<T, Capacity> items_;
    std::size_t pushed_ = 0;
    std::size_t popped_ = 0;
};

// What one worker fills while it expands a chunk of states.
template <Model M>
struct alignas(64) Chunk {
    Chunk(std::size_t properties, std::size_t witnesses)
        : findings(properties, witnesses), missing(words_of<typename M::State>) {}

    void clear() {
        findings.clear();
        for (KeyBuffer& buffer : successors) { buffer.clear(); }
        strangers.clear();
        coming.clear();
        ring.clear();
        missing.assign(missing.size(), 0);
        is_misfit = false;
    }

    [[nodiscard]] std::uint64_t bytes() const {
        std::uint64_t bytes = 0;
        for (const KeyBuffer& buffer : successors) { bytes += buffer.bytes(); }
        return bytes + strangers.bytes();
    }

    // Scratch of the state at work: kept, so that nothing is initialised in the loop.
    typename M::State before{};
    typename M::State after{};
    Enabled<typename M::Action> enabled;

    std::array<std::uint64_t, parts_max> before_parts{};
    Ring<std::array<std::uint64_t, key_words_max>, 4> coming;  // keys of states to be expanded
    Ring<PendingSuccessor, 16> ring;

    Findings<M> findings;
    std::array<KeyBuffer, shards> successors;
    KeyBuffer strangers;                 // parts of successors that have no key yet
    std::vector<std::uint64_t> missing;  // bits that some successor needs and the packing lacks
    bool is_misfit = false;
};

template <Model M>
class Expansion {
  public:
    using State = typename M::State;
    using Action = typename M::Action;

    Expansion(const M& model, const LevelStore& store, const OpenQuestions<M>& questions)
        : model_(model),
          packing_(store.packing()),
          codec_(store.codec()),
          symmetry_(store.symmetry()),
          fingerprinter_(store.fingerprinter()),
          questions_(questions),
          asks_deadlock_(!questions.laws(PropertyKind::deadlock).empty()) {}

    // Expands the state, or one given a few calls before: finish() does the rest.
    void expand(const std::uint64_t* key, Chunk<M>& chunk) const {
        codec_.prefetch_values(key);
        if (chunk.coming.is_full()) { expand_now(chunk.coming.pop().data(), chunk); }
        codec_.copy_key(key, chunk.coming.next().data());
        chunk.coming.push();
    }

    void finish(Chunk<M>& chunk) const {
        while (!chunk.coming.is_empty()) { expand_now(chunk.coming.pop().data(), chunk); }
        while (!chunk.ring.is_empty()) { file(chunk.ring.pop(), chunk); }
    }

    // For states at the depth limit: no step is taken.
    void only_check(const std::uint64_t* key, Chunk<M>& chunk) const {
        read(key, chunk);
        check_state_laws(chunk.before, chunk.findings);
    }

    // Puts a successor, or its canonical image, where its shard will find it.
    void append(std::uint64_t* key, std::uint8_t label, Chunk<M>& chunk) const {
        if (!symmetry_.is_trivial()) { symmetry_.canonicalize(codec_.layout(), key); }
        const std::size_t key_words = codec_.key_words();
        const std::size_t shard =
            fingerprinter_ ? fingerprinter_->of(key).shard : shard_of(hash_of(key, key_words));
        chunk.successors[shard].append(key, key_words, label);
    }

  private:
    void read(const std::uint64_t* key, Chunk<M>& chunk) const {
        codec_.decode(key, chunk.before_parts.data());
        packing_.unpack(chunk.before_parts.data(), writable_bytes_of(chunk.before));
    }

    void expand_now(const std::uint64_t* key, Chunk<M>& chunk) const {
        only_check(key, chunk);
        chunk.after = chunk.before;
        chunk.enabled.clear();
        model_.actions(chunk.before, chunk.enabled);
        bool is_healed = false;
        for (const Action& action : chunk.enabled) {
            const bool is_changed = take(key, action, chunk);
            is_healed |= asks_deadlock_ && is_changed && !is_healed && model_.is_healing(action);
        }
        const bool is_cut = chunk.enabled.is_cut();
        if (chunk.enabled.has_counts()) { chunk.findings.count_cuts(chunk.enabled.cuts()); }
        if (asks_deadlock_ && !is_healed && !is_cut && model_.work_is_left(chunk.before)) {
            for (const std::size_t law : questions_.laws(PropertyKind::deadlock)) {
                chunk.findings.add_violation(law, {chunk.before});
            }
        }
    }

    // True if the step leads to another state. `chunk.after` equals `chunk.before` before and
    // after.
    bool take(const std::uint64_t* key, const Action& action, Chunk<M>& chunk) const {
        const typename M::Outcome outcome = model_.apply(chunk.after, action);
        chunk.findings.count_step(action, outcome);
        check_step({chunk.before, action, outcome, chunk.after}, chunk.findings);

        PendingSuccessor& next = chunk.ring.next();
        const Packing::Difference difference = packing_.take_back(
            bytes_of(chunk.before), chunk.before_parts.data(), writable_bytes_of(chunk.after),
            next.parts.data(), chunk.missing.data());
        if (!difference.is_any) { return false; }
        if (difference.is_misfit) {
            chunk.is_misfit = true;
            return true;
        }
        next.changed = difference.parts;
        next.label = static_cast<std::uint8_t>(M::verb_of(action));
        if (codec_.is_plain()) {
            append(next.parts.data(), next.label, chunk);
            return true;
        }
        codec_.copy_key(key, next.before_key.data());
        codec_.prefetch(next.changed, next.parts.data());
        chunk.ring.push();
        if (chunk.ring.is_full()) { file(chunk.ring.pop(), chunk); }
        return true;
    }

    // Looks up the numbers of a successor's parts.
    void file(const PendingSuccessor& successor, Chunk<M>& chunk) const {
        std::array<std::uint64_t, key_words_max> key;
        if (codec_.encode(successor.before_key.data(), successor.changed, successor.parts.data(),
                          key.data())) {
            append(key.data(), successor.label, chunk);
        } else {
            chunk.strangers.append(successor.parts.data(), packing_.parts(), successor.label);
        }
    }

    void check_state_laws(const State& state, Findings<M>& findings) const {
        for (const std::size_t law : questions_.laws(PropertyKind::state)) {
            if (!questions_.property(law).holds_in(model_, state)) {
                findings.add_violation(law, {state});
            }
        }
    }

    void check_step(const Step<M>& step, Findings<M>& findings) const {
        const auto& questions = questions_.about_steps(M::verb_of(step.action));
        for (const std::size_t law : questions.laws) {
            if (!questions_.property(law).holds_over(model_, step)) {
                findings.add_violation(law, {step.before, step.action});
            }
        }
        for (const std::size_t witness : questions.witnesses) {
            if (questions_.witness(witness).is_reached_by(model_, step)) {
                findings.add_witness(witness);
            }
        }
    }

    const M& model_;
    const Packing& packing_;
    const KeyCodec& codec_;
    const Symmetry& symmetry_;
    const std::optional<Fingerprinter>& fingerprinter_;
    const OpenQuestions<M>& questions_;
    bool asks_deadlock_;
};

}  // namespace ringfence::checker
