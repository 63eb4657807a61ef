"""Assembly of small kernels, for tests that look for instructions in it."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from compiler import ir
from compiler.codegen import emit
from compiler.ir import Cast, Expr, Load, Type, reduce_lanes
from compiler.ir.stmts import Argument, For, LoweredFunction, Store

from .kernels import field, lane_ramp, splat

Maker = Callable[..., Expr]


def to(type: Type, e: Expr) -> Expr:
    return Cast(type.with_lanes(e.type.lanes), e)


def clamp(e: Expr, low: int | float, high: int | float) -> Expr:
    return ir.Max(ir.Min(e, splat(high, e.type)), splat(low, e.type))


def of(fn: LoweredFunction, target: str) -> str:
    """The text of the function's assembly."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "f.s"
        emit(fn, "assembly", path, target)
        return path.read_text()


def of_kernel(make: Maker, inputs: list[Type], output: Type, target: str, lanes: int = 64) -> str:
    """out[j] = make(a[j], b[j], ...) for whole vectors."""
    names = dict(zip("abcd", inputs, strict=False))
    loads = [Load(n, (lane_ramp(lanes),), t.with_lanes(lanes)) for n, t in names.items()]
    store = Store("out", make(*loads), lane_ramp(lanes))
    body = For("i", ir.const(0), field("out", "stride"), "serial", store)
    arguments = [Argument(n, t, 1) for n, t in names.items()]
    return of(LoweredFunction("f", (*arguments, Argument("out", output, 1, True)), body), target)


def of_sums(make: Maker, inputs: list[Type], sum_type: Type, size: int, target: str) -> str:
    """out[j] += the sum of make(a, b) over `size` elements from j * size on."""
    lanes, groups = 64, 64 // size
    loads = [
        Load(name, (lane_ramp(lanes),), type.with_lanes(lanes))
        for name, type in zip("ab", inputs, strict=False)
    ]
    index = lane_ramp(groups)
    total = ir.Add(
        Load("out", (index,), sum_type.with_lanes(groups)),
        reduce_lanes("add", make(*loads), groups),
    )
    body = For("i", ir.const(0), field("out", "extent"), "serial", Store("out", total, index))
    arguments = [Argument(n, t, 1) for n, t in zip("ab", inputs, strict=False)]
    return of(LoweredFunction("f", (*arguments, Argument("out", sum_type, 1, True)), body), target)


def instructions(text: str) -> set[str]:
    """The names of all instructions in the text."""
    return set(re.findall(r"^\t([a-z]\S*)", text, re.MULTILINE))
