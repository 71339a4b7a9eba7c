#include "cli/progress.hpp"

#include "cli/interrupt.hpp"
#include "cli/output.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

namespace ringfence::cli {

namespace {

constexpr double pause_seconds_on_terminal = 1;
constexpr double pause_seconds_elsewhere = 30;

// The largest share of a limit that is used up.
double share_of_limit(const checker::Progress& progress, const checker::SearchOptions& limits) {
    constexpr auto unlimited = std::numeric_limits<std::uint64_t>::max();
    double share = progress.seconds / limits.seconds_max;
    const auto consider = [&share](std::uint64_t used, std::uint64_t limit) {
        if (limit == unlimited || limit == 0) { return; }
        share = std::max(share, static_cast<double>(used) / static_cast<double>(limit));
    };
    consider(progress.states, limits.states_max);
    consider(progress.memory_bytes, limits.memory_bytes_max);
    return share;
}

}  // namespace

ProgressLine::ProgressLine(std::string name, checker::SearchOptions& options)
    : name_(std::move(name)), limits_(options), is_terminal_(::isatty(STDERR_FILENO) != 0) {
    options.on_progress = tell;
    options.progress_context = this;
}

ProgressLine::~ProgressLine() { erase(); }

void ProgressLine::tell(const checker::Progress& progress, void* self) {
    auto& line = *static_cast<ProgressLine*>(self);
    if (take_progress_request()) {
        line.erase();
        print_note(line.text_of(progress));
    }
    const double pause = line.is_terminal_ ? pause_seconds_on_terminal : pause_seconds_elsewhere;
    if (progress.seconds - line.told_seconds_ < pause) { return; }
    line.told_seconds_ = progress.seconds;
    if (!line.is_terminal_) {
        print_note(line.text_of(progress));
        return;
    }
    line.erase();
    fmt::print(stderr, "{}", line.text_of(progress));
    std::fflush(stderr);
    line.has_line_ = true;
}

std::string ProgressLine::text_of(const checker::Progress& progress) const {
    const double rate = static_cast<double>(progress.states) / std::max(progress.seconds, 1e-3);
    return fmt::format(
        "{}: {:.0f} s, {} states ({:.2f} M/s), {} transitions, depth {}, queue {}, {}, {:.0f} % of "
        "the limit",
        name_, progress.seconds, grouped(progress.states), rate / 1e6,
        grouped(progress.transitions), progress.depth, grouped(progress.frontier),
        bytes_text(progress.memory_bytes), 100 * share_of_limit(progress, limits_));
}

void ProgressLine::erase() {
    if (!std::exchange(has_line_, false)) { return; }
    fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
}

}  // namespace ringfence::cli
