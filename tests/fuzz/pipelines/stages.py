"""Random stages: what they read, how they are defined and updated."""

from __future__ import annotations

import random

from .expressions import RANGES, Term, integer, real
from .program import Names, Stage

IMAGE_TYPES = {"A": "u8", "B": "u8", "W": "u16", "S": "i16", "G": "f32"}
TYPES = ["u8", "u8", "u8", "u16", "i16", "i32", "u32", "f32", "i8"]
MOST_DOWNSAMPLES = 2
FLOAT_IMAGE = 8.0


class StageMaker:
    """Makes one stage after the other, each reading images and earlier stages."""

    def __init__(self, r: random.Random) -> None:
        self.random = r
        self.stages: list[Stage] = []
        self.names = Names()
        self.downsamples = 0
        self._reads: set[str] = set()
        self._x, self._y = "x", "y"

    def make(self, is_last: bool) -> Stage:
        """One more stage; the last one is two-dimensional and has one value."""
        r = self.random
        self._reads = set()
        self._x, self._y = "x", "y"
        makers = [self._pointwise, self._pointwise, self._stencil, self._stencil, self._resampled,
                  self._updated, self._inline_reduction, self._scan]  # fmt: skip
        if not is_last:
            makers += [self._tuple, self._histogram, self._planes]
        stage = r.choice(makers)()
        self.stages.append(stage)
        return stage

    # Reading.

    def _source(self, want_float: bool = False) -> str:
        """The name of an image or a stage of two coordinates."""
        r = self.random
        usable = [s.name for s in self.stages if s.kind != "histogram"]
        if usable and r.random() < 0.75:
            # The newest is read most, so that chains get long.
            return usable[-1] if r.random() < 0.75 else r.choice(usable)
        return r.choice([*IMAGE_TYPES] if want_float else ["A", "B", "W", "S", "A", "B"])

    def _at(self, source: str, at_x: str, at_y: str) -> tuple[str, str, tuple[float, float]]:
        """The text that reads `source` there, its type's name and its range."""
        if source in IMAGE_TYPES:
            kind = IMAGE_TYPES[source]
            limits = RANGES.get(kind, (-FLOAT_IMAGE, FLOAT_IMAGE))
            return f"{source}[{at_x}, {at_y}]", kind, limits
        stage = next(s for s in self.stages if s.name == source)
        self._reads.add(source)
        limits = (stage.low, stage.high)
        if stage.kind == "planes":
            return f"{source}[{at_x}, {at_y}, {self.random.randint(0, 2)}]", stage.type, limits
        text = f"{source}[{at_x}, {at_y}]"
        if stage.kind == "tuple":
            text += f"[{self.random.randint(0, 1)}]"
        return text, stage.type, limits

    def _offset(self, name: str) -> str:
        step = self.random.choice([0, 0, 0, -1, 1, 2, -3])
        return name if step == 0 else f"{name} {'+' if step > 0 else '-'} {abs(step)}"

    def _as_integer(self, source: str, at_x: str, at_y: str) -> Term:
        text, kind, limits = self._at(source, at_x, at_y)
        if kind == "f32":
            return Term(f"hl.i32(hl.clamp({text}, hl.f32(-100.0), hl.f32(300.0)))", -100, 300)
        if kind in ("u32", "i32"):
            # Of 32 bits only the lower half goes on, or products would overflow.
            return Term(f"hl.i32(hl.u16({text}))", 0, 65535)
        return Term(f"hl.i32({text})", *limits)

    def _as_float(self, source: str, at_x: str, at_y: str) -> Term:
        text, kind, limits = self._at(source, at_x, at_y)
        if kind == "f32":
            if max(map(abs, limits)) > 100:
                return Term(f"hl.clamp({text}, hl.f32(-100.0), hl.f32(100.0))", -100, 100)
            return Term(text, *limits)
        if kind in ("u32", "i32"):
            return Term(f"hl.f32(hl.u8({text}))", 0, 255)
        scale = max(map(abs, limits)) / 4 or 1.0
        return Term(f"(hl.f32({text}) / {scale})", -4, 4)

    def _leaf(self) -> Term:
        r = self.random
        if r.random() < 0.06 and self._x == "x":
            return Term(f"(hl.i32({r.choice('xy')}) & 63)", 0, 63)
        tables = [s for s in self.stages if s.kind == "histogram"]
        if tables and r.random() < 0.3:
            table = r.choice(tables)
            self._reads.add(table.name)
            index = self._as_integer(self._source(), self._x, self._y)
            return Term(f"{table.name}[hl.clamp({index.text}, 0, 255)]", table.low, table.high)
        return self._as_integer(self._source(), self._offset(self._x), self._offset(self._y))

    def _float_leaf(self) -> Term:
        return self._as_float(self._source(True), self._offset(self._x), self._offset(self._y))

    def _value(self, kind: str, depth: int) -> Term:
        """A value of the type `kind`, with its range."""
        if kind == "f32":
            return real(self.random, self._float_leaf, depth)
        made = integer(self.random, self._leaf, depth)
        if kind == "u32" and made.text.startswith("hl.i32(hl.clamp("):
            # Halide goes from a float to uint32 at once: what is negative becomes 2**32 - 1.
            made = Term(f"hl.max({made.text}, 0)", 0, made.high)
        low, high = RANGES[kind]
        fits = low <= made.low and made.high <= high
        return Term(f"hl.{kind}({made.text})", *((made.low, made.high) if fits else (low, high)))

    # Kinds of stages.

    def _begin(self) -> tuple[str, str]:
        name = self.names.fresh("f")
        return name, self.random.choice(TYPES)

    def _stage(
        self,
        name: str,
        kind: str,
        lines: list[str],
        value: Term,
        how: str = "pure",
        updates: int = 0,
        reductions: tuple[str, ...] = (),
        is_associative: bool = False,
    ) -> Stage:
        head = f"{name} = hl.Func('{name}')"
        return Stage(
            name, (head, *lines), kind, how, value.low, value.high, frozenset(self._reads),
            updates, reductions, is_associative,
        )  # fmt: skip

    def _pointwise(self) -> Stage:
        name, kind = self._begin()
        value = self._value(kind, self.random.randint(1, 3))
        return self._stage(name, kind, [f"{name}[x, y] = {value.text}"], value)

    def _stencil(self) -> Stage:
        r, (name, kind) = self.random, self._begin()
        source = self._source(kind == "f32")
        wide, high = r.choice([(3, 1), (1, 3), (3, 3), (5, 1), (1, 2), (2, 2)])
        reader = self._as_float if kind == "f32" else self._as_integer
        terms = []
        for dy in range(high):
            for dx in range(wide):
                at = reader(source, f"x + {dx - wide // 2}", f"y + {dy - high // 2}")
                weight = r.choice([1, 1, 2, 3])
                terms.append(Term(f"{at.text} * {weight}", weight * at.low, weight * at.high))
        low, top = sum(t.low for t in terms), sum(t.high for t in terms)
        text = " + ".join(t.text for t in terms)
        if kind == "f32":
            return self._stage(name, kind, [f"{name}[x, y] = ({text}) / 8.0"],
                               Term("", low / 8, top / 8))  # fmt: skip
        shift = r.choice([0, 2, 4])
        return self._stage(name, kind, [f"{name}[x, y] = hl.{kind}(({text}) >> {shift})"],
                           Term("", *RANGES[kind]))  # fmt: skip

    def _resampled(self) -> Stage:
        r, (name, kind) = self.random, self._begin()
        source = self._source(kind == "f32")
        reader = self._as_float if kind == "f32" else self._as_integer
        if r.random() < 0.5 and self.downsamples < MOST_DOWNSAMPLES:
            self.downsamples += 1
            at_x = r.choice(["2*x", "x"])
            at_y = "y" if at_x == "2*x" and r.random() < 0.5 else "2*y"
            one, two = reader(source, at_x, at_y), reader(source, at_x + " + 1", at_y)
        else:
            at_x, at_y = r.choice([("x/2", "y/2"), ("x/2", "y"), ("x", "y/2"), ("y", "x")])
            one, two = reader(source, at_x, at_y), reader(source, f"{at_x} + x % 2", at_y)
        low, high = one.low + two.low, one.high + two.high
        if kind == "f32":
            return self._stage(name, kind, [f"{name}[x, y] = ({one.text} + {two.text}) * 0.5"],
                               Term("", low / 2, high / 2))  # fmt: skip
        return self._stage(name, kind, [f"{name}[x, y] = hl.{kind}(({one.text} + {two.text}) / 2)"],
                           Term("", *RANGES[kind]))  # fmt: skip

    def _domain(self, name: str, dimensions: int) -> tuple[list[str], list[str]]:
        """Lines that make an `RDom`, and its variables' texts."""
        r = self.random
        domain = f"r{name[1:]}"
        bounds = ", ".join(f"({r.randint(-2, 0)}, {r.randint(1, 5)})" for _ in range(dimensions))
        lines = [f"{domain} = hl.RDom([{bounds}])"]
        variables = [f"{domain}.x", f"{domain}.y"][:dimensions]
        if r.random() < 0.25:
            lines.append(f"{domain}.where({r.choice(variables)} != {r.choice([0, 1, 'p'])})")
        return lines, variables

    def _updated(self) -> Stage:
        r, (name, kind) = self.random, self._begin()
        start = self._value(kind, 1)
        domain, variables = self._domain(name, r.randint(1, 2))
        self._x = f"(x + {variables[0]})"
        self._y = f"(y + {variables[-1]})" if len(variables) > 1 else "y"
        step = self._value(kind, r.randint(0, 1))
        self._x, self._y = "x", "y"
        own = f"{name}[x, y]"
        combined, associative = {
            "f32": (f"{own} * 0.5 + {step.text} * 0.25", False),
            "i32": (f"hl.i32(hl.i16({own} + hl.i32(hl.i16({step.text}))))", False),
        }.get(kind, r.choice([
            (f"{own} + {step.text}", True), (f"hl.min({own}, {step.text})", True),
            (f"hl.max({own}, {step.text})", True),
            (f"hl.{kind}({own} * 3 + {step.text})", False),
        ]))  # fmt: skip
        if kind == "i32":
            start = Term(f"hl.i32(hl.i16({start.text}))", *RANGES["i16"])
        size = max(start.size, step.size)
        value = Term("", *((-size, size) if kind == "f32" else RANGES[kind]))
        lines = [f"{name}[x, y] = {start.text}", *domain, f"{own} = {combined}"]
        return self._stage(
            name, kind, lines, value, how="update", updates=1,
            reductions=tuple(variables), is_associative=associative,
        )  # fmt: skip

    def _inline_reduction(self) -> Stage:
        r, (name, kind) = self.random, self._begin()
        domain, variables = self._domain(name, r.randint(1, 2))
        self._x = f"x + {variables[0]}"
        self._y = f"y + {variables[-1]}" if len(variables) > 1 else "y"
        source = self._source()
        term = self._as_integer(source, self._x, self._y)
        self._x, self._y = "x", "y"
        reduction = r.choice(["sum", "maximum", "minimum"])
        text = f"hl.{reduction}({term.text})"
        # A domain that `where` empties leaves the identity, the type's smallest or largest.
        if kind == "f32":
            line, value = f"hl.f32(hl.i16({text})) / 64.0", Term("", -512, 512)
        else:
            line, value = f"hl.{kind}({text})", Term("", *RANGES[kind])
        return self._stage(name, kind, [*domain, f"{name}[x, y] = {line}"], value)

    def _scan(self) -> Stage:
        r, (name, kind) = self.random, self._begin()
        kind = r.choice(["u8", "u16", "u32"]) if kind != "f32" else kind
        start = self._value(kind, 1)
        steps = r.randint(1, 12)
        domain = f"r{name[1:]}"
        column = r.random() < 0.5
        at, before = ((f"{domain}, y", f"{domain} - 1, y") if column else
                      (f"x, {domain}", f"x, {domain} - 1"))  # fmt: skip
        if kind == "f32":
            update, limits = (
                f"{name}[{before}] * 0.5 + {name}[{at}] * 0.5",
                (-start.size, start.size),
            )
        else:
            update, limits = f"hl.{kind}({name}[{before}] + {name}[{at}])", RANGES[kind]
        lines = [
            f"{name}[x, y] = {start.text}",
            f"{domain} = hl.RDom([({r.randint(0, 2)}, {steps})])",
            f"{name}[{at}] = {update}",
        ]
        return self._stage(name, kind, lines, Term("", *limits), how="scan", updates=1,
                           reductions=(f"{domain}.x",))  # fmt: skip

    def _tuple(self) -> Stage:
        r, (name, kind) = self.random, self._begin()
        one, two = self._value(kind, 1), self._value(kind, r.randint(0, 2))
        lines = [f"{name}[x, y] = ({one.text}, {two.text})"]
        low, high = min(one.low, two.low), max(one.high, two.high)
        updates = 0
        reductions: tuple[str, ...] = ()
        if r.random() < 0.4:
            domain = f"r{name[1:]}"
            lines.append(f"{domain} = hl.RDom([(-1, {r.randint(1, 4)})])")
            self._x = f"(x + {domain}.x)"
            step = self._value(kind, 0)
            self._x = "x"
            low, high = min(low, step.low), max(high, step.high)
            index = "hl.i32" if kind != "f32" else "hl.f32"
            test = f"{index}({name}[x, y][0]) < {index}({step.text})"
            lines.append(
                f"{name}[x, y] = (hl.select({test}, {step.text}, {name}[x, y][0]), "
                f"hl.select({test}, {name}[x, y][0], {name}[x, y][1]))"
            )
            updates, reductions = 1, (f"{domain}.x",)
        return self._stage(name, kind, lines, Term("", low, high), how="tuple", updates=updates,
                           reductions=reductions)  # fmt: skip

    def _histogram(self) -> Stage:
        r, name = self.random, self.names.fresh("f")
        domain = f"r{name[1:]}"
        wide, high = r.randint(1, 30), r.randint(1, 12)
        self._x, self._y = f"{domain}.x", f"{domain}.y"
        index = self._as_integer(self._source(), self._x, self._y)
        self._x, self._y = "x", "y"
        lines = [
            f"{name}[i] = hl.i32({r.choice(['0', 'i'])})",
            f"{domain} = hl.RDom([(0, {wide}), (0, {high})])",
            f"{name}[hl.clamp({index.text}, 0, 255)] += {r.choice([1, 3])}",
        ]
        return self._stage(name, "i32", lines, Term("", 0, 255 + 3 * wide * high), how="histogram",
                           updates=1, reductions=(f"{domain}.x", f"{domain}.y"),
                           is_associative=True)  # fmt: skip

    def _planes(self) -> Stage:
        name, kind = self._begin()
        parts = [self._value(kind, 1) for _ in range(3)]
        low, high = min(p.low for p in parts), max(p.high for p in parts)
        values = ", ".join(p.text for p in parts)
        line = f"{name}[x, y, c] = hl.mux(c, [{values}])"
        return self._stage(name, kind, [line], Term("", low, high), how="planes")
