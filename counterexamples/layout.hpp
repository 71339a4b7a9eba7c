// Small helpers for lines of text: columns, line breaks and paint. Widths count bytes, which is
// exact for the ASCII that models speak.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ringfence::counterexamples {

inline constexpr std::size_t line_width = 100;

// `text` and as many blanks as reach `width`; a longer text stays as it is.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);
[[nodiscard]] std::string right_aligned(std::string_view text, std::size_t width);

// `first` and then `text` broken at blanks, so that no line is longer than line_width unless a
// single word is; later lines are indented by `indent`. Line ends in `text` are kept. Every line
// ends with a line end and none with a blank.
[[nodiscard]] std::string wrapped(std::string_view first, std::string_view text,
                                  std::size_t indent);

// Text of unknown origin for a terminal: control characters are written as "\x1b". Line ends stay
// where `keeps_line_ends`.
[[nodiscard]] std::string printable(std::string_view text, bool keeps_line_ends = false);

// The first `bytes_max` bytes of a longer text, less a character that they would break, and "...".
[[nodiscard]] std::string shortened(std::string_view text, std::size_t bytes_max);

enum class Paint : std::uint8_t { plain, strong, faint, good, bad, changed };

// `text` in ANSI colour if `is_coloured`, else as it is.
[[nodiscard]] std::string painted(std::string_view text, Paint paint, bool is_coloured);

}  // namespace ringfence::counterexamples
