#include "counterexamples/saved.hpp"

#include "counterexamples/json.hpp"
#include "counterexamples/json_positions.hpp"
#include "counterexamples/layout.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <utility>

namespace ringfence::counterexamples {

namespace {

// Deeper than any trace, and shallow enough for every function that recurses over the text.
constexpr int nesting_max = 64;

constexpr std::size_t file_bytes_max = std::size_t{1} << 28U;
constexpr std::size_t message_bytes_max = 300;  // the parser repeats what it has read last

[[noreturn]] void fail(std::string_view what, const std::filesystem::path& path, int error) {
    throw FileError("cannot " + std::string(what) + " " + path.string() + ": " +
                    std::generic_category().message(error));
}

[[noreturn]] void refuse(std::string_view name, Position position, const std::string& what) {
    throw MalformedTrace(std::string(name) + ":" + std::to_string(position.line) + ":" +
                         std::to_string(position.column) + ": " + what);
}

// An open file, closed when it goes out of scope.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (number_ >= 0) { ::close(number_); }
    }

    [[nodiscard]] int number() const { return number_; }
    // Some systems tell only now that the disk was full.
    [[nodiscard]] bool close() { return ::close(std::exchange(number_, -1)) == 0; }

  private:
    int number_;
};

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno == EINTR) { continue; }
        if (written < 0) { return false; }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

// Writes a file next to `path`, and has `give_name` turn its name into `path`.
void write_beside(const std::filesystem::path& path, std::string_view text,
                  int (*give_name)(const char* beside, const char* name)) {
    std::filesystem::path beside = path;
    beside += ".unfinished-" + std::to_string(::getpid());
    Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (file.number() < 0) { fail("write", path, errno); }
    const bool is_written = write_all(file.number(), text) && ::fsync(file.number()) == 0 &&
                            file.close() && give_name(beside.c_str(), path.c_str()) == 0;
    if (is_written) { return; }
    const int error = errno;
    ::unlink(beside.c_str());
    fail("write", path, error);
}

std::string read_all(const std::filesystem::path& path) {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (file.number() < 0) { fail("read", path, errno); }
    std::string text;
    std::array<char, 1U << 16U> block{};
    while (true) {
        const ssize_t length = ::read(file.number(), block.data(), block.size());
        if (length < 0 && errno == EINTR) { continue; }
        if (length < 0) { fail("read", path, errno); }
        if (length == 0) { return text; }
        text.append(block.data(), static_cast<std::size_t>(length));
        if (text.size() > file_bytes_max) { fail("read", path, EFBIG); }
    }
}

// The parser's message without its own numbering and position:
// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ..."
std::string short_message(const nlohmann::json::exception& error) {
    const std::string message = error.what();
    const std::size_t begin = message.find("column");
    const std::size_t colon = message.find(": ", begin == std::string::npos ? 0 : begin);
    return colon == std::string::npos ? message : message.substr(colon + 2);
}

}  // namespace

void write_whole(const std::filesystem::path& path, std::string_view text) {
    write_beside(path, text, std::rename);
}

void write_new(const std::filesystem::path& path, std::string_view text) {
    // A second name for the finished file: unlike a rename, link() refuses a name that is taken.
    write_beside(path, text, [](const char* beside, const char* name) {
        return ::link(beside, name) == 0 ? ::unlink(beside) : -1;
    });
}

void save(const Document& document, const std::filesystem::path& path) {
    write_whole(path, json_text_of(document));
}

Document load(const std::filesystem::path& path) { return parse(read_all(path), path.string()); }

Document parse(std::string_view text, std::string_view name) {
    using Json = nlohmann::ordered_json;
    Json json;
    try {
        const auto limit = [&](int depth, Json::parse_event_t, Json&) {
            if (depth > nesting_max) { refuse(name, {}, "nested too deep for a saved trace"); }
            return true;
        };
        json = Json::parse(text, limit);
    } catch (const Json::parse_error& error) {
        // The parser counts bytes from 1 and points behind the byte that it could not take.
        refuse(name, position_of(text, error.byte == 0 ? 0 : error.byte - 1),
               "not a saved trace: " + shortened(short_message(error), message_bytes_max));
    }
    const JsonPositions positions = positions_of(text);
    if (positions.repeated) {
        refuse(name, position_of(text, positions.offsets.at(*positions.repeated)),
               "a key is given twice");
    }
    try {
        return document_of(json);
    } catch (const SchemaError& error) {
        const auto found = positions.offsets.find(error.pointer);
        const std::size_t offset = found == positions.offsets.end() ? 0 : found->second;
        refuse(name, position_of(text, offset), error.what());
    }
}

}  // namespace ringfence::counterexamples
