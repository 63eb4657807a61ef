"""Stores past the caches: what nobody reads soon is written to memory in whole, aligned lines.

Such stores pay only where each fills a line of its own, and rows of an image begin anywhere. So an
innermost loop that fills a streamed buffer element after element runs in strips: a strip is stored
to a piece of the stack that begins as far into a line as the row does, then its full lines are
copied out by non-temporal stores. What is left of the last line begins the next strip. The strip
never leaves the first-level cache, so that the copy costs little beside the memory's time, and what
the loop computes is what it computed before.

The ends of the row are stored as usual: the part of a line before its first whole one, and the last
iteration's share, because a vector for the remainder that overlaps it is likely to follow, and to
touch a line that has just gone out costs two turns to the memory. Their lines are asked for before
the row begins, so that no store waits for them.

        for x: f[ramp(x * 32 + r, 1, 32)] = ...
    ->  for strips of x: { for x in the strip: t[...] = ...; lines of t go to f }

Processors order non-temporal stores loosely: a function that has any ends with a fence.

Where nobody knows the sizes beforehand, the loop stands there twice: past the caches for an output
that is too large for them, and as it was for any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir import BOOL, I32, Load, Ramp, stmts
from .addresses import element_address
from .affine import distance
from .builder import FunctionBuilder, ModuleBuilder, Value, i64
from .filled_rows import Stream, streams_of
from .scope import BoundVariable, Scope

if TYPE_CHECKING:
    from ..ir.stmts import Argument
    from .expressions import Expressions
    from .statements import Statements

LINE = 64
STRIP_BYTES = 1024
"""So few that they wait in the processor's queue of stores while the loop computes the next."""
AHEAD_BYTES = 1024
LARGE_BYTES = 1 << 25
"""An output of so many bytes is gone from the caches of most machines before anybody reads it."""
_SIDES = ("extent", "stride")


def attributes(names: frozenset[str]) -> str:
    """What a function that streams the buffers `names` says of itself, after its parameters.

    A strip that only copies must not become a call of memcpy: between blocks that don't begin at
    the same byte of a line, as these, that takes as long as the memory does.
    """
    return ' "no-builtin-memcpy"' if names else ""


def run(at: Statements, loop: stmts.For, scope: Scope, first: Value, extent: Value) -> bool:
    """Writes the loop in strips where it fills streamed buffers; whether it did."""
    f = at.function
    # Memory that the loop itself allocates is no stream: it never leaves an iteration.
    here = scope.buffers.keys()
    renamed, streams = streams_of(loop, f.stream_stores & here)
    if streams:
        _in_strips(at, renamed, streams, scope, first, extent)
        return True
    renamed, streams = streams_of(loop, f.stream_large & here)
    if not streams:
        return False
    share = min(s.step * s.bytes for s in streams)
    pays = f.emit("i1", f"icmp sge {extent}, {-(-STRIP_BYTES // share)}")
    for name in {s.buffer: 0 for s in streams}:
        flag = scope.variables[size_flag(name)].value
        pays = f.emit("i1", f"and {pays}, {flag.text}")
    large, small, after = f.label("large"), f.label("small"), f.label("after")
    f.branch(pays, large, small)
    f.start(large)
    _in_strips(at, renamed, streams, scope, first, extent)
    f.jump(after)
    f.start(small)
    at.count(loop, scope, first, extent)
    f.start(after)
    return True


def size_flag(buffer: str) -> str:
    """The name of the variable that tells whether the buffer is too large for the caches."""
    return f"{buffer}.is large"


def is_large(
    f: FunctionBuilder, scope: Scope, argument: Argument, inputs: Sequence[str]
) -> BoundVariable:
    """Whether an output fills `LARGE_BYTES`, by what its dimensions span, and is none of `inputs`.

    What is overwritten in place was read just before: it is in the caches anyway.
    """
    span = i64(argument.type.bytes)
    absolute = f.module.declare("llvm.abs.i64", "i64", "i64, i1")
    larger = f.module.declare("llvm.smax.i64", "i64", "i64, i64")
    for number in range(argument.dimensions or 0):
        sides = [scope.variables[f"{argument.name}.{what}.{number}"].wide for what in _SIDES]
        extent, stride = (side for side in sides if side is not None)
        forward = f.call("i64", absolute, [stride, Value("i1", "false")])
        bytes = f.emit("i64", f"mul {forward}, {argument.type.bytes}")
        span = f.call("i64", larger, [span, f.emit("i64", f"mul {bytes}, {extent.text}")])
    pays = f.emit("i1", f"icmp sge {span}, {LARGE_BYTES}")
    place = f.emit("i64", f"ptrtoint {scope.buffers[argument.name]} to i64")
    for name in inputs:
        other = f.emit("i64", f"ptrtoint {scope.buffers[name]} to i64")
        apart = f.emit("i64", f"sub {place}, {other.text}")
        distance = f.call("i64", absolute, [apart, Value("i1", "false")])
        is_other = f.emit("i1", f"icmp sge {distance}, {LARGE_BYTES}")
        pays = f.emit("i1", f"and {pays}, {is_other.text}")
    return BoundVariable(BOOL, pays)


