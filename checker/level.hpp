// A level, or a part of one: a range of positions in the log of every shard. Its states are
// numbered through, shard after shard, so that it can be cut into chunks of equal size.
#pragma once

#include "checker/visited.hpp"

#include <algorithm>
#include <cstdint>

namespace ringfence::checker {

struct Level {
    PerShard begin{};
    PerShard end{};

    [[nodiscard]] std::uint64_t size() const {
        std::uint64_t size = 0;
        for (std::size_t shard = 0; shard < shards; ++shard) { size += end[shard] - begin[shard]; }
        return size;
    }

    // Calls visit(key) for the states numbered first to last - 1.
    template <class Visit>
    void for_each_key(const Visited& visited, std::uint64_t first, std::uint64_t last,
                      const Visit& visit) const {
        std::uint64_t passed = 0;
        for (std::size_t shard = 0; shard < shards && passed < last; ++shard) {
            const std::uint64_t count = end[shard] - begin[shard];
            const std::uint64_t from = first > passed ? std::min(first - passed, count) : 0;
            const std::uint64_t to = std::min(last - passed, count);
            for (std::uint64_t offset = from; offset < to; ++offset) {
                visit(visited.key_at(shard, begin[shard] + static_cast<std::uint32_t>(offset)));
            }
            passed += count;
        }
    }

    // Where the states numbered 0 to first - 1 end.
    [[nodiscard]] PerShard split_before(std::uint64_t first) const {
        PerShard split = begin;
        for (std::size_t shard = 0; shard < shards && first > 0; ++shard) {
            const std::uint64_t taken = std::min<std::uint64_t>(end[shard] - begin[shard], first);
            split[shard] += static_cast<std::uint32_t>(taken);
            first -= taken;
        }
        return split;
    }
};

}  // namespace ringfence::checker
