"""Random C++ kernels of the kinds that trip up a proof: offsets, in-place reads, wrap-around.

Everything follows from the seed. Many of them can't be lifted; those that are proved must be right.
"""

from __future__ import annotations

import random

_OFFSETS = ("", "", " + 1", " - 1", " + n", " + k", " - k", " + 2")
_BOUNDS = ("n", "n", "n - 1", "n + 1", "k", "(u8)n", "(u8)(n - 1)", "8", "n / 2")
_STARTS = ("0", "0", "0", "1", "k", "-1")
_NARROW = ("", "", "", "(u8)", "(short)", "(signed char)")


class _Writer:
    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)

    def pick(self, *choices: str) -> str:
        return self.source.choice(choices)

    def index(self, counter: str) -> str:
        pick = self.pick
        kind = self.source.random()
        if kind < 0.08:
            return f"2 * {counter}{pick(*_OFFSETS)}"
        if kind < 0.12:
            return f"n - 1 - {counter}"
        if kind < 0.2:
            return f"{pick(*_NARROW)}({counter}{pick(*_OFFSETS)})"
        return f"{counter}{pick(*_OFFSETS)}" if kind < 0.95 else pick("0", "k", "n")

    def read(self, counter: str) -> str:
        return f"{self.pick('a', 'b', 'd', 'd', 'e')}[{self.index(counter)}]"

    def value(self, counter: str, depth: int = 2) -> str:
        kind = self.source.random()
        if depth == 0 or kind < 0.25:
            return self.pick(
                self.read(counter), self.read(counter), "k", counter, "3", "255", "t", "u"
            )
        left, right = self.value(counter, depth - 1), self.value(counter, depth - 1)
        if kind < 0.7:
            return f"({left} {self.pick('+', '-', '*', '&', '|', '^')} {right})"
        if kind < 0.8:
            return f"({left} {self.pick('>> 1', '/ 3', '% 5', '<< 2')})"
        if kind < 0.9:
            return f"{self.pick('(u8)', '(short)', '(int)')}({left})"
        return f"({self.condition(counter)} ? {left} : {right})"

    def condition(self, counter: str) -> str:
        side = self.pick(counter, self.read(counter), "k", f"(unsigned){counter}", "t")
        other = self.pick("3", "k", self.read(counter), "128")
        return f"{side} {self.pick('<', '>', '==', '!=', '<=')} {other}"

    def statement(self, counter: str, depth: int = 1) -> str:
        kind = self.source.random()
        if depth and kind < 0.25:
            inner = " ".join(self.statement(counter, depth - 1) for _ in range(2))
            return f"if ({self.condition(counter)}) {{ {inner} }}"
        if depth and kind < 0.35:
            return f"if ({self.condition(counter)}) continue;"
        if kind < 0.5:
            return f"{self.pick('t', 'u')} {self.pick('=', '+=')} {self.value(counter, 1)};"
        if depth and kind < 0.58:
            bound = self.pick("3", "k", "n")
            return f"for (int j = 0; j < {bound}; j++) u += {self.read('j')};"
        return f"{self.pick('d', 'd', 'd', 'e')}[{self.index(counter)}] = {self.value(counter)};"

    def loop(self) -> str:
        pick = self.pick
        kind = pick("int", "int", "int", "unsigned", "u8", "short")
        bound = pick(*_BOUNDS)
        step = pick("x++", "x++", "x++", "x += 2")
        condition = pick("<", "<", "<", "<=", "!=")
        body = " ".join(self.statement("x") for _ in range(self.source.randint(1, 3)))
        fresh = pick("", "int u = 0; ", "t = 1; ")
        return (
            f"for ({kind} x = {pick(*_STARTS)}; x {condition} {bound}; {step}) {{ {fresh}{body} }}"
        )


def random_kernel(seed: int) -> str:
    """C++ text of one function `f`."""
    writer = _Writer(seed)
    parts = []
    for _ in range(writer.source.choice((1, 1, 2, 3))):
        if writer.source.random() < 0.25:
            parts.append(f"t = {writer.value('k', 1)};")
        if writer.source.random() < 0.15:
            parts.append(f"if ({writer.condition('k')}) {{ {writer.loop()} }}")
        else:
            parts.append(writer.loop())
    types = {"a": "u8", "b": writer.pick("u8", "short"), "d": writer.pick("u8", "u8", "short"),
             "e": writer.pick("u8", "int")}  # fmt: skip
    pointers = ", ".join(f"{t} *{n}" for n, t in types.items())
    body = "\n    ".join(parts)
    return f"void f({pointers}, int n, int k) {{\n    int t = 0, u = 0;\n    {body}\n}}\n"
