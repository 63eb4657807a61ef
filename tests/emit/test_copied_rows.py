"""Which tables of rows a guard copies where their rows lie anywhere, and what of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.emit import emit
from lifter.emit.header import header_text
from lifter.emit.interface import load_interface
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import kernel


def lift(body: str, parameters: str) -> FunctionResult:
    text = f"typedef unsigned char u8;\nvoid f({parameters}) {{ {body} }}\n"
    return lift_kernel(kernel(text), LiftOptions())


SUM = """for (int x = 0; x < w; x++) {{ int sum = 0;
    for (int k = 0; k < n; k++) sum += {};
    {} }}"""


def test_what_the_original_reads_is_copied(tmp_path: Path) -> None:
    result = lift(SUM.format("s[k + first][x] * f[k]", "d[x] = sum / 64;"),
                  "u8 *d, u8 **s, const int *f, int w, int n, int first")  # fmt: skip
    assert result.status == "proved"
    emit(result, tmp_path)
    interface = load_interface(tmp_path)
    (table,) = interface.copied
    (read,) = table.reads
    assert (table.array, repr(read.element)) == ("s", "lift_at0")
    assert repr(read.row) in ("first + lift_at1", "lift_at1 + first")
    text = header_text(interface)
    assert "if (f_in_copies(" in text
    assert "for (int64_t lift_at1 = 0; lift_at1 <= (int64_t)n - 1; lift_at1++)" in text


@pytest.mark.slow
def test_rows_in_pairs_and_an_odd_one_are_copied_under_its_condition(tmp_path: Path) -> None:
    body = """for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {
        int sum = 0, k = y * n;
        for (; k < (y + 1) * n - 1; k += 2) sum += s[k][x] + s[k + 1][x];
        if (n & 1) sum += s[k][x];
        d[y][x] = sum / 8; }"""
    result = lift(body, "u8 **d, u8 **s, int w, int h, int n")
    assert result.status == "proved"
    emit(result, tmp_path)
    tables = {table.array: table.reads for table in load_interface(tmp_path).copied}
    assert tables["d"] == () and len(tables["s"]) == 3
    assert [repr(r.condition) for r in tables["s"] if r.condition] == ["(n & 1) != 0"]


@pytest.mark.parametrize(
    ("body", "parameters"),
    [
        ("d[y] = s[y][3];", "u8 *d, u8 **s, int n"),
        ("d[y][c] = s[y][0] + 1;", "u8 **d, u8 **s, int n, int c"),
    ],
)
def test_a_column_is_copied_from_rows_that_lie_anywhere(
    body: str, parameters: str, tmp_path: Path
) -> None:
    result = lift(f"for (int y = 0; y < n; y++) {body}", parameters)
    assert result.status == "proved", result.diagnostic
    emit(result, tmp_path)
    assert {table.array for table in load_interface(tmp_path).copied} >= {"s"}


@pytest.mark.parametrize(
    ("body", "parameters"),
    [
        # Pixels say which elements are read.
        (SUM.format("s[k][at[x]]", "d[x] = sum;"), "u8 *d, u8 **s, const u8 *at, int w, int n"),
        # The rows are the same ones in the loops inside: these lift by themselves, without copies.
        (
            "for (int y = 1; y < n; y++) for (int x = 0; x < w; x++) d[y][x] = s[y - 1][x];",
            "u8 **d, u8 **s, int w, int n",
        ),
        # Elements may be left alone.
        (
            "for (int y = 0; y < n; y++) for (int x = 0; x < w; x++) "
            "if (s[x][y] > 7) d[y][x] = s[x][y];",
            "u8 **d, u8 **s, int w, int n",
        ),
    ],
)
def test_other_rows_must_be_evenly_spaced(body: str, parameters: str) -> None:
    result = lift(body, parameters)
    assert result.diagnostic is not None and result.diagnostic.code == "few-calls", result.status
