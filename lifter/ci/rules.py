"""SARIF's rules: every code of the closed list, with the help that a code-scanning page shows."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from ..model.codes import Code, all_codes
from ..show.json_report import DISTRIBUTION

_LEVELS = {"assumed": "note", "undecided": "warning", "timeout": "warning", "no-summary": "warning"}
"""What a code is by itself; every result says its own level, too."""
_SEVERITIES = {"error": "error", "warning": "warning", "note": "recommendation"}
_LONGEST = 1024
"""Characters that GitHub shows of a description."""


def rules() -> list[dict[str, Any]]:
    """A `reportingDescriptor` for each code, by name; the same for whatever was analysed."""
    return [_rule(code) for _, code in sorted(all_codes().items())]


@cache
def home_page() -> str | None:
    """The project's page, as its packaging says; None where it says none."""
    try:
        urls = metadata(DISTRIBUTION).get_all("Project-URL") or []
    except PackageNotFoundError:
        project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
        urls = [f"{k}, {v}" for k, v in project["project"].get("urls", {}).items()]
    known = {name.strip().lower(): url.strip() for name, _, url in (u.partition(",") for u in urls)}
    return known.get("documentation") or known.get("homepage")


def _rule(code: Code) -> dict[str, Any]:
    level = _LEVELS.get(code.name, "error")
    rule = {
        "id": code.name,
        "name": "".join(part.capitalize() for part in code.name.split("-")),
        "shortDescription": {"text": _cut(_first_sentence(code.meaning))},
        "fullDescription": {"text": _cut(code.meaning)},
        "help": {"text": _help(code), "markdown": _help_in_markdown(code)},
        "defaultConfiguration": {"level": level},
        "properties": {
            "tags": list(dict.fromkeys(("lift", code.room))),
            "precision": "very-high",
            "problem.severity": _SEVERITIES[level],
        },
    }
    home = home_page()
    if home is not None:
        rule["helpUri"] = f"{home.rstrip('/')}/docs/failures.md#{code.name}"
    return rule


def _first_sentence(text: str) -> str:
    head, stop, _ = text.partition(". ")
    return head + "." if stop else text


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _help(code: Code) -> str:
    ways = "\n".join(f"- {way}" for way in code.ways_out)
    return f"{code.meaning}\n\nExample:\n\n{code.example}\n\nWays out:\n\n{ways}\n"


def _help_in_markdown(code: Code) -> str:
    ways = "\n".join(f"* {way}" for way in code.ways_out)
    return f"{code.meaning}\n\n```cpp\n{code.example}\n```\n\n**Ways out**\n\n{ways}\n"
