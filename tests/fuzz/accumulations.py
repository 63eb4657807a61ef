"""Random functions whose loops leave something in scalars, from seeds.

Sums, extremes, flags, positions and anything that looks like them: under conditions, in other
branches, of several types, over lines, images, and rows with statements of their own; some change
an array on the way. What the symbolic proof alone says of each is compared with concrete runs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from lifter.dag import build_stage_graph
from lifter.emit import build_program, emitted_texts
from lifter.lift.emitted_difference import refuse_another_program
from lifter.model.diagnostic import LiftError
from tests.verify.differential import difference, lifted, parsed

TYPES = ("int", "short", "u8", "unsigned", "long", "char", "bool", "uint16_t", "float")
ELEMENTS = ("u8", "short", "int", "unsigned", "signed char")
BEGINNINGS = ("0", "0", "1", "-1", "p[0]", "255", "1000", "n", "w", "-2147483647-1")
NUMBERS = ("0", "1", "-1", "5", "255", "-128")
SECONDS = 20.0
"""What a proof may take."""
RUNS = 60
"""Concrete inputs that a proof is compared on."""


def program(seed: int) -> str:
    """The text of one function."""
    return _Writer(random.Random(seed)).function()


class _Writer:
    """Writes one function: scalars `v0`, `v1`, ... of what a loop reads from `p` and `q`, and
    maybe changes in `d`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.shape = rng.choice(("line", "line", "image", "rows"))
        self.scalars = {f"v{k}": rng.choice(TYPES) for k in range(rng.randint(1, 3))}
        self.changes = rng.random() < 0.15
        is_line = self.shape == "line"
        self.at = "p[i]" if is_line else "p[y * w + x]"
        self.column = "i" if is_line else "x"
        self.places = (
            ("i", "i + 1", "n - i", "2 * i", "-i")
            if is_line
            else ("x", "y", "y * w + x", "x + 1", "w - x")
        )

    def function(self) -> str:
        rng = self.rng
        element = rng.choice(ELEMENTS)
        begin = " ".join(f"{t} {v} = {rng.choice(BEGINNINGS)};" for v, t in self.scalars.items())
        body = " ".join(self._statement() for _ in range(rng.randint(1, 3)))
        if self.changes:
            change = f"d[{self.column}] = {self._value()};"
            body = rng.choice((f"{body} {change}", f"{change} {body}"))
        outs = ", ".join(f"{t} *o{k}" for k, t in enumerate(self.scalars.values()))
        stores = " ".join(f"*o{k} = {v};" for k, v in enumerate(self.scalars))
        return (
            f"void f(const {element} *p, const u8 *q, u8 *d, int n, int w, int h, {outs})"
            f" {{ {begin} {self._loop(body)} {stores} }}"
        )

    def _loop(self, body: str) -> str:
        columns = f"for (int x = 0; x < w; x++) {{ {body} }}"
        if self.shape == "line":
            return f"for (int i = {self.rng.choice((0, 0, 1))}; i < n; i++) {{ {body} }}"
        if self.shape == "image":
            return f"for (int y = 0; y < h; y++) {columns}"
        before, after = (self._of_row() if self.rng.random() < 0.5 else "" for _ in range(2))
        return f"for (int y = 0; y < h; y++) {{ {before} {columns} {after} }}"

    def _of_row(self) -> str:
        """A statement of an iteration of the outer loop alone."""
        v, value = self._scalar(), self.rng.choice((*NUMBERS, "y", "q[y]"))
        return self.rng.choice((f"{v} = {value};", f"{v} += {value};", f"if ({v} > 3) {v} = 0;"))

    def _scalar(self) -> str:
        return self.rng.choice(tuple(self.scalars))

    def _value(self) -> str:
        pixel = "d[i]" if self.changes and self.shape == "line" else self.at
        others = (self.rng.choice(NUMBERS), self.rng.choice(self.places))
        choices = (self.at, pixel, self.at, f"({self.at} + 1)", f"q[{self.column}]", *others)
        return self.rng.choice(choices)

    def _condition(self, depth: int = 0) -> str:
        draw, rng = self.rng.random(), self.rng
        if draw < 0.45:
            return f"{self._value()} {rng.choice(('<', '<=', '>', '>='))} {self._scalar()}"
        if draw < 0.7:
            return f"{self.at} {rng.choice(('<', '>', '==', '!='))} {rng.choice((0, 1, 3, 100))}"
        if draw < 0.9 and depth < 1:
            word = "&&" if draw < 0.85 else "||"
            return f"({self._condition(1)}) {word} ({self._condition(1)})"
        return f"q[{self.column}] != 0"

    def _statement(self, depth: int = 0) -> str:
        draw, rng, v = self.rng.random(), self.rng, self._scalar()
        if draw < 0.3:
            return f"{v} {'+=' if draw < 0.25 else '-='} {self._value()};"
        if draw < 0.38 and self.scalars[v] != "float":
            flag = f"{self.at} {rng.choice(('!=', '==', '<'))} {rng.choice((0, 1, 7))}"
            return f"{v} {rng.choice(('|=', '&='))} {flag};"
        if draw < 0.42:
            return f"{v} = {v} {rng.choice(('&&', '||'))} {self.at} != 0;"
        if draw < 0.75:
            return self._extreme(v, depth)
        if depth < 2:
            other = f" else {{ {self._statement(depth + 1)} }}" if rng.random() < 0.3 else ""
            return f"if ({self._condition()}) {{ {self._statement(depth + 1)} }}{other}"
        return f"{v} = {rng.choice((*self.places, self._value(), '1', '0'))};"

    def _extreme(self, v: str, depth: int) -> str:
        rng, value = self.rng, self._value()
        with_it = other = ""
        if rng.random() < 0.5:
            with_it = f" {self._scalar()} = {rng.choice((rng.choice(self.places), self._value()))};"
        if rng.random() < 0.3 and depth < 2:
            other = f" else {self._statement(depth + 1)}"
        compare = rng.choice(("<", "<=", ">", ">="))
        return f"if ({value} {compare} {v}) {{ {v} = {value};{with_it} }}{other}"


@dataclass
class Found:
    """What became of functions: `proved` seeds, `refused` ones that are no stages, others that are
    `undecided`, and the texts of those that are `wrong`."""

    proved: list[int] = field(default_factory=list)
    refused: list[int] = field(default_factory=list)
    undecided: dict[int, str] = field(default_factory=dict)
    wrong: dict[int, str] = field(default_factory=dict)


def outcome_of(
    seeds: Iterable[int], program: Callable[[int], str] = program, shown: bool = False
) -> Found:
    """Lifts the functions that `program` writes of some seeds, and runs those that are proved.
    Where they are to be `shown`, their DSL text has to say what was proved, and do it, too."""
    found = Found()
    for seed in seeds:
        text = program(seed)
        try:
            build_stage_graph(parsed(text))
        except LiftError:
            found.refused.append(seed)
            continue
        result = lifted(text, SECONDS)
        if result.status != "proved":
            found.undecided[seed] = f"{text}\n{result.diagnostic}"
            continue
        found.proved.append(seed)
        different = difference(result, RUNS)
        if different is not None:
            found.wrong[seed] = f"{text}\n{different}"
        elif shown:
            try:
                program = build_program(result)
                emitted = emitted_texts(result, program)["pipeline.py"]
                refuse_another_program(result, program, emitted)
            except LiftError as error:
                if error.diagnostic.code != "emit-unsupported":
                    found.wrong[seed] = f"{text}\n{error}"
    return found
