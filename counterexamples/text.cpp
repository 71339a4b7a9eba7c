#include "counterexamples/text.hpp"

#include "counterexamples/layout.hpp"

#include <algorithm>
#include <iterator>

namespace ringfence::counterexamples {

namespace {

constexpr std::size_t label_width = 14;  // of the header's left column
constexpr std::size_t gap = 2;           // between columns

// The columns of the whole trace, so that one block stands under the other.
struct Widths {
    std::size_t number = 0;
    std::size_t actor = 0;
    std::size_t verb = 0;
    std::size_t target = 0;
    std::size_t arguments = 0;
    std::size_t owner = 0;  // of a variable or computed column
    std::size_t name = 0;

    [[nodiscard]] std::size_t indent() const { return number + gap; }
};

std::string arguments_of(const Step& step) {
    std::string text;
    for (const auto& [name, value] : step.arguments) {
        if (!text.empty()) { text += ", "; }
        text += name.empty() ? value : name + " " + value;
    }
    return text;
}

Widths widths_of(const Document& document) {
    Widths widths;
    widths.number = std::max<std::size_t>(2, std::to_string(document.steps.size()).size());
    const auto raise = [](std::size_t& width, std::size_t size) { width = std::max(width, size); };
    for (const Step& step : document.steps) {
        raise(widths.actor, step.actor.size());
        raise(widths.verb, step.verb.size());
        raise(widths.target, step.target.size());
        raise(widths.arguments, arguments_of(step).size());
    }
    for (const auto* variables : {&document.initial.variables, &document.initial.columns}) {
        for (const Variable& variable : *variables) {
            raise(widths.owner, variable.actor.size());
            raise(widths.name, variable.name.size());
        }
    }
    return widths;
}

std::string list_of(const std::vector<Setting>& settings) {
    std::string list;
    for (const Setting& setting : settings) {
        if (!list.empty()) { list += ", "; }
        list += setting.name + " = " + setting.value;
    }
    return list;
}

std::string rules_of(const std::vector<Setting>& rules) {
    std::vector<Setting> unusual;
    std::ranges::copy_if(rules, std::back_inserter(unusual),
                         [](const Setting& rule) { return !rule.is_usual; });
    if (unusual.empty()) { return "all as in v2"; }
    return list_of(unusual) + (unusual.size() < rules.size() ? "; all others as in v2" : "");
}

void make_printable(std::vector<Variable>& variables) {
    for (Variable& variable : variables) {
        variable = {printable(variable.actor), printable(variable.name), printable(variable.value)};
    }
}

void make_printable(std::vector<Setting>& settings) {
    for (Setting& setting : settings) {
        setting.name = printable(setting.name);
        setting.value = printable(setting.value);
    }
}

// A document may have been read from anybody's file. Only the explanation has lines of its own.
Document made_printable(Document document) {
    Header& header = document.header;
    for (std::string* text :
         {&header.program, &header.version, &header.scenario, &header.source, &header.scheme,
          &header.law.name, &header.law.sentence, &header.law.source}) {
        *text = printable(*text);
    }
    for (auto* settings : {&header.rules, &header.bounds, &header.disturbances}) {
        make_printable(*settings);
    }
    make_printable(document.initial.variables);
    make_printable(document.initial.columns);
    for (Step& step : document.steps) {
        for (std::string* text :
             {&step.actor, &step.verb, &step.target, &step.answer, &step.reason}) {
            *text = printable(*text);
        }
        for (auto& [name, value] : step.arguments) {
            name = printable(name);
            value = printable(value);
        }
        make_printable(step.after.variables);
        make_printable(step.after.columns);
    }
    document.explanation = printable(document.explanation, true);
    return document;
}

class Renderer {
  public:
    Renderer(const Document& document, const TextOptions& options)
        : document_(made_printable(document)), options_(options), widths_(widths_of(document_)) {}

    [[nodiscard]] std::string text() {
        add_header();
        if (options_.detail != Detail::off) {
            add_initial();
            for (std::size_t i = 0; i < document_.steps.size(); ++i) { add_step(i); }
        }
        if (!document_.explanation.empty()) {
            text_ += "\n" + paint("why", Paint::strong) + "\n";
            text_ += wrapped("  ", document_.explanation, 2);
        }
        return std::move(text_);
    }

  private:
    void add_header() {
        const Header& header = document_.header;
        const std::size_t length = document_.steps.size();
        text_ += paint(header.law.name.empty() ? "a trace" : header.law.name, Paint::strong);
        text_ += header.law.name.empty() ? " of " : " is refuted in ";
        text_ += std::to_string(length) + (length == 1 ? " step\n" : " steps\n");
        add_label("law", header.law.sentence);
        add_label("law source", header.law.source);
        add_label("scenario", header.scenario);
        add_label("source", header.source);
        add_label("scheme", header.scheme);
        add_label("rules", rules_of(header.rules));
        add_label("bounds", list_of(header.bounds));
        add_label("disturbances", list_of(header.disturbances));
        add_label("program", header.program + " " + header.version);
    }

