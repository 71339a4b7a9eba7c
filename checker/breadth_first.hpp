// The search: level by level, each level in rounds of expand -> insert -> merge.
//
//     level d    [ expanded | round: chunk chunk chunk ... | still to do ]
//     expand     every chunk on some worker; the store is read-only     -> buffers[chunk][shard]
//     insert     every shard on some worker, buffers in chunk order     -> level d + 1
//     merge      counts, violations and witnesses of the chunks
//
// Level by level makes traces shortest. Cutting the work by states and shards, never by workers,
// makes every figure and every trace independent of how many there are. A round whose successors do
// not fit the packing, or the memory allowed, leaves no mark: it is done again with a wider
// packing, or the search ends before it. Limits are looked at between rounds, so a search may pass
// a limit on states or time by one round.
//
// A law that falls stays open until its level is finished, so that the smallest of the violations
// at its depth is told; then it is not asked any more. See README.md for why this is sound.
#pragma once

#include "checker/counterexample_search.hpp"
#include "checker/exact_traces.hpp"
#include "checker/expansion.hpp"
#include "checker/initial_store.hpp"
#include "checker/level_store.hpp"
#include "checker/numbering.hpp"
#include "checker/packing.hpp"
#include "checker/parallel.hpp"
#include "checker/property.hpp"
#include "checker/scoped_expansion.hpp"
#include "checker/search_options.hpp"
#include "checker/verdict.hpp"
#include "checker/visited.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ringfence::checker {

template <Model M>
class BreadthFirst {
  public:
    BreadthFirst(const M& model, std::span<const Property<M>> properties,
                 std::span<const Witness<M>> witnesses, const SearchOptions& options,
                 bool has_finer_components = false);

    [[nodiscard]] SearchReport<M> run();

  private:
    using State = typename M::State;
    using Clock = std::chrono::steady_clock;

    // How a round is cut. Where steps are shared, chunks are larger and fewer.
    struct Cut {
        std::size_t chunks;
        std::uint64_t chunk_states_max;
    };
    static constexpr Cut plain_cut{32, 1024};
    static constexpr Cut sharing_cut{16, 4096};
    static constexpr std::uint64_t chunk_states_min = 64;
    // A round with fewer successors is inserted by one thread.
    static constexpr std::uint64_t keys_worth_sharing = 4096;

    [[nodiscard]] Ending visit_levels();
    [[nodiscard]] std::optional<Ending> keep_fingerprints();
    [[nodiscard]] std::optional<Ending> visit_level();
    [[nodiscard]] std::optional<Ending> limit_reached() const;
    [[nodiscard]] std::optional<Ending> work_round();
    [[nodiscard]] Scopes scopes() const {
        return {scopes_, store_.packing(), store_.codec().layout()};
    }
    [[nodiscard]] const Cut& cut() const { return scopes_.empty() ? plain_cut : sharing_cut; }
    void sort_level();
    [[nodiscard]] bool is_to_be_sharded_by(std::size_t part) const;
    void expand(std::uint64_t states, std::uint64_t chunk_states);
    [[nodiscard]] std::optional<Ending> widen();
    [[nodiscard]] std::optional<Ending> insert();
    void merge();
    void close_laws();

    [[nodiscard]] SearchReport<M> make_report(Ending ending);
    void add_traces(SearchReport<M>& report);

    [[nodiscard]] bool has_memory_for(std::uint64_t store_bytes) const;
    [[nodiscard]] std::uint64_t buffer_bytes() const;
    void note_memory();

    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(Clock::now() - started_).count();
    }
    void tell_progress();

    [[nodiscard]] std::span<Chunk<M>> chunks() { return std::span(chunks_).first(chunks_in_use_); }

    const M& model_;
    std::span<const Property<M>> properties_;
    const SearchOptions& options_;
    Clock::time_point started_ = Clock::now();
    double progress_told_ = 0;

    Workers workers_;
    LevelStore store_;
    std::vector<std::uint32_t> scopes_;  // their components, if steps are shared
    OpenQuestions<M> questions_;
    Findings<M> findings_;
    std::vector<Desk<M>> desks_;  // one for each worker
    std::vector<Chunk<M>> chunks_;
    std::size_t chunks_in_use_ = 0;  // in this round
    std::vector<KeyRun> runs_;       // of successors, by shard

    std::array<NewKeys, shards> new_states_{};  // by verb; a shard's belongs to who inserts there
    std::uint64_t states_expanded_ = 0;
    std::uint64_t memory_bytes_ = 0;          // the largest so far
    std::vector<std::size_t> refuted_depth_;  // per property: of the violating state
    std::vector<WitnessReport> witnesses_;
};

