"""Masked loads and stores that fill no register: widened to ones that do, with the mask's zeros.

x86 has no register of 8 bytes, so LLVM widens a masked store of 8 bytes to 16 lanes and sets the
upper half of the mask to zero by a move between mask registers (KMOVB). Its register allocator
takes that move for a copy: where masks are spilled it may keep the source instead, whose upper half
is anything, and the store writes beyond its lanes. Here the widening is done before LLVM's code
generator sees the access, and the mask goes through an integer register, of which LLVM knows what
it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .target import Target

REGISTER_BITS = 128
"""The narrowest register whose lanes a mask switches."""
_MOST = 64
_ACCESS = re.compile(r"llvm\.masked\.(load|store)\.v(\d+)(i8|i16|i32|i64|f16|f32|f64|p0)\.p0")
_ELEMENTS = {"f16": "half", "f32": "float", "f64": "double", "p0": "ptr"}
_BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "f32": 32, "f64": 64, "p0": 64}


def narrow_accesses(names: Iterable[str], target: Target) -> list[str]:
    """The intrinsics among `names` whose masks LLVM would have to widen on `target`."""
    if not target.widens_masks_by_moves:
        return []
    return [name for name in names if (found := _ACCESS.fullmatch(name)) and _is_narrow(found)]


def widened(text: str, names: Iterable[str]) -> str:
    """The module `text` with a function in the place of each intrinsic in `names`.

    The functions ask to be inlined always.
    """
    declared: set[str] = set()
    for name in names:
        found = _ACCESS.fullmatch(name)
        assert found is not None
        ours = name.replace("llvm.masked", "lift.masked")
        text = re.sub(rf"^declare [^\n]*@{re.escape(name)}\([^\n]*\n", "", text, flags=re.MULTILINE)
        text = text.replace(f"@{name}(", f"@{ours}(")
        text += _function(found, name, ours, declared)
    known = set(re.findall(r"^declare [^@\n]*@([\w.]+)\(", text, flags=re.MULTILINE))
    missing = [line for line in sorted(declared) if line.split("@")[1].split("(")[0] not in known]
    return "\n".join([text, *missing, ""])


def _parts(found: re.Match[str]) -> list[tuple[int, int, int]]:
    """The accesses that one is made of: first lane, lanes, and lanes of the register that it fills.

    One for each 64 lanes, which is as much as an integer register takes.
    """
    lanes, fewest = int(found[2]), REGISTER_BITS // _BITS[found[3]]
    parts = []
    for first in range(0, lanes, _MOST):
        count = min(_MOST, lanes - first)
        parts.append((first, count, max(fewest, 1 << (count - 1).bit_length())))
    return parts


def _is_narrow(found: re.Match[str]) -> bool:
    return any(count < whole for _, count, whole in _parts(found))


def _function(found: re.Match[str], name: str, ours: str, declared: set[str]) -> str:
    """The definition of `ours`; what it calls is added to `declared`."""
    lanes, element = int(found[2]), _ELEMENTS.get(found[3], found[3])
    given = f"<{lanes} x {element}>"
    is_store = found[1] == "store"
    body: list[str] = []
    made = "poison"
    for first, count, whole in _parts(found):
        wide = f"<{whole} x {element}>"
        callee = name.replace(f".v{lanes}", f".v{whole}")
        body += [
            f"%grown{first} = {_shuffled('%value', given, range(first, first + count), whole)}",
            f"%place{first} = getelementptr {element}, ptr %place, i64 {first}",
            f"%mask{first} = {_shuffled('%mask', f'<{lanes} x i1>', range(first, first + count))}",
            *_kept(f"%mask{first}", count, whole),
        ]
        place, mask = f"ptr align 1 %place{first}", f"<{whole} x i1> %mask{first}.whole"
        if is_store:
            declared.add(f"declare void @{callee}({wide}, ptr, <{whole} x i1>)")
            body.append(f"call void @{callee}({wide} %grown{first}, {place}, {mask})")
            continue
        declared.add(f"declare {wide} @{callee}(ptr, <{whole} x i1>, {wide})")
        body.append(f"%read{first} = call {wide} @{callee}({place}, {mask}, {wide} %grown{first})")
        back = [lane - first if first <= lane < first + count else -1 for lane in range(lanes)]
        body.append(f"%back{first} = {_shuffled(f'%read{first}', wide, back)}")
        joined = [lanes + lane if first <= lane < first + count else lane for lane in range(lanes)]
        order = ", ".join(f"i32 {lane}" for lane in joined)
        body.append(
            f"%joined{first} = shufflevector {given} {made}, {given} %back{first}, "
            f"<{lanes} x i32> <{order}>"
        )
        made = f"%joined{first}"
    parameters = f"ptr %place, <{lanes} x i1> %mask"
    if is_store:
        head = f"void @{ours}({given} %value, {parameters})"
    else:
        head = f"{given} @{ours}({parameters}, {given} %value)"
    body.append("ret void" if is_store else f"ret {given} {made}")
    lines = "\n".join(f"  {line}" for line in body)
    return f"\ndefine internal {head} alwaysinline {{\n{lines}\n}}\n"


def _kept(mask: str, lanes: int, whole: int) -> list[str]:
    """Instructions that make `mask`.whole of `mask`: the same lanes, and others that are off."""
    wide = f"i{max(whole, 32)}"
    kept = f"{wide} {mask}.kept"
    return [
        f"{mask}.bits = bitcast <{lanes} x i1> {mask} to i{lanes}",
        # The machine's registers have no other integers than these.
        f"{mask}.number = {_extended(f'{mask}.bits', lanes, wide)}",
        f'{mask}.kept = call {wide} asm "", "=r,0"({wide} {mask}.number)',
        f"{mask}.low = " + (f"trunc {kept} to i{whole}" if whole < 32 else f"add {kept}, 0"),
        f"{mask}.whole = bitcast i{whole} {mask}.low to <{whole} x i1>",
    ]


def _extended(bits: str, lanes: int, wide: str) -> str:
    return f"add {wide} {bits}, 0" if f"i{lanes}" == wide else f"zext i{lanes} {bits} to {wide}"


def _shuffled(value: str, type: str, lanes: Sequence[int], count: int = 0) -> str:
    """The chosen lanes of `value`, and up to `count` of them; negative ones are open."""
    chosen = [*lanes, *[-1] * (count - len(lanes))]
    order = ", ".join(f"i32 {n}" if n >= 0 else "i32 poison" for n in chosen)
    return f"shufflevector {type} {value}, {type} poison, <{len(chosen)} x i32> <{order}>"
