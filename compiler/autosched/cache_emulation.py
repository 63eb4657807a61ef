"""How many rows of a tile a cache holds before they push each other out (thesis algorithm 1)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .machine import Cache

L2_PREFETCHES = 2
"""Lines that the second level's prefetcher asks for at one access (L2_pref)."""


@lru_cache(maxsize=4096)
def most_rows(
    cache: Cache,
    width: int,
    pitch: int,
    element: int,
    most: int,
    prefetch_distance: int | None = None,
    as_printed: bool = True,
) -> int:
    """maxT_i: the rows of `width` elements, `pitch` elements apart and `element` bytes each, that
    lie in `cache` without interference; at most `most`, and 0 where not even one does.

    Each row's lines take a place in the sets that they are mapped to. With `prefetch_distance`
    (L2_maxpref, in lines) the cache is a second level: half of its sets are left to what constant
    strides prefetch, and the lines that are prefetched near the first row need a place too. Without
    it, it is a first level, which fetches one line beyond each row.

    As printed, line 1 of the algorithm counts elements, not lines, in a way: lc times as many sets
    as there are, and so rows collide later than they would. The thesis' own tiles (listing 4.3: 32
    rows of 512 floats of a matrix with 2048 columns, on an i7) have that bound. Otherwise sets are
    those that the cache has.
    """
    per_line = max(1, cache.line // element)
    sets = max(1, cache.size // (cache.ways * (element if as_printed else cache.line)))
    ways = max(1, cache.ways // cache.shared_by)
    if prefetch_distance is None:
        lines = -(-max(width + per_line, 2 * per_line) // per_line)
    else:
        lines = -(-max(width, per_line) // per_line)
        sets = max(1, sets // 2)
    # A row more than the sets have places for lies in someone's place.
    rows = min(most, sets * ways // lines + 1)
    first = -(-np.arange(rows) * pitch // per_line)
    places = ((first[:, None] + np.arange(lines)) % sets).ravel()
    order = np.argsort(places, kind="stable")
    sorted_places = places[order]
    crowded = order[ways:][sorted_places[ways:] == sorted_places[:-ways]]
    found = int(crowded.min()) // lines if len(crowded) else most
    for row in range(rows if prefetch_distance is not None else 0):
        # As many lines were fetched before this row's as its prefetches run ahead of the first.
        if row >= found or row * lines >= (prefetch_distance or 0):
            break
        taken = np.bincount(places[: (row + 1) * lines], minlength=sets)
        ahead = (first[row] + 1 + np.arange(lines + L2_PREFETCHES - 1)) % sets
        if taken[ahead].max() >= ways:
            return row
    return found


__all__ = ["L2_PREFETCHES", "most_rows"]
