"""Unsigned numbers of 64 bits in preconditions: the guard's own arithmetic is signed."""

from __future__ import annotations

from pathlib import Path

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
