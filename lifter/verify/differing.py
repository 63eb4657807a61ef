"""Values on which two expressions differ: by samples, which are quick, else by the solver."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np
import z3

from compiler.ir import Call, Expr, Type

from .encode import ValueEncoder, value_postorder
from .states import difference, leaves_of, samples

_SAMPLES = 2048
_PATTERNS = {16: ("<H", "<e"), 32: ("<I", "<f"), 64: ("<Q", "<d")}


def differing_values(
    a: Expr, b: Expr, given: Sequence[Expr], seconds: float
) -> dict[Expr, int | float] | None:
    """A value for each leaf such that all `given` hold and `a` isn't `b`, to the bit; None where
    none is found in the time. What is found is a suggestion: whoever uses it runs it."""
    leaves = leaves_of(a, b, *given)
    return _by_samples(a, b, given, leaves) or _by_solver(a, b, given, seconds)


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
