"""Shift registers: bits that iterations take from the top, or the bottom, of what is read now and
then.

    for (x = 0; x < w; x++) {                     bits = (u8)(s[x / 8] << x % 8)
        if (x % 8 == 0) bits = s[x / 8];
        else bits <<= 1;                          (at the comment, in each iteration)
        ... bits & 0x80 ...  /* here */
    }

A scalar that enters an iteration is used for nothing but to be shifted where it isn't read anew: so
the first of `period` iterations reads it, and each of the others has shifted it once more. By
induction over the iterations: in one that is a multiple of the period it is what is read there, and
in any other what the one before has, shifted. The shift may also stand behind the use
(`if (x % 8 == 0) bits = *p++; ... bits <<= 1;`).
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.ir import (
    EQ,
    I64,
    And,
    Cast,
    Const,
    Div,
    Expr,
    Load,
    Mod,
    Mul,
    Or,
    Select,
    Shl,
    Shr,
    Type,
    Variable,
    const,
    postorder,
)

from .index import Ranges, as_formula, replace, typed
from .polynomial import ZERO, negate, normal
from .scalars import is_unknown

LONGEST = 64
"""Iterations of a period."""


@dataclass(frozen=True)
class Shift:
    """`to(wide(x) << by)`, or `>>`, of an unsigned number."""

    kind: type[Shl] | type[Shr]
    to: Type
    wide: Type
    by: int
    amount: Type

    def times(self, value: Expr, count: Expr) -> Expr:
        """A value that was shifted `count` times, an index expression."""
        amount = typed(self.amount, normal(Mul(count, const(self.by, I64))))
        wide = value if self.wide is self.to else Cast(self.wide, value)
        shifted = self.kind(wide, amount)
        return shifted if self.wide is self.to else Cast(self.to, shifted)

    def may_be_done(self, times: int) -> bool:
        """Whether so many shifts are one that C++ defines: those to the left lose nothing until
        their result is converted."""
        bits = self.by * times
        if self.kind is Shl and self.wide.is_int:
            return bits + self.to.bits < self.wide.bits
        return bits < self.wide.bits


def refill(
    value: Expr, entered: Variable, counter: Variable, ranges: Ranges, stored: frozenset[str]
) -> tuple[Expr, Expr] | None:
    """What an iteration chooses between what it reads and what it `entered` with, and the same as a
    function of the counter; None where a scalar isn't such a register. `value` is what the
    iteration leaves, and `stored` are the arrays that the loop stores to."""
    behind = _shift_of(value)
    choice = behind[1] if behind is not None else value
    if not isinstance(choice, Select):
        return None
    for condition, read, kept in (
        (choice.condition, choice.a, choice.b),
        (negate(choice.condition), choice.b, choice.a),
    ):
        shift = behind if behind is not None else _shift_of(kept)
        if shift is None or (kept if behind is not None else shift[1]) is not entered:
            continue
        period = _period(condition, counter, ranges)
        if period is None or not shift[0].may_be_done(period - 1):
            continue
        if entered in set(postorder(condition)) or not _is_steady(read, stored):
            continue
        length = const(period, I64)
        begin = normal(Mul(normal(Div(counter, length)), length))
        count = normal(Mod(counter, length))
        return choice, shift[0].times(replace(read, {counter: begin}), count)
    return None


def _shift_of(value: Expr) -> tuple[Shift, Expr] | None:
    """The shift by a constant that a value is, and of what."""
    to = value.type
    shifted = value.value if isinstance(value, Cast) else value
    if not to.is_uint or to.is_bool or not isinstance(shifted, (Shl, Shr)):
        return None
    inner, by = shifted.a, shifted.b
    if isinstance(value, Cast):
        if not isinstance(inner, Cast) or inner.value.type is not to:
            return None
        if shifted.type.bits <= to.bits or not shifted.type.is_integer:
            return None
        inner = inner.value
    if not isinstance(by, Const) or not 0 < by.value < shifted.type.bits:
        return None
    return Shift(type(shifted), to, shifted.type, int(by.value), by.type), inner


def _period(condition: Expr, counter: Variable, ranges: Ranges) -> int | None:
    """The p of a condition that holds in iterations 0, p, 2 * p, ..."""
    formula = as_formula(condition, ranges)
    if not isinstance(formula, EQ):
        return None
    rest = formula.a if formula.b is ZERO else formula.b
    if ZERO not in formula.children or not isinstance(rest, Mod) or rest.a is not counter:
        return None
    if not isinstance(rest.b, Const) or not 1 < rest.b.value <= LONGEST:
        return None
    return int(rest.b.value)


def _is_steady(read: Expr, stored: frozenset[str]) -> bool:
    """Whether a value can be read in any iteration behind its own: from what the loop leaves alone,
    and whatever else the iteration finds."""
    return not any(
        isinstance(n, (Select, And, Or))
        or (isinstance(n, Variable) and is_unknown(n))
        or (isinstance(n, Load) and n.array in stored)
        for n in postorder(read)
    )
