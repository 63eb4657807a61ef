"""Pixels of 1, 2 or 4 bits that loops store one after another, apart from the bytes they lie in.

    for (x = l; x < r; x++)                         for (x = l; x < r; x++)
        if (s[x] > 9)                                   if (s[x] > 9)
            d[x >> 3] |= 128 >> (x & 7);                    pixels[x - l] = 1;
        else                                            else
            d[x >> 3] &= ~(128 >> (x & 7));                 pixels[x - l] = 0;
                                                    for (b = l >> 3; b <= (r - 1) >> 3; b++)
                                                        d[b] = bits of pixels, and of d[b] outside

Each iteration on the left changes the bits of its own pixel alone, in a byte that other iterations
change, too. The loop on the right computes the pixels into an array of their own, and a second one
packs them: it stores each byte once, whose bits are those of the pixels that the original stores,
and its own old ones before the first of them and behind the last. Where iterations
leave their pixels alone, these are what they were, and only bytes are stored that change.

That an iteration leaves the other bits of its byte alone, and that nothing which it does depends on
them, is seen by executing it once for each place that a pixel has in a byte, on bits of which is
known where they come from (`_Bit`). What it reads of its own pixel behind a store is what `pixels`
has. A loop in
which anything else is done with the array stays as it is, and so does one in which an iteration may
not even read its byte: nobody knows that it is there.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from compiler.ir import (
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    NE,
    U8,
    Add,
    And,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Cast,
    Comparison,
    Const,
    Expr,
    Load,
    Min,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    const,
    postorder,
    substitute,
)

from ..model.kernel import (
    Allocate,
    Array,
    Assign,
    Assume,
    Break,
    Declare,
    If,
    Return,
    Stmt,
    Store,
    WhileLoop,
    expressions_of,
    statements,
)
from .effects import needed_by, parts_read_in, parts_written, reads, writes
from .folding import add, convert, fold, scale, subtract, with_constants

Fresh = Callable[[str], str]
NewArray = Callable[[Array], str]


def with_packed_pixels(
    body: Sequence[Stmt], arrays: dict[str, Array], fresh: Fresh, new_array: NewArray
) -> tuple[Stmt, ...]:
    """`body` with the loops in two that store pixels of a few bits; `arrays` are all that it uses,
    `fresh` names a scalar like the one it is given, `new_array` declares an array."""
    made = _Rewriting(tuple(body), arrays, fresh, new_array)
    return tuple(made.block(body))


class _NotPackedError(Exception):
    """The loop does something else with the array."""


@dataclass(frozen=True, slots=True)
class _Bit:
    """Where a bit comes from, as far as the byte is concerned that the iteration's pixel lies in.

    `known`: it is `number`. `own`: bit `number` of the pixel, as it is by now, `inverse` its
    opposite. `other`: the byte's bit `number`, which is of another pixel. `part`: bit `number` of
    `source`, which doesn't depend on the byte. `free`: some function of what doesn't, `field`: and
    of the pixel, `mixed`: of anything.
    """

    kind: Literal["known", "own", "inverse", "other", "part", "free", "field", "mixed"]
    number: int = 0
    source: Expr | None = None

    @property
    def reach(self) -> int:
        """What it depends on: 0 nothing of the byte, 1 its pixel at most, 2 maybe all of it."""
        return _REACH[self.kind]


_REACH = {
    "known": 0, "part": 0, "free": 0, "own": 1, "inverse": 1, "field": 1, "other": 2, "mixed": 2,
}  # fmt: skip
_ZERO, _ONE = _Bit("known", 0), _Bit("known", 1)
_SOME = (_Bit("free"), _Bit("field"), _Bit("mixed"))
Bits = tuple[_Bit, ...]


def _reach(*several: Bits) -> int:
    return max((bit.reach for bits in several for bit in bits), default=0)


def _width(type: Type) -> int:
    """The bits that are told apart: those of a float aren't."""
    return 1 if type.is_float or type.is_bool else type.bits


def _any(type: Type, reach: int) -> Bits:
    return (_SOME[reach],) * _width(type)


def _known(type: Type, value: int) -> Bits:
    return tuple(_ONE if value >> i & 1 else _ZERO for i in range(_width(type)))


def _number(bits: Bits, type: Type) -> int | None:
    if any(b.kind != "known" for b in bits):
        return None
    return int(type.wrap(sum(b.number << i for i, b in enumerate(bits))))


