// All states found so far, by level: packing, codec, set, and where the levels begin. Not a
// template: what depends on the model ends at the packed state.
//
//     shard 0    [ level 0 | level 1 | ... | level d: expanded | left | found: level d + 1 ]
//     shard 1    [ ...
//
// After keep_fingerprints() levels above the current one are but numbers: how many states they had.
//
// Owned by the thread that runs the search; workers read it while they expand, and insert shard by
// shard.
#pragma once

#include "checker/fingerprint.hpp"
#include "checker/key_codec.hpp"
#include "checker/level.hpp"
#include "checker/packing.hpp"
#include "checker/parallel.hpp"
#include "checker/sorted_level.hpp"
#include "checker/symmetry.hpp"
#include "checker/visited.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ringfence::checker {

class LevelStore {
  public:
    LevelStore(Packing packing, KeyCodec::Kind kind)
        : packing_(std::move(packing)),
          codec_(kind, packing_.parts()),
          symmetry_(packing_.parts()),
          visited_(format_of(packing_, codec_)) {}

    [[nodiscard]] const Packing& packing() const { return packing_; }
    [[nodiscard]] const KeyCodec& codec() const { return codec_; }
    [[nodiscard]] const Symmetry& symmetry() const { return symmetry_; }
    [[nodiscard]] Symmetry& symmetry() { return symmetry_; }
    [[nodiscard]] const Visited& visited() const { return visited_; }
    [[nodiscard]] Visited& visited() { return visited_; }

    // Packs a state that fits and adds it to the level that is being found.
    void add(const std::byte* state, Workers& workers);

    // Adds what is new to the level that is being found, see Visited::insert.
    void insert(std::size_t shard, std::span<const KeyRun> runs, NewKeys& counts) {
        if (fingerprinter_) {
            visited_.insert(shard, runs, *fingerprinter_, counts);
        } else {
            visited_.insert(shard, runs, counts);
        }
    }

    // The key under which a state is kept: its own, or that of the canonical state of its orbit.
    // False if no such state was found.
    [[nodiscard]] bool key_of(const std::byte* state, std::uint64_t* key) const;

    // The states found since the last call become the current level; false if there are none.
    [[nodiscard]] bool begin_level();
    [[nodiscard]] std::uint32_t depth() const {
        return static_cast<std::uint32_t>(begins_.size() - 1);
    }
    // What is left to expand of the current level, in the order of the log (see Level) or of the
    // numbers in one part.
    [[nodiscard]] std::uint64_t left() const {
        return sorted_.is_empty() ? left_.size() : sorted_.left();
    }
    [[nodiscard]] bool is_level_sorted() const { return !sorted_.is_empty(); }
    // Calls visit(key) for the share from first / left() to last / left() of it.
    template <class Visit>
    void for_each_left(std::uint64_t first, std::uint64_t last, const Visit& visit) const {
        if (sorted_.is_empty()) {
            left_.for_each_key(visited_, first, last, visit);
        } else {
            sorted_.for_each_key(first, last, visit);
        }
    }
    // Of a sorted level.
    [[nodiscard]] const std::uint64_t* keys_left(std::uint64_t first) const {
        return sorted_.keys_from(first);
    }
    // Of a sorted level: where states stop to have the same number as the one before `state`, or
    // `state`, if that is more than so many states away.
    [[nodiscard]] std::uint64_t end_of_group(std::uint64_t state, std::uint64_t states_max) const;
    // Its share up to `states` is done.
    void advance(std::uint64_t states) {
        if (sorted_.is_empty()) {
            left_.begin = left_.split_before(states);
        } else {
            sorted_.advance(states);
        }
        if (fingerprinter_) { visited_.release_before(left_.begin); }
    }
    // Of a level that was just begun; keys must be numbered. Without the memory it stays as it is.
    void sort_level(std::size_t part);
    [[nodiscard]] std::uint64_t bytes_to_sort_level(std::size_t part) const {
        return bytes() + SortedLevel::bytes_for(left_.size(), visited_.key_words(),
                                                codec_.dictionary(part).size());
    }

