// The store before the search: the initial states, and how states of this model are kept.
#pragma once

#include "checker/ensure.hpp"
#include "checker/level_store.hpp"
#include "checker/model.hpp"
#include "checker/packing.hpp"
#include "checker/parallel.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ringfence::checker {

// What HasSymmetry promises about initial states is looked at here; the rest is the model's word.
template <HasSymmetry M>
void use_symmetry(const M& model, const typename M::State& initial, LevelStore& store) {
    for (std::size_t permutation = 0; permutation < model.permutations(); ++permutation) {
        typename M::State image = initial;
        model.permute(image, permutation);
        ensure(image == initial, "a permutation carries the initial state into itself");
    }
    store.symmetry().use(model.permutations());
}

// Throws std::invalid_argument if the model has no initial state.
template <Model M>
[[nodiscard]] LevelStore initial_store(const M& model, bool uses_symmetry, bool finer,
                                       Workers& workers) {
    const std::vector<typename M::State> initial = model.initial_states();
    if (initial.empty()) { throw std::invalid_argument("the model has no initial state"); }
    auto kind = KeyCodec::Kind::plain;
    std::vector<std::uint8_t> components;
    if constexpr (HasComponents<M>) {
        components = model.components(finer);
        kind = KeyCodec::Kind::numbered;
    }
    Packing packing(std::as_bytes(std::span(initial).first(1)), Packing::Path::fastest, components);
    std::vector<std::uint64_t> missing(words_of<typename M::State>);
    for (const auto& state : initial) { packing.collect_missing(bytes_of(state), missing.data()); }
    packing.widen(missing);
    LevelStore store(packing.compacted(), kind);
    if constexpr (HasSymmetry<M>) {
        ensure(!uses_symmetry || initial.size() == 1, "a symmetric model has one initial state");
        if (uses_symmetry) { use_symmetry(model, initial.front(), store); }
    }
    for (const auto& state : initial) { store.add(bytes_of(state), workers); }
    return store;
}

}  // namespace ringfence::checker
