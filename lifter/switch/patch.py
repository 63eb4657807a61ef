"""`lift patch`: the calls of lifted code as a person would write them into a source.

    for (y = 0; y < h; y++)            if (!blend_loops1_lifted_here(dst, src, h)) {
        ...                                for (y = 0; y < h; y++)
                                               ...
                                       }

What is called stands in a file of its own, `lifted_calls.c`, beside the results: it tests what the
proofs assume and runs the code of `liblifted.a`. What `lift` reads of a source doesn't change by
it: the loops are the ones that they were.
"""

from __future__ import annotations

import difflib
import errno
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from ..build.whole_library import LibraryPart, parts_of
from ..emit.put_back import PutBackCall, guards_text, is_in_place, put_back
from ..model.kernel import LIFTED_HERE

CALLS = "lifted_calls.c"
_INDENT = re.compile(rb"[ \t]*")


@dataclass(slots=True)
class Patched:
    """One source with the calls that go into it."""

    path: Path
    before: bytes
    after: bytes
    calls: list[PutBackCall] = field(default_factory=list)
    """Those that it has already among them."""
    misplaced: list[PutBackCall] = field(default_factory=list)
    """Those that it has, but not as they would be written."""

    def diff(self) -> str:
        """The change as `patch -p0` and people read it."""
        old, new = (t.decode("utf-8", "surrogateescape") for t in (self.before, self.after))
        lines = difflib.unified_diff(
            old.splitlines(keepends=True),
            new.splitlines(keepends=True),
            str(self.path),
            str(self.path),
        )
        return "".join(
            x if x.endswith("\n") else f"{x}\n\\ No newline at end of file\n" for x in lines
        )


def patched(root: Path, folders: Sequence[Path]) -> tuple[list[Patched], dict[str, str]]:
    """The sources of the results in `folders` below `root`, and why some of these don't go in.

    Raises `OSError` for a source that can't be read, `ValueError` for a broken summary.
    """
    kept: dict[str, str] = {}
    by_file: defaultdict[Path, list[PutBackCall]] = defaultdict(list)
    for part in parts_of(root, folders):
        reason = _why_not(part)
        if reason is not None:
            kept[part.interface.name] = reason
            continue
        assert part.interface.put_back is not None
        path = Path(part.interface.put_back.file)
        call = PutBackCall(
            part.interface, f"{part.name}{LIFTED_HERE}", path.suffix != ".c", by_hand=True
        )
        by_file[path].append(call)
    found = []
    for path, several in by_file.items():
        calls = []
        for call in several:
            if any(_surrounds(other, call) for other in several):
                kept[call.interface.name] = "it stands among other loops that are replaced"
            else:
                calls.append(call)
        text = path.read_bytes()
        fresh = [c for c in calls if f"{c.name}(".encode() not in text]
        misplaced = [c for c in calls if c not in fresh and not _is_in_place(text, c)]
        made = _with_calls(text, fresh) if fresh else text
        found.append(Patched(path, text, made, calls, misplaced))
    return found, kept


def write_patched(sources: Sequence[Patched], calls: Path) -> None:
    """Writes changed sources and the file with what they call: all of them, or none.

    Each is whole at any time, and stays what it is: a link, executable. Raises `OSError`, which
    names the file.
    """
    changed = [s for s in sources if s.after != s.before]
    for source in changed:
        if source.path.read_bytes() != source.before:
            raise OSError(errno.EBUSY, "it changed meanwhile", str(source.path))
    texts = {Path(os.path.realpath(s.path)): s.after for s in changed}
    texts[calls] = calls_text(sources).encode()
    made: dict[Path, Path] = {}
    try:
        for path, text in texts.items():
            if path.exists() and not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
            made[path] = partial
            partial.write_bytes(text)
            if path.exists():
                shutil.copymode(path, partial)
        for path, partial in made.items():
            partial.replace(path)
    finally:
        for partial in made.values():
            partial.unlink(missing_ok=True)


def _is_in_place(text: bytes, call: PutBackCall) -> bool:
    assert call.interface.put_back is not None
    return is_in_place(text, call, call.interface.put_back)


def _why_not(part: LibraryPart) -> str | None:
    put_back = part.interface.put_back
    if put_back is None:
        return "lifted by an older lift"
    if put_back.refused is not None:
        return put_back.refused
    if put_back.is_included:
        return "it stands in a header, which other files include, too"
    if put_back.is_instance:
        return "an instance of a template, whose text other instances share"
    if any("reinterpret_cast" in a.text for a in put_back.arguments):
        return "a member that is private"
    if len(put_back.pieces) > 1:
        return "a declaration among these loops is used after them"
    return None


