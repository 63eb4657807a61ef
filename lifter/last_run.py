"""How each file was lifted last, so that `lift explain` can ask about it with the same options."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from .options import CACHE_FOLDER, RunOptions
from .sources import Source

_FILE = "last-run.json"
_TEXTS = ("includes", "defines", "clang_arguments", "assumptions")
_PATHS = ("models", "grammars")


def remember(options: RunOptions, sources: list[Source]) -> None:
    """Notes the options that the files of a run are lifted with."""
    if not options.cache:
        return
    used = {
        "std": options.std,
        "timeout": options.timeout,
        **{name: list(getattr(options, name)) for name in _TEXTS},
        **{name: [os.path.abspath(p) for p in getattr(options, name)] for name in _PATHS},
    }
    known = _read(options.out)
    known.update({os.path.realpath(s.path): {"folder": s.folder, **used} for s in sources})
    path = options.out / CACHE_FOLDER / _FILE
    partial = path.with_suffix(f".{os.getpid()}.partial")
    partial.write_text(json.dumps(known, indent=1))
    os.replace(partial, path)


def recall(options: RunOptions, source: Source) -> tuple[RunOptions, Source]:
    """`options` with what the file's last run into `options.out` had; as given when it had none."""
    used = _read(options.out).get(os.path.realpath(source.path))
    if used is None:
        return options, source
    texts: dict[str, Any] = {name: tuple(used[name]) for name in _TEXTS}
    paths: dict[str, Any] = {name: tuple(map(Path, used[name])) for name in _PATHS}
    options = replace(options, std=used["std"], timeout=used["timeout"], **texts, **paths)
    return options, Source(source.path, used["folder"])


def _read(out: Path) -> dict[str, Any]:
    try:
        known = json.loads((out / CACHE_FOLDER / _FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
