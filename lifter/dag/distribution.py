"""Loops in parts: what an iteration does one after the other, as loops one after the other.

    for (y = 0; y < h; y++) {                    for (y = 0; y < h; y++) { A(y); }
        A(y);                               ->
        B(y);                                    for (y = 0; y < h; y++) { B(y); }
    }

A filter that runs along each row there and back is two scans then, where it was none. The two do
the same where no `A` touches what an earlier iteration's `B` has touched: B(0) runs behind A(1)
now. That is claimed of each pair of accesses, of which one at least is a store, and proved with the
stage that B becomes (`apart`).

Scalars that both parts use are computed by each, under a name of its own; what is loaded of arrays
that the loops store to, only one part may use, and it alone an array of the kernel's own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from compiler.ir import (
    EQ,
    FALSE,
    I64,
    LT,
    NE,
    Const,
    Expr,
    Load,
    Sub,
    Variable,
    postorder,
    substitute,
)

from ..model.diagnostic import Span
from ..model.kernel import (
    Allocate,
    Assign,
    Break,
    Declare,
    If,
    Kernel,
    Return,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from ..model.stage import Claim, Loop, Read, Write
from .closed_forms import shift
from .index import domain
from .index import replace as with_counters
from .liveness import Liveness
from .polynomial import ONE, ZERO, conjunction, disjunction, normal
from .registers import register_arrays

_Names = frozenset[str]


@dataclass(frozen=True)
class Part:
    """One of the loops that another one has become."""

    whole: int
    """Which loop that was: a number that its parts share."""
    around: tuple[Span, ...]
    """The loops that all parts have a copy of, outermost first."""


@dataclass(frozen=True)
class Distributed:
    """A kernel whose loops are in parts, and these, by the identity of the loop."""

    kernel: Kernel
    parts: Mapping[int, Part]


def can_be_distributed(kernel: Kernel) -> bool:
    """Whether any loop of a kernel has parts."""
    return bool(with_loops_distributed(kernel).parts)


def with_loops_distributed(kernel: Kernel) -> Distributed:
    """The kernel with loops one after the other for those that hold several with stores."""
    parts: dict[int, Part] = {}
    liveness = Liveness(kernel)
    registers = register_arrays(kernel)
    names = {s.name for s in statements(kernel.body) if isinstance(s, (Assign, Declare))}
    taken = {*names, *kernel.arrays, *(p.name for p in kernel.params)}

    def visited(body: Iterable[Stmt]) -> Iterator[Stmt]:
        for stmt in body:
            if isinstance(stmt, If):
                then, otherwise = tuple(visited(stmt.then)), tuple(visited(stmt.otherwise))
                yield replace(stmt, then=then, otherwise=otherwise)
                continue
            found = None
            if isinstance(stmt, WhileLoop):
                found = _Loop(stmt, registers, liveness).parts(taken)
            if found is None:
                yield stmt
                continue
            number = len(parts)
            for loop in found.loops:
                parts[id(loop)] = Part(number, found.around)
            yield from (*found.before, *found.loops, *found.behind)

    body = tuple(visited(kernel.body))
    return Distributed(replace(kernel, body=body) if parts else kernel, parts)


def apart(
    earlier: Iterable[Read | Write], later: Iterable[Read | Write], part: Part
) -> Iterator[Claim]:
    """The claims by which one part may run as a whole before another one does: what an iteration
    of it touches isn't what the other one has touched in an iteration that comes before."""
    before, behind = list(earlier), list(later)
    for one in before:
        for other in behind:
            if one.array == other.array and (isinstance(one, Write) or isinstance(other, Write)):
                yield _apart(one, other, part.around)


