"""Loop nests built by hand, for tests of code generation alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compiler.ir import (
    I32,
    Add,
    Broadcast,
    Const,
    Div,
    Expr,
    Load,
    Mod,
    Mul,
    Ramp,
    Type,
    Variable,
)
from compiler.ir.stmts import Argument, Block, For, LoweredFunction, Stmt, Store

I = Variable("i", I32)  # noqa: E741  the loops' counter


def field(buffer: str, name: str, dimension: int = 0) -> Variable:
    return Variable(f"{buffer}.{name}.{dimension}", I32)


def int32(value: int) -> Const:
    return Const(I32, value)


def lane_ramp(lanes: int, start: int = 0, stride: int = 1) -> Expr:
    """The index of lane l of step i of a vectorized loop: (i * lanes + l) * stride + start."""
    base = Add(Mul(I, int32(lanes * stride)), int32(start))
    return base if lanes == 1 else Ramp(base, int32(stride), lanes)


def loop(body: Stmt, extent: Expr, kind: str = "serial") -> For:
    return For("i", int32(0), extent, kind, body)  # type: ignore[arg-type]


def elementwise(
    name: str, inputs: dict[str, Type], output: Type, value: Callable[..., Expr], lanes: int = 1
) -> LoweredFunction:
    """out[j] = value(a[j], b[j], ...) in vectors of `lanes` lanes, the rest in scalars."""
    return all_elementwise(name, inputs, {"out": (output, value)}, lanes)


def all_elementwise(
    name: str,
    inputs: dict[str, Type],
    outputs: dict[str, tuple[Type, Callable[..., Expr]]],
    lanes: int = 1,
) -> LoweredFunction:
    """The same for each output and its value, one after the other: compiled once for all."""
    loops = [
        step
        for out, (_, value) in outputs.items()
        for step in _elementwise_loops(inputs, out, value, lanes)
    ]
    return _function(name, inputs, {out: type for out, (type, _) in outputs.items()}, loops)


def elementwise_in_lengths(
    name: str,
    inputs: dict[str, Type],
    output: Type,
    value: Callable[..., Expr],
    lengths: Sequence[int],
) -> LoweredFunction:
    """The same value for each of the outputs out0, out1, ..., in vectors of the n-th length."""
    outputs = {f"out{n}": output for n in range(len(lengths))}
    loops = [
        step
        for out, lanes in zip(outputs, lengths, strict=True)
        for step in _elementwise_loops(inputs, out, value, lanes)
    ]
    return _function(name, inputs, outputs, loops)


def _function(
    name: str, inputs: dict[str, Type], outputs: dict[str, Type], loops: list[Stmt]
) -> LoweredFunction:
    read = [Argument(n, type, 1) for n, type in inputs.items()]
    written = [Argument(n, type, 1, is_output=True) for n, type in outputs.items()]
    return LoweredFunction(name, (*read, *written), Block(tuple(loops)))


def _elementwise_loops(
    inputs: dict[str, Type], out: str, value: Callable[..., Expr], lanes: int
) -> list[Stmt]:
    def step(width: int, extent: Expr) -> Stmt:
        base: Expr = Mul(I, int32(width)) if width > 1 else I
        if width == 1:
            done = Mul(Div(field(out, "extent"), int32(lanes)), int32(lanes))
            base = Add(I, done) if lanes > 1 else I
        index = Ramp(base, int32(1), width) if width > 1 else base
        loads = [Load(n, (index,), t.with_lanes(width)) for n, t in inputs.items()]
        return loop(Store(out, value(*loads), index), extent)

    size = field(out, "extent")
    stmts = [step(lanes, Div(size, int32(lanes)))] if lanes > 1 else []
    stmts.append(step(1, Mod(size, int32(lanes)) if lanes > 1 else size))
    return stmts


def splat(value: int | float, type: Type) -> Expr:
    """The constant in as many lanes as `type` has."""
    scalar = Const(type.element, value)
    return scalar if type.lanes == 1 else Broadcast(scalar, type.lanes)
