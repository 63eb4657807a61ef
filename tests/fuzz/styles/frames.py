"""How a kernel is given its memory and its sizes, and how a call puts that together.

A frame writes the function around its loops, and the statements of a C function that calls it. The
caller has `dst_`, `src_`, `msk_` (pointers to elements), `width_`, `height_`, `dstStride_`,
`srcStride_` (elements), `k_`, `mode_` and `gain_`; its objects have the parameters' names.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.fuzz.styles.loops import Surface
from tests.fuzz.styles.pixels import Pixel
from tests.fuzz.styles.scope import Scope

LETTERS = ("d", "s", "m")
NAMES = {"d": "dst", "s": "src", "m": "msk"}


@dataclass(frozen=True, slots=True)
class Written:
    """`definition` is C or C++ text, `setup` statements before the call, `callee` what is called,
    `arguments` its arguments; `is_free` whether it is a plain function with an entry of its own;
    `tables` the arrays that it gets as tables of row pointers, which the call has in `tables`."""

    definition: str
    setup: str
    callee: str
    arguments: tuple[str, ...]
    is_free: bool = True
    tables: tuple[str, ...] = ()


class Frame:
    """Pointers and numbers, each a parameter of its own."""

    flat = True
    accessor = False
    scalars = ("k", "mode", "gain")

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.choices = scope.choices
        self.width, self.height = "width", "height"
        self.prepare()

    def prepare(self) -> None:
        """Decides what the pixels must know: how scalars and sizes are spelled."""

    def types(self, pixel: Pixel) -> tuple[str, str, str]:
        d, s, m = pixel.elements
        return d, f"const {s}", f"const {m}"

    def surfaces(self, pixel: Pixel) -> list[Surface]:
        return [
            Surface(letter, type, channels, base, stride, f"{base} + {{y}} * {stride}")
            for letter, type, channels in zip(
                LETTERS, self.types(pixel), (pixel.channels, pixel.channels, 1), strict=True
            )
            for base, stride in [(NAMES[letter], "dstStride" if letter == "d" else "srcStride")]
        ]

    def parameters(self, pixel: Pixel) -> list[tuple[str, str]]:
        """Declarations and arguments."""
        size = self.choices.pick("int", "int", "short", "long")
        stride = self.choices.pick("int", "int", "ptrdiff_t")
        own = [
            (f"{t} *{NAMES[n]}", f"{NAMES[n]}_")
            for n, t in zip(LETTERS, self.types(pixel), strict=True)
        ]
        own += [(f"{size} {n}", f"{n}_") for n in ("width", "height")]
        own += [(f"{stride} {n}", f"{n}_") for n in ("dstStride", "srcStride")]
        return [*own, *self.scalar_parameters()]

    def scalar_parameters(self) -> list[tuple[str, str]]:
        by_reference = self.scope.cpp and self.choices.chance(15)
        k = "const int &k" if by_reference else "int k"
        return [(k, "k_"), ("int mode", "mode_"), ("float gain", "gain_")]

    def opening(self) -> str:
        """What stands before the loops: tables, early returns."""
        return "".join(self.scope.opening)

    def early(self) -> str:
        if not self.choices.chance(20):
            return ""
        return self.choices.pick(
            f"    if ({self.width} <= 0 || {self.height} <= 0) return;\n",
            f"    if ({self.scope.scalars['k']} == 0) return;\n",
            f"    if ({self.scope.scalars['mode']} > 2) return;\n",
        )

    def written(self, pixel: Pixel, loops: str) -> Written:
        body = self.early() + self.opening() + loops
        everything = body + "".join(self.scope.definitions)
        used = [(d, a) for d, a in self.parameters(pixel) if mentions(everything, d)]
        head = f"void {self.scope.name}({', '.join(d for d, _ in used)})"
        text = f"{head}\n{{\n{body}}}\n"
        return Written(text, "", self.scope.name, tuple(a for _, a in used))


def mentions(body: str, declaration: str) -> bool:
    name = re.findall(r"\w+", declaration)[-1]
    return name == "dst" or re.search(rf"\b{name}\b", body) is not None


class Rows(Frame):
    """Tables of row pointers."""

    flat = False

    def surfaces(self, pixel: Pixel) -> list[Surface]:
        made = super().surfaces(pixel)
        return [Surface(s.letter, s.type, s.channels, "", "", f"{s.base}[{{y}}]") for s in made]

    def parameters(self, pixel: Pixel) -> list[tuple[str, str]]:
        own = []
        for n, t in zip(LETTERS, self.types(pixel), strict=True):
            inner = self.choices.pick("**", "*const *") if self.scope.cpp or n == "d" else "**"
            own.append((f"{t} {inner}{NAMES[n]}", f"{NAMES[n]}"))
        return [*own, ("int width", "width_"), ("int height", "height_"), *self.scalar_parameters()]

    def written(self, pixel: Pixel, loops: str) -> Written:
        made = super().written(pixel, loops)
        used = [
            (NAMES[n], t)
            for n, t in zip(LETTERS, self.types(pixel), strict=True)
            if NAMES[n] in made.arguments
        ]
        setup = " ".join(
            f"{t} **{name} = ({t} **)tables[{number}];" for number, (name, t) in enumerate(used)
        )
        tables = tuple(name for name, _ in used)
        comment = "".join(
            f"// lift: assume(the rows of {name} are evenly spaced)\n" for name in tables
        )
        return Written(comment + made.definition, setup, made.callee, made.arguments, tables=tables)


class Bytes(Frame):
    """Bytes or nothing in particular, with a pitch in bytes, seen as elements row by row."""

    flat = False

    def prepare(self) -> None:
        self.held = self.choices.pick("uint8_t", "unsigned char", "void")

    def surfaces(self, pixel: Pixel) -> list[Surface]:
        made = []
        for s in super().surfaces(pixel):
            constant = "const " if s.type.startswith("const ") else ""
            pitch = "dstPitch" if s.letter == "d" else "srcPitch" if s.letter == "s" else "mskPitch"
            start = f"({constant}uint8_t *){s.base}" if self.held == "void" else s.base
            row = f"({s.type} *)({start} + {{y}} * {pitch})"
            made.append(Surface(s.letter, s.type, s.channels, "", "", row))
        return made

    def parameters(self, pixel: Pixel) -> list[tuple[str, str]]:
        own = []
        for n, t in zip(LETTERS, self.types(pixel), strict=True):
            constant = "const " if t.startswith("const ") else ""
            held = f"{constant}{self.held} *"
            own.append((f"{held}{NAMES[n]}", f"({held}){NAMES[n]}_"))
        for n, e in zip(LETTERS, pixel.elements, strict=True):
            stride = "dstStride_" if n == "d" else "srcStride_"
            own.append((f"int {NAMES[n]}Pitch", f"(int)({stride} * (long)sizeof({e}))"))
        return [*own, ("int width", "width_"), ("int height", "height_"), *self.scalar_parameters()]


class Views(Frame):
    """A structure of pointer, sizes and stride for each image."""

    def prepare(self) -> None:
        self.passing = self.choices.pick("*", "&", "") if self.scope.cpp else "*"
        self.arrow = "->" if self.passing == "*" else "."
        self.width, self.height = f"dst{self.arrow}width", f"dst{self.arrow}height"
        self.is_template = self.scope.cpp and self.choices.chance(50)

    def view(self, type: str, letter: str) -> str:
        if self.is_template:
            return f"{self.scope.own('View')}<{type}>"
        return self.scope.own({"d": "Image", "s": "Source", "m": "Mask"}[letter])

    def surfaces(self, pixel: Pixel) -> list[Surface]:
        return [self._surface(s, f"{s.base}{self.arrow}") for s in super().surfaces(pixel)]

    def _surface(self, s: Surface, place: str) -> Surface:
        base, stride = f"{place}data", f"{place}stride"
        row = self.choices.pick(f"{base} + {{y}} * {stride}", f"&{base}[{{y}} * {stride}]")
        return Surface(s.letter, s.type, s.channels, base, stride, row)

    def definitions(self, pixel: Pixel) -> str:
        if self.is_template:
            name = self.scope.own("View")
            fields = "T *data; int width, height; long stride;"
            return f"template <class T> struct {name} {{ {fields} }};\n"
        return "".join(
            f"typedef struct {self.view(t, n)} {{ {t} *data; int width, height, stride; }} "
            f"{self.view(t, n)};\n"
            for n, t in zip(LETTERS, self.types(pixel), strict=True)
        )

    def objects(self, pixel: Pixel) -> str:
        return "".join(
            f"{self.view(t, n)} {NAMES[n]} = {{ {NAMES[n]}_, width_, height_, "
            f"{'dstStride_' if n == 'd' else 'srcStride_'} }}; "
            for n, t in zip(LETTERS, self.types(pixel), strict=True)
        )

    def parameters(self, pixel: Pixel) -> list[tuple[str, str]]:
        own = []
        for n, t in zip(LETTERS, self.types(pixel), strict=True):
            constant = "const " if self.passing and n != "d" else ""
            place = "&" if self.passing == "*" else ""
            own.append((f"{constant}{self.view(t, n)} {self.passing}{NAMES[n]}", place + NAMES[n]))
        return [*own, *self.scalar_parameters()]

    def written(self, pixel: Pixel, loops: str) -> Written:
        made = super().written(pixel, loops)
        text = self.definitions(pixel) + made.definition
        return Written(text, self.objects(pixel), made.callee, made.arguments)


class Job(Views):
    """One structure that holds the images, or points to them, and the numbers."""

    def prepare(self) -> None:
        super().prepare()
        if self.passing == "":
            self.passing = "*"
        self.arrow = "->" if self.passing == "*" else "."
        self.pointed = self.choices.pick("s", "d", "", "m")
        own = f"job{self.arrow}"
        out = f"{own}dst{'->' if self.pointed == 'd' else '.'}"
        self.width, self.height = f"{out}width", f"{out}height"
        self.scope.scalars.update(k=f"{own}k", mode=f"{own}mode", gain=f"{own}gain")

    def surfaces(self, pixel: Pixel) -> list[Surface]:
        plain = Frame.surfaces(self, pixel)
        return [
            self._surface(s, f"job{self.arrow}{s.base}{'->' if self.pointed == s.letter else '.'}")
            for s in plain
        ]

    def written(self, pixel: Pixel, loops: str) -> Written:
        name = self.scope.own("Job")
        fields, values = [], []
        for n, t in zip(LETTERS, self.types(pixel), strict=True):
            pointer = n == self.pointed
            fields.append(f"{self.view(t, n)} {'*' if pointer else ''}{NAMES[n]};")
            values.append(f"{'&' if pointer else ''}{NAMES[n]}")
        text = f"typedef struct {name} {{ {' '.join(fields)} int k, mode; float gain; }} {name};\n"
        body = self.early() + self.opening() + loops
        constant = "const " if self.pointed == "d" or self.choices.chance(50) else ""
        text += f"void {self.scope.name}({constant}{name} {self.passing}job)\n{{\n{body}}}\n"
        setup = f"{self.objects(pixel)}{name} job = {{ {', '.join(values)}, k_, mode_, gain_ }}; "
        passed = "&job" if self.passing == "*" else "job"
        return Written(self.definitions(pixel) + text, setup, self.scope.name, (passed,))
