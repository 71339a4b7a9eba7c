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
#include "checker/kept_steps.hpp"
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

    // How a round is cut: into as many chunks as workers want, and into more where those would come
    // to be too large. Where steps are shared, chunks are larger, and so are rounds: the more keys
    // a shard gets at once, the less often its pages are met for the first time.
    struct Cut {
        std::size_t chunks_wanted;
        std::size_t chunks_max;
        std::uint64_t chunk_states_max;
    };
    static constexpr Cut plain_cut{32, 32, 1024};
    static constexpr Cut sharing_cut{16, 32, 4096};
    static constexpr std::uint64_t chunk_states_min = 64;
    // Of a state's steps in one scope, amply: to foretell whether they can be kept.
    static constexpr std::uint64_t steps_bytes = 64;
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
    void cut_round(std::uint64_t chunk_states);
    void prepare_effects();
    void expand();
    [[nodiscard]] std::optional<Ending> widen();
    [[nodiscard]] std::optional<Ending> insert();
    void merge();
    void close_laws();

    [[nodiscard]] SearchReport<M> make_report(Ending ending);
    void add_traces(SearchReport<M>& report);

    // May the store own so many bytes, beside all else? Forgets steps where that helps.
    bool has_memory_for(std::uint64_t store_bytes);
    bool forget_steps();
    bool shorten_rounds();
    [[nodiscard]] bool keeps_steps() const { return may_keep_steps_ && store_.is_level_sorted(); }
    [[nodiscard]] std::uint64_t buffer_bytes() const;
    [[nodiscard]] std::uint64_t bytes_owned() const { return store_.bytes() + buffer_bytes(); }
    void note_memory() { memory_bytes_ = std::max(memory_bytes_, bytes_owned()); }

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
    KeptSteps kept_steps_;
    bool may_keep_steps_ = true;
    OpenQuestions<M> questions_;
    Findings<M> findings_;
    std::vector<Desk<M>> desks_;  // one for each worker
    Footprints footprints_;
    // With which layouts of keys the desks' recent effects are; none if they are to be forgotten.
    std::optional<std::uint32_t> effects_layouts_;
    std::vector<Chunk<M>> chunks_;
    std::size_t chunks_in_use_ = 0;    // in this round
    std::vector<std::uint64_t> cuts_;  // where they begin and end in what is left
    std::vector<KeyRun> runs_;         // of successors, by shard

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
    for (std::size_t chunk = 0; chunk < cut().chunks_max; ++chunk) {
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
    for (Chunk<M>& chunk : chunks_) { chunk.trim(); }
    sort_level();
    kept_steps_.begin_level();
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
bool BreadthFirst<M>::has_memory_for(std::uint64_t store_bytes) {
    const std::uint64_t buffers = buffer_bytes();
    const bool has_memory =
        buffers <= options_.memory_bytes_max && store_bytes <= options_.memory_bytes_max - buffers;
    return has_memory || (forget_steps() && has_memory_for(store_bytes));
}

// Where memory is short no steps are kept from now on. False if none were.
template <Model M>
bool BreadthFirst<M>::forget_steps() {
    if (!std::exchange(may_keep_steps_, false)) { return false; }
    kept_steps_.clear();
    for (Chunk<M>& chunk : chunks_) { chunk.steps = {}; }
    return true;
}

// Where memory is short rounds are as small as workers allow from now on: their keys take less, and
// could make indexes grow less. False if they were.
template <Model M>
bool BreadthFirst<M>::shorten_rounds() {
    if (chunks_.size() == cut().chunks_wanted) { return false; }
    chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(cut().chunks_wanted),
                  chunks_.end());
    chunks_in_use_ = 0;
    return true;
}

template <Model M>
std::uint64_t BreadthFirst<M>::buffer_bytes() const {
    std::uint64_t bytes = kept_steps_.bytes();
    for (const Chunk<M>& chunk : chunks_) {
        bytes += chunk.successors.bytes() + chunk.steps.bytes();
    }
    return bytes;
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
#include "checker/search_round.hpp"
