#include "checker/level_store.hpp"

#include "checker/ensure.hpp"

#include <algorithm>
#include <array>

namespace ringfence::checker {

namespace {

// Up to so many states, keys are packed again for the sake of a compact packing; above, only if
// they need another word. Most bits turn up in the first few levels.
constexpr std::uint64_t states_repacked_freely = std::uint64_t{1} << 18U;

Packing widened(Packing packing, std::span<const std::uint64_t> missing) {
    packing.widen(missing);
    return packing;
}

}  // namespace

void LevelStore::add(const std::byte* state) {
    std::array<std::uint64_t, key_words_max> key{};
    ensure(packing_.pack(state, key.data()), "the packing holds the state");
    const std::size_t shard = shard_of(hash_of(key.data(), packing_.key_words()));
    PerShard incoming{};
    incoming[shard] = 1;
    visited_.make_room_for(incoming);
    const std::uint8_t label = 0;  // no step leads here
    const KeyRun run{key.data(), 1, &label};
    NewKeys ignored{};
    visited_.insert(shard, std::span(&run, 1), ignored);
}

bool LevelStore::begin_level() {
    const Level found{left_.end, visited_.sizes()};
    if (found.size() == 0) { return false; }
    begins_.push_back(found.begin);
    left_ = found;
    return true;
}

std::vector<Level> LevelStore::levels() const {
    std::vector<Level> levels;
    for (std::size_t depth = 0; depth < begins_.size(); ++depth) {
        const bool is_last = depth + 1 == begins_.size();
        levels.push_back({begins_[depth], is_last ? left_.end : begins_[depth + 1]});
    }
    const Level found{left_.end, visited_.sizes()};
    if (found.size() > 0) { levels.push_back(found); }
    return levels;
}

bool LevelStore::keeps_keys(const Packing& wider) const {
    return wider.key_words() == packing_.key_words() && visited_.size() > states_repacked_freely;
}

// Old keys are given back while the new ones are written; counting both is on the safe side.
std::uint64_t LevelStore::bytes_to_widen(std::span<const std::uint64_t> missing) const {
    const Packing wider = widened(packing_, missing);
    if (keeps_keys(wider)) { return bytes(); }
    return bytes() + visited_.size() * wider.key_words() * sizeof(std::uint64_t);
}

void LevelStore::widen(std::span<const std::uint64_t> missing, Workers& workers) {
    Packing wider = widened(packing_, missing);
    if (keeps_keys(wider)) {
        packing_ = std::move(wider);
    } else {
        repack(wider.compacted(), workers);
    }
}

void LevelStore::repack(const Packing& wider, Workers& workers) {
    std::vector<PerShard> marks(begins_.begin(), begins_.end());
    marks.push_back(left_.begin);
    marks.push_back(left_.end);
    marks.push_back(visited_.sizes());
    visited_ = visited_.repacked(packing_, wider, marks);
    packing_ = wider;
    workers.for_each(shards, [&](std::size_t shard) { visited_.build_index(shard); });

    std::copy_n(marks.begin(), begins_.size(), begins_.begin());
    left_ = {marks[begins_.size()], marks[begins_.size() + 1]};
}

}  // namespace ringfence::checker
