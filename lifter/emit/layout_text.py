"""Long lines of DSL text broken where a person would break them."""

from __future__ import annotations

from itertools import pairwise

WIDTH = 99
_OPERATORS = (" + ", " - ", " | ", " || ", " && ", " & ")


def broken(head: str, text: str, indent: str, python: bool) -> list[str]:
    """`head + text` as lines of at most `WIDTH` columns where that can be had.

    Python needs parentheses around a sum over several lines, and takes a comma after the last
    argument.
    """
    line = indent + head + text
    if len(line) <= WIDTH:
        return [line]
    inner = indent + "    "
    places = _top_level(text, _OPERATORS)
    if places:
        parts = _split(text, places)
        opening, closing = ("(", ")") if python else ("", "")
        if python:
            lines = [indent + head + opening]
            lines += [piece for part in _filled(parts, inner) for piece in [inner + part]]
            return [*lines, indent + closing]
        filled = _filled(parts, inner)
        return [indent + head + filled[0], *(inner + part for part in filled[1:])]
    opening_at, closing_at = _longest_group(text)
    tail = text[closing_at:]
    if closing_at - opening_at < 20:
        return [line]
    content = text[opening_at + 1 : closing_at]
    commas = _top_level(content, (", ",))
    parts = [part.strip() for part in _split(content, commas)] if commas else [content]
    lines = [indent + head + text[: opening_at + 1]]
    if _is_select(text) and len(parts) > 3:
        parts = [part.rstrip(",") for part in parts]
        pairs = [", ".join(parts[i : i + 2]) for i in range(0, len(parts) - 1, 2)]
        parts = [pair + "," for pair in pairs] + [parts[-1]]
    if python and commas:
        parts[-1] += ","
    for part in parts:
        ending = "," if part.endswith(",") else ""
        bare = part[: len(part) - len(ending)]
        pieces = _nested(bare, inner, python) if len(inner + part) > WIDTH else [inner + bare]
        lines += [*pieces[:-1], pieces[-1] + ending]
    return [*lines, indent + tail]


def _nested(text: str, indent: str, python: bool) -> list[str]:
    """An argument over several lines: it stands in brackets already."""
    if _top_level(text, _OPERATORS):
        return broken("", text, indent, False)
    return broken("", text, indent, python)


def _is_select(text: str) -> bool:
    return text.startswith(("hl.select(", "select("))


def _longest_group(text: str) -> tuple[int, int]:
    """Where the longest pair of brackets opens and closes that stands in no other."""
    depth, start, best = 0, 0, (0, 0)
    for i, c in enumerate(text):
        if c in "([":
            start = i if depth == 0 else start
            depth += 1
        elif c in ")]":
            depth -= 1
            if depth == 0 and i - start > best[1] - best[0]:
                best = (start, i)
    return best


def _top_level(text: str, separators: tuple[str, ...]) -> list[int]:
    """Where the separators stand outside of all brackets: the index of the text after a comma,
    of the operator itself for the others."""
    depth, found = 0, []
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if depth == 0:
            for separator in separators:
                if text.startswith(separator, i):
                    found.append(i + 2 if separator == ", " else i + 1)
                    break
    return found


def _split(text: str, places: list[int]) -> list[str]:
    bounds = [0, *places, len(text)]
    return [text[a:b].strip() for a, b in pairwise(bounds)]


def _filled(parts: list[str], indent: str) -> list[str]:
    lines = [parts[0]]
    for part in parts[1:]:
        if len(indent) + len(lines[-1]) + 1 + len(part) <= WIDTH:
            lines[-1] += " " + part
        else:
            lines.append(part)
    return lines
