"""From the program's typed integers to unbounded ones (index expressions, see stage.py).

What C++ leaves undefined (overflow of signed arithmetic) may be assumed not to happen. What it
defines (wrap-around of unsigned arithmetic, narrowing conversions) is kept as an exact `Mod`,
unless the value provably fits, or, where no array element is involved, *claims* to fit: the claim
goes to the verifier.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from compiler.ir import (
    EQ,
    GE,
    GT,
    I64,
    LE,
    LT,
    MIRROR,
    NE,
    OPERATORS,
    U64,
    Add,
    And,
    BitAnd,
    BitXor,
    Call,
    Cast,
    Comparison,
    Const,
    Div,
    Expr,
    Load,
    Max,
    Min,
    Mod,
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
    transform,
)
from compiler.ir.bounds_of_values import value_range as typed_value_range
from compiler.ir.bounds_of_values import whole
from compiler.ir.operators import NUMBERS

from ..model.parameters import PAGE, addresses_among, sizes_among
from ..model.stage import Loop
from .polynomial import (
    ONE,
    ZERO,
    conjuncts,
    disjunction,
    from_polynomial,
    negate,
    normal,
    polynomial,
)

Interval = tuple[int, int]

SIZE_LIMIT = 1 << 31
"""64-bit parameters are sizes and strides: the lifted code's contract is that they fit 32 bits."""

GUARD_LIMIT = 1 << 62
"""What is computed of preconditions at run time must stay below: guards have 64-bit arithmetic."""

MOST_IN_A_GUARD = (1 << 63) - 1
"""No number that a guard computes for a precondition is larger, or smaller than its negative."""

_HUGE = 1 << 80


def value_range(name: str, known: Mapping[str, Type]) -> Interval:
    """The values that one of the `known` parameters can have in an index expression.

    Those of 64-bit and unsigned 32-bit parameters are limited to `SIZE_LIMIT`, which is a
    precondition wherever such a parameter is used as a size (see verify/assumptions.py).
    """
    if name in sizes_among(known):
        return 0, SIZE_LIMIT - 1
    if name in addresses_among(known):
        return 0, PAGE - 1
    type = known[name]
    if type.bits == 64:
        return (-SIZE_LIMIT, SIZE_LIMIT - 1) if type.is_int else (0, SIZE_LIMIT - 1)
    return type.min, min(type.max, SIZE_LIMIT - 1)


