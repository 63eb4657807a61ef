"""A 3x3 blur in two passes, rows in parallel strips (halide-2012, figure 1)."""

import numpy as np

import compiler as hl

x, y, yi = hl.vars("x y yi")
image = hl.ImageParam(hl.UInt(16), 2, "image")
blur_x, blur_y = hl.Func("blur_x"), hl.Func("blur_y")
blur_x[x, y] = (image[x, y] + image[x + 1, y] + image[x + 2, y]) / 3
blur_y[x, y] = (blur_x[x, y] + blur_x[x, y + 1] + blur_x[x, y + 2]) / 3

blur_y.split(y, y, yi, 8).parallel(y).vectorize(x, 16)
blur_x.store_at(blur_y, y).compute_at(blur_y, yi).vectorize(x, 16)

pixels = np.arange(66 * 34, dtype=np.uint16).reshape(34, 66)
image.set(hl.Buffer(pixels))
blurred = np.array(blur_y.realize([64, 32]))
print(f"{blurred.shape[1]} x {blurred.shape[0]} pixels, the first is {blurred[0, 0]}")
