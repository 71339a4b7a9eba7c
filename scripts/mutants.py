"""Finds the conditions of a C++ source and makes a text in which each can be switched.

Not a C++ parser: it reads tokens and brackets, and relies on the layout that .clang-format makes (a
comparison stands between blanks, a template bracket does not; a block is opened after a blank).

Every mutant is compiled into the same text and has a number; mutant(7) is true while mutant 7 is
switched on. So all of them cost one build, and trying one costs one run:

    if (a && b == c)   ->   if ((m(1) || (!m(2) && ((m(3) || (a)) && (m(4) || ((b == c) != m(5)))))))
"""

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/|^[ \t]*\#[^\n]*)
      | (?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
      | (?P<word>[A-Za-z_]\w*)
      | (?P<number>\d[\w.']*)
      | (?P<sign><=>|->\*?|\.\*|::|<<=|>>=|<<|>>|&&|\|\||[=!<>+\-*/%&|^]=|\+\+|--|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
NOT_TAKEN = {"static_assert", "assert", "sizeof", "decltype", "alignas", "noexcept", "constexpr"}
CONSTANTS = {"true", "false", "default", "delete"}
PREDICATES = {"any_of", "all_of", "none_of", "find_if", "count_if", "copy_if"}


@dataclass
class Mutant:
    file: str
    function: str
    line: int
    condition: str  # as it stands, blanks collapsed
    becomes: str
    number: int = 0

    @property
    def key(self):
        return (self.file, self.function, self.condition, self.becomes)


@dataclass
class Item:
    """A token, or a pair of brackets with what is between them."""

    text: str  # the token, or the opening bracket
    start: int
    end: int
    after_blank: bool
    before_blank: bool = False
    inner: list | None = None  # None: a token


def read_items(source):
    stack = [Item("", 0, len(source), False, inner=[])]
    after_blank = False
    for match in TOKEN.finditer(source):
        if match.lastgroup == "blank":
            if stack[-1].inner:
                stack[-1].inner[-1].before_blank = True
            after_blank = True
            continue
        item = Item(match.group(), match.start(), match.end(), after_blank)
        after_blank = False
        if match.lastgroup == "sign" and item.text in CLOSING:
            item.inner = []
            stack.append(item)
        elif match.lastgroup == "sign" and item.text in CLOSING.values():
            group = stack.pop()
            group.end = item.end
            stack[-1].inner.append(group)
        else:
            stack[-1].inner.append(item)
    assert len(stack) == 1, "unbalanced brackets"
    return stack[0].inner


class Finder:
    """Walks over one source; collects mutants and the places to write them in."""

    def __init__(self, file, source, first_number, skipped_functions=()):
        self.file = file
        self.source = source
        self.number = first_number
        self.skipped_functions = skipped_functions
        self.function = ""
        self.mutants = []
        self.wraps = []  # (start, end, before, behind), outer ones first
        self.replaced = {}  # operator start -> (end, text)
        self.statements(read_items(source), False)

    # ---- statements ----

    def statements(self, items, returns_bool):
        segment = []
        for item in items:
            if item.inner is None and item.text in {";", ","}:
                self.segment(segment, returns_bool)
                segment = []
                continue
            before = segment[-1].text if segment and segment[-1].inner is None else ""
            segment.append(item)
            is_value = before in {"return", "="}
            if item.text == "{" and item.after_blank and not is_value:
                self.segment(segment, returns_bool)
                segment = []
        self.segment(segment, returns_bool)

    def segment(self, items, returns_bool):
        items = self.skip_control(items)
        if not items:
            return
        if items[0].text == "return":
            self.value(items[1:], returns_bool or self.is_boolean(items[1:]), "return")
            return
        for index, item in enumerate(items):
            if item.inner is None and item.text in ASSIGNMENTS and index > 0:
                words = {left.text for left in items[:index] if left.inner is None}
                self.expression(items[:index])
                self.value(items[index + 1 :], "bool" in words, "declaration")
                return
        if len(items) == 1 and items[0].text == "{":
            self.statements(items[0].inner, returns_bool)
        elif items[-1].text == "{" and items[-1].after_blank:
            self.definition(items)
        else:
            self.expression(items)

    def skip_control(self, items):
        index = 0
        while index < len(items):
            text = items[index].text
            if text in {"else", "do"}:
                index += 1
            elif text in {"case", "default", "public", "private"}:
                while index < len(items) and items[index].text != ":":
                    index += 1
                index += 1
            elif text in {"if", "while", "for", "switch"} and index + 1 < len(items):
                if items[index + 1].inner is None:  # if constexpr
                    index += 2
                else:
                    self.control(text, items[index + 1].inner)
                    index += 1
                index += 1
            else:
                break
        return items[index:]

    def control(self, keyword, items):
        parts = [[]]
        for item in items:
            if item.text == ";" and item.inner is None:
                parts.append([])
            else:
                parts[-1].append(item)
        if keyword == "for" and len(parts) == 3:
            self.segment(parts[0], False)
            self.condition(parts[1], "loop")
        elif keyword in {"for", "switch"}:
            self.expression(items)
        elif any(item.text == "=" for item in parts[-1] if item.inner is None):
            self.segment(parts[-1], False)  # if (const auto x = ...)
        else:
            for part in parts[:-1]:
                self.segment(part, False)
            self.condition(parts[-1], "loop" if keyword == "while" else "if")

    def definition(self, items):
        """A function, a class or a namespace."""
        items = self.without_template(items)
        opening = next((i for i, item in enumerate(items) if item.text == "("), None)
        if opening is None or items[0].text in {"class", "struct", "enum", "namespace"}:
            self.statements(items[-1].inner, False)
            return
        if items[0].text == "[" and items[0].inner is not None and opening == 1:  # a lambda
            self.statements(items[-1].inner, self.in_predicate)
            return
        name = items[opening - 1].text
        if name in self.skipped_functions:
            return
        outer, self.function = self.function, name
        for item in items[opening + 1 : -1]:  # what a constructor initialises
            if item.inner is not None:
                self.bracket(item, "", False)
        returns_bool = any(item.text == "bool" for item in items[:opening])
        self.statements(items[-1].inner, returns_bool)
        self.function = outer

    @staticmethod
    def without_template(items):
        """What its parameters are says nothing about the function."""
        if items[0].text != "template":
            return items
        end = next(index for index, item in enumerate(items) if item.text == ">")
        return items[end + 1 :]

    # ---- expressions ----

    def value(self, items, is_condition, role):
        if is_condition:
            self.condition(items, role)
        else:
            self.expression(items)

    def condition(self, items, role):
        if not items or (len(items) == 1 and items[0].text in CONSTANTS):
            return
        # One check dropped from a conjunction passes always, one from a disjunction never.
        drops = {"&&": ["true"], "||": ["false"], "loop": ["false"]}
        before, behind = "", ""
        for becomes in drops.get(role, ["true", "false"]):
            number = self.add(items, becomes)
            before += f"(mutant({number}) || " if becomes == "true" else f"(!mutant({number}) && "
            behind += ")"
        self.wrap(items, before + "(", ")" + behind)
        self.expression(items, is_whole=len(drops.get(role, "tf")) == 2, is_loop=role == "loop")

    def expression(self, items, is_whole=False, is_loop=False):
        if not items:
            return
        question = self.find(items, {"?"})
        if question:
            self.condition(items[: question[0]], "?")
            colon = self.matching_colon(items, question[0])
            self.expression(items[question[0] + 1 : colon])
            self.expression(items[colon + 1 :])
            return
        for sign in ("||", "&&"):
            found = self.find(items, {sign})
            if found:
                bounds = [-1, *found, len(items)]
                for left, right in zip(bounds, bounds[1:]):
                    # The first operand is what ends a loop: it is not dropped.
                    role = "loop" if is_loop and left == -1 else sign
                    self.condition(items[left + 1 : right], role)
                return
        for signs in ({"==", "!="}, set(BOUNDARY)):
            found = self.find(items, signs)
            if found:
                self.comparison(items, found[-1], is_whole, is_loop)
                return
        for index, item in enumerate(items):
            if item.inner is not None:
                self.bracket(item, items[index - 1].text if index > 0 else "", True)

    def comparison(self, items, index, is_whole, is_loop):
        sign = items[index].text
        sides = [self.text(items[:index]), self.text(items[index + 1 :])]
        if not is_whole and not is_loop:
            number = self.add(items, f"{sides[0]} {OPPOSITE[sign]} {sides[1]}")
            self.wrap(items, "((", f") != mutant({number}))")
        if sign in BOUNDARY and not is_loop:
            number = self.add(items, f"{sides[0]} {BOUNDARY[sign]} {sides[1]}")
            names = {"<": "less", "<=": "less_or_equal", ">": "greater", ">=": "greater_or_equal"}
            self.wrap(items, f"{names[sign]}({number}, ", ")")
            self.replaced[items[index].start] = (items[index].end, ",")
        self.expression(items[:index])
        self.expression(items[index + 1 :])

    def bracket(self, item, before, may_be_lambda):
        if before in NOT_TAKEN:
            return
        if item.text == "{" and item.after_blank and may_be_lambda:
            self.statements(item.inner, self.in_predicate)
            return
        outer = self.in_predicate
        if item.text == "(":
            self.in_predicate = before in PREDICATES
        self.statements(item.inner, False)
        self.in_predicate = outer

    in_predicate = False

    # ---- small things ----

    def find(self, items, signs):
        return [
            i
            for i, item in enumerate(items)
            if item.inner is None
            and item.text in signs
            and (item.text == "?" or (item.after_blank and item.before_blank))
            and i > 0
            and items[i - 1].text not in {"operator", "template"}
        ]

    def matching_colon(self, items, question):
        depth = 0
        for index in range(question, len(items)):
            depth += {"?": 1, ":": -1}.get(items[index].text, 0)
            if depth == 0:
                return index
        raise ValueError("a ? without its :")

    def is_boolean(self, items):
        signs = {"&&", "||", *OPPOSITE}
        return bool(items) and (
            (items[0].text == "!" or bool(self.find(items, signs))) and not self.find(items, {"?"})
        )

    def text(self, items):
        return " ".join(self.source[items[0].start : items[-1].end].split())

    def add(self, items, becomes):
        self.number += 1
        line = self.source.count("\n", 0, items[0].start) + 1
        self.mutants.append(
            Mutant(self.file, self.function, line, self.text(items), becomes, self.number)
        )
        return self.number

    def wrap(self, items, before, behind):
        self.wraps.append((items[0].start, items[-1].end, before, behind))

    # ---- the text with all mutants in it ----

    def instrumented(self):
        openings, closings = {}, {}
        for order, (start, end, before, behind) in enumerate(self.wraps):
            openings.setdefault(start, []).append((-end, order, before))
            closings.setdefault(end, []).append((-start, -order, behind))
        pieces, at = [], 0
        for place in sorted({*openings, *closings, *self.replaced}):
            pieces.append(self.source[at:place])
            at = place
            pieces += [text for *_, text in sorted(closings.get(place, []))]
            pieces += [text for *_, text in sorted(openings.get(place, []))]
            if place in self.replaced:
                at, text = self.replaced[place]
                pieces.append(text)
        return "".join(pieces) + self.source[at:]


# Compiled in front of every source of the copy.
HEADER = """\
#pragma once
#include <cstdlib>
#include <type_traits>
namespace ringfence {
inline const int mutant_switched_on = [] {
    const char* text = std::getenv("RINGFENCE_MUTANT");
    return text == nullptr ? 0 : std::atoi(text);
}();
constexpr bool mutant(int number) {
    return !std::is_constant_evaluated() && mutant_switched_on == number;
}
template <class A, class B>
constexpr bool less(int number, const A& a, const B& b) {
    return mutant(number) ? a <= b : a < b;
}
template <class A, class B>
constexpr bool less_or_equal(int number, const A& a, const B& b) {
    return mutant(number) ? a < b : a <= b;
}
template <class A, class B>
constexpr bool greater(int number, const A& a, const B& b) {
    return mutant(number) ? a >= b : a > b;
}
template <class A, class B>
constexpr bool greater_or_equal(int number, const A& a, const B& b) {
    return mutant(number) ? a > b : a >= b;
}
}  // namespace ringfence
"""