@dataclass
class Ranges:
    """What is known of the atoms of index expressions at a point of the program."""

    parameters: dict[str, Type]
    loops: tuple[Loop, ...] = ()
    fitting: set[tuple[Type, Expr]] = field(default_factory=set)
    """Pairs (T, e): e fits T, being the value of a signed induction variable of type T, say."""
    least: Mapping[str, int] = field(default_factory=dict)
    """What branches around this point say that parameters are at least."""
    _known: dict[Expr, Interval] = field(default_factory=dict, init=False, repr=False)
    """Of expressions met so far: a network of exchanges has many paths to each of its nodes."""

    def interval(self, expr: Expr) -> Interval:
        """Bounds of an index expression in every iteration of the loops (which run at least
        once)."""
        return self._bound(expr, -1), self._bound(expr, 1)

    def _bound(self, expr: Expr, sign: int) -> int:
        for loop in reversed(self.loops):
            expr = self._eliminate(expr, loop, sign)
        bounds = self._interval_of(expr)
        return bounds[0] if sign < 0 else bounds[1]

    def _eliminate(self, expr: Expr, loop: Loop, sign: int) -> Expr:
        terms = polynomial(expr)
        slope = {}
        rest = {}
        for monomial, c in terms.items():
            if loop.counter in monomial:
                if monomial.count(loop.counter) > 1:
                    return expr
                shorter = list(monomial)
                shorter.remove(loop.counter)
                slope[tuple(shorter)] = c
            else:
                rest[monomial] = c
        if not slope:
            return expr
        low, high = self._interval_of(from_polynomial(slope))
        if low < 0 < high:
            return expr
        rising = high > 0
        end = ZERO if rising == (sign < 0) else normal(Sub(loop.extent, ONE))
        return normal(Add(from_polynomial(rest), Mul(from_polynomial(slope), end)))

    def _interval_of(self, expr: Expr) -> Interval:
        found = self._known.get(expr)
        if found is None:
            found = self._known[expr] = self._computed(expr)
        return found

    def _computed(self, expr: Expr) -> Interval:
        if isinstance(expr, Const):
            return int(expr.value), int(expr.value)
        if isinstance(expr, (Neg, Add, Sub, Mul, Min, Max, Div, Mod, TruncDiv, TruncMod, BitAnd)):
            operands = map(self._interval_of, expr.children)
            found = OPERATORS[type(expr)].on_intervals(I64, *operands)
            return self._atom(expr) if found is None else found
        if isinstance(expr, Select):
            return NUMBERS.of(Select, self._interval_of(expr.a), self._interval_of(expr.b))
        return self._atom(expr)

    def _atom(self, atom: Expr) -> Interval:
        if isinstance(atom, Variable):
            if atom.name in self.parameters:
                low, high = value_range(atom.name, self.parameters)
                low = max(low, self.least.get(atom.name, low))
                least = (_least_for_iterations(atom, loop.extent) for loop in self.loops)
                return max(low, *least) if self.loops else low, high
            for loop in self.loops:
                if loop.counter is atom:
                    return 0, max(0, self._interval_of(loop.extent)[1] - 1)
            return -_HUGE, _HUGE
        if isinstance(atom, Cast) and atom.value.type.is_integer and atom.value.type.bits < 64:
            return self._typed_range(atom.value)
        return -_HUGE, _HUGE

    def _typed_range(self, value: Expr) -> Interval:
        """What a typed expression can be. The numbers that conversions make of index expressions
        may be any, since they wrap, but those of counters that fit."""
        converted = (n for n in postorder(value) if isinstance(n, Cast) and n.value.type is I64)
        return typed_value_range(value, {n: self._converted(n.type, n.value) for n in converted})

    def _converted(self, type: Type, index: Expr) -> Interval:
        counters = {loop.counter for loop in self.loops}
        if all(n in counters for n in postorder(index) if isinstance(n, Variable)):
            low, high = self._interval_of(index)
            if type.contains(low) and type.contains(high):
                return low, high
        return whole(type)


