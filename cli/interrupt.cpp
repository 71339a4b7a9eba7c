#include "cli/interrupt.hpp"

#include <unistd.h>
#include <csignal>

namespace ringfence::cli {

namespace {

// Handlers may only touch lock-free atomics. Nothing is published through these flags: whoever
// reads one acts on its value alone, so relaxed order would do; the default costs nothing here.
std::atomic<bool> is_stopped{false};
std::atomic<int> stop_signal{0};
std::atomic<bool> is_progress_wanted{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

constexpr int status_base = 128;  // a shell's status of a command that a signal has ended

void on_stop(int signal) {
    int none = 0;
    if (!stop_signal.compare_exchange_strong(none, signal)) { _exit(status_base + signal); }
    is_stopped = true;
}

void on_progress_request(int) { is_progress_wanted = true; }

void install(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

}  // namespace

void install_signal_handlers() {
    install(SIGINT, on_stop);
    install(SIGTERM, on_stop);
    install(SIGUSR1, on_progress_request);
    // A limit on file sizes is to end a write like a full disk, not the program.
    install(SIGXFSZ, SIG_IGN);
}

const std::atomic<bool>& stop_flag() { return is_stopped; }

std::optional<StopSignal> stopped_by() {
    if (!is_stopped) { return std::nullopt; }
    return stop_signal == SIGTERM ? StopSignal::terminate : StopSignal::interrupt;
}

bool take_progress_request() { return is_progress_wanted.exchange(false); }

}  // namespace ringfence::cli
