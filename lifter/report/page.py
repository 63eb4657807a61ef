"""The page as one text: the template filled in, its style and script, and a policy for both."""

from __future__ import annotations

import base64
import hashlib
import os
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ..show.json_report import own_version
from .collect import Collection
from .function_view import DECIDERS, ORIGINS, STEPS, FunctionViews
from .overview import overview
from .plain_text import finalized, visible, with_code

_HERE = Path(__file__).parent
_AT_ONCE = 400
"""Functions up to which a browser builds all of the page at once.

Of more, what belongs to a function stays text until it is opened (a `<noscript>`, which a browser
without scripts reads as any other part): 2,000 functions would be 800,000 nodes.
"""
_MARKS = {"proved": "✓", "unproved": "?", "failed": "✕", "skipped": "–"}


def page(collection: Collection, directory: Path, target: Path) -> str:
    """The HTML of a report on `directory` that is going to stand at `target`.

    Links to the emitted files are relative to it. The page asks the network for nothing and its
    policy forbids it; no script or style but its own runs there.
    """
    root = os.path.relpath(directory.resolve(), target.resolve().parent)
    views = FunctionViews("" if root == "." else root, str(directory))
    functions = [views.view(entry) for entry in collection.entries]
    style, script = _asset("page.css"), _asset("page.js")
    return (
        _environment()
        .get_template("page.html.j2")
        .render(
            directory=visible(str(directory)),
            version=own_version(),
            made=_now(),
            notes=collection.notes,
            figures=collection.figures,
            overview=overview(functions),
            lazily=len(functions) > _AT_ONCE,
            policy=_policy(style, script),
            style=Markup(style),  # ours
            script=Markup(script),  # ours
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=finalized,
    )
    environment.globals.update(origins=ORIGINS, marks=_MARKS, deciders=DECIDERS, step_names=STEPS)
    environment.filters.update(told=with_code, seconds=_seconds, count=_count, n=_number)
    return environment


@cache
def _asset(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """A content security policy: this style and this script by their digests, nothing else."""

    def source(text: str) -> str:
        digest = hashlib.sha256(text.encode()).digest()
        return f"'sha256-{base64.b64encode(digest).decode()}'"

    return (
        f"default-src 'none'; style-src {source(style)}; script-src {source(script)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _now() -> str:
    """The time, or the one that a reproducible build asks for (SOURCE_DATE_EPOCH)."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    time = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else datetime.now(UTC)
    return f"{time:%Y-%m-%d %H:%M} UTC"


def _seconds(value: float) -> str:
    """`0.06 s`, `12 s`, `3 min 20 s`, `2 h 5 min`."""
    if value < 10:
        return f"{value:.2f} s" if value >= 0.005 or not value else "< 0.01 s"
    if value < 60:
        return f"{value:.0f} s"
    minutes, rest = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def _count(value: int) -> str:
    """`12,345`."""
    return f"{value:,}"


def _number(value: float) -> str:
    """A length for SVG: at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")