    // States that agree in this part go to the same shard from now on. Keys must be numbered, and
    // no fingerprints be kept yet.
    void shard_by(std::size_t part, Workers& workers);
    [[nodiscard]] bool is_sharded_by_part() const { return sharding_part_.has_value(); }
    [[nodiscard]] std::uint64_t bytes_to_shard() const {
        return bytes_to_repack(visited_.format());
    }

    [[nodiscard]] bool has_found() const { return Level{left_.end, visited_.sizes()}.size() > 0; }

    // All levels, at last the one that is being found, if it has any state.
    [[nodiscard]] std::vector<Level> levels() const;

    // Makes room in the packing for more bits, see Packing::collect_missing. Levels and what is
    // left stay the same sets; the order of states within them may change.
    void widen(std::span<const std::uint64_t> missing, Workers& workers);
    // The most memory the store owns while it does so.
    [[nodiscard]] std::uint64_t bytes_to_widen(std::span<const std::uint64_t> missing) const;

    // How often keys have been written anew, for other places of their numbers or other numbers.
    [[nodiscard]] std::uint32_t key_layouts() const { return key_layouts_; }

    // Numbers the values of a packed state, see KeyCodec. If keys have no room for the numbers,
    // make_room_for_numbers() is due before a key is written.
    void learn(const std::uint64_t* parts) { codec_.learn(parts); }
    // The number of a value of one part, a new one if it had none.
    std::uint32_t learn(std::size_t part, std::uint64_t value) {
        return codec_.dictionary(part).add(value);
    }
    [[nodiscard]] bool has_room_for_numbers() const { return codec_.has_room(); }
    // All keys are written again; the same holds as for widen().
    void make_room_for_numbers(Workers& workers);
    [[nodiscard]] std::uint64_t bytes_to_make_room() const {
        return bytes_to_repack(codec_.roomy_layout().format());
    }
    [[nodiscard]] std::uint64_t bytes_to_learn(std::uint64_t states) const {
        return bytes() - codec_.bytes() + codec_.bytes_after_learning(states);
    }

    // Forgets all keys but those of the current level, which must be all that is left, with nothing
    // found; keeps fingerprints instead from now on. Numbers and plain parts never change then.
    void keep_fingerprints(std::uint32_t bits);
    [[nodiscard]] const std::optional<Fingerprinter>& fingerprinter() const {
        return fingerprinter_;
    }
    [[nodiscard]] std::uint64_t bytes_to_keep_fingerprints() const;

    // Memory owned now, and once there is room for more keys (see Visited).
    [[nodiscard]] std::uint64_t bytes() const { return visited_.bytes() + other_bytes(); }
    [[nodiscard]] std::uint64_t bytes_with_room_for(const PerShard& incoming) const {
        return visited_.bytes_with_room_for(incoming) + other_bytes();
    }

  private:
    [[nodiscard]] std::uint64_t other_bytes() const {
        return begins_.capacity() * sizeof(PerShard) + codec_.bytes() + symmetry_.bytes() +
               sorted_.bytes();
    }
    [[nodiscard]] static KeyFormat format_of(const Packing& packing, const KeyCodec& codec) {
        return codec.is_plain() ? KeyFormat(packing.parts(), packing.bits_of_last_part())
                                : codec.layout().format();
    }
    [[nodiscard]] std::uint64_t bytes_to_repack(const KeyFormat& format) const;
    void rewrite_values(const Packing& wider);
    void repack_as_they_are(Workers& workers);
    void pack_again(const Packing& wider, Workers& workers);
    [[nodiscard]] std::uint64_t keys_kept() const;
    // `codec` is the one of the new keys.
    template <class Translate>
    void repack(const KeyFormat& format, const KeyCodec& codec, const Translate& translate,
                Workers& workers);
    [[nodiscard]] Sharding sharding_with(const KeyCodec& codec) const;

    Packing packing_;
    KeyCodec codec_;
    Symmetry symmetry_;
    Visited visited_;
    std::vector<PerShard> begins_;  // of every level up to the current one
    Level left_{};
    std::uint32_t key_layouts_ = 0;
    std::size_t sorted_part_ = 0;
    SortedLevel sorted_;  // what is left, if it was sorted; left_ is the whole level then
    std::optional<std::size_t> sharding_part_;    // once shards go by it
    std::optional<Fingerprinter> fingerprinter_;  // once fingerprints are kept
};

}  // namespace ringfence::checker