def _least_for_iterations(parameter: Expr, extent: Expr) -> int:
    """The least value of a parameter with which a loop of this extent has an iteration, if nothing
    else decides that."""
    if isinstance(extent, Max) and ZERO in extent.children:
        extent = extent.b if extent.a is ZERO else extent.a
    terms = polynomial(extent)
    step, left = terms.pop((parameter,), 0), terms.pop((), 0)
    return -_HUGE if terms or step <= 0 else -((left - 1) // step)


_RING = (Add, Sub, Mul, Neg)

Claimer = Callable[[Expr, str], None]
"""Takes a formula that the translation relies on, and a text for people."""

Learner = Callable[[Type, Expr], None]
"""Takes a type, and a value that was meant to be of it."""

ConditionalLearner = Callable[[Type, Expr, tuple[Expr, ...]], None]
"""Takes a signed type, and a value that fits it, because the original would be undefined otherwise,
wherever some formulas hold: it may have computed it there alone."""


class Indexer:
    """Translates typed integer expressions, whose counters and reads are already in place."""

    def __init__(
        self,
        ranges: Ranges,
        claim: Claimer,
        learn: ConditionalLearner | None = None,
        wraps: Learner | None = None,
        facts: Callable[[], Iterable[Expr]] = tuple,
        is_of_loop: bool = False,
    ) -> None:
        self.ranges = ranges
        self.claim = claim
        self.learn = learn
        self.wraps = wraps
        """Is told of values over array elements that are taken to wrap."""
        self.facts = facts
        """What holds where the expressions stand, when asked."""
        self.is_of_loop = is_of_loop
        """Whether it is a loop's condition, of which an unsigned test claims that its sides fit
        rather than to be two tests: of these only one could be counted by."""
        self._where: tuple[Expr, ...] = ()
        """What holds where the original computes what is being translated."""
        self._done: dict[tuple[Expr, tuple[Expr, ...]], Expr] = {}
        """By the expression and where it is computed: what it claims depends on that."""

    def index(self, expr: Expr) -> Expr:
        """The mathematical value of a typed integer expression, in normal form."""
        found = self._done.get((expr, self._where))
        if found is None:
            found = self._done[expr, self._where] = normal(self._translate(expr))
        return found

    def formula(self, expr: Expr) -> Expr | None:
        """A typed boolean as one over index expressions; None when it isn't about integers."""
        if isinstance(expr, Const):
            return expr
        if isinstance(expr, (And, Or)):
            a = self.formula(expr.a)
            # The first part may have kept C++ from computing the second one.
            with self._where_holds(a if isinstance(expr, And) or a is None else negate(a)):
                b = self.formula(expr.b)
            return None if a is None or b is None else normal(expr.rebuild((a, b)))
        if isinstance(expr, Not):
            inner = self.formula(expr.value)
            return None if inner is None else normal(Not(inner))
        if isinstance(expr, (EQ, NE)) and isinstance(expr.a, BitAnd) and _is_zero(expr.b):
            highest = self._highest_bit(expr.a)
            if highest is not None:
                return highest if isinstance(expr, NE) else negate(highest)
        if isinstance(expr, Comparison) and expr.a.type.is_integer and not expr.a.type.is_bool:
            if expr.a.type.is_uint and not isinstance(expr, (EQ, NE)):
                kind, a, b = type(expr), expr.a, expr.b
                for test in ((kind, a, b), (MIRROR[kind], b, a)):
                    two_sided = self._two_sided(*test)
                    if two_sided is not None:
                        return two_sided
            return normal(expr.rebuild((self.index(expr.a), self.index(expr.b))))
        if isinstance(expr, Cast) and expr.type.is_bool and expr.value.type.is_integer:
            return normal(NE(self.index(expr.value), ZERO))
        if isinstance(expr, Variable) and expr.name in self.ranges.parameters:
            return NE(Variable(expr.name, I64), ZERO)
        return None

    def _two_sided(self, kind: type[Expr], tested: Expr, bound: Expr) -> Expr | None:
        """`0 <= a && a < n`, which `unsigned(a) < n` says of a signed `a`, since the negative ones
        are larger than any `n` of half the type's numbers; None for others."""
        if self.is_of_loop or not isinstance(tested, Cast) or not tested.value.type.is_int:
            return None
        a, most = self.index(tested.value), 1 << (tested.type.bits - 1)
        if tested.value.type.bits > tested.type.bits or self.ranges.interval(a)[0] >= 0:
            return None
        inner = bound.value if isinstance(bound, Cast) and bound.value.type.is_int else bound
        if not self._is_within(self.index(inner), 0, most - 1):
            return None
        n = self.index(bound)
        is_inside = normal(LT(a, n) if kind in (LT, GE) else LE(a, n))
        inside = normal(And(normal(GE(a, ZERO)), is_inside))
        return inside if kind in (LT, LE) else negate(inside)

    def _is_within(self, index: Expr, least: int, most: int) -> bool:
        low, high = self.ranges.interval(index)
        return least <= low and high <= most

    def _highest_bit(self, expr: BitAnd) -> Expr | None:
        """`a >= 128`, which `(a & 128) != 0` says of what has no bits above; None for others."""
        if not isinstance(expr.b, Const):
            return None
        number, a = int(expr.b.value), self.index(expr.a)
        if number & (number - 1) or not self._has_no_bits_above(a, number):
            return None
        return normal(GE(a, const(number, I64)))

    @contextmanager
    def _where_holds(self, condition: Expr | None) -> Iterator[None]:
        """Around what the original has computed where a condition holds alone; of an unknown one it
        tells nothing for sure."""
        learn, where = self.learn, self._where
        if condition is None:
            self.learn = None
        else:
            self._where = (*where, condition)
        yield
        self.learn, self._where = learn, where

    def _translate(self, expr: Expr) -> Expr:
        kind = expr.type
        if isinstance(expr, Const):
            return const(expr.value, I64) if I64.contains(int(expr.value)) else Cast(I64, expr)
        if isinstance(expr, Variable):
            return Variable(expr.name, I64)
        if isinstance(expr, Cast) and expr.value.type.is_integer:
            if expr.value.type.is_bool:
                is_flag = isinstance(expr.value, Variable)
                condition = None if is_flag else self.formula(expr.value)
                return Cast(I64, expr) if condition is None else Select(condition, ONE, ZERO)
            if (kind, expr.value) in self.ranges.fitting:
                return self.index(expr.value)  # which may be another form of it here
            exact = self._without_wrapping(expr.value) if kind is I64 else None
            return self._fit(kind, self.index(expr.value)) if exact is None else exact
        if isinstance(expr, (Add, Sub, Mul)):
            return self._wrapping(expr, expr.rebuild((self.index(expr.a), self.index(expr.b))))
        if isinstance(expr, Neg):
            return self._wrapping(expr, Neg(self.index(expr.value)))
        if isinstance(expr, (Min, Max)):
            return expr.rebuild((self.index(expr.a), self.index(expr.b)))
        if isinstance(expr, (TruncDiv, TruncMod, Div, Mod)):
            return self._division(expr)
        if isinstance(expr, (Shl, Shr, BitAnd, BitXor)) and isinstance(expr.b, Const):
            return self._bits(expr)
        if isinstance(expr, Call) and (expr.kind, expr.name) == ("intrinsic", "abs"):
            value = self.index(expr.args[0])
            return Max(value, Neg(value))
        if isinstance(expr, Select):
            condition = self.formula(expr.condition)
            if condition is not None:
                with self._where_holds(condition):
                    a = self.index(expr.a)
                with self._where_holds(negate(condition)):
                    b = self.index(expr.b)
                return Select(condition, a, b)
        return self._opaque(expr)

    def _opaque(self, expr: Expr) -> Expr:
        """What isn't computed with here stays as it is, but that wrapping sums inside of it are
        numbers in normal form, converted at once: so different ways to write one are the same."""
        if expr.type is I64:
            return expr

        def visit(node: Expr) -> Expr:
            lower = _of_lower_bits(node)
            if lower is not None:
                return typed(node.type, lower)
            value = node.value if isinstance(node, Cast) else node
            if not node.type.is_uint or node.type.is_bool:
                return node
            if not isinstance(value, _RING) or not value.type.is_integer:
                return node
            return typed(node.type, normal(self.congruent(node, node.type.bits)))

        return Cast(I64, transform(expr, visit))

    def _without_wrapping(self, expr: Expr) -> Expr | None:
        """A 64-bit unsigned sum or product as the signed number that it is an index by.

        `c - stride` wraps where it is negative, and back in the address: wrapping is a ring
        homomorphism, so only the end has to fit. None for anything else.
        """
        if expr.type is not U64 or not isinstance(expr, _RING):
            return None
        found = normal(self.congruent(expr, 64))
        low, high = self.ranges.interval(found)
        return found if I64.contains(low) and I64.contains(high) else None

    def congruent(self, expr: Expr, bits: int) -> Expr:
        """A number that equals an integer expression modulo 2**bits.

        Wrapping to that many bits or more is a ring homomorphism, so that it is left out: of sums
        and products, whose overflow is undefined or wraps, and of conversions.
        """
        if expr.type.bits < bits or expr.type is I64:
            return self.index(expr)
        if isinstance(expr, _RING):
            return expr.rebuild(tuple(self.congruent(c, bits) for c in expr.children))
        if isinstance(expr, Shl) and isinstance(expr.b, Const) and 0 <= expr.b.value < bits:
            return Mul(self.congruent(expr.a, bits), const(1 << int(expr.b.value), I64))
        if not isinstance(expr, Cast) or not expr.value.type.is_integer or expr.value.type.is_bool:
            return self.index(expr)
        return self.congruent(expr.value, bits)

    def _wrapping(self, typed: Expr, value: Expr) -> Expr:
        """Overflow of signed int and long is undefined; everything else wraps."""
        if typed.type.is_int and typed.type.bits >= 32:
            if self.learn is not None and typed.type is not I64:
                self.learn(typed.type, normal(value), self._where)
            return value
        return self._fit(typed.type, normal(value))

    def _fit(self, type: Type, value: Expr) -> Expr:
        """`value` converted to `type`: itself where it fits (or claims to), else wrapped."""
        if type is I64 or (type, value) in self.ranges.fitting:
            return value
        low, high = self.ranges.interval(value)
        least, most = (0, (1 << 64) - 1) if type is U64 else (type.min, type.max)
        if least <= low and high <= most:
            return value
        if type is not U64 and _depends_on_data(value) and not self._is_bounded(value):
            if self.wraps is not None:
                self.wraps(type, value)
            modulus = const(1 << type.bits, I64)
            if type.is_uint:
                return Mod(value, modulus)
            half = const(1 << (type.bits - 1), I64)
            return Sub(Mod(Add(value, half), modulus), half)
        if low < least:
            self._claim_here(normal(GE(value, const(least, I64))), f"{value} fits {type}")
        if high > most:
            limit = most if type is not U64 else GUARD_LIMIT
            self._claim_here(normal(LE(value, const(limit, I64))), f"{value} fits {type}")
        return value

    def _is_bounded(self, value: Expr) -> bool:
        """Whether facts bound all that a number has of functions' values, so that it may claim to
        fit."""
        if any(isinstance(n, Load) for n in postorder(value)):
            return False
        least, most = bounds_of_atoms(self.facts())
        atoms = {atom for monomial in polynomial(value) for atom in monomial}
        return all(a in least and a in most for a in atoms if _depends_on_data(a))

    def _claim_here(self, formula: Expr, text: str) -> None:
        """Claims what need hold only where it is computed."""
        self.claim(disjunction((*map(negate, self._where), formula)), text)

    def _learn_64_bits(self, expr: Expr, value: Expr) -> None:
        """What is divided fits 64 bits, or was undefined: only here it matters, since what wraps in
        sums and products wraps back."""
        if self.learn is not None and expr.type is I64 and not self._fits_64_bits(value):
            self.learn(I64, value, self._where)

    def _fits_64_bits(self, value: Expr) -> bool:
        low, high = self.ranges.interval(value)
        return _depends_on_data(value) or (I64.contains(low) and I64.contains(high))

    def _division(self, expr: Expr) -> Expr:
        a, b = (self.index(c) for c in expr.children)
        self._learn_64_bits(expr, a)
        if isinstance(expr, (Div, Mod)):
            return expr.rebuild((a, b))
        if self.ranges.interval(a)[0] < 0:
            return expr.rebuild((a, b))
        if isinstance(expr, TruncMod):
            return Mod(a, b)  # by a negative divisor, too; by 0 it is undefined
        return Div(a, b) if self.ranges.interval(b)[0] >= 0 else expr.rebuild((a, b))

    def _bits(self, expr: Expr) -> Expr:
        a = self.index(expr.children[0])
        self._learn_64_bits(expr, a)
        amount = expr.children[1]
        assert isinstance(amount, Const)
        number = int(amount.value)
        if isinstance(expr, Shl):
            return self._wrapping(expr, Mul(a, const(1 << number, I64)))
        if isinstance(expr, Shr):
            return Div(a, const(1 << number, I64))
        if isinstance(expr, BitXor):
            return self._turned_over(expr, a, number)
        if number >= 0 and (number & (number + 1)) == 0:
            return Mod(a, const(number + 1, I64))
        lowest = number & -number
        if 0 < number < 1 << 31 and not number & (number + lowest):  # bits side by side
            found: Expr = Div(a, const(lowest, I64))
            if not self._has_no_bits_above(a, number):
                found = Mod(found, const(number // lowest + 1, I64))
            return Mul(found, const(lowest, I64))
        cleared = -number if number < 0 else (1 << expr.type.bits) - number
        if cleared & (cleared - 1) == 0:  # all bits but the lowest: the multiple of 2**k below
            return Sub(a, Mod(a, const(cleared, I64)))
        return self._opaque(expr)

    def _turned_over(self, expr: Expr, a: Expr, number: int) -> Expr:
        """`a ^ 255` of what has no other bits is `255 - a`."""
        if number & (number + 1) or not self._has_no_bits_above(a, number):
            return self._opaque(expr)
        return Sub(const(number, I64), a)

    def _has_no_bits_above(self, index: Expr, number: int) -> bool:
        """Whether no bit of an index is set above the highest one of a number."""
        low, high = self.ranges.interval(index)
        return low >= 0 and high < 1 << number.bit_length() and 0 < number < GUARD_LIMIT


class StrictIndexer(Indexer):
    """For the DSL's coordinates, whose int32 arithmetic wraps: nothing may be assumed of it.

    Sums and products that end in range are exact whatever their intermediate values were (wrapping
    is a ring homomorphism), so only what leaves the ring claims to fit its type.
    """

    def __init__(
        self,
        ranges: Ranges,
        claim: Claimer,
        learn: ConditionalLearner | None = None,
        wraps: Learner | None = None,
    ) -> None:
        super().__init__(ranges, claim, learn, wraps)
        self._claims: dict[Expr, dict[tuple[Expr, str], None]] = {}

    def _claim_here(self, formula: Expr, text: str) -> None:
        """As it is, since it is claimed again wherever the expression stands: `_choice` says where
        that is."""
        self.claim(formula, text)

    def coordinate(self, expr: Expr) -> Expr:
        """The mathematical value of a whole coordinate, which claims to fit its type."""
        return self.index(expr)

    def index(self, expr: Expr) -> Expr:
        """As of any indexer; what it claims is claimed again wherever `expr` stands."""
        claims = self._claims.get(expr)
        if claims is None:
            with self._claiming() as claims:
                super().index(expr)
            self._claims[expr] = claims
        for formula, text in claims:
            self.claim(formula, text)
        return super().index(expr)

    @contextmanager
    def _claiming(self) -> Iterator[dict[tuple[Expr, str], None]]:
        """Around a translation whose claims are kept to be made elsewhere."""
        kept: dict[tuple[Expr, str], None] = {}
        claim, self.claim = self.claim, lambda formula, text: kept.update({(formula, text): None})
        yield kept
        self.claim = claim

    def _translate(self, expr: Expr) -> Expr:
        found = self._choice(expr, self.index)
        return self._fit(expr.type, normal(self._modular(expr))) if found is None else found

    def _fit(self, type: Type, value: Expr) -> Expr:
        """As of any indexer; 64 bits wrap, too."""
        if type is I64 and not self._fits_64_bits(value):
            low, high = self.ranges.interval(value)
            text = f"{value} fits {type}"
            if low < I64.min:
                self.claim(normal(GE(value, const(I64.min, I64))), text)
            if high > I64.max:
                self.claim(normal(LE(value, const(I64.max, I64))), text)
        return super()._fit(type, value)

    def _choice(self, expr: Expr, side: Callable[[Expr], Expr]) -> Expr | None:
        """A choice by a formula, each side as `side` has it: what a side claims need hold only
        where it is taken. None for anything else."""
        condition = self.formula(expr.condition) if isinstance(expr, Select) else None
        if condition is None or not isinstance(expr, Select):
            return None
        sides: list[Expr] = []
        for taken, value in ((condition, expr.a), (negate(condition), expr.b)):
            with self._claiming() as claims:
                sides.append(side(value))
            for formula, text in claims:
                self.claim(disjunction((negate(taken), formula)), text)
        return Select(condition, *sides)

    def _modular(self, expr: Expr) -> Expr:
        """A number that is congruent to the value of `expr` modulo 2**bits."""
        if isinstance(expr, _RING):
            return expr.rebuild(tuple(map(self._modular, expr.children)))
        if (
            isinstance(expr, Cast)
            and expr.type.is_int
            and expr.value.type.is_int
            and expr.value.type.bits >= expr.type.bits
        ):
            return self._modular(expr.value)
        if expr.type is I64 and isinstance(expr, (Variable, Const)):
            return expr
        choice = self._choice(expr, self._modular)
        if choice is not None:
            return choice
        modulus = _power_of_two(expr)
        if modulus:
            # It divides 2**bits, so that what is congruent leaves the same remainder.
            return Mod(self._modular(expr.children[0]), const(modulus, I64))
        return super()._translate(expr)


def _of_lower_bits(node: Expr) -> Expr | None:
    """The number that is converted, and then again to a type with no more bits; None for others."""
    if not (isinstance(node, Cast) and isinstance(node.value, Cast)):
        return None
    inner, number = node.value.type, node.value.value
    if not node.type.is_integer or node.type.is_bool or inner.is_bool or number.type is not I64:
        return None
    return number if node.type.bits <= inner.bits else None


def _power_of_two(expr: Expr) -> int:
    """The power of two by which `expr` is a remainder that isn't negative; 0 for none."""
    if not isinstance(expr, (Mod, BitAnd)) or not isinstance(expr.b, Const):
        return 0
    modulus = int(expr.b.value) + isinstance(expr, BitAnd)
    return modulus if modulus > 0 and modulus & (modulus - 1) == 0 else 0


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 0


def _depends_on_data(expr: Expr) -> bool:
    return any(isinstance(e, (Load, Call)) for e in postorder(expr))


def bounds_of_atoms(facts: Iterable[Expr]) -> tuple[dict[Expr, Expr], dict[Expr, Expr]]:
    """The least and the most that facts say of what is computed, and is no variable: `0 <= q + c`
    and `q + c < n` that `q` is no less than `-c`, and no more than `n - 1 - c`."""
    least: dict[Expr, Expr] = {}
    most: dict[Expr, Expr] = {}
    for fact in (part for formula in facts for part in conjuncts(formula)):
        if not isinstance(fact, LT | LE | GT | GE):
            continue
        small, large = fact.children if isinstance(fact, LT | LE) else fact.children[::-1]
        room = polynomial(normal(Sub(large, small)))
        strict = const(int(isinstance(fact, LT | GT)), I64)
        for monomial, coefficient in room.items():
            if len(monomial) != 1 or isinstance(monomial[0], Variable):
                continue
            rest = from_polynomial({m: c for m, c in room.items() if m is not monomial})
            if monomial[0] in set(postorder(rest)):
                continue
            if coefficient == 1:
                least.setdefault(monomial[0], normal(Sub(strict, rest)))
            elif coefficient == -1:
                most.setdefault(monomial[0], normal(Sub(rest, strict)))
    return least, most


def normalize_indices(expr: Expr) -> Expr:
    """A typed expression with every index expression inside it in normal form."""

    def visit(node: Expr) -> Expr:
        if isinstance(node, Load):
            return node.rebuild(tuple(map(normal, node.indices)))
        if isinstance(node, Cast) and node.value.type is I64:
            return typed(node.type, normal(node.value))
        if isinstance(node, Comparison) and node.a.type is I64:
            return normal(node)
        return node

    return transform(expr, visit)


def replace(expr: Expr, mapping: Mapping[Expr, Expr]) -> Expr:
    """`substitute`, then the normal form again (also inside typed expressions' indices)."""
    result = substitute(expr, mapping)
    return normal(result) if result.type is I64 else normalize_indices(result)


def typed(type: Type, index: Expr) -> Expr:
    """An index expression as a value of `type`."""
    if type is I64:
        return index
    if isinstance(index, Const):
        return const(type.wrap(int(index.value)), type) if type.is_integer else Cast(type, index)
    if isinstance(index, Cast) and index.value.type is type:
        return index.value
    return Cast(type, index)


def as_formula(condition: Expr, ranges: Ranges | None = None) -> Expr | None:
    """A typed boolean over counters and parameters as one over index expressions.

    None where it depends on array contents, or where wrap-around might matter. Without `ranges` the
    counters are taken to fit 32 bits.
    """
    if any(isinstance(node, Load) for node in postorder(condition)):
        return None
    doubts: list[Expr] = []
    indexer = Indexer(ranges or _AnyRanges({}), lambda formula, _: doubts.append(formula))
    formula = indexer.formula(condition)
    return None if formula is None or doubts or _depends_on_data(formula) else formula


def domain(loops: Iterable[Loop]) -> tuple[Expr, ...]:
    """0 <= counter < extent, for each loop."""

    return tuple(
        part
        for loop in loops
        for part in (GE(loop.counter, ZERO), normal(LT(loop.counter, loop.extent)))
        if not isinstance(part, Const)
    )


class _AnyRanges(Ranges):
    """Counters and parameters as the program's int arithmetic has them: within 32 bits."""

    def _atom(self, atom: Expr) -> Interval:
        return (-SIZE_LIMIT, SIZE_LIMIT - 1) if isinstance(atom, Variable) else super()._atom(atom)