@dataclass(frozen=True)
class _Packing:
    """How pixels lie in the bytes of an array."""

    array: str
    indices: tuple[Expr, ...]
    """Of the byte, in terms of what the scalars are when an iteration begins."""
    shift: int
    """A byte has `1 << shift` pixels."""
    pixel: Expr
    """The pixel's number, in the same terms; the last index is the sum of `offset`, which is steady
    in the loop, and of `pixel >> shift`."""
    offset: Expr
    step: int
    """By how many the pixel moves from one iteration to the next: 1 or -1."""
    first_is_high: bool
    """Whether the first pixel is in the highest bits."""

    @property
    def count(self) -> int:
        return 1 << self.shift

    @property
    def width(self) -> int:
        return 8 >> self.shift

    @property
    def mask(self) -> int:
        return (1 << self.width) - 1

    def place(self, number: int) -> int:
        """The lowest bit of the byte's pixel `number`."""
        return (self.count - 1 - number if self.first_is_high else number) * self.width

    def byte(self, number: int) -> Bits:
        low = self.place(number)
        return tuple(
            _Bit("own", i - low) if low <= i < low + self.width else _Bit("other", i)
            for i in range(8)
        )


@dataclass
class _State:
    """What is known at some point of an iteration."""

    scalars: dict[str, Bits] = field(default_factory=dict)
    places: dict[str, Expr | None] = field(default_factory=dict)
    """What scalars are in terms of what they are when the iteration begins; None: not known."""
    has_stored: bool = False
    may_have_stored: bool = False
    has_touched: bool = False
    """Whether the byte was read or stored for certain."""

    def fork(self) -> _State:
        return replace(self, scalars=dict(self.scalars), places=dict(self.places))


