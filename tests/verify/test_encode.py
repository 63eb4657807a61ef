"""What Z3 is told of an operator is what the operator means."""

from __future__ import annotations

import random

import numpy as np
import pytest
import z3

from compiler.ir import (
    BOOL,
    EQ,
    F32,
    GE,
    GT,
    I8,
    I16,
    I32,
    I64,
    LE,
    LT,
    NE,
    U8,
    U16,
    U32,
    U64,
    Add,
    And,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Div,
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
    Variable,
    const,
    evaluate,
    intrinsic,
)
from compiler.ir.nodes import Arithmetic, Comparison, IntegerArithmetic, Logical
from lifter.verify import Prover
from lifter.verify.encode import IntegerEncoder, ValueEncoder
from tests.verify.numbers_of_terms import numbers

BINARY = sorted(
    {k for base in (Arithmetic, IntegerArithmetic, Comparison) for k in base.__subclasses__()},
    key=lambda k: k.__name__,
)
BITWISE = (BitAnd, BitOr, BitXor)
BYTES = np.arange(256)
PAIRS = tuple(side.reshape(-1) for side in np.meshgrid(BYTES, BYTES))
INTEGERS = (BOOL, U8, I8, U16, I16, U32, I32, U64, I64)


def values_of(type, patterns):
    """Bit patterns as numpy numbers of an 8-bit type."""
    return patterns.astype(np.uint8).view(np.int8 if type.is_int else np.uint8)


def patterns_of(result):
    """What the evaluator gives, as bit patterns (or booleans)."""
    if result.dtype.kind == "b":
        return result
    return result.astype(result.dtype.str.replace("i", "u")).astype(object)


def encoded(expr):
    return ValueEncoder()(expr)


def symbols(*variables):
    """The names that the encoder gives variables."""
    encode = ValueEncoder()
    return [encode(v) for v in variables]


def compare_on_all_pairs(expr, type, defined=None):
    a, b = symbols(Variable("a", type), Variable("b", type))
    left, right = PAIRS
    term = encoded(expr)
    env = {a.decl().name(): left.astype(object), b.decl().name(): right.astype(object)}
    ours = numbers(term, env)
    truth = patterns_of(evaluate(expr, {"a": values_of(type, left), "b": values_of(type, right)}))
    wrong = np.broadcast_to(ours != truth, left.shape)
    if defined is not None:
        wrong = wrong & defined(values_of(type, left), values_of(type, right))
    assert not wrong.any(), [(int(left[i]), int(right[i])) for i in np.flatnonzero(wrong)[:5]]
    simplified_agrees(term, (a, b), type, ours)


def simplified_agrees(term, names, type, ours):
    """The evaluator of terms means what Z3 means, on a sample."""
    source = random.Random(11)
    for place in (source.randrange(1 << 16) for _ in range(40)):
        given = [(n, z3.BitVecVal(int(p[place]), 8)) for n, p in zip(names, PAIRS, strict=True)]
        value = z3.simplify(z3.substitute(term, *given))
        number = value.as_long() if z3.is_bv_value(value) else z3.is_true(value)
        assert number == np.broadcast_to(ours, PAIRS[0].shape)[place]


def divisible(a, b):
    overflows = (a == -128) & (b == -1) if a.dtype.kind == "i" else np.zeros(a.shape, bool)
    return (b != 0) & ~overflows


DEFINED = {
    TruncDiv: divisible,
    TruncMod: divisible,
    Shl: lambda a, b: (b >= 0) & (b < 8),
    Shr: lambda a, b: (b >= 0) & (b < 8),
}


def test_the_table_of_operators_is_complete():
    assert len(BINARY) == 6 + 1 + 7 + 6  # one more than nodes.py has would go untested otherwise
    assert set(Logical.__subclasses__()) == {And, Or}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("type", [U8, I8], ids=str)
@pytest.mark.parametrize("operator", BINARY, ids=lambda k: k.__name__)
def test_an_operator_means_the_same_on_every_pair_of_bytes(operator, type):
    expr = operator(Variable("a", type), Variable("b", type))
    compare_on_all_pairs(expr, type, DEFINED.get(operator))


@pytest.mark.parametrize("type", [U8, I8], ids=str)
@pytest.mark.parametrize("operator", [Neg, BitNot], ids=lambda k: k.__name__)
def test_a_sign_means_the_same_on_every_byte(operator, type):
    compare_on_all_pairs(operator(Variable("a", type)), type)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("type", [U8, I8], ids=str)
@pytest.mark.parametrize("name", ["abs", "absd", "saturating_add", "saturating_sub"])
def test_an_integer_intrinsic_means_the_same_on_every_pair_of_bytes(name, type):
    operands = (Variable("a", type), Variable("b", type))
    compare_on_all_pairs(intrinsic(name, *operands[: 1 if name == "abs" else 2]), type)


