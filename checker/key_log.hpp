// The keys of one shard in the order in which they were found, in blocks that never move.
//
// Growing copies nothing, and because states are found level by level each level is a range of
// positions: the log is store, frontier and history (for traces) in one. Blocks of all shards are
// cut from common regions, large enough for huge pages; a region goes back to the system when the
// last of its blocks is released, so packing all keys again needs little more than one copy.
//
// A pool and the growing of a log belong to one thread; append() into room that was reserved may
// run beside those of other shards.
#pragma once

#include "checker/pages.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringfence::checker {

inline constexpr std::size_t key_words_max = 16;

class RegionPool {
  public:
    struct Block {
        std::uint64_t* words = nullptr;
        std::uint32_t region = 0;
    };

    [[nodiscard]] Block allocate(std::size_t words);
    void release(const Block& block);

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    // At least what bytes() would be after allocating so much in blocks.
    [[nodiscard]] std::uint64_t bytes_with(std::uint64_t words) const;

  private:
    struct Region {
        Pages pages;
        std::size_t words_used = 0;
        std::uint32_t blocks_in_use = 0;
    };

    [[nodiscard]] std::size_t next_region_bytes() const;

    std::vector<Region> regions_;  // blocks are cut from the last one
    std::uint64_t bytes_ = 0;
};

class KeyLog {
  public:
    static constexpr std::uint32_t block_keys = 2048;

    explicit KeyLog(std::size_t key_words) : key_words_(key_words) {}

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] std::size_t key_words() const { return key_words_; }

    [[nodiscard]] const std::uint64_t* at(std::uint32_t position) const {
        return word_at(position, key_words_);
    }
    // The same with a stride that the compiler knows.
    template <std::size_t KeyWords>
    [[nodiscard]] const std::uint64_t* at(std::uint32_t position) const {
        return word_at(position, KeyWords);
    }

    // `key` goes to the end; there must be room.
    void append(const std::uint64_t* key) {
        std::uint64_t* const to = word_at(size_++, key_words_);
        for (std::size_t word = 0; word < key_words_; ++word) { to[word] = key[word]; }
    }

    [[nodiscard]] std::uint64_t words_missing_for(std::uint32_t more) const;
    void reserve(std::uint32_t more, RegionPool& pool);
    // Keys before `position` are not asked for any more.
    void release_before(std::uint32_t position, RegionPool& pool);

    // Of the table of blocks; by how much it may grow with the keys.
    [[nodiscard]] std::uint64_t table_growth_for(std::uint32_t more) const;
    [[nodiscard]] std::uint64_t table_bytes() const {
        return blocks_.capacity() * sizeof(RegionPool::Block);
    }

  private:
    [[nodiscard]] std::uint64_t blocks_for(std::uint32_t more) const {
        return (std::uint64_t{size_} + more + block_keys - 1) / block_keys;
    }
    [[nodiscard]] std::uint64_t* word_at(std::uint32_t position, std::size_t stride) const {
        return blocks_[position / block_keys].words + position % block_keys * stride;
    }

    std::vector<RegionPool::Block> blocks_;
    std::size_t key_words_;
    std::uint32_t size_ = 0;
    std::uint32_t blocks_released_ = 0;
};

}  // namespace ringfence::checker
