// The values that one part of the packed state takes, numbered in the order in which they came.
//
// A part that holds one component of a model (a thread, a coordinator) takes far fewer values than
// there are states. The store keeps the number instead of the value: 8 bytes a state where the
// values would need 20 or more (Holzmann's "collapse" compression, SPIN Workshop 1997). Exact:
// value and number stand for each other, one to one.
//
// Value 0, the base's, is number 0 from the start.
//
// Read by all workers while states are expanded; grown by one thread between.
#pragma once

#include "checker/pages.hpp"

#include <cstddef>
#include <cstdint>

namespace ringfence::checker {

class Dictionary {
  public:
    static constexpr std::uint32_t unknown = ~std::uint32_t{0};

    Dictionary();

    [[nodiscard]] std::uint32_t size() const { return size_; }
    [[nodiscard]] std::uint64_t value(std::uint32_t number) const {
        return values_.as<std::uint64_t>()[number];
    }

    // The value's number, or `unknown`.
    [[nodiscard]] std::uint32_t find(std::uint64_t value) const {
        for (std::size_t slot = home_of(value);; slot = (slot + 1) & mask_) {
            const Entry& entry = entries()[slot];
            if (entry.number_plus_one == 0) { return unknown; }
            if (entry.value == value) { return entry.number_plus_one - 1; }
        }
    }
    // A function that does nothing but prefetch has no effect that the compiler knows of: calls to
    // it are dropped unless it is always inlined.
    [[gnu::always_inline]] void prefetch_value(std::uint32_t number) const {
        __builtin_prefetch(values_.as<std::uint64_t>() + number);
    }
    // Asks for the memory that find() will read.
    [[gnu::always_inline]] void prefetch(std::uint64_t value) const {
        __builtin_prefetch(entries() + home_of(value));
    }

    // The value's number, a new one if it was unknown. Throws std::bad_alloc, and leaves the
    // dictionary as it was.
    std::uint32_t add(std::uint64_t value);

    // Puts another value in the place of each, and keeps the numbers. translate(value) must tell
    // values apart, and 0 must stay 0.
    template <class Translate>
    void rewrite(const Translate& translate) {
        table_ = Pages((mask_ + 1) * sizeof(Entry));
        for (std::uint32_t number = 0; number < size_; ++number) {
            std::uint64_t& value = values_.as<std::uint64_t>()[number];
            value = translate(value);
            put(value, number);
        }
    }

    // Memory owned now, and at most once so many more values are added.
    [[nodiscard]] std::uint64_t bytes() const { return table_.bytes() + values_.bytes(); }
    [[nodiscard]] std::uint64_t bytes_with(std::uint64_t more) const;

  private:
    struct Entry {
        std::uint64_t value;
        std::uint32_t number_plus_one;  // 0: empty
    };

    [[nodiscard]] Entry* entries() const { return table_.as<Entry>(); }
    [[nodiscard]] std::size_t home_of(std::uint64_t value) const {
        return (value * 0x9E3779B97F4A7C15U) >> shift_;
    }
    void grow();
    void put(std::uint64_t value, std::uint32_t number);

    Pages table_;          // Entry, a power of two of them
    Pages values_;         // by number
    std::size_t mask_;     // of slots
    std::uint32_t shift_;  // 64 - log2(slots)
    std::uint32_t size_ = 0;
};

}  // namespace ringfence::checker
