#include "checker/visited.hpp"

#include "checker/ensure.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#ifdef __AVX2__
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ringfence::checker {

namespace {

constexpr double first_lines = 64;
constexpr double growth = 1.5;
constexpr std::size_t line_bytes = line_slots * sizeof(std::uint32_t);
constexpr std::uint32_t keys_ahead = 32;  // whose memory is on its way
// More than any machine has, and small enough to be added to.
constexpr std::uint64_t out_of_positions = std::uint64_t{1} << 62U;

std::uint64_t keys_for(std::uint32_t lines) { return std::uint64_t{lines} * line_slots * 3 / 4; }
// In the worst case of a round.
std::uint64_t keys_max_for(std::uint32_t lines) {
    return std::uint64_t{lines} * line_slots * 15 / 16;
}

// Calls run<words>(): there is one loop for each width, chosen once for all keys.
template <class Run>
void with_key_words(std::size_t words, const Run& run) {
    [&]<std::size_t... Below>(std::index_sequence<Below...>) {
        ((words == Below + 1 ? run.template operator()<Below + 1>() : void()), ...);
    }
    (std::make_index_sequence<key_words_max>{});
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
        made.set_lines(static_cast<std::uint32_t>(first_lines * std::pow(growth, step)));
        made.pages = Pages(made.lines * line_bytes);
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
        bytes += shard.pages.bytes() + shard.fingerprints.bytes() + shard.log.table_bytes();
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
        } else {
            const std::uint64_t lines = into.lines_for(incoming[shard]);
            const std::uint64_t needed = Pages::rounded(lines * line_bytes);
            other_bytes += needed - std::min(needed, into.pages.bytes());
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
        } else {
            into.extend_index(into.lines_for(incoming[shard]));
        }
    }
}

void Visited::insert(std::size_t shard, std::span<const KeyRun> runs, NewKeys& counts) {
    Shard& into = shards_[shard];
    with_key_words(key_words(), [&]<std::size_t KeyWords>() {
        into.use_grown_index<KeyWords>();
        into.insert<KeyWords>(runs, counts);
    });
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
    into.extend_index(into.lines_for(0));
    with_key_words(key_words(), [&]<std::size_t KeyWords>() {
        if (into.grown_lines > 0) {
            into.use_grown_index<KeyWords>();
        } else {
            into.fill_index<KeyWords>();
        }
    });
}

inline std::uint32_t Visited::Index::slots_with(std::uint32_t line, std::uint32_t tag) const {
    const std::uint32_t* const first = line_at(line);
#ifdef __AVX512F__
    // Without their tag they are mere positions.
    const __m512i tags = _mm512_set1_epi32(static_cast<int>(tag << position_bits));
    const __m512i rest = _mm512_xor_si512(_mm512_load_si512(first), tags);
    const int positions = (1 << position_bits) - 1;
    return _mm512_cmple_epu32_mask(rest, _mm512_set1_epi32(positions));
#elif defined(__AVX2__)
    const auto* const halves = reinterpret_cast<const __m256i*>(first);
    const __m256i wanted = _mm256_set1_epi32(static_cast<int>(tag));
    const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(position_bits));
    const auto found_in = [&](std::size_t half) {
        const __m256i tags = _mm256_srl_epi32(_mm256_load_si256(halves + half), shift);
        const __m256i equal = _mm256_cmpeq_epi32(tags, wanted);
        return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(equal)));
    };
    return found_in(0) | found_in(1) << 8U;
#elif defined(__SSE2__)
    std::uint32_t found = 0;
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(tag));
    const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(position_bits));
    for (unsigned part = 0; part < 4; ++part) {
        const __m128i four = _mm_load_si128(reinterpret_cast<const __m128i*>(first) + part);
        const __m128i equal = _mm_cmpeq_epi32(_mm_srl_epi32(four, shift), wanted);
        found |= static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(equal))) << part * 4;
    }
    return found;
#else
    std::uint32_t found = 0;
    for (unsigned slot = 0; slot < line_slots; ++slot) {
        found |= static_cast<std::uint32_t>(first[slot] >> position_bits == tag) << slot;
    }
    return found;
#endif
}

inline void Visited::Index::put(std::uint32_t line, std::uint32_t slot) const {
    std::uint32_t empty = slots_with(line, 0);
    while (empty == 0) {
        line = next(line);
        empty = slots_with(line, 0);
    }
    line_at(line)[std::countr_zero(empty)] = slot;
}

void Visited::Shard::set_lines(std::uint32_t count) {
    lines = count;
    position_bits = static_cast<std::uint32_t>(std::bit_width(keys_max_for(count)));
}

