// Every disturbance there is, those of the future included.
#pragma once

#include "model/bounds.hpp"

#include <cstdint>

namespace ringfence::tests {

[[nodiscard]] inline model::Disturbances of_each(std::uint8_t budget) {
    model::Disturbances all;
    for (const model::DisturbanceEntry& entry : model::disturbance_catalogue()) {
        all.*entry.member = budget;
    }
    return all;
}

}  // namespace ringfence::tests
