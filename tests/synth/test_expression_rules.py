"""Every rewrite rule fires on its examples and is proved there by trying every value."""

import numpy as np
import pytest

from compiler.ir import (
    BOOL,
    EQ,
    F32,
    FALSE,
    GE,
    GT,
    I8,
    I16,
    I32,
    I64,
    LE,
    LT,
    NE,
    TRUE,
    U8,
    U16,
    U32,
    Add,
    And,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Const,
    Div,
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
    evaluate,
    intrinsic,
)  # fmt: skip
from compiler.ir.formula import select
from compiler.ir.rewriting import Match, Rule
from lifter.synth.cost import cost
from lifter.synth.rewrite import ALL_RULES, Rewriter
from lifter.synth.rewrite_ranges import SymbolRanges
from lifter.synth.samples import defined, named, symbols, with_names
from tests.ir.proofs_of_rules import TYPES, counterexamples

from .complete_proof import difference, inputs_of, prove_completely

X, Y = Variable("x", I32), Variable("y", I32)
A, B = (Call(name, (X, Y), U8, "image") for name in "ab")
S, T = (Call(name, (X, Y), I8, "image") for name in "st")
FLAG = GT(A, Const(U8, 100))


def k(value, type=I32):
    return Const(type, value)


def wide(expr, type=I32):
    return Cast(type, expr)


def byte(expr):
    return Cast(U8, expr)


PACKED = BitOr(wide(A, U32), Shl(wide(B, U32), k(8, U32)))


PRODUCT = Mul(wide(A), wide(B))
BIASED = Add(PRODUCT, k(128))
DIFFERENCE = Sub(wide(A), wide(B))