std::uint32_t Visited::Shard::lines_for(std::uint64_t incoming) const {
    std::uint32_t larger = lines;
    while (log.size() > keys_for(larger) || log.size() + incoming > keys_max_for(larger)) {
        larger += larger / 2;
    }
    return larger;
}

void Visited::Shard::extend_index(std::uint32_t count) {
    if (count == lines) { return; }
    pages.extend(count * line_bytes);
    grown_lines = count;
}

template <std::size_t KeyWords>
void Visited::Shard::use_grown_index() {
    if (grown_lines == 0) { return; }
    set_lines(std::exchange(grown_lines, 0));
    pages.zero();
    fill_index<KeyWords>();
}

// Every key of the log is known to be different from the others.
template <std::size_t KeyWords>
void Visited::Shard::fill_index() {
    struct Coming {
        std::uint32_t home;
        std::uint32_t slot;
    };
    std::array<Coming, keys_ahead> ring;
    const Index into = index();
    log.for_each_key<KeyWords>(
        0, log.size(), [&](std::uint32_t position, const std::uint64_t* key) {
            Coming& coming = ring[position % keys_ahead];
            if (position >= keys_ahead) { into.put(coming.home, coming.slot); }
            const std::uint64_t hash = hash_of(key, KeyWords);
            coming = {into.home_of(hash), into.slot_of(into.tag_of(hash), position)};
            __builtin_prefetch(into.line_at(coming.home), 1);
        });
    for (std::uint32_t position = log.size() - std::min(log.size(), keys_ahead);
         position < log.size(); ++position) {
        const Coming& coming = ring[position % keys_ahead];
        into.put(coming.home, coming.slot);
    }
}

template <std::size_t KeyWords>
void Visited::Shard::insert(std::span<const KeyRun> runs, NewKeys& counts) {
    constexpr std::size_t lag = keys_ahead;
    std::array<Pending, 2 * lag> ring;
    const Index index = this->index();
    std::size_t begun = 0;
    for (const KeyRun& run : runs) {
        for (std::size_t item = 0; item < run.count; ++item, ++begun) {
            Pending& pending = ring[begun % ring.size()];
            if (begun >= ring.size()) { decide<KeyWords>(index, pending, counts); }
            pending.key = run.keys + item * KeyWords;
            const std::uint64_t hash = hash_of(pending.key, KeyWords);
            pending.home = index.home_of(hash);
            pending.tag = index.tag_of(hash);
            pending.label = run.labels[item * KeyWords];
            __builtin_prefetch(index.line_at(pending.home), 1);
            if (begun >= lag) { look_up<KeyWords>(index, ring[(begun - lag) % ring.size()]); }
        }
    }
    for (std::size_t item = begun - std::min(begun, lag); item < begun; ++item) {
        look_up<KeyWords>(index, ring[item % ring.size()]);
    }
    for (std::size_t item = begun - std::min(begun, ring.size()); item < begun; ++item) {
        decide<KeyWords>(index, ring[item % ring.size()], counts);
    }
}

// Asks for the first stored key of the home line that may be the one looked for. What is found
// stays where it is while others are inserted.
template <std::size_t KeyWords>
inline void Visited::Shard::look_up(const Index& index, Pending& pending) const {
    const std::uint32_t found = index.slots_with(pending.home, pending.tag);
    pending.likely = nullptr;
    if (found == 0) { return; }
    const std::uint32_t slot = index.line_at(pending.home)[std::countr_zero(found)];
    const std::byte* const key = pending.likely = log.at(index.position_in(slot));
    __builtin_prefetch(key);
    __builtin_prefetch(key + KeyWords * sizeof(std::uint64_t) - 1);  // may lie across two lines
}

// Appends the key unless it is there already.
template <std::size_t KeyWords>
inline void Visited::Shard::decide(const Index& index, const Pending& pending, NewKeys& counts) {
    if (pending.likely != nullptr && log.holds<KeyWords>(pending.likely, pending.key)) { return; }
    for (std::uint32_t line = pending.home;; line = index.next(line)) {
        const std::uint32_t* const slots = index.line_at(line);
        std::uint32_t found = index.slots_with(line, pending.tag);
        for (; found != 0; found &= found - 1) {
            const std::uint32_t slot = slots[std::countr_zero(found)];
            if (log.holds<KeyWords>(log.at(index.position_in(slot)), pending.key)) { return; }
        }
        if (slots[line_slots - 1] == 0) {  // not full: the key is in no later line
            index.put(line, index.slot_of(pending.tag, log.size()));
            log.append(pending.key);
            ++counts[pending.label];
            return;
        }
    }
}

}  // namespace ringfence::checker
