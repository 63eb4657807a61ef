"""The Gaussian of order 3 as filters of order 1, then of order 2, along both axes."""

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim, gaussian_weights

from .frame import Array, Recursive, there_and_back

SIGMA = 5.0


def build(image: hl.ImageParam, x: RecFilterDim, y: RecFilterDim) -> hl.Func:
    blur = RecFilter("blur")
    blur[x, y] = image[hl.Var("x"), hl.Var("y")]
    for order in (1, 2):
        for direction in (+x, -x, +y, -y):
            blur.add_filter(direction, gaussian_weights(SIGMA, order))
    return blur.cascade(range(4), range(4, 8))[-1].cpu_auto_schedule().as_func()


def reference(image: Array) -> Array:
    once = there_and_back(image, "xy", gaussian_weights(SIGMA, 1))
    return there_and_back(once, "xy", gaussian_weights(SIGMA, 2))


PROGRAM = Recursive("gaussian_1xy_2xy", build, reference, (4096, 4096), (67, 43))
