"""Unsigned numbers of 64 bits in preconditions: the guard's own arithmetic is signed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.emit.test_source_reads import admitted

SKIPPED = """
void f(u8 *d, int n, uint64_t k) {
    for (int x = 0; x < n; x++) { if (x + k > 0x9000000000ull) continue; d[x] = 1; }
}"""
STATED = """
void f(u8 *d, int n, uint64_t k) {
    // lift: assume(k < 100)
    for (int x = 0; x < n; x++) d[x] = (u8)(d[x] * k / 100);
}"""


def test_the_largest_numbers_are_not_negative_ones(tmp_path: Path) -> None:
    cases = {"m, 4, 0": True, "m, 4, 2147483647": True, "m, 4, 2147483648": False,
             "m, 4, -4": False, "m, 4, INT64_MIN": False}  # fmt: skip
    assert admitted(SKIPPED, list(cases), tmp_path) == list(cases.values())


def test_nor_are_they_where_the_source_says_what_it_takes(tmp_path: Path) -> None:
    cases = {"m, 4, 99": True, "m, 4, 100": False, "m, 4, -4": False}
    assert admitted(STATED, list(cases), tmp_path) == list(cases.values())


LAST_APART = """
void f(u8 *d, const u8 *s, unsigned n) {
    if (n == 0) return;
    for (unsigned x = 0; x < n - 1; x++) d[x] = (s[x] + s[x + 1]) / 2;
    d[n - 1] = s[n - 1];
}"""
SHIFTED = """
void f(u8 *d, const u8 *s, unsigned n, unsigned k) {
    for (unsigned x = 0; x < n; x++) d[x] = s[(int)x + (int)k];
}"""


@pytest.mark.slow
def test_a_size_that_is_converted_is_as_good_as_one_that_is_not(tmp_path: Path) -> None:
    cases = {"m, m + 200, 0": True, "m, m + 200, 1": True, "m, m + 200, 40": True,
             "m, m + 1, 40": False}  # fmt: skip
    assert admitted(LAST_APART, list(cases), tmp_path) == list(cases.values())


def test_where_a_converted_number_moves_a_read_to_overlaps_no_more_than_it_does(
    tmp_path: Path,
) -> None:
    cases = {"m, m + 200, 4, 3": True, "m + 100, m, 4, 96": True, "m + 100, m, 4, 97": False,
             "m + 100, m, 4, 103": False, "m + 100, m, 4, 104": True,
             "m + 100, m, 4, (unsigned)-3": False}  # fmt: skip
    assert admitted(SHIFTED, list(cases), tmp_path) == list(cases.values())
