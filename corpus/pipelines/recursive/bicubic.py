"""What splines of degree 3 go through the pixels: their prefilter."""

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim, bspline_weights

from .frame import Array, Recursive, there_and_back


def build(image: hl.ImageParam, x: RecFilterDim, y: RecFilterDim) -> hl.Func:
    splines = RecFilter("splines")
    splines[x, y] = image[hl.Var("x"), hl.Var("y")]
    for weights in bspline_weights(3):
        for direction in (+x, -x, +y, -y):
            splines.add_filter(direction, weights)
    return splines.cpu_auto_schedule().as_func()


def reference(image: Array) -> Array:
    return there_and_back(image, "xy", *bspline_weights(3))


PROGRAM = Recursive("bicubic", build, reference, (4096, 4096), (67, 43), tolerance=1e-4)
