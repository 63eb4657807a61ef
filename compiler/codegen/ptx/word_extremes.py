"""Minima and maxima of bytes and of 16-bit numbers, in the 32 bits that registers have.

LLVM narrows them to the numbers they are of. Newer generations then take two of 16 bits at once,
for which NVIDIA's assembler packs what lies in registers of its own, until there are none left.

    umax.i8(a, b)    ->    trunc(umax.i32(zext a, zext b))
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_EXTREME = re.compile(r"llvm\.([us])(min|max)\.(v\d+)?i(8|16)")


def narrow_extremes(names: Iterable[str]) -> list[str]:
    """The intrinsics among `names` that are of numbers of fewer bits than a register has."""
    return [name for name in names if _EXTREME.fullmatch(name)]


def in_words(text: str, names: Iterable[str]) -> str:
    """The module `text` with a function in the place of each intrinsic in `names`.

    The functions ask to be inlined always.
    """
    for name in names:
        found = _EXTREME.fullmatch(name)
        assert found is not None
        text = re.sub(rf"^declare [^\n]*@{re.escape(name)}\([^\n]*\n", "", text, flags=re.MULTILINE)
        text = text.replace(f"@{name}(", f"@{name.replace('llvm.', 'lift.')}(")
        text += _function(name, found)
    callees = set(re.findall(r"call [^@\n]*(@llvm\.[us](?:min|max)\.(?:v\d+)?i32)\(", text))
    for callee in sorted(callees):
        if not re.search(rf"^declare [^@\n]*{re.escape(callee)}\(", text, re.MULTILINE):
            lanes = re.search(r"\.v(\d+)", callee)
            wide = f"<{lanes[1]} x i32>" if lanes else "i32"
            text += f"declare {wide} {callee}({wide}, {wide})\n"
    return text


def _function(name: str, found: re.Match[str]) -> str:
    sign, kind, lanes = found[1], found[2], (found[3] or "")[1:]
    own, wide = (f"<{lanes} x {t}>" if lanes else t for t in (f"i{found[4]}", "i32"))
    callee = f"@llvm.{sign}{kind}.{found[3] or ''}i32"
    extended = "zext" if sign == "u" else "sext"
    return f"""
define internal {own} @{name.replace("llvm.", "lift.")}({own} %a, {own} %b) alwaysinline {{
  %x = {extended} {own} %a to {wide}
  %y = {extended} {own} %b to {wide}
  %m = call {wide} {callee}({wide} %x, {wide} %y)
  %n = trunc {wide} %m to {own}
  ret {own} %n
}}
"""
