// The set of states seen so far: exact, and the bytes of a key plus about 6.6 bytes a state in all.
// Or, where it holds fingerprints, 10 bytes a state and the keys of the latest levels alone: see
// fingerprint_table.hpp, which is then in the place of the index.
//
//     hash(key)   [ shard: 6 bits, see sharding.hpp ][ tag: up to 26 bits ][ home: 32 bits ]
//
//     shard 0     index   [ slot slot ... slot ][ slot ... ] ...      lines of 16 slots of 4 bytes
//                         slot: [ tag | position + 1 ], 0 if it is empty
//                 log     [ key 0 ][ key 1 ][ key 2 ] ...     in the order of discovery
//     shard 1     ...
//     ... 63
//
// The index is open addressing, a cache line at a time: a key lives in its home line or, if that is
// full, in the next one that is not. All tags of a line are compared at once, without a branch; a
// tag (never 0) is as many bits of the hash as positions leave over: 12 in a shard of 600,000
// states, which spares 999 of 1,000 useless looks at a key. Equal means equal in all bits: a false
// tag match costs a comparison, never a state.
//
// An index grows by half when it is three quarters full (or could come to be 15 sixteenths full in
// one round: most keys that come are known): in place, and it is filled anew from the log. The
// first sizes of the shards are spread over one such step, so that they grow one after another,
// and all together are as full as they are on average.
//
// Inserting is a pipeline: the slots of a key are prefetched, 32 keys later the stored key that its
// tag points to, 32 keys later it is decided. That makes the two cache misses of a step overlap
// with those of 64 others.
//
// Who writes what: shards share nothing. insert() into different shards may run at the same time,
// one caller a shard, while nobody reads. make_room_for() belongs to one thread and does all
// allocating, so that insert() cannot fail. Between these phases everything may be read by all.
// Positions within a shard follow the order of the inserts only, so results do not depend on
// threads.
#pragma once

#include "checker/ensure.hpp"
#include "checker/fingerprint.hpp"
#include "checker/fingerprint_table.hpp"
#include "checker/key_log.hpp"
#include "checker/key_run.hpp"
#include "checker/pages.hpp"
#include "checker/sharding.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace ringfence::checker {

inline constexpr std::size_t line_slots = 16;
inline constexpr std::uint32_t positions_max = (1U << 28U) - 1;  // in a shard: tags of 4 bits

class Visited {
  public:
    enum class Kind : std::uint8_t { exact, fingerprints };

    explicit Visited(const KeyFormat& format, const Sharding& sharding = {},
                     Kind kind = Kind::exact);

    [[nodiscard]] bool has_fingerprints() const { return kind_ == Kind::fingerprints; }
    [[nodiscard]] const KeyFormat& format() const { return format_; }
    [[nodiscard]] const Sharding& sharding() const { return sharding_; }
    [[nodiscard]] std::size_t key_words() const { return format_.words(); }
    [[nodiscard]] std::uint64_t size() const;
    [[nodiscard]] PerShard sizes() const;
    void read(std::size_t shard, std::uint32_t position, std::uint64_t* key) const {
        shards_[shard].log.read(position, key);
    }

    // Calls visit(key) for a range of positions, with a number of words that the compiler knows.
    template <std::size_t KeyWords, class Visit>
    void for_each_key(std::size_t shard, std::uint32_t begin, std::uint32_t end,
                      const Visit& visit) const {
        ensure(KeyWords == key_words(), "keys have so many words");
        shards_[shard].log.for_each_key<KeyWords>(
            begin, end, [&](std::uint32_t, const std::uint64_t* key) { visit(key); });
    }

