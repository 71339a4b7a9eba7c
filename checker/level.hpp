// A level, or a part of one: a range of positions in the log of every shard.
//
//     shard 0   [ . . . . | . . . . | . . . . ]
//     shard 1   [ . . . | . . . | . . . ]            cut into chunks that take the same share of
//     ...                                            every shard
//
// States found at the same time stand at the same height of all logs. They resemble each other and
// lead to the same successors: expanded in one chunk, they find dictionaries, laws' fields and the
// index lines of their common successors in the cache. (Half of all successors were met within the
// last 2^18 when chunks are cut like this, a tenth when they are cut shard after shard.)
#pragma once

#include "checker/visited.hpp"

#include <array>
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

    // Calls visit(key) for the share from first / size() to last / size() of the states. The key
    // is there during the call only.
    template <class Visit>
    void for_each_key(const Visited& visited, std::uint64_t first, std::uint64_t last,
                      const Visit& visit) const {
        const Level share{split_before(first), split_before(last)};
        std::array<std::uint64_t, key_words_max> key;
        for (std::size_t shard = 0; shard < shards; ++shard) {
            for (auto position = share.begin[shard]; position < share.end[shard]; ++position) {
                visited.read(shard, position, key.data());
                visit(key.data());
            }
        }
    }

    // The same for all states, with a number of words that the compiler knows.
    template <std::size_t KeyWords, class Visit>
    void for_each_key(const Visited& visited, const Visit& visit) const {
        for (std::size_t shard = 0; shard < shards; ++shard) {
            visited.for_each_key<KeyWords>(shard, begin[shard], end[shard], visit);
        }
    }

    // Where the share of first / size() ends.
    [[nodiscard]] PerShard split_before(std::uint64_t first) const {
        const std::uint64_t total = size();
        PerShard split = begin;
        for (std::size_t shard = 0; shard < shards && total > 0; ++shard) {
            const std::uint64_t count = end[shard] - begin[shard];
            split[shard] += static_cast<std::uint32_t>(count * first / total);
        }
        return split;
    }
};

}  // namespace ringfence::checker