class _Iteration:
    """One iteration whose pixel is the byte's pixel `number`."""

    def __init__(self, loop: _Loop, packing: _Packing, number: int) -> None:
        self.loop = loop
        self.packing = packing
        self.number = number
        self.byte = packing.byte(number)
        self.parts = _low_parts(packing.pixel)

    def run(self) -> None:
        """Raises `_NotPackedError` where it isn't seen that the pixel alone is stored."""
        state = _State()
        self._block((*self.loop.loop.body, *self.loop.loop.step), state)
        if not state.may_have_stored or not state.has_touched:
            raise _NotPackedError
        self.loop.leaves_out |= not state.has_stored
        for name, bits in state.scalars.items():
            if _reach(bits) == 2 and self.loop.outlives(name):
                raise _NotPackedError

    def _block(self, body: Sequence[Stmt], state: _State) -> None:
        for stmt in body:
            self._statement(stmt, state)

    def _statement(self, stmt: Stmt, state: _State) -> None:
        if isinstance(stmt, WhileLoop):
            self._inner_loop(stmt, state)
        elif isinstance(stmt, If):
            self._branch(stmt, state)
        elif isinstance(stmt, Assign):
            bits = self._bits(stmt, stmt.value, state)
            own: Variable = Variable(stmt.name, stmt.value.type)
            state.scalars[stmt.name] = tuple(
                b if b.reach or b.kind == "known" or own.type.is_float else _Bit("part", i, own)
                for i, b in enumerate(bits)
            )
            state.places[stmt.name] = _in_terms_of_start(stmt.value, state.places)
        elif isinstance(stmt, Store) and stmt.array == self.packing.array:
            self._check_place(stmt.indices, state)
            self._stored(stmt, self._bits(stmt, stmt.value, state))
            state.has_stored = state.may_have_stored = state.has_touched = True
            for name, bits in state.scalars.items():  # as the pixel was before
                state.scalars[name] = tuple(
                    _SOME[1] if b.kind in ("own", "inverse") else b for b in bits
                )
        elif isinstance(stmt, (Break, Return)):
            raise _NotPackedError
        elif isinstance(stmt, Declare):
            state.scalars[stmt.name] = _any(stmt.type, 0)
            state.places[stmt.name] = None
        else:
            for expr in expressions_of(stmt):
                self._plain(stmt, expr, state)

    def _branch(self, stmt: If, state: _State) -> None:
        condition = self._plain(stmt, stmt.condition, state)
        if condition[0].kind == "known":
            self._block(stmt.then if condition[0].number else stmt.otherwise, state)
            return
        one, other = state.fork(), state.fork()
        self._block(stmt.then, one)
        self._block(stmt.otherwise, other)
        for name in {**one.scalars, **other.scalars}:
            a, b = one.scalars.get(name), other.scalars.get(name)
            # A branch that doesn't set it leaves what was there when the iteration began.
            a, b = a or (_SOME[0],) * len(b or ()), b or (_SOME[0],) * len(a or ())
            state.scalars[name] = tuple(
                x if x == y else _SOME[max(condition[0].reach, x.reach, y.reach)]
                for x, y in zip(a, b, strict=True)
            )
        for name in {**one.places, **other.places}:
            place, there = one.places.get(name), other.places.get(name)
            state.places[name] = place if place is there else None
        state.has_stored = one.has_stored and other.has_stored
        state.may_have_stored = one.may_have_stored or other.may_have_stored
        state.has_touched = one.has_touched and other.has_touched

    def _inner_loop(self, stmt: WhileLoop, state: _State) -> None:
        """A loop inside mustn't touch the array, nor depend on other pixels."""
        touched = parts_read_in((stmt,)) | parts_written((stmt,))
        if ("array", self.packing.array) in touched:
            raise _NotPackedError
        for kind, name in touched:
            if kind == "scalar" and _reach(state.scalars.get(name, ())) == 2:
                raise _NotPackedError
        for inner in statements((stmt,)):
            if isinstance(inner, (Assign, Declare)):
                type = inner.type if isinstance(inner, Declare) else inner.value.type
                state.scalars[inner.name] = _any(type, 1)
                state.places[inner.name] = None

    def _plain(self, stmt: Stmt, expr: Expr, state: _State) -> Bits:
        """The bits of something that anybody may see."""
        bits = self._bits(stmt, expr, state)
        if _reach(bits) == 2:
            raise _NotPackedError
        return bits

    def _stored(self, stmt: Store, bits: Bits) -> None:
        low = self.packing.place(self.number)
        pixel = bits[low : low + self.packing.width]
        if (*self.byte[:low], *pixel, *self.byte[low + len(pixel) :]) != bits or _reach(pixel) == 2:
            raise _NotPackedError
        self.loop.stored.setdefault(id(stmt), []).append(pixel)

    # Places.

    def _check_place(self, indices: Sequence[Expr], state: _State) -> None:
        if tuple(_in_terms_of_start(i, state.places) for i in indices) != self.packing.indices:
            raise _NotPackedError

    def _number_in_byte(self, node: Expr, state: _State) -> int | None:
        """What `x & 7` and the like are in this iteration."""
        most = self.packing.count - 1
        if not isinstance(node, BitAnd) or not isinstance(node.b, Const):
            if not isinstance(node, TruncMod) or not isinstance(node.b, Const):
                return None
            # Of a number that isn't negative.
            if node.b.value != most + 1 or not self.loop.is_never_negative(node.a):
                return None
        elif node.b.value != most:
            return None
        place = _in_terms_of_start(node.a, state.places)
        if place is None:
            return None
        parts = _low_parts(place)
        for sign in (1, -1):
            rest = dict(parts)
            for part, count in self.parts.items():
                rest[part] = rest.get(part, 0) - sign * count
            left = rest.pop(None, 0)
            if not any(count % (most + 1) for count in rest.values()):
                return (sign * self.number + left) & most
        return None

    # Bits.

    def _bits(self, stmt: Stmt, expr: Expr, state: _State) -> Bits:
        done: dict[Expr, Bits] = {}
        for node in postorder(expr):
            inner = [done[c] for c in node.children]
            done[node] = self._node(node, inner, state)
            if _reads(node, self.packing.array):
                self.loop.seen.setdefault((id(stmt), node), set()).add(done[node])
                self.loop.reads[id(stmt)].add(state.may_have_stored)
        state.has_touched |= _certainly_reads(expr, self.packing.array)
        return done[expr]

    def _node(self, node: Expr, inner: list[Bits], state: _State) -> Bits:
        type = node.type
        if isinstance(node, Const):
            return _any(type, 0) if type.is_float else _known(type, int(node.value))
        if isinstance(node, Variable):
            found = state.scalars.get(node.name)
            return _parts(node) if found is None else found
        number = self._number_in_byte(node, state)
        if number is not None:
            return _known(type, number)
        if isinstance(node, Load):
            return self._load(node, inner, state)
        numbers = [_number(b, c.type) for b, c in zip(inner, node.children, strict=True)]
        are_integers = all(c.type.is_integer or c.type.is_bool for c in node.children)
        if are_integers and all(n is not None for n in numbers) and not type.is_float:
            consts = zip(node.children, numbers, strict=True)
            made = fold(node.rebuild(tuple(Const(c.type, n or 0) for c, n in consts)))
            if isinstance(made, Const):
                return _known(type, int(made.value))
        rule = _RULES.get(node.__class__)
        found = rule(node, inner, numbers) if rule is not None else None
        return _any(type, _reach(*inner)) if found is None else found

    def _load(self, node: Load, inner: list[Bits], state: _State) -> Bits:
        if node.array == self.packing.array:
            self._check_place(node.indices, state)
            return self.byte
        values = self.loop.arrays[node.array].values
        if values is not None and len(node.indices) == 1 and node.type.is_integer:
            at = _number(inner[0], node.indices[0].type)
            if at is not None and 0 <= at < len(values):
                return _known(node.type, int(values[at]))
        return _parts(node) if _reach(*inner) == 0 else _any(node.type, _reach(*inner))


def _parts(node: Expr) -> Bits:
    if node.type.is_float:
        return _any(node.type, 0)
    return tuple(_Bit("part", i, node) for i in range(_width(node.type)))


def _certainly_reads(node: Expr, array: str) -> bool:
    """Whether an expression reads an array whatever it chooses."""
    if isinstance(node, Load) and node.array == array:
        return True
    certain = node.children
    if isinstance(node, (And, Or)):
        certain = (node.a,)
    elif isinstance(node, Select):
        if all(_certainly_reads(c, array) for c in (node.a, node.b)):
            return True
        certain = (node.condition,)
    return any(_certainly_reads(c, array) for c in certain)


