// The program's results on stdout. Whatever else it has to say goes to stderr.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ringfence::cli {

// Writes and flushes. Throws counterexamples::FileError if stdout takes no more.
void print_result(std::string_view text);

// A line, or several, on stderr.
void print_note(std::string_view text);

// One line on stderr, whatever characters a name in it has.
void print_error(std::string_view line);

[[nodiscard]] std::string grouped(std::uint64_t number);                           // "1,234,567"
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);                         // "12.3 MiB"
[[nodiscard]] std::string count_text(std::uint64_t count, std::string_view noun);  // "2 threads"

enum class ColourChoice : std::uint8_t { automatic, always, never };

// Colour on stdout: by choice, then NO_COLOR, FORCE_COLOR, TERM=dumb, and whether it is a terminal.
[[nodiscard]] bool is_coloured(ColourChoice choice);

}  // namespace ringfence::cli
