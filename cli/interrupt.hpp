// SIGINT and SIGTERM: the first one asks the search to stop and report, a second one leaves at
// once. SIGUSR1 asks for one progress line.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace ringfence::cli {

void install_signal_handlers();

// Set once a signal has asked to stop; for checker::SearchOptions.
[[nodiscard]] const std::atomic<bool>& stop_flag();

enum class StopSignal : std::uint8_t { interrupt, terminate };  // SIGINT, SIGTERM

// Which one it was, if any.
[[nodiscard]] std::optional<StopSignal> stopped_by();

// True once after each SIGUSR1.
[[nodiscard]] bool take_progress_request();

}  // namespace ringfence::cli
