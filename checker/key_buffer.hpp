// Packed keys in a row, on their way from the expansion to one shard, each with a label: the verb
// of the step that leads there. Keeps its memory when it is cleared.
//
//     [ key 0 word 0 ][ word 1 ][ key 1 word 0 ][ word 1 ] ...   capacity_ words
//     [ label 0 ]-----          [ label 1 ]-----           ...   a byte for each of them
//
// A label stands at the place of its key's first word, so that one count serves for both: the
// expansion writes into one of these for each successor, and another counter would be felt there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace ringfence::checker {

class KeyBuffer {
  public:
    void append(const std::uint64_t* key, std::size_t key_words, std::uint8_t label) {
        if (words_ + key_words > capacity_) { grow(); }
        for (std::size_t word = 0; word < key_words; ++word) { data_[words_ + word] = key[word]; }
        labels_of(data_.get(), capacity_)[words_] = label;
        words_ += key_words;
    }

    void clear() { words_ = 0; }

    [[nodiscard]] const std::uint64_t* data() const { return data_.get(); }
    // labels()[item * key_words] is that of a key.
    [[nodiscard]] const std::uint8_t* labels() const { return labels_of(data_.get(), capacity_); }
    [[nodiscard]] std::size_t size(std::size_t key_words) const { return words_ / key_words; }
    [[nodiscard]] std::uint64_t bytes() const { return words_with_labels(capacity_) * 8; }

  private:
    static constexpr std::size_t first_capacity = 32;  // more than the words of any one key

    static constexpr std::size_t words_with_labels(std::size_t words) { return words + words / 8; }
    static std::uint8_t* labels_of(std::uint64_t* data, std::size_t capacity) {
        return reinterpret_cast<std::uint8_t*>(data + capacity);
    }

    void grow() {
        const std::size_t capacity = std::max(first_capacity, capacity_ * 2);
        auto data = std::make_unique_for_overwrite<std::uint64_t[]>(words_with_labels(capacity));
        std::copy_n(data_.get(), words_, data.get());
        std::copy_n(labels_of(data_.get(), capacity_), words_, labels_of(data.get(), capacity));
        data_ = std::move(data);
        capacity_ = capacity;
    }

    std::unique_ptr<std::uint64_t[]> data_;
    std::size_t words_ = 0;
    std::size_t capacity_ = 0;  // a multiple of 8
};

}  // namespace ringfence::checker
