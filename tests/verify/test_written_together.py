"""What compiled code needs of arrays that a call writes: none is empty where another is written,
and sums over their old elements have terms."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel

PARAMETERS = "uint8_t *d, int *h, const uint8_t *s, int n, int m, int k"
TABLE = "for (int k = 0; k < 256; k++) h[k] = 255 - k;"
COUNTS = "for (int x = 0; x < n; x++) h[s[x]]++;"
PIXELS = "for (int x = 0; x < n; x++) d[x] = s[x];"


def lift(body: str) -> FunctionResult:
    result = lift_kernel(kernel(f"{HEADER}void f({PARAMETERS}) {{ {body} }}\n"), LiftOptions())
    assert result.status == "proved", result.diagnostic
    return result


def assumed(result: FunctionResult) -> set[str]:
    assert result.proof is not None
    return {p.text for p in result.proof.preconditions if p.kind == "formula"}


@pytest.mark.sampled(every=8)
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


SUM = "for (int x = 0; x < n; x++) {{ int t = 0; {0} d[x] = d[x] + t; }}"
ELEMENTS = "for (int j = 0; j < m; j++) t += {0}[n + k + j];"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("elements", "expected"),
    [
        (ELEMENTS.format("d"), {"k >= 0", "m > 0"}),
        (ELEMENTS.format("s"), {"k >= 0"}),  # which isn't overwritten, so nothing is copied
        (ELEMENTS.format("d").replace("< m", "< 3"), {"k >= 0"}),
    ],
)
def test_sums_over_what_is_copied_have_terms(elements: str, expected: set[str]) -> None:
    assert assumed(lift("assert(k >= 0);" + SUM.format(elements))) == expected


@pytest.mark.slow
def test_nothing_is_copied_for_an_empty_sum(tmp_path: Path) -> None:
    """The elements that it would begin at lie outside of all memory."""
    body = "assert(k >= 0);" + SUM.format(ELEMENTS.format("d"))
    main = (
        f"void f({PARAMETERS}) {{ {body} }}\n"
        "int main() { static uint8_t d[9] = {5}; f_guarded(d, nullptr, nullptr, 2, 0, 1 << 29);"
        ' f_guarded(d, nullptr, nullptr, 2, 1, 0); printf("%d ", d[0]); }'
    )
    assert run_guarded(lift(body), main, tmp_path) == ["5"]


@pytest.mark.slow
def test_a_table_is_filled_where_there_are_no_pixels(tmp_path: Path) -> None:
    main = (
        f"void f({PARAMETERS}) {{ {TABLE + PIXELS} }}\n"
        "int main() { for (int n = -1; n < 3; n++) { static uint8_t d[9], s[9];"
        ' int h[256] = {}; f_guarded(d, h, s, n, 0, 0); printf("%d ", h[7]); } }'
    )
    assert run_guarded(lift(TABLE + PIXELS), main, tmp_path) == ["248"] * 4
