"""Which of LLVM's intrinsics its code generator for NVIDIA's GPUs has instructions for.

Of others it knows none and ends the process: "Cannot select". So each that stands in a module is
looked up here, before LLVM translates the module. `tests/codegen/test_ptx_selectable.py` translates
all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...ir.errors import HalideError

_INTEGERS = ("i8", "i16", "i32", "i64")
_FLOATS = ("f16", "f32", "f64")
_WITHOUT = ("",)

SELECTABLE: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("smin", "smax", "umin", "umax"), _INTEGERS),
    **dict.fromkeys(("sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"), _INTEGERS),
    **dict.fromkeys(("abs", "ctpop", "ctlz", "cttz", "fshl", "fshr"), _INTEGERS),
    **dict.fromkeys(("bitreverse", "scmp", "ucmp"), _INTEGERS),
    "bswap": ("i16", "i32", "i64"),
    **dict.fromkeys(("sqrt", "fabs", "floor", "ceil", "trunc", "roundeven"), _FLOATS),
    **dict.fromkeys(("arithmetic.fence", "is.fpclass", "fma", "copysign"), _FLOATS),
    **dict.fromkeys(("minnum", "maxnum"), _FLOATS),
    **dict.fromkeys(("masked.load", "masked.store", "masked.gather", "masked.scatter"),
                    (*_INTEGERS, *_FLOATS)),
    **dict.fromkeys(("lifetime.start", "lifetime.end", "assume", "memset", "memcpy", "memmove",
                     "experimental.noalias.scope.decl"), _WITHOUT),
    **{f"nvvm.read.ptx.sreg.{name}.{dimension}": _WITHOUT
       for name in ("ctaid", "tid") for dimension in "xyz"},
    **{f"nvvm.idp4a.{types}": _WITHOUT for types in ("u.u", "u.s", "s.s")},
    "nvvm.barrier.cta.sync.aligned.all": _WITHOUT,
    **dict.fromkeys(("nvvm.cp.async.commit.group", "nvvm.cp.async.wait.group",
                     "nvvm.cp.async.ca.shared.global.4", "nvvm.cp.async.ca.shared.global.8",
                     "nvvm.cp.async.cg.shared.global.16"), _WITHOUT),
    **dict.fromkeys((f"nvvm.shfl.sync.{way}" for way in ("idx", "up", "down", "bfly")), ("i32",)),
}  # fmt: skip
"""By name, the types of a lane that it may have."""

_NAME = re.compile(r"llvm\.(?P<name>.*?)(?P<types>(\.(v\d+)?(p\d+|[if]\d+))*)$")


def split_name(intrinsic: str) -> tuple[str, str]:
    """(`smax`, `i8`) for `llvm.smax.v4i8`: the intrinsic, and the type of a lane, if any."""
    found = _NAME.match(intrinsic)
    if found is None:
        return intrinsic, ""
    types = re.findall(r"\.(?:v\d+)?([if]\d+)", found["types"])
    return found["name"], types[0] if types else ""


def check_selectable(names: Iterable[str]) -> None:
    """Raises `HalideError` where a function or intrinsic of LLVM has no code on the device."""
    for full in names:
        name, type = split_name(full)
        types = SELECTABLE.get(name)
        if types is None or (types is not _WITHOUT and type not in types):
            raise HalideError(f"no instruction of the device does {full}: compute it on the host")
