"""Random functions whose iterations hand something on, from seeds.

Values in scalars, in elements that earlier iterations stored, in delayed copies and in several of
these at once; forwards and backwards, along rows, down columns and over all of an image, reset for
each row or not, under conditions, of several types. What the symbolic proof alone says of each is
compared with concrete runs.
"""

from __future__ import annotations

import random

TYPES = ("int", "short", "u8", "unsigned", "uint16_t", "float", "bool")
ELEMENTS = ("u8", "short", "int", "unsigned", "float", "uint16_t")
NUMBERS = ("1", "3", "-1", "128", "255")
BEGINNINGS = ("0", "0", "1", "255", "k", "s[0]", "d[0]")


def program(seed: int) -> str:
    """The text of one function."""
    return _Writer(random.Random(seed)).function()


class _Writer:
    """Writes one function: scalars `t0`, `t1`, ... and the arrays `s` (read) and `d` (stored)."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.shape = rng.choice(("line", "line", "line", "rows", "columns", "image"))
        self.backwards = rng.random() < 0.25
        names = [f"t{k}" for k in range(rng.choice((0, 1, 1, 1, 2, 2, 3)))]
        self.states = {name: rng.choice(TYPES) for name in names}
        self.lags = not self.states or rng.random() < 0.4
        self.slides = not self.lags and not self.backwards and rng.random() < 0.4
        if self.slides:
            self.states["u"] = rng.choice(("int", "unsigned", "u8", "uint16_t", "short"))
        self.lag = rng.choice((1, 1, 1, 2, 3))

    def function(self) -> str:
        rng = self.rng
        source, target = rng.choice(ELEMENTS), rng.choice(ELEMENTS)
        seen = self.states if self.shape in ("line", "image") else {}
        left = "".join(f" *left = {t};" for t in seen if rng.random() < 0.1)
        header = f"void f(const {source} *s, {target} *d, int n, int w, int h, int k"
        return f"{header}, int *left) {{ {self._loops()}{left} }}"

    def _begun(self) -> str:
        first = {n: self.rng.choice(BEGINNINGS) for n in self.states if n != "u"} | {"u": "0"}
        return " ".join(f"{type} {name} = {first[name]};" for name, type in self.states.items())

    def _loops(self) -> str:
        begun, body = self._begun(), self._body()
        if self.shape == "line":
            return f"{begun} {self._over('i', 'n')} {{ {body} }}"
        if self.shape == "columns":
            inner, outer = self._over("y", "h"), "for (int x = 0; x < w; x++)"
        else:
            inner, outer = self._over("x", "w"), "for (int y = 0; y < h; y++)"
        if self.shape == "image":
            return f"{begun} {outer} {inner} {{ {body} }}"
        return f"{outer} {{ {begun} {inner} {{ {body} }} }}"

    def _over(self, counter: str, size: str) -> str:
        first = self.lag if self.lags else self.rng.choice((0, 0, 0, 1))
        if self.backwards:
            return f"for (int {counter} = {size} - 1 - {first}; {counter} >= 0; {counter}--)"
        return f"for (int {counter} = {first}; {counter} < {size}; {counter}++)"

    def _at(self, back: int) -> str:
        """The index of the element so many iterations before."""
        back = -back if self.backwards else back
        step = f" - {back}" if back > 0 else f" + {-back}" if back else ""
        if self.shape == "line":
            return f"i{step}"
        return f"(y{step}) * w + x" if self.shape == "columns" else f"y * w + x{step}"

    def _body(self) -> str:
        rng = self.rng
        changed = [name for name in self.states if name != "u"]
        parts = [self._change(name) for name in changed for _ in range(rng.choice((1, 1, 2)))]
        parts += [self._window()] if self.slides else []
        rng.shuffle(parts)
        store = f"d[{self._at(0)}] = {self._value(2)};"
        if rng.random() < 0.2:
            store = f"if ({self._condition()}) {store}"
        parts.insert(rng.randint(0, len(parts)), store)
        if rng.random() < 0.1:
            parts.insert(0, f"if ({self._condition()}) continue;")
        return " ".join(parts)

    def _leaf(self) -> str:
        rng = self.rng
        draw = rng.random()
        if draw < 0.45 and self.states:
            return rng.choice(tuple(self.states))
        if draw < 0.6 and self.lags:
            return f"d[{self._at(rng.choice((self.lag, self.lag, 1)))}]"
        if draw < 0.9:
            return f"s[{self._at(0)}]"
        return rng.choice((*NUMBERS, "k"))

    def _value(self, depth: int) -> str:
        rng = self.rng
        if depth == 0:
            return self._leaf()
        a, b = self._value(depth - 1), self._leaf()
        return rng.choice((
            a, f"({a} + {b})", f"({a} + {b})", f"({a} - {b})", f"(({a} + {b}) / 2)", f"({a} * 3)",
            f"std::max<int>({a}, {b})", f"std::min<int>({a}, {b})",
            f"({self._condition()} ? {a} : {b})",
        ))  # fmt: skip

    def _condition(self) -> str:
        compared = self.rng.choice(("<", ">", "<=", "==", "!="))
        value = self.rng.choice((*self.states, f"s[{self._at(0)}]"))
        return f"{value} {compared} {self.rng.choice((self._leaf(), '0', '7', '100'))}"

    def _change(self, name: str) -> str:
        rng = self.rng
        draw = rng.random()
        if draw < 0.35:
            return f"{name} {rng.choice(('+=', '+=', '-='))} {self._leaf()};"
        if draw < 0.65:
            return f"{name} = {self._value(2)};"
        if draw < 0.75:
            return f"{name} = s[{self._at(0)}];"
        return f"if ({self._condition()}) {name} = {self._value(1)};"

    def _window(self) -> str:
        """What enters a window is added, and what leaves it is taken away; now and then it isn't
        quite that."""
        width = self.rng.choice((2, 3, 5))
        begin = width + self.rng.choice((0, 0, 0, 1))
        counter = {"line": "i", "columns": "y"}.get(self.shape, "x")
        left = self.rng.choice((width, width, width, width - 1))
        taken = f"if ({counter} >= {begin}) u -= s[{self._at(left)}];"
        return f"u += s[{self._at(0)}]; {taken}"