def test_a_selection_takes_the_chosen_value():
    a, b = Variable("a", U8), Variable("b", U8)
    compare_on_all_pairs(Select(LT(a, b), Sub(b, a), a), U8)


def test_the_comparison_finds_a_wrong_encoding(monkeypatch):
    """Bit-vectors compare as signed in z3py: an encoder that forgets it is found out."""
    from lifter.verify import encode

    right = encode.bit_vector_operator

    def wrong(kind, type, args):
        return args[0] < args[1] if kind is LT else right(kind, type, args)

    monkeypatch.setattr(encode, "bit_vector_operator", wrong)
    with pytest.raises(AssertionError):
        compare_on_all_pairs(LT(Variable("a", U8), Variable("b", U8)), U8)


LOGIC = [*(k for k in BINARY if k in BITWISE or issubclass(k, Comparison)), And, Or]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("operator", LOGIC, ids=lambda k: k.__name__)
@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
def test_booleans_have_a_truth_table(operator, a, b):
    expr = operator(const(a, BOOL), const(b, BOOL))
    assert z3.is_true(z3.simplify(encoded(expr))) == bool(evaluate(expr))


@pytest.mark.parametrize("a", [False, True])
def test_not_has_a_truth_table(a):
    for operator in (Not, BitNot):
        assert z3.is_true(z3.simplify(encoded(operator(const(a, BOOL))))) == (not a)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("target", INTEGERS, ids=str)
@pytest.mark.parametrize("source", INTEGERS, ids=str)
def test_a_cast_wraps_and_extends(source, target):
    near = {source.min, source.min + 1, source.max, source.max - 1, 0, 1, 127, 128, 255, 256, -1}
    for value in sorted(v for v in near if source.contains(v)):
        expr = Cast(target, const(value, source))
        ours = z3.simplify(encoded(expr))
        truth = int(value != 0) if target.is_bool else target.wrap(value)
        if target.is_bool:
            assert z3.is_true(ours) == bool(truth)
        else:
            assert ours.as_long() == truth % (1 << target.bits)
        assert int(evaluate(expr)) == truth


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("operator", [Add, Sub, Mul, Div, Mod, TruncDiv, TruncMod, Min, Max])
def test_integers_divide_as_euclid_and_as_c_do(operator):
    """Against Python, whose division rounds down; x / 0 and x % 0 are 0 for the DSL's operators."""

    def truth(a, b):
        toward_zero = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else None
        euclid = (a - a % abs(b)) // b if b else 0
        return {
            Add: a + b, Sub: a - b, Mul: a * b, Min: min(a, b), Max: max(a, b),
            Div: euclid, Mod: a % abs(b) if b else 0,
            TruncDiv: toward_zero, TruncMod: a - b * toward_zero if b else None,
        }[operator]  # fmt: skip

    a, b = Variable("a", I64), Variable("b", I64)
    term = IntegerEncoder({})(operator(a, b))
    for x in range(-9, 10):
        for y in range(-4, 5):
            if truth(x, y) is None:
                continue  # undefined in C++
            given = ((z3.Int("a"), z3.IntVal(x)), (z3.Int("b"), z3.IntVal(y)))
            assert z3.simplify(z3.substitute(term, *given)).as_long() == truth(x, y), (x, y)
            by_constant = IntegerEncoder({})(operator(const(x, I64), const(y, I64)))
            assert z3.simplify(by_constant).as_long() == truth(x, y), (x, y)


def holds(claim, *given):
    solver = z3.Solver()
    solver.add(*given, z3.Not(claim))
    return solver.check() == z3.unsat


def test_an_integer_atom_keeps_the_range_of_its_type():
    byte = Cast(I64, Load("src", (Variable("i", I64),), U8))
    encode = IntegerEncoder({"n": I32})
    term, parameter = encode(byte), encode(Variable("n", I64))
    assert holds(z3.And(term >= 0, term <= 255), *encode.facts)
    assert not holds(term <= 254, *encode.facts)
    assert holds(z3.And(parameter >= I32.min, parameter <= I32.max), *encode.facts)
    assert not holds(parameter >= 0, *encode.facts)


def test_an_integer_atom_keeps_the_range_of_its_operators():
    read, bits = Load("src", (Variable("i", I64),), U32), Variable("bits", U32)
    shifted = Cast(I64, Shr(read, bits))
    known = IntegerEncoder({"bits": U32}, lambda: {bits: (1, 11)})
    assert holds(known(LE(shifted, const(I32.max, I64))), *known.facts)
    unknown = IntegerEncoder({"bits": U32})
    assert not holds(unknown(LE(shifted, const(I32.max, I64))), *unknown.facts)
    prover, limit = Prover({"bits": U32}), LE(shifted, const(I32.max, I64))
    at_least = [GE(Variable("bits", I64), const(k, I64)) for k in (0, 1)]
    most = LE(Variable("bits", I64), const(31, I64))
    assert [prover.integers(limit, (low, most)).proved for low in at_least] == [False, True]


