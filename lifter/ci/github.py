"""GitHub Actions: annotations by workflow commands, and a summary of the job in Markdown."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from urllib.parse import quote

from ..show.visible import visible, visible_line
from .findings import ReportedFinding, Results, findings_of
from .places import Place, Places

_LONGEST_MESSAGE = 4000
_SUMMARY_BYTES = 900_000
"""GitHub drops a step's whole summary beyond 1 MiB."""
_SPECIAL = re.compile(r"[&<>\"'`*_{}\[\]()#+|~!\\:@^$=-]")


def to_github(results: Results) -> str:
    """A workflow command for each error and warning; errors first, for GitHub shows ten of each.

    Notes are no annotations: they say what a proof assumes, not that anything is wrong.
    """
    places = Places(results.root)
    findings = [f for f in findings_of(results, places) if f.level != "note"]
    return "".join(_command(finding, places) + "\n" for finding in findings)


def log_line(text: str) -> str:
    """`text` for the log of a job, without colours: nothing in it acts as a command of the runner.

    The runner takes lines that begin with `::` as commands, and `##[` anywhere in a line.
    """
    from click import unstyle

    lines = visible(unstyle(text)).replace("##[", "## [").split("\n")
    return "\n".join(re.sub(r"^(\s*):(?=:)", r"\1: ", line) for line in lines)


def summary(results: Results) -> str:
    """The job's summary: totals, then what is wrong or doubtful, with links to the lines."""
    places = Places(results.root)
    counts = Counter(case.verdict for case in results.cases)
    told = ", ".join(f"{count} {_plain(verdict)}" for verdict, count in counts.most_common())
    parts = [f"### {_plain(results.command)}: {told or 'no function'}\n\n"]
    findings = [f for f in findings_of(results, places) if f.level != "note"]
    if findings:
        parts.append("| | function | place | why |\n|---|---|---|---|\n")
    size = sum(map(len, parts))
    for number, finding in enumerate(findings):
        row = _row(finding, places)
        size += len(row.encode())
        if size > _SUMMARY_BYTES:
            parts.append(f"\nand {len(findings) - number} more: the log has all of them\n")
            break
        parts.append(row)
    return "".join(parts)


def append_summary(results: Results) -> None:
    """Adds the summary to the file that `$GITHUB_STEP_SUMMARY` names, where there is one.

    Raises `OSError` when it can't be written.
    """
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if path:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(summary(results) + "\n")


def _command(finding: ReportedFinding, places: Places) -> str:
    properties: dict[str, str] = {}
    place = finding.place
    if place is not None:
        properties |= {
            "file": visible_line(places.shown(place.file)),
            "line": str(place.line),
            "endLine": str(place.line),
            "col": str(place.column),
            "endColumn": str(place.end_column),
        }
    subject = f"{finding.function}: {finding.verdict}" if finding.function else "lift"
    properties["title"] = visible_line(f"{subject} [{finding.code}]")
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    text = f"{finding.message}\n{finding.detail}" if finding.detail else finding.message
    text = visible(text)
    if len(text) > _LONGEST_MESSAGE:
        text = text[:_LONGEST_MESSAGE] + "\n..."
    return f"::{finding.level} {written}::{_data(text)}"


def _data(text: str) -> str:
    """A command's message: what the runner turns back is `%25`, `%0D`, `%0A`."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A command's property: `:` and `,` would end it."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _row(finding: ReportedFinding, places: Places) -> str:
    mark = "❌" if finding.level == "error" else "⚠️"
    where = _link(finding.place, places) if finding.place else ""
    why = f"{_plain(finding.message)} <code>{_plain(finding.code)}</code>"
    if finding.detail:
        # GitHub's pages show neither data URIs nor SVG: pictures are characters here.
        told = f"{finding.picture}\n{finding.detail[:_LONGEST_MESSAGE]}".lstrip("\n")
        lines = "&#10;".join(map(_plain, told.split("\n")))
        why = f"<details><summary>{why}</summary><pre>{lines}</pre></details>"
    return f"| {mark} | {_plain(finding.function)} | {where} | {why} |\n"


def _link(place: Place, places: Places) -> str:
    text = _plain(f"{places.shown(place.file)}:{place.line}")
    server, repository, commit = (
        os.environ.get(f"GITHUB_{name}") for name in ("SERVER_URL", "REPOSITORY", "SHA")
    )
    uri = places.uri(place.file)
    if not (server and repository and commit) or uri.startswith("file:"):
        return text
    target = f"{quote(server, safe=':/')}/{quote(repository)}/blob/{quote(commit)}/{uri}"
    return f'<a href="{target}#L{place.line}">{text}</a>'


def _plain(text: str) -> str:
    """Text that Markdown and HTML show as it is: what they could read is a character reference."""
    return _SPECIAL.sub(lambda m: f"&#{ord(m.group())};", visible_line(text))
