// Short names for tests on literal states.
#pragma once

#include "model/ids.hpp"

namespace ringfence::model {

inline constexpr ThreadId a{0};
inline constexpr ThreadId b{1};
inline constexpr PartitionId p0{0};
inline constexpr PartitionId p1{1};
inline constexpr ProducerId of_a{0};
inline constexpr ProducerId of_b{1};
inline constexpr Epoch e0{1};
inline constexpr Epoch e1{2};

}  // namespace ringfence::model
