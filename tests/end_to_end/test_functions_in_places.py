"""Tables that are looked up through functions: `curve[clip(src[x], 0, 255)]`."""

from __future__ import annotations

from pathlib import Path

import pytest

from compiler.ir import to_text
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel

CLIP = """
static int clip(int v, int low, int high) {
    if (v < low) return low;
    return v > high ? high : v;
}
"""
FILLED = "uint8_t curve[256]; for (int i = 0; i < 256; i++) curve[i] = (uint8_t)(255 - i);"


def lift(place: str, table: str = FILLED, before: str = CLIP) -> FunctionResult:
    loop = f"for (int x = 0; x < w; x++) d[x] = curve[{place}];"
    parameters = "uint8_t *d, const uint8_t *s, const int16_t *t, int w, int k"
    return lift_kernel(
        kernel(f"{HEADER}{before}void f({parameters}) {{ {table} {loop} }}\n"), LiftOptions()
    )


def definition(result: FunctionResult) -> str:
    assert result.status == "proved", result.diagnostic
    return to_text(result.summaries[-1].expression)


def test_the_function_keeps_its_name() -> None:
    found = definition(lift("clip(s[x], 0, 255)"))
    assert found == "curve(clip(int32(s(x)), 0, 255))"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    ("place", "expected"),
    [
        # of an int16 the compiler can't tell that the selections keep it inside of the table
        ("clip(t[x], 0, 255)", "curve(max(min(clip(int32(t(x)), 0, 255), 255), 0))"),
        ("clip(s[x], 0, 300)", "curve(min(clip(int32(s(x)), 0, 300), 255))"),
        ("clip(t[x], 0, 300)", "curve(max(min(clip(int32(t(x)), 0, 300), 255), 0))"),
        ("clip(t[x], -9, 255)", "curve(max(min(clip(int32(t(x)), -9, 255), 255), 0))"),
    ],
)
def test_what_may_leave_the_table_is_clamped(place: str, expected: str) -> None:
    assert definition(lift(place)) == expected


def test_a_constant_table_is_looked_up_through_functions_too() -> None:
    entries = ", ".join(str(i * 7 % 256) for i in range(256))
    table = f"static const uint8_t curve[256] = {{ {entries} }};"
    assert "clip(int32(s(x)), 0, 255)" in definition(lift("clip(s[x], 0, 255)", table))


@pytest.mark.parametrize("place", ["x", "k"])
def test_functions_of_places_and_numbers_are_opened(place: str) -> None:
    opened = f"curve(select({place} < 0, 0, select({place} > 255, 255, {place})))"
    assert definition(lift(f"clip({place}, 0, 255)")) == opened


def test_functions_of_places_that_are_no_choice_need_a_grammar() -> None:
    square = "static int square(int v) { return v * v & 255; }\n"
    result = lift("square(x)", before=square)
    assert result.status != "proved"


@pytest.mark.slow
def test_lifted_code_looks_up_what_the_original_does(tmp_path: Path) -> None:
    result = lift("clip(t[x] - k, 0, 255)")
    main = """
    static int originals;
    void f(uint8_t *, const uint8_t *, const int16_t *, int, int) { originals++; }
    int main() {
        uint8_t d[70]; int16_t t[70];
        for (int i = 0; i < 70; i++) t[i] = (int16_t)(i * 37 - 900);
        for (int k = -40000; k <= 40000; k += 1600) {
            f_guarded(d, 0, t, 70, k);
            for (int i = 0; i < 70; i++) {
                int v = t[i] - k < 0 ? 0 : t[i] - k > 255 ? 255 : t[i] - k;
                if (d[i] != 255 - v) printf("wrong:%d:%d\\n", k, i);
            }
        }
        printf("%d\\n", originals);
    }
    """
    assert run_guarded(result, main, tmp_path) == ["0"]


@pytest.mark.slow
def test_tables_of_tables_that_nobody_reads_are_left_out() -> None:
    tables = """uint8_t a[256], b[256];
        for (int i = 0; i < 256; i++) a[i] = i ^ 3;
        for (int i = 0; i < 256; i++) b[i] = a[i] + 1;"""
    loop = "for (int x = 0; x < w; x++) d[x] = s[x] {} 255 ? b[s[x]] : s[x];"
    head = f"{HEADER}void f(uint8_t *d, const uint8_t *s, int w) {{ {tables} "
    unread = lift_kernel(kernel(f"{head}{loop.format('>')} }}"), LiftOptions())
    assert [s.output for s in unread.summaries] == ["d"]
    read = lift_kernel(kernel(f"{head}{loop.format('<')} }}"), LiftOptions())
    assert [s.output for s in read.summaries] == ["a", "b", "d"]
