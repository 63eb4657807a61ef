"""Parallel loops: the body becomes a function of its own that the runtime calls with ranges.

The function gets the addresses and numbers that the body uses from a record on the caller's
stack. The runtime stops handing out ranges when one fails and gives back the first error's code.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir import stmts
from ..ir.stmt_transform import walk
from . import streams
from .allocation import reserve_name
from .builder import FunctionBuilder, Value, i32, quoted
from .names import used
from .scope import BoundVariable, Scope

PARALLEL_FOR = "lift_parallel_for"
_Call = Callable[[Value, Value], Value]
_Body = Callable[[FunctionBuilder, Value, Scope, Value, Value], None]


def outlined(
    f: FunctionBuilder, loop: stmts.For, scope: Scope, record: Value, name: str, run: _Body
) -> _Call:
    """Makes the body's function; gives what emits its call from (min, extent), with its status.

    `run` emits the iterations of a range into a function: from its record and scope, the range's
    first value and its extent (both i64)."""
    variables, buffers = used(loop.body)
    buffers |= {reserve_name(x.buffer) for x in walk(loop.body) if isinstance(x, stmts.Allocate)}
    if any(isinstance(x, stmts.Launch) for x in walk(loop.body)):
        buffers |= scope.records()
    variables |= {streams.size_flag(n) for n in buffers & f.stream_large}
    bounds = {n: b for n, b in scope.variables.items() if n in variables}
    addresses = {n: a for n, a in scope.buffers.items() if n in buffers}
    captured = [record, *addresses.values()]
    sizes = {n: size for n, size in scope.sizes.items() if n in buffers}
    captured += sizes.values()
    for bound in bounds.values():
        captured += [bound.value] if bound.wide is None else [bound.value, bound.wide]
    layout = "{ " + ", ".join(value.type for value in captured) + " }"

    symbol = f'@"{name}.{quoted(loop.name)}.{f.module.fresh()}"'
    signature = f"i32 {symbol}(i32 %begin, i32 %end, ptr %closure)"
    attributes = streams.attributes(f.stream_stores | f.stream_large)
    body = FunctionBuilder(f.module, f"define internal {signature}{attributes}")
    body.stream_stores, body.stream_loads = f.stream_stores, f.stream_loads
    body.stream_large = f.stream_large
    inside = iter([_field(body, layout, slot, value) for slot, value in enumerate(captured)])
    inner_record = next(inside)
    inner_buffers = {n: next(inside) for n in addresses}
    inner_sizes = {n: next(inside) for n in sizes}
    inner_variables = {
        n: BoundVariable(b.type, next(inside), None if b.wide is None else next(inside))
        for n, b in bounds.items()
    }
    first = body.emit("i64", "sext i32 %begin to i64")
    end = body.emit("i64", "sext i32 %end to i64")
    extent = body.emit("i64", f"sub {end}, {first.text}")
    inner = Scope(inner_variables, inner_buffers, inner_sizes)
    run(body, inner_record, inner, first, extent)
    streams.fence(body)
    body.ret(i32(0))
    body.finish()

    def call(first: Value, extent: Value) -> Value:
        closure = f.alloca(layout)
        for slot, value in enumerate(captured):
            place = f.emit("ptr", f"getelementptr {layout}, {closure}, i32 0, i32 {slot}")
            f.do(f"store {value}, {place}{_unaligned(value)}")
        callee = f.module.declare(PARALLEL_FOR, "i32", "ptr, ptr, i32, i32")
        return f.call("i32", callee, [Value("ptr", symbol), closure, first, extent])

    return call


def _field(body: FunctionBuilder, layout: str, slot: int, value: Value) -> Value:
    place = body.emit("ptr", f"getelementptr {layout}, ptr %closure, i32 0, i32 {slot}")
    return body.emit(value.type, f"load {value.type}, {place}{_unaligned(value)}")


def _unaligned(value: Value) -> str:
    """Vectors ask for as many bytes as they are long, stack memory begins at any 16."""
    return ", align 1" if value.type.startswith("<") else ""
