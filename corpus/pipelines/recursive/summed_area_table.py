"""The sum of all pixels above and to the left."""

import compiler as hl
from compiler.recfilter import RecFilter, RecFilterDim

from .frame import Array, Recursive


def build(image: hl.ImageParam, x: RecFilterDim, y: RecFilterDim) -> hl.Func:
    table = RecFilter("table")
    table[x, y] = hl.u32(image[hl.Var("x"), hl.Var("y")])
    table.add_filter(+x, [1, 1]).add_filter(+y, [1, 1])
    return table.as_func()


def reference(image: Array) -> Array:
    return image.astype("uint32").cumsum(0, "uint32").cumsum(1, "uint32")


PROGRAM = Recursive(
    "summed_area_table", build, reference, (4096, 4096), (67, 43), type="uint8", tolerance=0
)
