"""What the result of lifting depends on, and nothing else: the name under which it is kept.

A kernel is lifted in its canonical form, which has an ordinal for each place of the source and
none of its text. So what is lifted is exactly what `meaning` digests, and a result serves every
source of the same meaning, wherever its lines are and however they are laid out: `localize` gives
it that source's places.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..model.diagnostic import Span

if TYPE_CHECKING:
    from ..model.kernel import Kernel

CANONICAL_FILE = "lift-source"
"""What the file of a canonical kernel is called."""
FIRST_LINE = 9_000_000_000
"""The line of a canonical kernel's first place: no source has as many, so texts may name it."""

_UNRELATED = frozenset(
    (
        "lifter/bench", "lifter/build", "lifter/ci", "lifter/commands", "lifter/report",
        "compiler/autosched",
        "compiler/codegen", "compiler/runtime", "compiler/visualize",
    )
)  # fmt: skip
"""Folders that play no part between a source and its result."""
_INSTALLED = Path(__file__).parents[2]
"""The folder with our packages."""
_CODE_SUFFIXES = (".py", ".h", ".hpp", ".cpp", ".grammar")
_PACKAGES = ("libclang", "z3-solver", "numpy")


def canonical(kernel: Kernel) -> tuple[Kernel, tuple[Span, ...]]:
    """The kernel without its source's text, each place replaced by its number, and those places.

    Place `i` is line `FIRST_LINE + i` of `CANONICAL_FILE`; place 0 is the function's own.
    """
    places: dict[Span, Span] = {}

    def visit(part: Any) -> Any:
        if isinstance(part, Span):
            found = places.get(part)
            if found is None:
                line = FIRST_LINE + len(places)
                found = places[part] = Span(CANONICAL_FILE, line, 1, line, 2)
            return found
        if isinstance(part, tuple):
            return tuple(map(visit, part)) if part else part
        if isinstance(part, dict):
            return {key: visit(value) for key, value in part.items()}
        if dataclasses.is_dataclass(part) and not isinstance(part, type):
            made = {f: visit(getattr(part, f)) for f in _fields(type(part))}
            return type(part)(**made)
        return part

    bare: Kernel = visit(dataclasses.replace(kernel, source="", put_back=None))
    return bare, tuple(places)


@cache
def _fields(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(kind))


def meaning(kernel: Kernel) -> str:
    """A digest of a kernel's meaning: its statements, types, callees, models, assumptions, names.

    Equal for equal meanings in any process on any machine.
    """
    return digest(canonical(kernel)[0])


def digest(value: Any) -> str:
    """A digest of plain data, dataclasses and expressions, by structure and with all types.

    Raises `TypeError` for a value of another kind.
    """
    from compiler.ir import Expr, Type, postorder

    state = hashlib.sha256()
    numbers: dict[Expr, int] = {}

    def feed(part: Any) -> None:
        if isinstance(part, Expr):
            if part not in numbers:
                for node in postorder(part):
                    if node not in numbers:
                        node_itself(node)
            state.update(b"^%d;" % numbers[part])
        elif part is None or isinstance(part, str | int):
            text = repr(part).encode()
            state.update(b"%s%d:%s;" % (type(part).__name__.encode(), len(text), text))
        elif isinstance(part, float):
            state.update(b"d" + struct.pack("<d", part))  # NaNs and zeros by their bits
        elif isinstance(part, Type):
            state.update(f"T{part};".encode())
        elif isinstance(part, tuple | list):
            state.update(b"[%d " % len(part))
            for item in part:
                feed(item)
        elif isinstance(part, dict):
            feed(tuple(part.items()))
        elif isinstance(part, Path):
            feed(str(part))
        elif dataclasses.is_dataclass(part):
            state.update(f"<{type(part).__name__} ".encode())
            for name in _fields(type(part)):  # type: ignore[arg-type]
                feed(getattr(part, name))
            state.update(b">")
        else:
            raise TypeError(f"a {type(part).__name__} has no digest")

    def node_itself(node: Expr) -> None:
        # Operands come first, so that no field leads deeper than one node.
        state.update(f"({type(node).__name__} {node.type} ".encode())
        for name in node.fields:
            feed(getattr(node, name))
        state.update(b")")
        numbers[node] = len(numbers)

    feed(value)
    return state.hexdigest()[:32]


@cache
def tool_digest() -> str:
    """A digest of what `lift` itself consists of, by contents: a mended bug must not live on.

    Equal for equal installations on any machine; with it the versions of the parser and the solver.
    """
    state = hashlib.sha256()
    for name in _own_files(_INSTALLED):
        content = (_INSTALLED / name).read_bytes()
        state.update(f"{name} {len(content)}\n".encode())
        state.update(content)
    for package in _PACKAGES:
        state.update(f"{package} {_version(package)}\n".encode())
    return state.hexdigest()[:32]


def _own_files(root: Path) -> Iterable[str]:
    """The files that a result may depend on, by their names below `root`."""
    found = []
    for package in ("lifter", "compiler"):
        for folder, inner, names in os.walk(root / package):
            below = os.path.relpath(folder, root).replace(os.sep, "/")
            inner[:] = [n for n in inner if f"{below}/{n}" not in _UNRELATED and n != "__pycache__"]
            found += [f"{below}/{n}" for n in names if n.endswith(_CODE_SUFFIXES)]
    return sorted(found)


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
