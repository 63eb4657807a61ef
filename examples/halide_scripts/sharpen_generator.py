"""A generator: `python sharpen_generator.py -g sharpen -o . -e o,h target=host radius=2`."""

import halide as hl

x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")


@hl.generator(name="sharpen")
class Sharpen:
    radius = hl.GeneratorParam(1)
    parallel = hl.GeneratorParam(True)

    input = hl.InputBuffer(hl.UInt(8), 3)
    strength = hl.InputScalar(hl.Float(32))
    output = hl.OutputBuffer(hl.UInt(8), 3)

    def generate(self):
        g = self
        clamped = hl.BoundaryConditions.repeat_edge(g.input)
        wide = hl.Func("wide")
        wide[x, y, c] = hl.f32(clamped[x, y, c])
        window = hl.RDom([(-g.radius, 2 * g.radius + 1), (-g.radius, 2 * g.radius + 1)], "window")
        blurry = hl.Func("blurry")
        blurry[x, y, c] = hl.f32(0)
        blurry[x, y, c] += wide[x + window.x, y + window.y, c]
        detail = wide[x, y, c] - blurry[x, y, c] / float((2 * g.radius + 1) ** 2)
        g.output[x, y, c] = hl.u8_sat(hl.round(wide[x, y, c] + g.strength * detail))

        g.output.vectorize(x, 16)
        blurry.compute_at(g.output, x).vectorize(x, 16)
        blurry.update().reorder(x, window.x, window.y).vectorize(x, 16)
        if g.parallel:
            g.output.parallel(y)


if __name__ == "__main__":
    hl.main()
