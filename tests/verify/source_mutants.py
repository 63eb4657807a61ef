"""Mutants of C and C++ text: files in which functions are changed in one place each.

A change is made in the text, so that the front end reads it as it reads any source: a constant, an
operator, a comparison, a cast, another array, an assignment that is left out. What is asserted or
assumed isn't touched. Most mutants compile; those that don't are left out, by the lines that the
compiler names.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """`text[start:end]` becomes `new`; `block` numbers the macro or the outermost braces around."""

    kind: str
    start: int
    end: int
    new: str
    block: int


def _number(match: re.Match[str]) -> list[str]:
    value = int(match[0])
    return [str(value + 1), *([str(value - 1)] if value else [])]


def _hexadecimal(match: re.Match[str]) -> list[str]:
    digits, suffix = match[1], match[2]
    value = int(digits, 16)
    return [f"0x{v:0{len(digits) - 2}x}{suffix}" for v in (value ^ 1, value >> 1)]


def _fraction(match: re.Match[str]) -> list[str]:
    return [f"{float(match[1]) + step}{match[2]}" for step in (0.25, -1.0)]


def _others(*names: str) -> Callable[[re.Match[str]], list[str]]:
    def others(match: re.Match[str]) -> list[str]:
        return [match[0].replace(match[1], name) for name in names if name != match[1]]

    return others


_OPERATORS = {
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|", "<<": ">>",
    ">>": "<<", "&&": "||", "||": "&&",
}  # fmt: skip
_COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}


def _operator(match: re.Match[str]) -> list[str]:
    return [f" {_OPERATORS[match[1]]} "]


def _comparison(match: re.Match[str]) -> list[str]:
    return [f" {_COMPARISONS[match[1]]} "]


_TWINS = (
    ("packs", "packus"), ("adds_epu8", "adds_epi8"), ("subs_epu8", "subs_epi8"),
    ("adds_epu8", "add_epi8"), ("adds_epu16", "add_epi16"), ("adds_epi16", "add_epi16"),
    ("subs_epu8", "sub_epi8"), ("subs_epu16", "sub_epi16"), ("srai_epi", "srli_epi"),
    ("mulhi_epi16", "mulhi_epu16"), ("mulhi_epu16", "mullo_epi16"), ("_set_", "_setr_"),
    ("unpacklo", "unpackhi"), ("avg_epu", "max_epu"), ("max_epu", "min_epu"), ("_min_p", "_max_p"),
    ("max_epi", "min_epi"), ("max_epu8", "max_epi8"), ("min_epi16", "min_epu16"),
    ("_and_", "_andnot_"), ("_or_", "_xor_"), ("_add_epi", "_sub_epi"), ("slli_epi", "srli_epi"),
    ("shufflelo", "shufflehi"), ("cvtps_epi", "cvttps_epi"), ("cmpeq_epi", "cmpgt_epi"),
    ("cmplt_p", "cmple_p"), ("_add_p", "_sub_p"), ("hadd_", "hsub_"), ("mulhrs", "mulhi"),
)  # fmt: skip
"""Intrinsics that one may take for each other, by parts of their names."""


def _intrinsic(match: re.Match[str]) -> list[str]:
    pairs = [*_TWINS, *((b, a) for a, b in _TWINS)]
    return [match[0].replace(old, new) for old, new in pairs if old in match[0]]


_WIDTHS = ("uint8_t", "int8_t", "uint16_t", "int16_t", "uint32_t", "int32_t")
_RULES: tuple[tuple[str, str, Callable[[re.Match[str]], list[str]]], ...] = (
    ("constant", r"(?<![\w.])\d+(?![\w.])", _number),
    ("constant", r"(?<![\w.])(0x[0-9a-fA-F]+)([uUlL]*)", _hexadecimal),
    ("constant", r"(?<![\w.])(\d+\.\d+)(f?)\b", _fraction),
    ("operator", r" (\+|-|\*|/|%|&|\||\^|<<|>>|&&|\|\|) ", _operator),
    ("operator", r"(?<= )([+\-*|&])=(?= )", lambda m: [("-" if m[1] == "+" else "+") + "="]),
    ("comparison", r" (<|<=|>|>=|==|!=) ", _comparison),
    ("cast", rf"\(({'|'.join(_WIDTHS)})\)", _others("uint8_t", "int8_t", "int16_t")),
    ("cast", rf"static_cast<std::({'|'.join(_WIDTHS)})>", _others("uint8_t", "int8_t")),
    ("cast", r"\((u8|BYTE|GByte|Uint16)\)", lambda m: ["(signed char)"]),
    ("cast", r"\bconst int (?=\w+ = )", lambda m: ["const signed char "]),
    ("cast", r"(?<=  )int (?=\w+ = [^;,]+;)", lambda m: ["signed char ", "unsigned short "]),
    ("operator", r"std::(min|max)\b", _others("min", "max")),
    ("intrinsic", r"\b_mm\w*(?=\()", _intrinsic),
    ("operands", r"(\b_mm\w*\()(\w+), (\w+)(?=[,)])", lambda m: [f"{m[1]}{m[3]}, {m[2]}"]),
    ("terminal", r"\*\)\((\w+ \+ \w+)(?=[ )])", lambda m: [f"*)({m[1]} {by} 1" for by in "+-"]),
    ("operator", r"!(?=[\w(])", lambda m: [""]),
    ("terminal", r"\bsrc(?=\[)", lambda m: ["dst"]),
    ("terminal", r"(?<== )dst(?=\[)", lambda m: ["src"]),
    ("terminal", r"(?<=\w\[)(\w+)(?=\])", lambda m: [f"{m[1]} + 1", f"{m[1]} - 1"]),
    ("statement", r"(?<=\n)[ \t]+\w[\w\[\].>-]* [+\-*|&^]?= [^;{}\n]*;(?=\n)", lambda m: [";"]),
    ("statement", r"\bcontinue;", lambda m: [";"]),
    ("branch", r"\belse\b(?! if)", lambda m: [";"]),
)  # fmt: skip


def changes(text: str) -> list[Change]:
    """All changes of a source file, in no particular order."""
    bare = _bare(text)
    blocks = _blocks(text)
    found = []
    for kind, pattern, make in _RULES:
        for match in re.finditer(pattern, bare):
            block = blocks[match.start()]
            if block >= 0:
                found += [Change(kind, *match.span(), new, block) for new in make(match)]
    return found


def generations(text: str, seed: str) -> Iterator[list[Change]]:
    """One change a block at a time, until every block has had all of its own."""
    by_block: dict[int, list[Change]] = {}
    for change in changes(text):
        by_block.setdefault(change.block, []).append(change)
    for block, own in by_block.items():
        random.Random(f"{seed}/{block}").shuffle(own)
    while any(by_block.values()):
        yield [own.pop() for own in by_block.values() if own]


def applied(text: str, made: Iterable[Change]) -> str:
    """The text with changes that don't overlap; no line moves to another number."""
    for change in sorted(made, key=lambda c: -c.start):
        text = text[: change.start] + change.new + text[change.end :]
    return text


