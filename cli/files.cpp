#include "cli/files.hpp"

#include "counterexamples/saved.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace ringfence::cli {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
    throw counterexamples::FileError(fmt::format("cannot read {}: {}", path, reason));
}

}  // namespace

std::string text_of_file(const std::string& path, std::size_t bytes_max) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::array<char, 1U << 16U> block{};
    while (file) {
        file.read(block.data(), block.size());
        text.append(block.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > bytes_max) {
            fail(path, fmt::format("it has more than {} bytes", bytes_max));
        }
    }
    if (file.bad() || !file.eof()) { fail(path, std::generic_category().message(errno)); }
    return text;
}

}  // namespace ringfence::cli
