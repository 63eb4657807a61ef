"""Kernels written by hand that once were wrong, in the form of the random ones."""

from __future__ import annotations

from tests.fuzz.styles.kernel import SCALARS, StyledKernel
from tests.fuzz.styles.scope import Language


def rows(name: str, element: str, pixel: str, language: Language = "c") -> StyledKernel:
    """Over tables of row pointers `dst` and `src`; `pixel` uses d, s and x."""
    source = (
        "// lift: assume(the rows of dst are evenly spaced)\n"
        "// lift: assume(the rows of src are evenly spaced)\n"
        f"void {name}({element} **dst, const {element} **src, int width, int height)\n{{\n"
        "    for (int y = height - 1; y >= 0; y--) {\n"
        f"        {element} *d = dst[y];\n        const {element} *s = src[y];\n"
        f"        for (int x = 0; x < width; x++) {{ {pixel} }}\n    }}\n}}\n"
    )
    tables = (
        f"{element} **dst = ({element} **)tables[0]; "
        f"const {element} **src = (const {element} **)tables[1];"
    )
    types = (element, element, "uint8_t")
    arrays = tuple(zip(("dst", "src", "msk"), types, strict=True))
    arguments = ("dst", "src", "width_", "height_")
    return StyledKernel(
        name,
        source,
        arrays,
        SCALARS,
        -1,
        language,
        types,
        1,
        tables,
        name,
        arguments,
        False,
        "rows",
        tables=("dst", "src"),
    )


def line(name: str, body: str, definitions: str = "") -> StyledKernel:
    """Over bytes `d` and `s`, `n` of them."""
    source = f"{definitions}void {name}(uint8_t *d, const uint8_t *s, int n)\n{{\n{body}\n}}\n"
    types = ("uint8_t", "uint8_t", "uint8_t")
    arrays = tuple(zip(("dst", "src", "msk"), types, strict=True))
    arguments = ("dst_", "src_", "width_")
    return StyledKernel(
        name, source, arrays, SCALARS, 0, "c", types, 1, "", name, arguments, False, "line"
    )


WRONG_ONCE = [
    # Rows of words seen as bytes were apart as soon as their channels were.
    rows("rows_of_bytes", "uint32_t", "uint8_t *p = (uint8_t *)&d[x]; p[0] = p[2]; p[1] = 7;"),
    # What is read behind a row's written part may be the next row.
    rows("rows_read_on", "uint8_t", "d[x] = d[x + 1] ^ s[x];"),
]

NOT_DUFF = line(
    "not_duff",
    "    int r = (n + 3) / 4;\n    if (n > 0) not_duff_RUN(not_duff_PUT(1), not_duff_PUT(2))",
    "#define not_duff_PUT(v) { *d = *s ^ v; d++; s++; }\n"
    "#define not_duff_RUN(A, B) switch (n & 3) { \\\n"
    "    case 0: do { A case 3: A case 2: A case 1: B } while (--r > 0); }\n",
)
"""Looks like Duff's device where macros aren't looked into; refused."""
