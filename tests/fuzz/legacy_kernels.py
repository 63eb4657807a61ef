"""Random C++ kernels in the styles of legacy imaging code, most of which can be lifted.

`legacy_kernel(seed)` gives one function over a destination, up to two sources, a table, sizes and
strides. All arithmetic that C++ may leave undefined is allowed in it: the harness asks the
sanitizer. Divisions by zero and endless loops are not, for they end the process.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

PIXELS = ("uint8_t", "uint8_t", "uint8_t", "uint16_t", "int16_t", "int32_t", "uint32_t", "float")


@dataclass(frozen=True, slots=True)
class LegacyKernel:
    """`arrays` are (name, element type), `scalars` (name, type), both in the order of parameters:
    arrays first. `least` is the smallest width and height that end its loops, `tables` the arrays
    that it gets as tables of row pointers."""

    name: str
    source: str
    arrays: tuple[tuple[str, str], ...]
    scalars: tuple[tuple[str, str], ...]
    least: int
    tables: tuple[str, ...] = field(default=(), kw_only=True)


class _Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.name = f"fuzz{seed}"
        pick = self.random.choice
        self.dst_type = pick(PIXELS)
        self.src_type = self.dst_type if self.random.random() < 0.5 else pick(PIXELS)
        self.other_type = pick(("uint8_t", self.src_type))
        self.least = -1
        self.helpers: list[str] = []
        self.tables: list[str] = []

    @property
    def is_float(self) -> bool:
        return "float" in (self.dst_type, self.src_type, self.other_type)

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # Values

    def value(self, leaves: list[str], depth: int) -> str:
        """A numeric expression over the leaves."""
        if depth == 0:
            return self.pick(*leaves, *leaves, "k", str(self.random.choice((0, 1, 3, 127, 255))))
        a, b = self.value(leaves, depth - 1), self.value(leaves, depth - 1)
        if self.is_float:
            return self._float_value(a, b)
        small = self.random.choice((1, 2, 3, 4, 7, 8))
        number = self.random.choice((2, 3, 5, 7, 16, 100, 255, 256, 257))
        forms = [
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} * {b} + 127) / 255",
            f"(({a} * (255 - k) + {b} * k) >> 8)", f"({a} >> {small})", f"({a} << {small})",
            f"({a} / {number})", f"({a} % {number})", f"({a} & {b})", f"({a} | {b})",
            f"({a} ^ {b})", f"(~{a})", f"(-{a})", f"({self.condition(a, b)} ? {a} : {b})",
            f"std::min<int>({a}, {b})", f"std::max<int>({a}, {b})", f"std::abs((int)({a} - {b}))",
            f"({b} > 0 ? {a} / {b} : 0)", f"({b} ? {a} * 255u / {b} : 0u)",
            f"(uint8_t)({a} + {b})", f"(int8_t)({a})", f"(uint16_t)({a} * 257)",
            f"(int16_t)({a} - {b})", f"((uint32_t){a} * {b})", f"(({a} + {b} + 1) >> 1)",
            f"{self.helper()}({a}, {b})", f"({a} > {b} ? {a} - {b} : {b} - {a})",
            f"((({a}) + (({a}) >> 8) + 128) >> 8)", f"std::clamp<int>({a} - {b}, 0, {number})",
        ]  # fmt: skip
        return self.random.choice(forms)

    def _float_value(self, a: str, b: str) -> str:
        forms = [
            f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} * 0.5f)", f"({a} / 3.0f)",
            f"({self.condition(a, b)} ? {a} : {b})", f"std::min<float>({a}, {b})",
            f"std::max<float>({a}, {b})", f"(1.0f - {a})", f"(({a}) * 0.25)", f"(-{a})",
            f"{self.helper()}({a}, {b})", f"({a} * (1 - gain) + {b} * gain)",
            f"({b} > 0.001f ? {a} / {b} : 1.0f)", f"fabsf({a})",
        ]  # fmt: skip
        return self.random.choice(forms)

    def condition(self, a: str, b: str) -> str:
        compared = self.pick(a, b, "k")
        first = f"{compared} {self.pick('<', '>', '<=', '>=', '==', '!=')} {self.pick(a, b, '128')}"
        if self.chance(0.25):
            return f"{first} {self.pick('&&', '||')} {a} {self.pick('<', '>=', '!=')} {b}"
        return f"!({first})" if self.chance(0.15) else first

    def helper(self) -> str:
        """A pure function with two parameters; made at most once a kernel."""
        name = f"{self.name}_mix"
        if self.helpers:
            return name
        self.helpers.append("")  # so that its body doesn't call itself
        kind = "float" if self.is_float else self.pick("int", "int", "uint8_t", "unsigned", "short")
        body = self.pick(
            f"if (a > b) return {self.value(['a', 'b'], 1)}; return {self.value(['a', 'b'], 1)};",
            f"{kind} t = {self.value(['a', 'b'], 1)}; return t < 0 ? 0 : t;",
            f"if (b == 0) return a; if (a < b) {{ return b; }} "
            f"else return {self.value(['a', 'b'], 1)};",
        ).replace("gain", "b").replace("k", "a")  # fmt: skip
        result = kind if self.chance(0.6) or self.is_float else self.pick("uint8_t", "int")
        self.helpers[0] = (
            f"static inline {result} {name}({kind} a, {kind} b)\n{{\n    {body}\n}}\n\n"
        )
        return name

    def stored(self, value: str) -> str:
        """The value as it is stored: clamped, cast, or left to the implicit conversion."""
        if self.is_float:
            # A float outside of an integer's range is undefined: always clamped.
            if self.dst_type == "float":
                return value
            return f"({self.dst_type})std::min(100.0f, std::max(0.0f, (float)({value})))"
        kind = self.random.random()
        if kind < 0.35:
            top = {"uint8_t": 255, "uint16_t": 65535, "int16_t": 32767}.get(self.dst_type, 100000)
            return f"({self.dst_type})std::min<int>({top}, std::max<int>(0, {value}))"
        return f"({self.dst_type})({value})" if kind < 0.6 else value

    # Bodies

    def body(self, place: str, read: str, other: str) -> str:
        """Statements of one pixel."""
        depth = self.random.choice((1, 1, 2, 2, 3))
        old = [place] if self.chance(0.5) else []
        leaves = [read, read, other, *old]

        def value(levels: int = depth) -> str:
            return self.stored(self.value(leaves, levels))

        wide = "float" if self.is_float else self.pick("int", "int", "unsigned", "int", "long long")
        kind = self.random.random()
        if kind < 0.35:
            return f"{place} = {value()};"
        if kind < 0.5:
            test = self.condition(read, other)
            return f"if ({test}) {place} = {value(1)};" + (
                f" else {place} = {value(1)};" if self.chance(0.6) else ""
            )
        if kind < 0.75:
            own = ["v", *leaves]
            more = self.pick(
                f"if (v < 0) v = 0; if (v > {self.pick('255', '100', 'k')}) v = 255;",
                f"v {self.pick('+=', '-=', '*=', '=')} {self.value(own, 1)};",
                f"if ({self.condition('v', other)}) v = {self.value(own, 1)};",
            )
            return f"{wide} v = {self.value(leaves, depth)}; {more} {place} = {self.stored('v')};"
        if kind < 0.85:
            cases = " ".join(
                f"case {n}: {place} = {value(1)};{' break;' if self.chance(0.8) else ''}"
                for n in range(self.random.randint(1, 3))
            )
            return f"switch (mode) {{ {cases} default: {place} = {value(1)}; }}"
        if self.is_float:
            return f"{place} *= {read};"
        operator = self.pick("+=", "-=", "^=", "|=", "&=", "*=", ">>=")
        amount = self.pick("1", "3") if operator == ">>=" else self.value([read, other], 1)
        return f"{place} {operator} {amount};"

    def looked_up(self, body: str, read: str) -> str:
        """Reads through the table parameter or a table filled before the loops, now and then."""
        if self.src_type != "uint8_t" or not self.chance(0.2):
            return body
        if self.chance(0.5):
            return body.replace(read, f"lut[{read}]", 1) if self._reads(body, read) else body
        entry = self.value(["i"], 1).replace("gain", "i")
        self.tables.append(
            f"    {self.pick('uint8_t', 'int', 'uint16_t')} table[256];\n"
            f"    for (int i = 0; i < 256; i++) table[i] = {entry};\n"
        )
        return body.replace(read, f"table[{read}]", 1) if self._reads(body, read) else body

    def _reads(self, body: str, read: str) -> bool:
        return read in body

    # Loops

    def frame(self) -> str:
        """The loops around `body`, in one of the styles."""
        style = self.random.choice((
            self._indexed, self._indexed, self._row_pointers, self._row_pointers, self._bumped,
            self._counted_down, self._ended, self._flat, self._interleaved, self._stencil,
            self._bottom_up, self._do_while, self._unrolled, self._two_stages, self._histogram,
            self._reduced,
        ))  # fmt: skip
        text = style()
        return "".join(self.tables) + text

    def _pixel(self, place: str, read: str, other: str) -> str:
        return self.looked_up(self.body(place, read, other), read)

    def _x_loop(self, low: str = "0", high: str = "width") -> str:
        return self.pick(
            f"for (int x = {low}; x < {high}; x++)",
            f"for (int x = {low}; x < {high}; ++x)",
            f"for (int x = {high} - 1; x >= {low}; x--)",
            f"for (int x = {low}; x <= {high} - 1; x += 1)",
        )

    def _guard(self) -> str:
        """An early `continue`, now and then."""
        if not self.chance(0.15):
            return ""
        return self.pick("if (x == k) continue; ", "if ((x & 1) == 0) continue; ",
                         "if (x < k) continue; ")  # fmt: skip

    def _indexed(self) -> str:
        d, s, m = (f"{n}[y * {t}Stride + x]" for n, t in
                   (("dst", "dst"), ("src", "src"), ("msk", self.pick("src", "dst"))))  # fmt: skip
        body = self._guard() + self._pixel(d, s, m)
        rows = self.pick(
            "for (int y = 0; y < height; y++)", "for (int y = height - 1; y >= 0; y--)"
        )
        return f"    {rows}\n        {self._x_loop()} {{ {body} }}\n"

    def _row_pointers(self) -> str:
        body = self._guard() + self._pixel("d[x]", "s[x]", "m[x]")
        return (
            f"    for (int y = 0; y < height; y++) {{\n        {self.dst_type} *d = dst + y * dstStride;\n"  # noqa: E501
            f"        const {self.src_type} *s = &src[y * srcStride];\n"
            f"        const {self.other_type} *m = msk + y * srcStride;\n"
            f"        {self._x_loop()} {{ {body} }}\n    }}\n"
        )

    def _bumped(self) -> str:
        body = self._pixel("*d", "*s", "*m")
        return (
            f"    for (int y = 0; y < height; y++) {{\n        {self.dst_type} *d = dst;\n"
            f"        const {self.src_type} *s = src;\n        const {self.other_type} *m = msk;\n"
            f"        for (int x = 0; x < width; x++) {{ {body} d++; s++; m++; }}\n"
            "        dst += dstStride; src += srcStride; msk += srcStride;\n    }\n"
        )

    def _counted_down(self) -> str:
        body = self._pixel("*d", "*s", "*m")
        test, rows = self.pick("n--", "n-- > 0"), self.pick("height--", "height-- > 0")
        if "> 0" not in test or "> 0" not in rows:
            self.least = 0
        return (
            f"    while ({rows}) {{\n        {self.dst_type} *d = dst;\n"
            f"        const {self.src_type} *s = src;\n        const {self.other_type} *m = msk;\n"
            f"        int n = width;\n        while ({test}) {{ {body} ++d; ++s; ++m; }}\n"
            "        dst += dstStride; src += srcStride; msk += srcStride;\n    }\n"
        )

    def _ended(self) -> str:
        body = self._pixel("*d", "*s", "*m")
        test = self.pick("d < e", "d != e")
        if "!=" in test:
            self.least = 0
        return (
            f"    for (int y = 0; y < height; y++) {{\n        {self.dst_type} *d = dst + y * dstStride;\n"  # noqa: E501
            f"        {self.dst_type} *const e = d + width;\n"
            f"        const {self.src_type} *s = src + y * srcStride;\n"
            f"        const {self.other_type} *m = msk + y * srcStride;\n"
            f"        for (; {test}; ++d, ++s, ++m) {{ {body} }}\n    }}\n"
        )

    def _flat(self) -> str:
        step = self.random.choice((1, 1, 2, 3))
        x = "x" if step == 1 else f"{step} * x"
        body = self._guard() + self._pixel("dst[x]", f"src[{x}]", "msk[x]")
        return f"    {self._x_loop()} {{ {body} }}\n"

    def _interleaved(self) -> str:
        channels = self.random.choice((2, 3, 4))
        if self.chance(0.5):
            place = f"y * dstStride + {channels} * x + c"
            body = self._pixel(f"dst[{place}]", f"src[y * srcStride + {channels} * x + c]",
                               f"msk[y * srcStride + {self.pick('x', f'{channels} * x')}]")  # fmt: skip  # noqa: E501
            loops = f"for (int c = 0; c < {channels}; c++)"
            return (
                f"    for (int y = 0; y < height; y++)\n        {self._x_loop()}\n"
                f"            {loops} {{ {body} }}\n"
            )
        kept = self.random.sample(range(channels), self.random.randint(1, channels))
        bodies = " ".join(self._scoped(self.body(f"d[{c}]", f"s[{c}]", f"s[{channels - 1}]"))
                          for c in kept)  # fmt: skip
        return (
            f"    for (int y = 0; y < height; y++) {{\n        {self.dst_type} *d = dst + y * dstStride;\n"  # noqa: E501
            f"        const {self.src_type} *s = src + y * srcStride;\n"
            f"        for (int x = 0; x < width; x++, d += {channels}, s += {channels}) {{ {bodies} }}\n"  # noqa: E501
            "    }\n"
        )

    @staticmethod
    def _scoped(body: str) -> str:
        return f"{{ {body} }}"

    def _stencil(self) -> str:
        low, high = self.pick("0", "1", "2"), self.pick("width", "width - 1", "width - 2")
        near = [f"src[{self.pick('y', '(y + 1)', '(y - 1)')} * srcStride + x{self.pick('', ' + 1', ' - 1', ' + 2')}]"  # noqa: E501
                for _ in range(3)]  # fmt: skip
        body = self.body("dst[y * dstStride + x]", *self.random.sample(near, 2))
        if not self.is_float and self.chance(0.4):
            weights = [self.random.choice((1, 2, 4, -1)) for _ in near]
            total = " + ".join(f"{w} * {n}" for w, n in zip(weights, near, strict=True))
            scaled = self.pick(f"({total} + 2) >> 2", f"({total}) / 3", f"({total}) / 9")
            body = f"dst[y * dstStride + x] = {self.stored(f'({scaled})')};"
        rows = self.pick("for (int y = 0; y < height; y++)", "for (int y = 1; y < height - 1; y++)")
        return f"    {rows}\n        {self._x_loop(low, high)} {{ {body} }}\n"

    def _bottom_up(self) -> str:
        body = self._pixel("d[x]", "s[x]", "m[x]")
        return (
            f"    {self.dst_type} *d = dst + (height - 1) * dstStride;\n"
            f"    const {self.src_type} *s = src;\n    const {self.other_type} *m = msk;\n"
            f"    for (int y = 0; y < height; y++) {{\n        {self._x_loop()} {{ {body} }}\n"
            "        d -= dstStride; s += srcStride; m += srcStride;\n    }\n"
        )

    def _do_while(self) -> str:
        self.least = 1
        body = self._pixel("dst[x]", "src[x]", "msk[x]")
        return (
            f"    do {{\n        int x = 0;\n        do {{ {body} x++; }} while (x < width);\n"
            "        dst += dstStride; src += srcStride; msk += srcStride;\n"
            "    } while (--height > 0);\n"
        )

    def _unrolled(self) -> str:
        state = self.random.getstate()
        texts = []
        for place in ("x", "x + 1", "x"):
            self.random.setstate(state)
            texts.append(self._scoped(self.body(f"dst[{place}]", f"src[{place}]", f"msk[{place}]")))
        first, second, last = texts
        return (
            f"    int x = 0;\n    for (; x + 1 < width; x += 2) {{ {first} {second} }}\n"
            f"    for (; x < width; x++) {last}\n"
        )

    def _two_stages(self) -> str:
        kind = self.pick("int", "uint8_t", "uint16_t", "short") if not self.is_float else "float"
        made = self.value(["src[y * srcStride + x]", "msk[y * srcStride + x]"], 1)
        if self.is_float and self.src_type == "float":
            kind = "float"
        near = "tmp[y * width + x]"
        final = self.body("dst[y * dstStride + x]", near, "src[y * srcStride + x]")
        loops = "    for (int y = 0; y < height; y++)\n        for (int x = 0; x < width; x++)"
        declared = f"    std::vector<{kind}> tmp(width * height);\n"
        self.least = 0
        return f"{declared}{loops} tmp[y * width + x] = {made};\n{loops} {{ {final} }}\n"

    def _histogram(self) -> str:
        self.src_type = self.pick("uint8_t", "uint8_t", "uint16_t")
        self.dst_type = self.pick("int32_t", "uint32_t", "uint16_t", "uint8_t")
        self.other_type = "uint8_t"
        place = (
            "src[y * srcStride + x]"
            if self.src_type == "uint8_t"
            else "(src[y * srcStride + x] >> 8)"
        )
        place = self.pick(place, f"{place} >> 2", f"255 - {place}")
        update = self.pick(f"dst[{place}]++;", f"dst[{place}] += msk[y * srcStride + x];",
                           f"if (msk[y * srcStride + x] > 100) dst[{place}] += 1;",
                           f"dst[{place}] += k;")  # fmt: skip
        clear = "    for (int i = 0; i < 256; i++) dst[i] = 0;\n" if self.chance(0.5) else ""
        return (
            f"{clear}    for (int y = 0; y < height; y++)\n        for (int x = 0; x < width; x++) "
            f"{{ {update} }}\n"
        )

    def _reduced(self) -> str:
        if self.is_float:
            return self._indexed()
        wide = self.pick("int", "unsigned", "uint8_t")
        taps = self.random.choice(("3", "5", "k"))
        step = self.pick("x + j", "x + j * srcStride", "x - j")
        update = self.pick(f"t += src[{step}];", f"t += src[{step}] * msk[j];",
                           f"if (src[{step}] > t) t = src[{step}];")  # fmt: skip
        return (
            f"    for (int x = 0; x < width; x++) {{\n        {wide} t = {self.pick('0', '0', '8', 'k')};\n"  # noqa: E501
            f"        for (int j = 0; j < {taps}; j++) {{ {update} }}\n"
            f"        dst[x] = {self.stored(self.pick('t', 't >> 2', 't / 3'))};\n    }}\n"
        )

    def prologue(self) -> str:
        if not self.chance(0.25):
            return ""
        return self.pick(
            "    if (k == 0) return;\n", "    if (width <= 0 || height <= 0) return;\n",
            "    if (k < 0) k = 0;\n", "    if (k > 255) k = 255;\n",
            "    assert(k >= 0 && k <= 255);\n", "    k &= 255;\n",
        )  # fmt: skip

    def kernel(self) -> LegacyKernel:
        loops = self.prologue() + self.frame()
        arrays = (("dst", self.dst_type), ("src", self.src_type), ("msk", self.other_type),
                  ("lut", "uint8_t"))  # fmt: skip
        scalars = (("width", "int"), ("height", "int"), ("dstStride", "int"), ("srcStride", "int"),
                   ("k", "int"), ("mode", "int"), ("gain", "float"))  # fmt: skip
        used = [(n, t) for n, t in (*arrays, *scalars)]
        params = ", ".join(
            f"{'' if n == 'dst' else 'const '}{t} *{n}" if (n, t) in arrays else f"{t} {n}"
            for n, t in used
        )
        source = f"{''.join(self.helpers)}void {self.name}({params})\n{{\n{loops}}}\n"
        return LegacyKernel(self.name, source, arrays, scalars, self.least)


def legacy_kernel(seed: int) -> LegacyKernel:
    """One function `fuzz<seed>`; everything follows from the seed."""
    return _Writer(seed).kernel()