def _reads(node: Expr, array: str) -> bool:
    return any(isinstance(n, Load) and n.array == array for n in postorder(node))


# What operators do with bits: `None` where no more is known than what the result depends on.

Numbers = list[int | None]


def _and(a: _Bit, b: _Bit) -> _Bit:
    if _ZERO in (a, b):
        return _ZERO
    if a in (_ONE, b):
        return b
    return a if b == _ONE else _SOME[max(a.reach, b.reach)]


def _inverse(a: _Bit) -> _Bit:
    if a.kind == "known":
        return _Bit("known", 1 - a.number)
    if a.kind in ("own", "inverse"):
        return replace(a, kind="own" if a.kind == "inverse" else "inverse")
    return _SOME[a.reach]


def _or(a: _Bit, b: _Bit) -> _Bit:
    if _ONE in (a, b):
        return _ONE
    if a in (_ZERO, b):
        return b
    return a if b == _ZERO else _SOME[max(a.reach, b.reach)]


def _xor(a: _Bit, b: _Bit) -> _Bit:
    for one, other in ((a, b), (b, a)):
        if one.kind == "known":
            return _inverse(other) if one.number else other
    return _SOME[max(a.reach, b.reach)]


def _bitwise(rule: Callable[[_Bit, _Bit], _Bit]) -> Callable[[Expr, list[Bits], Numbers], Bits]:
    def both(node: Expr, inner: list[Bits], numbers: Numbers) -> Bits:
        return tuple(map(rule, *inner))

    return both


def _sum(node: Expr, inner: list[Bits], numbers: Numbers) -> Bits | None:
    """A sum of numbers that have no bit in common is their union."""
    if any(_ZERO not in pair for pair in zip(*inner, strict=True)):
        return None
    return tuple(map(_or, *inner))


def _shifted(node: Expr, inner: list[Bits], numbers: Numbers) -> Bits | None:
    bits, count = inner[0], numbers[1]
    if count is None or not 0 <= count < len(bits):
        return None
    if isinstance(node, Shl):
        return (*((_ZERO,) * count), *bits[: len(bits) - count])
    above = bits[-1] if node.type.is_int else _ZERO
    return (*bits[count:], *((above,) * count))


def _cast(node: Expr, inner: list[Bits], numbers: Numbers) -> Bits | None:
    assert isinstance(node, Cast)
    bits, own = inner[0], node.value.type
    if node.type.is_float or own.is_float or node.type.is_bool:
        return bits if node.type is own else None
    above = bits[-1] if own.is_int else _ZERO
    return (*bits, *((above,) * node.type.bits))[: node.type.bits]


def _test(node: Expr, inner: list[Bits], numbers: Numbers) -> Bits | None:
    """`bits != 0` and `bits == 0`."""
    bits = inner[0] if numbers[1] == 0 else inner[1] if numbers[0] == 0 else None
    if bits is None or len(bits) == 1:
        return None
    rest = [b for b in bits if b != _ZERO]
    found = _ONE if _ONE in rest else rest[0] if len(rest) == 1 else None
    if found is None:
        return None
    return (found if isinstance(node, NE) else _inverse(found),)


def _select(node: Expr, inner: list[Bits], numbers: Numbers) -> Bits | None:
    (condition,), a, b = inner
    if condition.kind == "known":
        return a if condition.number else b

    def one(x: _Bit, y: _Bit) -> _Bit:
        if x == y:
            return x
        if condition.reach < 2 and (x, y) == (_ONE, _ZERO):
            return condition
        if condition.reach < 2 and (x, y) == (_ZERO, _ONE):
            return _inverse(condition)
        return _SOME[max(condition.reach, x.reach, y.reach)]

    return tuple(map(one, a, b))


_RULES: dict[type[Expr], Callable[[Expr, list[Bits], Numbers], Bits | None]] = {
    BitAnd: _bitwise(_and), And: _bitwise(_and), BitOr: _bitwise(_or), Or: _bitwise(_or),
    BitXor: _bitwise(_xor), Add: _sum, Shl: _shifted, Shr: _shifted, Cast: _cast,
    NE: _test, EQ: _test, Select: _select,
    BitNot: lambda node, inner, numbers: tuple(map(_inverse, inner[0])),
    Not: lambda node, inner, numbers: tuple(map(_inverse, inner[0])),
}  # fmt: skip


def _low_parts(expr: Expr) -> dict[Expr | None, int]:
    """A number as a sum of multiples, exact in its lowest bits: conversions, and sums that wrap,
    keep these. The constant stands under None."""
    if isinstance(expr, Const):
        return {None: int(expr.value)}
    if isinstance(expr, Cast) and _has_low_bits(expr.type) and _has_low_bits(expr.value.type):
        return _low_parts(expr.value)
    if isinstance(expr, (Add, Sub)):
        sign = 1 if isinstance(expr, Add) else -1
        found = _low_parts(expr.a)
        for part, count in _low_parts(expr.b).items():
            found[part] = found.get(part, 0) + sign * count
        return found
    if isinstance(expr, (Neg, BitNot)):
        found = {part: -count for part, count in _low_parts(expr.value).items()}
        found[None] = found.get(None, 0) - isinstance(expr, BitNot)
        return found
    if isinstance(expr, Mul) and isinstance(expr.b, Const):
        return {part: count * int(expr.b.value) for part, count in _low_parts(expr.a).items()}
    return {expr: 1}


