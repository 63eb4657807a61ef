"""What one kernel of the matrix is, and the number types that kernels are written for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Number:
    """A number type: what it is called in names and in C++, and how a pixel begins as one."""

    name: str
    spelling: str
    first: str

    @property
    def is_float(self) -> bool:
        return self.name in ("float", "double")

    @property
    def other_sign(self) -> str | None:
        """The integer type of the same width and the other sign."""
        pairs = ("int", "unsigned"), ("uint8_t", "int8_t"), ("int16_t", "uint16_t")
        for a, b in (*pairs, ("uint32_t", "int32_t"), ("int64_t", "uint64_t")):
            if self.spelling in (a, b):
                return b if self.spelling == a else a
        return None

    @property
    def same_width(self) -> str | None:
        """The type of the same width and the other kind, integer or float."""
        return {
            "int": "float", "uint32_t": "float", "int64_t": "double", "float": "int",
            "double": "int64_t",
        }.get(self.spelling)  # fmt: skip


NUMBERS = (
    Number("int", "int", "s[i] % 100"),
    Number("u8", "uint8_t", "s[i]"),
    Number("i16", "int16_t", "s[i] / 8"),
    Number("u32", "uint32_t", "s[i]"),
    Number("i64", "int64_t", "s[i] % 1000"),
    Number("float", "float", "s[i]"),
    Number("double", "double", "s[i]"),
)


@dataclass(frozen=True)
class Case:
    """One kernel: `name` is its place in the matrix, `text` the function, named `NAME`.

    Of most cases nobody asks for more than the name; so the text may be written when it is needed.
    """

    name: str
    written: str | Callable[[], str]
    language: str = "cpp"

    @cached_property
    def text(self) -> str:
        return self.written if isinstance(self.written, str) else self.written()

    def function(self, name: str) -> str:
        """The kernel's text as the function `name`."""
        return self.text.replace("NAME", name)


def sum_of(watched: list[str], type: str) -> str:
    """An expression of all the watched places that tells them apart."""
    weights = (1, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)
    terms = [w if n == 1 else f"{n} * {w}" for w, n in zip(watched, weights, strict=False)]
    return f"({type})({' + '.join(terms)})"


def in_loop(type: Number, lines: list[str], watched: list[str]) -> str:
    """A kernel that does `lines` for each pixel: `x` is the pixel, `y` a small number, `o` 1."""
    body = "\n".join(f"        {line}" for line in lines)
    t = type.spelling
    return (
        f"void NAME({t} *d, const {t} *s, int n, int k)\n{{\n"
        f"    for (int i = 0; i < n; i++) {{\n"
        f"        {t} x = {type.first}, y = k & 7, o = 1;\n"
        f"        bool c = x > y;\n"
        f"        int j = k & 1;\n"
        f"{body}\n"
        f"        d[i] = {sum_of(watched, t)};\n"
        f"    }}\n}}\n"
    )