EXAMPLES = {
    "cast-to-same-type": [Cast(U8, A)],
    "cast-of-constant": [byte(k(300)), wide(k(-1, I8)), Cast(U16, k(-1))],
    "cast-chain": [byte(wide(A)), Cast(I32, Cast(U16, Add(wide(A), wide(B)))), Cast(I16, wide(S))],
    "cast-of-select": [byte(Select(FLAG, wide(A), k(7))), byte(Select(FLAG, wide(A), wide(B)))],
    "cast-of-min": [byte(Min(wide(A), wide(B))), byte(Max(wide(A), k(7)))],
    "cast-out-of-choice": [
        Select(FLAG, wide(A), wide(B)),
        Min(wide(S), wide(T)),
        Select(FLAG, byte(DIFFERENCE), byte(Add(wide(A), k(1)))),
        Select(LT(wide(A), PRODUCT), A, byte(PRODUCT)),
    ],
    "narrow-arithmetic": [
        byte(Sub(k(255), wide(A))),
        byte(Add(Shr(wide(A), k(1)), Shr(wide(B), k(1)))),
        byte(BitNot(wide(A))),
        byte(BitXor(wide(A), k(255))),
    ],
    "narrow-wrapping": [
        byte(Add(wide(A), wide(B))),
        Cast(I8, Mul(wide(S), wide(T))),
        Cast(I8, Neg(wide(S))),
    ],
    "widen-less": [
        byte(Div(Mul(wide(A, I64), wide(B, I64)), k(255, I64))),
        LT(Add(wide(A, I64), wide(B, I64)), k(256, I64)),
        byte(Select(FLAG, Min(wide(A, I64), k(9, I64)), k(3, I64))),
    ],
    "compare-narrow": [
        LT(wide(A), wide(B)),
        GE(wide(A), k(128)),
        EQ(k(3), wide(S)),
        LT(wide(A), wide(Cast(U16, B))),
    ],
    "compare-bool": [NE(wide(FLAG), k(0)), EQ(wide(FLAG), k(0)), EQ(wide(FLAG), k(1))],
    "bool-of-comparison": [
        Cast(BOOL, Select(FLAG, k(1), k(0))),
        Cast(BOOL, Select(FLAG, k(0), k(3))),
    ],
    "fold": [Add(k(200, U8), k(100, U8)), TruncDiv(k(-7), k(2)), LT(k(1), k(2)), Shr(k(-8), k(1))],
    "decided-by-range": [
        GT(wide(A), k(255)),
        LT(PRODUCT, k(0)),
        Shr(wide(A), k(8)),
        And(FLAG, LT(wide(A), k(0))),
        Div(wide(A), k(256)),
    ],
    "constant-right": [Add(k(3), wide(A)), LT(k(3, U8), A), Min(k(3, U8), A)],
    "neutral": [
        Add(A, k(0, U8)), Sub(A, k(0, U8)), Mul(S, k(1, I8)), Mul(k(0, U8), A), Mul(k(1, U8), A),
        Shl(A, k(0, U8)), BitAnd(A, k(0, U8)), TruncDiv(S, k(1, I8)), BitOr(A, k(0, U8)),
    ],
    "same-operands": [Sub(A, A), BitXor(S, S), BitAnd(A, A), Min(S, S), Or(FLAG, FLAG)],
    "mask-keeps-all": [BitAnd(wide(A), k(255)), BitAnd(A, k(255, U8)), BitAnd(S, k(-1, I8))],
    "remainder-of-less": [Mod(wide(A), k(256)), TruncMod(wide(A), k(300))],
    "bounded": [Min(wide(A), k(255)), Max(wide(A), k(-1)), Min(k(300), wide(A)),
                Max(wide(A), k(255))],
    "truncating-to-euclidean": [
        TruncDiv(PRODUCT, k(255)),
        TruncMod(wide(A), k(7)),
        TruncDiv(wide(A), wide(S)),
        TruncMod(wide(A), wide(S)),
    ],
    "sum-of-constants": [
        Sub(Add(A, k(200, U8)), k(100, U8)),
        Add(Add(S, k(100, I8)), k(100, I8)),
        Sub(Sub(wide(A), k(3)), k(4)),
    ],
    "negative-constant": [Add(S, k(-3, I8)), Sub(wide(A), k(-3))],
    "negation": [
        Neg(Neg(S)), BitNot(BitNot(A)), Neg(Sub(S, T)), Add(S, Neg(T)), Add(Neg(S), T),
        Sub(S, Neg(T)), Sub(k(-1, I8), S), Sub(Neg(S), k(1, I8)),
    ],
    "compare-difference": [LT(DIFFERENCE, k(0)), GE(DIFFERENCE, k(0))],
    "equal-difference": [EQ(Sub(S, T), k(0, I8)), NE(Sub(A, B), k(0, U8))],
    "compare-same": [LT(A, A), GE(S, S), NE(A, A)],
    "not-comparison": [Not(LT(S, T)), Not(EQ(A, B)), Not(Not(FLAG))],
    "logic-with-constant": [And(FLAG, TRUE), Or(FALSE, FLAG), And(FALSE, FLAG), Or(FLAG, TRUE),
                            And(FLAG, Not(FLAG)), Or(Not(FLAG), FLAG)],
    "abs-of-difference": [
        intrinsic("abs", DIFFERENCE),
        intrinsic("abs", Sub(wide(S), wide(T))),
        intrinsic("abs", Sub(wide(A), wide(S))),
    ],
    "division-by-shifts": [
        Shr(Add(BIASED, Shr(BIASED, k(8))), k(8)),
        Shr(Add(Add(PRODUCT, k(1)), Shr(PRODUCT, k(8))), k(8)),
        Shr(Mul(PRODUCT, k(0x8081, I32)), k(23)),
        Shr(Mul(wide(A), k(171)), k(9)),
    ],
    "known-condition": [
        Select(FLAG, Select(And(FLAG, LT(B, k(9, U8))), A, B), k(3, U8)),
        Or(FLAG, And(LE(A, k(100, U8)), LT(B, k(9, U8)))),
        And(Or(LT(B, k(9, U8)), Not(FLAG)), FLAG),
        Select(EQ(A, k(1, U8)), B, Select(Not(Or(EQ(A, k(1, U8)), EQ(A, k(2, U8)))), A, B)),
        Select(EQ(A, k(1, U8)), Select(NE(A, k(2, U8)), A, B), B),
    ],
    "split-condition": [
        Select(Or(FLAG, LT(A, B)), A, B),
        Select(And(LT(A, B), FLAG), B, A),
    ],
    "equal-first": [Select(NE(A, k(1, U8)), B, Min(A, B))],
    "select-same": [Select(FLAG, B, B)],
    "select-decided": [Select(TRUE, A, B), Select(FALSE, A, B)],
    "select-not": [Select(Not(FLAG), A, B)],
    "select-min-max": [
        Select(LT(A, B), A, B), Select(LE(S, T), T, S), Select(GT(A, B), A, B),
        Select(GT(A, k(200, U8)), k(200, U8), A), Select(GE(S, k(10, I8)), k(9, I8), S),
        Select(LT(A, B), wide(A), wide(B)), Select(LT(A, k(9, U8)), wide(A), k(9)),
        Select(LT(wide(A), wide(B)), DIFFERENCE, k(0)),
    ],
    "select-equal": [Select(EQ(A, B), A, B), Select(NE(A, k(3, U8)), A, k(3, U8))],
    "select-clamp": [
        Select(LT(A, k(10, U8)), k(10, U8), Min(A, k(20, U8))),
        Select(GT(S, k(20, I8)), k(20, I8), Max(S, k(-10, I8))),
        Select(LT(A, B), k(0), Min(DIFFERENCE, k(255))),
    ],
    "extremes-from-the-left": [Max(S, Max(T, k(3, I8))), Min(A, Min(B, k(200, U8)))],
    "clamp-order": [Min(Max(S, k(-10, I8)), k(10, I8))],
    "select-absd": [
        Select(LT(A, B), Sub(B, A), Sub(A, B)),
        Select(GE(S, T), Sub(S, T), Sub(T, S)),
        Select(GT(A, B), DIFFERENCE, Sub(wide(B), wide(A))),
    ],
    "select-abs": [
        Select(LT(S, k(0, I8)), Neg(S), S),
        Select(GE(S, k(0, I8)), S, Neg(S)),
        Select(GT(S, k(0, I8)), wide(S), Neg(wide(S))),
    ],
    "select-nested": [
        Select(FLAG, Select(FLAG, A, B), k(3, U8)),
        Select(FLAG, A, Select(FLAG, B, k(3, U8))),
        Select(FLAG, Select(LT(B, k(9, U8)), A, B), B),
        Select(FLAG, A, Select(LT(B, k(9, U8)), A, B)),
    ],
    "select-of-bool": [Select(FLAG, TRUE, FALSE), Select(FLAG, FALSE, TRUE)],
    "compare-select": [NE(Select(FLAG, k(1), k(0)), k(0)), LT(Select(FLAG, k(9), k(2)), k(5))],
    "mask-of-bool": [Neg(wide(FLAG)), Neg(Cast(U8, FLAG))],
    "times-bool": [Mul(wide(FLAG), PRODUCT), Mul(A, Cast(U8, FLAG))],
    "into-select": [
        BitAnd(Select(FLAG, k(255, U8), k(0, U8)), B),
        BitNot(Select(FLAG, k(-1), k(0))),
        BitXor(A, Select(FLAG, BitXor(A, B), k(0, U8))),
        Add(S, Select(FLAG, Sub(T, S), k(0, I8))),
        BitOr(Select(FLAG, A, k(0, U8)), Select(LE(A, k(100, U8)), B, k(0, U8))),
    ],
    "part-of-word": [
        byte(Shr(PACKED, k(8, U32))), byte(BitXor(PACKED, k(0xFFFF00, U32))),
        byte(Shr(Select(FLAG, PACKED, BitAnd(PACKED, k(0xFF00, U32))), k(8, U32))),
    ],
    "masked-part": [BitAnd(PACKED, k(255, U32)), BitAnd(Shr(PACKED, k(8, U32)), k(255, U32))],
    "undo-xor": [BitXor(A, BitXor(A, B)), Add(S, Sub(T, S)), Sub(S, Sub(S, T)), Sub(Add(A, B), B)],
}  # fmt: skip

