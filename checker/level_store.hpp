// All states found so far, by level: packing, set, and where the levels begin. Not a template: what
// depends on the model ends at the packed key.
//
//     shard 0    [ level 0 | level 1 | ... | level d: expanded | left | found: level d + 1 ]
//     shard 1    [ ...
//
// Owned by the thread that runs the search; workers read it while they expand, and insert into
// visited() shard by shard.
#pragma once

#include "checker/level.hpp"
#include "checker/packing.hpp"
#include "checker/parallel.hpp"
#include "checker/visited.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ringfence::checker {

class LevelStore {
  public:
    explicit LevelStore(Packing packing)
        : packing_(std::move(packing)), visited_(packing_.key_words()) {}

    [[nodiscard]] const Packing& packing() const { return packing_; }
    [[nodiscard]] const Visited& visited() const { return visited_; }
    [[nodiscard]] Visited& visited() { return visited_; }

    // Packs a state that fits and adds it to the level that is being found.
    void add(const std::byte* state);

    // The states found since the last call become the current level; false if there are none.
    [[nodiscard]] bool begin_level();
    [[nodiscard]] std::uint32_t depth() const {
        return static_cast<std::uint32_t>(begins_.size() - 1);
    }
    // What is left to expand of the current level; the first `states` of it are done.
    [[nodiscard]] const Level& left() const { return left_; }
    void advance(std::uint64_t states) { left_.begin = left_.split_before(states); }

    [[nodiscard]] bool has_found() const { return Level{left_.end, visited_.sizes()}.size() > 0; }

    // All levels, at last the one that is being found, if it has any state.
    [[nodiscard]] std::vector<Level> levels() const;

    // Makes room in the keys for more bits, see Packing::collect_missing. Levels and what is left
    // stay the same sets; the order of states within them may change.
    void widen(std::span<const std::uint64_t> missing, Workers& workers);
    // The most memory the store owns while it does so.
    [[nodiscard]] std::uint64_t bytes_to_widen(std::span<const std::uint64_t> missing) const;

    // Memory owned now, and once there is room for more keys (see Visited).
    [[nodiscard]] std::uint64_t bytes() const { return visited_.bytes() + level_bytes(); }
    [[nodiscard]] std::uint64_t bytes_with_room_for(const PerShard& incoming) const {
        return visited_.bytes_with_room_for(incoming) + level_bytes();
    }

  private:
    [[nodiscard]] std::uint64_t level_bytes() const {
        return begins_.capacity() * sizeof(PerShard);
    }
    [[nodiscard]] bool keeps_keys(const Packing& wider) const;
    void repack(const Packing& wider, Workers& workers);

    Packing packing_;
    Visited visited_;
    std::vector<PerShard> begins_;  // of every level up to the current one
    Level left_{};
};

}  // namespace ringfence::checker
