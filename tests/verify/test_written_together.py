"""Arrays that one call writes: none of them may be empty where another is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift_function import LiftOptions, lift_kernel
from lifter.lifted import FunctionResult
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel

TABLE = "for (int k = 0; k < 256; k++) h[k] = 255 - k;"
COUNTS = "for (int x = 0; x < n; x++) h[s[x]]++;"
PIXELS = "for (int x = 0; x < n; x++) d[x] = s[x];"


def lift(body: str) -> FunctionResult:
    parameters = "uint8_t *d, int *h, const uint8_t *s, int n, int m"
    result = lift_kernel(kernel(f"{HEADER}void f({parameters}) {{ {body} }}\n"), LiftOptions())
    assert result.status == "proved", result.diagnostic
    return result


def assumed(result: FunctionResult) -> set[str]:
    assert result.proof is not None
    return {p.text for p in result.proof.preconditions if p.kind == "formula"}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (TABLE + PIXELS, {"n > 0"}),
        (TABLE + COUNTS + PIXELS, {"n > 0"}),
        ("h[0] = n;" + PIXELS, {"n > 0"}),
        ("for (int x = 0; x < m; x++) h[x] = n;" + PIXELS, {"m > 0", "n > 0"}),
        (COUNTS + "for (int x = 0; x < m; x++) d[x] = s[x];", {"m > 0"}),
        # what has elements wherever another has some
        (COUNTS + PIXELS, set()),
        ("for (int x = 0; x < n; x++) h[x] = n;" + PIXELS, set()),
        ("h[0] = n; if (n < 9) return;" + PIXELS, {"n > 0"}),
        (TABLE, set()),
        (PIXELS, set()),
    ],
)
def test_all_arrays_have_elements_where_one_is_written(body: str, expected: set[str]) -> None:
    assert assumed(lift(body)) == expected


@pytest.mark.slow
def test_a_table_is_filled_where_there_are_no_pixels(tmp_path: Path) -> None:
    main = (
        f"void f(uint8_t *d, int *h, const uint8_t *s, int n, int m) {{ {TABLE + PIXELS} }}\n"
        "int main() { for (int n = -1; n < 3; n++) { static uint8_t d[9], s[9];"
        ' int h[256] = {}; f_guarded(d, h, s, n, 0); printf("%d ", h[7]); } }'
    )
    assert run_guarded(lift(TABLE + PIXELS), main, tmp_path) == ["248"] * 4
