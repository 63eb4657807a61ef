"""Coordinates are simplified over whole numbers: each law is proved, results are compared."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
import z3

from compiler.ir import I32, U8, Call, Cast, Const, Expr, Variable, const, postorder, substitute
from compiler.ir import nodes as n
from compiler.ir.simplify_coordinate import simplify_coordinate

from .coordinate_laws import LAWS, POSITIVE, C, D, Law, X, Y

FIRST, EXTENT = Variable("f.min.0", I32), Variable("f.extent.0", I32)
ROW = Variable("row", I32)


class Encoder:
    """Coordinates as formulas over whole numbers.

    A quotient of a positive divisor c is a new number q, with the rest r = a - q * c in [0, c).
    """

    def __init__(self) -> None:
        self.facts: list[z3.BoolRef] = []
        self.quotients: list[z3.ArithRef] = []
        self.done: dict[Expr, z3.ExprRef] = {}

    def of(self, expr: Expr) -> z3.ExprRef:
        for node in postorder(expr):
            if node not in self.done:
                self.done[node] = self._node(node, [self.done[c] for c in node.children])
        return self.done[expr]

    def _node(self, node: Expr, operands: Sequence[z3.ExprRef]) -> z3.ExprRef:
        match node:
            case Const(value=value):
                return z3.BoolVal(bool(value)) if node.type.is_bool else z3.IntVal(int(value))
            case Variable(name=name):
                return self._variable(node, name)
            case n.Min() | n.Max():
                a, b = operands
                return z3.If(a < b if isinstance(node, n.Min) else a > b, a, b)
            case n.Div(a=a, b=b) | n.Mod(a=a, b=b):
                key = n.Div(a, b)
                if key not in self.done:
                    self.done[key] = self._quotient(*operands)
                quotient = self.done[key]
                return quotient if node is key else operands[0] - quotient * operands[1]
        return _OPERATORS[type(node)](*operands)

    def _variable(self, node: Expr, name: str) -> z3.ExprRef:
        if node.type.is_bool:
            return z3.Bool(name)
        made = z3.Int(name)
        if node in POSITIVE:
            self.facts.append(made > 0)
        if ".extent." in name:
            self.facts.append(made >= 0)
        return made

    def _quotient(self, a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
        made = z3.Int(f"quotient.{len(self.quotients)}")
        self.facts += [b > 0, a - made * b >= 0, a - made * b < b]
        self.quotients.append(made)
        return made


_OPERATORS = {
    n.Add: lambda a, b: a + b,
    n.Sub: lambda a, b: a - b,
    n.Mul: lambda a, b: a * b,
    n.Neg: lambda a: -a,
    n.LT: lambda a, b: a < b,
    n.LE: lambda a, b: a <= b,
    n.GT: lambda a, b: a > b,
    n.GE: lambda a, b: a >= b,
    n.EQ: lambda a, b: a == b,
    n.NE: lambda a, b: a != b,
    n.And: z3.And,
    n.Or: z3.Or,
    n.Not: z3.Not,
    n.Select: z3.If,
}


def far_apart(a: z3.ArithRef, b: z3.ArithRef, c: z3.ArithRef) -> z3.BoolRef:
    """Different whole numbers are at least c apart when multiplied by a positive c."""
    return z3.And(
        z3.Implies(a - b >= 1, a * c - b * c >= c), z3.Implies(b - a >= 1, b * c - a * c >= c)
    )


def verdict(left: Expr, right: Expr, given: Sequence[Expr] = ()) -> z3.CheckSatResult:
    """`unsat` where both sides are always equal; their difference is what is looked for."""
    encoder = Encoder()
    a, b = encoder.of(left), encoder.of(right)
    solver = z3.Solver()
    solver.set("timeout", 20_000)
    solver.add(*map(encoder.of, given), *encoder.facts, a != b)
    numbers = [*encoder.quotients]
    if not left.type.is_bool:
        numbers += [x for x in (a, b) if x not in numbers]
    scales = [z3.Int(str(v)) for v in (C, D) if v in (*postorder(left), *postorder(right))]
    scales += [x * y for x, y in combinations(scales, 2)]
    for p, q in combinations(numbers, 2):
        solver.add(*(far_apart(p, q, c) for c in scales))
    return solver.check()


def test_products_of_different_numbers_are_far_apart() -> None:
    a, b, c = z3.Ints("a b c")
    solver = z3.Solver()
    solver.add(c > 0, z3.Not(far_apart(a, b, c)))
    assert solver.check() == z3.unsat


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_each_law_is_proved(law: Law) -> None:
    assert verdict(law.left, law.right, law.given) == z3.unsat


ONE_WAY = {
    "negated-min", "negated-max", "scaled-min", "scaled-max", "scaled-select", "max-at-most",
    "min-at-most", "quotient-shared-factor", "quotient-of-quotient", "remainder-of-remainder",
    "quotient-of-min", "quotient-of-max",
}  # fmt: skip
"""Laws that are gone by in some places alone, where more cancels then."""


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "law", [x for x in LAWS if not x.given and x.name not in ONE_WAY], ids=lambda law: law.name
)
def test_both_sides_of_a_law_become_one_node(law: Law) -> None:
    numbers = {C: const(8), D: const(3)}
    left, right = (simplify_coordinate(substitute(e, numbers)) for e in (law.left, law.right))
    assert left is right


@pytest.mark.parametrize("law", [x for x in LAWS if x.given], ids=lambda law: law.name)
def test_what_a_law_requires_can_hold(law: Law) -> None:
    encoder = Encoder()
    solver = z3.Solver()
    solver.add(*map(encoder.of, law.given), *encoder.facts)
    assert solver.check() == z3.sat


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        (n.Div(n.Add(n.Mul(X, C), Y), C), n.Add(X, Y)),
        (n.Neg(n.Min(X, Y)), n.Min(n.Neg(X), n.Neg(Y))),
        (n.Mod(n.Add(X, Y), C), n.Add(n.Mod(X, C), n.Mod(Y, C))),
        (n.LE(n.Max(X, Y), const(0)), n.Or(n.LE(X, const(0)), n.LE(Y, const(0)))),
    ],
)
def test_a_wrong_law_is_refuted(left: Expr, right: Expr) -> None:
    assert verdict(left, right) == z3.sat


def test_sides_that_are_equal_on_a_part_need_what_they_require() -> None:
    for law in LAWS:
        if law.given:
            assert verdict(law.left, law.right) == z3.sat, law.name


BUFFER = (FIRST, EXTENT)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (n.Min(FIRST, n.Sub(n.Add(FIRST, EXTENT), const(16))),
         "f.min.0 + min(f.extent.0, 16) - 16"),
        (n.Div(n.Add(n.Mul(ROW, const(8)), const(7)), const(8)), "row"),
        (n.Mod(n.Add(n.Mul(ROW, const(8)), EXTENT), const(4)), "f.extent.0 % 4"),
        (n.Max(EXTENT, const(0)), "f.extent.0"),
        (n.Max(n.Min(ROW, const(9)), const(20)), "20"),
        (n.Min(n.Min(n.Add(ROW, const(1)), EXTENT), n.Min(n.Add(ROW, const(2)), EXTENT)),
         "min(f.extent.0, row + 1)"),
        (n.Sub(EXTENT, n.Sub(n.Min(EXTENT, const(16)), const(16))), "max(f.extent.0, 16)"),
        (n.LE(const(16), n.Min(EXTENT, const(16))), "16 <= f.extent.0"),
        (n.LE(EXTENT, n.Mul(n.Div(n.Add(EXTENT, const(15)), const(16)), const(16))), "true"),
        (n.Select(n.LE(ROW, const(0)), n.Add(ROW, FIRST), n.Add(n.Add(FIRST, ROW), const(2))),
         "f.min.0 + row + select(row <= 0, 0, 2)"),
        (n.Div(n.Add(n.Max(EXTENT, const(16)), const(15)), const(16)),
         "max((f.extent.0 + 15) / 16, 1)"),
    ],
)  # fmt: skip
def test_coordinates_become_short(given: Expr, expected: str) -> None:
    assert str(simplify_coordinate(given)) == expected


def test_equal_sums_are_one_node_in_whatever_order_they_are_written() -> None:
    one = n.Div(n.Add(n.Add(ROW, FIRST), const(3)), const(2))
    other = n.Div(n.Add(const(1), n.Add(FIRST, n.Add(const(2), ROW))), const(2))
    assert simplify_coordinate(one) is simplify_coordinate(other)


def test_values_are_left_alone() -> None:
    read = Call("f", (ROW,), I32, "func")
    for value in (read, Cast(I32, Call("g", (ROW,), U8, "image"))):
        scaled = n.Div(n.Mul(value, const(8)), const(8))
        assert simplify_coordinate(scaled) is scaled


def test_other_types_are_left_alone() -> None:
    byte = Variable("byte", U8)
    scaled = n.Div(n.Mul(byte, const(8, U8)), const(8, U8))
    assert simplify_coordinate(scaled) is scaled


def random_coordinate(rng: random.Random, depth: int) -> Expr:
    if depth == 0 or rng.random() < 0.15:
        numbers = (0, 1, 2, 3, 4, 7, 8, 15, 16, -1, -3)
        return rng.choice((FIRST, EXTENT, ROW, X, const(rng.choice(numbers))))
    a, b = (random_coordinate(rng, depth - 1) for _ in range(2))
    size = const(rng.choice((2, 3, 4, 8, 16)))
    match rng.randrange(8):
        case 0:
            return n.Add(a, b)
        case 1:
            return n.Sub(a, b)
        case 2:
            return n.Mul(a, const(rng.choice((2, 3, 4, 8, -1, -2))))
        case 3:
            return n.Div(a, size)
        case 4:
            return n.Mod(a, size)
        case 5:
            kind = rng.choice((n.LT, n.LE, n.GT, n.GE, n.EQ, n.NE))
            c, d = (random_coordinate(rng, depth - 1) for _ in range(2))
            return n.Select(kind(a, b), c, d)
        case _:
            return rng.choice((n.Min, n.Max))(a, b)


def whole_number(expr: Expr, values: dict[str, int]) -> int:
    """The coordinate's value, in Python's numbers, which don't overflow."""
    done: dict[Expr, int] = {}
    for node in postorder(expr):
        operands = [done[c] for c in node.children]
        if isinstance(node, Variable):
            done[node] = values[node.name]
        elif isinstance(node, Const):
            done[node] = int(node.value)
        else:
            done[node] = _NUMBERS[type(node)](*operands)
    return done[expr]


