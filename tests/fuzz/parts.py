"""Random functions whose iterations do several things one after the other, from seeds.

Each row, or column, of an image is gone through twice or more, to and fro: elements are made of
their neighbours, of those of the rows beside, of what the loop before has stored, or of scalars.
What the symbolic proof alone says of each is compared with concrete runs.
"""

from __future__ import annotations

import random

ELEMENTS = ("u8", "int", "unsigned", "float", "short")


def program(seed: int) -> str:
    """The text of one function."""
    return _Writer(random.Random(seed)).function()


class _Writer:
    """Writes one function: `d` is changed, `e` is stored, and `s` is read."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.down = rng.random() < 0.3
        self.crosses = rng.random() < 0.25
        """Whether rows beside are read, or stored."""
        self.uses = rng.choice(("d", "d", "de", "ds", "des"))
        self.state = rng.random() < 0.3
        self.pointer = not self.down and rng.random() < 0.3

    def function(self) -> str:
        rng = self.rng
        element = rng.choice(ELEMENTS)
        outer, size = ("x", "w") if self.down else ("y", "h")
        first, last = rng.choice(((0, 0), (0, 0), (1, 0), (0, 1), (1, 1)))
        begin = "int t = 0;" if self.state and rng.random() < 0.5 else ""
        inner = f"{'int t = 0;' if self.state and not begin else ''} {self._statements()}"
        if self.pointer:
            inner = f"{element} *r = d + y * w; {inner}"
        if rng.random() < 0.15:
            inner = f"for (int c = 0; c < 2; c++) {{ {inner} }}"
        loop = f"for (int {outer} = {first}; {outer} < {size} - {last}; {outer}++) {{ {inner} }}"
        left = "if (n > 0) e[0] = t;" if begin and rng.random() < 0.3 else ""
        arrays = f"{element} *d, {element} *e, const {element} *s"
        return f"void f({arrays}, int n, int w, int h, int k) {{ {begin} {loop} {left} }}"

    def _statements(self) -> str:
        count = self.rng.choice((2, 2, 2, 3))
        made = [self._loop() for _ in range(count)]
        if self.rng.random() < 0.2:
            place = self._place("d", self.rng.choice(("0", "1")), "")
            made.insert(1, f"{place} = {self.rng.choice((place, 'k'))} + 1;")
        return " ".join(made)

    def _loop(self) -> str:
        rng = self.rng
        counter, size = ("y", "h") if self.down else ("x", "w")
        first, last = rng.choice(((0, 0), (1, 0), (0, 1), (1, 1), (0, 2)))
        if rng.random() < 0.4:
            head = f"for (int {counter} = {size} - 1 - {last}; {counter} >= {first}; {counter}--)"
        else:
            head = f"for (int {counter} = {first}; {counter} < {size} - {last}; {counter}++)"
        array = rng.choice([a for a in self.uses if a != "s"])
        beside = rng.choice(("+ 1", "- 1")) if self.crosses and rng.random() < 0.3 else ""
        place = self._place(array, counter, beside)
        store = f"{place} {rng.choice(('=', '=', '+='))} {self._value()};"
        if self.state and rng.random() < 0.6:
            value = self._value()
            store = rng.choice((f"t = t + {value}; {store}", f"{store} t = {value};"))
        if rng.random() < 0.15:
            store = f"if ({self._value()} > 3) {{ {store} }}"
        return f"{head} {{ {store} }}"

    def _place(self, array: str, along: str, beside: str) -> str:
        if self.pointer and array == "d":
            across = f"{beside} * w" if beside else ""
            return f"r[{along} {across}]" if not beside.startswith("-") else f"r[{along} - w]"
        if self.down:
            return f"{array}[({along}) * w + x {beside}]"
        return f"{array}[(y {beside}) * w + {along}]"

    def _value(self) -> str:
        rng = self.rng
        counter = "y" if self.down else "x"
        array = rng.choice(self.uses)
        along = rng.choice((counter, counter, f"{counter} - 1", f"{counter} + 1"))
        beside = rng.choice(("+ 1", "- 1", "")) if self.crosses and rng.random() < 0.5 else ""
        read = self._place(array, along, beside)
        choices = [read, read, f"({read} + 1)", f"{read} / 2", "k"]
        return rng.choice([*choices, "t"] if self.state else choices)