    void add_label(std::string_view label, std::string_view value) {
        if (value.empty()) { return; }
        const std::string left = "  " + padded(label, label_width);
        text_ += wrapped(left, value, left.size());
    }

    void add_initial() {
        text_ += "\n" + right_aligned("0", widths_.number) + "  initial state\n";
        if (options_.detail == Detail::full) { add_all(document_.initial.variables, {}, "  "); }
        add_all(document_.initial.columns, {}, "= ");
    }

    void add_step(std::size_t index) {
        const Step& step = document_.steps[index];
        const Situation& before = situation_before(document_, index);
        text_ += "\n";
        add_first_line(step);
        if (!step.reason.empty()) {
            const std::string indent(widths_.indent(), ' ');
            text_ += paint_lines(wrapped(indent, step.reason, indent.size()), Paint::faint);
        }
        const auto variables = changes_between(before.variables, step.after.variables);
        const auto columns = changes_between(before.columns, step.after.columns);
        if (options_.detail == Detail::full) {
            add_all(step.after.variables, variables, "  ");
        } else {
            for (const Change& change : variables) { add_change(change, "  "); }
        }
        for (const Change& change : columns) { add_change(change, "= "); }
    }

    // Number, actor, verb, target, arguments -> answer: in the trace's columns if they fit, else
    // broken where a blank stands.
    void add_first_line(const Step& step) {
        const std::string blank(gap, ' ');
        std::string line = right_aligned(std::to_string(step.number), widths_.number) + blank +
                           padded(step.actor, widths_.actor) + blank;
        const std::size_t verb_begin = line.size();
        line +=
            padded(step.verb, widths_.verb) + blank + padded(step.target, widths_.target) + blank;
        const std::string arguments = arguments_of(step);
        const std::string answer = step.answer.empty() ? "" : "-> " + step.answer;
        const std::string tail = padded(arguments, widths_.arguments) + blank + answer;
        if (line.size() + tail.size() <= line_width) {
            line += tail;
            line.erase(line.find_last_not_of(' ') + 1);
            line += '\n';
        } else {
            line = wrapped(line, arguments + " " + answer, verb_begin);
        }
        text_ += painted_first_line(line, step, verb_begin);
    }

    [[nodiscard]] std::string painted_first_line(const std::string& line, const Step& step,
                                                 std::size_t verb_begin) const {
        if (!options_.is_coloured) { return line; }
        const std::size_t verb_end = verb_begin + step.verb.size();
        const std::size_t answer_begin = line.size() - 1 - step.answer.size();
        const Paint answer = step.answer == success ? Paint::good : Paint::bad;
        std::string result = line.substr(0, verb_begin) + paint(step.verb, Paint::strong);
        if (step.answer.empty()) { return result + line.substr(verb_end); }
        return result + line.substr(verb_end, answer_begin - verb_end) +
               paint(step.answer, answer) + "\n";
    }

    // A variable's line up to its value.
    [[nodiscard]] std::string left_of(std::string_view mark, const std::string& owner,
                                      const std::string& name) const {
        return std::string(widths_.indent(), ' ') + std::string(mark) +
               padded(owner, widths_.owner) + "  " + padded(name, widths_.name) + "  ";
    }

    void add_change(const Change& change, std::string_view mark) {
        const std::string left = left_of(mark, change.actor, change.name);
        const std::string value = change.before + " -> " + change.after;
        text_ += paint_lines(wrapped(left, value, left.size()), Paint::changed);
    }

    // All variables; what `changes` lists shows its value before, too.
    void add_all(const std::vector<Variable>& variables, const std::vector<Change>& changes,
                 std::string_view mark) {
        auto next = changes.begin();
        for (const Variable& variable : variables) {
            if (next != changes.end() && next->actor == variable.actor &&
                next->name == variable.name) {
                add_change(*next, "* ");
                ++next;
                continue;
            }
            const std::string left = left_of(mark, variable.actor, variable.name);
            text_ += wrapped(left, variable.value, left.size());
        }
    }

    [[nodiscard]] std::string paint(std::string_view text, Paint paint) const {
        return painted(text, paint, options_.is_coloured);
    }

    // Paints whole lines, the last line end left outside.
    [[nodiscard]] std::string paint_lines(std::string_view lines, Paint paint_with) const {
        return paint(lines.substr(0, lines.size() - 1), paint_with) + "\n";
    }

    Document document_;
    TextOptions options_;
    Widths widths_;
    std::string text_;
};

}  // namespace

std::string text_of(const Document& document, const TextOptions& options) {
    return Renderer(document, options).text();
}

}  // namespace ringfence::counterexamples
