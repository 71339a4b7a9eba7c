// Traces as documents that can be told, saved and replayed.
#pragma once

#include "cli/kafka_search.hpp"
#include "counterexamples/document.hpp"
#include "model/scenario.hpp"

#include <string>
#include <string_view>

namespace ringfence::cli {

// Told with all ghosts, whichever ones the search kept, so that every story of the same steps is
// the same.
[[nodiscard]] counterexamples::Document story_of(const model::Scenario& scenario, const Law& law,
                                                 const Trace& trace);

// The model that a story is told with.
[[nodiscard]] model::KafkaModel story_model(const model::Resolved& asked);

// Makes the directory if need be, writes DIRECTORY/SCENARIO.LAW.json and returns its path.
// Throws counterexamples::FileError.
[[nodiscard]] std::string save_story(const counterexamples::Document& story,
                                     const std::string& directory);

// `name` with everything that is special in a file name or to a shell replaced.
[[nodiscard]] std::string file_name_of(std::string_view name);

}  // namespace ringfence::cli
