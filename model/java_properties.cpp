#include "model/java_properties.hpp"

#include "model/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace ringfence::model {

namespace {

bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\f'; }

// A letter of a logical line, and where it stands. Continuation lines are joined already.
struct Letter {
    char letter;
    TextPosition at;
};

struct LogicalLine {
    std::vector<Letter> letters;
    TextPosition end;
};

// Takes a text apart into logical lines, without blank lines and comments.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : rest_(text) {}

    [[nodiscard]] std::optional<LogicalLine> next() {
        while (!rest_.empty()) {
            LogicalLine line = natural_line();
            const bool is_comment = !line.letters.empty() && (line.letters.front().letter == '#' ||
                                                              line.letters.front().letter == '!');
            if (line.letters.empty() || is_comment) { continue; }
            while (drop_continuation(line) && !rest_.empty()) {
                const LogicalLine more = natural_line();
                line.letters.insert(line.letters.end(), more.letters.begin(), more.letters.end());
                line.end = more.end;
            }
            if (!line.letters.empty()) { return line; }
        }
        return std::nullopt;
    }

  private:
    // One line of the text without its leading blanks and its end: \n, \r or \r\n.
    LogicalLine natural_line() {
        const std::size_t length = std::min(rest_.find_first_of("\r\n"), rest_.size());
        const std::string_view text = rest_.substr(0, length);
        ++line_;
        LogicalLine line{.letters = {}, .end = {line_, length + 1}};
        std::size_t i = 0;
        while (i < length && is_blank(text[i])) { ++i; }
        for (; i < length; ++i) { line.letters.push_back({text[i], {line_, i + 1}}); }
        rest_.remove_prefix(length);
        rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : rest_.empty() ? 0 : 1);
        return line;
    }

    // An odd number of backslashes at the end: the last one is no part of the line.
    static bool drop_continuation(LogicalLine& line) {
        std::size_t backslashes = 0;
        while (backslashes < line.letters.size() &&
               line.letters[line.letters.size() - 1 - backslashes].letter == '\\') {
            ++backslashes;
        }
        if (backslashes % 2 == 0) { return false; }
        line.letters.pop_back();
        return true;
    }

    std::string_view rest_;
    std::size_t line_ = 0;
};

// Turns the letters of one logical line into a key and a value.
class PropertyReader {
  public:
    PropertyReader(const LogicalLine& line, std::string_view path) : line_(line), path_(path) {}

    [[nodiscard]] Property read() {
        Property property{.key = {}, .value = {}, .key_at = here(), .value_at = {}};
        while (!is_at_end() && !is_separator(peek())) { append(property.key); }
        skip_blanks();
        if (!is_at_end() && (peek() == '=' || peek() == ':')) { ++next_; }
        skip_blanks();
        property.value_at = here();
        while (!is_at_end()) { append(property.value); }
        return property;
    }

  private:
    static bool is_separator(char letter) {
        return is_blank(letter) || letter == '=' || letter == ':';
    }
    [[nodiscard]] bool is_at_end() const { return next_ == line_.letters.size(); }
    [[nodiscard]] char peek() const { return line_.letters[next_].letter; }
    [[nodiscard]] TextPosition here() const {
        return is_at_end() ? line_.end : line_.letters[next_].at;
    }
    void skip_blanks() {
        while (!is_at_end() && is_blank(peek())) { ++next_; }
    }

    // One letter, or one escape.
    void append(std::string& text) {
        const TextPosition at = here();
        char letter = line_.letters[next_++].letter;
        if (letter != '\\') {
            text += letter;
            return;
        }
        if (is_at_end()) { return; }
        letter = line_.letters[next_++].letter;
        switch (letter) {
            case 't': text += '\t'; return;
            case 'n': text += '\n'; return;
            case 'r': text += '\r'; return;
            case 'f': text += '\f'; return;
            case 'u': append_character(text, at); return;
            default: text += letter;
        }
    }

    // Characters beyond U+FFFF are written as two escapes, a surrogate pair.
    void append_character(std::string& text, const TextPosition& at) {
        constexpr std::uint32_t high = 0xD800, low = 0xDC00, end = 0xE000, beyond = 0x10000;
        std::uint32_t code = hexadecimal(at);
        const bool has_second = next_ + 1 < line_.letters.size() && peek() == '\\' &&
                                line_.letters[next_ + 1].letter == 'u';
        if (code >= high && code < low && has_second) {
            const std::size_t before = next_;
            next_ += 2;
            const std::uint32_t second = hexadecimal(line_.letters[before].at);
            if (second >= low && second < end) {
                code = beyond + ((code - high) << 10U) + (second - low);
            } else {
                next_ = before;
            }
        }
        append_utf_8(text, code);
    }

    [[nodiscard]] std::uint32_t hexadecimal(const TextPosition& at) {
        constexpr std::size_t digits = 4;
        std::string text;
        while (text.size() < digits && !is_at_end()) { text += line_.letters[next_++].letter; }
        std::uint32_t code = 0;
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, code, 16);
        if (text.size() < digits || error != std::errc{} || stop != end) {
            throw ConfigurationError(fmt::format(
                "{}:{}:{}: \"\\u{}\" is no character, expected four hexadecimal digits (Java: "
                "malformed \\uxxxx encoding)",
                path_, at.line, at.column, text));
        }
        return code;
    }

    static void append_utf_8(std::string& text, std::uint32_t code) {
        const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
        const auto continued = [code](unsigned shift) { return 0x80U | ((code >> shift) & 0x3FU); };
        if (code < 0x80) {
            add(code);
        } else if (code < 0x800) {
            add(0xC0U | (code >> 6U));
            add(continued(0));
        } else if (code < 0x10000) {
            add(0xE0U | (code >> 12U));
            add(continued(6));
            add(continued(0));
        } else {
            add(0xF0U | (code >> 18U));
            add(continued(12));
            add(continued(6));
            add(continued(0));
        }
    }

    const LogicalLine& line_;
    std::string_view path_;
    std::size_t next_ = 0;
};

}  // namespace

std::vector<Property> read_properties(std::string_view text, std::string_view path) {
    std::vector<Property> properties;
    LineReader lines(text);
    while (const auto line = lines.next()) {
        properties.push_back(PropertyReader(*line, path).read());
    }
    return properties;
}

}  // namespace ringfence::model
