#include "checker/key_log.hpp"

#include <algorithm>

namespace ringfence::checker {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::size_t region_bytes_min = std::size_t{1} << 20U;
constexpr std::size_t region_bytes_max = std::size_t{2} << 20U;

}  // namespace

// A huge page, which is little beside what is there; less in a small search.
std::size_t RegionPool::next_region_bytes() const {
    const auto eighth = static_cast<std::size_t>(bytes_ / 8);
    return std::clamp(eighth, region_bytes_min, region_bytes_max);
}

RegionPool::Block RegionPool::allocate(std::size_t words) {
    const bool fits = !regions_.empty() && (regions_.back().words_used + words) * word_bytes <=
                                               regions_.back().pages.bytes();
    if (!fits) {
        Pages pages(std::max(next_region_bytes(), words * word_bytes));
        bytes_ += pages.bytes();
        regions_.push_back({std::move(pages)});
    }
    Region& region = regions_.back();
    const Block block{region.pages.as<std::uint64_t>() + region.words_used,
                      static_cast<std::uint32_t>(regions_.size() - 1)};
    region.words_used += words;
    ++region.blocks_in_use;
    return block;
}

void RegionPool::release(const Block& block) {
    Region& region = regions_[block.region];
    if (--region.blocks_in_use > 0) { return; }
    bytes_ -= region.pages.bytes();
    region.words_used = 0;
    region.pages = Pages();
}

std::uint64_t RegionPool::bytes_with(std::uint64_t words) const {
    const std::uint64_t room =
        regions_.empty() ? 0
                         : regions_.back().pages.bytes() - regions_.back().words_used * word_bytes;
    if (words * word_bytes <= room) { return bytes_; }
    return bytes_ + Pages::rounded(words * word_bytes + next_region_bytes());
}

std::uint64_t KeyLog::words_missing_for(std::uint32_t more) const {
    const std::uint64_t blocks = blocks_for(more);
    return blocks <= blocks_.size() ? 0 : (blocks - blocks_.size()) * block_words();
}

std::uint64_t KeyLog::table_growth_for(std::uint32_t more) const {
    const std::uint64_t blocks = blocks_for(more);
    return blocks <= blocks_.capacity() ? 0 : 2 * blocks * sizeof(RegionPool::Block);
}

void KeyLog::reserve(std::uint32_t more, RegionPool& pool) {
    while (blocks_.size() < blocks_for(more)) { blocks_.push_back(pool.allocate(block_words())); }
}

void KeyLog::release_before(std::uint32_t position, RegionPool& pool) {
    for (; (blocks_released_ + 1) * std::uint64_t{block_keys} <= position; ++blocks_released_) {
        pool.release(blocks_[blocks_released_]);
        blocks_[blocks_released_] = {};
    }
}

}  // namespace ringfence::checker
