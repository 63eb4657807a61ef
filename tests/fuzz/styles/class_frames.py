"""Frames that only C++ has: classes with accessors, methods, templates, formulas as parameters."""

from __future__ import annotations

from tests.fuzz.styles.frames import LETTERS, NAMES, Frame, Written, mentions
from tests.fuzz.styles.loops import Surface
from tests.fuzz.styles.pixels import Pixel


class Images(Frame):
    """Objects of a class template, reached through their methods and operators."""

    flat = False
    accessor = True

    def prepare(self) -> None:
        self.width, self.height = "dst.width()", "dst.height()"

    def surfaces(self, pixel: Pixel) -> list[Surface]:
        return [
            Surface(
                s.letter,
                s.type,
                s.channels,
                "",
                "",
                f"{s.base}.row({{y}})",
                f"{s.base}({{x}}, {{y}})",
            )
            for s in super().surfaces(pixel)
        ]

    def image(self, methods: str = "") -> str:
        name = self.scope.own("Image")
        return (
            f"template <class T> class {name} {{\npublic:\n"
            f"    {name}(T *data, int width, int height, int stride)\n"
            "        : data_(data), width_(width), height_(height), stride_(stride) {}\n"
            "    int width() const { return width_; }\n    int height() const { return height_; }\n"
            "    T *row(int y) const { return data_ + y * stride_; }\n"
            "    T &operator()(int x, int y) const { return data_[y * stride_ + x]; }\n"
            f"{methods}private:\n    T *data_;\n    int width_, height_, stride_;\n}};\n"
        )

    def objects(self, pixel: Pixel) -> str:
        name = self.scope.own("Image")
        return "".join(
            f"{name}<{t}> {NAMES[n]}({NAMES[n]}_, width_, height_, "
            f"{'dstStride_' if n == 'd' else 'srcStride_'}); "
            for n, t in zip(LETTERS, self.types(pixel), strict=True)
        )

    def parameters(self, pixel: Pixel) -> list[tuple[str, str]]:
        name = self.scope.own("Image")
        own = [
            (f"{'const ' if n != 'd' else ''}{name}<{t}> &{NAMES[n]}", NAMES[n])
            for n, t in zip(LETTERS, self.types(pixel), strict=True)
        ]
        return [*own, *self.scalar_parameters()]

    def written(self, pixel: Pixel, loops: str) -> Written:
        made = super().written(pixel, loops)
        return Written(
            self.image() + made.definition, self.objects(pixel), made.callee, made.arguments
        )


class Local(Images):
    """The function wraps its pointers in objects of its own."""

    def written(self, pixel: Pixel, loops: str) -> Written:
        name = self.scope.own("Image")
        everything = loops + "".join((*self.scope.definitions, *self.scope.opening))
        wrapped = "".join(
            f"    {'' if n == 'd' else 'const '}{name}<{t}> {NAMES[n]}"
            f"({NAMES[n]}Bits, width, height, {NAMES[n]}Stride);\n"
            for n, t in zip(LETTERS, self.types(pixel), strict=True)
            if mentions(everything, NAMES[n])
        )
        body = self.early().replace("dst.width()", "width").replace("dst.height()", "height")
        body += wrapped + self.opening() + loops
        everything += body
        own = [
            (f"{t} *{NAMES[n]}Bits", f"{NAMES[n]}_")
            for n, t in zip(LETTERS, self.types(pixel), strict=True)
        ]
        own += [("int width", "width_"), ("int height", "height_"), ("int dstStride", "dstStride_"),
                ("int srcStride", "srcStride_"), ("int mskStride", "srcStride_")]  # fmt: skip
        own += self.scalar_parameters()
        used = [(d, a) for d, a in own if mentions(everything, d)]
        head = f"void {self.scope.name}({', '.join(d for d, _ in used)})"
        text = f"{self.image()}{head}\n{{\n{body}}}\n"
        return Written(text, "", self.scope.name, tuple(a for _, a in used))


