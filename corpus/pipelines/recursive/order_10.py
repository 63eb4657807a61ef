"""A filter of order 10 over a line of sound, in tiles."""

import numpy as np

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim

from .frame import Array, Recursive, filtered

POLES = 0.6 * np.exp(2j * np.pi * np.arange(10) / 10)
FEEDBACK = [float(-a) for a in np.real(np.poly(POLES + 0.1))[1:]]
WEIGHTS = [1.0, *FEEDBACK]


def build(line: hl.ImageParam, x: RecFilterDim) -> hl.Func:
    made = RecFilter("line")
    made[x] = line[hl.Var("x")]
    return made.add_filter(+x, WEIGHTS).cpu_auto_schedule().as_func()


def reference(line: Array) -> Array:
    return filtered(line, "+x", WEIGHTS)


PROGRAM = Recursive("order_10", build, reference, (10**8,), (5003,), tolerance=1e-4)
