"""A Gaussian by filters of order 1 there and back along both axes (Van Vliet's poles)."""

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim, gaussian_weights

from .frame import Array, Recursive, there_and_back

SIGMA = 5.0


def build(image: hl.ImageParam, x: RecFilterDim, y: RecFilterDim) -> hl.Func:
    blur = RecFilter("blur")
    blur[x, y] = image[hl.Var("x"), hl.Var("y")]
    for direction in (+x, -x, +y, -y):
        blur.add_filter(direction, gaussian_weights(SIGMA, 1))
    return blur.cpu_auto_schedule().as_func()


def reference(image: Array) -> Array:
    return there_and_back(image, "xy", gaussian_weights(SIGMA, 1))


PROGRAM = Recursive("gaussian_1", build, reference, (4096, 4096), (67, 43))
