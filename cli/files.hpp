// Reading what a person wrote.
#pragma once

#include <cstddef>
#include <string>

namespace ringfence::cli {

// All of a file. Throws counterexamples::FileError if it cannot be read or is longer than that.
[[nodiscard]] std::string text_of_file(const std::string& path, std::size_t bytes_max);

}  // namespace ringfence::cli
