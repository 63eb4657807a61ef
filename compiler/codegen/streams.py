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
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import ir
from ..ir import I32, I64, Cast, Const, Expr, Load, Ramp, Variable, stmts
from .addresses import element_address
from .affine import as_ramp, constant_stride, distance, terms
from .builder import Function, Module, Value, i64
from .names import expressions
from .scope import Bound, Scope

if TYPE_CHECKING:
    from .expressions import Expressions
    from .statements import Statements

LINE = 64
STRIP_BYTES = 4096
LARGEST_STEP = 4096
"""Bytes that one iteration may store; a wider one leaves no room for a strip."""
AHEAD_BYTES = 1024


@dataclass(frozen=True)
class _Stream:
    """What one iteration stores to `buffer`: `step` elements in a row from `first` on."""

    buffer: str
    first: Expr
    """With the lets of the loop's body put in: over the loop's variable and outer ones."""
    step: int
    bytes: int
    """Of one element."""


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
    streams = _streams(loop, f.stream_stores & scope.buffers.keys())
    if not streams:
        return False
    f.streams = True
    rounds = max(1, STRIP_BYTES // max(s.step * s.bytes for s in streams))
    pieces = [_Staging(f, at, stream, rounds, loop, scope, first) for stream in streams]
    for piece in pieces:
        piece.ask_for_ends(extent)
    strips = f.emit("i64", f"sdiv {f.emit('i64', f'add {extent}, {rounds - 1}')}, {rounds}")
    smaller = f.module.declare("llvm.smin.i64", "i64", "i64, i64")
    with f.counting(strips) as strip:
        done = f.emit("i64", f"mul {strip}, {rounds}")
        left = f.emit("i64", f"sub {extent}, {done.text}")
        count = f.call("i64", smaller, [left, i64(rounds)])
        begin = f.emit("i64", f"add {first}, {done.text}")
        inner = scope
        for piece in pieces:
            inner = inner.with_buffer(piece.stream.buffer, piece.address(begin))
        at.count(loop, inner, begin, count)
        for piece in pieces:
            piece.flush(count, f.emit("i1", f"icmp sle {left}, {rounds}"))
    for piece in pieces:
        piece.finish()
    return True


def fence(f: Function) -> None:
    """Makes what `f` streamed visible before anything that follows; needed at each normal exit."""
    if f.streams and f.module.target.is_x86:
        f.call("void", f.module.declare("llvm.x86.sse.sfence", "void", ""), [])


class _Staging:
    """A stream's piece of the stack, and where in memory its first line goes."""

    def __init__(
        self,
        f: Function,
        at: Statements,
        stream: _Stream,
        rounds: int,
        loop: stmts.For,
        scope: Scope,
        first: Value,
    ) -> None:
        self.f, self.at, self.stream = f, at, stream
        self.loop, self.scope = loop, scope
        room = rounds * stream.step * stream.bytes
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
        scope = self.scope.with_variable(self.loop.name, Bound(I32, narrow, iteration))
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


def _ask_to_write(f: Function, line: Value, offset: Value) -> None:
    place = f.emit("ptr", f"getelementptr i8, {line}, {offset}")
    callee = f.module.declare("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
    f.do(f"call void {callee}({place}, i32 1, i32 3, i32 1)")


def _copy_lines(module: Module) -> str:
    """One function a module: the first `sent` bytes of a piece, full lines, go out; the others, up
    to `end`, move to its front. Of the first line only the bytes from `start` on are the row's."""
    symbol = "@lift.stream"
    if not module.once(symbol):
        return symbol
    once = module.metadata("i32 1")
    parameters = "ptr %line, ptr noalias %piece, i64 %start, i64 %sent, i64 %end"
    f = Function(module, f"define internal void {symbol}({parameters}) noinline nounwind")
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


def _streams(loop: stmts.For, names: frozenset[str]) -> list[_Stream]:
    """The streamed buffers that the loop fills without gaps; empty if any is used otherwise."""
    if not names:
        return []
    stores: dict[str, list[tuple[stmts.Store, Mapping[str, Expr]]]] = {}
    for store, lets, sure in _stores(loop.body, {}, True):
        if store.buffer in names:
            if not sure or store.predicate is not None:
                return []
            stores.setdefault(store.buffer, []).append((store, lets))
    found = [_stream(name, loop.name, group) for name, group in stores.items()]
    if any(stream is None for stream in found):
        return []
    roots = expressions(loop.body)
    read = {node.array for node in ir.postorder(*roots) if isinstance(node, Load)}
    return [s for s in found if s is not None and s.buffer not in read]


def _stores(
    stmt: stmts.Stmt | None, lets: Mapping[str, Expr], sure: bool
) -> Iterator[tuple[stmts.Store, Mapping[str, Expr], bool]]:
    """Each store, the lets around it, and whether it runs exactly once."""
    match stmt:
        case stmts.Store():
            yield stmt, lets, sure
        case stmts.Block():
            for part in stmt.stmts:
                yield from _stores(part, lets, sure)
        case stmts.LetStmt():
            value = _put_in(stmt.value, lets)
            yield from _stores(stmt.body, {**lets, stmt.name: value}, sure)
        case stmts.ProducerConsumer() | stmts.Allocate():
            yield from _stores(stmt.body, lets, sure)
        case stmts.For() | stmts.Atomic():
            yield from _stores(stmt.body, lets, False)
        case stmts.IfThenElse():
            yield from _stores(stmt.then, lets, False)
            yield from _stores(stmt.otherwise, lets, False)


def _put_in(expr: Expr, lets: Mapping[str, Expr]) -> Expr:
    mapping: dict[Expr, Expr] = {}
    for node in ir.postorder(expr):
        if isinstance(node, Variable) and node.name in lets:
            mapping[node] = lets[node.name]
    return ir.substitute(expr, mapping) if mapping else expr


def _stream(
    buffer: str, variable: str, group: list[tuple[stmts.Store, Mapping[str, Expr]]]
) -> _Stream | None:
    covered: set[int] = set()
    common: tuple[dict[Expr, int], int] | None = None
    least: tuple[int, Expr] | None = None
    total = 0
    for store, lets in group:
        index, lanes = _put_in(store.index, lets), store.value.type.lanes
        ramp = as_ramp(index) if lanes > 1 else Ramp(index, Const(index.type, 1), 2)
        stride = constant_stride(ramp) if ramp is not None else None
        if ramp is None or stride is None or stride < 1:
            return None
        linear = _linear(ramp.base, variable)
        if linear is None or (common is not None and linear[:2] != common):
            return None
        common = linear[:2]
        covered.update(linear[2] + stride * lane for lane in range(lanes))
        total += lanes
        if least is None or linear[2] < least[0]:
            least = linear[2], ramp.base
    if common is None or least is None:
        return None
    step = common[1]
    size = group[0][0].value.type.element.bytes
    whole = len(covered) == total == step and max(covered) - min(covered) + 1 == step
    if not whole or step * size > LARGEST_STEP or step * size < 8:
        return None
    return _Stream(buffer, least[1], step, size)


def _linear(index: Expr, variable: str) -> tuple[dict[Expr, int], int, int] | None:
    """`index` as (terms without `variable`, the variable's factor, the constant)."""
    rest: dict[Expr, int] = {}
    factor = constant = 0
    work = [(index, 1)]
    while work:
        expr, times = work.pop()
        parts, number = terms(expr)
        constant += number * times
        for atom, count in parts.items():
            inner = atom
            if isinstance(atom, Cast) and atom.type is I64 and atom.value.type is I32:
                inner = atom.value
            if isinstance(inner, Variable) and inner.name == variable:
                factor += count * times
            elif inner is not atom and _is_sum(inner):
                work.append((inner, count * times))
            elif _mentions(inner, variable):
                return None
            else:
                rest[inner] = rest.get(inner, 0) + count * times
    return {atom: count for atom, count in rest.items() if count}, factor, constant


def _is_sum(expr: Expr) -> bool:
    """Whether `terms` takes the expression apart."""
    if isinstance(expr, ir.Mul):
        return isinstance(expr.a, Const) or isinstance(expr.b, Const)
    return isinstance(expr, ir.Add | ir.Sub)


def _mentions(expr: Expr, variable: str) -> bool:
    return any(isinstance(n, Variable) and n.name == variable for n in ir.postorder(expr))


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