def _apart(one: Read | Write, other: Read | Write, around: tuple[Span, ...]) -> Claim:
    """That no iteration of `one` touches what an earlier one of `other` does.

    Where the loops aren't those that the parts share, as where they are unrolled, it isn't so."""
    text = (
        f"{one.array}[{', '.join(map(repr, one.indices))}] (line {one.span.line}) isn't what line "
        f"{other.span.line} touches in an earlier iteration"
    )
    depth = len(around)
    shared = [tuple(loop.span for loop in access.loops[:depth]) for access in (one, other)]
    if shared != [around, around] or len(one.indices) != len(other.indices):
        return Claim("order", FALSE, (), other.span, text)
    renamed: dict[Expr, Expr] = {
        loop.counter: Variable(f"{loop.counter.name}'", I64) for loop in other.loops
    }
    theirs = [renamed[loop.counter] for loop in other.loops[:depth]]
    ours = [loop.counter for loop in one.loops[:depth]]
    before = disjunction(
        conjunction((*map(EQ, theirs[:level], ours[:level]), LT(theirs[level], ours[level])))
        for level in range(depth)
    )
    places = zip(one.indices, other.indices, strict=True)
    different = disjunction(NE(a, with_counters(b, renamed)) for a, b in places)
    given = (
        *domain(one.loops),
        *(with_counters(g, renamed) for g in domain(other.loops)),
        before,
    )
    return Claim("order", different, given, other.span, text, _rows_apart(one, other, depth))


def _rows_apart(one: Read | Write, other: Read | Write, depth: int) -> tuple[Expr, ...]:
    """That what an iteration of the loops around touches lies within a row of its own: an earlier
    one's row ends before it, or begins behind it. None where that can't be told."""
    spans = []
    for access in (one, other):
        place = access.indices[-1]
        row = _step(place, access.loops[depth - 1])
        start = normal(substitute(place, {loop.counter: ZERO for loop in access.loops[:depth]}))
        least = most = start
        for loop in reversed(access.loops[depth:]):
            step = _step(start, loop)
            if not isinstance(step, Const):
                return ()
            last: dict[Expr, Expr] = {loop.counter: Sub(loop.extent, ONE)}
            first: dict[Expr, Expr] = {loop.counter: ZERO}
            up, down = (last, first) if step.value > 0 else (first, last)
            least, most = substitute(least, down), substitute(most, up)
        spans.append((row, least, most))
    (row, least, most), (theirs, their_least, their_most) = spans
    if isinstance(row, Const) or row is not theirs:
        return ()
    behind = normal(LT(Sub(their_most, least), row))
    before = normal(LT(Sub(most, their_least), Sub(ZERO, row)))
    return tuple(r for r in (behind, before) if not isinstance(r, Const))


def _step(place: Expr, loop: Loop) -> Expr:
    """How far apart the places of neighbouring iterations lie."""
    return normal(Sub(shift(place, loop.counter, 1), place))


@dataclass(frozen=True)
class _Found:
    """What takes a loop's place."""

    before: tuple[Stmt, ...]
    loops: tuple[WhileLoop, ...]
    behind: tuple[Stmt, ...]
    around: tuple[Span, ...]


