"""A complete checker for tests: equality of two expressions on every value of 8-bit symbols."""

from __future__ import annotations

import numpy as np

from compiler.ir import Expr, evaluate
from lifter.synth.samples import defined, named, symbols, with_names


def inputs_of(*exprs):
    """All combinations of values of the symbols in `exprs`, and the exprs over their names."""
    found = tuple(dict.fromkeys(s for e in exprs for s in symbols(e)))
    assert sum(s.type.bits for s in found) <= 24, f"too many states: {found}"
    names = named(found)
    axes = [np.arange(s.type.min, s.type.max + 1) for s in found]
    grid = np.meshgrid(*axes, indexing="ij") if axes else []
    values = {f"${i}": g.ravel() for i, g in enumerate(grid)}
    return values, [with_names(e, names) for e in exprs]


def difference(target: Expr, candidate: Expr):
    """None when equal wherever `target` is defined, else symbol values that tell them apart."""
    assert target.type is candidate.type
    values, (a, b) = inputs_of(target, candidate)
    wrong = (evaluate(a, values) != evaluate(b, values)) | ~defined(b, values)
    bad = np.atleast_1d(defined(a, values) & wrong)
    if not bad.any():
        return None
    place = int(np.argmax(bad))
    return {name: int(column[place % len(column)]) for name, column in values.items()}


def prove_completely(target: Expr, candidate: Expr) -> bool:
    """Whether they are equal; a proof, because every input is tried."""
    return difference(target, candidate) is None
