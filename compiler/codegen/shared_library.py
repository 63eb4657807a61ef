"""Shared libraries, linked by whatever linker the machine has; llvmlite's LLVM carries none."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from .errors import LinkError
from .target import Target

_FLAGS = ("-shared", "-z", "nodelete", "-z", "noexecstack")


def linkers(target: Target) -> list[list[str]]:
    """Commands that may link for `target`, the ones to prefer first, present or not."""
    triple = target.triple.replace("-unknown-", "-").replace("-pc-", "-")
    own = target.architecture == Target.host().architecture
    drivers = [["cc"], ["gcc"], ["clang"]] if own else []
    drivers += [[f"{triple}-gcc"], [f"{triple}-ld"]]
    return [*drivers, *([["ld"]] if own else []), ["ld.lld"]]


def link_shared(
    objects: list[Path], library: Path, target: Target, soname: str, whole: bool = False
) -> None:
    """Links `objects` to the shared library `library`, which calls itself `soname`.

    `whole` takes all of the archives among them, not what is asked for alone.

    It stays in memory once loaded, because threads of its pool never end. Raises `LinkError` when
    the machine has no linker for the target, or the linker fails.
    """
    candidates = linkers(target)
    for command in candidates:
        if shutil.which(command[0]) is None:
            continue
        is_driver = not command[0].endswith(("ld", "lld"))
        flags = ["-nostartfiles", *_for_driver(_FLAGS)] if is_driver else list(_FLAGS)
        libraries = ["-lm", "-lpthread"] if is_driver else []
        own_name = f"-Wl,-soname,{soname}" if is_driver else f"-soname={soname}"
        inputs = list(map(str, objects))
        if whole:
            before, after = "--whole-archive", "--no-whole-archive"
            glue = "-Wl," if is_driver else ""
            inputs = [glue + before, *inputs, glue + after]
        arguments = [*command, *flags, own_name, "-o", str(library), *inputs, *libraries]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False)
        if done.returncode:
            raise LinkError(f"{' '.join(arguments)} failed:\n{done.stderr.strip()}")
        return
    tried = ", ".join(command[0] for command in candidates)
    raise LinkError(
        f"no linker for {target.triple} is on this machine (looked for {tried}): install one, "
        f"or link {', '.join(o.name for o in objects)} or the static library into your program"
    )


def _for_driver(flags: tuple[str, ...]) -> list[str]:
    """The flags as a compiler driver takes them: `-z X` is the linker's."""
    passed = []
    for position, flag in enumerate(flags):
        if flag == "-z":
            passed.append(f"-Wl,-z,{flags[position + 1]}")
        elif position == 0 or flags[position - 1] != "-z":
            passed.append(flag)
    return passed
