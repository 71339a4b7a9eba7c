// A round of a search: expand -> insert -> merge. Part of breadth_first.hpp, which includes it.
#pragma once

#include "checker/breadth_first.hpp"

namespace ringfence::checker {

// Expands the next states of the level; if packing or keys were too narrow, these are still left.
template <Model M>
std::optional<Ending> BreadthFirst<M>::work_round() {
    if (bytes_owned() > options_.memory_bytes_max / 2) { shorten_rounds(); }
    const std::uint64_t left = store_.left();
    const std::uint64_t even = (left + cut().chunks_wanted - 1) / cut().chunks_wanted;
    const std::uint64_t chunk_states = std::clamp(even, chunk_states_min, cut().chunk_states_max);
    cut_round(chunk_states);
    const std::uint64_t states = cuts_.back();
    kept_steps_.use_keys(store_.key_layouts());
    if (keeps_steps()) { has_memory_for(store_.bytes() + states * scopes_.size() * steps_bytes); }
    try {
        prepare_effects();
        expand();
    } catch (const std::bad_alloc&) {  // nothing of this round was kept
        if (forget_steps()) { return std::nullopt; }
        return Ending::memory;
    }
    const auto is_misfit = [](const Chunk<M>& chunk) { return chunk.is_misfit; };
    if (std::ranges::any_of(chunks(), is_misfit)) { return widen(); }
    const Numbered numbered =
        number_strangers<M>(model_, store_, Expansion<M>(model_, store_, questions_), chunks(),
                            workers_, [&](std::uint64_t bytes) { return has_memory_for(bytes); });
    note_memory();
    if (numbered == Numbered::no_memory) { return Ending::memory; }
    if (numbered == Numbered::with_new_keys) { return std::nullopt; }
    if (const auto ending = insert()) {
        if (*ending == Ending::memory && shorten_rounds()) { return std::nullopt; }
        return ending;
    }
    merge();
    effects_layouts_ = store_.key_layouts();
    store_.advance(states);
    states_expanded_ += left - store_.left();
    return std::nullopt;
}

template <Model M>
void BreadthFirst<M>::cut_round(std::uint64_t chunk_states) {
    cuts_.assign(1, 0);
    while (cuts_.back() < store_.left() && cuts_.size() <= chunks_.size()) {
        const std::uint64_t even = cuts_.back() + chunk_states;
        cuts_.push_back(store_.end_of_group(std::min(even, store_.left()), chunk_states / 8));
    }
    chunks_in_use_ = cuts_.size() - 1;
}

// Effects name bits of parts, and were asked about: what came of that must not have been lost with
// a round that is done again.
template <Model M>
void BreadthFirst<M>::prepare_effects() {
    if constexpr (HasFootprints<M>) {
        if (std::exchange(effects_layouts_, std::nullopt) == store_.key_layouts()) { return; }
        footprints_ = Footprints(model_.footprints(), store_.packing());
        for (Desk<M>& desk : desks_) { desk.effects.clear(store_.packing().parts()); }
    }
}

template <Model M>
void BreadthFirst<M>::expand() {
    const auto expand_by = [&](const auto& expansion) {
        workers_.for_each_with_worker(chunks_in_use_, [&](std::size_t index, std::size_t worker) {
            Desk<M>& desk = desks_[worker];
            desk.begin(chunks_[index], store_.codec().key_words());
            expansion.expand_share(store_, cuts_[index], cuts_[index + 1], desk);
        });
    };
    const Expansion<M> expansion(model_, store_, questions_);
    if (store_.depth() == options_.depth_max) {
        expand_by(OnlyChecks<M>(expansion));
    } else if (scopes_.empty()) {
        expand_by(expansion);
    } else if constexpr (HasScopes<M>) {
        expand_by(ScopedExpansion<M>(model_, store_, expansion, scopes(), footprints_,
                                     keeps_steps() ? &kept_steps_ : nullptr));
    }
}

template <Model M>
std::optional<Ending> BreadthFirst<M>::widen() {
    std::vector<std::uint64_t> missing(words_of<State>);
    for (const Chunk<M>& chunk : chunks()) {
        std::ranges::transform(missing, chunk.missing, missing.begin(), std::bit_or{});
    }
    if (!has_memory_for(store_.bytes_to_widen(missing))) { return Ending::memory; }
    store_.widen(missing, workers_);
    note_memory();
    return std::nullopt;
}

template <Model M>
std::optional<Ending> BreadthFirst<M>::insert() {
    Visited& visited = store_.visited();
    PerShard incoming{};
    std::uint64_t keys = 0;
    std::array<std::size_t, shards + 1> runs_begin{};
    try {
        runs_.clear();
        for (std::size_t shard = 0; shard < shards; ++shard) {
            for (const Chunk<M>& chunk : chunks()) {
                chunk.successors.for_each_run(shard, visited.key_words(), [&](const KeyRun& run) {
                    runs_.push_back(run);
                    incoming[shard] += static_cast<std::uint32_t>(run.count);
                });
            }
            runs_begin[shard + 1] = runs_.size();
            keys += incoming[shard];
        }
        if (!has_memory_for(store_.bytes_with_room_for(incoming))) { return Ending::memory; }
        visited.make_room_for(incoming);
    } catch (const std::bad_alloc&) { return Ending::memory; }
    note_memory();

    const auto insert_into = [&](std::size_t shard) {
        const std::size_t begin = runs_begin[shard];
        const auto runs = std::span(runs_).subspan(begin, runs_begin[shard + 1] - begin);
        store_.insert(shard, runs, new_states_[shard]);
    };
    if (keys < keys_worth_sharing) {
        for (std::size_t shard = 0; shard < shards; ++shard) { insert_into(shard); }
    } else {
        workers_.for_each(shards, insert_into);
    }
    return std::nullopt;
}

template <Model M>
void BreadthFirst<M>::merge() {
    for (const Chunk<M>& chunk : chunks()) { findings_.merge(chunk.findings); }
    if (keeps_steps()) {
        for (Chunk<M>& chunk : chunks()) { kept_steps_.add(chunk.steps); }
        kept_steps_.release();
    }
    for (const std::size_t witness : questions_.witnesses()) {
        if (findings_.is_reached(witness)) { witnesses_[witness] = {true, store_.depth()}; }
    }
    questions_.close_reached(findings_);
}

}  // namespace ringfence::checker
