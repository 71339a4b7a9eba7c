// Which verbs can occur at all under given rules and budgets. A verb that can and never does makes
// a verdict "holds" doubtful; one that cannot is no news.
#pragma once

#include "model/actions.hpp"
#include "model/configuration.hpp"

namespace ringfence::model {

[[nodiscard]] bool is_possible(Verb verb, const Configuration& configuration);

}  // namespace ringfence::model
