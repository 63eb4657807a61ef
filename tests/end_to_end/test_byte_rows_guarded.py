"""Rows of floats and words over bytes, built and called: the pitch decides who runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel

FENCED = Path(__file__).parents[1] / "fenced.h"
SOURCE = """
void f(uint8_t *d, const void *s, int pitch, int w, int h) {{
    for (int y = 0; y < h; y++) {{
        {0} *p = ({0} *)(d + y * pitch);
        const {0} *q = (const {0} *)((const uint8_t *)s + (h - 1 - y) * pitch);
        for (int x = 0; x < w; x++) p[x] = p[x] + 2 * q[x];
    }}
}}
"""

MAIN = """
#include <cstring>
#include "{1}"
static int originals;
void f(uint8_t *d, const void *s, int pitch, int w, int h) {{
    originals++;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {{
            {0} a, b;
            memcpy(&a, d + y * pitch + x * sizeof a, sizeof a);
            memcpy(&b, (const uint8_t *)s + (h - 1 - y) * pitch + x * sizeof a, sizeof a);
            a = a + 2 * b;
            memcpy(d + y * pitch + x * sizeof a, &a, sizeof a);
        }}
}}
int main() {{
    for (int extra = 0; extra < 9; extra++) for (int end = 0; end < 2; end++) {{
        int w = 19, h = 7, pitch = w * (int)sizeof({0}) + extra;
        int size = (h - 1) * pitch + w * (int)sizeof({0});
        uint8_t *one = fenced(size, end), *other = fenced(size, end), *source = fenced(size, end);
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {{
                {0} v = ({0})(y * 31 + x * 7);
                memcpy(one + y * pitch + x * sizeof v, &v, sizeof v);
                memcpy(source + y * pitch + x * sizeof v, &v, sizeof v);
            }}
        memcpy(other, one, size);
        read_only(source, size);
        originals = 0;
        f_guarded(one, source, pitch, w, h);
        int ran = originals;
        f(other, source, pitch, w, h);
        printf("%d%s\\n", ran, memcmp(one, other, size) ? "!" : "");
    }}
}}
"""


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize(
    ("element", "expected"),
    [("float", [0, 1, 1, 1, 0, 1, 1, 1, 0]), ("uint16_t", [0, 1, 0, 1, 0, 1, 0, 1, 0])],
)
def test_lifted_code_runs_where_the_pitch_is_a_whole_number_of_elements(
    element: str, expected: list[int], tmp_path: Path
) -> None:
    result = lift_kernel(kernel(HEADER + SOURCE.format(element)), LiftOptions())
    assert result.status == "proved", result.diagnostic
    found = run_guarded(result, MAIN.format(element, FENCED), tmp_path)
    assert found == [str(n) for n in expected for _ in range(2)]
