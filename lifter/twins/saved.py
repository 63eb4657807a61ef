"""What earlier runs found of pairs that mean the same, by the digest of what they mean.

A verdict that took all its time isn't one for a run that has more.
"""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from .finding import Finding


def load(folder: str | None, key: str, timeout: float) -> Finding | None:
    """What is known of a pair; None where nothing is, or not enough."""
    if folder is None:
        return None
    try:
        data = json.loads((Path(folder) / f"{key}.json").read_text("utf-8"))
        if data["key"] != key:
            return None
        found = Finding.from_json(data["finding"])
        if found.verdict == "undecided" and timeout > data["timeout"]:
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found


def save(folder: str | None, key: str, found: Finding, timeout: float) -> None:
    """Keeps a finding; where the folder can't be written, the next run finds it anew."""
    if folder is None:
        return
    partial = Path(folder) / f"{key}.{os.getpid()}.partial"
    text = json.dumps({"key": key, "timeout": timeout, "finding": found.to_json()})
    with contextlib.suppress(OSError):
        partial.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, "utf-8")
        os.replace(partial, Path(folder) / f"{key}.json")
