"""Compiles a pipeline ahead of time: an object file and a header for programs in C.

usage: brighten_ahead.py FOLDER
"""

import os
import sys

import halide as hl


def main(folder):
    x, y, c = hl.vars("x y c")
    image = hl.ImageParam(hl.UInt(8), 3, "image")
    gain, offset = hl.Param(hl.Float(32), "gain", 1.0), hl.Param(hl.Int(32), "offset")
    out = hl.Func("brighter")
    value = hl.f32(image[x, y, c]) * gain + offset
    out[x, y, c] = hl.cast(hl.UInt(8), hl.clamp(value, 0, 255))
    out.vectorize(x, 16, hl.TailStrategy.GuardWithIf).parallel(y)

    # Pixels lie as r g b r g b in the callers' pictures.
    for buffer in (image, out.output_buffer()):
        buffer.dim(0).set_stride(3)
        buffer.dim(2).set_stride(1).set_bounds(0, 3)
    out.reorder(c, x, y).bound(c, 0, 3).unroll(c)

    target = hl.get_host_target().with_feature(hl.TargetFeature.StrictFloat)
    path = os.path.join(folder, "brighten")
    out.compile_to(
        {hl.OutputFileType.object: path + ".o", hl.OutputFileType.c_header: path + ".h"},
        [image, gain, offset],
        "brighten",
        target,
    )
    with open(path + ".h") as file:
        header = file.read()
    print("declared:", "brighten(" in header, "brighten_argv(" in header)
    print("written:", sorted(os.listdir(folder)), os.path.getsize(path + ".o") > 1000)


if __name__ == "__main__":
    main(*sys.argv[1:])
