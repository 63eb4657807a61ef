"""Multi-dimensional stages and images become flat memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .. import ir
from ..ir import (
    FALSE,
    I32,
    I64,
    TRUE,
    Add,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Neg,
    Select,
    Sub,
    const,
)
from ..ir import stmts as s
from ..ir.multi_point import at_point, point_counts
from ..ir.simplify_coordinate import simplify_coordinate
from ..ir.stmt_transform import block, children_of, prune, rebuild
from ..ir.types import U8
from ..lang import is_undef
from ..lang.names import buffer_field
from .kept_elements import where_stored


def flatten(
    body: s.Stmt, external: Mapping[str, tuple[str, ...]], promised: Mapping[Expr, Expr]
) -> s.Stmt:
    """Stages and images as `Store`s and `Load`s with 64-bit element indices.

    `external` names the caller's outputs with the memories of their values; `promised` maps buffer
    fields to the constants that a check has established. Needs coordinates bound. Leaves no
    `Provide`, `Realize`, `ProducerConsumer`, nor calls of stages or images. Coordinates are int32
    and assumed not to overflow, so `i64(x + 1)` is `i64(x) + 1`. A `Realize` inside of an
    `Allocate` of its memory lies there. What stores only what is there already is left out.

        f(x, y) = a(x, y)   ->   f[(x - f.min.0) + (y - f.min.1) * f.stride.1] = a[...]
    """
    return prune(_Flattener(dict(external), promised).statement(body))


class _Flattener:
    def __init__(self, values: dict[str, tuple[str, ...]], promised: Mapping[Expr, Expr]) -> None:
        self.values, self.promised = values, promised
        self.mins: dict[str, tuple[Expr, ...]] = {}
        self.strides: dict[str, tuple[Expr, ...]] = {}
        self.done: dict[Expr, Expr] = {}
        self.allocated: frozenset[str] = frozenset()
        """The memories that are there already: those of hoisted stages."""

    def statement(self, stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, s.ProducerConsumer):
            return self.statement(stmt.body)
        if isinstance(stmt, s.Provide):
            return self._provide(stmt)
        if isinstance(stmt, s.Realize):
            return self._realize(stmt)
        if isinstance(stmt, s.Prefetch):
            return self._prefetch(stmt)
        if isinstance(stmt, s.Allocate):
            return self._allocate(stmt)
        return rebuild(stmt, tuple(map(self.statement, children_of(stmt))), self.expression)

    def expression(self, expr: Expr) -> Expr:
        for node in ir.unknown_in(expr, self.done):
            made = node.rebuild(tuple(self.done[c] for c in node.children))
            if isinstance(made, Call) and made.kind in ("func", "image"):
                stored = U8 if made.type.is_bool else made.type
                load: Expr = Load(made.name, (self._index(made.name, made.args),), stored)
                made = Cast(made.type, load) if stored is not made.type else load
            self.done[node] = made
        return self.done[expr]

    def _index(self, name: str, args: tuple[Expr, ...]) -> Expr:
        total: Expr = const(0, I64)
        for d, arg in enumerate(args):
            if name in self.strides:
                stride, low = self.strides[name][d], self.mins[name][d]
            else:
                stride, low = self._field(name, "stride", d), self._field(name, "min", d)
            offset = Sub(widened(simplify_coordinate(arg)), widened(low))
            total = Add(total, Mul(simplify_coordinate(offset), widened(stride)))
        return simplify_coordinate(total)

    def _field(self, name: str, field: str, dimension: int) -> Expr:
        own = buffer_field(name, field, dimension)
        return self.promised.get(own, own)

    def _provide(self, stmt: s.Provide) -> s.Stmt:
        for count in point_counts(stmt.args):
            return self._provide_points(stmt, count)
        kept = Call(stmt.func, stmt.args, stmt.values[0].type, "func")
        if len(stmt.values) == 1 and ir.simplify(stmt.values[0]) is kept:
            return s.Block(())
        names = self.values.get(stmt.func, (stmt.func,))
        args = tuple(map(self.expression, stmt.args))
        values = [self.expression(v) for v in stmt.values]
        if any(is_undef(x) for value in values for x in ir.reads_in(value)):
            return self._where_stored(names, values, args)
        temporaries: list[tuple[str, Expr]] = []
        if len(values) > 1:
            # All values are computed from what was there before any is stored.
            for i, value in enumerate(values):
                temporaries.append((f"{stmt.func}.value.{i}", value))
                values[i] = ir.Variable(f"{stmt.func}.value.{i}", value.type)
        stores = [
            s.Store(n, _in_memory(v), self._index(n, args))
            for n, v in zip(names, values, strict=True)
        ]
        made = block(*stores)
        for name, value in reversed(temporaries):
            made = s.LetStmt(name, value, made)
        return made

    def _where_stored(
        self, names: Sequence[str], values: Sequence[Expr], args: tuple[Expr, ...]
    ) -> s.Stmt:
        """Stores of values that are `undef` in some points: nothing is stored there.

        Of several values all are computed from what was there before any is stored.
        """
        stores: list[s.Stmt] = []
        lets: list[tuple[str, Expr]] = []
        for name, value in zip(names, values, strict=True):
            condition, defined = where_stored(value)
            if condition is FALSE:
                continue
            if len(values) > 1:
                lets.append((f"{name}.stores", condition))
                if condition is not TRUE:
                    condition = ir.Variable(lets[-1][0], condition.type)
                    defined = Select(condition, defined, const(0, defined.type))
                lets.append((f"{name}.value", defined))
                defined = ir.Variable(lets[-1][0], defined.type)
            store = s.Store(name, _in_memory(defined), self._index(name, args))
            stores.append(store if condition is TRUE else s.IfThenElse(condition, store))
        made = block(*stores)
        for name, value in reversed(lets):
            made = s.LetStmt(name, value, made)
        return made

    def _provide_points(self, stmt: s.Provide, count: int) -> s.Stmt:
        """All values and places are computed from what was there before any is stored."""
        names = self.values.get(stmt.func, (stmt.func,))
        lets: list[tuple[str, Expr]] = []

        def named(name: str, value: Expr) -> Expr:
            lets.append((f"{stmt.func}.{name}", value))
            return ir.Variable(lets[-1][0], value.type)

        stores: list[s.Stmt] = []
        for point in range(count):
            args = tuple(self.expression(at_point(a, point)) for a in stmt.args)
            values = [self.expression(at_point(v, point)) for v in stmt.values]
            for i, (name, value) in enumerate(zip(names, values, strict=True)):
                stored = named(f"value.{point}.{i}", value)
                place = self._index(name, args)
                if any(isinstance(x, Load) and x.array in names for x in ir.postorder(place)):
                    place = named(f"place.{point}.{i}", place)
                stores.append(s.Store(name, _in_memory(stored), place))
        made = block(*stores)
        for name, value in reversed(lets):
            made = s.LetStmt(name, value, made)
        return made

    def _prefetch(self, stmt: s.Prefetch) -> s.Stmt:
        """The first element asked for is given as the call that would read it."""
        read = self.expression(stmt.index)
        if isinstance(read, Cast):
            read = read.value
        assert isinstance(read, Load)
        return s.Prefetch(read.array, read.type, read.indices[0], self.expression(stmt.count))

    def _allocate(self, stmt: s.Allocate) -> s.Stmt:
        outside, self.allocated = self.allocated, self.allocated | {stmt.buffer}
        body = self.statement(stmt.body)
        self.allocated = outside
        return s.Allocate(stmt.buffer, stmt.type, self.expression(stmt.size), body, stmt.memory)

    def _realize(self, stmt: s.Realize) -> s.Stmt:
        names = (
            (stmt.func,)
            if len(stmt.types) == 1
            else tuple(f"{stmt.func}.{i}" for i in range(len(stmt.types)))
        )
        self.values[stmt.func] = names
        strides: list[Expr] = []
        size: Expr = const(1, I64)
        for _, extent in stmt.bounds:
            strides.append(size)
            size = simplify_coordinate(Mul(size, widened(extent)))
        if any(name in self.strides for name in names):
            # The stage was stored elsewhere before, at other coordinates.
            self.done = {}
        for name in names:
            self.mins[name] = tuple(low for low, _ in stmt.bounds)
            self.strides[name] = tuple(strides)
        body = self.statement(stmt.body)
        for name, type in reversed(list(zip(names, stmt.types, strict=True))):
            if name not in self.allocated:
                stored = U8 if type.is_bool else type
                body = s.Allocate(name, stored, size, body, stmt.memory)
        return body


def _in_memory(value: Expr) -> Expr:
    """`value` as it is stored: truth values as bytes."""
    return Cast(U8, value) if value.type.is_bool else value


def widened(expr: Expr) -> Expr:
    """An int32 coordinate as int64, the conversion pushed down to the variables."""
    match expr:
        case Const(value=value):
            return const(int(value), I64)
        case Add(a=a, b=b):
            return Add(widened(a), widened(b))
        case Sub(a=a, b=b):
            return Sub(widened(a), widened(b))
        case Mul(a=a, b=b):
            return Mul(widened(a), widened(b))
        case Neg(value=value):
            return Neg(widened(value))
    return Cast(I64, expr) if expr.type is I32 else expr


def replacing(variable: Expr, value: Expr) -> dict[Expr, Expr]:
    """The mapping that puts `value` in the place of an int32 `variable`, also where it is widened:
    sums of coordinates cancel in an index only when each part is widened by itself."""
    return {variable: value, Cast(I64, variable): widened(value)}
