// Between the phases of a round: the *strangers*, successors with a value that no dictionary knows
// yet, get numbers and then keys.
//
// One thread does it, in the order of chunks, so numbers do not depend on workers. Few successors
// are strangers once a search is under way: a component takes few values.
#pragma once

#include "checker/ensure.hpp"
#include "checker/expansion.hpp"
#include "checker/level_store.hpp"
#include "checker/parallel.hpp"

#include <array>
#include <cstdint>
#include <new>
#include <span>

namespace ringfence::checker {

enum class Numbered : std::uint8_t {
    all,            // every successor of the round is on its way to its shard
    with_new_keys,  // keys had no room for the numbers and were written anew: the round is void
    no_memory,      // likewise, and nothing was written
};

// `has_memory_for` is asked whether the store may own so many bytes.
template <Model M, class HasMemory>
[[nodiscard]] Numbered number_strangers(LevelStore& store, const Expansion<M>& expansion,
                                        std::span<Chunk<M>> chunks, Workers& workers,
                                        const HasMemory& has_memory_for) {
    const std::size_t parts = store.packing().parts();
    const auto for_each_stranger = [&](const auto& visit) {
        for (Chunk<M>& chunk : chunks) {
            for (std::size_t item = 0; item < chunk.strangers.size(parts); ++item) {
                const std::size_t at = item * parts;
                visit(chunk, chunk.strangers.data() + at, chunk.strangers.labels()[at]);
            }
        }
    };
    std::uint64_t strangers = 0;
    for (const Chunk<M>& chunk : chunks) { strangers += chunk.strangers.size(parts); }
    if (strangers == 0) { return Numbered::all; }

    if (!has_memory_for(store.bytes_to_learn(strangers))) { return Numbered::no_memory; }
    bool has_room = true;
    try {
        for_each_stranger([&](Chunk<M>&, const std::uint64_t* stranger, std::uint8_t) {
            has_room = store.learn(stranger);
        });
    } catch (const std::bad_alloc&) { return Numbered::no_memory; }
    if (!has_room) {
        if (!has_memory_for(store.bytes_to_make_room())) { return Numbered::no_memory; }
        store.make_room_for_numbers(workers);
        return Numbered::with_new_keys;
    }

    std::array<std::uint64_t, key_words_max> key;
    for_each_stranger([&](Chunk<M>& chunk, const std::uint64_t* stranger, std::uint8_t label) {
        ensure(store.codec().encode(stranger, key.data()), "a stranger has been numbered");
        expansion.append(key.data(), label, chunk);
    });
    return Numbered::all;
}

}  // namespace ringfence::checker
