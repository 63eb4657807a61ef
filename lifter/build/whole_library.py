"""The library of a whole run: liblifted.a, liblifted.so and lifted.h, in a folder of results.

Objects are kept in `.lift-build`, one a function and variant, named by a digest of all that they
were made of, so that a function that did not change costs nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..emit.interface import Interface, load_interface
from ..emit.library_header import library_header
from ..model.diagnostic import Diagnostic, LiftError
from .build import Scheduling, lowered
from .schedule_file import given_schedule

if TYPE_CHECKING:
    from compiler.codegen.variants import Variant

OBJECTS = ".lift-build"
_ENTRIES = (
    "emit/c_names.py",
    "emit/interface.py",
    "emit/load.py",
    "emit/expression_json.py",
    "emit/parameter_lists.py",
)
_KEPT_SECONDS = 24 * 3600
"""How long an object stays that no library has any more: somebody may switch back."""
PORTABLE_TARGETS = (None, "host", "x86-64", "aarch64")
"""Targets whose library runs on every processor of that kind; others are taken at their word."""


@dataclass(frozen=True, slots=True)
class LibraryPart:
    """One function of the library: `name` is its own unless two have it."""

    folder: Path
    name: str
    interface: Interface
    """With that name."""


@dataclass(frozen=True, slots=True)
class WholeLibrary:
    """The files; `shared` is None, and `note` says why, without a linker."""

    archive: Path
    header: Path
    shared: Path | None
    functions: int
    variants: tuple[str, ...]
    note: str | None = None


def parts_of(root: Path, folders: Sequence[Path]) -> list[LibraryPart]:
    """The functions in `folders` below `root` under the names that they have in the library.

    A name that one function has is the library's, too. Where several have it, each gets its path
    below `root` before it, as one word: `blend/basic/Add` is `blend_basic_Add`. Raises `ValueError`
    for a broken `summary.json`.
    """
    loaded = [(folder, load_interface(folder)) for folder in folders]
    often = Counter(interface.name for _, interface in loaded)
    taken = {name for name, count in often.items() if count == 1}
    parts = []
    for folder, interface in loaded:
        name = interface.name
        if often[name] > 1:
            *above, _ = folder.relative_to(root).parts
            name = _free(re.sub(r"\W+", "_", "_".join([*above, name]), flags=re.ASCII), taken)
            taken.add(name)
        parts.append(LibraryPart(folder, name, replace(interface, name=name)))
    return parts


def _free(name: str, taken: set[str]) -> str:
    if name[:1].isdigit():
        name = f"_{name}"
    number, wanted = 2, name
    while name in taken:
        name = f"{wanted}_{number}"
        number += 1
    return name


def library_variants(target: str | None) -> tuple[Variant, ...]:
    """The variants for a target as `lift build --target` names it. Raises `TargetError`."""
    from compiler.codegen.target import Target
    from compiler.codegen.variants import variants_of

    machine = Target.host() if target is None else Target.parse(target)
    return variants_of(machine, None if target in PORTABLE_TARGETS else machine)


def object_paths(
    root: Path, part: LibraryPart, variants: Sequence[Variant], scheduling: Scheduling
) -> list[Path]:
    """Where the objects of a function are kept, made or not, one a variant."""
    digest = content_digest(part.folder, scheduling)
    paths = []
    for variant in variants:
        made_of = [tools_digest(), digest, part.name, repr(variant), repr(scheduling)]
        made_of.append(" ".join(v.name for v in variants))
        key = hashlib.sha256("\n".join(made_of).encode()).hexdigest()[:32]
        paths.append(root / OBJECTS / f"{key}.o")
    return paths


def content_digest(folder: Path, scheduling: Scheduling) -> str:
    """A digest of what a function's code is made from: program, interface, place of the source, and
    the schedule that is taken from the folder. Raises `LiftError` for one that can't be read."""
    data = json.loads((folder / "summary.json").read_text("utf-8"))
    kept = {key: data.get(key) for key in ("name", "qualified_name", "symbol", "file", "line")}
    kept |= {"entry": data.get("entry"), "signature": data.get("signature")}
    state = hashlib.sha256(json.dumps(kept, sort_keys=True).encode())
    state.update((folder / "pipeline.py").read_bytes())
    schedule = given_schedule(folder, str(data.get("name")), scheduling.method)
    state.update((schedule or "").encode("utf-8", "surrogatepass"))
    return state.hexdigest()


