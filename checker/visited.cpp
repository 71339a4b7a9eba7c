#include "checker/visited.hpp"

#include "checker/ensure.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#ifdef __AVX512F__
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ringfence::checker {

namespace {

constexpr double first_lines = 64;
constexpr double growth = 1.5;
constexpr std::size_t line_bytes = line_slots * sizeof(std::uint32_t);
constexpr std::size_t batch_keys = 32;
// More than any machine has, and small enough to be added to.
constexpr std::uint64_t out_of_positions = std::uint64_t{1} << 62U;

// 1 to 63: an empty slot has tag 0, and matches none.
std::uint16_t tag_of(std::uint64_t hash) {
    const auto tag = static_cast<std::uint16_t>(hash >> 32U & 63U);
    return tag == 0 ? std::uint16_t{1} : tag;
}

// What the index holds for the key at a position of the log.
std::uint32_t slot_of(std::uint32_t tag, std::uint32_t position) {
    return tag << position_bits | (position + 1);
}

std::uint64_t keys_for(std::uint32_t lines) { return std::uint64_t{lines} * line_slots * 3 / 4; }

// A bit for each slot of a line that has this tag; for tag 0, each empty slot.
std::uint32_t slots_with(const std::uint32_t* line, std::uint32_t tag) {
#ifdef __AVX512F__
    // Without their tag they are mere positions.
    const __m512i tags = _mm512_set1_epi32(static_cast<int>(tag << position_bits));
    const __m512i rest = _mm512_xor_si512(_mm512_load_si512(line), tags);
    return _mm512_cmple_epu32_mask(rest, _mm512_set1_epi32(positions_max));
#elif defined(__SSE2__)
    std::uint32_t found = 0;
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
    for (unsigned part = 0; part < 4; ++part) {
        const __m128i slots = _mm_load_si128(reinterpret_cast<const __m128i*>(line) + part);
        const __m128i equal = _mm_cmpeq_epi32(_mm_srli_epi32(slots, position_bits), wanted);
        found |= static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(equal))) << part * 4;
    }
    return found;
#else
    std::uint32_t found = 0;
    for (unsigned slot = 0; slot < line_slots; ++slot) {
        found |= static_cast<std::uint32_t>(line[slot] >> position_bits == tag) << slot;
    }
    return found;
#endif
}

}  // namespace

Visited::Visited(const KeyFormat& format, const Sharding& sharding, Kind kind)
    : format_(format), sharding_(sharding), kind_(kind) {
    ensure(format.words() >= 1 && format.words() <= key_words_max, "no such key width");
    shards_.reserve(shards);
    for (std::size_t shard = 0; shard < shards; ++shard) {
        shards_.emplace_back(format);
        const double step = static_cast<double>(shard) / static_cast<double>(shards);
        Shard& made = shards_.back();
        if (has_fingerprints()) {
            made.fingerprints.begin(step);
            continue;
        }
        made.lines = static_cast<std::uint32_t>(first_lines * std::pow(growth, step));
        made.index = Pages(made.lines * line_bytes);
    }
}

std::uint64_t Visited::size() const {
    std::uint64_t size = 0;
    for (const Shard& shard : shards_) { size += shard.log.size(); }
    return size;
}

PerShard Visited::sizes() const {
    PerShard sizes{};
    for (std::size_t shard = 0; shard < shards; ++shard) {
        sizes[shard] = shards_[shard].log.size();
    }
    return sizes;
}

std::uint64_t Visited::bytes() const {
    std::uint64_t bytes = pool_.bytes();
    for (const Shard& shard : shards_) {
        bytes += shard.index.bytes() + shard.grown_index.bytes() + shard.fingerprints.bytes() +
                 shard.log.table_bytes();
    }
    return bytes;
}

std::uint64_t Visited::bytes_with_room_for(const PerShard& incoming) const {
    std::uint64_t log_words = 0;
    std::uint64_t other_bytes = 0;
    for (std::size_t shard = 0; shard < shards; ++shard) {
        const Shard& into = shards_[shard];
        const std::uint64_t keys = std::uint64_t{into.log.size()} + incoming[shard];
        if (keys > keys_max()) { return out_of_positions; }
        log_words += into.log.words_missing_for(incoming[shard]);
        other_bytes += into.log.table_growth_for(incoming[shard]);
        if (has_fingerprints()) {
            other_bytes += into.fingerprints.bytes_to_hold(keys);
        } else if (keys > keys_for(into.lines)) {
            other_bytes += Pages::rounded(into.lines_for(keys) * line_bytes);
        }
    }
    return bytes() - pool_.bytes() + pool_.bytes_with(log_words) + other_bytes;
}

void Visited::make_room_for(const PerShard& incoming) {
    for (std::size_t shard = 0; shard < shards; ++shard) {
        Shard& into = shards_[shard];
        const std::uint64_t keys = std::uint64_t{into.log.size()} + incoming[shard];
        ensure(keys <= keys_max(), "more states than positions");
        into.log.reserve(incoming[shard], pool_);
        if (has_fingerprints()) {
            into.fingerprints.make_room_for(keys);
        } else if (keys > keys_for(into.lines)) {
            into.grown_lines = into.lines_for(keys);
            into.grown_index = Pages(into.grown_lines * line_bytes);
        }
    }
}

void Visited::insert(std::size_t shard, std::span<const KeyRun> runs, NewKeys& counts) {
    Shard& into = shards_[shard];
    into.use_grown_index();
    const auto insert_keys = [&]<std::size_t... Below>(std::index_sequence<Below...>) {
        // One loop for each width, chosen once for all keys.
        ((key_words() == Below + 1 ? into.insert<Below + 1>(runs, counts) : void()), ...);
    };
    insert_keys(std::make_index_sequence<key_words_max>{});
}

