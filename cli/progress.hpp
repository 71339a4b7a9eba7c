// How far a search has come, on stderr: a line that is written over once a second on a terminal,
// a plain line every 30 seconds elsewhere, and one whenever SIGUSR1 asks.
#pragma once

#include "checker/search_options.hpp"

#include <string>

namespace ringfence::cli {

class ProgressLine {
  public:
    // `options`: the limits to compare with. Watches the search that is run with them, and must
    // outlive it.
    ProgressLine(std::string name, checker::SearchOptions& options);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

  private:
    static void tell(const checker::Progress& progress, void* self);
    [[nodiscard]] std::string text_of(const checker::Progress& progress) const;
    void erase();

    std::string name_;
    checker::SearchOptions limits_;
    bool is_terminal_;
    double told_seconds_ = 0;
    bool has_line_ = false;  // a line stands on the terminal that must go before anything else
};

}  // namespace ringfence::cli
