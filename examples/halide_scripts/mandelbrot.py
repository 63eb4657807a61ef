"""The Mandelbrot set in letters: complex numbers as tuples, the first escape by argmin."""

import halide as hl
import numpy as np


class Complex:
    """A complex number of two expressions."""

    def __init__(self, re, im):
        self.re, self.im = re, im

    def __add__(self, other):
        return Complex(self.re + other.re, self.im + other.im)

    def __mul__(self, other):
        return Complex(
            self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re
        )

    def magnitude_squared(self):
        return self.re * self.re + self.im * self.im


def value(call):
    """Both parts of a stage's value at a point."""
    return Complex(call[0], call[1])


def main(width=70, height=24, steps=12):
    x, y, t = hl.Var("x"), hl.Var("y"), hl.Var("t")
    c = hl.Func("c")
    c[x, y] = (hl.f32(x) * 3 / width - 2.25, hl.f32(y) * 2.5 / height - 1.25)

    z = hl.Func("z")
    z[x, y, t] = (hl.f32(0), hl.f32(0))
    r = hl.RDom([(1, steps)], "r")
    before = value(z[x, y, r - 1])
    after = before * before + value(c[x, y])
    z[x, y, r] = (after.re, after.im)

    escape = hl.Func("escape")
    inside = value(z[x, y, r]).magnitude_squared() < 4
    escape[x, y] = hl.argmin(r, hl.select(inside, 1, 0))[0]

    xi, yi = hl.Var("xi"), hl.Var("yi")
    escape.tile(x, y, xi, yi, 8, 4).vectorize(xi, 4).unroll(yi, 2).parallel(y)
    z.compute_at(escape, x)
    c.compute_root()

    letters = " .:-~*={}&%#@"
    for row in np.asarray(escape.realize([width, height])):
        print("".join(letters[min(n, len(letters) - 1)] for n in row))


if __name__ == "__main__":
    main()