    // Memory owned now, and while so many more keys are being inserted (2^62 if there are more keys
    // than positions).
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] std::uint64_t bytes_with_room_for(const PerShard& incoming) const;
    // Throws std::bad_alloc; the set is then as it was.
    void make_room_for(const PerShard& incoming);

    // Inserts those keys of the runs that are new, in this order, and adds them to `counts`. All
    // must belong to this shard, and there must be room. Begins by taking a grown index into use if
    // one was made.
    void insert(std::size_t shard, std::span<const KeyRun> runs, NewKeys& counts);

    // The same for a set of fingerprints.
    void insert(std::size_t shard, std::span<const KeyRun> runs, const Fingerprinter& fingerprinter,
                NewKeys& counts) {
        shards_[shard].fingerprints.insert(runs, fingerprinter, shards_[shard].log, counts);
    }

    // For writing every key again: the same states under other keys, in the same order of levels.
    // `marks` are ends of ranges (all shards up to marks[0], then up to marks[1], ...);
    // they move to where the same ranges end now. Leaves this set empty. The index is still to be
    // built, for every shard.
    // translate(old_key, key) writes the new key.
    template <class Translate>
    [[nodiscard]] Visited repacked(const KeyFormat& format, const Sharding& sharding,
                                   const Translate& translate, std::span<PerShard> marks);
    void build_index(std::size_t shard);

    // The same states by their fingerprints; otherwise as repacked(), but only the keys of the last
    // range can still be read. Two states that share a fingerprint already are both still there.
    [[nodiscard]] Visited fingerprinted(const Fingerprinter& fingerprinter,
                                        std::span<PerShard> marks);
    // Of a set of fingerprints: keys before `begins` are not read any more.
    void release_before(const PerShard& begins);
    // Of a set of fingerprints: writes the keys from `begins` on again, in their places.
    template <class Translate>
    void rewrite_keys(const KeyFormat& format, const Translate& translate, const PerShard& begins);

  private:
    // Of a shard.
    [[nodiscard]] std::uint64_t keys_max() const {
        return has_fingerprints() ? std::numeric_limits<std::uint32_t>::max() : positions_max;
    }

    // The index of a shard: a small value, for a loop to have its own.
    struct Index {
        std::uint32_t* slots;
        std::uint32_t lines;
        std::uint32_t position_bits;  // of a slot, for as many keys as the index takes

        [[nodiscard]] std::uint32_t* line_at(std::uint32_t line) const {
            return slots + std::size_t{line} * line_slots;
        }
        [[nodiscard]] std::uint32_t next(std::uint32_t line) const {
            return line + 1 == lines ? 0 : line + 1;
        }
        [[nodiscard]] std::uint32_t home_of(std::uint64_t hash) const {
            return static_cast<std::uint32_t>(((hash & 0xFFFFFFFFU) * lines) >> 32U);
        }
        // A zero tag is an empty slot's.
        [[nodiscard]] std::uint32_t tag_of(std::uint64_t hash) const {
            const auto tag =
                static_cast<std::uint32_t>(hash >> 32U & 0x3FFFFFFU >> (position_bits - 6));
            return tag == 0 ? 1 : tag;
        }
        // What the index holds for the key at a position of the log.
        [[nodiscard]] std::uint32_t slot_of(std::uint32_t tag, std::uint32_t position) const {
            return tag << position_bits | (position + 1);
        }
        [[nodiscard]] std::uint32_t position_in(std::uint32_t slot) const {
            return (slot & ((1U << position_bits) - 1)) - 1;
        }
        // A bit for each slot of a line that has this tag; for tag 0, each empty slot.
        [[nodiscard, gnu::always_inline]] std::uint32_t slots_with(std::uint32_t line,
                                                                   std::uint32_t tag) const;
        // Into the first empty slot from this line on.
        [[gnu::always_inline]] void put(std::uint32_t line, std::uint32_t slot) const;
    };

    // A key on its way through the insert.
    struct Pending {
        const std::uint64_t* key;
        const std::byte* likely;  // where it may be stored: the first place that its tag told
        std::uint32_t home;       // line
        std::uint32_t tag;
        std::uint8_t label;
    };

    struct Shard {
        explicit Shard(const KeyFormat& format) : log(format) {}

        template <std::size_t KeyWords>
        void insert(std::span<const KeyRun> runs, NewKeys& counts);
        template <std::size_t KeyWords>
        [[gnu::always_inline]] void look_up(const Index& index, Pending& pending) const;
        template <std::size_t KeyWords>
        [[gnu::always_inline]] void decide(const Index& index, const Pending& pending,
                                           NewKeys& counts);

        void set_lines(std::uint32_t count);
        // Enough for what is there and, should all of it be new, for what comes.
        [[nodiscard]] std::uint32_t lines_for(std::uint64_t incoming) const;
        void extend_index(std::uint32_t count);
        template <std::size_t KeyWords>
        void use_grown_index();
        template <std::size_t KeyWords>
        void fill_index();
        [[nodiscard]] Index index() const {
            return {pages.as<std::uint32_t>(), lines, position_bits};
        }

        KeyLog log;
        FingerprintTable fingerprints;  // in the place of the index
        Pages pages;                    // of the index
        std::uint32_t lines = 0;
        std::uint32_t grown_lines = 0;    // that the index has room for; 0 if those are `lines`
        std::uint32_t position_bits = 0;  // see Index
    };

    RegionPool pool_;
    std::vector<Shard> shards_;
    KeyFormat format_;
    Sharding sharding_;
    Kind kind_;
};

template <class Translate>
Visited Visited::repacked(const KeyFormat& format, const Sharding& sharding,
                          const Translate& translate, std::span<PerShard> marks) {
    for (Shard& shard : shards_) {  // the indexes are useless now, and a third of the memory
        shard.pages = Pages();
    }
    Visited result(format, sharding);
    std::array<std::uint64_t, key_words_max> old_key{};
    std::array<std::uint64_t, key_words_max> key{};
    PerShard done{};
    for (PerShard& mark : marks) {
        for (std::size_t shard = 0; shard < shards; ++shard) {
            for (std::uint32_t position = done[shard]; position < mark[shard]; ++position) {
                read(shard, position, old_key.data());
                translate(old_key.data(), key.data());
                KeyLog& log = result.shards_[sharding.shard_of(key.data(), format.words())].log;
                log.reserve(1, result.pool_);
                log.append(key.data());
            }
            shards_[shard].log.release_before(mark[shard], pool_);
        }
        done = std::exchange(mark, result.sizes());
    }
    return result;
}

template <class Translate>
void Visited::rewrite_keys(const KeyFormat& format, const Translate& translate,
                           const PerShard& begins) {
    RegionPool pool;
    std::array<std::uint64_t, key_words_max> old_key{};
    std::array<std::uint64_t, key_words_max> key{};
    for (std::size_t shard = 0; shard < shards; ++shard) {
        KeyLog& log = shards_[shard].log;
        KeyLog rewritten(format, begins[shard]);
        rewritten.reserve(log.size() - begins[shard], pool);
        for (std::uint32_t position = begins[shard]; position < log.size(); ++position) {
            log.read(position, old_key.data());
            translate(old_key.data(), key.data());
            rewritten.append(key.data());
        }
        log = std::move(rewritten);
    }
    pool_ = std::move(pool);
    format_ = format;
}

}  // namespace ringfence::checker
