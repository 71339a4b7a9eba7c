// A check that stays on in release builds: where it fails, the search or a model has a bug, and
// going on would report nonsense.
#pragma once

#include <stdexcept>

namespace ringfence::checker {

inline void ensure(bool condition, const char* why) {
    if (!condition) { throw std::logic_error(why); }
}

}  // namespace ringfence::checker
