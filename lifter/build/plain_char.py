"""A warning for cross builds: whether a plain `char` has a sign depends on the machine.

C++ leaves it to the implementation ([basic.fundamental]); it has one on x86-64 and none on AArch64
Linux. A source is read for one machine, and what is lifted from it has that machine's `char`.
"""

from __future__ import annotations

import json
import platform
import re
from pathlib import Path
from typing import Any

_PLAIN = re.compile(r"(?<!signed )\bchar\b")
"""`char` on its own; neither `signed char` nor `unsigned char`."""
_DECIDES = re.compile(r"--?target\b|-f(un)?signed-char")


def char_warning(folder: Path, arch: str) -> str | None:
    """What to say of the function in `folder` when it is built for `arch`, if anything.

    Nothing where its source has no plain `char`, where its flags name a machine, and where `char`
    has a sign on both machines or on neither. Looks at the function's own text and parameters.
    """
    if _has_sign(arch) == _has_sign(platform.machine()):
        return None
    data: dict[str, Any] = json.loads((folder / "summary.json").read_text("utf-8"))
    flags = data.get("flags", {}).get("clang_arguments", ())
    texts = (data.get("source", ""), *(p["type"] for p in data.get("params", ())))
    if any(map(_DECIDES.match, flags)) or not any(map(_PLAIN.search, texts)):
        return None
    has, here = ("has a sign", "has none") if _has_sign(arch) else ("has no sign", "has one")
    return (
        f"a plain char {has} on {arch}, and {here} where this was lifted: "
        f"lift it again with `-- --target={arch}-linux-gnu`"
    )


def _has_sign(arch: str) -> bool:
    return not arch.startswith(("aarch64", "arm"))
