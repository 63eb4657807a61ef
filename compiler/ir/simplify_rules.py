"""The simplifier's rewrite rules, as named data; each is proved by tests/ir/test_simplify.py.

A rule is written over the wildcards x, y, z (any expression) and c0, c1 (constants only), built for
each type it claims; `condition` decides from the type and the constants' values. The right side
must be smaller than the left, or nearer to the form that other rules expect (constants on the
right, comparisons as `<` and `<=`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .nodes import (
    EQ,
    FALSE,
    GE,
    GT,
    LE,
    LT,
    NE,
    TRUE,
    Add,
    And,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    Shl,
    Shr,
    Sub,
    Variable,
    const,
)  # fmt: skip
from .types import BOOL, Type

Condition = Callable[[Type, Mapping[str, int | float]], bool]
Build = Callable[[Type, Expr, Expr, Expr, Expr, Expr], tuple[Expr, Expr]]


@dataclass(frozen=True)
class Rule:
    """`name`: where operands are of a type in `kinds` and `condition` holds, left equals right.

    `kinds` is any of `i` (signed), `u` (unsigned), `f` (float), `b` (boolean).
    """

    name: str
    kinds: str
    build: Build
    condition: Condition | None = None
    _instances: dict[Type, tuple[Expr, Expr]] = field(default_factory=dict, compare=False)

    def applies_to(self, type: Type) -> bool:
        if type.lanes != 1 or type.code == "bfloat":
            return False
        kind = "b" if type.is_bool else type.code[0]
        return kind in self.kinds

    def instance(self, type: Type) -> tuple[Expr, Expr]:
        """The rule's two sides for operands of `type`."""
        made = self._instances.get(type)
        if made is None:
            x, y, z, c0, c1 = (Variable("?" + name, type) for name in ("x", "y", "z", "c0", "c1"))
            made = self._instances[type] = self.build(type, x, y, z, c0, c1)
        return made


def is_wildcard_of_constants(variable: Variable) -> bool:
    return variable.name in ("?c0", "?c1")


def _k(value: int, type: Type) -> Const:
    made = const(value, type)
    assert isinstance(made, Const)
    return made


_ARITHMETIC = (
    Rule("constant-right-add", "iuf", lambda t, x, y, z, c0, c1: (Add(c0, x), Add(x, c0))),
    Rule("constant-right-mul", "iuf", lambda t, x, y, z, c0, c1: (Mul(c0, x), Mul(x, c0))),
    Rule("add-zero", "iu", lambda t, x, y, z, c0, c1: (Add(x, _k(0, t)), x)),
    Rule("sub-zero", "iu", lambda t, x, y, z, c0, c1: (Sub(x, _k(0, t)), x)),
    Rule("sub-zero-float", "f", lambda t, x, y, z, c0, c1: (Sub(x, _k(0, t)), x)),
    Rule("sub-self", "iu", lambda t, x, y, z, c0, c1: (Sub(x, x), _k(0, t))),
    Rule("zero-minus", "iu", lambda t, x, y, z, c0, c1: (Sub(_k(0, t), x), Neg(x))),
    Rule("neg-neg", "iuf", lambda t, x, y, z, c0, c1: (Neg(Neg(x)), x)),
    Rule("mul-one", "iuf", lambda t, x, y, z, c0, c1: (Mul(x, _k(1, t)), x)),
    Rule("mul-zero", "iu", lambda t, x, y, z, c0, c1: (Mul(x, _k(0, t)), _k(0, t))),
    Rule("mul-mul", "iu",
         lambda t, x, y, z, c0, c1: (Mul(Mul(x, c0), c1), Mul(x, Mul(c0, c1)))),
    Rule("div-one", "iuf", lambda t, x, y, z, c0, c1: (Div(x, _k(1, t)), x)),
    Rule("zero-div", "iu", lambda t, x, y, z, c0, c1: (Div(_k(0, t), x), _k(0, t))),
    Rule("div-zero", "iu", lambda t, x, y, z, c0, c1: (Div(x, _k(0, t)), _k(0, t))),
    Rule("div-div", "iu",
         lambda t, x, y, z, c0, c1: (Div(Div(x, c0), c1), Div(x, Mul(c0, c1))),
         lambda t, c: c["?c0"] > 0 and c["?c1"] > 0 and t.contains(int(c["?c0"] * c["?c1"]))),
    Rule("mod-one", "iu", lambda t, x, y, z, c0, c1: (Mod(x, _k(1, t)), _k(0, t))),
    Rule("zero-mod", "iu", lambda t, x, y, z, c0, c1: (Mod(_k(0, t), x), _k(0, t))),
    Rule("mod-mod", "iu", lambda t, x, y, z, c0, c1: (Mod(Mod(x, c0), c0), Mod(x, c0))),
    Rule("div-mod-whole", "iu",
         lambda t, x, y, z, c0, c1: (Add(Mul(Div(x, c0), c0), Mod(x, c0)), x),
         lambda t, c: c["?c0"] != 0),
    Rule("mod-div-whole", "iu",
         lambda t, x, y, z, c0, c1: (Add(Mod(x, c0), Mul(Div(x, c0), c0)), x),
         lambda t, c: c["?c0"] != 0),
)  # fmt: skip

