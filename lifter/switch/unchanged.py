"""What one call of `lift cc` has made is taken again where nothing has changed that it was made of.

That is what the compiler sees of the source and of all that it includes, after its preprocessor,
with the macros that are defined on the way; the call itself; the compiler, and `lift`. So the next
build costs a run of the preprocessor, which notes dependencies as ever.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from .compiler_call import CompilerCall
from .outcome import Outcome, Switching

_ELSEWHERE = re.compile(rb"pch_preprocess|\.incbin|#\s*embed")
"""What a text says whose object is made of more than the text."""
_ENVIRONMENT = ("COMPILER_PATH", "GCC_EXEC_PREFIX", "LIBRARY_PATH", "SOURCE_DATE_EPOCH", "PATH")
_KEPT = "outcome.json"
_TRANSIENT = frozenset({"internal", "killed", "memory", "timeout"})
"""Codes of functions that may lift the next time."""


class Unchanged:
    """What a call is made of, and what it had made when it was made of the same."""

    def __init__(self, call: CompilerCall, wanted: Switching, work: Path) -> None:
        self._work = work
        self._digest = _digest(call, wanted, work)

    @property
    def has_noted(self) -> bool:
        """Whether dependencies are noted."""
        return self._digest is not None

    def outcome(self) -> Outcome | None:
        """What the same had become; None where it wasn't the same, or isn't known."""
        if self._digest is None:
            return None
        try:
            data = json.loads((self._work / _KEPT).read_text("utf-8"))
            if data["digest"] != self._digest:
                return None
            object = self._work / "joined.o" if data["content"] else None
            if object is not None and _content(object) != data["content"]:
                return None
            return Outcome(list(data["switched"]), dict(data["kept"]), object, data["warnings"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, outcome: Outcome) -> None:
        """Keeps what has become of it for the next time. Raises `OSError`."""
        if not outcome.is_lasting or self._digest is None:
            return
        if _TRANSIENT & set(outcome.kept.values()):
            return
        data = {
            "digest": self._digest,
            "content": _content(outcome.object) if outcome.object is not None else "",
            "switched": outcome.switched,
            "kept": outcome.kept,
            "warnings": outcome.warnings,
        }
        (self._work / _KEPT).write_text(json.dumps(data), "utf-8")


def _content(object: Path) -> str:
    return hashlib.sha256(object.read_bytes()).hexdigest()


def _digest(call: CompilerCall, wanted: Switching, work: Path) -> str | None:
    """A digest of all that the object is made of; None where that can't be told."""
    if any(word.startswith(("-Xclang", "-fplugin", "-specs")) for word, *_ in call.options):
        return None
    written = work / "preprocessed.txt"
    command = call.compiling(call.source, written, ["-E", "-dD", "-w"])
    try:
        done = subprocess.run(command, capture_output=True, check=False)
        text = written.read_bytes() if done.returncode == 0 else b""
        written.unlink(missing_ok=True)
        if not text or _ELSEWHERE.search(text):
            return None
        state = hashlib.sha256(text)
        for part in (*_words(call, wanted), *_files(call, wanted, work)):
            state.update(f"\n{len(part)} {part}".encode("utf-8", "surrogateescape"))
    except OSError:
        return None
    return state.hexdigest()


def _words(call: CompilerCall, wanted: Switching) -> Iterator[str]:
    yield repr((os.getcwd(), call.compiler, call.options, str(call.source), str(call.output)))
    yield repr((wanted.functions, wanted.several, wanted.lift_options, wanted.parallel))
    for name in _ENVIRONMENT:
        yield f"{name}={os.environ.get(name)}"
    yield from sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("LIFT_"))


def _files(call: CompilerCall, wanted: Switching, work: Path) -> Iterator[str]:
    """Compilers, models, schedules that people wrote, and `lift` itself, as they are now.

    Raises `OSError`.
    """
    for word in call.compiler:
        yield _state(Path(os.path.realpath(shutil.which(word) or word)))
    for option, value in zip(wanted.lift_options, wanted.lift_options[1:], strict=False):
        if option == "--model":
            yield _state(Path(value))
    for path in sorted(work.rglob("*.schedule*")):
        yield _state(path)
    here = Path(__file__).parents[1]
    for package in (here, here.parent / "compiler"):
        for folder, _, names in sorted(os.walk(package)):
            for name in sorted(names):
                if not name.endswith(".pyc"):
                    yield _state(Path(folder, name))


def _state(path: Path) -> str:
    found = path.stat()
    return f"{path} {found.st_size} {found.st_mtime_ns}"
