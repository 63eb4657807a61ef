"""A 3x3 blur of a large image, scheduled by a method: python examples/autoscheduled.py [METHOD]"""

import sys

import compiler as hl

x, y = hl.vars("x y")
image = hl.ImageParam(hl.UInt(16), 2, "image")
blur_x, blur_y = hl.Func("blur_x"), hl.Func("blur_y")
blur_x[x, y] = (image[x, y] + image[x + 1, y] + image[x + 2, y]) / 3
blur_y[x, y] = (blur_x[x, y] + blur_x[x, y + 1] + blur_x[x, y + 2]) / 3
blur_y.set_estimates([(0, 6400), (0, 4800)])

method = sys.argv[1] if len(sys.argv) > 1 else "Measured"
params = hl.AutoschedulerParams(method, {"machine": "core-i7-6700"})
target = hl.Target("x86-64-linux-avx2")
print(hl.Pipeline(blur_y).apply_autoscheduler(target, params).schedule_source, end="")
