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

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace ringfence::checker {

inline constexpr std::size_t key_words_max = 16;

// How many words a key has, and in how many bytes it is stored: the upper bytes of its last word
// may always be zero.
class KeyFormat {
  public:
    // `last_bits`: of the last word, 0 to 64.
    constexpr KeyFormat(std::size_t words, std::uint32_t last_bits)
        : words_(words), last_bytes_(last_bits == 0 ? 1 : (last_bits + 7) / 8) {}
    constexpr explicit KeyFormat(std::size_t words) : KeyFormat(words, 64) {}

    [[nodiscard]] constexpr std::size_t words() const { return words_; }
    [[nodiscard]] constexpr std::size_t bytes() const { return (words_ - 1) * 8 + last_bytes_; }
    [[nodiscard]] constexpr std::uint64_t last_mask() const {
        return ~std::uint64_t{0} >> (64U - 8U * last_bytes_);
    }
    friend bool operator==(const KeyFormat&, const KeyFormat&) = default;

  private:
    std::size_t words_;
    std::uint32_t last_bytes_;
};

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
    static constexpr std::size_t word_bytes = sizeof(std::uint64_t);

    // As if keys had been there before position `begin`, and had been released.
    explicit KeyLog(const KeyFormat& format, std::uint32_t begin = 0)
        : blocks_(begin / block_keys),
          format_(format),
          key_bytes_(static_cast<std::uint32_t>(format.bytes())),
          size_(begin),
          blocks_released_(begin / block_keys) {}

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] const KeyFormat& format() const { return format_; }

    // Where a key is stored.
    [[nodiscard]] const std::byte* at(std::uint32_t position) const { return byte_at(position); }
    void read(std::uint32_t position, std::uint64_t* key) const {
        copy_words(byte_at(position), key);
        key[format_.words() - 1] &= format_.last_mask();
    }
    // Is it this key that is stored there? Its number of words is known to the compiler.
    template <std::size_t KeyWords>
    [[nodiscard]] bool holds(const std::byte* place, const std::uint64_t* key) const {
        std::array<std::uint64_t, KeyWords> stored;
        std::memcpy(stored.data(), place, KeyWords * word_bytes);
        std::uint64_t difference = (stored.back() ^ key[KeyWords - 1]) & format_.last_mask();
        for (std::size_t word = 0; word + 1 < KeyWords; ++word) {
            difference |= stored[word] ^ key[word];
        }
        return difference == 0;
    }

    // Calls visit(position, key) for a range of them, of as many words as the compiler knows.
    template <std::size_t KeyWords, class Visit>
    void for_each_key(std::uint32_t begin, std::uint32_t end, const Visit& visit) const {
        const std::uint64_t last_mask = format_.last_mask();
        while (begin < end) {
            const std::byte* at = byte_at(begin);
            const std::uint32_t run = std::min(end - begin, block_keys - begin % block_keys);
            for (const std::uint32_t run_end = begin + run; begin < run_end;
                 ++begin, at += key_bytes_) {
                std::array<std::uint64_t, KeyWords> key;
                std::memcpy(key.data(), at, sizeof key);
                key.back() &= last_mask;
                visit(begin, key.data());
            }
        }
    }

    // `key` goes to the end; there must be room.
    void append(const std::uint64_t* key) {
        // The bytes behind it belong to the next key, which is not there yet.
        copy_words(key, byte_at(size_++));
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
    void copy_words(const void* from, void* to) const {
        if (format_.words() == 1) {  // the usual case, and one instruction
            std::memcpy(to, from, word_bytes);
        } else {
            std::memcpy(to, from, format_.words() * word_bytes);
        }
    }
    // The last key is written and read as whole words.
    [[nodiscard]] std::size_t block_words() const {
        return (block_keys * key_bytes_ + word_bytes) / word_bytes;
    }
    [[nodiscard]] std::byte* byte_at(std::uint32_t position) const {
        return reinterpret_cast<std::byte*>(blocks_[position / block_keys].words) +
               std::size_t{position % block_keys} * key_bytes_;
    }

    std::vector<RegionPool::Block> blocks_;
    KeyFormat format_;
    std::uint32_t key_bytes_;
    std::uint32_t size_;
    std::uint32_t blocks_released_;
};

}  // namespace ringfence::checker
