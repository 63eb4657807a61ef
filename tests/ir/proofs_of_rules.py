"""Proves rules that are equations: both sides on all values of the wildcards, where `when` holds.

A side condition on ranges is tried at ranges of one number each: knowing more of a wildcard never
makes a rule unfit (`test_knowing_more_never_hurts`), so a number for which the sides differ would
be found there.
"""

from __future__ import annotations

import itertools

import numpy as np

from compiler.ir import (
    BOOL,
    F32,
    I8,
    U8,
    Expr,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    evaluate,
    postorder,
)
from compiler.ir.rewriting import Match, Rule, Wildcard

TYPES = (I8, U8, F32, BOOL)
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.1, 1e38, -3e38, 1e-40, float("inf"), float("-inf"), float("nan")]
MOST_STATES, MOST_ASKED = 1 << 24, 1 << 17
"""Where there would be more, a wildcard has a fifth of its values, the ends among them."""


def all_values(type: Type) -> np.ndarray:
    if type.is_bool:
        return np.array([False, True])
    if type.is_float:
        return np.array(FLOATS, np.float32)
    return np.arange(type.min, type.max + 1).astype(f"{type.code}8")


def wildcards(*exprs: Expr) -> list[Variable]:
    return sorted({n for n in postorder(*exprs) if isinstance(n, Variable)}, key=lambda v: v.name)


def is_constant(variable: Variable) -> bool:
    return isinstance(variable, Wildcard) and variable.constant


def counterexamples(rule: Rule, type: Type) -> int:
    """How many values of the wildcards tell the sides apart (where the condition holds)."""
    return sum(differences(rule, type, *sides) for sides in rule.instances(type))


def differences(rule: Rule, type: Type, left: Expr, right: Expr) -> int:
    names = wildcards(left, right)
    values = {v.name: all_values(v.type) for v in names}
    most = MOST_ASKED if rule.when is not None and _asks_for_ranges(rule, type) else MOST_STATES
    if np.prod([len(v) for v in values.values()]) > most:
        values = {k: v if len(v) < 20 else np.append(v[::5], v[-1:]) for k, v in values.items()}
    grids = np.meshgrid(*values.values(), indexing="ij", copy=False)
    bound = dict(zip(values, grids, strict=True))
    a, b = np.broadcast_arrays(evaluate(left, bound), evaluate(right, bound))
    if a.dtype.kind == "f":
        # Not a number is any not-a-number; zeros keep their sign.
        same = (a.view(np.uint32) == b.view(np.uint32)) | (np.isnan(a) & np.isnan(b))
    else:
        same = a == b
    same = same | ~_where_defined(left, bound)
    if rule.when is not None:
        same = same | ~_where_it_holds(rule, type, names, values, a.shape)
    return int(np.count_nonzero(~same))


def _where_it_holds(
    rule: Rule,
    type: Type,
    names: list[Variable],
    values: dict[str, np.ndarray],
    shape: tuple[int, ...],
) -> np.ndarray:
    assert rule.when is not None
    holds = np.zeros(shape, bool)
    fixed = [v.name for v in names if is_constant(v)]
    looked_at = [v.name for v in names] if _asks_for_ranges(rule, type) else fixed
    axes = [v.name for v in names]
    for place in itertools.product(*(range(len(values[name])) for name in looked_at)):
        at = {name: values[name][i].item() for name, i in zip(looked_at, place, strict=True)}
        known = {name: at[name] for name in fixed}
        if rule.when(Match(type, known, lambda name, at=at: (at[name], at[name]))):
            where: list[slice | int] = [slice(None)] * len(axes)
            for name, i in zip(looked_at, place, strict=True):
                where[axes.index(name)] = i
            holds[tuple(where)] = True
    assert holds.any(), "the condition never holds"
    return holds


def _asks_for_ranges(rule: Rule, type: Type) -> bool:
    assert rule.when is not None
    numbers = all_values(type).tolist()
    try:
        for c, d in itertools.product(numbers[::5], repeat=2):
            rule.when(Match(type, {"c": c, "d": d}))
    except TypeError:
        return True
    return False


def _where_defined(expr: Expr, bound: dict[str, np.ndarray]) -> np.ndarray:
    """C++'s division is undefined by zero, and of the least number by -1."""
    found = np.array(True)
    for node in postorder(expr):
        if isinstance(node, TruncDiv | TruncMod):
            a, b = evaluate(node.a, bound), evaluate(node.b, bound)
            overflows = (b == -1) & (a == node.type.min) if node.type.is_int else False
            found = found & (b != 0) & ~np.asarray(overflows)
    return found
