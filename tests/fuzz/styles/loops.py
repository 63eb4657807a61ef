"""How a kernel goes over its pixels: rows and columns in the styles of thirty years of C."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.fuzz.styles.scope import Scope

_MARKER = re.compile(r"\$([dsm])(?:\[([^\]]*)\])?")
Place = Callable[[str, str], str]
"""From the marker's letter and channel ("" where a pixel is one element) to C text."""


@dataclass(frozen=True, slots=True)
class Surface:
    """One image inside of the kernel. `type` is the elements' (with const), `channels` how many a
    pixel has; `base` is the pointer to its first element and `stride` the elements from row to row,
    both "" where `row` alone leads to them. `row` has {y}, `at` (an accessor) {x} and {y}."""

    letter: str
    type: str
    channels: int
    base: str
    stride: str
    row: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class LoopStyle:
    """Names of the way over rows and over columns."""

    rows: str
    columns: str

    @property
    def can_continue(self) -> bool:
        return self.columns in ("up", "down", "bumped", "at", "flat")


_ROWS = ("up", "up", "single", "down", "running", "middle", "counted")
_COLUMNS = (
    "up", "up", "bumped", "down", "counted", "ended", "middle", "two", "four", "duff", "do",
    "taken", "flat", "at",
)  # fmt: skip


def loop_style(scope: Scope, *, flat: bool, accessor: bool) -> LoopStyle:
    """A style; `flat` whether base and stride are known, `accessor` whether there is one."""
    rows, columns = scope.choices.pick(*_ROWS), scope.choices.pick(*_COLUMNS)
    if (columns == "at" and not accessor) or (columns == "flat" and not flat):
        columns = "up"
    if rows == "running" and not flat:
        rows = "up"
    if columns in ("at", "flat") and rows not in ("up", "down"):
        rows = "up"
    return LoopStyle(rows, columns)