// Visits all reachable states within the limits and says what became of laws and witnesses.
// Throws std::invalid_argument if the model has no initial state, std::length_error if its states
// need keys that are too wide, and what the model throws.
template <Model M>
[[nodiscard]] SearchReport<M> search(const M& model, std::span<const Property<M>> properties,
                                     std::span<const Witness<M>> witnesses,
                                     const SearchOptions& options) {
    const auto run = [&model](const auto& laws, const auto& sought, const SearchOptions& limits) {
        try {
            return BreadthFirst<M>(model, laws, sought, limits).run();
        } catch (const std::length_error&) {
            if (!limits.uses_symmetry) { throw; }
            return BreadthFirst<M>(model, laws, sought, limits, true).run();
        }
    };
    SearchReport<M> report = run(properties, witnesses, options);
    if (report.fingerprints) { add_exact_traces(report, properties, options, run); }
    return report;
}

template <Model M>
BreadthFirst<M>::BreadthFirst(const M& model, std::span<const Property<M>> properties,
                              std::span<const Witness<M>> witnesses, const SearchOptions& options,
                              bool has_finer_components)
    : model_(model),
      properties_(properties),
      options_(options),
      workers_(options.workers),
      store_(initial_store(model, options.uses_symmetry, has_finer_components, workers_)),
      questions_(model, properties, witnesses),
      findings_(properties.size(), witnesses.size()),
      desks_(workers_.count()),
      refuted_depth_(properties.size()),
      witnesses_(witnesses.size()) {
    if (options.shares_steps) { scopes_ = scopes_of(model, has_finer_components); }
    for (std::size_t chunk = 0; chunk < cut().chunks; ++chunk) {
        chunks_.emplace_back(properties.size(), witnesses.size());
    }
}

template <Model M>
SearchReport<M> BreadthFirst<M>::run() {
    note_memory();
    return make_report(visit_levels());
}

template <Model M>
Ending BreadthFirst<M>::visit_levels() {
    while (store_.begin_level()) {
        if (const auto ending = keep_fingerprints()) { return *ending; }
        if (const auto ending = visit_level()) { return *ending; }
        close_laws();
        const bool is_deepest = store_.depth() == options_.depth_max;
        if (!is_deepest && !store_.has_found()) { return Ending::exhausted; }
        if (options_.stops_when_all_refuted && questions_.are_all_refuted()) {
            return Ending::all_refuted;
        }
        if (is_deepest) { return Ending::depth; }
    }
    return Ending::exhausted;
}

// Keeps no more than that of the states found so far, once it is asked for and worth it.
template <Model M>
std::optional<Ending> BreadthFirst<M>::keep_fingerprints() {
    const auto& asked = options_.fingerprints;
    const bool is_due =
        asked && !store_.fingerprinter() && store_.visited().size() > asked->exact_states_max;
    if (!is_due) { return std::nullopt; }
    if (!has_memory_for(store_.bytes_to_keep_fingerprints())) { return Ending::memory; }
    store_.keep_fingerprints(asked->bits);
    note_memory();
    return std::nullopt;
}

template <Model M>
std::optional<Ending> BreadthFirst<M>::visit_level() {
    sort_level();
    while (store_.left() > 0) {
        if (const auto limit = limit_reached()) { return limit; }
        if (const auto ending = work_round()) { return ending; }
        tell_progress();
    }
    return std::nullopt;
}

template <Model M>
std::optional<Ending> BreadthFirst<M>::limit_reached() const {
    if (options_.is_interrupted != nullptr && *options_.is_interrupted) {
        return Ending::interrupted;
    }
    if (store_.visited().size() > options_.states_max) { return Ending::states; }
    if (seconds() > options_.seconds_max) { return Ending::time; }
    return std::nullopt;
}

// Expands the next states of the level; if packing or keys were too narrow, these are still left.
template <Model M>
std::optional<Ending> BreadthFirst<M>::work_round() {
    const std::uint64_t left = store_.left();
    const std::uint64_t even = (left + cut().chunks - 1) / cut().chunks;
    const std::uint64_t chunk_states = std::clamp(even, chunk_states_min, cut().chunk_states_max);
    const std::uint64_t states = std::min(left, chunk_states * cut().chunks);
    try {
        expand(states, chunk_states);
    } catch (const std::bad_alloc&) {
        return Ending::memory;  // nothing of this round was kept
    }
    const auto is_misfit = [](const Chunk<M>& chunk) { return chunk.is_misfit; };
    if (std::ranges::any_of(chunks(), is_misfit)) { return widen(); }
    const Numbered numbered =
        number_strangers<M>(model_, store_, Expansion<M>(model_, store_, questions_), chunks(),
                            workers_, [&](std::uint64_t bytes) { return has_memory_for(bytes); });
    note_memory();
    if (numbered == Numbered::no_memory) { return Ending::memory; }
    if (numbered == Numbered::with_new_keys) { return std::nullopt; }
    if (const auto ending = insert()) { return ending; }
    merge();
    store_.advance(states);
    states_expanded_ += left - store_.left();
    return std::nullopt;
}

