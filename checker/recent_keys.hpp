// Successors that a chunk has sent to their shards lately, by hash: it need not send them again.
// Different orders of the same steps lead to the same state soon after each other, and what is
// caught here costs no access to the set of states.
#pragma once

#include "checker/sharding.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ringfence::checker {

class RecentKeys {
  public:
    // What meets keys until the next clear(): a small value, for a loop to have its own.
    class Places {
      public:
        // Is the key here? It is from now on. Without a branch on the answer.
        [[nodiscard, gnu::always_inline]] bool meet(const std::uint64_t* key,
                                                    std::size_t key_words) const {
            std::uint64_t hash = 0;
            for (std::size_t word = 0; word < key_words; ++word) {
                hash = (hash ^ key[word]) * detail::odd;
            }
            std::uint64_t* const met = words_ + (hash >> shift_) * key_words;
            std::uint64_t difference = 0;
            for (std::size_t word = 0; word < key_words; ++word) {
                difference |= key[word] ^ met[word];
                met[word] = key[word];
            }
            return static_cast<bool>(static_cast<unsigned>(difference == 0) &
                                     static_cast<unsigned>(*key != no_key));
        }

      private:
        friend RecentKeys;
        Places(std::uint64_t* words, std::size_t places)
            : words_(words), shift_(64U - static_cast<unsigned>(std::bit_width(places - 1))) {}

        std::uint64_t* words_;
        unsigned shift_;  // of a hash, to the number of a place
    };

    // For a chunk that will send about so many keys.
    [[nodiscard]] Places clear(std::size_t key_words, std::size_t keys) {
        const std::size_t places =
            std::clamp(std::bit_ceil(keys), std::size_t{2}, std::bit_floor(words_max / key_words));
        words_.assign(places * key_words, no_key);
        return {words_.data(), places};
    }

  private:
    static constexpr std::size_t words_max = std::size_t{1} << 14U;
    // Of an empty place. A key may begin like that too: it is always sent.
    static constexpr std::uint64_t no_key = ~std::uint64_t{0};

    std::vector<std::uint64_t> words_;
};

}  // namespace ringfence::checker
