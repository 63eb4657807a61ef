"""A narrow Gaussian less a wide one."""

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim, gaussian_weights

from .frame import Array, Recursive, there_and_back

SIGMAS = (2.0, 4.0)


def build(image: hl.ImageParam, x: RecFilterDim, y: RecFilterDim) -> hl.Func:
    at, blurs = hl.vars("x y"), [RecFilter("narrow"), RecFilter("wide")]
    for blur, sigma in zip(blurs, SIGMAS, strict=True):
        blur[x, y] = image[at[0], at[1]]
        for direction in (+x, -x, +y, -y):
            blur.add_filter(direction, gaussian_weights(sigma, 3))
    difference = hl.Func("difference")
    difference[at[0], at[1]] = blurs[0].as_func()[at[0], at[1]] - blurs[1].as_func()[at[0], at[1]]
    return difference


def reference(image: Array) -> Array:
    narrow, wide = (there_and_back(image, "xy", gaussian_weights(s, 3)) for s in SIGMAS)
    return narrow - wide


PROGRAM = Recursive("difference_of_gaussians", build, reference, (4096, 4096), (67, 43))
