#include "checker/level_store.hpp"

#include "checker/ensure.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>
#include <utility>

namespace ringfence::checker {

namespace {

// Up to so many states, they are packed again for the sake of a compact packing; above, new bits
// go behind the others. Most bits turn up in the first few levels.
constexpr std::uint64_t states_repacked_freely = std::uint64_t{1} << 18U;

using Parts = std::array<std::uint64_t, parts_max>;
using Key = std::array<std::uint64_t, key_words_max>;

Packing widened(Packing packing, std::span<const std::uint64_t> missing) {
    packing.widen(missing);
    return packing;
}

}  // namespace

void LevelStore::add(const std::byte* state, Workers& workers) {
    Parts parts{};
    ensure(packing_.pack(state, parts.data()), "the packing holds the state");
    learn(parts.data());
    if (!has_room_for_numbers()) { make_room_for_numbers(workers); }
    Key key{};
    ensure(codec_.encode(parts.data(), key.data()), "the codec has learnt the state");
    const std::size_t shard = visited_.sharding().shard_of(key.data(), codec_.key_words());
    PerShard incoming{};
    incoming[shard] = 1;
    visited_.make_room_for(incoming);
    const std::uint8_t label = 0;  // no step leads here
    const KeyRun run{key.data(), 1, &label};
    NewKeys ignored{};
    visited_.insert(shard, std::span(&run, 1), ignored);
}

bool LevelStore::key_of(const std::byte* state, std::uint64_t* key) const {
    Parts parts{};
    if (!packing_.pack(state, parts.data()) || !codec_.encode(parts.data(), key)) { return false; }
    if (!symmetry_.is_trivial()) { symmetry_.canonicalize(codec_.layout(), key); }
    return true;
}

bool LevelStore::begin_level() {
    const Level found{left_.end, visited_.sizes()};
    if (found.size() == 0) { return false; }
    begins_.push_back(found.begin);
    left_ = found;
    sorted_.clear();
    return true;
}

void LevelStore::sort_level(std::size_t part) {
    sorted_part_ = part;
    try {
        sorted_.fill(left_, visited_, codec_.dictionary(part).size(),
                     [field = codec_.layout().field(part)](const std::uint64_t* key) {
                         return field.number(key);
                     });
    } catch (const std::bad_alloc&) { sorted_ = SortedLevel(); }
}

std::uint64_t LevelStore::end_of_group(std::uint64_t state, std::uint64_t states_max) const {
    if (!is_level_sorted()) { return state; }
    const auto number_of = [&](std::uint64_t at) {
        return codec_.layout().number(sorted_.keys_from(at), sorted_part_);
    };
    const std::uint64_t last = std::min(left(), state + states_max);
    std::uint64_t end = state;
    while (end < last && number_of(end) == number_of(state - 1)) { ++end; }
    return end == last && end < left() ? state : end;
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

std::uint64_t LevelStore::keys_kept() const {
    return fingerprinter_ ? Level{left_.begin, visited_.sizes()}.size() : visited_.size();
}

// Old keys are given back while the new ones are written; counting both is on the safe side. So is
// an eighth more for regions, and a byte a state for shards that come to be larger than before.
std::uint64_t LevelStore::bytes_to_repack(const KeyFormat& format) const {
    const std::uint64_t begun_blocks = shards * KeyLog::block_keys * format.bytes();
    const std::uint64_t sorted = SortedLevel::bytes_for(sorted_.left(), format.words(), 0);
    const std::uint64_t log = keys_kept() * format.bytes() + begun_blocks;
    return bytes() + codec_.bytes() + log + log / 8 + keys_kept() + sorted;
}

// No more words than 8 / 0.7 bytes each, and a shard's table while it grows; regions of keys of
// which not all blocks are released.
std::uint64_t LevelStore::bytes_to_keep_fingerprints() const {
    const std::uint64_t tables = visited_.size() * 12 + shards * 2 * Pages::rounded(1);
    return bytes_to_repack(visited_.format()) + tables + tables / 8;
}

void LevelStore::keep_fingerprints(std::uint32_t bits) {
    const Fingerprinter fingerprinter(codec_, bits);
    std::vector<PerShard> marks = begins_;
    marks.push_back(left_.end);
    visited_ = visited_.fingerprinted(fingerprinter, marks);
    left_ = {marks[begins_.size() - 1], marks.back()};
    marks.pop_back();
    begins_ = std::move(marks);
    fingerprinter_ = fingerprinter;
}

std::uint64_t LevelStore::bytes_to_widen(std::span<const std::uint64_t> missing) const {
    return bytes_to_repack(KeyFormat(widened(packing_, missing).parts()));
}

void LevelStore::widen(std::span<const std::uint64_t> missing, Workers& workers) {
    Packing wider = widened(packing_, missing);
    if (!codec_.is_plain() && wider.has_part_per_component()) {
        rewrite_values(wider.compacted());
        return;
    }
    if (!symmetry_.is_trivial()) {
        throw std::length_error(
            "symmetry needs components of at most 64 bits: choose smaller "
            "bounds, or search without symmetry");
    }
    const bool has_new_part = wider.parts() != packing_.parts();
    const bool packs_again =
        visited_.size() <= states_repacked_freely || (codec_.is_plain() && has_new_part);
    if (packs_again && !fingerprinter_) {
        pack_again(wider.compacted(), workers);
        return;
    }
    packing_ = std::move(wider);
    if (codec_.is_plain()) {
        codec_.add_parts(packing_.parts());
        repack_as_they_are(workers);
        return;
    }
    if (!has_new_part) { return; }
    codec_.add_parts(packing_.parts());
    make_room_for_numbers(workers);
}

Sharding LevelStore::sharding_with(const KeyCodec& codec) const {
    if (!sharding_part_) { return {}; }
    const KeyLayout::Field& field = codec.layout().field(*sharding_part_);
    return {field.word, field.shift, field.mask};
}

template <class Translate>
void LevelStore::repack(const KeyFormat& format, const KeyCodec& codec, const Translate& translate,
                        Workers& workers) {
    ++key_layouts_;
    if (!sorted_.is_empty()) { sorted_.translate(format.words(), translate); }
    if (fingerprinter_) {
        visited_.rewrite_keys(format, translate, left_.begin);
        fingerprinter_->use(codec_);
        return;
    }
    std::vector<PerShard> marks(begins_.begin(), begins_.end());
    marks.push_back(left_.begin);
    marks.push_back(left_.end);
    marks.push_back(visited_.sizes());
    visited_ = visited_.repacked(format, sharding_with(codec), translate, marks);
    workers.for_each(shards, [&](std::size_t shard) { visited_.build_index(shard); });

    std::copy_n(marks.begin(), begins_.size(), begins_.begin());
    left_ = {marks[begins_.size()], marks[begins_.size() + 1]};
}

void LevelStore::shard_by(std::size_t part, Workers& workers) {
    ensure(!fingerprinter_, "fingerprints have shards of their own");
    sharding_part_ = part;
    const auto copy = [&](const std::uint64_t* old_key, std::uint64_t* key) {
        codec_.copy_key(old_key, key);
    };
    repack(visited_.format(), codec_, copy, workers);
}

// In more bytes, where plain keys have come to need them.
void LevelStore::repack_as_they_are(Workers& workers) {
    const KeyFormat format = format_of(packing_, codec_);
    if (format == visited_.format()) { return; }
    const std::size_t known_words = visited_.key_words();
    const auto copy = [&](const std::uint64_t* old_key, std::uint64_t* key) {
        std::fill_n(key, format.words(), 0);
        std::copy_n(old_key, known_words, key);
    };
    repack(format, codec_, copy, workers);
}

void LevelStore::make_room_for_numbers(Workers& workers) {
    const KeyLayout from = codec_.layout();
    const std::size_t known_parts = from.parts();
    codec_.use(codec_.roomy_layout());
    const auto translate = [&](const std::uint64_t* old_key, std::uint64_t* key) {
        std::fill_n(key, codec_.key_words(), 0);
        for (std::size_t part = 0; part < known_parts; ++part) {
            codec_.layout().put(key, part, from.number(old_key, part));
        }
    };
    repack(codec_.layout().format(), codec_, translate, workers);
}

// Keys hold numbers, and these stay: only the dictionaries are packed again.
void LevelStore::rewrite_values(const Packing& wider) {
    std::vector<std::byte> state(packing_.state_words() * sizeof(std::uint64_t));
    for (std::size_t part = 0; part < packing_.parts(); ++part) {
        codec_.dictionary(part).rewrite([&](std::uint64_t value) {
            Parts parts{};
            parts[part] = value;
            packing_.unpack(parts.data(), state.data());
            ensure(wider.pack(state.data(), parts.data()), "a wider packing holds every value");
            return parts[part];
        });
    }
    packing_ = wider;
}

void LevelStore::pack_again(const Packing& wider, Workers& workers) {
    std::vector<std::byte> state(packing_.state_words() * sizeof(std::uint64_t));
    Parts parts{};
    const auto read = [&](const std::uint64_t* key) {
        codec_.decode(key, parts.data());
        packing_.unpack(parts.data(), state.data());
        ensure(wider.pack(state.data(), parts.data()), "a wider packing holds every old state");
    };
    KeyCodec codec(codec_.kind(), wider.parts());
    if (!codec.is_plain()) {
        const Level all{{}, visited_.sizes()};
        all.for_each_key(visited_, 0, all.size(), [&](const std::uint64_t* key) {
            read(key);
            codec.learn(parts.data());
        });
        codec.use(codec.roomy_layout());
    }
    const auto translate = [&](const std::uint64_t* old_key, std::uint64_t* key) {
        read(old_key);
        ensure(codec.encode(parts.data(), key), "the codec has learnt every old state");
    };
    repack(format_of(wider, codec), codec, translate, workers);
    packing_ = wider;
    codec_ = std::move(codec);
}

}  // namespace ringfence::checker
