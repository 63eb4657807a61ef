"""Values that are read many times: work grows with the operations, not with their readings.

A value that is squared twenty times is read a million times. They would not end otherwise.
"""

from __future__ import annotations

from compiler.ir import NE, U8, Add, Expr, Mul, Select, TruncDiv, Variable, const
from lifter.verify import definedness
from lifter.verify.canonical import LeafIntervals, canonical
from tests.verify.differential import difference, lifted

ROUNDS = 20
SQUARED = """void f(float *d, const float *s, int n) { for (int i = 0; i < n; i++) {
    float v = d[i]; for (int k = 0; k < %d; k++) v = v * v + (v < s[i] ? s[i] : v); d[i] = v; } }"""


def squared(times: int) -> Expr:
    value: Expr = Variable("v", U8)
    for _ in range(times):
        value = Add(Mul(value, value), value)
    return value


def test_a_value_that_is_read_a_million_times_is_proved() -> None:
    result = lifted(SQUARED % ROUNDS)
    assert result.status == "proved", result.diagnostic
    small = lifted(SQUARED % 2)
    assert small.status == "proved" and difference(small) is None


def test_the_canonical_form_visits_each_operation_once() -> None:
    made = canonical(squared(200), LeafIntervals({}))
    assert canonical(made, LeafIntervals({})) is made


def test_the_order_of_operands_is_that_of_the_run_before() -> None:
    """Digests come from the operands' shapes, never from where they lie in memory."""
    a, b = (Variable(name, U8) for name in "ab")
    for one, other in ((a, b), (Mul(a, b), a), (Mul(a, a), Mul(b, b))):
        first, second = Add(one, other), Add(other, one)
        assert canonical(first, LeafIntervals({})) is canonical(second, LeafIntervals({}))


def test_divisors_below_many_readings_are_found_once() -> None:
    n, d = Variable("n", U8), Variable("d", U8)
    value: Expr = TruncDiv(n, d)
    for _ in range(60):
        value = Add(value, value)
    chosen = Select(NE(d, const(0, U8)), value, squared(60))
    found = definedness(chosen)
    assert len(found) == 1
    assert definedness(squared(60)) == []
