"""The Gaussian of order 3 as a cascade: all filters along x, then all along y."""

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim, gaussian_weights

from .frame import Array, Recursive, there_and_back

SIGMA = 5.0


def build(image: hl.ImageParam, x: RecFilterDim, y: RecFilterDim) -> hl.Func:
    blur = RecFilter("blur")
    blur[x, y] = image[hl.Var("x"), hl.Var("y")]
    for direction in (+x, +y, -x, -y):
        blur.add_filter(direction, gaussian_weights(SIGMA, 3))
    return blur.cascade_by_dimension()[-1].cpu_auto_schedule().as_func()


def reference(image: Array) -> Array:
    return there_and_back(image, "xy", gaussian_weights(SIGMA, 3))


PROGRAM = Recursive("gaussian_3x_3y", build, reference, (4096, 4096), (67, 43))
