"""Which `lift` a process is: what two machines of a run must have in common.

A kernel crosses as a pickle and its result goes into the client's cache under the client's digest,
so a worker is of use only when it runs the very same program over the same parser and solver.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version

Identity = dict[str, str]
_PACKAGES = ("libclang", "z3-solver", "numpy")


@cache
def identity() -> Identity:
    """This process's versions, by name; `tool` is the digest of the program's files."""
    from ..batch.meaning import tool_digest
    from ..show.json_report import own_version

    return {
        "python": "{}.{}".format(*sys.version_info),
        **{package: _version(package) for package in _PACKAGES},
        "lift": own_version(),
        "tool": tool_digest(),
    }


def differences(theirs: Identity, ours: Identity) -> str:
    """What is other in `theirs`, both versions of each, in words; empty when nothing is."""
    parts = [
        f"{name} {theirs.get(name, 'unknown')} instead of {ours[name]}"
        for name in ("python", *_PACKAGES, "lift")
        if theirs.get(name) != ours[name]
    ]
    if not parts and theirs.get("tool") != ours["tool"]:
        other, own = theirs.get("tool", "unknown"), ours["tool"]
        parts.append(f"lift {ours['lift']} with other files ({other[:12]} instead of {own[:12]})")
    return ", ".join(parts)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"
