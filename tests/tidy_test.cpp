// Style is a test: sizes, directions of #include, complete catalogues, words that do not belong.
#include "properties/catalogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct SourceFile {
    std::string path;  // from the root of the repository
    std::vector<std::string> lines;

    [[nodiscard]] std::string folder() const {
        const std::size_t slash = path.find('/');
        return slash == path.npos ? "" : path.substr(0, slash);
    }
    [[nodiscard]] bool is_code() const { return path.ends_with(".hpp") || path.ends_with(".cpp"); }
    [[nodiscard]] bool is_test() const { return folder() == "tests"; }
};

SourceFile read(const fs::path& root, const fs::path& path) {
    SourceFile file{.path = fs::relative(path, root).generic_string()};
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);) { file.lines.push_back(line); }
    return file;
}

bool is_foreign(const fs::path& directory) {
    const std::string name = directory.filename().string();
    return name == "build" || name == "traces" || (name.starts_with('.') && name != ".ci");
}

// Every text file that belongs to the repository.
const std::vector<SourceFile>& all_files() {
    static const std::vector<SourceFile> files = [] {
        static constexpr std::array<std::string_view, 8> endings{".hpp", ".cpp",   ".md",   ".toml",
                                                                 ".txt", ".cmake", ".json", ""};
        const fs::path root = RINGFENCE_SOURCE_DIR;
        std::vector<SourceFile> found;
        for (auto entry = fs::recursive_directory_iterator(root);
             entry != fs::recursive_directory_iterator(); ++entry) {
            if (entry->is_directory()) {
                if (is_foreign(entry->path())) { entry.disable_recursion_pending(); }
                continue;
            }
            const std::string ending = entry->path().extension().string();
            if (std::ranges::find(endings, std::string_view(ending)) != endings.end()) {
                found.push_back(read(root, entry->path()));
            }
        }
        return found;
    }();
    return files;
}

std::vector<SourceFile> code_in(std::string_view folder) {
    std::vector<SourceFile> chosen;
    std::ranges::copy_if(all_files(), std::back_inserter(chosen), [&](const SourceFile& file) {
        return file.is_code() && file.folder() == folder;
    });
    return chosen;
}

std::vector<SourceFile> code() {
    std::vector<SourceFile> chosen;
    std::ranges::copy_if(all_files(), std::back_inserter(chosen), &SourceFile::is_code);
    return chosen;
}

std::vector<std::string> includes_of(const SourceFile& file, char opening) {
    std::vector<std::string> includes;
    for (const std::string& line : file.lines) {
        if (!line.starts_with("#include ") || line[9] != opening) { continue; }
        const char closing = opening == '<' ? '>' : '"';
        includes.push_back(line.substr(10, line.rfind(closing) - 10));
    }
    return includes;
}

void expect_only_includes(std::string_view folder, const std::vector<std::string_view>& allowed) {
    for (const SourceFile& file : code_in(folder)) {
        for (const std::string& include : includes_of(file, '"')) {
            const bool is_allowed = std::ranges::any_of(
                allowed, [&](std::string_view prefix) { return include.starts_with(prefix); });
            CHECK_MESSAGE(is_allowed, file.path, " includes ", include);
        }
    }
}

void expect_no_word(const SourceFile& file, const std::regex& word) {
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
        const std::string& line = file.lines[i];
        CHECK_MESSAGE(!std::regex_search(line, word), file.path, ":", i + 1, ": ", line);
    }
}

// Length of the block that ends in line `end`, which is a closing brace alone: from the nearest
// line above that begins in the same column. clang-format decides layout, so this is a function
// (or a block within one, which is no longer).
std::size_t block_length(const std::vector<std::string>& lines, std::size_t end) {
    const std::size_t column = lines[end].find('}');
    std::size_t begin = end;
    while (begin > 0) {
        --begin;
        const std::size_t first = lines[begin].find_first_not_of(' ');
        const bool is_label = first == column && lines[begin].ends_with(':');
        if (first == column && !is_label && lines[begin][first] != '}') { break; }
    }
    return end - begin + 1;
}

}  // namespace

TEST_CASE("files are short") {
    for (const SourceFile& file : code()) {
        const std::size_t lines_max = file.is_test() ? 600 : 400;
        CHECK_MESSAGE(file.lines.size() <= lines_max, file.path, " has ", file.lines.size());
    }
}

TEST_CASE("lines of code are at most 100 columns wide") {
    for (const SourceFile& file : code()) {
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            CHECK_MESSAGE(file.lines[i].size() <= 100, file.path, ":", i + 1);
        }
    }
}

