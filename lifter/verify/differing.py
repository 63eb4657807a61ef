"""Values on which two expressions differ: by samples, which are quick, else by the solver."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import z3

from compiler.ir import Call, Expr, Type, Variable, dtype_of, evaluate, substitute

from .encode import ValueEncoder, value_postorder
from .states import difference, leaves_of, samples

_SAMPLES = 2048
_MOST_BESIDE = 4
"""Leaves of an expression whose steps are looked at."""
_PATTERNS = {16: ("<H", "<e"), 32: ("<I", "<f"), 64: ("<Q", "<d")}


def differing_values(
    a: Expr, b: Expr, given: Sequence[Expr], seconds: float
) -> dict[Expr, int | float] | None:
    """A value for each leaf such that all `given` hold and `a` isn't `b`, to the bit; None where
    none is found in the time. What is found is a suggestion: whoever uses it runs it."""
    leaves = leaves_of(a, b, *given)
    return (
        _by_samples(a, b, given, leaves)
        or _at_steps(a, b, given, leaves)
        or _by_solver(a, b, given, seconds)
    )


def _by_samples(
    a: Expr, b: Expr, given: Sequence[Expr], leaves: Sequence[Expr]
) -> dict[Expr, int | float] | None:
    named = {repr(leaf): leaf for leaf in leaves}
    if len(named) != len(leaves):
        return None
    generator = np.random.default_rng(7)
    values = [samples(leaf.type, _SAMPLES, generator) for leaf in leaves]
    try:
        with np.errstate(all="ignore"):
            found = difference(a, b, given, leaves, values)
    except TypeError:
        return None
    return None if found is None else {named[name]: value for name, value in found.items()}


def _at_steps(
    a: Expr, b: Expr, given: Sequence[Expr], leaves: Sequence[Expr]
) -> dict[Expr, int | float] | None:
    """Around the values of a float at which the first jumps, where roundings part.

    Between two neighbours among samples of which `a` makes different numbers there is a place where
    it changes, which halving finds; it is tried with what lies beside it.
    """
    floats = [leaf for leaf in leaves if leaf.type.is_float and leaf.type.bits in (32, 64)]
    if len(floats) != 1 or len(leaves) > _MOST_BESIDE or a.type.is_bool:
        return None
    (moving,) = floats
    others = [leaf for leaf in leaves if leaf is not moving]
    names = {leaf: Variable(f"leaf{i}", leaf.type) for i, leaf in enumerate(leaves)}
    stepping = substitute(a, names)
    generator = np.random.default_rng(18)
    fixed = {names[o].name: samples(o.type, 1, generator)[0] for o in others}

    def at(places: Any) -> Any:
        values = {**fixed, names[moving].name: _floats_at(places, moving.type)}
        return np.broadcast_to(evaluate(stepping, values), places.shape)

    try:
        with np.errstate(all="ignore"):
            places = _places(moving.type)
            found = at(places)
            jumps = np.nonzero(found[1:] != found[:-1])[0]
            low, high, below = places[jumps], places[jumps + 1], found[jumps]
            for _ in range(moving.type.bits):
                middle = low + (high - low) // 2
                still = at(middle) == below
                low, high = np.where(still, middle, low), np.where(still, high, middle)
            near = np.unique(np.concatenate([low + k for k in range(-1, 3)]))
            values = [
                _floats_at(near, leaf.type)
                if leaf is moving
                else np.full(near.shape, fixed[names[leaf].name])
                for leaf in leaves
            ]
            parted = difference(a, b, given, leaves, values)
    except (TypeError, KeyError, ValueError):
        return None
    named = {repr(leaf): leaf for leaf in leaves}
    return None if parted is None else {named[name]: value for name, value in parted.items()}


def _places(type: Type) -> Any:
    """Samples of floats, as integers in the same order."""
    even = np.linspace(-4, 300, 1217)
    fine = np.linspace(0, 1, 2049)
    wide = np.array([s * 2.0**e for s in (-1, 1) for e in range(-20, 33)])
    floats = np.unique(np.concatenate([even, fine, wide])).astype(dtype_of(type))
    bits = floats.view(f"i{type.bits // 8}").astype(np.int64)
    return np.unique(np.where(bits < 0, -(bits & _all_but_sign(type)), bits))


def _floats_at(places: Any, type: Type) -> Any:
    bits = np.where(places < 0, -places | (1 << (type.bits - 1)), places)
    return bits.astype(np.uint64).astype(f"u{type.bits // 8}").view(dtype_of(type))


def _all_but_sign(type: Type) -> int:
    return (1 << (type.bits - 1)) - 1


def _by_solver(
    a: Expr, b: Expr, given: Sequence[Expr], seconds: float
) -> dict[Expr, int | float] | None:
    nodes = [n for e in (a, b, *given) for n in value_postorder(e)]
    if any(isinstance(n, Call) and n.kind == "pure" for n in nodes):
        return None
    if any(isinstance(n, Call) and n.name == "reinterpret" for n in nodes):
        return None  # Z3's floats have one NaN
    encode = ValueEncoder(ieee=True)
    solver = z3.Solver()
    solver.set("timeout", max(1, int(seconds * 1000)))
    try:
        solver.add(*(encode(g) for g in given), z3.Not(encode(a) == encode(b)))
    except TypeError:
        return None
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    return {
        leaf: _number(model.eval(symbol, model_completion=True), leaf.type)
        for leaf, symbol in encode.leaves.items()
    }


def _number(value: Any, type: Type) -> int | float:
    if type.is_bool:
        return int(z3.is_true(value))
    if not type.is_float:
        return int(value.as_signed_long() if type.is_int else value.as_long())
    bits = z3.simplify(z3.fpToIEEEBV(value))
    pattern, number = _PATTERNS[type.bits]
    word = bits.as_long() if z3.is_bv_value(bits) else None
    if word is None:
        return float("nan")
    found: float = struct.unpack(number, struct.pack(pattern, word))[0]
    return found
