// The steps of one level, for the next: most pairs of a level's values in a scope were there in the
// level before, and what they do is known.
//
//     level d - 1   [ block ][ block ] ...     released as level d comes past them
//     level d       [ block ] ...              of the chunks that are done, in their order
//
//     block         [ record record .. ]       step_record.hpp
//
// Both levels are in the order of the numbers in one part of the keys (sorted_level.hpp), and so
// are their records: a chunk finds those that it may need side by side.
//
// Records name bits of keys, and are forgotten when keys are written anew. Otherwise they are a
// matter of speed only: clear() is always allowed.
//
// A chunk writes its own blocks; the rest belongs to the thread that runs the search, between
// rounds. While chunks are expanded the level before is only read.
#pragma once

#include "checker/pages.hpp"
#include "checker/step_record.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace ringfence::checker {

struct StepBlock {
    static constexpr std::size_t words_max = 2048;

    std::size_t words_used = 0;
    std::uint32_t first = 0;  // of the numbers of its records
    std::uint32_t last = 0;
    std::array<std::uint64_t, words_max + StepRecord::copied_words> words;
};
using StepBlocks = std::vector<std::unique_ptr<StepBlock>>;

// The steps that a chunk leaves behind.
class ChunkSteps {
  public:
    void clear() {
        std::ranges::move(filled_, std::back_inserter(spare_));
        filled_.clear();
    }

    // Room for a record of at most StepBlock::words_max words; `number` is not below those before.
    [[nodiscard]] std::uint64_t* append(std::size_t words, std::uint32_t number) {
        if (filled_.empty() || filled_.back()->words_used + words > StepBlock::words_max) {
            add_block(number);
        }
        StepBlock& block = *filled_.back();
        block.last = number;
        return block.words.data() + std::exchange(block.words_used, block.words_used + words);
    }

    // Gives its blocks away, and takes spare ones for them.
    void hand_over(StepBlocks& to, StepBlocks& spare) {
        const std::size_t taken = std::min(filled_.size(), spare.size());
        const auto first_taken = spare.end() - static_cast<std::ptrdiff_t>(taken);
        std::move(first_taken, spare.end(), std::back_inserter(spare_));
        spare.erase(first_taken, spare.end());
        std::ranges::move(filled_, std::back_inserter(to));
        filled_.clear();
    }

    // Gives back the blocks that it has to spare.
    void trim() { spare_.clear(); }

    [[nodiscard]] std::uint64_t bytes() const {
        return (filled_.size() + spare_.size()) * sizeof(StepBlock);
    }

  private:
    void add_block(std::uint32_t number) {
        if (spare_.empty()) {
            filled_.push_back(std::make_unique_for_overwrite<StepBlock>());
        } else {
            filled_.push_back(std::move(spare_.back()));
            spare_.pop_back();
        }
        filled_.back()->words_used = 0;
        filled_.back()->first = number;
    }

    StepBlocks filled_;
    StepBlocks spare_;
};

class KeptSteps {
  public:
    // The level in which steps were added is the one before, from now on.
    void begin_level() {
        const bool has_shrunk = now_.size() < before_.size();
        spare_.clear();
        before_ = std::exchange(now_, {});
        released_ = 0;
        if (has_shrunk) { trim_heap(); }
    }
    // From now on steps are for keys as they were written for the so many-th time.
    void use_keys(std::uint32_t key_layouts) {
        if (key_layouts != key_layouts_) { clear(); }
        key_layouts_ = key_layouts;
    }
    [[nodiscard]] std::uint32_t key_layouts() const { return key_layouts_; }

    void clear() {
        before_.clear();
        now_.clear();
        spare_.clear();
        released_ = 0;
    }

    // In the order of the chunks.
    void add(ChunkSteps& steps) { steps.hand_over(now_, spare_); }
    // The level has come past the numbers of what was added.
    void release() {
        if (now_.empty()) { return; }
        for (; released_ < before_.size() && before_[released_]->last < now_.back()->last;
             ++released_) {
            spare_.push_back(std::move(before_[released_]));
        }
    }

    // Calls visit(record) for all records of the level before whose number(record) is in the
    // range.
    template <class NumberOf, class Visit>
    void for_each(std::uint32_t first, std::uint32_t last, std::size_t key_words,
                  const NumberOf& number_of, const Visit& visit) const {
        const auto left = std::ranges::subrange(
            before_.begin() + static_cast<std::ptrdiff_t>(released_), before_.end());
        auto block =
            std::ranges::lower_bound(left, first, {}, [](const auto& of) { return of->last; });
        for (; block != before_.end() && (*block)->first <= last; ++block) {
            const std::uint64_t* words = (*block)->words.data();
            const std::uint64_t* const end = words + (*block)->words_used;
            while (words != end) {
                constexpr std::size_t words_ahead = 160;
                __builtin_prefetch(words + words_ahead);
                const StepRecord record(words, key_words);
                words += record.header().words;
                const std::uint32_t number = number_of(record.key());
                if (number > last) { return; }
                if (number >= first) { visit(record); }
            }
        }
    }

    [[nodiscard]] std::uint64_t bytes() const {
        return (before_.size() - released_ + now_.size() + spare_.size()) * sizeof(StepBlock);
    }

  private:
    StepBlocks before_;  // the level before
    StepBlocks now_;     // of this level
    StepBlocks spare_;
    std::size_t released_ = 0;  // so many of the level before are gone
    std::uint32_t key_layouts_ = 0;
};

}  // namespace ringfence::checker