TEST_CASE("functions have at most 70 lines") {
    for (const SourceFile& file : code()) {
        if (file.is_test()) { continue; }
        for (std::size_t i = 0; i < file.lines.size(); ++i) {
            const bool ends_function = file.lines[i] == "}" || file.lines[i] == "    }";
            if (!ends_function) { continue; }
            CHECK_MESSAGE(block_length(file.lines, i) <= 70, file.path, ":", i + 1);
        }
    }
}

TEST_CASE("the checker knows nothing of Kafka") {
    expect_only_includes("checker", {"checker/"});
    for (const SourceFile& file : code_in("checker")) {
        expect_no_word(file, std::regex("kafka", std::regex::icase));
    }
}

TEST_CASE("the model knows nothing of the search") {
    expect_only_includes("model", {"model/", "checker/model.hpp"});
}

TEST_CASE("the laws know the model and what a property is") {
    expect_only_includes("properties", {"properties/", "model/", "checker/property.hpp"});
}

TEST_CASE("telling a trace needs no model") {
    expect_only_includes("counterexamples", {"counterexamples/", "checker/"});
}

TEST_CASE("every include is spelled from the root of the repository") {
    for (const SourceFile& file : code()) {
        for (const std::string& include : includes_of(file, '"')) {
            // The generated source of the shipped scenarios includes a header that exists, too.
            CHECK_MESSAGE(fs::exists(fs::path(RINGFENCE_SOURCE_DIR) / include), file.path,
                          " includes ", include);
        }
    }
}

TEST_CASE("only one file starts work on other cores") {
    for (const SourceFile& file : code()) {
        if (file.path == "checker/parallel.hpp") { continue; }
        for (const std::string& include : includes_of(file, '<')) {
            const bool is_ours_to_avoid = include.starts_with("tbb/") || include == "future";
            CHECK_MESSAGE(!is_ours_to_avoid, file.path, " includes ", include);
        }
    }
}

TEST_CASE("libraries do not print") {
    const std::regex printing(R"(\b(std::cout|std::cerr|std::puts|std::f?printf|fmt::print)\b)");
    for (const SourceFile& file : code()) {
        const bool may_print = file.is_test() || file.folder() == "cli" ||
                               file.folder() == "bench" || file.path == "main.cpp";
        if (!may_print) { expect_no_word(file, printing); }
    }
}

TEST_CASE("model, checker and laws do without inheritance and shared state") {
    const std::regex word(R"(\b(virtual|std::function|std::shared_ptr|thread_local)\b)");
    for (const std::string_view folder : {"model", "checker", "properties"}) {
        for (const SourceFile& file : code_in(folder)) { expect_no_word(file, word); }
    }
}

TEST_CASE("headers open with what they are for") {
    for (const SourceFile& file : code()) {
        if (!file.path.ends_with(".hpp") || file.lines.empty()) { continue; }
        CHECK_MESSAGE(file.lines.front().starts_with("// "), file.path);
        const bool is_guarded =
            std::ranges::find(file.lines, std::string("#pragma once")) != file.lines.end();
        CHECK_MESSAGE(is_guarded, file.path);
    }
}

TEST_CASE("nothing is left to do, and no file knows a machine") {
    // Spelled in two parts, so that this file does not find itself.
    const std::regex left_over(
        "\\bTO"
        "DO\\b|\\bFIX"
        "ME\\b");
    const std::regex machine(
        "/ho"
        "me/|/ro"
        "ot/|/wo"
        "rk/|/Us"
        "ers/");
    for (const SourceFile& file : all_files()) {
        expect_no_word(file, left_over);
        expect_no_word(file, machine);
    }
}

TEST_CASE("every law has its file, and every file in properties its law") {
    static constexpr std::array<std::string_view, 3> shared{"catalogue", "laws", "witnesses"};
    std::vector<std::string> files;
    for (const SourceFile& file : code_in("properties")) {
        const std::string stem = fs::path(file.path).stem().string();
        const bool is_shared = std::ranges::find(shared, std::string_view(stem)) != shared.end();
        if (file.path.ends_with(".cpp") && !is_shared) { files.push_back(stem); }
    }
    std::vector<std::string> laws;
    for (const auto& law : ringfence::properties::laws()) { laws.emplace_back(law.name); }
    std::ranges::sort(files);
    std::ranges::sort(laws);
    CHECK(files == laws);
}

TEST_CASE("every law says what it means, where it comes from and why it fell") {
    for (const auto& law : ringfence::properties::laws()) {
        CAPTURE(law.name);
        CHECK(!law.sentence.empty());
        CHECK(!law.source.empty());
        CHECK((law.explain_state != nullptr || law.explain_step != nullptr));
    }
}
