"""Programs with one more stage, drawn to where bugs were found.

Tuples of mixed widths, numbers near the ends of their types, tails of small outputs, names that
collide, paths that are not taken.
"""

from __future__ import annotations

import random
from dataclasses import replace

from .generate import generate
from .program import Program, Stage

SIZES = [(1, 1), (3, 3), (5, 2), (7, 1), (11, 4), (13, 7), (21, 3), (31, 2), (33, 5), (67, 3)]
KINDS = ["u8", "i8", "u16", "i16", "i32", "u32", "f32"]
TAILS = ["Auto", "GuardWithIf", "GuardWithIf", "ShiftInwards", "Predicate", "PredicateStores"]
MOST, LEAST = 2**31 - 1, -(2**31)
ENDS = [MOST, MOST - 1, MOST - 7, LEAST, LEAST + 1, LEAST + 7, 2**30 + 1, -(2**30) - 1]
NAMES = ["a", "b", "w", "p", "x", "b0", "b1", "f0", "v0", "im0", "r0", "f0$1", "lambda"]
TABLE = ("table = hl.Buffer(hl.UInt(8), [256])", "for k in range(256): table[k] = k * 37 % 256")


def generate_twisted(seed: int) -> Program:
    """The program of a seed, small, with a last stage of one or more twists."""
    r = random.Random(f"twisted {seed}")
    program = generate(seed)
    while any(d.startswith("autoschedule(") for d in program.directives):
        program = generate(r.randrange(10**6))
    return _Twisted(r, program).made(seed)


class _Twisted:
    def __init__(self, r: random.Random, program: Program) -> None:
        self.random, self.program = r, program
        self.last = program.stages[-1]
        self.setup: list[str] = []
        self.directives: list[str] = []
        self.parameter = program.parameter

    def made(self, seed: int) -> Program:
        r = self.random
        count = r.choice([1, 1, 2, 2, 3])
        kinds = [r.choice(KINDS) for _ in range(count)]
        values = [self.value(kind) for kind in kinds]
        shown = values[0] if count == 1 else f"({', '.join(values)})"
        name = "'twisted'" if r.random() < 0.6 else repr(r.choice(NAMES))
        lines = (*self.setup, f"z = hl.Func({name})", f"z[x, y] = {shown}")
        self.schedule()
        stage = Stage("z", lines, kinds[0], reads=frozenset([self.last.name]))
        return replace(
            self.program,
            seed=seed,
            stages=(*self.program.stages, stage),
            directives=(*self.program.directives, *self.directives),
            size=r.choice(SIZES),
            parameter=self.parameter,
            is_twisted=True,
        )

    # What is computed.

    def read(self) -> str:
        """A value of the last stage, as int32; of floats none below 0, which Halide takes to
        uint32 at once."""
        at = self.random.choice(["x, y", "x, y", "x + 1, y", "x, y - 1"])
        text = f"{self.last.name}[{at}]"
        if self.last.type == "f32":
            return f"hl.i32(hl.clamp({text}, hl.f32(0.0), hl.f32(300.0)))"
        return f"hl.i32(hl.u16({text}))" if self.last.type in ("u32", "i32") else f"hl.i32({text})"

    def value(self, kind: str) -> str:
        r = self.random
        # Halide takes x - y < C for x < y + C, which overflows.
        source = r.choice([self.read(), self.read(), "x", "y"])
        limit = r.choice([*map(str, ENDS), "p"])
        if limit == "p" and r.random() < 0.5:
            self.parameter = r.choice(ENDS)
        match r.randint(0, 7):
            case 0 | 1:
                text = f"hl.{r.choice(['min', 'max'])}({source}, {limit})"
            case 2:
                test = r.choice(["<", "<=", ">", ">=", "==", "!="])
                text = f"hl.select({source} {test} {limit}, {self.read()}, 7)"
            case 3:
                text = f"hl.clamp({source}, {r.choice(ENDS[3:5])}, {r.choice(ENDS[:3])})"
            case 4:
                narrow = r.choice(["u8", "i8", "u16", "i16", "u32"])
                top = {"u8": 255, "i8": 127, "u16": 65535, "i16": 32767, "u32": 2**32 - 1}[narrow]
                op = r.choice(["+", "-", "*"])
                text = f"hl.i32(hl.u16(hl.{narrow}({source}) {op} hl.{narrow}({top})))"
            case 5:
                self.setup = list(TABLE)
                text = f"hl.i32(table[hl.i32(hl.u8({source}))])"
            case _:
                text = source
        if kind == "f32":
            return f"hl.f32(hl.i16({text}))"
        # From int32 at once: what is negative wraps.
        return f"hl.{kind}({text})"

    # How.

    def schedule(self) -> None:
        r = self.random
        place = r.choice(["compute_root()", "compute_at(z, y)", "compute_at(z, y)"])
        lanes = r.choice([2, 4, 8, 8, 8, 16, 32])
        tail = r.choice(TAILS)
        more = "" if tail == "Auto" else f", hl.TailStrategy.{tail}"
        out = "z.output_buffers()[0]"
        vectors = f"vectorize(x, {lanes}{more})"
        match r.randint(0, 4):
            case 0:
                self.directives.append(f"z.specialize({out}.dim(0).extent() >= {lanes}).{vectors}")
            case 1:
                self.directives.append(f"z.specialize({out}.dim(0).extent() < {lanes})")
                self.directives.append(f"z.{vectors}")
            case 2:
                height = r.randint(1, 4)
                fixed = f"z.specialize({out}.dim(1).extent() == {height})"
                self.directives.append(f"{fixed}.reorder(y, x).unroll(y)")
            case _:
                self.directives.append(f"z.{vectors}")
        if r.random() < 0.3:
            self.directives.append("z.parallel(y)")
        if self.last.kind not in ("histogram", "planes", "tuple"):
            # What places other stages inside of its loops must find them where they were.
            inside = any(f"({self.last.name}," in d for d in self.program.directives)
            held = "compute_root()" if inside else place
            self.directives.append(f"{self.last.name}.{held}")
