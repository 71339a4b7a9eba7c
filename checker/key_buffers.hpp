// What a chunk has found, on its way from the expansion to the shards: packed keys in lists, each
// with a label, the verb of the step that leads there.
//
//     list 0     [ block ] -> [ block ]         blocks of one pool: a list owns as many as it needs
//     list 1     [ block ]
//     block      [ key 0 word 0 ][ word 1 ][ key 1 word 0 ][ word 1 ] ...
//                [ label 0 ]-----          [ label 1 ]-----           ...   a byte for each of them
//
// A label stands at the place of its key's first word, so that one count serves for both: the
// expansion writes into one of these for each successor, and another counter would be felt there.
// Blocks stay when the lists are cleared.
#pragma once

#include "checker/key_run.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ringfence::checker {

// So many lists, by number.
template <std::size_t Lists>
class KeyBuffers {
  public:
    static constexpr std::size_t block_words = 128;

    void clear() {
        firsts_.fill(nullptr);
        ends_.fill({});
        blocks_used_ = 0;
    }

    // Gives back the blocks that were not needed since clear().
    void trim() { blocks_.resize(blocks_used_); }

    // All keys of a list have the same number of words, at most block_words.
    void append(std::size_t list, const std::uint64_t* key, std::size_t key_words,
                std::uint8_t label) {
        append_if(true, list, key, key_words, label);
    }
    // Without a branch on `is_wanted`, which nobody could predict.
    [[gnu::always_inline]] void append_if(bool is_wanted, std::size_t list,
                                          const std::uint64_t* key, std::size_t key_words,
                                          std::uint8_t label) {
        End& end = ends_[list];
        if (end.words + key_words > block_words) { add_block(list); }
        Block& block = *end.last;
        const std::size_t words = end.words;
        for (std::size_t word = 0; word < key_words; ++word) {
            block.words[words + word] = key[word];
        }
        block.labels[words] = label;
        end.words = words + (is_wanted ? key_words : 0);
    }

    // Calls visit(run) for the keys of a list, in the order in which they came.
    template <class Visit>
    void for_each_run(std::size_t list, std::size_t key_words, const Visit& visit) const {
        const End& end = ends_[list];
        for (const Block* block = firsts_[list]; block != nullptr; block = block->next) {
            const std::size_t words = block == end.last ? end.words : block->words_used;
            visit(KeyRun{block->words.data(), words / key_words, block->labels.data()});
        }
    }
    [[nodiscard]] std::size_t size(std::size_t list, std::size_t key_words) const {
        std::size_t size = 0;
        for_each_run(list, key_words, [&](const KeyRun& run) { size += run.count; });
        return size;
    }

    [[nodiscard]] std::uint64_t bytes() const { return blocks_.size() * sizeof(Block); }

  private:
    static constexpr std::size_t line_words = 64 / sizeof(std::uint64_t);  // of the cache

    struct Block {
        std::array<std::uint64_t, block_words> words;
        std::array<std::uint8_t, block_words> labels;
        Block* next;
        std::size_t words_used;  // unless it is the last of its list
    };
    // Of a list.
    struct End {
        Block* last = nullptr;
        std::size_t words = block_words;  // of the last block; full if there is none
    };

    [[gnu::noinline]] void add_block(std::size_t list) {
        if (blocks_used_ == blocks_.size()) {
            blocks_.push_back(std::make_unique_for_overwrite<Block>());
        }
        Block* const block = blocks_[blocks_used_++].get();
        for (std::size_t word = 0; word < block_words; word += line_words) {
            __builtin_prefetch(block->words.data() + word, 1);  // the last round's is long gone
        }
        block->next = nullptr;
        End& end = ends_[list];
        if (end.last == nullptr) {
            firsts_[list] = block;
        } else {
            end.last->next = block;
            end.last->words_used = end.words;
        }
        end = {block, 0};
    }

    std::array<End, Lists> ends_;
    std::array<Block*, Lists> firsts_{};
    std::vector<std::unique_ptr<Block>> blocks_;
    std::size_t blocks_used_ = 0;
};

}  // namespace ringfence::checker
