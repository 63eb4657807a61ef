"""A 3x3 blur under five schedules: the same pixels, other loops."""

import halide as hl
import numpy as np

x, y, xi, yi, strip = hl.vars("x y xi yi strip")


def blur(picture):
    padded = hl.BoundaryConditions.repeat_edge(picture)
    wide, rows, out = hl.Func("wide"), hl.Func("rows"), hl.Func("out")
    wide[x, y] = hl.cast(hl.UInt(16), padded[x, y])
    rows[x, y] = (wide[x - 1, y] + wide[x, y] + wide[x + 1, y]) / 3
    out[x, y] = hl.cast(hl.UInt(8), (rows[x, y - 1] + rows[x, y] + rows[x, y + 1]) / 3)
    return rows, out


def inlined(rows, out):
    pass


def breadth_first(rows, out):
    rows.compute_root().vectorize(x, 16)
    out.vectorize(x, 16).parallel(y)


def tiled(rows, out):
    out.tile(x, y, xi, yi, 64, 16).vectorize(xi, 16).parallel(y)
    rows.compute_at(out, x).vectorize(x, 16)


def sliding(rows, out):
    rows.store_root().compute_at(out, y)


def strips(rows, out):
    out.split(y, strip, yi, 16, hl.TailStrategy.GuardWithIf).parallel(strip).vectorize(x, 32)
    rows.store_at(out, strip).compute_at(out, yi).fold_storage(y, 4).vectorize(x, 16)


def main():
    pixels = np.random.default_rng(1).integers(0, 256, (70, 131), dtype=np.uint8)
    picture = hl.Buffer(pixels, "picture")
    results = {}
    for schedule in (inlined, breadth_first, tiled, sliding, strips):
        rows, out = blur(picture)
        schedule(rows, out)
        results[schedule.__name__] = np.asarray(out.realize([131, 70]))
    first = results["inlined"]
    for name, made in results.items():
        print(f"{name}: {made.shape}, sum {made.sum()}, equal {np.array_equal(made, first)}")


if __name__ == "__main__":
    main()
