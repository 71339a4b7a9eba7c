#include "counterexamples/saved.hpp"

#include "counterexamples/json.hpp"
#include "tests/counterexamples/small_document.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace ringfence::counterexamples {

namespace {

// A directory of its own, gone with the test.
class Directory {
  public:
    Directory()
        : path_(std::filesystem::temp_directory_path() /
                ("ringfence-saved-test-" + std::to_string(::getpid()))) {
        std::filesystem::create_directory(path_);
    }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;
    ~Directory() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::filesystem::path file(const char* name) const { return path_ / name; }
    [[nodiscard]] std::size_t files() const {
        std::size_t count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) {
            ++count;
        }
        return count;
    }

  private:
    std::filesystem::path path_;
};

std::string contents_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::string refusal_of(std::string_view text) {
    try {
        [[maybe_unused]] const Document document = parse(text, "t.json");
        return "accepted";
    } catch (const MalformedTrace& error) { return error.what(); }
}

std::string with_replaced(std::string_view part, std::string_view replacement) {
    std::string text = json_text_of(small_document());
    return text.replace(text.find(part), part.size(), replacement);
}

}  // namespace

TEST_CASE("a saved trace is read back as it was") {
    const Directory directory;
    save(small_document(), directory.file("trace.json"));
    CHECK(load(directory.file("trace.json")) == small_document());
    CHECK(contents_of(directory.file("trace.json")) == json_text_of(small_document()));
}

TEST_CASE("saving replaces a file and leaves nothing else behind") {
    const Directory directory;
    write_whole(directory.file("trace.json"), "old");
    write_whole(directory.file("trace.json"), "new");
    CHECK(contents_of(directory.file("trace.json")) == "new");
    CHECK(directory.files() == 1);
}

TEST_CASE("a file that cannot be written is named, and nothing is left behind") {
    const Directory directory;
    const auto below_nothing = directory.file("no") / "trace.json";
    CHECK_THROWS_WITH_AS(
        save(small_document(), below_nothing),
        ("cannot write " + below_nothing.string() + ": No such file or directory").c_str(),
        FileError);
    const auto taken = directory.file("taken");
    std::filesystem::create_directory(taken);
    CHECK_THROWS_WITH_AS(save(small_document(), taken),
                         ("cannot write " + taken.string() + ": Is a directory").c_str(),
                         FileError);
    CHECK(directory.files() == 1);
}

TEST_CASE("a file that cannot be read is named") {
    const Directory directory;
    const auto missing = directory.file("missing.json");
    CHECK_THROWS_WITH_AS(
        static_cast<void>(load(missing)),
        ("cannot read " + missing.string() + ": No such file or directory").c_str(), FileError);
    CHECK_THROWS_WITH_AS(
        static_cast<void>(load(directory.file("."))),
        ("cannot read " + directory.file(".").string() + ": Is a directory").c_str(), FileError);
}

TEST_CASE("a syntax error is told with file, line and column") {
    CHECK(refusal_of("") ==
          "t.json:1:1: not a saved trace: syntax error while parsing value - unexpected end of "
          "input; "
          "expected '[', '{', or a literal");
    CHECK(refusal_of("{\"format\":\n  oops}")
              .starts_with("t.json:2:3: not a saved trace: syntax error"));
    CHECK(refusal_of("{\"format\": \"ringfence.trace\"")
              .starts_with("t.json:1:29: not a saved trace: syntax error"));
    CHECK(refusal_of("{} {}").starts_with("t.json:1:4: not a saved trace: syntax error"));
    CHECK(refusal_of("{\"format\": \"\xff\"}")
              .starts_with("t.json:1:13: not a saved trace: syntax error"));
}

TEST_CASE("a schema error is told with file, line, column and key") {
    CHECK(refusal_of("[]") == "t.json:1:1: the document: expected an object, found array");
    CHECK(refusal_of("{}") ==
          "t.json:1:1: the document: key \"format\" is missing: this is no saved trace");
    CHECK(refusal_of(with_replaced("\"version\": 1", "\"version\": 2")) ==
          "t.json:3:14: version: expected version 1, found version 2; replay it with the release "
          "that wrote it");
    CHECK(refusal_of(with_replaced("\"threads\": 2", "\"threads\": null")) ==
          "t.json:17:16: bounds.threads: expected a number from 0, found null");
    CHECK(refusal_of(with_replaced("\"exactly_once_v2\"", "{}"))
              .ends_with("rules.guarantee: expected a rule value (a string), found object"));
}

TEST_CASE("long names and values of a file are cut in messages") {
    const std::string name(5000, 'n');
    CHECK(refusal_of(with_replaced("\"threads\": 2", "\"" + name + "\": null"))
              .find(std::string(60, 'n') + "...: expected a number") != std::string::npos);
    CHECK(refusal_of("{\"" + name + "\"}").size() < 350);
    CHECK(refusal_of("{\"format\": \"" + name + "\"}").size() < 200);
}

TEST_CASE("a key given twice is refused") {
    CHECK(refusal_of(with_replaced("\"partitions\": 1", "\"threads\": 1")) ==
          "t.json:18:5: a key is given twice");
}

TEST_CASE("a text nested without end is refused, not followed") {
    CHECK(refusal_of(std::string(1'000'000, '[')) ==
          "t.json:1:1: nested too deep for a saved trace");
}

TEST_CASE("no shortened trace is accepted or crashes the reader") {
    const std::string text = json_text_of(small_document());
    for (std::size_t length = 0; length + 2 < text.size(); ++length) {
        CHECK(refusal_of(std::string_view(text).substr(0, length)) != "accepted");
    }
}

}  // namespace ringfence::counterexamples