_NUMBERS = {
    n.Add: lambda a, b: a + b,
    n.Sub: lambda a, b: a - b,
    n.Mul: lambda a, b: a * b,
    n.Neg: lambda a: -a,
    n.Div: lambda a, b: a // b,
    n.Mod: lambda a, b: a % b,
    n.Min: min,
    n.Max: max,
    n.LT: lambda a, b: a < b,
    n.LE: lambda a, b: a <= b,
    n.EQ: lambda a, b: a == b,
    n.NE: lambda a, b: a != b,
    n.GT: lambda a, b: a > b,
    n.GE: lambda a, b: a >= b,
    n.Select: lambda c, a, b: a if c else b,
    n.Not: lambda a: not a,
}


def points(rng: random.Random, count: int) -> Iterator[dict[str, int]]:
    for _ in range(count):
        values = {v.name: rng.randint(-25, 25) for v in (FIRST, ROW, X)}
        yield {**values, EXTENT.name: rng.randint(0, 20)}


def disagreement(a: Expr, b: Expr, rng: random.Random) -> dict[str, int] | None:
    """A point where two coordinates differ, of forty that are tried."""
    for values in points(rng, 40):
        if whole_number(a, values) != whole_number(b, values):
            return values
    return None


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("seed", range(40))
def test_random_coordinates_keep_their_values(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        given = random_coordinate(rng, rng.randrange(1, 6))
        made = simplify_coordinate(given)
        found = disagreement(given, made, rng)
        assert found is None, f"seed {seed}: {given} -> {made} at {found}"


def test_a_wrong_simplification_would_be_seen() -> None:
    given = n.Min(ROW, n.Sub(EXTENT, const(3)))
    assert disagreement(given, n.Min(ROW, EXTENT), random.Random(0)) is not None


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("seed", range(12))
def test_random_coordinates_are_proved_equal(seed: int) -> None:
    rng = random.Random(1000 + seed)
    for _ in range(8):
        given = random_coordinate(rng, 3)
        assert verdict(given, simplify_coordinate(given)) == z3.unsat, f"seed {seed}: {given}"
