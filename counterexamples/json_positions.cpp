#include "counterexamples/json_positions.hpp"

#include <algorithm>

namespace ringfence::counterexamples {

namespace {

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    [[nodiscard]] JsonPositions positions() {
        scan_value("");
        return std::move(positions_);
    }

  private:
    void scan_value(const std::string& pointer) {
        skip_blanks();
        positions_.offsets.try_emplace(pointer, at_);
        switch (letter()) {
            case '{': return scan_object(pointer);
            case '[': return scan_array(pointer);
            case '"': scan_string(); return;
            default: at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
        }
    }

    void scan_object(const std::string& pointer) {
        ++at_;
        for (skip_blanks(); letter() != '}'; skip_separator()) {
            const std::size_t key_begin = at_;
            const std::string member = pointer + "/" + scan_string();
            if (!positions_.offsets.contains(member)) {
                skip_blanks();
                ++at_;  // the colon
                scan_value(member);
                continue;
            }
            if (!positions_.repeated) {
                positions_.repeated = member;
                positions_.offsets[member] = key_begin;
            }
            skip_blanks();
            ++at_;
            scan_value(member);
        }
        ++at_;
    }

    void scan_array(const std::string& pointer) {
        ++at_;
        std::size_t index = 0;
        for (skip_blanks(); letter() != ']'; skip_separator()) {
            scan_value(pointer + "/" + std::to_string(index++));
        }
        ++at_;
    }

    // Returns the string escaped for a JSON pointer. Unicode escapes stay as they are: such a key
    // is found under its written form only.
    std::string scan_string() {
        std::string result;
        for (++at_; letter() != '"'; ++at_) {
            if (letter() == '\\') {
                ++at_;
                if (letter() != '"' && letter() != '\\' && letter() != '/') { result += '\\'; }
            }
            if (letter() == '~') {
                result += "~0";
            } else if (letter() == '/') {
                result += "~1";
            } else {
                result += letter();
            }
        }
        ++at_;
        return result;
    }

    void skip_separator() {
        skip_blanks();
        if (letter() == ',') { ++at_; }
        skip_blanks();
    }

    void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

    [[nodiscard]] char letter() const { return text_.at(at_); }

    std::string_view text_;
    std::size_t at_ = 0;
    JsonPositions positions_;
};

}  // namespace

Position position_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    return {.line = 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
            .column = before.size() - line_begin + 1};
}

JsonPositions positions_of(std::string_view text) { return Scanner(text).positions(); }

}  // namespace ringfence::counterexamples