_MIN_MAX = (
    Rule("constant-right-min", "iu", lambda t, x, y, z, c0, c1: (Min(c0, x), Min(x, c0))),
    Rule("constant-right-max", "iu", lambda t, x, y, z, c0, c1: (Max(c0, x), Max(x, c0))),
    Rule("min-self", "iuf", lambda t, x, y, z, c0, c1: (Min(x, x), x)),
    Rule("max-self", "iuf", lambda t, x, y, z, c0, c1: (Max(x, x), x)),
    Rule("min-largest", "iu", lambda t, x, y, z, c0, c1: (Min(x, _k(t.max, t)), x)),
    Rule("min-smallest", "iu", lambda t, x, y, z, c0, c1: (Min(x, _k(t.min, t)), _k(t.min, t))),
    Rule("max-smallest", "iu", lambda t, x, y, z, c0, c1: (Max(x, _k(t.min, t)), x)),
    Rule("max-largest", "iu", lambda t, x, y, z, c0, c1: (Max(x, _k(t.max, t)), _k(t.max, t))),
    Rule("min-min-same", "iu", lambda t, x, y, z, c0, c1: (Min(Min(x, y), y), Min(x, y))),
    Rule("min-min-first", "iu", lambda t, x, y, z, c0, c1: (Min(Min(x, y), x), Min(x, y))),
    Rule("max-max-same", "iu", lambda t, x, y, z, c0, c1: (Max(Max(x, y), y), Max(x, y))),
    Rule("max-max-first", "iu", lambda t, x, y, z, c0, c1: (Max(Max(x, y), x), Max(x, y))),
    Rule("min-min-constants", "iu",
         lambda t, x, y, z, c0, c1: (Min(Min(x, c0), c1), Min(x, Min(c0, c1)))),
    Rule("max-max-constants", "iu",
         lambda t, x, y, z, c0, c1: (Max(Max(x, c0), c1), Max(x, Max(c0, c1)))),
    Rule("min-of-max", "iu", lambda t, x, y, z, c0, c1: (Min(Max(x, y), y), y)),
    Rule("max-of-min", "iu", lambda t, x, y, z, c0, c1: (Max(Min(x, y), y), y)),
)  # fmt: skip

_BITS = (
    Rule("constant-right-and", "iu", lambda t, x, y, z, c0, c1: (BitAnd(c0, x), BitAnd(x, c0))),
    Rule("constant-right-or", "iu", lambda t, x, y, z, c0, c1: (BitOr(c0, x), BitOr(x, c0))),
    Rule("constant-right-xor", "iu", lambda t, x, y, z, c0, c1: (BitXor(c0, x), BitXor(x, c0))),
    Rule("and-self", "iu", lambda t, x, y, z, c0, c1: (BitAnd(x, x), x)),
    Rule("or-self", "iu", lambda t, x, y, z, c0, c1: (BitOr(x, x), x)),
    Rule("xor-self", "iu", lambda t, x, y, z, c0, c1: (BitXor(x, x), _k(0, t))),
    Rule("and-zero", "iu", lambda t, x, y, z, c0, c1: (BitAnd(x, _k(0, t)), _k(0, t))),
    Rule("and-ones", "iu", lambda t, x, y, z, c0, c1: (BitAnd(x, _k(t.wrap(-1), t)), x)),
    Rule("or-zero", "iu", lambda t, x, y, z, c0, c1: (BitOr(x, _k(0, t)), x)),
    Rule("xor-zero", "iu", lambda t, x, y, z, c0, c1: (BitXor(x, _k(0, t)), x)),
    Rule("and-and-constants", "iu",
         lambda t, x, y, z, c0, c1: (BitAnd(BitAnd(x, c0), c1), BitAnd(x, BitAnd(c0, c1)))),
    Rule("not-not-bits", "iu", lambda t, x, y, z, c0, c1: (BitNot(BitNot(x)), x)),
    Rule("shl-zero", "iu", lambda t, x, y, z, c0, c1: (Shl(x, _k(0, t)), x)),
    Rule("shr-zero", "iu", lambda t, x, y, z, c0, c1: (Shr(x, _k(0, t)), x)),
)  # fmt: skip