Visited Visited::fingerprinted(const Fingerprinter& fingerprinter, std::span<PerShard> marks) {
    Visited result(format_, {}, Kind::fingerprints);
    std::array<std::uint64_t, key_words_max> key{};
    PerShard done{};
    for (PerShard& mark : marks) {
        result.release_before(result.sizes());
        for (std::size_t shard = 0; shard < shards; ++shard) {
            for (std::uint32_t position = done[shard]; position < mark[shard]; ++position) {
                read(shard, position, key.data());
                const Fingerprint fingerprint = fingerprinter.of(key.data());
                Shard& into = result.shards_[fingerprint.shard];
                into.fingerprints.make_room_for(std::uint64_t{into.log.size()} + 1);
                into.fingerprints.add(fingerprint.word);
                into.log.reserve(1, result.pool_);
                into.log.append(key.data());
            }
            shards_[shard].log.release_before(mark[shard], pool_);
        }
        done = std::exchange(mark, result.sizes());
    }
    return result;
}

void Visited::release_before(const PerShard& begins) {
    for (std::size_t shard = 0; shard < shards; ++shard) {
        shards_[shard].log.release_before(begins[shard], pool_);
    }
}

void Visited::build_index(std::size_t shard) {
    Shard& into = shards_[shard];
    if (into.log.size() > keys_for(into.lines)) {
        into.grown_lines = into.lines_for(into.log.size());
        into.grown_index = Pages(into.grown_lines * line_bytes);
        into.use_grown_index();
    } else {
        into.fill_index();
    }
}

std::uint32_t Visited::Shard::lines_for(std::uint64_t keys) const {
    std::uint32_t larger = lines;
    while (keys > keys_for(larger)) { larger += larger / 2; }
    return larger;
}

void Visited::Shard::use_grown_index() {
    if (grown_lines == 0) { return; }
    index = std::exchange(grown_index, Pages());
    lines = std::exchange(grown_lines, 0);
    index.touch();
    fill_index();
}

// Every key of the log is known to be different from the others.
void Visited::Shard::fill_index() {
    std::array<std::uint64_t, key_words_max> key{};
    std::array<std::uint32_t, batch_keys> homes{};
    std::array<std::uint32_t, batch_keys> slots{};
    for (std::uint32_t first = 0; first < log.size(); first += batch_keys) {
        const std::uint32_t count = std::min<std::uint32_t>(batch_keys, log.size() - first);
        for (std::uint32_t item = 0; item < count; ++item) {
            log.read(first + item, key.data());
            const std::uint64_t hash = hash_of(key.data(), log.format().words());
            homes[item] = home_of(hash);
            slots[item] = slot_of(tag_of(hash), first + item);
            __builtin_prefetch(line_at(homes[item]), 1);
        }
        for (std::uint32_t item = 0; item < count; ++item) { put(homes[item], slots[item]); }
    }
}

// Into the first empty slot from this line on.
void Visited::Shard::put(std::uint32_t line, std::uint32_t slot) {
    std::uint32_t empty = slots_with(line_at(line), 0);
    while (empty == 0) {
        line = next(line);
        empty = slots_with(line_at(line), 0);
    }
    line_at(line)[std::countr_zero(empty)] = slot;
}

template <std::size_t KeyWords>
void Visited::Shard::insert(std::span<const KeyRun> runs, NewKeys& counts) {
    constexpr std::size_t lag = 32;
    std::array<Pending, 2 * lag> ring;
    std::size_t begun = 0;
    for (const KeyRun& run : runs) {
        for (std::size_t item = 0; item < run.count; ++item, ++begun) {
            Pending& pending = ring[begun % ring.size()];
            if (begun >= ring.size()) { decide<KeyWords>(pending, counts); }
            pending.key = run.keys + item * KeyWords;
            const std::uint64_t hash = hash_of(pending.key, KeyWords);
            pending.home = home_of(hash);
            pending.tag = tag_of(hash);
            pending.label = run.labels[item * KeyWords];
            __builtin_prefetch(line_at(pending.home), 1);
            if (begun >= lag) { prefetch_key<KeyWords>(ring[(begun - lag) % ring.size()]); }
        }
    }
    for (std::size_t item = begun - std::min(begun, ring.size()); item < begun; ++item) {
        decide<KeyWords>(ring[item % ring.size()], counts);
    }
}

// The first stored key of the home line that may be the one looked for.
template <std::size_t KeyWords>
void Visited::Shard::prefetch_key(const Pending& pending) const {
    const std::uint32_t* const line = line_at(pending.home);
    const std::uint32_t found = slots_with(line, pending.tag);
    if (found == 0) { return; }
    const std::byte* const key = log.at((line[std::countr_zero(found)] & positions_max) - 1);
    __builtin_prefetch(key);
    __builtin_prefetch(key + KeyWords * sizeof(std::uint64_t) - 1);  // may lie across two lines
}

// Appends the key unless it is there already.
template <std::size_t KeyWords>
void Visited::Shard::decide(const Pending& pending, NewKeys& counts) {
    for (std::uint32_t line = pending.home;; line = next(line)) {
        const std::uint32_t* const slots = line_at(line);
        std::uint32_t found = slots_with(slots, pending.tag);
        for (; found != 0; found &= found - 1) {
            const std::uint32_t slot = slots[std::countr_zero(found)];
            const std::uint32_t position = (slot & positions_max) - 1;
            if (log.holds<KeyWords>(position, pending.key)) { return; }
        }
        if (slots[line_slots - 1] == 0) {  // not full: the key is in no later line
            put(line, slot_of(pending.tag, log.size()));
            log.append(pending.key);
            ++counts[pending.label];
            return;
        }
    }
}

}  // namespace ringfence::checker
