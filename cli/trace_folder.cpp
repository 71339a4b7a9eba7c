#include "cli/trace_folder.hpp"

#include "cli/output.hpp"
#include "cli/story.hpp"
#include "counterexamples/saved.hpp"

#include <fmt/format.h>

namespace ringfence::cli {

void TraceFolder::save(const Question& question, Answer& answer) {
    if (directory_.empty()) { return; }
    for (std::size_t i = 0; i < question.laws.size(); ++i) {
        LawResult& law = answer.result.laws[i];
        if (!answer.traces[i]) { continue; }
        try {
            law.trace_file = save_story(
                story_of(question.scenario, question.laws[i], *answer.traces[i]), directory_);
        } catch (const counterexamples::FileError& error) {
            if (unsaved_++ == 0) { first_trouble_ = error.what(); }
        }
    }
}

Conclusion TraceFolder::conclusion() const {
    Conclusion conclusion;
    if (unsaved_ > 0) { conclusion.add(Trouble::file_error); }
    return conclusion;
}

void TraceFolder::tell_trouble() const {
    if (unsaved_ == 0) { return; }
    print_error(
        first_trouble_ +
        (unsaved_ == 1 ? "" : fmt::format(" ({} not saved)", count_text(unsaved_, "trace"))));
}

}  // namespace ringfence::cli