_COMPARISONS = (
    Rule("equal-self", "iub", lambda t, x, y, z, c0, c1: (EQ(x, x), TRUE)),
    Rule("unequal-self", "iub", lambda t, x, y, z, c0, c1: (NE(x, x), FALSE)),
    Rule("less-self", "iuf", lambda t, x, y, z, c0, c1: (LT(x, x), FALSE)),
    Rule("at-most-self", "iu", lambda t, x, y, z, c0, c1: (LE(x, x), TRUE)),
    Rule("greater-is-less", "iuf", lambda t, x, y, z, c0, c1: (GT(x, y), LT(y, x))),
    Rule("at-least-is-at-most", "iuf", lambda t, x, y, z, c0, c1: (GE(x, y), LE(y, x))),
    Rule("below-smallest", "iu", lambda t, x, y, z, c0, c1: (LT(x, _k(t.min, t)), FALSE)),
    Rule("above-largest", "iu", lambda t, x, y, z, c0, c1: (LT(_k(t.max, t), x), FALSE)),
    Rule("at-least-smallest", "iu", lambda t, x, y, z, c0, c1: (LE(_k(t.min, t), x), TRUE)),
    Rule("at-most-largest", "iu", lambda t, x, y, z, c0, c1: (LE(x, _k(t.max, t)), TRUE)),
    Rule("equal-after-adding", "iu",
         lambda t, x, y, z, c0, c1: (EQ(Add(x, c0), c1), EQ(x, Sub(c1, c0)))),
    Rule("remainder-below-divisor", "i",
         lambda t, x, y, z, c0, c1: (LT(Mod(x, c0), c1), TRUE),
         lambda t, c: 0 < c["?c0"] <= c["?c1"]),
)  # fmt: skip


def _bool(build: Callable[[Expr, Expr, Expr], tuple[Expr, Expr]]) -> Build:
    return lambda t, x, y, z, c0, c1: build(x, y, z)


_LOGIC = (
    Rule("and-true", "b", _bool(lambda x, y, z: (And(x, TRUE), x))),
    Rule("true-and", "b", _bool(lambda x, y, z: (And(TRUE, x), x))),
    Rule("and-false", "b", _bool(lambda x, y, z: (And(x, FALSE), FALSE))),
    Rule("false-and", "b", _bool(lambda x, y, z: (And(FALSE, x), FALSE))),
    Rule("or-true", "b", _bool(lambda x, y, z: (Or(x, TRUE), TRUE))),
    Rule("true-or", "b", _bool(lambda x, y, z: (Or(TRUE, x), TRUE))),
    Rule("or-false", "b", _bool(lambda x, y, z: (Or(x, FALSE), x))),
    Rule("false-or", "b", _bool(lambda x, y, z: (Or(FALSE, x), x))),
    Rule("and-same", "b", _bool(lambda x, y, z: (And(x, x), x))),
    Rule("or-same", "b", _bool(lambda x, y, z: (Or(x, x), x))),
    Rule("not-not", "b", _bool(lambda x, y, z: (Not(Not(x)), x))),
    Rule("equal-true", "b", _bool(lambda x, y, z: (EQ(x, TRUE), x))),
    Rule("unequal-false", "b", _bool(lambda x, y, z: (NE(x, FALSE), x))),
    Rule("not-equal", "iufb", lambda t, x, y, z, c0, c1: (Not(EQ(x, y)), NE(x, y))),
    Rule("not-unequal", "iufb", lambda t, x, y, z, c0, c1: (Not(NE(x, y)), EQ(x, y))),
    Rule("not-less", "iu", lambda t, x, y, z, c0, c1: (Not(LT(x, y)), LE(y, x))),
    Rule("not-at-most", "iu", lambda t, x, y, z, c0, c1: (Not(LE(x, y)), LT(y, x))),
)  # fmt: skip


RULES: dict[type[Expr], tuple[Rule, ...]] = {}
ALL_RULES: tuple[Rule, ...] = (*_ARITHMETIC, *_MIN_MAX, *_BITS, *_COMPARISONS, *_LOGIC)
for _rule in ALL_RULES:
    for _type in (Type("int", 8), Type("uint", 8), Type("float", 32), BOOL):
        if _rule.applies_to(_type):
            _kind = type(_rule.instance(_type)[0])
            if _rule not in RULES.get(_kind, ()):
                RULES[_kind] = (*RULES.get(_kind, ()), _rule)

__all__ = ["ALL_RULES", "RULES", "Rule", "is_wildcard_of_constants"]
