#include "cli/output.hpp"

#include "counterexamples/layout.hpp"
#include "counterexamples/saved.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace ringfence::cli {

namespace {

// Set, and not to the empty string: https://no-color.org
bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

bool is_dumb_terminal() {
    const char* terminal = std::getenv("TERM");
    return terminal != nullptr && std::string_view(terminal) == "dumb";
}

}  // namespace

void print_result(std::string_view text) {
    const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (!is_written || std::fflush(stdout) != 0) {
        throw counterexamples::FileError("cannot write to stdout: " +
                                         std::generic_category().message(errno));
    }
}

void print_note(std::string_view text) { fmt::print(stderr, "{}\n", text); }

void print_error(std::string_view line) { print_note(counterexamples::printable(line)); }

std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t place = digits.size(); place > 3;) {
        place -= 3;
        digits.insert(place, ",");
    }
    return digits;
}

std::string bytes_text(std::uint64_t bytes) {
    static constexpr std::array<std::string_view, 5> units{"B", "KiB", "MiB", "GiB", "TiB"};
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (amount >= 1024 && unit + 1 < units.size()) {
        amount /= 1024;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", amount, unit == 0 ? 0 : 1, units[unit]);
}

std::string count_text(std::uint64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

bool is_coloured(ColourChoice choice) {
    if (choice != ColourChoice::automatic) { return choice == ColourChoice::always; }
    if (is_set("NO_COLOR")) { return false; }
    if (is_set("FORCE_COLOR")) { return true; }
    return !is_dumb_terminal() && ::isatty(STDOUT_FILENO) != 0;
}

}  // namespace ringfence::cli