RULE_BY_NAME = {rule.name: rule for rule in ALL_RULES}
PAIRS = [(name, expr) for name, found in EXAMPLES.items() for expr in found]


def test_every_rule_has_a_name_of_its_own_and_examples():
    assert len(RULE_BY_NAME) == len(ALL_RULES)
    assert set(RULE_BY_NAME) == set(EXAMPLES)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("name", "expr"), PAIRS, ids=[f"{name}: {e}" for name, e in PAIRS])
def test_the_rule_fires_and_is_proved(name, expr):
    rule = RULE_BY_NAME[name]
    assert type(expr) in rule.roots
    made = rule.apply(expr, Rewriter())
    assert made is not None, "the rule does not fire"
    assert made is not expr
    assert difference(expr, made) is None, made


@pytest.mark.parametrize(
    ("name", "expr"),
    [
        ("cast-chain", Cast(I32, Cast(U8, Add(wide(A), wide(B))))),
        ("cast-of-min", byte(Min(DIFFERENCE, k(9)))),
        ("cast-out-of-choice", Min(byte(wide(S)), byte(wide(T)))),
        ("narrow-arithmetic", byte(Div(PRODUCT, k(255)))),
        ("narrow-arithmetic", byte(Add(wide(A), wide(B)))),
        ("narrow-wrapping", byte(Add(wide(A), Div(PRODUCT, k(255))))),
        ("compare-narrow", LT(wide(A), wide(S))),
        ("compare-narrow", LT(byte(PRODUCT), k(3, U8))),
        ("truncating-to-euclidean", TruncDiv(DIFFERENCE, k(3))),
        ("truncating-to-euclidean", TruncMod(S, k(3, I8))),
        ("compare-difference", LT(Sub(S, T), k(0, I8))),
        ("compare-difference", LT(Sub(A, B), k(0, U8))),
        ("mask-keeps-all", BitAnd(wide(S), k(255))),
        ("division-by-shifts", Shr(Mul(wide(A), k(170)), k(9))),
        ("division-by-shifts", Shr(Mul(wide(S), k(171)), k(9))),
        ("select-min-max", Select(LT(A, B), B, k(3, U8))),
        ("select-min-max", Select(GT(A, k(200, U8)), k(202, U8), A)),
        ("select-clamp", Select(LT(A, k(30, U8)), k(30, U8), Min(A, k(20, U8)))),
        ("select-absd", Select(LT(A, B), Sub(A, B), Sub(B, A))),
        ("known-condition", Select(EQ(A, k(1, U8)), B, Select(EQ(A, k(2, U8)), B, A))),
        ("split-condition", Select(Or(FLAG, LT(S, T)), A, B)),
        ("select-abs", Select(LT(S, k(0, I8)), S, Neg(S))),
        ("clamp-order", Min(Max(S, k(10, I8)), k(-10, I8))),
        ("extremes-from-the-left", Max(S, Min(T, k(3, I8)))),
        ("abs-of-difference", intrinsic("abs", Sub(S, T))),
        ("widen-less", byte(Mul(Mul(wide(X, I64), wide(X, I64)), k(3, I64)))),
        ("undo-xor", Sub(S, Sub(T, S))),
        ("part-of-word", byte(Shr(PACKED, k(4, U32)))),
        ("part-of-word", byte(Shr(wide(PRODUCT, U32), k(8, U32)))),
        ("masked-part", BitAnd(Shr(PACKED, k(4, U32)), k(255, U32))),
    ],
)
def test_the_rule_leaves_its_near_miss_alone(name, expr):
    rule = RULE_BY_NAME[name]
    assert type(expr) in rule.roots
    assert rule.apply(expr, Rewriter()) is None


