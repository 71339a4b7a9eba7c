// Trace files: a document on disk, written whole or not at all, and read with suspicion.
#pragma once

#include "counterexamples/document.hpp"

#include <filesystem>
#include <stdexcept>
#include <string_view>

namespace ringfence::counterexamples {

// A file cannot be written or read; what() names it and the system's reason.
struct FileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A file can be read and is no trace; what() is "FILE:LINE:COLUMN: what is wrong".
struct MalformedTrace : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Writes a file next to `path` and renames it, so that `path` holds either what it held before or
// all of `text`, whatever happens. Throws FileError.
void write_whole(const std::filesystem::path& path, std::string_view text);

// The same for a file that must not be there yet: what is there is never touched, also if somebody
// else makes it meanwhile. Throws FileError.
void write_new(const std::filesystem::path& path, std::string_view text);

// Throws FileError.
void save(const Document& document, const std::filesystem::path& path);

// Throws FileError or MalformedTrace.
[[nodiscard]] Document load(const std::filesystem::path& path);

// The same from a text that is in memory already; `name` stands for the file in messages.
[[nodiscard]] Document parse(std::string_view text, std::string_view name);

}  // namespace ringfence::counterexamples