def test_integer_arithmetic_never_wraps():
    n = Variable("n", I64)
    assert holds(IntegerEncoder({"n": I32})(GT(Add(n, const(1, I64)), n)))


def test_the_same_element_is_the_same_atom_and_another_one_is_free():
    i, j = Variable("i", I64), Variable("j", I64)
    at_i, at_j = Load("src", (i,), U8), Load("src", (j,), U8)
    encode = ValueEncoder()
    assert holds(encode(Add(at_i, at_j)) == encode(Add(at_j, at_i)))
    assert not holds(encode(at_i) == encode(at_j))


def test_a_parameter_in_an_index_expression_is_the_program_s_own():
    encode = ValueEncoder({"n": I32})
    assert holds(encode(Variable("n", I64)) == encode(Cast(I64, Variable("n", I32))))
    assert not holds(encode(Variable("i", I64)) == encode(Cast(I64, Variable("n", I32))))


def test_float_operations_are_equal_where_their_operands_are():
    a, b = Variable("a", F32), Variable("b", F32)
    encode = ValueEncoder()
    assert holds(encode(Add(a, b)) == encode(Add(b, a)), encode(a) == encode(b))
    assert not holds(encode(Add(a, b)) == encode(Sub(a, b)))
    assert holds(encode(LT(a, b)) == encode(GT(b, a)))
    assert holds(encode(NE(a, b)) == encode(Not(EQ(a, b))))


def test_ieee_floats_know_addition_but_no_law_that_rounding_breaks():
    a, b = Variable("a", F32), Variable("b", F32)
    encode = ValueEncoder(ieee=True)
    assert holds(encode(Add(a, b)) == encode(Add(b, a)))
    assert not holds(encode(Add(a, const(0.0, F32))) == encode(a))  # -0.0 + 0.0 is 0.0
    assert not holds(encode(Not(LT(a, b))) == encode(GE(a, b)))  # NaN


def test_a_pure_function_is_any_function_until_it_is_inlined():
    a = Variable("a", U8)
    call = Call("half", (a,), U8, "pure")
    same, other = Call("half", (Variable("b", U8),), U8, "pure"), Shr(a, const(1, U8))
    free = ValueEncoder()
    assert holds(free(call) == free(same), free(a) == free(Variable("b", U8)))
    assert not holds(free(call) == free(other))
    known = ValueEncoder(inline=lambda c: Shr(c.args[0], const(1, U8)))
    assert holds(known(call) == known(other))


def test_what_is_said_of_free_remainders_holds_of_remainders():
    a, b = Variable("a", I64), Variable("b", I64)
    encode = IntegerEncoder({}, remainders_are_free=True)
    term = encode(Mod(a, b))
    for x in range(-9, 10):
        for y in range(-4, 5):
            there = [z3.Int("a") == x, z3.Int("b") == y, term == (x % abs(y) if y else 0)]
            assert not holds(z3.BoolVal(False), *encode.facts, *there), (x, y)
    assert holds(term < z3.Int("b"), *encode.facts, z3.Int("b") > 0)
    assert not holds(term < z3.Int("b"), *encode.facts)


def test_free_remainders_refute_nothing():
    a, b = Variable("a", I64), Variable("b", I64)
    prover, positive = Prover({}), GT(b, const(0, I64))
    twice = EQ(Mod(Mul(Mod(a, b), const(3, I64)), b), Mod(Mul(a, const(3, I64)), b))
    assert prover.integers(twice, (positive, EQ(b, const(7, I64)))).verdict != "refuted"
    assert prover.integers(LT(Mod(a, b), b), (positive,)).proved
    assert not prover.integers(LT(Mod(a, b), a), (positive,)).proved


@pytest.mark.parametrize("name", ["trunc", "floor", "ceil", "round"])
def test_ieee_floats_lose_their_fraction_as_numpy_s_do(name):
    x = Variable("x", F32)
    encode = ValueEncoder(ieee=True)
    rounded = encode(Call(name, (x,), F32, "intrinsic"))
    for value in (
        0.0,
        -0.0,
        0.3,
        -0.3,
        0.5,
        -0.5,
        2.5,
        -2.5,
        8388607.5,
        1e30,
        np.inf,
        -np.inf,
        np.nan,
    ):
        sort = z3.Float32()
        given = z3.fpNaN(sort) if np.isnan(value) else z3.FPVal(float(value), sort)
        wanted = getattr(np, {"round": "rint"}.get(name, name))(np.float32(value))
        told = z3.fpNaN(sort) if np.isnan(wanted) else z3.FPVal(float(wanted), sort)
        if wanted == 0 and np.signbit(wanted):
            told = z3.fpMinusZero(sort)
        if value == 0 and np.signbit(value):
            given = z3.fpMinusZero(sort)
        found = z3.simplify(z3.substitute(rounded, (encode.leaves[x], given)))
        assert z3.is_true(z3.simplify(found == told)), value
