"""docs/failures.md from the closed list of codes: `python -m lifter.failures_page > docs/failures.md`."""

from __future__ import annotations

from .codes import Code, all_codes

_INTRODUCTION = """\
# What can go wrong, and the ways out

Every diagnostic ends in a code in brackets. This is the closed list of the codes; `lift explain
CODE` prints an entry. An *error* ends the work on one function or one file, everything else in the
run goes on; a *warning* is about the original (often a real bug in it); a *note* is for your
information. The family says whose move it is: *user* (something in the input or on the command
line), *unsupported* (C++ that lift doesn't understand yet), *undecided* (more time or more facts
may settle it), *internal* (a bug in lift).

This page is made from `lifter/codes.py` and `lifter/parse/codes.py` by
`python -m lifter.failures_page > docs/failures.md`; a test fails when they differ."""


def failures_page() -> str:
    """The whole page as Markdown: a table of contents, then an entry a code, by name."""
    codes = sorted(all_codes().values(), key=lambda c: c.name)
    rows = ["| code | severity | family | room |", "|---|---|---|---|"]
    rows += [f"| [{c.name}](#{c.name}) | {c.severity} | {c.family} | {c.room} |" for c in codes]
    return "\n\n".join([_INTRODUCTION, "\n".join(rows), *map(_entry, codes)]) + "\n"


def _entry(code: Code) -> str:
    language = "sh" if code.example.startswith("lift ") else "cpp"
    ways = "\n".join(f"* {way}" for way in code.ways_out)
    example = f"```{language}\n{code.example}\n```"
    return f"## {code.name}\n\n{code.meaning}\n\n{example}\n\nWays out:\n\n{ways}"


if __name__ == "__main__":
    print(failures_page(), end="")
