"""Which scalars are read behind a loop before they are set again."""

from __future__ import annotations

import pytest

from lifter.dag.liveness import Liveness
from lifter.model.kernel import WhileLoop, statements
from tests.verify.differential import difference, lifted, parsed

FIRST = "for (int i = 0; i < n; i++) if (p[i]) { v = p[i]; p[i] = v / 2; }"
AROUND = {
    "nothing is behind it": ("int v = 0;", "", False),
    "it is stored": ("int v = 0;", "*o = v;", True),
    "it is stored under a condition": ("int v = 0;", "if (n > 3) *o = v;", True),
    "it is set before it is stored": ("int v = 0;", "v = n; *o = v;", False),
    "it is set in one branch": ("int v = 0;", "if (n > 3) v = n; *o = v;", True),
    "it is set in both": ("int v = 0;", "if (n > 3) v = n; else v = 7; *o = v;", False),
    "the next loop sets it first": (
        "int v = 0;", "for (int k = 0; k < n; k++) { v = q[k]; q[k] = v + 1; }", False,
    ),
    "the next loop reads it first": (
        "int v = 0;", "for (int k = 0; k < n; k++) { q[k] = v; v = k; }", True,
    ),
    "the next loop may not run": (
        "int v = 0;", "for (int k = 0; k < n; k++) v = q[k]; *o = v;", True,
    ),
    "the next loop runs at least once": (
        "int v = 0;", "do { v = n; } while (v < 0); *o = v;", False,
    ),
    "the next loop tests it": ("int v = 0;", "while (v > 0) v--;", True),
    "it says which element": ("int v = 0;", "q[v] = 1;", True),
}  # fmt: skip


@pytest.mark.parametrize("around", AROUND)
def test_a_scalar_is_read_behind_a_loop(around: str) -> None:
    before, behind, is_read = AROUND[around]
    assert read_behind(f"{before} {FIRST} {behind}")[0] == is_read


def test_an_iteration_of_the_outer_loop_reads_what_the_one_before_left() -> None:
    """Behind the inner loop it is read by the next iteration, behind the outer one by nobody."""
    rows = (
        "for (int y = 0; y < m; y++) {{ {0} for (int i = 0; i < n; i++) {{ q[i] = v; v = i; }} }}"
    )
    assert read_behind("int v = 0; " + rows.format("")) == [False, True]
    assert read_behind("int v = 0; " + rows.format("v = y;")) == [False, False]


def read_behind(body: str) -> list[bool]:
    """Of each loop, whether `v` is read behind it."""
    kernel = parsed(f"void f(u8 *p, u8 *q, int n, int m, int *o) {{ {body} }}")
    liveness = Liveness(kernel)
    loops = [s for s in statements(kernel.body) if isinstance(s, WhileLoop)]
    return [liveness.is_read_behind(loop, "v") for loop in loops]


IN_PLACE = """void f(u8 *dst, const u8 *src, int rows, int cols, int *o) {{
    int v{0};
    for (int r = 0; r < rows; r++, src += cols, dst += cols)
        for (int c = 0; c < cols; c++)
            if (src[c] == 255) dst[c] = 255;
            else {{ v = dst[c] * 255 / (255 - src[c]); dst[c] = v > 255 ? 255 : v; }}
    {1}
}}"""


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("begins", "behind"),
    [("", ""), (" = 3", ""), (" = 3", "v = rows; *o = v;")],
    ids=["C89", "with a value", "set anew"],
)
def test_what_nobody_reads_afterwards_is_in_nobodys_way(begins: str, behind: str) -> None:
    result = lifted(IN_PLACE.format(begins, behind))
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


def test_the_last_of_what_the_loop_overwrites_isnt_lost_from_sight() -> None:
    """Its twin: the value is stored behind the loop, where the pixel that made it is gone."""
    assert lifted(IN_PLACE.format(" = 3", "*o = v;")).status != "proved"
