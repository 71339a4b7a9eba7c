#include "cli/kafka_search.hpp"

#include "checker/breadth_first.hpp"

namespace ringfence::cli {

SearchReport search(const model::KafkaModel& model, std::span<const Law> laws,
                    std::span<const Witness> witnesses, const checker::SearchOptions& options) {
    return checker::search(model, laws, witnesses, options);
}

}  // namespace ringfence::cli
