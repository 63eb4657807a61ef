"""Draws small programs as text, so that a failure is one program that anyone can run."""

from __future__ import annotations

import random

IMAGES = {"a": "uint8", "b": "uint8", "w": "uint16", "s": "int16", "g": "float32"}
MARGIN = 4
"""The images have this many more points on each side than the output."""


class Generator:
    """Programs of 1 to 4 stages over 2-D images of several types, from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.stages: list[str] = []

    def program(self) -> str:
        """The body of a function that has `hl` and the images, and leaves the output in `out`."""
        r = self.random
        lines = ["x, y = hl.Var('x'), hl.Var('y')"]
        for i in range(r.randint(1, 4)):
            name = f"f{i}"
            lines.append(f"{name} = hl.Func('{name}')")
            lines.append(f"{name}[x, y] = {self._value(r.randint(1, 4))}")
            if r.random() < 0.2:
                lines.append(f"r{i} = hl.RDom([({r.randint(-1, 0)}, {r.randint(1, 3)})])")
                lines.append(
                    f"{name}[x, y] = {name}[x, y] + hl.cast({name}.type(), a[x + r{i}, y])"
                )
            self.stages.append(name)
        lines.append(f"out = {self.stages[-1]}")
        return "\n".join(lines)

    def _value(self, depth: int) -> str:
        cast = self.random.choice(["u8", "u8", "u8", "u16", "i16", "i32", "u32"])
        return f"hl.{cast}({self._integer(depth)})"

    def _point(self) -> str:
        r = self.random
        dx, dy = (r.randint(-1, 1) if r.random() < 0.3 else 0 for _ in range(2))
        return f"x + {dx}, y + {dy}".replace(" + 0", "").replace("+ -", "- ")

    def _leaf(self) -> str:
        r = self.random
        choice = r.random()
        if choice < 0.15:
            return str(r.choice([0, 1, 2, 3, 7, 127, 128, 255]))
        if choice < 0.2:
            return f"hl.i32({r.choice('xy')})"
        name = r.choice([*self.stages, "a", "b", "a", "b", "w", "s"])
        return f"hl.i32({name}[{self._point()}])"

    def _integer(self, depth: int) -> str:
        r = self.random
        if depth == 0:
            return self._leaf()
        a, b = self._integer(depth - 1), self._integer(r.randint(0, depth - 1))
        c, d = self._leaf(), self._leaf()
        k = r.choice([1, 2, 3, 5, 16, 255])
        return "hl.i32(" + r.choice([
            f"{a} + {b}", f"{a} - {b}", f"hl.i32({a}) * {r.choice([2, 3, 255])}",
            f"hl.i32(a[x, y]) * ({b} & 255)", f"hl.i32({a}) / {k}", f"hl.i32({a}) % {k}",
            f"(hl.i32({a}) * (b[x, y]) + {c} * (255 - hl.i32(b[x, y])) + 127) / 255",
            f"hl.min({a}, {b})", f"hl.max({a}, {b})", f"hl.clamp(hl.i32({a}), 0, 255)",
            f"hl.select(hl.i32({a}) < {b}, {c}, {d})", f"hl.abs(hl.i32({a}) - {b})",
            f"hl.absd(hl.i32({a}), {b})", f"hl.i32({a}) >> {r.randint(0, 7)}",
            f"hl.i32({a}) << {r.randint(0, 7)}", f"hl.i32({a}) & {k}", f"hl.i32({a}) ^ {b}",
            f"hl.u8({a})", f"hl.i8({a})", f"hl.u16({a})", f"-hl.i32({a})",
            f"hl.u8(hl.min({a} + {b}, 255))", f"hl.u8(hl.max(hl.i32({a}) - {b}, 0))",
            f"hl.u8_sat({a})", "hl.i32(b[x, y]) * 255 / (hl.i32(a[x, y]) + 1)",
            f"hl.i32({a}) / {c}", f"hl.u8({a}) + hl.u8({b})", f"hl.select(p > 3, {a}, {b})",
        ]) + ")"  # fmt: skip
