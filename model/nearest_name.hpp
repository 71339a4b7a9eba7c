// What to say about a name that nobody knows: what was expected, and the nearest known one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ringfence::model {

// Fewest insertions, deletions and replacements of one byte that turn `from` into `to`
// (Levenshtein).
[[nodiscard]] std::size_t edit_distance(std::string_view from, std::string_view to);

// The first of the nearest ones; empty if `known` is.
[[nodiscard]] std::string_view nearest_name(std::string_view name,
                                            std::span<const std::string_view> known);

// A name as a message shows it: one that is much longer than any known name is cut.
[[nodiscard]] std::string shortened(std::string_view name);

// `, expected "on" or "off", nearest is "off"`. A long list is not written out: `listed_by` says
// where to find it.
[[nodiscard]] std::string expected_names(std::string_view name,
                                         std::span<const std::string_view> known,
                                         std::string_view listed_by = "ringfence list");

}  // namespace ringfence::model
