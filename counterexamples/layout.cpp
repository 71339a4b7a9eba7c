#include "counterexamples/layout.hpp"

namespace ringfence::counterexamples {

namespace {

std::string_view escape_of(Paint paint) {
    switch (paint) {
        case Paint::plain: return "";
        case Paint::strong: return "\x1b[1m";
        case Paint::faint: return "\x1b[2m";
        case Paint::good: return "\x1b[32m";
        case Paint::bad: return "\x1b[31m";
        case Paint::changed: return "\x1b[33m";
    }
    return "";
}

// Takes the next word off `text`; "\n" where a line of the text itself ends.
std::string_view next_word(std::string_view& text) {
    while (!text.empty() && text.front() == ' ') { text.remove_prefix(1); }
    if (text.empty()) { return {}; }
    const std::size_t length = text.front() == '\n' ? 1 : text.find_first_of(" \n");
    const std::string_view word = text.substr(0, length);
    text.remove_prefix(word.size());
    return word;
}

}  // namespace

std::string padded(std::string_view text, std::size_t width) {
    std::string result(text);
    if (result.size() < width) { result.append(width - result.size(), ' '); }
    return result;
}

std::string right_aligned(std::string_view text, std::size_t width) {
    std::string result(text);
    if (result.size() < width) { result.insert(0, width - result.size(), ' '); }
    return result;
}

std::string wrapped(std::string_view first, std::string_view text, std::size_t indent) {
    std::string lines;
    std::string line(first);
    bool is_fresh = true;  // no word of the text stands in this line yet
    const auto end_line = [&] {
        line.erase(line.find_last_not_of(' ') + 1);
        lines += line + '\n';
        line.assign(indent, ' ');
        is_fresh = true;
    };
    while (!text.empty()) {
        const std::string_view word = next_word(text);
        if (word == "\n") {
            end_line();
            continue;
        }
        if (word.empty()) { break; }
        if (!is_fresh && line.size() + 1 + word.size() > line_width) { end_line(); }
        if (!is_fresh) { line += ' '; }
        line += word;
        is_fresh = false;
    }
    if (!is_fresh || lines.empty()) { end_line(); }
    return lines;
}

std::string printable(std::string_view text, bool keeps_line_ends) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto letter = static_cast<unsigned char>(text[i]);
        // U+0080 to U+009F, two bytes in UTF-8, steer a terminal like those below the blank.
        const bool is_high = letter == 0xc2U && i + 1 < text.size() &&
                             (static_cast<unsigned char>(text[i + 1]) & 0xe0U) == 0x80U;
        if (is_high) { letter = static_cast<unsigned char>(text[++i]); }
        const bool is_control = is_high || letter < 0x20U || letter == 0x7fU;
        if (!is_control || (letter == '\n' && keeps_line_ends)) {
            result += static_cast<char>(letter);
            continue;
        }
        result += {'\\', 'x', digits[letter >> 4U], digits[letter & 0xfU]};
    }
    return result;
}

std::string shortened(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) { return std::string(text); }
    std::size_t length = bytes_max;
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) { --length; }
    return std::string(text.substr(0, length)) + "...";
}

std::string painted(std::string_view text, Paint paint, bool is_coloured) {
    if (!is_coloured || paint == Paint::plain) { return std::string(text); }
    return std::string(escape_of(paint)) + std::string(text) + "\x1b[0m";
}

}  // namespace ringfence::counterexamples