def _has_low_bits(type: Type) -> bool:
    return type.is_integer and type.bits >= 8


class _Loop:
    """One loop, and what its iterations have shown."""

    def __init__(
        self,
        loop: WhileLoop,
        arrays: dict[str, Array],
        starts: dict[str, Expr],
        outlives: Callable[[str], bool],
    ) -> None:
        """`starts` is what scalars begin as; `outlives` says whether a scalar's value
        is used behind an iteration."""
        self.loop = loop
        self.arrays = arrays
        self.starts = starts
        self.outlives = outlives
        self.changed = {name for kind, name in parts_written((loop,)) if kind == "scalar"}
        self.steps = dict(self._steps())
        self.stored: dict[int, list[Bits]] = {}
        """By store: what becomes of the pixel, in any place that it may have."""
        self.seen: dict[tuple[int, Expr], set[Bits]] = {}
        """By statement and part of an expression that reads the array: its bits in all places."""
        self.reads: dict[int, set[bool]] = defaultdict(set)
        """By statement: whether it may read the array behind a store of the iteration."""
        self.leaves_out = False
        """Whether there may be iterations that store nothing."""

    def _steps(self) -> Iterator[tuple[str, int]]:
        """The scalars that each iteration moves by one, up or down."""
        own = (*self.loop.body, *self.loop.step)
        assigned = Counter(
            s.name for s in statements((self.loop,)) if isinstance(s, (Assign, Declare))
        )
        for stmt in own:
            if isinstance(stmt, Assign) and assigned[stmt.name] == 1:
                by = _moved_by(stmt)
                if by in (1, -1):
                    yield stmt.name, by

    def is_steady(self, *exprs: Expr) -> bool:
        """Whether the loop changes nothing of what these are."""
        return not any(
            isinstance(n, Load) or (isinstance(n, Variable) and n.name in self.changed)
            for n in postorder(*exprs)
        )

    def is_never_negative(self, expr: Expr) -> bool:
        while isinstance(expr, Cast) and _keeps_values(expr):
            expr = expr.value
        if expr.type.is_uint:
            return True
        start = self.starts.get(expr.name) if isinstance(expr, Variable) else None
        if not isinstance(start, Const) or start.value < 0:
            return False
        return isinstance(expr, Variable) and self.steps.get(expr.name) == 1

    def packings(self, array: str) -> Iterator[_Packing]:
        """How the loop may store pixels of an array."""
        store = _First(self, array).store
        if store is None:
            return
        *row, last = store
        if not self.is_steady(*row):
            return
        moving = [(n, t) for n, t in _terms(last) if not self.is_steady(t)]
        shifted = self._shifted(moving[0][1]) if len(moving) == 1 and moving[0][0] == 1 else None
        if shifted is None:
            return
        pixel, shift = shifted
        walking = [(n, t) for n, t in _terms(pixel) if not self.is_steady(t)]
        if len(walking) != 1 or not isinstance(walking[0][1], Variable):
            return
        step = walking[0][0] * self.steps.get(walking[0][1].name, 0)
        if step not in (1, -1):
            return
        offset: Expr = const(0, I64)
        for sign, term in _terms(last):
            if self.is_steady(term):
                part = convert(term, I64)
                offset = add(offset, part) if sign == 1 else subtract(offset, part)
        for first_is_high in (True, False):
            yield _Packing(array, store, shift, pixel, offset, step, first_is_high)

    def _shifted(self, term: Expr) -> tuple[Expr, int] | None:
        """The pixel's number, and by how many bits it is shifted for that of the byte."""
        if isinstance(term, Shr) and isinstance(term.b, Const) and term.b.value in (1, 2, 3):
            return term.a, int(term.b.value)
        if not isinstance(term, TruncDiv) or not self.is_never_negative(term.a):
            return None
        if isinstance(term.b, Const) and term.b.value in (2, 4, 8):
            return term.a, int(term.b.value).bit_length() - 1
        return None

    def iterations(self) -> Expr | None:
        """How many there are, where there is one at all."""
        test = self.loop.condition
        if not isinstance(test, Comparison):
            return None
        for one, other, kinds in ((test.a, test.b, (LT, LE)), (test.b, test.a, (GT, GE))):
            walker = one
            while isinstance(walker, Cast) and _keeps_values(walker):
                walker = walker.value
            if not isinstance(walker, Variable) or not self.is_steady(other):
                continue
            step = self.steps.get(walker.name)
            down = (GT, GE) if kinds[0] is LT else (LT, LE)
            ways: tuple[type[Comparison], type[Comparison]] = kinds if step == 1 else down
            if step is None or not isinstance(test, ways):
                continue
            ends = (other, walker) if step == 1 else (walker, other)
            count = subtract(convert(ends[0], I64), convert(ends[1], I64))
            return count if isinstance(test, ways[0]) else add(count, const(1, I64))
        return None


