"""Where the machine's own headers are, as a compiler that it has on PATH says.

They stand behind ours: what a source includes that we don't have is looked for there. The compiler
is asked for its folders and for nothing else; none of the user's is run, and none of the source's
options is handed to it.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

_COMPILERS = ("gcc", "cc", "clang")
_OF_COMPILER = re.compile(r"/lib(32|64|exec)?/(gcc|clang|llvm)|/c\+\+(/|$)")
_LISTED = re.compile(r"^#include <\.\.\.>.*?$(.*?)^End of search list", re.MULTILINE | re.DOTALL)
_LIMIT = 20.0
"""Seconds for a compiler that only says where it looks."""
_OTHER_HOSTS = ("--sysroot", "-isysroot", "-nostdinc")


@dataclass(frozen=True, slots=True)
class HostHeaders:
    """The folders that a compiler looks through, in its order."""

    compiler: str
    folders: tuple[str, ...]
    """Those of the C library and of everything else that is installed for C."""
    own: tuple[str, ...]
    """Those of the compiler itself and of its C++ library, which no other compiler can read."""

    def has_of_its_own(self, header: str) -> bool:
        """Whether a header is one of the compiler's."""
        return any((Path(folder) / header).is_file() for folder in self.own)


@cache
def host_headers(language: str = "c") -> HostHeaders | None:
    """What the machine's compiler for C says, or of its `c++`; None where there is none."""
    for name in _COMPILERS:
        compiler = shutil.which(name)
        if compiler is None or not os.path.isabs(compiler):
            continue
        try:
            done = subprocess.run(
                [compiler, "-x", language, "-E", "-v", os.devnull, "-o", os.devnull],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_LIMIT,
                env={**os.environ, "LC_ALL": "C"},
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        listed = _LISTED.search(done.stderr)
        if done.returncode or listed is None:
            continue
        named = [os.path.realpath(line.strip()) for line in listed[1].splitlines() if line.strip()]
        found = [folder for folder in dict.fromkeys(named) if os.path.isdir(folder)]
        own = [folder for folder in found if _OF_COMPILER.search(folder)]
        return HostHeaders(compiler, tuple(f for f in found if f not in own), tuple(own))
    return None


def is_for_host(clang_args: Sequence[str]) -> bool:
    """Whether arguments leave it to the machine where its headers are, and are for that machine."""
    machine = platform.machine()
    for word, following in pairwise((*clang_args, "")):
        if word.startswith(_OTHER_HOSTS):
            return False
        target = following if word == "-target" else word.removeprefix("--target=")
        if word.startswith(("-target", "--target=")) and target.split("-")[0] != machine:
            return False
    return True