class Method(Frame):
    """A method of the destination's class."""

    accessor = True

    def prepare(self) -> None:
        self.width, self.height = self.choices.pick(
            ("width_", "height_"), ("width()", "height()"), ("this->width_", "this->height_")
        )
        self.fields = {"k": self.choices.chance(30)}
        if self.fields["k"]:
            self.scope.scalars["k"] = "k_"

    def surfaces(self, pixel: Pixel) -> list[Surface]:
        made = []
        for s in super().surfaces(pixel):
            own = "" if s.letter == "d" else f"{s.base}."
            row = f"{own}row({{y}})"
            at = "(*this)({x}, {y})" if s.letter == "d" else f"{s.base}({{x}}, {{y}})"
            made.append(
                Surface(s.letter, s.type, s.channels, f"{own}data_", f"{own}stride_", row, at)
            )
        return made

    def written(self, pixel: Pixel, loops: str) -> Written:
        types = dict(zip(LETTERS, self.types(pixel), strict=True))
        names = {n: self.scope.own({"d": "Target", "s": "Source", "m": "Mask"}[n]) for n in LETTERS}
        body = self.early() + self.opening() + loops
        everything = body + "".join(self.scope.definitions)
        scalars = [(d, a) for d, a in self.scalar_parameters() if mentions(everything, d)]
        taken = [
            (f"const {names[n]} &{NAMES[n]}", NAMES[n])
            for n in "sm"
            if mentions(everything, f"const {NAMES[n]}")
        ]
        params = ", ".join(d for d, _ in (*taken, *scalars))
        text = ""
        for n in "msd":
            method = f"    void {self.scope.name}({params});\n" if n == "d" else ""
            text += (
                f"class {names[n]} {{\npublic:\n{method}"
                "    int width() const { return width_; }\n"
                "    int height() const { return height_; }\n"
                f"    {types[n]} *row(int y) const {{ return data_ + y * stride_; }}\n"
                f"    {types[n]} &operator()(int x, int y) const\n"
                "    {\n        return data_[y * stride_ + x];\n    }\n"
                f"    {types[n]} *data_;\n    int width_, height_, stride_, k_;\n}};\n"
            )
        text += f"void {names['d']}::{self.scope.name}({params})\n{{\n{body}}}\n"
        setup = "".join(
            f"{names[n]} {NAMES[n]} = {{ {NAMES[n]}_, width_, height_, "
            f"{'dstStride_' if n == 'd' else 'srcStride_'}, k_ }}; "
            for n in LETTERS
        )
        arguments = tuple(a for _, a in (*taken, *scalars))
        return Written(text, setup, f"dst.{self.scope.name}", arguments, is_free=False)


class Template(Frame):
    """A function template over the elements' types and a number, instantiated or called."""

    def prepare(self) -> None:
        self.bias = self.choices.pick(3, 128, 0)
        self.called = self.choices.chance(50)
        if self.choices.chance(50):
            self.scope.scalars["k"] = "Bias"

    def types(self, pixel: Pixel) -> tuple[str, str, str]:
        return "D", "const S", "const uint8_t"

    def written(self, pixel: Pixel, loops: str) -> Written:
        made = super().written(pixel, loops)
        head, _, rest = made.definition.partition("\n")
        d, s = pixel.elements[:2]
        name = self.scope.name if not self.called else self.scope.own("any")
        head = head.replace(f"void {self.scope.name}(", f"void {name}(")
        text = f"template <class D, class S, int Bias>\n{head}\n{rest}"
        chosen = f"{name}<{d}, {s}, {self.bias}>"
        params = (
            head.removeprefix(f"void {name}")
            .replace("const S ", f"const {s} ")
            .replace("D *", f"{d} *")
        )
        if not self.called:
            text += f"template void {chosen}{params};\n"
            return Written(text, "", chosen, made.arguments, is_free=False)
        names = ", ".join(p.split()[-1].lstrip("*&") for p in params.strip("()").split(","))
        text += f"void {self.scope.name}{params}\n{{\n    {chosen}({names});\n}}\n"
        return Written(text, "", self.scope.name, made.arguments)
