// The verbs: each does what its options ask for, prints its result on stdout, and says what it
// came to. User and file trouble is thrown, and caught in main.cpp alone.
#pragma once

#include "cli/conclusion.hpp"
#include "cli/options.hpp"

namespace ringfence::cli {

[[nodiscard]] Conclusion check(const CheckOptions& options);
[[nodiscard]] Conclusion why(const WhyOptions& options);
[[nodiscard]] Conclusion cost(const CostOptions& options);
[[nodiscard]] Conclusion list(const ListOptions& options);
[[nodiscard]] Conclusion show(const ShowOptions& options);
[[nodiscard]] Conclusion replay(const ReplayOptions& options);
[[nodiscard]] Conclusion explain(const ExplainOptions& options);
[[nodiscard]] Conclusion init(const InitOptions& options);

}  // namespace ringfence::cli