def line_of(text: str, change: Change) -> int:
    return text.count("\n", 0, change.start) + 1


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


def _without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", _blank, text, flags=re.DOTALL)


def _bare(text: str) -> str:
    """The text with everything blank that isn't to be changed, at the same places."""
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', _blank, _without_comments(text))
    text = re.sub(r"^[^\n]*\b(?:static_)?assert\b[^\n]*$", _blank, text, flags=re.MULTILINE)
    text = re.sub(r"^#[ \t]*(?:include|if|ifdef|ifndef|undef)\b[^\n]*$", _blank, text, flags=re.M)
    # The parameters of a macro aren't arithmetic, nor are those of a template.
    text = re.sub(r"^#[ \t]*define[ \t]+\w+(?:\([^)]*\))?", _blank, text, flags=re.MULTILINE)
    return re.sub(r"\btemplate <[^>]*>", _blank, text)


_MACRO = re.compile(r"^#[ \t]*define\b(?:[^\\\n]|\\.|\\\n)*", re.MULTILINE)
_MADE_BY_MACRO = re.compile(r"^[A-Z_]+\(.*\)$", re.MULTILINE)
_NAMESPACE = re.compile(r"\bnamespace\b[\w:\s]*\{")


def _blocks(text: str) -> list[int]:
    """The block of each character, -1 outside of all: a macro, its use, or outermost braces."""
    text = _without_comments(text)
    found = [-1] * len(text)
    block = 0
    for pattern in (_MACRO, _MADE_BY_MACRO):
        for match in pattern.finditer(text):
            start, end = match.span()
            found[start:end] = [block] * (end - start)
            block += 1
    opened = {m.end() - 1 for m in _NAMESPACE.finditer(text)}
    depth = 0
    for at, character in enumerate(text):
        if found[at] >= 0 and not depth:
            continue  # a macro has its own braces
        if character == "{" and at not in opened:
            depth += 1
        if depth:
            found[at] = block
        if character == "}" and depth:
            depth -= 1
            block += depth == 0
    return found