class _First:
    """The place of the first store to an array, in terms of what the scalars are when an iteration
    begins."""

    def __init__(self, loop: _Loop, array: str) -> None:
        self.store: tuple[Expr, ...] | None = None
        self._find((*loop.loop.body, *loop.loop.step), array, {})

    def _find(self, body: Sequence[Stmt], array: str, places: dict[str, Expr | None]) -> bool:
        for stmt in body:
            if isinstance(stmt, Store) and stmt.array == array:
                found = [_in_terms_of_start(i, places) for i in stmt.indices]
                if None not in found:
                    self.store = tuple(f for f in found if f is not None)
                return True
            branches = (stmt.then, stmt.otherwise) if isinstance(stmt, If) else ()
            if any(self._find(branch, array, dict(places)) for branch in branches):
                return True
            if isinstance(stmt, Assign):
                places[stmt.name] = _in_terms_of_start(stmt.value, places)
            else:
                places.update(dict.fromkeys(writes((stmt,))))
        return False


def _in_terms_of_start(expr: Expr, places: Mapping[str, Expr | None]) -> Expr | None:
    """A place, in terms of what scalars are when an iteration begins; None where isn't known what
    they have become."""
    known: dict[Expr, Expr] = {}
    for node in postorder(expr):
        if isinstance(node, Load):
            return None
        if isinstance(node, Variable) and node.name in places:
            place = places[node.name]
            if place is None:
                return None
            known[node] = place
    return substitute(expr, known)


def _moved_by(stmt: Assign) -> int | None:
    value = stmt.value
    own: Variable = Variable(stmt.name, value.type)
    if not value.type.is_integer or not isinstance(value, (Add, Sub)) or value.a is not own:
        return None
    if not isinstance(value.b, Const):
        return None
    return int(value.b.value) if isinstance(value, Add) else -int(value.b.value)


def _keeps_values(cast: Cast) -> bool:
    """Whether a conversion of integers changes none."""
    to, of = cast.type, cast.value.type
    if not (to.is_integer and of.is_integer) or of.is_bool or to.is_bool:
        return False
    return to.bits > of.bits and (to.is_int or of.is_uint)


def _terms(expr: Expr, sign: int = 1) -> Iterator[tuple[int, Expr]]:
    """What a number is the sum of, with signs: a sum that can't wrap, as C++ has it."""
    if isinstance(expr, Cast) and _keeps_values(expr):
        yield from _terms(expr.value, sign)
    elif isinstance(expr, (Add, Sub)) and expr.type.is_int:
        yield from _terms(expr.a, sign)
        yield from _terms(expr.b, sign if isinstance(expr, Add) else -sign)
    else:
        yield sign, expr


class _Rewriting:
    """A kernel's statements with such loops in two."""

    def __init__(
        self, body: tuple[Stmt, ...], arrays: dict[str, Array], fresh: Fresh, new_array: NewArray
    ) -> None:
        self.body = body
        self.arrays = arrays
        self.fresh = fresh
        self.new_array = new_array

    def block(self, body: Sequence[Stmt]) -> list[Stmt]:
        made: list[Stmt] = []
        starts: dict[str, Expr] = {}
        for stmt in body:
            if isinstance(stmt, If):
                then, otherwise = map(self.block, (stmt.then, stmt.otherwise))
                if (tuple(then), tuple(otherwise)) != (stmt.then, stmt.otherwise):
                    stmt = replace(stmt, then=tuple(then), otherwise=tuple(otherwise))
            elif isinstance(stmt, WhileLoop):
                own = self._loop(stmt, starts)
                if own is not None:
                    made += own
                    starts = {}
                    continue
                inner = tuple(self.block(stmt.body))
                if inner != stmt.body:
                    stmt = replace(stmt, body=inner)
            changed = writes((stmt,))
            starts = {n: v for n, v in starts.items() if not changed & {n, *reads(v)}}
            if isinstance(stmt, Assign) and not reads(stmt.value) & {stmt.name, *self.arrays}:
                starts[stmt.name] = stmt.value
            made.append(stmt)
        return made

    def _loop(self, loop: WhileLoop, starts: dict[str, Expr]) -> list[Stmt] | None:
        """A loop that stores pixels of one array, in two; None for any other one."""
        if not loop.test_first or loop.again:
            return None
        stores = (s.array for s in statements((loop,)) if isinstance(s, Store))
        for array in dict.fromkeys(stores):
            if self.arrays[array].type is not U8:
                continue
            for packing in _Loop(loop, self.arrays, starts, self._outlives(loop)).packings(array):
                seen = _Loop(loop, self.arrays, starts, self._outlives(loop))
                try:
                    for number in range(packing.count):
                        _Iteration(seen, packing, number).run()
                    return _Apart(self, seen, packing).statements()
                except _NotPackedError:
                    continue
        return None

    def _outlives(self, loop: WhileLoop) -> Callable[[str], bool]:
        def uses(body: tuple[Stmt, ...]) -> Counter[str]:
            return Counter(
                n.name
                for s in statements(body)
                for n in postorder(*expressions_of(s))
                if isinstance(n, Variable)
            )

        everywhere, here = uses(self.body), uses((loop,))
        again = needed_by((*loop.body, *loop.step))

        def outlives(name: str) -> bool:
            return everywhere[name] != here[name] or ("scalar", name) in again

        return outlives


