"""Deriche's smoothing along rows: a causal filter and an anticausal one of order 2, summed."""

import numpy as np

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim

from .frame import Array, Recursive, filtered

DECAY = float(np.exp(-0.5))
GAIN = (1 - DECAY) ** 2 / (1 + DECAY - DECAY**2)
FEEDBACK = [1.0, 2 * DECAY, -(DECAY**2)]


def build(image: hl.ImageParam, x: RecFilterDim, y: RecFilterDim) -> hl.Func:
    u, v = hl.vars("x y")
    inside = hl.BoundaryConditions.constant_exterior(image, 0.0)
    left, right, made = RecFilter("left"), RecFilter("right"), hl.Func("smooth")
    left[x, y] = GAIN * (inside[u, v] - DECAY / 2 * inside[u - 1, v])
    right[x, y] = GAIN * (1.5 * DECAY * inside[u + 1, v] - DECAY**2 * inside[u + 2, v])
    left.add_filter(+x, FEEDBACK)
    right.add_filter(-x, FEEDBACK)
    made[u, v] = left.as_func()[u, v] + right.as_func()[u, v]
    return made


def reference(image: Array) -> Array:
    wide = np.pad(image.astype(np.float64), ((0, 0), (1, 2)))
    here, before, after, beyond = wide[:, 1:-2], wide[:, :-3], wide[:, 2:-1], wide[:, 3:]
    left = filtered(GAIN * (here - DECAY / 2 * before), "+x", FEEDBACK)
    return left + filtered(GAIN * (1.5 * DECAY * after - DECAY**2 * beyond), "-x", FEEDBACK)


PROGRAM = Recursive("deriche", build, reference, (4096, 4096), (67, 43))
