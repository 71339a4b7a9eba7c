// `ringfence explain`: tells a saved trace again, in any format, from the file alone. Whether the
// model still agrees with it is for `replay` to say.
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "counterexamples/json.hpp"
#include "counterexamples/saved.hpp"
#include "counterexamples/text.hpp"

namespace ringfence::cli {

Conclusion explain(const ExplainOptions& options) {
    const counterexamples::Document story = counterexamples::load(options.file);
    print_result(options.output.is_json ? counterexamples::json_text_of(story)
                                        : counterexamples::text_of(
                                              story, {.detail = options.trace,
                                                      .is_coloured = options.output.is_coloured}));
    return {};
}

}  // namespace ringfence::cli