class _Loop:
    """One loop that may have parts."""

    def __init__(self, loop: WhileLoop, registers: Collection[str], liveness: Liveness) -> None:
        self.loop = loop
        inner = list(statements((loop,)))
        assigned = dict.fromkeys(s.name for s in inner if isinstance(s, (Assign, Declare)))
        self.left = [n for n in assigned if liveness.is_read_behind(loop, n)]
        self.stored = {s.array for s in inner if isinstance(s, Store)}
        self.around, self.members = _parted(loop)
        self.is_plain = (
            len(self.members) > 1
            and not any(isinstance(s, (Break, Return)) for s in inner)
            and len({around.span for around in self.around}) == len(self.around)
            and all(len(self._users(array)) < 2 for array in registers if array in self.stored)
        )

    def parts(self, taken: set[str]) -> _Found | None:
        """The loops that take its place; None where it stays what it is. The names that are made
        join those `taken`."""
        if not self.is_plain:
            return None
        loops, before, behind = list[WhileLoop](), list[Stmt](), list[Stmt]()
        for number, members in enumerate(self.members):
            wanted = frozenset(n for n in self.left if self._owner(n) == number)
            slice = _Slice(members, self.stored)
            kept, live = slice.of((self.loop,), wanted)
            if not slice.is_legal or len(kept) != 1:
                return None
            if number:
                renaming = _renaming(kept, taken)
                before += [
                    _copied(renaming[n], n, self.loop.span) for n in sorted(live & {*renaming})
                ]
                behind += [
                    Assign(self.loop.span, n, renaming[n]) for n in sorted(wanted & {*renaming})
                ]
                kept = _renamed(kept, renaming)
            (made,) = kept
            assert isinstance(made, WhileLoop)
            loops.append(made)
        around = tuple(loop.span for loop in self.around)
        return _Found(tuple(before), tuple(loops), tuple(behind), around)

    def _users(self, array: str) -> set[int]:
        """The parts that store to an array or load of it."""
        return {
            number
            for number, members in enumerate(self.members)
            if array in _loaded(members)
            or any(isinstance(s, Store) and s.array == array for s in statements(tuple(members)))
        }

    def _owner(self, name: str) -> int:
        """The part that says what is left of a scalar."""
        assigning = [
            number
            for number, members in enumerate(self.members)
            if any(isinstance(s, Assign) and s.name == name for s in statements(tuple(members)))
        ]
        return assigning[0] if len(assigning) == 1 else 0


def _parted(loop: WhileLoop) -> tuple[tuple[WhileLoop, ...], list[list[Stmt]]]:
    """The loops, outermost first, down to the one that holds several with stores, and the
    statements of this, those of each part by themselves: a loop that stores and what stands before
    it. None of these where there is no such loop."""
    if _stores((*loop.step, *loop.again)):
        return (), []
    storing = [s for s in loop.body if _stores((s,))]
    if len(storing) == 1 and isinstance(storing[0], WhileLoop):
        around, inner = _parted(storing[0])
        return (loop, *around), inner
    members: list[list[Stmt]] = [[]]
    for stmt in loop.body:
        is_loop = any(isinstance(s, WhileLoop) for s in statements((stmt,)))
        if is_loop and _stores((stmt,)) and _stores(tuple(members[-1])):
            members.append([])
        members[-1].append(stmt)
        if is_loop and _stores((stmt,)):
            members.append([])
    rest = members.pop()
    if members:
        members[-1] += rest
    return (loop,), members


def _stores(body: tuple[Stmt, ...]) -> bool:
    return any(isinstance(s, Store) for s in statements(body))


def _loaded(body: Sequence[Stmt]) -> set[str]:
    parts = [e for s in statements(tuple(body)) for e in expressions_of(s)]
    return {n.array for n in postorder(*parts) if isinstance(n, Load)}


