// Where a successor goes: which key it is kept under, and to which shard. A small value: a loop
// has a copy of its own, so that nothing it writes makes the compiler read it again.
#pragma once

#include "checker/fingerprint.hpp"
#include "checker/key_codec.hpp"
#include "checker/key_log.hpp"
#include "checker/level_store.hpp"
#include "checker/sharding.hpp"
#include "checker/symmetry.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace ringfence::checker {

class Route {
  public:
    // While the store keeps its keys as they are.
    explicit Route(const LevelStore& store)
        : layout_(&store.codec().layout()),
          symmetry_(store.symmetry().is_trivial() ? nullptr : &store.symmetry()),
          fingerprinter_(store.fingerprinter() ? &*store.fingerprinter() : nullptr),
          sharding_(store.visited().sharding()) {}

    // Makes the key that of the canonical state of its orbit.
    [[gnu::always_inline]] void make_canonical(std::uint64_t* key, std::size_t key_words) const {
        if (symmetry_ == nullptr) { return; }
        std::array<std::uint64_t, key_words_max> canonical;  // the caller's may be in registers
        std::copy_n(key, key_words, canonical.data());
        symmetry_->canonicalize(*layout_, canonical.data());
        std::copy_n(canonical.data(), key_words, key);
    }

    [[nodiscard, gnu::always_inline]] std::size_t shard_of(const std::uint64_t* key,
                                                           std::size_t key_words) const {
        return fingerprinter_ != nullptr ? fingerprinter_->of(key).shard
                                         : sharding_.shard_of(key, key_words);
    }

    // Where each state is kept as it is, in the shard of the part by which states are sharded: the
    // usual case, which a loop may know beforehand.
    [[nodiscard]] bool is_by_part() const {
        return symmetry_ == nullptr && fingerprinter_ == nullptr && sharding_.is_by_part();
    }
    [[nodiscard, gnu::always_inline]] std::size_t shard_by_part(const std::uint64_t* key,
                                                                std::size_t key_words) const {
        return sharding_.shard_by_part(key, key_words);
    }

  private:
    const KeyLayout* layout_;
    const Symmetry* symmetry_;            // nullptr: each state is kept as it is
    const Fingerprinter* fingerprinter_;  // nullptr: no fingerprints are kept
    Sharding sharding_;
};

}  // namespace ringfence::checker
