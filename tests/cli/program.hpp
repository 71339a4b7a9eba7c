// Runs the built executable as a person would, and keeps its streams apart.
#pragma once

#include <nlohmann/json.hpp>

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

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

// What a terminal is shown by a command of a shell in which all streams are that terminal, but for
// those that the command redirects. Once what is `awaited` has been
// shown, Ctrl-C is pressed.
inline std::string shown_on_terminal(const Workplace& place, const std::string& command,
                                     const std::string& awaited = "") {
    int terminal = 0;
    const pid_t process = ::forkpty(&terminal, nullptr, nullptr, nullptr);
    if (process == 0) {
        const std::string whole = "cd " + place.path("") + " && " + command;
        ::execl("/bin/sh", "sh", "-c", whole.c_str(), nullptr);
        ::_exit(127);
    }
    std::string shown;
    std::array<char, 4096> part{};
    bool is_stopped = awaited.empty();
    for (;;) {  // reading fails once nobody has the other end any more
        const ssize_t size = ::read(terminal, part.data(), part.size());
        if (size <= 0) { break; }
        shown.append(part.data(), static_cast<std::size_t>(size));
        if (!is_stopped && shown.find(awaited) != std::string::npos) {
            is_stopped = ::write(terminal, "\x03", 1) == 1;
        }
    }
    ::close(terminal);
    ::waitpid(process, nullptr, 0);
    return shown;
}

// The program while it runs, for signals. Deadlines are generous: they are there to end a test that
// fails, not to measure.
class Running {
  public:
    Running(const Workplace& place, const std::string& arguments) : place_(place) {
        const std::string command = "cd " + place.path("") + " && exec " + RINGFENCE_EXECUTABLE +
                                    " " + arguments + " >stdout 2>stderr </dev/null";
        process_ = ::fork();
        if (process_ == 0) {
            ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
            ::_exit(127);
        }
        wait_until([this] { return catches(SIGUSR1); });
    }
    ~Running() {
        if (process_ <= 0) { return; }
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    void send(int signal) const { ::kill(process_, signal); }

    // Asks for a progress line and waits for it: from then on the search is well under way.
    void wait_for_progress() const {
        send(SIGUSR1);
        wait_until([this] { return !place_.read("stderr").empty(); });
    }

    // Asks again and again, until the search is that deep.
    void wait_for_depth(int depth) const {
        static const std::string label = ", depth ";
        wait_until([&] {
            send(SIGUSR1);
            const std::string lines = place_.read("stderr");
            const std::size_t last = lines.rfind(label);
            return last != std::string::npos &&
                   std::atoi(lines.c_str() + last + label.size()) >= depth;
        });
    }

    Outcome end() {
        int status = 0;
        wait_until([&] { return ::waitpid(process_, &status, WNOHANG) == process_; });
        process_ = 0;
        return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
                .out = place_.read("stdout"),
                .err = place_.read("stderr")};
    }

  private:
    template <class Condition>
    static void wait_until(const Condition& holds) {
        constexpr int patience = 3000;
        for (int tries = 0; !holds(); ++tries) {
            if (tries == patience) { throw std::runtime_error("waited in vain"); }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }

    // Does it have a handler already? Before that a signal would end it.
    [[nodiscard]] bool catches(int signal) const {
        std::ifstream status("/proc/" + std::to_string(process_) + "/status");
        for (std::string word; status >> word;) {
            if (word != "SigCgt:") { continue; }
            std::uint64_t caught = 0;
            status >> std::hex >> caught;
            return (caught >> (signal - 1) & 1U) != 0;
        }
        return false;
    }

    const Workplace& place_;
    pid_t process_ = 0;
};

}  // namespace ringfence::test
