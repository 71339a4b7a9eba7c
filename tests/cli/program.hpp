// Runs the built executable as a person would, and keeps its streams apart.
#pragma once

#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace ringfence::test {

// A folder of its own, gone with the object.
class Workplace {
  public:
    Workplace() {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "ringfence-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) { throw std::runtime_error("no workplace"); }
        path_ = pattern;
    }
    ~Workplace() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;

    [[nodiscard]] std::string path(const std::string& name) const {
        return (path_ / name).string();
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name)) << text;
    }
    [[nodiscard]] std::string read(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name)).rdbuf();
        return text.str();
    }
    // Files and folders, but for the streams of the last run.
    [[nodiscard]] std::size_t files() const {
        std::size_t count = 0;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(path_)) {
            const auto name = entry.path().filename();
            count += name == "stdout" || name == "stderr" ? 0 : 1;
        }
        return count;
    }

  private:
    std::filesystem::path path_;
};

struct Outcome {
    int status = 0;
    std::string out;
    std::string err;

    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out); }
};

// `arguments` are words of a shell, and so is what stands `before` the program: variables, or a
// command that runs it. Its working directory is the workplace.
inline Outcome run(const Workplace& place, const std::string& arguments,
                   const std::string& before = "") {
    const std::string command = "cd " + place.path("") + " && " + before + " " +
                                RINGFENCE_EXECUTABLE + " " + arguments +
                                " >stdout 2>stderr </dev/null";
    const int status = std::system(command.c_str());
    return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
            .out = place.read("stdout"),
            .err = place.read("stderr")};
}

inline Outcome run(const std::string& arguments, const std::string& before = "") {
    const Workplace place;
    return run(place, arguments, before);
}

}  // namespace ringfence::test