// States that share steps are expanded together, and what they lead to is kept together.
template <Model M>
void BreadthFirst<M>::sort_level() {
    constexpr std::uint64_t states_worth_sorting = 4 * sharing_cut.chunk_states_max;
    if (scopes_.empty() || store_.left() < states_worth_sorting) { return; }
    const std::optional<std::size_t> part = scopes().common_part();
    if (!part) { return; }
    if (is_to_be_sharded_by(*part) && has_memory_for(store_.bytes_to_shard())) {
        store_.shard_by(*part, workers_);
        note_memory();
    }
    if (has_memory_for(store_.bytes_to_sort_level(*part))) { store_.sort_level(*part); }
    note_memory();
}

// Once it has values enough for each shard to get some.
template <Model M>
bool BreadthFirst<M>::is_to_be_sharded_by(std::size_t part) const {
    constexpr std::uint32_t values_wanted = 16 * shards;
    return !store_.is_sharded_by_part() && !store_.fingerprinter() &&
           store_.codec().dictionary(part).size() >= values_wanted;
}

template <Model M>
void BreadthFirst<M>::expand(std::uint64_t states, std::uint64_t chunk_states) {
    chunks_in_use_ = (states + chunk_states - 1) / chunk_states;
    const auto expand_by = [&](const auto& expansion) {
        workers_.for_each_with_worker(chunks_in_use_, [&](std::size_t index, std::size_t worker) {
            Desk<M>& desk = desks_[worker];
            desk.begin(chunks_[index], store_.codec().key_words());
            const std::uint64_t first = index * chunk_states;
            const std::uint64_t last = std::min(first + chunk_states, states);
            store_.for_each_left(first, last,
                                 [&](const std::uint64_t* key) { expansion.expand(key, desk); });
            expansion.finish(desk);
        });
    };
    const Expansion<M> expansion(model_, store_, questions_);
    if (store_.depth() == options_.depth_max) {
        expand_by(OnlyChecks<M>(expansion));
    } else if (scopes_.empty()) {
        expand_by(expansion);
    } else if constexpr (HasScopes<M>) {
        expand_by(ScopedExpansion<M>(model_, store_, expansion, scopes()));
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
    for (const std::size_t witness : questions_.witnesses()) {
        if (findings_.is_reached(witness)) { witnesses_[witness] = {true, store_.depth()}; }
    }
    questions_.close_reached(findings_);
}

// Laws that fell in the current level are not asked any more.
template <Model M>
void BreadthFirst<M>::close_laws() {
    for (const auto kind : {PropertyKind::state, PropertyKind::step, PropertyKind::deadlock}) {
        for (const std::size_t law : questions_.laws(kind)) {
            refuted_depth_[law] = store_.depth();
        }
    }
    questions_.close_refuted(findings_);
}

template <Model M>
bool BreadthFirst<M>::has_memory_for(std::uint64_t store_bytes) const {
    const std::uint64_t buffers = buffer_bytes();
    return buffers <= options_.memory_bytes_max &&
           store_bytes <= options_.memory_bytes_max - buffers;
}

template <Model M>
std::uint64_t BreadthFirst<M>::buffer_bytes() const {
    std::uint64_t bytes = 0;
    for (const Chunk<M>& chunk : chunks_) { bytes += chunk.successors.bytes(); }
    return bytes;
}

template <Model M>
void BreadthFirst<M>::note_memory() {
    memory_bytes_ = std::max(memory_bytes_, store_.bytes() + buffer_bytes());
}

template <Model M>
void BreadthFirst<M>::tell_progress() {
    constexpr double pause_seconds = 0.25;
    if (options_.on_progress == nullptr || seconds() - progress_told_ < pause_seconds) { return; }
    progress_told_ = seconds();
    const std::uint64_t states = store_.visited().size();
    const Progress progress{.states = states,
                            .transitions = findings_.transitions(),
                            .frontier = states - states_expanded_,
                            .depth = store_.depth(),
                            .memory_bytes = memory_bytes_,
                            .seconds = progress_told_};
    options_.on_progress(progress, options_.progress_context);
}

}  // namespace ringfence::checker

#include "checker/closing_report.hpp"