EQUATIONS = [
    (rule, type) for rule in ALL_RULES if isinstance(rule, Rule)
    for type in TYPES if rule.applies_to(type)
]  # fmt: skip


@pytest.mark.sampled(every=12)
@pytest.mark.parametrize(("rule", "type"), EQUATIONS, ids=lambda x: getattr(x, "name", str(x)))
def test_both_sides_of_an_equation_are_equal_for_all_values(rule, type):
    assert counterexamples(rule, type) == 0


def intervals(random):
    low, high = sorted(int(v) for v in random.integers(-128, 128, 2))
    inner = sorted(int(v) for v in random.integers(low, high + 1, 2))
    return (low, high), tuple(inner)


def test_knowing_more_never_hurts():
    """What fits at an interval fits at each part of it: so the proof at single numbers is one."""
    random = np.random.default_rng(3)
    asking = [rule for rule in ALL_RULES if isinstance(rule, Rule) and rule.when is not None]
    fitted = dict.fromkeys((rule.name for rule in asking), 0)
    for _ in range(4000):
        wide, narrow = {}, {}
        for name in ("x", "y"):
            wide[name], narrow[name] = intervals(random)
        numbers = {"c": int(random.choice([-128, -3, -1, 0, 1, 7, 127])), "d": 3}
        for constant, value in numbers.items():
            wide[constant] = narrow[constant] = (value, value)
        for rule in asking:
            if rule.when(Match(I8, numbers, wide.__getitem__)):
                fitted[rule.name] += 1
                assert rule.when(Match(I8, numbers, narrow.__getitem__)), rule.name
    assert all(fitted.values()), fitted


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    "wrong",
    [
        Rule("wrong", "iu", lambda w: (w.x.min(w.y), w.x), lambda f: f.low("x") <= f.low("y") + 1),
        Rule("wrong", "i", lambda w: (w.of(TruncDiv, w.x, w.y), w.x / w.y)),
        Rule("wrong", "i", lambda w: ((w.x - w.y) < 0, w.x < w.y)),
        Rule("wrong", "iu", lambda w: (w.x & w.c, w.x), lambda f: f.high("x") <= f["c"]),
        Rule("wrong", "f", lambda w: (~(w.x < w.y), w.x >= w.y)),
        Rule("wrong", "iu", lambda w: (-w.p.to(w.type), select(w.p, w.constant(1), 0))),
    ],
    ids=lambda rule: str(rule.instances(F32 if rule.kinds == "f" else I8)[0]),
)
def test_a_wrong_equation_is_found(wrong):
    assert any(counterexamples(wrong, type) for type in TYPES if wrong.applies_to(type))


