#include "properties/catalogue.hpp"

#include "properties/laws.hpp"
#include "properties/witnesses.hpp"

#include <algorithm>
#include <array>

namespace ringfence::properties {

std::span<const Law> laws() {
    static const std::array<Law, 13> catalogue{
        single_writer_per_partition(),
        no_stale_commit(),
        superseded_owner_is_fenced(),
        exactly_once_output(),
        single_appender_per_partition(),
        no_hanging_transaction(),
        no_false_fence(),
        atomic_outcome(),
        no_aborted_read(),
        confirmed_commit_is_kept(),
        no_false_fatal(),
        no_stale_state(),
        deadlock_free(),
    };
    return catalogue;
}

std::span<const Witness> witnesses() { return all_witnesses(); }

namespace {

template <class Entry>
const Entry* find(std::span<const Entry> entries, std::string_view name) {
    const auto found = std::ranges::find(entries, name, &Entry::name);
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace

const Law* find_law(std::string_view name) { return find(laws(), name); }
const Witness* find_witness(std::string_view name) { return find(witnesses(), name); }

model::Ghosts ghosts_read_by(std::span<const Law> laws) {
    const auto reads = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(laws, [&](const Law& law) {
            return std::ranges::find(names, law.name) != names.end();
        });
    };
    return {.visible = reads({"exactly_once_output", "atomic_outcome", "confirmed_commit_is_kept",
                              "deadlock_free"}),
            .decided_end = reads({"no_stale_commit"}),
            .elders = reads({"superseded_owner_is_fenced"}),
            .stray = reads({"no_aborted_read"}),
            .confirmed = reads({"confirmed_commit_is_kept"}),
            .timed_out = reads({"no_false_fence", "no_false_fatal"}),
            .restored = reads({"no_stale_state"})};
}

}  // namespace ringfence::properties
