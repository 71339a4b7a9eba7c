// Packed keys in a row, on their way from the expansion to one shard. Keeps its memory when it is
// cleared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace ringfence::checker {

class KeyBuffer {
  public:
    void append(const std::uint64_t* key, std::size_t key_words) {
        if (words_ + key_words > capacity_) { grow(); }
        for (std::size_t word = 0; word < key_words; ++word) { data_[words_ + word] = key[word]; }
        words_ += key_words;
    }

    void clear() { words_ = 0; }

    [[nodiscard]] const std::uint64_t* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size(std::size_t key_words) const { return words_ / key_words; }
    [[nodiscard]] std::uint64_t bytes() const { return capacity_ * sizeof(std::uint64_t); }

  private:
    static constexpr std::size_t first_capacity = 32;  // more than the words of any one key

    void grow() {
        const std::size_t capacity = std::max(first_capacity, capacity_ * 2);
        auto data = std::make_unique_for_overwrite<std::uint64_t[]>(capacity);
        std::copy_n(data_.get(), words_, data.get());
        data_ = std::move(data);
        capacity_ = capacity;
    }

    std::unique_ptr<std::uint64_t[]> data_;
    std::size_t words_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace ringfence::checker
