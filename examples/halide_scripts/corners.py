"""Harris corners from a numpy array to a numpy array, with mirrored edges and an estimate."""

import halide as hl
import numpy as np

x, y, yo, yi = hl.vars("x y yo yi")


def box(f, x, y):
    return sum((f[x + i, y + j] for i in (-1, 0, 1) for j in (-1, 0, 1)), hl.f32(0))


def corners(gray, k):
    edges = hl.BoundaryConditions.mirror_interior(gray)
    bright = hl.Func("bright")
    bright[x, y] = hl.f32(edges[x, y]) / 255

    dx, dy = hl.Func("dx"), hl.Func("dy")
    dx[x, y] = (
        bright[x + 1, y - 1]
        - bright[x - 1, y - 1]
        + 2 * (bright[x + 1, y] - bright[x - 1, y])
        + bright[x + 1, y + 1]
        - bright[x - 1, y + 1]
    ) / 12
    dy[x, y] = (
        bright[x - 1, y + 1]
        - bright[x - 1, y - 1]
        + 2 * (bright[x, y + 1] - bright[x, y - 1])
        + bright[x + 1, y + 1]
        - bright[x + 1, y - 1]
    ) / 12
    products = hl.Func("products")
    products[x, y] = (dx[x, y] * dx[x, y], dx[x, y] * dy[x, y], dy[x, y] * dy[x, y])

    sums = hl.Func("sums")
    sums[x, y] = tuple(box_of(products, i) for i in range(3))
    xx, xy, yy = (sums[x, y][i] for i in range(3))
    response = hl.Func("response")
    response[x, y] = xx * yy - xy * xy - k * (xx + yy) ** 2

    response.split(y, yo, yi, 16).parallel(yo).vectorize(x, 8)
    for stage in (dx, dy, products):
        stage.store_at(response, yo).compute_at(response, yi).vectorize(x, 8)
    bright.compute_root().vectorize(x, 8)
    return response


def box_of(f, i):
    return sum((f[x + u, y + v][i] for u in (-1, 0, 1) for v in (-1, 0, 1)), hl.f32(0))


def main():
    checkers = np.kron(np.indices((4, 5)).sum(axis=0) % 2, np.ones((12, 12))) * 200 + 20
    image = hl.ImageParam(hl.UInt(8), 2, "gray")
    k = hl.Param(hl.Float(32), "k", 0.04)
    response = corners(image, k)
    # The array must live as long as the parameter: the buffer lies in its memory.
    pixels = checkers.astype(np.uint8)
    image.set(hl.Buffer(pixels))
    for value in (0.04, 0.15):
        k.set(value)
        strength = np.asarray(response.realize([60, 48]))
        rows, columns = np.nonzero(strength > 0.5 * strength.max())
        print(f"k = {value}: strongest {strength.max():.4f}, {len(rows)} strong points")
        print(sorted({(int(r) // 4, int(c) // 4) for r, c in zip(rows, columns, strict=True)}))


if __name__ == "__main__":
    main()
