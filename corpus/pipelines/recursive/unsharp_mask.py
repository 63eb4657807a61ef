"""An image and what a Gaussian takes away from it."""

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim, gaussian_weights

from .frame import Array, Recursive, there_and_back

SIGMA, AMOUNT = 3.0, 0.75


def build(image: hl.ImageParam, x: RecFilterDim, y: RecFilterDim) -> hl.Func:
    u, v = hl.vars("x y")
    blur, sharp = RecFilter("blur"), hl.Func("sharp")
    blur[x, y] = image[u, v]
    for direction in (+x, -x, +y, -y):
        blur.add_filter(direction, gaussian_weights(SIGMA, 3))
    sharp[u, v] = image[u, v] + AMOUNT * (image[u, v] - blur.as_func()[u, v])
    return sharp


def reference(image: Array) -> Array:
    blur = there_and_back(image, "xy", gaussian_weights(SIGMA, 3))
    return image + AMOUNT * (image - blur)


PROGRAM = Recursive("unsharp_mask", build, reference, (4096, 4096), (67, 43))