def _surrounds(one: PutBackCall, other: PutBackCall) -> bool:
    """Whether the statements of a region are some of those of another one."""
    if not (one.is_region and other.is_region):
        return False
    (start, end), (inner, inner_end) = map(_ends, (one, other))
    return (start, end) != (inner, inner_end) and start <= inner and inner_end <= end


def _ends(call: PutBackCall) -> tuple[tuple[int, int], tuple[int, int]]:
    assert call.interface.put_back is not None
    line, column, end_line, end_column = call.interface.put_back.pieces[0]
    return (line, column), (end_line, end_column)


def calls_text(sources: Sequence[Patched]) -> str:
    """The file with what the sources call: C, to be compiled and linked with liblifted.a."""
    calls = [_in_c(c) for s in sources for c in s.calls]
    text, _ = guards_text(calls, hidden=False)
    return text


def _in_c(call: PutBackCall) -> PutBackCall:
    """The same call, whose guard is C."""
    return PutBackCall(call.interface, call.name, False, by_hand=True)


def _with_calls(text: bytes, calls: Sequence[PutBackCall]) -> bytes:
    lines = text.split(b"\n")
    end = b"\r\n" if lines[0].endswith(b"\r") else b"\n"
    for _, group in groupby(sorted(calls, key=_ends, reverse=True), _ends):
        lines = _in_place(lines, tuple(group), end)
    at = _after_includes(lines, min(_ends(c)[0][0] for c in calls))
    told = [c.prototype().encode() + end[:-1] for c in calls]
    comment = b"/* Lifted code; 0 where the loops behind the call must run. */" + end[:-1]
    before = [end[:-1]] if at and lines[at - 1].strip() else []
    after = [end[:-1]] if at < len(lines) and lines[at].strip() else []
    return b"\n".join([*lines[:at], *before, comment, *told, *after, *lines[at:]])


def _in_place(lines: list[bytes], calls: Sequence[PutBackCall], end: bytes) -> list[bytes]:
    """The lines with calls around the piece that they share, which is indented by a step for each:
    loops may have several formulas, one for each function that a pointer leads to."""
    call = calls[0]
    (line, column), (end_line, end_column) = _ends(call)
    first, last = lines[line - 1], lines[end_line - 1]
    head, tail = first[: column - 1], last[end_column - 1 :]
    cr = end[:-1]
    if not call.is_region and first[column - 1 :].strip():
        return _on_its_line(lines, calls)
    if not call.is_region:
        margin = _margin(lines[line : end_line - 1]) or b"    "
        told = [margin + _indented(x, b"    ") + cr for x in call.lines()[0]]
        return [*lines[:line], *told, *lines[line:]]
    if head.strip():
        return _on_its_line(lines, calls)
    indent = _margin([first])
    step = b"\t" if indent.startswith(b"\t") else b"    "
    body = [indent + first[column - 1 :], *lines[line:end_line]]
    body[-1] = body[-1][: len(body[-1]) - len(tail)] if tail else body[-1]
    opening: list[str] = []
    closing: list[str] = []
    for one in calls:
        further = "    " * len(closing)
        begin, finish = one.lines()
        opening += [further + x for x in begin]
        closing = [*(further + x for x in finish), *closing]
    depth = len(closing)
    kept = any(b'R"' in x for x in body)  # a string may go on in the next line
    moved = [
        x if kept or not x.strip() or x.lstrip().startswith(b"#") else step * depth + x
        for x in body
    ]
    moved[-1] += cr
    before = [indent + _indented(x, step) + cr for x in opening]
    behind = [indent + _indented(x, step) + cr for x in closing]
    behind[-1] = behind[-1].removesuffix(cr) + tail
    return [*lines[: line - 1], *before, *moved, *behind, *lines[end_line:]]


def _on_its_line(lines: list[bytes], calls: Sequence[PutBackCall]) -> list[bytes]:
    """The same for a piece that doesn't begin its line: no line is added."""
    return put_back(b"\n".join(lines), calls).split(b"\n")


def _indented(text: str, step: bytes) -> bytes:
    plain = text.lstrip(" ")
    return step * ((len(text) - len(plain)) // 4) + plain.encode()


def _margin(lines: Sequence[bytes]) -> bytes:
    found = [m[0] for x in lines if x.strip() and (m := _INDENT.match(x))]
    return found[0] if found else b""


def _after_includes(lines: Sequence[bytes], before: int) -> int:
    """Behind the last `#include` above a line that stands under no condition, else at the top."""
    depth, at = 0, 0
    guard = 1 if any(re.match(rb"\s*#\s*pragma once", x) for x in lines[:before]) else 0
    for number, text in enumerate(lines[:before], 1):
        word = re.match(rb"\s*#\s*(\w+)", text)
        if word is None:
            continue
        if word[1].startswith(b"if"):
            depth += 1
        elif word[1] == b"endif":
            depth -= 1
        elif word[1] == b"include" and depth == 0:
            at = number
    return at or guard
