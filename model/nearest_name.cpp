#include "model/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace ringfence::model {

namespace {

constexpr std::size_t names_written_out_max = 8;
constexpr std::size_t name_bytes_max = 60;

// Not in the middle of a character: continuation bytes of UTF-8 are 10xxxxxx.
std::string_view cut(std::string_view name) {
    if (name.size() <= name_bytes_max) { return name; }
    std::size_t length = name_bytes_max;
    while (length > 0 && (static_cast<unsigned char>(name[length]) & 0xC0U) == 0x80U) { --length; }
    return name.substr(0, length);
}

std::string written_out(std::span<const std::string_view> known) {
    std::string text;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (i > 0) { text += i + 1 == known.size() ? " or " : ", "; }
        text += fmt::format("\"{}\"", known[i]);
    }
    return text;
}

}  // namespace

std::size_t edit_distance(std::string_view from, std::string_view to) {
    // One row of the table at a time: row[j] is the distance from what was read of `from` to the
    // first j bytes of `to`.
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
        }
    }
    return row.back();
}

std::string shortened(std::string_view name) {
    const std::string_view kept = cut(name);
    return std::string(kept) + (kept.size() < name.size() ? "..." : "");
}

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known) {
    name = cut(name);  // the distance takes time with the product of the lengths
    const auto nearest = std::ranges::min_element(
        known, {}, [name](std::string_view candidate) { return edit_distance(name, candidate); });
    return nearest == known.end() ? std::string_view{} : *nearest;
}

std::string expected_names(std::string_view name, std::span<const std::string_view> known,
                           std::string_view listed_by) {
    // A beginning stands for the names that begin so: "v1" is none, and far from all of them.
    std::vector<std::string_view> begun;
    std::ranges::copy_if(known, std::back_inserter(begun), [name](std::string_view candidate) {
        return !name.empty() && candidate.starts_with(name);
    });
    const bool is_shorter = known.size() > names_written_out_max && !begun.empty();
    if (is_shorter && begun.size() <= names_written_out_max) { known = begun; }
    const std::string expected = known.size() <= names_written_out_max
                                     ? written_out(known)
                                     : fmt::format("a name from `{}`", listed_by);
    return fmt::format(", expected {}, nearest is \"{}\"", expected, nearest_name(name, known));
}

}  // namespace ringfence::model
