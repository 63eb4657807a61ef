"""Step 2: terminals (dexter-2019 section 4.2).

Each read of the original is expressed over the region's coordinates: its address, a sum of strides
times counters, becomes a sum of strides times coordinates (the counters of an iteration and the
point that it writes determine each other), and the strides of the array are taken out. What was a
value of a counter becomes the coordinate.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from math import gcd

from compiler.ir import (
    BOOL,
    EQ,
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    NE,
    U32,
    Add,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Select,
    Shl,
    Shr,
    Sub,
    Type,
    Variable,
    const,
    negation,
    postorder,
    transform,
)

from ..dag import Reduce, from_polynomial, negate, normal, polynomial
from ..model.diagnostic import Diagnostic, LiftError
from ..model.parameters import row_stride_of
from ..model.stage import Stage, Write
from ..model.summary import Layout
from .linear import (
    StrideKey,
    by_size,
    divide,
    is_parameter,
    key_expr,
    key_order,
    lies_before,
    linear_form,
    pitch_of,
)
from .roi import Region

_BITS = (BitAnd, BitNot, BitOr, BitXor, Select, Shl, Shr)
"""What moves bits about, and chooses among such."""


@dataclass
class Mapping:
    """Carries one write's expressions from its counters to the region's coordinates."""

    write: Write
    coordinates: tuple[Expr, ...]
    """Of the point that an iteration writes, over the counters."""
    counters: tuple[Expr, ...]
    """Of the iteration that writes a point, over the coordinates."""
    names: tuple[Expr, ...]
    """The coordinates as int64 variables."""
    _steps: dict[Expr, tuple[int, int]] = field(default_factory=dict)
    """counter -> (dimension, coefficient in that dimension's coordinate)."""
    _members: dict[int, dict[Expr, int]] = field(default_factory=dict)
    _offsets: dict[int, Expr] = field(default_factory=dict)
    _done: dict[Expr, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        own = {loop.counter for loop in self.write.loops}
        for d, coordinate in enumerate(self.coordinates):
            form = linear_form(coordinate, own)
            assert form is not None
            members = form.terms.get((), {})
            self._members[d] = members
            self._offsets[d] = from_polynomial(form.offsets)
            for counter, step in members.items():
                self._steps[counter] = (d, step)

    def index(self, expr: Expr) -> Expr:
        """An index expression over the counters as one over the coordinates."""
        result: Expr = const(0, I64)
        rows: dict[tuple[StrideKey, int], dict[Expr, int]] = {}
        for monomial, coefficient in polynomial(expr).items():
            own = [a for a in monomial if a in self._steps]
            rest = tuple(a for a in monomial if a not in self._steps)
            if len(own) == 1 and all(is_parameter(a, set(self._steps)) for a in rest):
                d = self._steps[own[0]][0]
                rows.setdefault((rest, d), {})[own[0]] = coefficient
            else:
                term = from_polynomial({(): coefficient})
                for atom in monomial:
                    term = Mul(term, self._atom(atom))
                result = Add(result, term)
        for (rest, d), row in rows.items():
            result = Add(result, Mul(from_polynomial({rest: 1}), self._row(row, d)))
        return normal(result)

    def _row(self, row: dict[Expr, int], d: int) -> Expr:
        """A sum of counters of one dimension: a multiple of its coordinate if they're in step."""
        members = self._members[d]
        first = next(iter(members))
        scale, left = divmod(row.get(first, 0), members[first])
        if (
            not left
            and row.keys() == members.keys()
            and all(row[c] == scale * s for c, s in members.items())
        ):
            return Mul(const(scale, I64), Sub(self.names[d], self._offsets[d]))
        total: Expr = const(0, I64)
        for counter, coefficient in row.items():
            total = Add(total, Mul(const(coefficient, I64), self._solved(counter)))
        return total

    def _solved(self, counter: Expr) -> Expr:
        for loop, solution in zip(self.write.loops, self.counters, strict=True):
            if loop.counter is counter:
                return solution
        return counter

    def _atom(self, atom: Expr) -> Expr:
        if atom in self._steps:
            return self._solved(atom)
        if isinstance(atom, Cast) and atom.value.type is not I64:
            return Cast(I64, self.partial(atom.value))
        if not atom.children:
            return atom
        return atom.rebuild(
            tuple(self.index(c) if c.type is I64 else self.partial(c) for c in atom.children)
        )

    def partial(self, expr: Expr) -> Expr:
        """A typed expression with coordinates for counters; its loads keep flat indices."""
        found = self._done.get(expr)
        if found is None:
            found = self._done[expr] = self._partial(expr)
        return found

    def _partial(self, expr: Expr) -> Expr:
        if isinstance(expr, Load):
            return Load(expr.array, tuple(self.index(i) for i in expr.indices), expr.type)
        if isinstance(expr, Cast) and expr.value.type is I64:
            return Cast(expr.type, self.index(expr.value))
        if expr.type is I64 and not isinstance(expr, Call):
            return self.index(expr)
        if not expr.children:
            return expr
        return expr.rebuild(tuple(self.partial(c) for c in expr.children))

    def general(self, expr: Expr) -> Expr:
        """`partial(expr)` with the coordinates for the one place that the store goes to.

        A store to `n / 2 * 2` of what is read at `n / 2 * 4 + 1` is of what is read at `2 * x + 1`.
        """
        places = [
            (atom[0], factor, name, offset)
            for d, name in enumerate(self.names)
            if not self._members[d]
            for offset in (self._offsets[d],)
            for atom, factor in polynomial(offset).items()
            if len(atom) == 1
        ]

        def visit(node: Expr) -> Expr:
            if isinstance(node, Load):
                return Load(node.array, tuple(map(moved, node.indices)), node.type)
            if isinstance(node, Cast) and node.value.type is I64:
                return Cast(node.type, moved(node.value))
            return node

        def moved(index: Expr) -> Expr:
            for atom, factor, name, offset in places:
                index = self._in_terms_of(index, atom, factor, Sub(name, offset))
            return index

        return transform(self.partial(expr), visit) if places else self.partial(expr)

    def _in_terms_of(self, index: Expr, atom: Expr, factor: int, difference: Expr) -> Expr:
        """`index` plus the multiple of `difference`, which is 0, that takes `atom` out of it."""
        for monomial, coefficient in polynomial(index).items():
            rest = [a for a in monomial if a is not atom]
            known = all(is_parameter(a, self.names) for a in rest)
            if len(rest) == len(monomial) - 1 and known and coefficient % factor == 0:
                stride = from_polynomial({tuple(rest): coefficient // factor})
                index = Add(index, Mul(stride, difference))
        return normal(index)


def mappings(stage: Stage, region: Region) -> list[Mapping]:
    names = tuple(Variable(d.variable.name, I64) for d in region.dimensions)
    return [
        Mapping(write, witness.point, witness.counters, names)
        for write, witness in zip(stage.writes, region.witnesses, strict=True)
    ]


def infer_layouts(
    values: Iterable[Expr], known: dict[str, Layout], coordinates: Sequence[Expr]
) -> dict[str, Layout]:
    """Strides for every array that `values` (partially mapped) read and that has no layout yet."""
    reads: dict[str, list[tuple[Expr, ...]]] = {}
    counters: dict[Expr, None] = {}
    for value in values:
        for node in _all_nodes(value):
            if isinstance(node, Load):
                reads.setdefault(node.array, []).append(node.indices)
            elif isinstance(node, Reduce):
                counters[node.counter] = None
    layouts = dict(known)
    for array, found in reads.items():
        if array not in layouts:
            lesser = {(stride,) for k in known.values() for stride in k.strides[:-1]}
            layouts[array] = _layout(array, found, coordinates, tuple(counters), lesser)
    return layouts


def _all_nodes(expr: Expr) -> Iterable[Expr]:
    return postorder(expr)


def _layout(
    array: str,
    reads: list[tuple[Expr, ...]],
    coordinates: Sequence[Expr],
    counters: Sequence[Expr],
    lesser: Collection[StrideKey],
) -> Layout:
    """The strides at which an array is read; `counters` are those of sums around the reads,
    `lesser` the strides of which another array has a greater one."""
    moving = set(coordinates)
    places = [indices[-1] for indices in reads]
    pitch = pitch_of(places, moving) or pitch_of(places, {*moving, *counters})
    if pitch is not None:
        places = [pitch.named(p) for p in places]
    forms = [linear_form(place, moving) for place in places]
    keys = {k for f in forms if f is not None for k in f.terms}
    if counters:
        # A stride that is a parameter may be a sum's alone.
        summed = [linear_form(place, {*moving, *counters}) for place in places]
        own = [f for f in summed if f is not None and f.terms.keys() - keys - {()}]
        if own and None not in summed:
            forms = summed
            keys = {k for f in own for k in f.terms} | keys
    strides: list[Expr] = []
    known = [f for f in forms if f is not None]
    inside = {moving: place for place, moving in enumerate((*counters, *coordinates))}
    apart = keys - {()}
    for key in by_size(apart, known, lambda moving: inside.get(moving, -1), lesser=lesser):
        steps = [c for f in forms if f is not None for c in f.terms.get(key, {}).values()]
        offsets = [f.offsets.get(key, 0) for f in forms if f is not None]
        strides.append(key_expr(key, abs(gcd(*steps, *offsets)) or 1))
    inner = _inner_strides([f.terms.get((), {}) for f in forms if f is not None],
                           [f.offsets.get((), 0) for f in forms if f is not None])  # fmt: skip
    if pitch is not None:
        strides = [pitch.spelled(s) for s in strides]
    rows = len(reads[0]) == 2
    if rows:
        strides.append(row_stride_of(array))
        return Layout(array, (*inner, *strides), const(0, I64), rows)
    plain = Layout(array, (*inner, *strides), const(0, I64))
    return _begun_where_read(plain, reads, {*moving, *counters})


def _begun_where_read(
    layout: Layout, reads: Sequence[tuple[Expr, ...]], moving: Collection[Expr]
) -> Layout:
    """A layout whose image begins as far into the array as all reads lie by products of parameters
    that are no strides, `(y - y0) * pitch + (x - x0) * channels`, where these are so many that no
    guard could see that they fit coordinates of 32 bits."""
    begin: dict[StrideKey, int] | None = None
    for read in reads:
        coordinates = image_coordinates(read, layout)
        first = polynomial(coordinates[0]) if coordinates is not None else {}
        far = {
            k: c for k, c in first.items() if len(k) > 1 and all(is_parameter(a, moving) for a in k)
        }
        if not far or begin not in (None, far):
            return layout
        begin = far
    if begin is None or sum(abs(c) << 31 * len(k) for k, c in begin.items()) <= I64.max:
        return layout
    return replace(layout, offset=from_polynomial(begin))


def _inner_strides(terms: list[dict[Expr, int]], offsets: list[int]) -> list[Expr]:
    """(1), or (1, n) for pixels of n interleaved channels."""
    steps = [abs(c) for row in terms for k, c in row.items() if isinstance(k, Variable)]
    wide = [c for c in steps if c in (3, 4)]
    if wide and all(c == wide[0] or c == 1 for c in steps):
        channels_are_constant = 1 not in steps or len(set(steps)) == 2
        if channels_are_constant:
            return [const(1, I64), const(wide[0], I64)]
    return [const(1, I64)]


class NoTerminal(LiftError):
    """A read can't be expressed over the region's coordinates."""


def image_coordinates(
    indices: tuple[Expr, ...], layout: Layout, moving: Set[Expr] = frozenset()
) -> tuple[Expr, ...] | None:
    """Coordinates (index expressions, innermost first) of a flat index; None if it doesn't fit.
    Those `moving` are no lengths of sides."""
    strides = layout.strides[:-1] if layout.rows else layout.strides
    result = steps_along(normal(Sub(indices[-1], layout.offset)), strides, moving)
    if result is None:
        return None
    if len(result) > 1 and lies_before(result[0]):
        result[:2] = _last_column(result[0], result[1], strides)
    if layout.rows:
        result.append(normal(indices[0]))
    return tuple(result)


def steps_along(
    distance: Expr, strides: Sequence[Expr], moving: Set[Expr] = frozenset()
) -> list[Expr] | None:
    """How many steps of each stride, innermost first, a distance between flat indices is; None for
    no sum of such."""
    left = _with_strides_outside(polynomial(distance), strides)
    result: list[Expr] = []
    for d in range(len(strides) - 1, -1, -1):
        whole, left = _divided(left, polynomial(strides[d]), d)
        result.append(_with_factors_inside(whole, moving))
    return None if left else result[::-1]


def _with_strides_outside(
    address: dict[StrideKey, int], strides: Sequence[Expr]
) -> dict[StrideKey, int]:
    """An address in which strides are no part of a choice: a side of length 1 that stays as it is,
    `y * (h > 1 ? stride : 0)`, as `y * (h > 1 ? 1 : 0) * stride`."""
    steps = [stride for stride in strides if not isinstance(stride, Const)]
    if not steps or not any(isinstance(a, Select) for monomial in address for a in monomial):
        return address
    total: Expr = const(0, I64)
    for monomial, coefficient in address.items():
        term: Expr = const(coefficient, I64)
        for atom in monomial:
            term = Mul(term, _by_strides(atom, steps) if isinstance(atom, Select) else atom)
        total = Add(total, term)
    return polynomial(total)


def _by_strides(choice: Select, strides: Sequence[Expr]) -> Expr:
    """A choice as a sum of strides, each times a choice of how often, and a rest."""
    sides = [polynomial(side) for side in (choice.a, choice.b)]
    total: Expr = const(0, I64)
    for stride in reversed(strides):
        divided = [_divided(side, polynomial(stride), 1) for side in sides]
        sides = [rest for _, rest in divided]
        often = Select(choice.condition, *(from_polynomial(whole) for whole, _ in divided))
        total = Add(total, Mul(often, stride))
    return Add(total, Select(choice.condition, *map(from_polynomial, sides)))


def _with_factors_inside(terms: dict[StrideKey, int], moving: Set[Expr]) -> Expr:
    """A coordinate whose choices aren't multiplied: `2 * y * (h > 1 ? 1 : 0)` as
    `h > 1 ? 2 * y : 0`."""
    total: Expr = const(0, I64)
    chosen: dict[Expr, list[tuple[Expr, Select]]] = {}
    for monomial, coefficient in terms.items():
        choices = [a for a in monomial if isinstance(a, Select)]
        if len(choices) != 1:
            total = Add(total, from_polynomial({monomial: coefficient}))
            continue
        rest = tuple(a for a in monomial if a is not choices[0])
        factor = from_polynomial({rest: coefficient})
        chosen.setdefault(choices[0].condition, []).append((factor, choices[0]))
    for condition, found in chosen.items():
        sides: list[Expr] = [const(0, I64), const(0, I64)]
        for factor, choice in found:
            parts = (choice.a, choice.b)
            sides = [Add(s, Mul(factor, part)) for s, part in zip(sides, parts, strict=True)]
        a, b = map(normal, sides)
        total = Add(total, _chosen(condition, a, b, moving))
    return normal(total)


def _chosen(condition: Expr, a: Expr, b: Expr, moving: Set[Expr]) -> Expr:
    """`a` or else `b`; a place on a side that may have length 1, `h > 1 ? 2 * y + 1 : 0`, as the
    last one at most, `min(2 * y + 1, h - 1)`. A coordinate is no length: `x > 1 ? x - 2 : 0`, and
    what doesn't move is no place: `h > 1 ? 4 : 0`."""
    for holds, here, elsewhere in ((condition, a, b), (negate(condition), b, a)):
        length = _longer_than_one(holds)
        if length is None or length in moving or elsewhere is not const(0, I64):
            continue
        if here is const(1, I64) or moving & set(postorder(here)):
            return Min(here, Sub(length, const(1, I64)))
    return Select(condition, a, b)


def _longer_than_one(condition: Expr) -> Expr | None:
    """The parameter that a condition says to be greater than 1; None where it says anything
    else."""
    match condition:
        case GT(a=Variable(), b=Const(value=1)) | GE(a=Variable(), b=Const(value=2)):
            return condition.a
        case LT(a=Const(value=1), b=Variable()) | LE(a=Const(value=2), b=Variable()):
            return condition.b
    return None


def _last_column(column: Expr, row: Expr, strides: Sequence[Expr]) -> tuple[Expr, Expr]:
    """`(-1, y + 1)` as the last element of row y, `(width - 1, y)`."""
    if strides[0] is not const(1, I64) or not isinstance(strides[1], Variable):
        return column, row
    return normal(Add(column, strides[1])), normal(Sub(row, const(1, I64)))


def _divided(
    left: dict[StrideKey, int], stride: dict[StrideKey, int], d: int
) -> tuple[dict[StrideKey, int], dict[StrideKey, int]]:
    """(the coordinate of dimension d, what remains) of an address."""
    if len(stride) > 1:
        leads = [k for k in stride if len(k) == 1]
        tries = [_divided_by_sum(left, stride, lead) for lead in sorted(leads, key=key_order)]
        return min(tries, key=lambda found: len(found[0]) + len(found[1]), default=({}, left))
    ((key, factor),) = stride.items()
    taken: dict[StrideKey, int] = {}
    rest: dict[StrideKey, int] = {}
    for monomial, coefficient in left.items():
        quotient = divide(monomial, key)
        if quotient is None or (d and key == () and not _goes_to(monomial, coefficient, factor)):
            rest[monomial] = coefficient
            continue
        whole, remainder = divmod(coefficient, factor)
        if whole:
            taken[quotient] = whole
        if remainder:
            rest[monomial] = remainder
    return taken, rest


def _divided_by_sum(
    left: dict[StrideKey, int], stride: dict[StrideKey, int], lead: StrideKey
) -> tuple[dict[StrideKey, int], dict[StrideKey, int]]:
    """Division by a stride of several terms, by the one of them that names no size."""
    taken: dict[StrideKey, int] = {}
    for monomial, coefficient in left.items():
        quotient = divide(monomial, lead)
        if quotient is not None and coefficient % stride[lead] == 0:
            taken[quotient] = coefficient // stride[lead]
    whole = from_polynomial(taken)
    rest = polynomial(normal(Sub(from_polynomial(left), Mul(whole, from_polynomial(stride)))))
    return taken, rest


def _goes_to(monomial: StrideKey, coefficient: int, factor: int) -> bool:
    """Whether a term of the innermost address belongs to the pixel (stride > 1), no channel."""
    return not monomial or coefficient % factor == 0


def _is_place(expr: Expr) -> bool:
    """Whether an int64 is made of counters and parameters alone, which fit the DSL's coordinates.

    What is computed of pixels in 64 bits may need them.
    """
    return not any(isinstance(node, (Load, Call, Reduce)) for node in postorder(expr))


def _has_wide_pixels(expr: Expr) -> bool:
    """Whether an index is computed of pixels that 32 bits may not hold as a coordinate: 64-bit
    values that no conversion has widened, and 32 bits without a sign."""
    if isinstance(expr, (Load, Call, Reduce)):
        return True
    if isinstance(expr, Cast):
        type = expr.value.type
        is_narrow = type.is_float or type.bits < 32 or type is I32
        return not is_narrow and not _is_place(expr.value)
    return any(map(_has_wide_pixels, expr.children))


def _has_wide_bits(expr: Expr) -> bool:
    """Whether an index is the remainder or the quotient of bits of 32 without a sign that are moved
    about: no size has them."""
    return isinstance(expr, (Div, Mod)) and any(
        isinstance(node, Cast) and node.value.type is U32 and isinstance(node.value, _BITS)
        for node in postorder(expr)
    )


def _has_wide_constants(expr: Expr) -> bool:
    """Whether an index is computed with numbers that 32 bits don't hold: `x * step >> 32`."""
    return any(
        isinstance(node, Const) and node.type is I64 and not I32.contains(int(node.value))
        for node in postorder(expr)
    )


def _at_the_end(place: Expr) -> Expr:
    """Where a counter is that a loop leaves, `i + max(n - i, 0)`, as `max(n, i)`: in 32 bits the
    difference might overflow."""
    terms = polynomial(place)
    for monomial, factor in terms.items():
        atom = monomial[0] if len(monomial) == 1 else None
        if not isinstance(atom, Max) or const(0, I64) not in (atom.a, atom.b):
            continue
        start = {m: c for m, c in terms.items() if m != monomial}
        way = atom.b if atom.a is const(0, I64) else atom.a
        begin = from_polynomial(start)
        end = normal(Add(begin, Mul(way, const(factor, I64))))
        if len(polynomial(end)) < len(polynomial(way)):
            return (Max if factor > 0 else Min)(end, begin)
    return place


def _with_shifts(expr: Expr) -> Expr:
    """A 64-bit number whose quotients by large powers of two are shifts, as people write them."""

    def visit(node: Expr) -> Expr:
        if not (isinstance(node, Div) and node.type is I64 and isinstance(node.b, Const)):
            return node
        by = int(node.b.value)
        if by <= I32.max or by & (by - 1):
            return node
        return Shr(node.a, const(by.bit_length() - 1, I64))

    return transform(expr, visit)


class Imager:
    """Turns partially mapped values into DSL terms: image reads at int32 coordinates."""

    def __init__(
        self, layouts: dict[str, Layout], parameters: dict[str, Type], coordinates: Sequence[Expr]
    ) -> None:
        self.layouts = layouts
        self.parameters = parameters
        self.coordinates = set(coordinates)
        self.terminals: dict[Expr, None] = {}
        self._done: dict[Expr, Expr] = {}

    def value(self, expr: Expr) -> Expr:
        """A typed expression over images, parameters and int32 coordinates."""
        found = self._done.get(expr)
        if found is None:
            found = self._done[expr] = self._value(expr)
        return found

    def _value(self, expr: Expr) -> Expr:
        if isinstance(expr, Load):
            return self._image(expr)
        if isinstance(expr, Reduce):
            made: Expr = Reduce(expr.operator, expr.counter, expr.extent, self.value(expr.body))
            return made
        if isinstance(expr, Cast) and expr.value.type is I64 and _is_place(expr.value):
            if expr.type.is_float or expr.type.bits > I32.bits:
                return Cast(expr.type, self._wide(expr.value))
            inner = self.coordinate(_at_the_end(expr.value))
            return inner if expr.type is I32 else Cast(expr.type, inner)
        if (
            expr.type is I64
            and isinstance(expr, (Variable, Add, Sub, Mul, Neg, Min, Max, Div, Mod))
            and _is_place(expr)
        ):
            return self._wide(expr)
        if not expr.children:
            return expr
        return expr.rebuild(tuple(self.value(c) for c in expr.children))

    def _wide(self, expr: Expr) -> Expr:
        """A 64-bit value of coordinates and parameters, which 32 bits may not hold."""
        if isinstance(expr, Variable):
            inner = self.coordinate(expr)
            declared = self.parameters.get(expr.name)
            if declared is not None and expr not in self.coordinates:
                inner = Variable(expr.name, declared)
            return inner if inner.type is I64 else Cast(I64, inner)
        if not isinstance(expr, (Add, Sub, Mul, Neg, Min, Max, Div, Mod)):
            return self.value(expr)
        return expr.rebuild(tuple(map(self._wide, expr.children)))

    def _image(self, load: Load) -> Expr:
        place = image_coordinates(load.indices, self.layouts[load.array], self.coordinates)
        if place is None:
            raise NoTerminal(
                Diagnostic(
                    "no-terminal", "error",
                    f"{load!r} is no read of an image with strides "
                    f"{', '.join(map(repr, self.layouts[load.array].strides))}",
                    family="unsupported",
                )
            )  # fmt: skip
        call = Call(load.array, tuple(self.coordinate(c) for c in place), load.type, "image")
        self.terminals[call] = None
        return call

    def coordinate(self, expr: Expr) -> Expr:
        """An index expression as an int32 one, for coordinates and their values."""
        if isinstance(expr, Const):
            return const(I32.wrap(int(expr.value)), I32)
        if isinstance(expr, Variable):
            if expr in self.coordinates:
                return Variable(expr.name, I32)
            declared = self.parameters.get(expr.name)
            if declared is not None:
                named = Variable(expr.name, declared)
                return named if declared is I32 else Cast(I32, named)
            return Cast(I32, expr)  # the counter of a reduction
        if isinstance(expr, Cast):
            inner = self.value(expr.value)
            return inner if inner.type is I32 else Cast(I32, inner)
        if isinstance(expr, (EQ, NE)) and expr.b is const(0, I64) and isinstance(expr.a, Variable):
            flag = Variable(expr.a.name, BOOL)
            if self.parameters.get(flag.name) is BOOL:
                return flag if isinstance(expr, NE) else negation(flag)
        if not isinstance(expr, (Add, Sub, Mul, Neg)) and (
            _has_wide_pixels(expr) or _has_wide_bits(expr) or _has_wide_constants(expr)
        ):
            if expr.type.is_bool:
                return self.value(expr)
            bits = self._in_32_bits(expr)
            return Cast(I32, _with_shifts(self._wide(expr)) if bits is None else bits)
        return expr.rebuild(tuple(self.coordinate(c) for c in expr.children))

    def _in_32_bits(self, expr: Expr, wraps: bool = False) -> Expr | None:
        """An index of pixels of 32 bits without a sign as it was before it was widened: the shift
        for the quotient, the mask for the remainder. None where it may need more bits; with `wraps`
        only the lowest 32 count."""
        if isinstance(expr, Const):
            value = int(expr.value)
            return Const(U32, value) if U32.contains(value) else None
        if isinstance(expr, Cast):
            return self.value(expr.value) if expr.value.type is U32 else None
        if isinstance(expr, Variable) and self.parameters.get(expr.name) is U32:
            return None if expr in self.coordinates else Variable(expr.name, U32)
        if isinstance(expr, Select) and not _has_wide_pixels(expr):
            sides = [self._in_32_bits(side, wraps) for side in (expr.a, expr.b)]
            a, b = sides
            if a is None or b is None:
                return None
            return Select(self.coordinate(expr.condition), a, b)
        if isinstance(expr, (Div, Mod)) and isinstance(expr.b, Const):
            by = int(expr.b.value)
            if isinstance(expr, Mod) and by == U32.max + 1:
                return self._in_32_bits(expr.a, wraps=True)
            of = self._in_32_bits(expr.a)
            if of is None or not 0 < by <= U32.max:
                return None
            if by & (by - 1):
                return type(expr)(of, Const(U32, by))
            if isinstance(expr, Div):
                return Shr(of, Const(U32, by.bit_length() - 1))
            return BitAnd(of, Const(U32, by - 1))
        if wraps and isinstance(expr, (Add, Sub, Mul)):
            parts = [self._in_32_bits(c, wraps=True) for c in expr.children]
            return None if None in parts else expr.rebuild(tuple(p for p in parts if p is not None))
        return None
