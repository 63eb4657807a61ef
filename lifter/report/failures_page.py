"""Writes docs/failures.md to stdout: `python -m lifter.report.failures_page`."""

from __future__ import annotations

from ..model.codes import Code, all_codes

_INTRODUCTION = """\
# What can go wrong, and the ways out

Every diagnostic ends in a code in brackets. This is the closed list of the codes; `lift explain
CODE` prints an entry. An *error* ends the work on one function or one file, everything else in the
run goes on; a *warning* is about the original (often a real bug in it); a *note* is for your
information. They are listed here by the room of the program that reports them.

This page is made from `lifter/model/codes.py` and `lifter/model/parse_codes.py` by
`python -m lifter.report.failures_page > docs/failures.md`; a test fails when they differ."""


def failures_page() -> str:
    """The whole page as Markdown: a table of contents, then an entry a code, by name."""
    codes = sorted(all_codes().values(), key=lambda c: c.name)
    by_room: dict[str, list[str]] = {}
    for code in codes:
        by_room.setdefault(code.room, []).append(f"[{code.name}](#{code.name})")
    contents = "\n".join(f"* {room}: {', '.join(names)}" for room, names in by_room.items())
    return "\n\n".join([_INTRODUCTION, contents, *map(_entry, codes)]) + "\n"


def _entry(code: Code) -> str:
    language = "sh" if code.example.startswith("lift ") else "cpp"
    ways = "\n".join(f"* {way}" for way in code.ways_out)
    example = f"```{language}\n{code.example}\n```"
    return f"## {code.name}\n\n{code.meaning}\n\n{example}\n\nWays out:\n\n{ways}"


if __name__ == "__main__":
    print(failures_page(), end="")
