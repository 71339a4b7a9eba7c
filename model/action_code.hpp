// Actions as text in saved traces: "txn_offset_commit thread=1 producer=1". The form is stable:
// traces outlive releases, and a field is never given another meaning.
#pragma once

#include "model/actions.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace ringfence::model {

// The verb, and then the fields that this verb always names or that are not zero, in the order of
// the struct.
[[nodiscard]] std::string encode(const Action& action);

// None if `text` is not exactly what encode() writes for some action within the largest bounds.
[[nodiscard]] std::optional<Action> decode(std::string_view text);

}  // namespace ringfence::model