def test_floats_keep_their_form():
    f, g = Variable("f", F32), Variable("g", F32)
    for expr in (
        Select(LT(g, f), g, f),
        Add(f, Const(F32, 0.0)),
        Mul(f, Const(F32, 1.0)),
        Sub(f, f),
        Not(LT(f, g)),
        EQ(f, f),
        Add(Add(f, Const(F32, 1.0)), Const(F32, 2.0)),
        Add(f, Sub(g, f)),
    ):
        assert Rewriter().simplify(expr) is expr


def random_expression(random, type, depth):
    """Some integer expression over A, B, S, T and constants."""
    if depth == 0 or random.random() < 0.1:
        leaf = [A, B, S, T][random.integers(4)]
        if random.random() < 0.3:
            value = int(random.choice([-1, 0, 1, 2, 100, 127, 128, 255]))
            return Const(type, value if type is F32 else type.wrap(value))
        return leaf if leaf.type is type else Cast(type, leaf)

    def sub(of=type):
        return random_expression(random, of, depth - 1)

    if type is F32:
        if random.random() < 0.4:
            return Cast(F32, sub([U8, I8, I32][random.integers(3)]))
        kinds = [Add, Sub, Mul, Div, Min, Max, lambda a, b: Select(sub(BOOL), a, b)]
        return kinds[random.integers(len(kinds))](sub(), sub())
    if type is BOOL:
        of = [U8, I8, I32, F32][random.integers(4)]
        kinds = [LT, LE, GT, GE, EQ, NE]
        choice = random.integers(8)
        if choice < 6:
            return kinds[choice](sub(of), sub(of))
        return Not(sub()) if choice == 6 else [And, Or][random.integers(2)](sub(), sub())
    choice = random.integers(10)
    if choice < 2:
        return Cast(type, sub([U8, I8, I16, I32, U32, I64, BOOL, F32][random.integers(8)]))
    if choice < 4:
        return Select(sub(BOOL), sub(), sub())
    if choice == 4:
        return [Neg, BitNot][random.integers(2)](sub())
    kinds = [Add, Sub, Mul, Min, Max, BitAnd, BitOr, BitXor, Div, Mod, TruncDiv, TruncMod]
    return kinds[random.integers(len(kinds))](sub(), sub())


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("seed", range(60))
def test_random_expressions_keep_their_value_and_never_cost_more(seed):
    random = np.random.default_rng(seed)
    expr = random_expression(random, [U8, I8, I32, BOOL][seed % 4], 4)
    simple = Rewriter(last=bool(seed % 2)).simplify(expr)
    assert cost(simple) <= cost(expr)
    inputs, (before, after) = inputs_of_some(random, expr, simple)
    good = defined(before, inputs)
    assert not np.any(good & (evaluate(before, inputs) != evaluate(after, inputs))), (expr, simple)
    assert not np.any(good & ~defined(after, inputs)), (expr, simple)
    low, high = SymbolRanges()(expr)
    shape = next(iter(inputs.values())).shape
    values = np.broadcast_to(evaluate(before, inputs), shape)[np.broadcast_to(good, shape)]
    assert np.all((values >= low) & (values <= high)), (expr, low, high)


def inputs_of_some(random, *exprs):
    found = tuple(dict.fromkeys(s for e in exprs for s in symbols(e)))
    names = named(found)
    edges = {U8: [0, 1, 127, 128, 254, 255], I8: [-128, -127, -1, 0, 1, 127]}
    values = {}
    for index, symbol in enumerate(found):
        every = random.integers(symbol.type.min, symbol.type.max + 1, 20000)
        every[:10000:2] = random.choice(edges[symbol.type], 5000)
        values[f"${index}"] = every
    if not values:
        values = {"$none": np.zeros(1, int)}
    return values, [with_names(e, names) for e in exprs]


def test_the_complete_checker_refutes_and_proves():
    assert prove_completely(Min(A, B), Select(LT(A, B), A, B))
    assert difference(Min(A, B), Max(A, B)) is not None
    assert not prove_completely(TruncDiv(S, k(3, I8)), Div(S, k(3, I8)))
    assert inputs_of(A, B)[0]["$1"].size == 65536
