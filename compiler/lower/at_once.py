"""What reads before it writes, though both may be one memory, does so one by one.

at once f:                          let f.0 = a[ramp(1, 4, 16)]
  f[ramp(0, 4, 16)] = a[ramp(1, 4, 16)]     let f.1 = a[ramp(0, 4, 16)]
  f[ramp(1, 4, 16)] = a[ramp(0, 4, 16)]     f[ramp(0, 4, 16)] = f.0; f[ramp(1, 4, 16)] = f.1

at once f:                          allocate f.once0[16]:
  for i in [0, +n): f[i] = a[i / 4]   ->    for i in [0, +n): f.once0[i] = a[i / 4]
                                            for i in [0, +n): f[i] = f.once0[i]
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..ir import (
    I32,
    I64,
    U8,
    Add,
    Cast,
    Const,
    Expr,
    Load,
    Mul,
    Ramp,
    Sub,
    Variable,
    const,
    postorder,
    substitute,
)
from ..ir import stmts as s
from ..ir.nodes import mentions
from ..ir.simplify_coordinate import simplify_coordinate
from ..ir.stmt_transform import block, children_of, expressions_of, rebuild, walk

_STRAIGHT = (s.Block, s.LetStmt, s.Store)
MOST_BYTES = 1 << 14
"""Of the stack, for the values of one block."""


def at_once(
    body: s.Stmt, overwritten: Mapping[str, Mapping[str, str]]
) -> tuple[s.Stmt, frozenset[tuple[str, str]]]:
    """`body` without `AtOnce`, and the (input, output) buffers that it keeps the promise for.

    `overwritten` has the inputs that may be a memory of a stage's, and which. A single store reads
    before it writes anyway; a few stores become values first; the values of loops wait on the
    stack. Where something else than a stored value reads what is overwritten, the promise is not
    kept, and that output has to have memory of its own. Needs flat memory and no more vectorized
    or unrolled loops.
    """
    resolver = _Resolver(overwritten)
    made = resolver.statement(body)
    kept = [images for stage, images in overwritten.items() if stage not in resolver.broken]
    return made, frozenset(pair for images in kept for pair in images.items())


class _Resolver:
    def __init__(self, overwritten: Mapping[str, Mapping[str, str]]) -> None:
        self.overwritten = overwritten
        self.broken: set[str] = set()
        self.bound = 0

    def statement(self, stmt: s.Stmt) -> s.Stmt:
        if isinstance(stmt, s.AtOnce):
            made = self.resolved(stmt, stmt.body)
            if made is None:
                self.broken.add(stmt.buffer)
                return stmt.body
            return made
        return rebuild(stmt, tuple(map(self.statement, children_of(stmt))), lambda e: e)

    def resolved(self, whole: s.AtOnce, body: s.Stmt) -> s.Stmt | None:
        """`body`, a part of `whole` before which nothing was written; None where we can't."""
        images = self.overwritten[whole.buffer]
        match body:
            case s.Store():
                return body
            case s.IfThenElse(condition, then, otherwise):
                made = self.resolved(whole, then)
                rest = None if otherwise is None else self.resolved(whole, otherwise)
                if made is None or (otherwise is not None and rest is None):
                    return None
                return s.IfThenElse(condition, made, rest)
            case s.LetStmt(name, value, inner):
                made = self.resolved(whole, inner)
                return None if made is None else s.LetStmt(name, value, made)
            case s.Block() if all(isinstance(x, _STRAIGHT) for x in walk(body)):
                return self.values_first(body, images)
        return self.on_the_stack(whole, body, images)

    def fresh(self, buffer: str) -> str:
        self.bound += 1
        return f"{buffer}.once{self.bound}"

    def values_first(self, body: s.Stmt, images: Collection[str]) -> s.Stmt | None:
        """Stores without branches and loops: all values before any store, those of one buffer side
        by side."""
        lets: list[tuple[str, Expr]] = []
        stores: list[s.Store] = []

        def collect(stmt: s.Stmt, names: Mapping[Expr, Expr]) -> None:
            if isinstance(stmt, s.Block):
                for part in stmt.stmts:
                    collect(part, names)
            elif isinstance(stmt, s.LetStmt):
                value = substitute(stmt.value, names)
                named = named_value(stmt.name, value)
                collect(stmt.body, {**names, Variable(stmt.name, value.type): named})
            elif isinstance(stmt, s.Store):
                made = [substitute(e, names) for e in expressions_of(stmt)]
                for number in (0, 2):  # the value, and the lanes that are stored
                    if number < len(made) and _reads(images, made[number]):
                        made[number] = named_value(stmt.buffer, made[number])
                stores.append(s.Store(stmt.buffer, *made))

        def named_value(name: str, value: Expr) -> Expr:
            lets.append((self.fresh(name), value))
            return Variable(lets[-1][0], value.type)

        collect(body, {})
        if _reads(images, *(e for x in stores for e in expressions_of(x))):
            return None
        buffers = list(dict.fromkeys(x.buffer for x in stores))
        made = block(*sorted(stores, key=lambda x: buffers.index(x.buffer)))
        for name, value in reversed(lets):
            made = s.LetStmt(name, value, made)
        return made

    def on_the_stack(self, whole: s.AtOnce, body: s.Stmt, images: Collection[str]) -> s.Stmt | None:
        """Loops twice: the values into scratch memory, then from there to where they belong."""
        simple = (s.Block, s.For, s.IfThenElse, s.LetStmt, s.Store)
        if not all(isinstance(x, simple) for x in walk(body)):
            return None
        staging = _Staging(self, dict(whole.extents), images)
        first, second = staging.statement(body, const(0), 1)
        second = _without_unused(second)
        if staging.failed or any(_reads(images, *expressions_of(x)) for x in walk(second)):
            return None
        made = block(first, second)
        for name, value, count in staging.memories:
            size = const(count, I64)
            made = s.Allocate(name, value.type.element, size, made, "stack")
        return made