class _Apart:
    """What a loop becomes."""

    def __init__(self, made: _Rewriting, seen: _Loop, packing: _Packing) -> None:
        self.made = made
        self.seen = seen
        self.packing = packing
        self.loop = seen.loop
        self.span = seen.loop.span
        count = seen.iterations()
        if count is None:
            raise _NotPackedError
        count = self._first(count)
        self.count: Expr = subtract(count.a, count.b) if isinstance(count, Sub) else count
        first = self._first(convert(packing.pixel, I64))
        is_fixed = isinstance(first, Const) and first.value % packing.count == 0
        self.low: Expr
        if is_fixed and packing.step == 1:
            self.low = first
        else:
            self.low = Variable(made.fresh("low"), I64)
        self.high: Variable = Variable(made.fresh("high"), I64)
        self.at: Variable = Variable(made.fresh("at"), I64)
        self.shift: Variable = Variable(made.fresh("shift"), U8)
        size = subtract(self.high, self.low)
        self.pixels = made.new_array(Array("pixels", U8, origin="local", size=size, span=self.span))
        self.pixel = Load(self.pixels, (self.at,), U8)
        self.is_shifted = False

    def statements(self) -> list[Stmt]:
        """Both loops."""
        body, step = self._block(self.loop.body), self._block(self.loop.step)
        number = convert(self.packing.pixel, I64)
        begin: list[Stmt] = [Assign(self.span, self.at.name, subtract(number, self.low))]
        if self.is_shifted or self.seen.leaves_out:
            begin.append(Assign(self.span, self.shift.name, self._place(self.packing.pixel)))
        if self.seen.leaves_out:
            byte = Load(self.packing.array, self.packing.indices, U8)
            begin.append(Store(self.span, self.pixels, (self.at,), self._of_byte(byte)))
        first = self._first(number)
        is_up = self.packing.step == 1
        apart: list[Stmt] = []
        if isinstance(self.low, Variable):
            low = first if is_up else add(subtract(first, self.count), const(1, I64))
            apart.append(Assign(self.span, self.low.name, low))
        behind = add(first, self.count if is_up else const(1, I64))
        apart += [
            Assign(self.span, self.high.name, behind),
            Allocate(self.span, self.pixels),
            replace(self.loop, body=(*begin, *body), step=step),
            *self._packed(),
        ]
        return apart

    def _first(self, expr: Expr) -> Expr:
        """What something is when the first iteration begins."""
        starts = self.seen.starts
        return with_constants(
            expr,
            {
                n: starts[n.name]
                for n in postorder(expr)
                if isinstance(n, Variable) and n.name in starts
            },
        )

    def _place(self, number: Expr) -> Expr:
        """By how many bits pixel `number` is shifted in its byte."""
        most = self.packing.count - 1
        there: Expr = BitAnd(number, Const(number.type, most))
        if self.packing.first_is_high:
            there = fold(Sub(Const(number.type, most), there))
        return convert(scale(there, self.packing.width), U8)

    def _of_byte(self, byte: Expr) -> Expr:
        mask = Const(byte.type, self.packing.mask)
        return convert(fold(BitAnd(Shr(byte, convert(self.shift, byte.type)), mask)), U8)

    # The pixels.

    def _block(self, body: Sequence[Stmt]) -> tuple[Stmt, ...]:
        made: list[Stmt] = []
        for stmt in body:
            if isinstance(stmt, If):
                condition = self._told(stmt, stmt.condition)
                then, otherwise = self._block(stmt.then), self._block(stmt.otherwise)
                if _same(then, otherwise):
                    made += then
                else:
                    made.append(replace(stmt, condition=condition, then=then, otherwise=otherwise))
            elif isinstance(stmt, Assign):
                made.append(replace(stmt, value=self._told(stmt, stmt.value)))
            elif isinstance(stmt, Store) and stmt.array == self.packing.array:
                value = self._stored(stmt)
                made.append(Store(stmt.span, self.pixels, (self.at,), value))
            elif isinstance(stmt, Store):
                indices = tuple(self._told(stmt, i) for i in stmt.indices)
                made.append(replace(stmt, indices=indices, value=self._told(stmt, stmt.value)))
            elif isinstance(stmt, Assume):
                made.append(replace(stmt, condition=self._told(stmt, stmt.condition)))
            else:
                made.append(stmt)
        return tuple(made)

    def _stored(self, stmt: Store) -> Expr:
        """What a store makes of the pixel."""
        kinds = self.seen.stored.get(id(stmt), [])
        found = self._of_bits(kinds, U8, is_behind=self._is_behind(stmt))
        if found is not None:
            return found
        self.is_shifted = True
        return self._of_byte(self._told(stmt, stmt.value))

    def _is_behind(self, stmt: Stmt) -> bool:
        """Whether a statement that reads the byte may do so behind a store of the iteration."""
        ways = self.seen.reads[id(stmt)]
        if len(ways) > 1 and not self.seen.leaves_out:
            raise _NotPackedError
        return True in ways

    def _told(self, stmt: Stmt, expr: Expr) -> Expr:
        """An expression that reads the pixel where the original reads the byte, if it has been
        stored by then: before, the byte still has what the pixel is."""
        if not _reads(expr, self.packing.array) or not self._is_behind(stmt):
            return expr
        kinds = self.seen.seen[id(stmt), expr]
        found = self._of_bits([*kinds], expr.type, is_behind=True)
        if found is not None:
            return found
        if isinstance(expr, Load) and expr.array == self.packing.array:
            self.is_shifted = True
            return Shl(self.pixel, self.shift)
        return fold(expr.rebuild(tuple(self._told(stmt, c) for c in expr.children)))

    def _of_bits(self, kinds: Sequence[Bits], type: Type, *, is_behind: bool) -> Expr | None:
        """A number whose lowest bits are the same ones in all places and whose others are 0, where
        these are known otherwise."""
        if type.is_float or len(set(kinds)) != 1:
            return None
        bits = kinds[0]
        used = len(bits)
        while used > 1 and bits[used - 1] == _ZERO:
            used -= 1
        low = bits[:used]
        number = _number(bits, type)
        if number is not None:
            return Const(type, number)
        first = low[0]
        if any(b != replace(first, number=first.number + i) for i, b in enumerate(low)):
            return None
        if first.kind == "part":
            source = first.source
            assert source is not None
            if source.type.is_bool:
                return convert(source, type)
            moved = source if not first.number else Shr(source, Const(source.type, first.number))
            mask = Const(source.type, source.type.wrap((1 << used) - 1))
            return convert(moved if used == source.type.bits else BitAnd(moved, mask), type)
        if first.number or used != self.packing.width or first.kind not in ("own", "inverse"):
            return None
        if not is_behind:
            return None
        if type.is_bool:
            made = EQ if first.kind == "inverse" else NE
            return made(self.pixel, const(0, U8))
        if first.kind == "inverse":
            return convert(BitXor(self.pixel, const(self.packing.mask, U8)), type)
        return convert(self.pixel, type)

    # The bytes.

    def _packed(self) -> list[Stmt]:
        packing = self.packing
        byte: Variable = Variable(self.made.fresh("byte"), I64)
        end: Variable = Variable(self.made.fresh("end"), I64)
        shift = const(packing.shift, I64)
        first = fold(Shr(self.low, shift))
        behind: Expr = Add(Shr(Sub(self.high, const(1, I64)), shift), const(1, I64))
        if isinstance(self.low, Variable):
            # Without pixels there are no bytes; else there are no more bytes than pixels.
            behind = Min(behind, Add(first, Sub(self.high, self.low)))
        indices = (*packing.indices[:-1], add(packing.offset, byte))
        old = Load(packing.array, indices, U8)
        value: Expr | None = None
        for number in range(packing.count):
            at = add(scale(byte, packing.count), const(number, I64))
            place = packing.place(number)
            pixel = Load(self.pixels, (subtract(at, self.low),), U8)
            own: Expr = Shl(pixel, const(place, U8)) if place else pixel
            kept = BitAnd(old, const(packing.mask << place, U8))
            inside: Expr = LT(at, self.high)
            if isinstance(self.low, Variable):
                inside = And(LE(self.low, at), inside)
            bits = Select(inside, own, kept)
            value = bits if value is None else BitOr(value, bits)
        assert value is not None
        store: Stmt = Store(self.span, packing.array, indices, value)
        if self.seen.leaves_out:
            store = If(self.span, NE(value, old), (store,))
        step = Assign(self.span, byte.name, Add(byte, const(1, I64)))
        return [
            Assign(self.span, byte.name, first),
            Assign(self.span, end.name, behind),
            WhileLoop(self.span, LT(byte, end), (store,), (step,)),
        ]


def _same(a: Sequence[Stmt], b: Sequence[Stmt]) -> bool:
    """Whether two branches store the same once."""
    if len(a) != 1 or len(b) != 1:
        return False
    one, other = a[0], b[0]
    return (
        isinstance(one, Store)
        and isinstance(other, Store)
        and replace(one, span=other.span) == other
    )
