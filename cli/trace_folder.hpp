// Where the traces of a run are saved. A file that cannot be written must not cost the report of a
// search that took hours: the trouble is kept, and told when the report is out.
#pragma once

#include "cli/conclusion.hpp"
#include "cli/run.hpp"

#include <cstddef>
#include <string>

namespace ringfence::cli {

class TraceFolder {
  public:
    // Made when the first trace is saved. Empty: nothing is saved.
    explicit TraceFolder(std::string directory) : directory_(std::move(directory)) {}

    // Saves a trace of every law that was refuted, and names the files in the answer.
    void save(const Question& question, Answer& answer);

    // A file error, if there was one.
    [[nodiscard]] Conclusion conclusion() const;
    // Says on stderr what could not be saved, if anything.
    void tell_trouble() const;

  private:
    std::string directory_;
    std::string first_trouble_;
    std::size_t unsaved_ = 0;
};

}  // namespace ringfence::cli
