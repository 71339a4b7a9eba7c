// From a scenario to its result: builds the model, searches it, and sums up what was found.
#pragma once

#include "cli/kafka_search.hpp"
#include "cli/options.hpp"
#include "cli/result.hpp"

#include <string>
#include <vector>

namespace ringfence::cli {

// A scenario that is ready to be searched: all that can be wrong with it is known to be right.
struct Question {
    model::Scenario scenario;
    model::KafkaModel model;  // keeps the ghosts that the laws read, and no others
    std::vector<Law> laws;
    std::vector<Witness> witnesses;  // those to be sought, then those that must not be met
    std::size_t witnesses_sought = 0;
};

struct Answer {
    Result result;
    // Of each law; none where it was not refuted, or where an interruption left no time for it.
    std::vector<std::optional<Trace>> traces;
};

// Throws model::ConfigurationError where rules and bounds do not fit together.
[[nodiscard]] Question question_of(const model::Scenario& scenario);

// The place to blame for rules and bounds that do not fit together: that of a single setting, if
// one makes the difference.
[[nodiscard]] std::string place_to_blame(const model::Scenario& scenario);

// Limits as the search wants them: a worker for each processor and most of the machine's memory
// where nothing else is asked for; a signal interrupts it.
[[nodiscard]] checker::SearchOptions search_options(const LimitOptions& limits);

// Searches, and tells on stderr how far it has come. A signal ends it early.
[[nodiscard]] Answer answer(const Question& question, const LimitOptions& limits);

}  // namespace ringfence::cli
