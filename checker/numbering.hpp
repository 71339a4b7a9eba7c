// Between the phases of a round: the *strangers*, successors with a value that no dictionary knows
// yet, get numbers and then keys.
//
// One thread does it, in the order of chunks, so numbers do not depend on workers. Few successors
// are strangers once a search is under way: a component takes few values. Where the model is
// symmetric, the images of a new value are numbered with it.
#pragma once

#include "checker/ensure.hpp"
#include "checker/expansion.hpp"
#include "checker/level_store.hpp"
#include "checker/parallel.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace ringfence::checker {

// Finds the images of the next value of `part`, see symmetry.hpp. False if one of them has bits
// the packing lacks; they are added to `missing`.
template <HasSymmetry M>
[[nodiscard]] bool learn_images(const M& model, LevelStore& store, std::size_t part,
                                std::span<std::uint64_t> missing) {
    struct Image {
        std::size_t part;
        std::uint32_t number;
    };
    std::vector<Image> images;
    const std::uint32_t number = store.symmetry().known(part);
    const std::uint64_t value = store.codec().dictionary(part).value(number);
    for (std::size_t permutation = 0; permutation < model.permutations(); ++permutation) {
        std::array<std::uint64_t, parts_max> packed{};
        packed[part] = value;
        typename M::State state;
        store.packing().unpack(packed.data(), writable_bytes_of(state));
        model.permute(state, permutation);
        if (!store.packing().pack(bytes_of(state), packed.data())) {
            store.packing().collect_missing(bytes_of(state), missing.data());
            return false;
        }
        const auto is_changed = [](std::uint64_t bits) { return bits != 0; };
        ensure(std::ranges::count_if(packed, is_changed) == 1,
               "a permutation carries a component into a component");
        const auto image = std::ranges::find_if(packed, is_changed);
        const auto image_part = static_cast<std::size_t>(image - packed.begin());
        images.push_back({image_part, store.learn(image_part, *image)});
    }
    for (std::size_t permutation = 0; permutation < images.size(); ++permutation) {
        const Image& image = images[permutation];
        store.symmetry().add_image(permutation, part, image.part, image.number);
    }
    return true;
}

// Finds the images of all values, which are values themselves. True if the packing had to be
// widened for them.
template <Model M>
bool close_under_symmetry(const M& model, LevelStore& store, Workers& workers) {
    bool is_widened = false;
    if constexpr (HasSymmetry<M>) {
        if (store.symmetry().is_trivial()) { return false; }
        std::vector<std::uint64_t> missing(words_of<typename M::State>);
        for (bool is_closed = false; !is_closed;) {
            is_closed = true;
            for (std::size_t part = 0; part < store.packing().parts(); ++part) {
                while (store.symmetry().known(part) < store.codec().dictionary(part).size()) {
                    is_closed = false;
                    if (learn_images(model, store, part, missing)) { continue; }
                    store.widen(missing, workers);
                    is_widened = true;
                }
            }
        }
    }
    return is_widened;
}

enum class Numbered : std::uint8_t {
    all,            // every successor of the round is on its way to its shard
    with_new_keys,  // keys had no room for the numbers and were written anew: the round is void
    no_memory,      // likewise, and nothing was written
};

// `has_memory_for` is asked whether the store may own so many bytes.
template <Model M, class HasMemory>
[[nodiscard]] Numbered number_strangers(const M& model, LevelStore& store,
                                        const Expansion<M>& expansion, std::span<Chunk<M>> chunks,
                                        Workers& workers, const HasMemory& has_memory_for) {
    const std::size_t parts = store.packing().parts();
    const auto for_each_stranger = [&](const auto& visit) {
        for (Chunk<M>& chunk : chunks) {
            chunk.successors.for_each_run(Chunk<M>::strangers, parts, [&](const KeyRun& run) {
                for (std::size_t at = 0; at < run.count * parts; at += parts) {
                    visit(chunk, run.keys + at, run.labels[at]);
                }
            });
        }
    };
    std::uint64_t strangers = 0;
    for (const Chunk<M>& chunk : chunks) {
        strangers += chunk.successors.size(Chunk<M>::strangers, parts);
    }
    if (strangers == 0) { return Numbered::all; }

    const std::uint64_t orbit = 1 + store.symmetry().permutations();
    if (!has_memory_for(store.bytes_to_learn(strangers * orbit))) { return Numbered::no_memory; }
    bool is_void = false;
    try {
        for_each_stranger(
            [&](Chunk<M>&, const std::uint64_t* stranger, std::uint8_t) { store.learn(stranger); });
        is_void = close_under_symmetry(model, store, workers);
    } catch (const std::bad_alloc&) { return Numbered::no_memory; }
    if (!store.has_room_for_numbers()) {
        if (!has_memory_for(store.bytes_to_make_room())) { return Numbered::no_memory; }
        store.make_room_for_numbers(workers);
        is_void = true;
    }
    if (is_void) { return Numbered::with_new_keys; }

    std::array<std::uint64_t, key_words_max> key;
    for_each_stranger([&](Chunk<M>& chunk, const std::uint64_t* stranger, std::uint8_t label) {
        ensure(store.codec().encode(stranger, key.data()), "a stranger has been numbered");
        expansion.append(key.data(), label, chunk);
    });
    return Numbered::all;
}

}  // namespace ringfence::checker
