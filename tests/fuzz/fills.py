"""Random functions whose loops fill regions of one array beside each other, from seeds.

Ends, borders, rows and columns of an array are stored by themselves, before or behind loops that go
over the rest, forth or back, and make elements of their neighbours, of what is there and of another
array. Some regions overlap, or leave something between them; some ends are off by one.
"""

from __future__ import annotations

import random

ELEMENTS = ("u8", "int", "unsigned", "float", "short")


def program(seed: int) -> str:
    """The text of one function."""
    rng = random.Random(seed)
    writer = _Image(rng) if rng.random() < 0.35 else _Line(rng)
    return writer.function()


class _Line:
    """Writes a function of a line: it changes `d` and maybe `e`, and reads `s`."""

    head = "int n, int k"
    is_line = True

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.arrays = rng.choice(("d", "d", "d", "de"))
        self.is_inside = False
        """Whether loops read no elements but those that they, or ends beside them, store."""

    def function(self) -> str:
        rng = self.rng
        element = rng.choice(ELEMENTS)
        is_beside = self.is_line and rng.random() < 0.6
        body = " ".join(self._beside() if is_beside else self._statements())
        body = f"assert(n > 2); {body}" if is_beside and rng.random() < 0.6 else body
        arrays = f"{element} *d, {element} *e, const {element} *s"
        return f"void f({arrays}, {self.head}) {{ {body} }}"

    def _statements(self) -> list[str]:
        return [self._statement() for _ in range(self.rng.choice((2, 2, 3, 3, 4)))]

    def _beside(self) -> list[str]:
        """Ends of one array, and loops over what lies between, in some order."""
        rng = self.rng
        before, behind = rng.choice(((1, 0), (1, 0), (0, 1), (1, 1), (2, 0)))
        ends = [str(i) for i in range(before)] + ["n - 1"] * behind
        self.is_inside = rng.random() < 0.8
        made = [f"d[{place}] = {self._single()};" for place in ends]
        made.insert(rng.randint(0, len(made)), self._loop("d", before, behind))
        if rng.random() < 0.4:
            made.append(self._loop("d", *rng.choice(((0, 0), (1, 0), (0, 1), (before, behind)))))
        if rng.random() < 0.3:
            made.append(self._loop(self._array(), 0, 0))
        return made

    def _neighbours(self, first: int, last: int) -> tuple[str, ...]:
        """The elements that a loop makes others of, by where they lie."""
        if not self.is_inside:
            return "- 1", "- 1", "+ 1", "", "", "- 2"
        return (
            "",
            *("- 1",) * 2 * min(first, 1),
            *("+ 1",) * 2 * min(last, 1),
            *("- 2",) * (first > 1),
        )

    def _array(self) -> str:
        return self.rng.choice(self.arrays)

    def _statement(self) -> str:
        rng = self.rng
        if rng.random() < 0.45:
            place = rng.choice(("0", "0", "0", "n - 1", "n - 1", "1", "n", "n - 2"))
            return f"{self._array()}[{place}] = {self._single()};"
        first, last = rng.choice(((0, 0), (1, 0), (1, 0), (0, 1), (0, 1), (1, 1), (2, 0), (0, 2)))
        place = rng.choice(("i", "i", "i", "i", "i", "i + 1", "n - 1 - i"))
        return self._loop(self._array(), first, last, place)

    def _loop(self, array: str, first: int, last: int, place: str = "i") -> str:
        if self.rng.random() < 0.35:
            head = f"for (int i = n - 1 - {last}; i >= {first}; i--)"
        else:
            head = f"for (int i = {first}; i < n - {last}; i++)"
        by = self._neighbours(first, last) if place == "i" else ("- 1", "+ 1", "")
        return f"{head} {array}[{place}] = {self._value(place, by)};"

    def _single(self) -> str:
        place = self.rng.choice(("0", "1", "n - 1", "n - 2"))
        array = self.rng.choice((*self.arrays, "s", "s"))
        return self.rng.choice((f"{array}[{place}]", f"s[{place}]", "k", "7"))

    def _value(self, place: str, neighbours: tuple[str, ...]) -> str:
        rng = self.rng
        terms = []
        for _ in range(rng.choice((1, 2, 2))):
            array = rng.choice((*self.arrays, *self.arrays, "s"))
            terms.append(f"{array}[{place} {rng.choice(neighbours)}]")
        if rng.random() < 0.1:
            terms.append(f"{self._array()}[0]")
        if rng.random() < 0.2:
            terms.append("k")
        return rng.choice((" + ", " + ", " - ")).join(terms)


class _Image(_Line):
    """Writes a function of an image."""

    head = "int w, int h, int k"
    is_line = False

    def _statement(self) -> str:
        rng = self.rng
        first, last = rng.choice(((0, 0), (1, 0), (1, 0), (0, 1), (1, 1)))
        columns = f"for (int x = {first}; x < w - {last}; x++)"
        if rng.random() < 0.25:
            columns = f"for (int x = w - 1 - {last}; x >= {first}; x--)"
        first, last = rng.choice(((0, 0), (0, 0), (1, 0), (1, 0), (0, 1)))
        rows = f"for (int y = {first}; y < h - {last}; y++)"
        kind = rng.random()
        if kind < 0.2:
            y = rng.choice(("0", "0", "h - 1"))
            return f"{columns} {self._store(y, 'x')}"
        if kind < 0.4:
            x = rng.choice(("0", "0", "w - 1"))
            return f"{rows} {self._store('y', x)}"
        if kind < 0.6:
            x = rng.choice(("0", "0", "w - 1"))
            return f"{rows} {{ {self._store('y', x)} {columns} {self._store('y', 'x')} }}"
        if kind < 0.8:
            return f"{columns} {rows} {self._store('y', 'x')}"
        return f"{rows} {columns} {self._store('y', 'x')}"

    def _store(self, y: str, x: str) -> str:
        rng = self.rng
        terms = []
        for _ in range(rng.choice((1, 2, 2))):
            array = rng.choice((*self.arrays, *self.arrays, "s"))
            along = x if x != "x" else rng.choice(("x - 1", "x", "x", "x + 1"))
            down = y if y != "y" else rng.choice(("y - 1", "y", "y", "y"))
            terms.append(f"{array}[({down}) * w + {along}]")
        if rng.random() < 0.2:
            terms.append("k")
        return f"{self._array()}[({y}) * w + {x}] = {' + '.join(terms)};"