@lru_cache(maxsize=2)
def tools_digest(with_headers: bool = False) -> str:
    """A digest of the compiler and of what here may decide about entries, about headers if so
    wished: a mended bug must not live on in objects."""
    import llvmlite

    here = Path(__file__).parents[1]
    files = [file for room in ("build", "model") for file in sorted((here / room).glob("*.py"))]
    files += sorted((here / "emit").glob("*.*") if with_headers else map(here.joinpath, _ENTRIES))
    for pattern in ("*.py", "*.ll"):
        files += sorted((here.parent / "compiler").rglob(pattern))
    state = hashlib.sha256(llvmlite.__version__.encode())
    for file in files:
        state.update(file.name.encode() + b"\n" + file.read_bytes())
    return state.hexdigest()


def compile_part(
    root: Path, part: LibraryPart, variants: Sequence[Variant], scheduling: Scheduling
) -> None:
    """Makes the objects of a function that aren't there yet. Raises what `build.lowered` raises."""
    from compiler.codegen.library import write_whole
    from compiler.codegen.variants import variant_member

    directives = _measured(part, scheduling)
    for variant, path in zip(variants, object_paths(root, part, variants, scheduling), strict=True):
        if path.is_file():
            continue
        made = lowered(part.folder, part.interface, variant.target, scheduling, directives)
        member = variant_member(made.fn, made.entry, variant, variants, part.name)
        path.parent.mkdir(exist_ok=True)
        write_whole(path, member.content)


def _measured(part: LibraryPart, scheduling: Scheduling) -> str | None:
    """What was measured on this machine is taken for every variant: others can't be timed here."""
    if scheduling.method != "Measured":
        return None
    own = load_interface(part.folder).name
    return given_schedule(part.folder, own, None)


def write_whole_library(
    root: Path,
    parts: Sequence[LibraryPart],
    variants: Sequence[Variant],
    scheduling: Scheduling,
    missing: Sequence[tuple[str, str]] = (),
) -> WholeLibrary:
    """Puts the objects of `parts` together, with the runtime once.

    `missing` names the functions that couldn't be built and says why, for the header. Raises
    `LiftError` (`output-folder`) where `root` can't be written.
    """
    from compiler.codegen.errors import LinkError
    from compiler.codegen.library import write_changed
    from compiler.codegen.variants import Member, runtime_member, symbols_of, write_library

    members = []
    used: set[Path] = set()
    for part in parts:
        entry = f"{part.name}_lifted{'_flat' if part.interface.has_vectors else ''}"
        for variant, path in zip(
            variants, object_paths(root, part, variants, scheduling), strict=True
        ):
            used.add(path)
            suffix = f".{variant.name}" if len(variants) > 1 else ""
            symbols = symbols_of(entry, variant, variants)
            members.append(Member(f"{part.name}{suffix}.o", path.read_bytes(), symbols))
    members.append(runtime_member(variants))
    archive, header = root / "liblifted.a", root / "lifted.h"
    shared: Path | None = root / "liblifted.so"
    note = None
    try:
        on_device = variants[0].target.has_device
        text = library_header([p.interface for p in parts], missing, on_device)
        write_changed(header, text.encode())
        assert shared is not None
        write_library(members, archive, shared, variants[0].target)
    except LinkError as error:
        shared, note = None, str(error)
    except OSError as error:
        raise LiftError(
            Diagnostic("output-folder", "error", f"{root} can't be written: {error.strerror}")
        ) from None
    _forget_unused(root, used)
    names = tuple(v.name for v in variants) if len(variants) > 1 else ()
    return WholeLibrary(archive, header, shared, len(parts), names, note)


def _forget_unused(root: Path, used: Iterable[Path]) -> None:
    """Removes objects that have been in no library for a day."""
    now = time.time()
    keep = set(used)
    for path in (root / OBJECTS).glob("*.o"):
        with contextlib.suppress(OSError):
            if path in keep:
                path.touch()
            elif now - path.stat().st_mtime > _KEPT_SECONDS:
                path.unlink()