class _Staging:
    """Takes a statement apart: one that computes, and one that stores.

    What decides whether something is stored is computed by the first, too.
    """

    def __init__(
        self, resolver: _Resolver, extents: dict[str, int], images: Collection[str]
    ) -> None:
        self.resolver, self.extents, self.images = resolver, extents, images
        self.memories: list[tuple[str, Expr, int]] = []
        """Name, a value of its type, elements."""
        self.failed = False

    def statement(self, stmt: s.Stmt, position: Expr, count: int) -> tuple[s.Stmt, s.Stmt]:
        """The two halves of `stmt` in step `position` of `count` of the loops around it."""
        if isinstance(stmt, s.Store):
            return self.store(stmt, position, count)
        if isinstance(stmt, s.For):
            limit = self.extents.get(stmt.name)
            if isinstance(stmt.extent, Const):
                limit = int(stmt.extent.value)
            if limit is None or stmt.kind != "serial":
                self.failed = True
                return stmt, stmt
            step = Sub(Variable(stmt.name, I32), stmt.min)
            position = simplify_coordinate(Add(Mul(position, const(limit)), step))
            count *= limit
        if isinstance(stmt, s.IfThenElse) and _reads(self.images, stmt.condition):
            name = self.resolver.fresh("stores")
            own = Variable(name, stmt.condition.type)
            branch = s.IfThenElse(own, stmt.then, stmt.otherwise)
            return self.statement(s.LetStmt(name, stmt.condition, branch), position, count)
        if isinstance(stmt, s.LetStmt) and _reads(self.images, stmt.value):
            return self.let(stmt, position, count)
        halves = [self.statement(x, position, count) for x in children_of(stmt)]
        first, second = (tuple(x[half] for x in halves) for half in (0, 1))
        return rebuild(stmt, first, lambda e: e), rebuild(stmt, second, lambda e: e)

    def let(self, stmt: s.LetStmt, position: Expr, count: int) -> tuple[s.Stmt, s.Stmt]:
        """A value that what stores may need: it waits on the stack, as a number of bits."""
        first, second = self.statement(stmt.body, position, count)
        own: Expr = Variable(stmt.name, stmt.value.type)
        if any(mentions(expressions_of(x), {own}) for x in walk(second)):
            type = stmt.value.type
            kept = Cast(U8.with_lanes(type.lanes), own) if type.is_bool else own
            write, read = self.store(s.Store(stmt.name, kept, const(0)), position, count)
            assert isinstance(read, s.Store)
            first = block(write, first)
            value = Cast(type, read.value) if type.is_bool else read.value
            return s.LetStmt(stmt.name, stmt.value, first), s.LetStmt(stmt.name, value, second)
        return s.LetStmt(stmt.name, stmt.value, first), second

    def store(self, stmt: s.Store, position: Expr, count: int) -> tuple[s.Stmt, s.Stmt]:
        type, lanes = stmt.value.type, stmt.value.type.lanes
        if count * lanes * type.bytes > MOST_BYTES:
            self.failed = True
        name = self.resolver.fresh(stmt.buffer)
        self.memories.append((name, stmt.value, count * lanes))
        place: Expr = Cast(I64, position)
        if lanes > 1:
            place = Ramp(Mul(place, const(lanes, I64)), const(1, I64), lanes)
        return (
            s.Store(name, stmt.value, place, stmt.predicate),
            s.Store(
                stmt.buffer, Load(name, (place,), type, stmt.predicate), stmt.index, stmt.predicate
            ),
        )


def _reads(images: Collection[str], *exprs: Expr) -> bool:
    return any(isinstance(x, Load) and x.array in images for x in postorder(*exprs))


def _without_unused(stmt: s.Stmt) -> s.Stmt:
    """`stmt` without values that nothing uses."""
    made = rebuild(stmt, tuple(map(_without_unused, children_of(stmt))), lambda e: e)
    if isinstance(made, s.LetStmt):
        name: set[Expr] = {Variable(made.name, made.value.type)}
        if not any(mentions(expressions_of(x), name) for x in walk(made.body)):
            return made.body
    return made
