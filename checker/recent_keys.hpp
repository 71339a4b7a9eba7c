// Successors that a chunk has sent to their shards lately, by hash: it need not send them again.
// Different orders of the same steps lead to the same state soon after each other, and what is
// caught here costs no access to the set of states.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringfence::checker {

class RecentKeys {
  public:
    // For a chunk that will send about so many keys.
    void clear(std::size_t key_words, std::size_t keys) {
        slots_ = std::min(std::bit_floor(words_max / key_words), std::bit_ceil(keys + 1));
        words_.assign(slots_ * key_words, no_key);
    }

    // Is the key here? It is from now on. Without a branch on the answer.
    [[nodiscard, gnu::always_inline]] bool meet(const std::uint64_t* key, std::size_t key_words,
                                                std::uint64_t hash) {
        std::uint64_t* const met = words_.data() + (hash & (slots_ - 1)) * key_words;
        std::uint64_t difference = 0;
        for (std::size_t word = 0; word < key_words; ++word) {
            difference |= key[word] ^ met[word];
            met[word] = key[word];
        }
        return difference == 0 && *key != no_key;
    }

  private:
    static constexpr std::size_t words_max = std::size_t{1} << 14U;
    // Of an empty slot. A key may begin like that too: it is always sent.
    static constexpr std::uint64_t no_key = ~std::uint64_t{0};

    std::size_t slots_ = 0;  // a power of two
    std::vector<std::uint64_t> words_;
};

}  // namespace ringfence::checker
