"""C++ and Python in colours: lines of HTML, each with its number and a place to link to.

A page shows both languages in a few colours only, so one regular expression each is enough. What it
doesn't know stays as it is: colours may be off in odd sources, text never is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from markupsafe import Markup

from .plain_text import escaped

Language = Literal["c++", "python"]

_NUMBER = r"(?:0[xX][\da-fA-F']+|0[bB][01']+|(?:\d[\d'_]*)?\.?\d[\d'_]*(?:[eE][+-]?\d+)?)\w*"
_CPP_KEYWORDS = """
    alignas alignof asm auto break case catch class co_await co_return co_yield concept const
    const_cast consteval constexpr constinit continue decltype default delete do dynamic_cast else
    enum explicit export extern false final for friend goto if inline mutable namespace new noexcept
    nullptr operator override private protected public register reinterpret_cast requires restrict
    return sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename union using virtual volatile while __restrict __restrict__
"""
_CPP_TYPES = "bool char double float int long short signed unsigned void wchar_t"
_PYTHON_KEYWORDS = """
    and as assert async await break class continue def del elif else except False finally for from
    global if import in is lambda None nonlocal not or pass raise return True try while with yield
"""

_CPP = re.compile(
    r"""(?P<c>//(?:[^\n\\]|\\.)*|/\*[\s\S]*?(?:\*/|\Z))
    |(?P<s>(?:u8|[uUL])?R"(?P<raw>[^()\\\s]{0,16})\([\s\S]*?(?:\)(?P=raw)"|\Z)
        |(?:u8|[uUL])?"(?:[^"\\\n]|\\[\s\S])*"?
        |(?:u8|[uUL])?'(?:[^'\\\n]|\\.)*'?)
    |(?P<p>^[ \t]*\#[ \t]*\w*)
    |(?P<n>\b""" + _NUMBER + r""")
    |(?P<k>\b(?:""" + "|".join(_CPP_KEYWORDS.split()) + r""")\b)
    |(?P<t>\b(?:""" + "|".join(_CPP_TYPES.split()) + r"""|[A-Za-z]\w*_t)\b)
    |(?P<word>\w+)""",
    re.VERBOSE | re.MULTILINE,
)  # fmt: skip
_PYTHON = re.compile(
    r"""(?P<c>\#[^\n]*|\"{3}[\s\S]*?(?:\"{3}|\Z)|'{3}[\s\S]*?(?:'{3}|\Z))
    |(?P<s>[rbfuRBFU]{0,2}(?:"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?))
    |(?P<n>\b""" + _NUMBER + r""")
    |(?P<k>\b(?:""" + "|".join(_PYTHON_KEYWORDS.split()) + r""")\b)
    |(?P<f>(?<=def\ )\w+|\bhl\.\w+)
    |(?P<word>\w+)""",
    re.VERBOSE,
)  # fmt: skip
_PATTERNS: dict[Language, re.Pattern[str]] = {"c++": _CPP, "python": _PYTHON}


def coloured(text: str, language: Language) -> list[Markup]:
    """The lines of `text` as HTML: `<i class=k>` around keywords and so on.

    Classes: `c` comment, `s` string, `p` preprocessor, `n` number, `k` keyword, `t` type, `f` what
    is defined or belongs to the DSL. A token of several lines is marked in each.
    """
    lines: list[list[str]] = [[]]
    for kind, part in _tokens(text, _PATTERNS[language]):
        for number, piece in enumerate(part.split("\n")):
            if number:
                lines.append([])
            if piece:
                shown = str(escaped(piece))
                lines[-1].append(f"<i class={kind}>{shown}</i>" if kind else shown)
    return [Markup("".join(line)) for line in lines]  # every piece was escaped


def _tokens(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """(class or "", text), in order, without a gap; plain text in one piece."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    start = 0
    for found in pattern.finditer(text):
        if found.lastgroup == "word":
            continue
        kind = next(k for k in "cspnktf" if k in pattern.groupindex and found[k] is not None)
        if start < found.start():
            yield "", text[start : found.start()]
        yield kind, found[0]
        start = found.end()
    if start < len(text):
        yield "", text[start:]


def without_indentation(text: str) -> str:
    """A function's text without the indentation that its later lines have in the file.

    The first line begins where the function does, so it has none.
    """
    first, *rest = text.expandtabs(4).split("\n")
    depths = [len(line) - len(line.lstrip()) for line in rest if line.strip()]
    depth = min(depths, default=0)
    if first[:1].isspace():
        depth = min(depth, len(first) - len(first.lstrip())) if depths else 0
        first = first[depth:]
    return "\n".join([first, *(line[depth:] for line in rest)])


def numbered(lines: Sequence[Markup], ids: Sequence[str]) -> Markup:
    """The items of an `<ol>`, each with its id where it has one; numbers come from `start`."""
    items = (
        Markup("<li id={}>{}").format(id, line) if id else Markup("<li>{}").format(line)
        for id, line in zip(ids, lines, strict=True)
    )
    return Markup("").join(items)
