"""Lambdas of one function are different functions, and so are instances of a template for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.ir import U8
from lifter.parse import parse_file
from lifter.verify.interpret import run
from lifter.verify.memory import Memory

EACH = """
template <typename Op> static void each(unsigned char *d, int n, Op op)
{
    for (int i = 0; i < n; i++) d[i] = op(d[i]);
}
"""
PAIRS = {
    "chosen": (
        """void f(unsigned char *d, int n, int k) {
    if (k == 0) each(d, n, [](unsigned char v) { return (unsigned char)(v / 2); });
    else each(d, n, [](unsigned char v) { return (unsigned char)(v ^ 255); });
}""",
        {0: [5, 100], 1: [245, 55]},
    ),
    "in turn": (
        """void f(unsigned char *d, int n, int k) {
    each(d, n, [k](unsigned char v) { return (unsigned char)(v + k); });
    each(d, n, [k](unsigned char v) { return (unsigned char)(v * k); });
}""",
        {0: [0, 0], 3: [39, 97]},
    ),
    "in one line of a macro": (
        """#define TWO(d, n) each(d, n, [](unsigned char v) { return (unsigned char)(v + 1); }), \\
    each(d, n, [](unsigned char v) { return (unsigned char)(v * 2); })
void f(unsigned char *d, int n, int k) { TWO(d, n); }""",
        {0: [22, 146]},
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_two_lambdas_stay_two(name: str, tmp_path: Path) -> None:
    text, expected = PAIRS[name]
    path = tmp_path / "two.cpp"
    path.write_text(EACH + text)
    parsed = parse_file(path)
    (kernel,) = (k for k in parsed.kernels if k.name == "f")
    for k, values in expected.items():
        memory = Memory.of(U8, [10, 200])
        run(kernel.body, {"n": 2, "k": k}, {"d": memory}, kernel.arrays, kernel.functions, 1000)
        assert [memory.cells[(i,)] for i in range(2)] == values
