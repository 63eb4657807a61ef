"""The boxes that the guarded entry compares hold every element that is read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from compiler.ir import (
    I16,
    I32,
    I64,
    NE,
    U8,
    U32,
    Add,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Const,
    Expr,
    Mod,
    Mul,
    Neg,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    Variable,
    evaluate,
    substitute,
)
from lifter.emit.accesses import accesses
from lifter.model.summary import Dimension, Layout, Summary
from tests.emit.test_source_reads import admitted

X = Variable("x", I32)
PIXEL = Call("src", (X,), U8, "image")
ONE = Const(I64, 1)
FOUR = Const(I32, 4)
C31 = Const(I32, 31)


def box_of_table_at(place: Expr, **given: int) -> tuple[int, int]:
    """Bounds of the elements of `table` in out(x) = table(place), for 0 <= x < 10."""
    region = (Dimension(X, Const(I64, 0), Const(I64, 10)),)
    layouts = {n: Layout(n, (ONE,), Const(I64, 0)) for n in ("out", "src", "table")}
    value = Call("table", (place,), U8, "image")
    summary = Summary("out", "out", "pure", region, layouts, (value,), value)
    (((low, high),),) = accesses(summary, {})["table"]
    return int(evaluate(low, given)), int(evaluate(high, given))


def test_a_table_looked_up_at_a_byte_has_256_elements():
    assert box_of_table_at(Cast(I32, PIXEL)) == (0, 255)


@pytest.mark.parametrize(
    "wrapping", [Add(PIXEL, PIXEL), Sub(PIXEL, Const(U8, 1)), Sub(Const(U8, 0), PIXEL)]
)
def test_bytes_that_wrap_reach_all_256_elements(wrapping):
    assert box_of_table_at(Cast(I32, wrapping)) == (0, 255)


def test_a_number_that_may_wrap_to_a_negative_one_reaches_below_zero():
    place = Cast(I32, Sub(Cast(U32, PIXEL), Const(U32, 1)))
    low, high = box_of_table_at(place)
    assert low <= -1 and high >= 254


WIDE = Call("src", (X,), I64, "image")
EVERYWHERE = (I64.min, I64.max)


@pytest.mark.parametrize(
    "place, box",
    [
        (Add(WIDE, Const(I64, 1)), EVERYWHERE),
        (Sub(WIDE, Const(I64, 1)), EVERYWHERE),
        (Mul(WIDE, Const(I64, 3)), EVERYWHERE),
        (Neg(WIDE), EVERYWHERE),
        (Mod(Add(WIDE, Const(I64, 1 << 31)), Const(I64, 4)), (0, 3)),
    ],
)
def test_bounds_of_what_may_leave_64_bits_are_those_of_64_bits(place, box):
    assert box_of_table_at(place) == box


BYTE = Cast(I32, PIXEL)
OF_BITS = {
    "complement": (BitNot(BYTE), lambda v: ~v),
    "with negative bits": (BitXor(BYTE, Const(I32, -3)), lambda v: v ^ -3),
    "all high bits set": (BitOr(BYTE, Const(I32, -8)), lambda v: v | -8),
    "with its own bits": (BitOr(X, BitAnd(X, Const(I32, 3))), lambda v: v | v & 3),
    "with some of its bits changed": (BitXor(BitAnd(X, Const(I32, 3)), X), lambda v: v ^ v & 3),
    "bits of two": (BitAnd(X, BitNot(X)), lambda v: 0),
    "not negative": (BitAnd(Sub(X, FOUR), BitNot(Shr(Sub(X, FOUR), C31))), lambda v: max(v - 4, 0)),
    "not positive": (BitAnd(Shr(Sub(X, FOUR), C31), Sub(X, FOUR)), lambda v: min(v - 4, 0)),
    "shifted by itself": (Shr(Sub(X, FOUR), BitAnd(X, Const(I32, 1))), lambda v: v - 4 >> (v & 1)),
    "grown by itself": (Shl(Sub(X, FOUR), BitAnd(X, Const(I32, 1))), lambda v: v - 4 << (v & 1)),
    "halved toward zero": (TruncDiv(Sub(X, FOUR), Const(I32, 2)), lambda v: int((v - 4) / 2)),
    "divided by less than zero": (TruncDiv(X, Const(I32, -2)), lambda v: int(v / -2)),
    "shifted by any amount": (Shr(Sub(X, FOUR), X), lambda v: v - 4 >> v),
}


@pytest.mark.parametrize("case", OF_BITS)
def test_bits_of_a_place_lie_in_the_box(case):
    place, value = OF_BITS[case]
    low, high = box_of_table_at(place)
    values = range(256) if BYTE in place.children else range(10)
    reached = [value(v) for v in values]
    assert low <= min(reached) and max(reached) <= high
    assert low >= min(reached) - 15 and high <= max(reached) + 15


@pytest.mark.parametrize("mask", [0, 63, 0x80000005, 0xFFFFFFFF])
def test_what_a_mask_leaves_of_a_position_is_no_more_than_the_mask(mask):
    position = Shr(Cast(U32, Mul(X, Const(I32, 77777))), Const(U32, 16))
    place = Cast(I32, BitAnd(position, Variable("mask", U32)))
    low, high = box_of_table_at(place, mask=mask)
    assert (low, high) == (0, min(mask, 0xFFFF))


AROUND = """
void f(u8 *d, const u8 *s, int w, int h) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) d[y * w + x] = s[y * w + (x + w - 1) % w];
}"""
NEAREST = """
void f(u8 *d, const u8 *s, int w, int n) {
    for (int i = 0; i < n; i++) d[i] = s[i * w / n];
}"""


@pytest.mark.slow
def test_what_is_read_around_the_border_is_a_row(tmp_path: Path) -> None:
    cases = {"m, m + 400, 20, 10": True, "m + 400, m, 20, 10": True, "m, m + 400, 1, 1": True,
             "m, m + 100, 20, 10": False, "m + 199, m, 20, 10": False, "m, m, 0, 9": True,
             }  # fmt: skip
    assert admitted(AROUND, list(cases), tmp_path) == list(cases.values())


@pytest.mark.slow
def test_what_a_scaled_line_reads_is_the_line(tmp_path: Path) -> None:
    cases = {"m, m + 100, 50, 100": True, "m + 51, m, 50, 100": True, "m + 300, m, 200, 9": True,
             "m + 49, m, 50, 100": False, "m, m + 99, 50, 100": False, "m, m, 50, 0": True,
             }  # fmt: skip
    assert admitted(NEAREST, list(cases), tmp_path) == list(cases.values())


BY_TABLE = """
void f(u8 *d, const u8 *s, int n) {
    static const int order[4] = {2, 1, 0, 3};
    for (int i = 0; i < n; i++) for (int k = 0; k < 4; k++) d[4 * i + k] = s[4 * i + order[k]];
}"""


@pytest.mark.slow
def test_a_constant_table_leads_no_further_than_its_numbers(tmp_path: Path) -> None:
    cases = {"m, m + 40, 10": True, "m + 40, m, 10": True, "m, m + 39, 10": False,
             "m + 39, m, 10": False, "m, m, 10": False}  # fmt: skip
    assert admitted(BY_TABLE, list(cases), tmp_path) == list(cases.values())
    assert "2147483648" not in (tmp_path / "f" / "pipeline.py").read_text()


@pytest.mark.slow
def test_a_constant_table_of_the_other_sign_counts_too(tmp_path: Path) -> None:
    source = BY_TABLE.replace("{2, 1, 0, 3}", "{-2, 7, -1, 3}")
    cases = {"m, m + 45, 10": True, "m, m + 41, 10": False, "m + 44, m, 10": True,
             "m + 43, m, 10": False}  # fmt: skip
    assert admitted(source, list(cases), tmp_path) == list(cases.values())


CHOSEN = """
void f(u8 *d, const u8 *s, const int *j, int n, int k) {
    for (int i = 0; i < n; i++) d[i] = %s ? s[j[i]] : 0;
}"""


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "condition",
    ["j[i] >= 0 && j[i] < k", "(unsigned)j[i] < (unsigned)k", "!(j[i] < 0 || k <= j[i])"],
)
def test_a_condition_on_a_number_bounds_what_is_looked_up_with_it(
    condition: str, tmp_path: Path
) -> None:
    # The numbers themselves lie far from both: j is the memory's end.
    far = "(int *)(m + 2000)"
    cases = {f"m, m + 10, {far}, 10, 5": True, f"m + 5, m, {far}, 10, 5": True,
             f"m + 4, m, {far}, 10, 5": False, f"m, m + 9, {far}, 10, 5": False,
             f"m, m, {far}, 10, 0": True, f"m, m, {far}, 0, 9": True}  # fmt: skip
    assert admitted(CHOSEN % condition, list(cases), tmp_path) == list(cases.values())


@pytest.mark.slow
def test_a_negative_size_without_its_sign_bounds_nothing(tmp_path: Path) -> None:
    far = "(int *)(m + 2000)"
    cases = {f"m, m + 100, {far}, 10, -1": False, f"m, m + 100, {far}, 10, 5": True}
    source = CHOSEN % "(unsigned)j[i] < (unsigned)k"
    assert admitted(source, list(cases), tmp_path) == list(cases.values())


def test_a_size_of_64_bits_may_be_any(tmp_path: Path) -> None:
    far = "(int *)(m + 2000)"
    cases = {f"m, m + 100, {far}, 10, (size_t)-3": False, f"m, m + 100, {far}, 10, 5": True}
    source = (CHOSEN % "(size_t)j[i] < k").replace("int k", "size_t k")
    assert admitted(source, list(cases), tmp_path) == list(cases.values())


GATHERED = """
void f(u8 *d, const u8 *s, const int *j, int n) { for (int i = 0; i < n; i++) d[i] = s[j[i]]; }"""
ZOOMED = """
void f(u8 *d, const u8 *s, const int *across, const int *down, int w, int h, int stride) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) d[y * w + x] = s[down[y] * stride + across[x]];
}"""


def test_what_is_looked_up_by_any_number_is_where_the_numbers_lead(tmp_path: Path) -> None:
    j = "(static_cast<int *>(j))"
    numbers = "static int j[5] = {3, -2, 7, 0, 99};\n"
    cases = {f"m, m + 12, {j}, 4": True, f"m, m + 5, {j}, 4": False, f"m, m + 6, {j}, 4": True,
             f"m + 8, m, {j}, 4": True, f"m + 7, m, {j}, 4": False, f"m + 8, m, {j}, 5": False,
             f"m + 1, m, {j} + 2, 1": True, f"m, m, {j}, 0": True, "m, m, (int *)0, 0": True,
             f"m, (u8 *)j + 4, {j}, 4": True, f"(u8 *)j, m, {j}, 4": False}  # fmt: skip
    assert admitted(numbers + GATHERED, list(cases), tmp_path) == list(cases.values())


def test_numbers_of_rows_and_columns_are_looked_at_apart(tmp_path: Path) -> None:
    numbers = "static int a[3] = {2, 0, 1}, b[2] = {1, 3};\n"
    cases = {"m, m + 6, a, b, 3, 2, 10": True, "m + 33, m, a, b, 3, 2, 10": True,
             "m + 32, m, a, b, 3, 2, 10": False, "m, m - 4, a, b, 3, 2, 10": True,
             "m, m - 5, a, b, 3, 2, 10": False, "m, m, (int *)0, b, 0, 2, 10": True,
             # Without columns, the original looks at no number of a row.
             "m, m, a, (int *)8, 0, 2, 10": True, "m, m, (int *)8, b, 3, 0, 10": True,
             }  # fmt: skip
    assert admitted(numbers + ZOOMED, list(cases), tmp_path) == list(cases.values())


N, BITS = Variable("n", I32), Variable("bits", I32)
ALL_BITS = Sub(Shl(Const(U32, 1), Cast(U32, BITS)), Const(U32, 1))
CLIPPED = Select(
    NE(Shr(Cast(U32, PIXEL), Cast(U32, BITS)), Const(U32, 0)), ALL_BITS, Cast(U32, PIXEL)
)


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "place",
    [
        Shr(CLIPPED, Cast(U32, Sub(BITS, FOUR))),
        Add(Shr(CLIPPED, Cast(U32, Sub(BITS, FOUR))), Const(U32, 1)),
        Add(Cast(U32, PIXEL), Cast(U32, N)),
        Sub(Cast(U32, PIXEL), Cast(U32, N)),
        Add(Cast(U32, N), Const(U32, 1)),
        Sub(ALL_BITS, Cast(U32, PIXEL)),
        Cast(U8, Add(Cast(I32, PIXEL), N)),
        Cast(I16, Add(Cast(I32, PIXEL), Mul(N, FOUR))),
        Cast(U8, N),
        # What has a sign may wrap where it stands for what has none.
        Shr(Cast(U32, Mul(N, Cast(I32, PIXEL))), Const(U32, 8)),
        Add(Cast(U32, Add(N, Cast(I32, PIXEL))), Const(U32, 3)),
        Sub(Cast(U32, Sub(N, BITS)), Const(U32, 3)),
    ],
    ids=str,
)
def test_numbers_without_sign_lie_between_their_ends_where_they_wrap_too(place: Expr) -> None:
    pixel, pixels = Variable("p", U8), np.arange(256, dtype=np.uint8)
    for n in (0, 1, -1, 5, -300, 255, 256, 70000, 2**31 - 1, -(2**31)):
        for bits in (4, 7, 8, 9, 16, 31):
            values = evaluate(
                substitute(place, {PIXEL: pixel}), {"n": n, "bits": bits, "p": pixels}
            )
            low, high = box_of_table_at(Cast(I32, place), n=n, bits=bits)
            found = values.astype(np.int64).astype(np.int32)
            assert low <= found.min() and found.max() <= high, (n, bits)


def test_a_table_that_is_looked_up_by_clipped_bits_is_small() -> None:
    place = Cast(I32, Shr(CLIPPED, Cast(U32, Sub(BITS, FOUR))))
    assert box_of_table_at(place, bits=10, n=0) == (0, 1023)
    assert box_of_table_at(Cast(I32, Add(Cast(U32, N), Cast(U32, PIXEL))), n=40) == (40, 295)