def _in_strips(
    at: Statements,
    loop: stmts.For,
    streams: Sequence[Stream],
    scope: Scope,
    first: Value,
    extent: Value,
) -> None:
    """The loop, whose stores `streams_of` named anew, in strips that are copied out."""
    f = at.function
    f.streams = True
    iterations = max(1, STRIP_BYTES // max(s.step * s.bytes for s in streams))
    pieces = [_Staging(f, at, stream, iterations, loop, scope, first) for stream in streams]
    for piece in pieces:
        piece.ask_for_ends(extent)
    strips = f.emit("i64", f"sdiv {f.emit('i64', f'add {extent}, {iterations - 1}')}, {iterations}")
    smaller = f.module.declare("llvm.smin.i64", "i64", "i64, i64")
    with f.counting(strips) as strip:
        done = f.emit("i64", f"mul {strip}, {iterations}")
        left = f.emit("i64", f"sub {extent}, {done.text}")
        count = f.call("i64", smaller, [left, i64(iterations)])
        begin = f.emit("i64", f"add {first}, {done.text}")
        inner = scope
        for piece in pieces:
            inner = inner.with_buffer(piece.stream.name, piece.address(begin))
        at.count(loop, inner, begin, count)
        for piece in pieces:
            piece.flush(count, f.emit("i1", f"icmp sle {left}, {iterations}"))
    for piece in pieces:
        piece.finish()


def fence(f: FunctionBuilder) -> None:
    """Makes what `f` streamed visible before anything that follows; needed at each normal exit."""
    if f.streams and f.module.target.is_x86:
        f.call("void", f.module.declare("llvm.x86.sse.sfence", "void", ""), [])


class _Staging:
    """A stream's piece of the stack, and where in memory its first line goes."""

    def __init__(
        self,
        f: FunctionBuilder,
        at: Statements,
        stream: Stream,
        iterations: int,
        loop: stmts.For,
        scope: Scope,
        first: Value,
    ) -> None:
        self.f, self.at, self.stream = f, at, stream
        self.loop, self.scope = loop, scope
        room = iterations * stream.step * stream.bytes
        self.share = stream.step * stream.bytes
        slack = 3 * LINE + self.share
        self.memory = f.alloca("i8", (room + slack) // LINE * LINE, align=LINE)
        self.line = f.alloca("ptr")  # where the piece's first line goes
        self.start = f.alloca("i64")  # the first byte of the piece that is not written yet
        self.end = f.alloca("i64")  # one beyond the last
        begin = self._first_byte(first)
        base = scope.buffers[stream.buffer]
        address = f.emit("ptr", f"getelementptr i8, {base}, {begin}")
        number = f.emit("i64", f"ptrtoint {address} to i64")
        into = f.emit("i64", f"and {number}, {LINE - 1}")
        back = f.emit("i64", f"sub i64 0, {into.text}")
        line = f.emit("ptr", f"getelementptr i8, {address}, {back}")
        f.do(f"store {line}, {self.line}")
        f.do(f"store {into}, {self.start}")
        f.do(f"store {into}, {self.end}")

    def _first_byte(self, iteration: Value) -> Value:
        """How far into the buffer the iteration's first element lies."""
        f = self.f
        narrow = f.emit("i32", f"trunc {iteration} to i32")
        scope = self.scope.with_variable(self.loop.name, BoundVariable(I32, narrow, iteration))
        element = self.at.index_in(scope, self.stream.first)
        return f.emit("i64", f"mul {element}, {self.stream.bytes}")

    def address(self, begin: Value) -> Value:
        """The buffer's address for iterations from `begin` on: their elements fall in the piece."""
        f = self.f
        end = f.emit("i64", f"load i64, {self.end}")
        shift = f.emit("i64", f"sub {end}, {self._first_byte(begin).text}")
        return f.emit("ptr", f"getelementptr i8, {self.memory}, {shift}")

    def ask_for_ends(self, extent: Value) -> None:
        """Wants the lines that are stored as usual, to write them."""
        f = self.f
        line = f.emit("ptr", f"load ptr, {self.line}")
        into = f.emit("i64", f"load i64, {self.start}")
        size = f.emit("i64", f"mul {extent}, {self.share}")
        end = f.emit("i64", f"add {size}, {into.text}")
        _ask_to_write(f, line, i64(0))
        for back in range(-self.share - LINE, LINE, LINE):
            _ask_to_write(f, line, f.emit("i64", f"add {end}, {back}"))

    def flush(self, count: Value, last: Value) -> None:
        """Sends full lines out after `count` more iterations; the rest moves to the front.

        Where these are the `last` iterations, one iteration's share of bytes stays.
        """
        f = self.f
        stored = f.emit("i64", f"mul {count}, {self.share}")
        before, start, line = self._state()
        end = f.emit("i64", f"add {before}, {stored.text}")
        kept = f.emit("i64", f"select {last}, i64 {self.share}, i64 0")
        larger = f.module.declare("llvm.smax.i64", "i64", "i64, i64")
        to_send = f.call("i64", larger, [f.emit("i64", f"sub {end}, {kept.text}"), i64(0)])
        sent = f.emit("i64", f"and {to_send}, {-LINE}")
        f.call("void", _copy_lines(f.module), [line, self.memory, start, sent, end])
        f.do(f"store {f.emit('ptr', f'getelementptr i8, {line}, {sent}')}, {self.line}")
        f.do(f"store {f.emit('i64', f'sub {end}, {sent.text}')}, {self.end}")
        none = f.emit("i1", f"icmp eq {sent}, 0")
        f.do(f"store {f.emit('i64', f'select {none}, {start}, i64 0')}, {self.start}")

    def finish(self) -> None:
        """Stores what never filled a line."""
        f = self.f
        end, start, line = self._state()
        size = f.emit("i64", f"sub {end}, {start.text}")
        to = f.emit("ptr", f"getelementptr i8, {line}, {start}")
        source = f.emit("ptr", f"getelementptr i8, {self.memory}, {start}")
        copy = f.module.declare("llvm.memcpy.p0.p0.i64", "void", "ptr, ptr, i64, i1")
        f.call("void", copy, [to, source, size, Value("i1", "false")])

    def _state(self) -> tuple[Value, Value, Value]:
        f = self.f
        end = f.emit("i64", f"load i64, {self.end}")
        start = f.emit("i64", f"load i64, {self.start}")
        return end, start, f.emit("ptr", f"load ptr, {self.line}")


def _ask_to_write(f: FunctionBuilder, line: Value, offset: Value) -> None:
    place = f.emit("ptr", f"getelementptr i8, {line}, {offset}")
    callee = f.module.declare("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
    f.do(f"call void {callee}({place}, i32 1, i32 3, i32 1)")


def _copy_lines(module: ModuleBuilder) -> str:
    """One function a module: the first `sent` bytes of a piece, full lines, go out; the others, up
    to `end`, move to its front. Of the first line only the bytes from `start` on are the row's."""
    symbol = "@lift.stream"
    if not module.once(symbol):
        return symbol
    once = module.metadata("i32 1")
    parameters = "ptr %line, ptr noalias %piece, i64 %start, i64 %sent, i64 %end"
    f = FunctionBuilder(module, f"define internal void {symbol}({parameters}) noinline nounwind")
    line, piece = Value("ptr", "%line"), Value("ptr", "%piece")
    vector, shift = f"<{LINE // 4} x i32>", LINE.bit_length() - 1
    full = f.emit("i64", f"lshr i64 %sent, {shift}")
    partly = f.emit("i1", "icmp ne i64 %start, 0")
    any_full = f.emit("i1", f"icmp ne {full}, 0")
    with f.when(any_full):
        with f.when(partly):
            to = f.emit("ptr", "getelementptr i8, ptr %line, i64 %start")
            source = f.emit("ptr", "getelementptr i8, ptr %piece, i64 %start")
            size = f.emit("i64", f"sub i64 {LINE}, %start")
            copy = module.declare("llvm.memcpy.p0.p0.i64", "void", "ptr, ptr, i64, i1")
            f.call("void", copy, [to, source, size, Value("i1", "false")])
        skipped = f.emit("i64", f"zext {partly} to i64")
        with f.counting(f.emit("i64", f"sub {full}, {skipped.text}")) as i:
            place = f.emit("i64", f"add {i}, {skipped.text}")
            source = f.emit("ptr", f"getelementptr {vector}, {piece}, {place}")
            to = f.emit("ptr", f"getelementptr {vector}, {line}, {place}")
            value = f.emit(vector, f"load {vector}, {source}, align {LINE}")
            f.do(f"store {value}, {to}, align {LINE}, !nontemporal {once}")
        rest = f.emit("i64", "sub i64 %end, %sent")
        lines = f.emit("i64", f"lshr i64 {f.emit('i64', f'add {rest}, {LINE - 1}').text}, {shift}")
        with f.counting(lines) as i:
            place = f.emit("i64", f"add {i}, {full.text}")
            source = f.emit("ptr", f"getelementptr {vector}, {piece}, {place}")
            to = f.emit("ptr", f"getelementptr {vector}, {piece}, {i}")
            value = f.emit(vector, f"load {vector}, {source}, align {LINE}")
            f.do(f"store {value}, {to}, align {LINE}")
    f.ret()
    f.finish()
    return symbol


def read_ahead(at: Expressions, load: Load, ramp: Ramp) -> None:
    """Asks for what a streamed load `AHEAD_BYTES` further on will read, past the outer caches.

    One request serves all loads of a statement that are less than a line apart.
    """
    f, size = at.function, load.type.bytes
    if load.array not in f.stream_loads:
        return
    for array, base in at.ahead:
        apart = distance(base, ramp.base) if array == load.array else None
        if apart is not None and abs(apart) * size < LINE:
            return
    at.ahead.append((load.array, ramp.base))
    address = element_address(at, load.array, load.type, at.index(ramp.base))
    place = f.emit("ptr", f"getelementptr i8, {address}, i64 {AHEAD_BYTES}")
    callee = f.module.declare("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
    f.do(f"call void {callee}({place}, i32 0, i32 0, i32 1)")
