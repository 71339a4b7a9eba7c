// The keys of a level, or of what is left of one, in the order of the numbers in one of their
// parts: states that agree there lie together, and share the steps that depend on little else
// (step_cache.hpp).
//
// Empty unless it was filled: the order is a matter of speed only.
#pragma once

#include "checker/level.hpp"
#include "checker/pages.hpp"
#include "checker/visited.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ringfence::checker {

class SortedLevel {
  public:
    // number_of(key) is below `numbers`. Throws std::bad_alloc, and is empty then.
    template <class NumberOf>
    void fill(const Level& level, const Visited& visited, std::uint32_t numbers,
              const NumberOf& number_of) {
        clear();
        words_ = visited.key_words();
        const std::uint64_t size = level.size();
        make_room_for(size * words_);
        std::vector<std::uint32_t> places(std::size_t{numbers} + 1);
        std::uint32_t* const place = places.data();
        const auto count = [=](const std::uint64_t* key) { ++place[number_of(key) + 1]; };
        const auto put = [=, first = at(0)](const std::uint64_t* key, std::size_t words) {
            std::copy_n(key, words, first + std::size_t{place[number_of(key)]++} * words);
        };
        const auto add_up = [&] {
            for (std::size_t number = 0; number < numbers; ++number) {
                place[number + 1] += place[number];
            }
        };
        if (words_ == 1) {  // the usual width is one that the compiler knows
            level.for_each_key<1>(visited, count);
            add_up();
            level.for_each_key<1>(visited, [put](const std::uint64_t* key) { put(key, 1); });
        } else {
            level.for_each_key(visited, 0, size, count);
            add_up();
            level.for_each_key(visited, 0, size,
                               [=, words = words_](const std::uint64_t* key) { put(key, words); });
        }
        size_ = size;
    }
    void clear() { size_ = done_ = 0; }

    [[nodiscard]] bool is_empty() const { return size_ == 0; }
    [[nodiscard]] std::uint64_t left() const { return size_ - done_; }
    void advance(std::uint64_t states) { done_ += states; }
    template <class Visit>
    void for_each_key(std::uint64_t first, std::uint64_t last, const Visit& visit) const {
        for (std::uint64_t item = done_ + first; item < done_ + last; ++item) { visit(at(item)); }
    }

    // Those from this one on, one after another.
    [[nodiscard]] const std::uint64_t* keys_from(std::uint64_t first) const {
        return at(done_ + first);
    }

    // What is left, under other keys of so many words.
    template <class Translate>
    void translate(std::size_t words, const Translate& translate) {
        SortedLevel other;
        other.words_ = words;
        other.make_room_for(left() * words);
        for_each_key(0, left(),
                     [&](const std::uint64_t* key) { translate(key, other.at(other.size_++)); });
        *this = std::move(other);
    }

    [[nodiscard]] std::uint64_t bytes() const { return keys_.bytes(); }
    [[nodiscard]] static std::uint64_t bytes_for(std::uint64_t states, std::size_t words,
                                                 std::uint32_t numbers) {
        return states * words * sizeof(std::uint64_t) + numbers * sizeof(std::uint32_t);
    }

  private:
    void make_room_for(std::size_t words) {
        const std::size_t bytes = words * sizeof(std::uint64_t);
        if (bytes < keys_.bytes() / 2) { keys_ = Pages(); }
        keys_.extend(bytes);
    }
    [[nodiscard]] std::uint64_t* at(std::uint64_t item) const {
        return keys_.as<std::uint64_t>() + item * words_;
    }

    Pages keys_;
    std::size_t words_ = 1;
    std::uint64_t size_ = 0;
    std::uint64_t done_ = 0;
};

}  // namespace ringfence::checker
