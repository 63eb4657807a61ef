"""A chain of filters of second order over a line of sound, in tiles."""

import numpy as np

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim

from .frame import Array, Recursive, filtered

COUNT = 6


def weights(number: int) -> list[float]:
    pole = 0.8 * np.exp(0.4j * (number + 1))
    feedback = [float(2 * pole.real), float(-(abs(pole) ** 2))]
    return [1 - sum(feedback), *feedback]


def build(line: hl.ImageParam, x: RecFilterDim) -> hl.Func:
    chain = RecFilter("chain")
    chain[x] = line[hl.Var("x")]
    for number in range(COUNT):
        chain.add_filter(+x, weights(number))
    return chain.cpu_auto_schedule().as_func()


def reference(line: Array) -> Array:
    for number in range(COUNT):
        line = filtered(line, "+x", weights(number))
    return line


PROGRAM = Recursive("biquads", build, reference, (10**8,), (5003,), tolerance=1e-3)
