"""How many rows lie in a cache at once: those whose lines find a place in its sets."""

from __future__ import annotations

import pytest

from compiler.autosched.cache_emulation import most_rows
from compiler.autosched.machine import Cache

LINE, SETS, WAYS = 64, 64, 4
CACHE = Cache(SETS * WAYS * LINE, LINE, WAYS)
PER_LINE = LINE // 4


@pytest.mark.parametrize(("lines_apart", "rows"), [(64, 4), (32, 8), (16, 16)])
def test_rows_that_share_sets_push_one_another_out(lines_apart: int, rows: int) -> None:
    pitch = lines_apart * PER_LINE
    assert most_rows(CACHE, PER_LINE, pitch, 4, 100, as_printed=False) == rows


@pytest.mark.parametrize(("lines_apart", "rows"), [(64, 4), (32, 4), (16, 8), (8, 16)])
def test_half_of_a_second_level_is_left_to_what_is_prefetched(lines_apart: int, rows: int) -> None:
    pitch = lines_apart * PER_LINE
    assert most_rows(CACHE, PER_LINE, pitch, 4, 100, 0, as_printed=False) == rows


def test_no_more_rows_than_are_asked_for() -> None:
    assert most_rows(CACHE, PER_LINE, PER_LINE, 4, 7, as_printed=False) == 7


def test_threads_that_share_a_cache_have_fewer_ways_each() -> None:
    shared = Cache(SETS * WAYS * LINE, LINE, WAYS, shared_by=2)
    assert most_rows(shared, PER_LINE, 64 * PER_LINE, 4, 100, as_printed=False) == 2
