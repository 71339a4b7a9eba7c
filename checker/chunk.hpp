// A chunk of states under expansion: what one worker has at hand, and what comes out.
#pragma once

#include "checker/findings.hpp"
#include "checker/kept_steps.hpp"
#include "checker/key_buffers.hpp"
#include "checker/packing.hpp"
#include "checker/recent_effects.hpp"
#include "checker/recent_keys.hpp"
#include "checker/step_cache.hpp"
#include "checker/visited.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringfence::checker {

// What comes out of a chunk. It is kept until the end of the round.
template <Model M>
struct alignas(64) Chunk {
    Chunk(std::size_t properties, std::size_t witnesses)
        : findings(properties, witnesses), missing(words_of<typename M::State>) {}

    void clear() {
        findings.clear();
        successors.clear();
        steps.clear();
        missing.assign(missing.size(), 0);
        is_misfit = false;
    }

    // Gives back what the last round did not need.
    void trim() {
        successors.trim();
        steps.trim();
    }

    // The list of successors that have no key yet, by their parts; the others are those of shards.
    static constexpr std::size_t strangers = shards;

    Findings<M> findings;
    KeyBuffers<shards + 1> successors;
    static_assert(std::max(key_words_max, parts_max) <= KeyBuffers<shards + 1>::block_words);
    ChunkSteps steps;                    // of models with scopes
    std::vector<std::uint64_t> missing;  // bits that some successor needs and the packing lacks
    bool is_misfit = false;
};

// A packed successor whose key is still to be put together.
struct PendingSuccessor {
    std::array<std::uint64_t, parts_max> parts;
    std::array<std::uint64_t, key_words_max> before_key;  // unless keys are plain
    std::uint32_t changed;                                // parts
    // For the step cache: whose steps, and which of their moves. Or else it goes to its shard.
    std::uint32_t steps, move;
    std::uint8_t label;

    static constexpr std::uint32_t no_move = ~std::uint32_t{0};
};

// What became of the steps of one state.
struct Expanded {
    bool is_healed = false;
    bool is_cut = false;
};

// One that what is known of its scopes cannot answer for.
struct StateToLookAt {
    std::uint32_t number;  // in the chunk
    bool has_met_claims;
    Expanded expanded;  // as far as is known
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

// What one worker has at hand: kept, so that nothing is initialised in the loop, and in its cache.
template <Model M>
struct alignas(64) Desk {
    // The work on a chunk begins, with keys of so many words.
    void begin(Chunk<M>& filled, std::size_t key_words) {
        chunk = &filled;
        chunk->clear();
        has_before = false;
        coming.clear();
        ring.clear();
        steps.clear(key_words);
        to_look_at.clear();
    }

    Chunk<M>* chunk = nullptr;  // that is filled

    alignas(64) typename M::State before{};  // the state at work
    alignas(64) typename M::State after{};
    bool is_after_ready = false;  // the same as `before`, for the next step
    [[nodiscard]] const std::uint64_t* before_parts() const { return parts[turn].data(); }
    // For those of the next state. The ones that were there stay readable until the next call.
    [[nodiscard]] std::uint64_t* turn_parts() { return parts[turn ^= 1U].data(); }
    std::array<std::array<std::uint64_t, parts_max>, 2> parts{};
    std::size_t turn = 0;
    bool has_before = false;  // a state of this chunk
    Enabled<typename M::Action> enabled;

    Ring<std::array<std::uint64_t, key_words_max>, 4> coming;  // keys of states to be expanded
    Ring<PendingSuccessor, 16> ring;
    StepCache<M> steps;  // these for models with scopes
    std::vector<StateToLookAt> to_look_at;
    RecentKeys recent;
    RecentEffects effects;                       // and these for models with footprints
    std::vector<RecentEffects::Lookup> lookups;  // in it, of the actions that are enabled, at least
};

}  // namespace ringfence::checker