class _Slice:
    """What one part needs of a loop's statements."""

    def __init__(self, members: Sequence[Stmt], stored: Collection[str]) -> None:
        self.members = {id(s) for s in statements(tuple(members))}
        self.stored = stored
        self.is_legal = True
        """Whether it loads of what the loop stores within its own statements alone."""

    def of(self, body: Sequence[Stmt], behind: _Names) -> tuple[tuple[Stmt, ...], _Names]:
        """What is kept of `body`, behind which these scalars are read, and what is read before."""
        kept: list[Stmt] = []
        for stmt in reversed(body):
            made, behind = self._of_one(stmt, behind)
            kept += [] if made is None else [made]
        return tuple(reversed(kept)), behind

    def _of_one(self, stmt: Stmt, behind: _Names) -> tuple[Stmt | None, _Names]:
        if isinstance(stmt, WhileLoop):
            return self._of_loop(stmt, behind)
        if isinstance(stmt, If):
            then, before_then = self.of(stmt.then, behind)
            otherwise, before_else = self.of(stmt.otherwise, behind)
            if not then and not otherwise:
                return None, behind
            made = replace(stmt, then=then, otherwise=otherwise)
            return made, before_then | before_else | self._read(stmt)
        if isinstance(stmt, (Assign, Declare)):
            if stmt.name not in behind:
                return None, behind
            return stmt, behind - {stmt.name} | self._read(stmt)
        if isinstance(stmt, Allocate):
            return stmt, behind
        if isinstance(stmt, Store) and id(stmt) in self.members:
            return stmt, behind | self._read(stmt)
        return None, behind

    def _of_loop(self, loop: WhileLoop, behind: _Names) -> tuple[Stmt | None, _Names]:
        inner = list(statements((loop,)))
        is_needed = any(
            (isinstance(s, Store) and id(s) in self.members)
            or (isinstance(s, Assign) and s.name in behind)
            for s in inner
        )
        if not is_needed:
            return None, behind
        at_test = behind | self._read(loop)
        while True:
            step, end = self.of(loop.step, at_test)
            body, head = self.of(loop.body, end)
            again, before = self.of(loop.again, head)
            if before <= at_test:
                made = replace(loop, body=body, step=step, again=again)
                return made, at_test if loop.test_first else head
            at_test |= before

    def _read(self, stmt: Stmt) -> _Names:
        """The scalars in a statement that is kept."""
        nodes = list(postorder(*expressions_of(stmt)))
        if id(stmt) not in self.members:
            self.is_legal &= not any(isinstance(n, Load) and n.array in self.stored for n in nodes)
        return frozenset(n.name for n in nodes if isinstance(n, Variable))


def _copied(new: Variable, old: str, span: Span) -> Assign:
    return Assign(span, new.name, Variable(old, new.type))


def _renaming(body: Sequence[Stmt], taken: set[str]) -> dict[str, Variable]:
    """A new name for each scalar that statements assign."""
    found: dict[str, Variable] = {}
    for stmt in statements(tuple(body)):
        if isinstance(stmt, (Assign, Declare)) and stmt.name not in found:
            base, mark, number = stmt.name.rpartition(".")
            base = base if mark and number.isdigit() else stmt.name
            name = next(n for k in count(1) if (n := f"{base}.{k}") not in taken)
            taken.add(name)
            type = stmt.value.type if isinstance(stmt, Assign) else stmt.type
            found[stmt.name] = Variable(name, type)
    return found


def _renamed(body: Sequence[Stmt], names: Mapping[str, Variable]) -> tuple[Stmt, ...]:
    def value(e: Expr) -> Expr:
        nodes = [n for n in postorder(e) if isinstance(n, Variable) and n.name in names]
        return substitute(e, {n: Variable(names[n.name].name, n.type) for n in nodes})

    def one(stmt: Stmt) -> Stmt:
        if isinstance(stmt, (Assign, Declare)):
            name = names[stmt.name].name if stmt.name in names else stmt.name
            if isinstance(stmt, Declare):
                return replace(stmt, name=name)
            return replace(stmt, name=name, value=value(stmt.value))
        if isinstance(stmt, Store):
            places = tuple(map(value, stmt.indices))
            return replace(stmt, indices=places, value=value(stmt.value))
        if isinstance(stmt, Allocate):
            return stmt
        if isinstance(stmt, If):
            then, otherwise = (tuple(map(one, b)) for b in (stmt.then, stmt.otherwise))
            return replace(stmt, condition=value(stmt.condition), then=then, otherwise=otherwise)
        assert isinstance(stmt, WhileLoop)
        return replace(
            stmt,
            condition=value(stmt.condition),
            body=tuple(map(one, stmt.body)),
            step=tuple(map(one, stmt.step)),
            again=tuple(map(one, stmt.again)),
        )

    return tuple(map(one, body))
