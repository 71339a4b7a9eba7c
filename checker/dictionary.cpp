#include "checker/dictionary.hpp"

#include "checker/ensure.hpp"

#include <bit>
#include <cstring>
#include <utility>

namespace ringfence::checker {

namespace {

constexpr std::size_t first_slots = 256;
// At most half of the slots are in use: probes are short, and a miss ends soon.
constexpr std::size_t slots_per_value = 2;

std::uint32_t shift_for(std::size_t slots) {
    return 64U - static_cast<std::uint32_t>(std::countr_zero(slots));
}

}  // namespace

Dictionary::Dictionary()
    : table_(first_slots * sizeof(Entry)),
      values_(first_slots / slots_per_value * sizeof(std::uint64_t)),
      mask_(first_slots - 1),
      shift_(shift_for(first_slots)) {
    add(0);
}

std::uint32_t Dictionary::add(std::uint64_t value) {
    if (const std::uint32_t number = find(value); number != unknown) { return number; }
    if (std::size_t{size_} * slots_per_value > mask_) { grow(); }
    ensure(size_ + 1 < unknown, "more values than numbers");
    put(value, size_);
    values_.as<std::uint64_t>()[size_] = value;
    return size_++;
}

std::uint64_t Dictionary::bytes_with(std::uint64_t more) const {
    const std::size_t slots = std::bit_ceil((size_ + more + 1) * slots_per_value);
    if (slots <= mask_ + 1) { return bytes(); }
    // While it grows, the old memory is there too.
    return bytes() + Pages::rounded(slots * sizeof(Entry)) +
           Pages::rounded(slots / slots_per_value * sizeof(std::uint64_t));
}

void Dictionary::grow() {
    const std::size_t slots = (mask_ + 1) * 2;
    Pages table(slots * sizeof(Entry));
    Pages values(slots / slots_per_value * sizeof(std::uint64_t));
    std::memcpy(values.as<void>(), values_.as<void>(), size_ * sizeof(std::uint64_t));
    table_ = std::move(table);
    values_ = std::move(values);
    mask_ = slots - 1;
    shift_ = shift_for(slots);
    for (std::uint32_t number = 0; number < size_; ++number) { put(value(number), number); }
}

void Dictionary::put(std::uint64_t value, std::uint32_t number) {
    std::size_t slot = home_of(value);
    while (entries()[slot].number_plus_one != 0) { slot = (slot + 1) & mask_; }
    entries()[slot] = {value, number + 1};
}

}  // namespace ringfence::checker
