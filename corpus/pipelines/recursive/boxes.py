"""A box of SIDE x SIDE pixels applied twice, from sums of sums.

Modulo 2**32, where sums of sums may wrap and their differences are right.
"""

import numpy as np

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim, integral_image_coeff

from .frame import Array, Recursive

SIDE = 9
SECOND = (1, -2, 1)


def build(image: hl.ImageParam, x: RecFilterDim, y: RecFilterDim) -> hl.Func:
    u, v = hl.vars("x y")
    sums, boxes = RecFilter("sums"), hl.Func("boxes")
    sums[x, y] = hl.u32(image[u, v])
    sums.add_filter(+x, integral_image_coeff(2)).add_filter(+y, integral_image_coeff(2))
    inside = [(0, x.extent), (0, y.extent)]
    table = hl.BoundaryConditions.constant_exterior(sums.as_func(), hl.u32(0), inside)
    boxes[u, v] = sum(
        hl.u32(p * q) * table[u - i * SIDE, v - j * SIDE]
        for i, p in enumerate(SECOND)
        for j, q in enumerate(SECOND)
    )
    return boxes


def reference(image: Array) -> Array:
    kernel = np.convolve(np.ones(SIDE), np.ones(SIDE)).astype(np.int64)
    made = image.astype(np.int64)
    for axis in (0, 1):
        made = np.apply_along_axis(lambda line: np.convolve(line, kernel)[: len(line)], axis, made)
    return made


PROGRAM = Recursive("boxes", build, reference, (4096, 4096), (67, 43), type="uint8", tolerance=0)