class Loops:
    """Writes loops over surfaces. `width` and `height` are the C texts of the sizes."""

    def __init__(
        self, scope: Scope, surfaces: Sequence[Surface], width: str, height: str, style: LoopStyle
    ) -> None:
        self.scope = scope
        self.choices = scope.choices
        self.surfaces = surfaces
        self.width, self.height, self.style = width, height, style

    def text(self, statements: str) -> str:
        """The loops around the statements of one pixel."""
        used = set(_MARKER.findall(statements))
        letters = {letter for letter, _ in used} | {"d"}
        own = [s for s in self.surfaces if s.letter in letters]
        if self.style.columns in ("at", "flat"):
            return self._rows(self._indexed(statements), [])
        return self._rows(self._columns(statements, own), own)

    # Rows

    def _rows(self, inner: str, own: list[Surface]) -> str:
        style, h = self.style.rows, self.height
        pointers = "".join(self._pointer(s, "y") for s in own)
        if style == "single":
            first = "".join(
                f"        {s.type} *{s.letter} = {s.base or s.row.format(y='0')};\n" for s in own
            )
            return f"    {{\n{first}{inner}    }}\n"
        if style == "running":
            before = "".join(f"    {s.type} *{s.letter}Row = {s.base};\n" for s in own)
            first = "".join(f"        {s.type} *{s.letter} = {s.letter}Row;\n" for s in own)
            after = " ".join(f"{s.letter}Row += {s.stride};" for s in own)
            loop = self.choices.pick(
                f"for (int y = 0; y < {h}; y++)", f"for (int y = {h}; y > 0; --y)"
            )
            return f"{before}    {loop} {{\n{first}{inner}        {after}\n    }}\n"
        if style == "middle":
            return (
                f"    {{ int y = 0;\n    for (;;) {{\n        if (y >= {h}) break;\n"
                f"{pointers}{inner}        y++;\n    }} }}\n"
            )
        if style == "counted":
            return f"    {{ int y = {h};\n    while (--y >= 0) {{\n{pointers}{inner}    }} }}\n"
        if style == "down":
            return f"    for (int y = {h} - 1; y >= 0; y--) {{\n{pointers}{inner}    }}\n"
        counter = self.choices.pick("int", "int", "short", "ptrdiff_t")
        return f"    for ({counter} y = 0; y < {h}; y++) {{\n{pointers}{inner}    }}\n"

    def _pointer(self, s: Surface, y: str) -> str:
        return f"        {s.type} *{s.letter} = {s.row.format(y=y)};\n"

    # Columns

    def _columns(self, statements: str, own: list[Surface]) -> str:
        w = self.width
        bump = [self._bump(s) for s in own]
        indexed = self._at_index(statements, own, "x")
        at_pointer = self._at_pointer(statements)
        match self.style.columns:
            case "down":
                return f"        for (int x = {w} - 1; x >= 0; x--) {{ {indexed} }}\n"
            case "bumped":
                steps = ", ".join(["x++", *bump])
                return f"        for (int x = 0; x < {w}; {steps}) {{ {at_pointer} }}\n"
            case "counted":
                steps = " ".join(f"{b};" for b in bump)
                test = self.choices.pick("n-- > 0", "--n >= 0", "n--")
                if test == "n--":
                    self.scope.least = 0
                return f"        {{ int n = {w}; while ({test}) {{ {at_pointer} {steps} }} }}\n"
            case "ended":
                steps = ", ".join(bump)
                test = self.choices.pick("d < end", "d != end")
                if "!" in test:
                    self.scope.least = 0
                count = f"{own[0].channels} * {w}" if own[0].channels > 1 else w
                end = f"const {own[0].type.removeprefix('const ')} *end = d + {count};"
                return f"        {{ {end} for (; {test}; {steps}) {{ {at_pointer} }} }}\n"
            case "middle":
                stop = f"if (x >= {w}) break;"
                return f"        {{ int x = 0; for (;;) {{ {stop} {indexed} x++; }} }}\n"
            case "two":
                next_one = self._at_index(statements, own, "x + 1")
                return (
                    f"        {{ int x = 0;\n        for (; x + 1 < {w}; x += 2) {{ {{ {indexed} }}"
                    f"\n            {{ {next_one} }} }}\n        if (x < {w}) {{ {indexed} }} }}\n"
                )
            case "four":
                return self._unrolled(at_pointer, " ".join(f"{b};" for b in bump))
            case "duff":
                return self._duff(at_pointer, " ".join(f"{b};" for b in bump))
            case "do":
                steps = " ".join(f"{b};" for b in bump)
                loop = f"do {{ {at_pointer} {steps} }} while (--n > 0);"
                return f"        {{ int n = {w}; if (n > 0) {loop} }}\n"
            case "taken":
                return self._taken(statements, own)
        counter = self.choices.pick("int", "int", "int", "long", "size_t", "ptrdiff_t", "unsigned")
        if counter in ("size_t", "unsigned"):
            self.scope.least = 0
            w = f"({counter}){w}"
        return f"        for ({counter} x = 0; x < {w}; ++x) {{ {indexed} }}\n"

    def _unrolled(self, body: str, steps: str) -> str:
        """Four a round, then the rest."""
        self.scope.least = max(self.scope.least, 0)
        w = self.width
        once = f"{{ {body} }} {steps}"
        if self.choices.chance(40):
            own = self.scope.own("STEP")
            self.scope.definitions.append(f"#define {own} {{ {body} }} {steps}\n")
            once = own
        four = f"\n            {once}" * 4
        return (
            f"        {{ int n;\n        for (n = {w} >> 2; n > 0; n--) {{{four}\n        }}\n"
            f"        for (n = {w} & 3; n > 0; n--) {{ {once} }} }}\n"
        )

    def _duff(self, body: str, steps: str) -> str:
        w, once = self.width, f"{{ {body} }} {steps}"
        cases = "".join(f"\n            case {n}: {once}" for n in (3, 2, 1))
        return (
            f"        if ({w} > 0) {{ int n = ({w} + 3) / 4;\n        switch ({w} & 3) {{\n"
            f"            case 0: do {{ {once}{cases}\n            }} while (--n > 0); }} }}\n"
        )

    def _taken(self, statements: str, own: list[Surface]) -> str:
        """`*s++` is taken before, `*d++` is left after."""
        if any(s.channels > 1 for s in own) or "&$" in statements:
            indexed = self._at_index(statements, own, "x")
            return f"        for (int x = 0; x < {self.width}; x++) {{ {indexed} }}\n"
        taken = "".join(f"{s.type} {s.letter}v = *{s.letter}++; " for s in own if s.letter != "d")
        body = _MARKER.sub(lambda m: "(*d)" if m[1] == "d" else f"{m[1]}v", statements)
        return f"        for (int x = 0; x < {self.width}; x++) {{ {taken}{body} d++; }}\n"

    def _indexed(self, statements: str) -> str:
        """Without row pointers: by an accessor, or by y * stride + x."""
        by_letter = {s.letter: s for s in self.surfaces}

        def place(found: re.Match[str]) -> str:
            s, channel = by_letter[found[1]], found[2]
            if self.style.columns == "at":
                return s.at.format(x=self._x(s, "x", channel), y="y")
            return f"{s.base}[y * {s.stride} + {self._x(s, 'x', channel)}]"

        body = _MARKER.sub(place, statements)
        return f"        for (int x = 0; x < {self.width}; x++) {{ {body} }}\n"

    @staticmethod
    def _x(s: Surface, x: str, channel: str | None) -> str:
        whole = f"({x})" if "+" in x else x
        if s.channels > 1:
            return f"{s.channels} * {whole} + {channel}" if channel else f"{s.channels} * {whole}"
        return x

    def _at_index(self, statements: str, own: list[Surface], x: str) -> str:
        by_letter = {s.letter: s for s in own}
        return _MARKER.sub(lambda m: f"{m[1]}[{self._x(by_letter[m[1]], x, m[2])}]", statements)

    @staticmethod
    def _at_pointer(statements: str) -> str:
        text = _MARKER.sub(lambda m: f"{m[1]}[{m[2]}]" if m[2] else f"(*{m[1]})", statements)
        return re.sub(r"&\(\*(\w)\)", r"\1", text)

    @staticmethod
    def _bump(s: Surface) -> str:
        return f"{s.letter}++" if s.channels == 1 else f"{s.letter} += {s.channels}"
