"""Where a counter is that a loop leaves, as the greater of where it began and its end."""

from __future__ import annotations

import pytest

from compiler.ir import to_text
from tests.verify.differential import difference, lifted


@pytest.mark.parametrize(
    ("known", "loop", "left"),
    [
        ("k < n", "i < n; i++", "max(n, k)"),
        ("k > n", "i > n; i--", "min(n, k)"),
        ("k < n - 1", "i + 1 < n; i++", "max(n - 1, k)"),
        ("k < n", "i < n; i += 2", None),
    ],
)
def test_what_a_loop_leaves_of_its_counter(known: str, loop: str, left: str | None) -> None:
    result = lifted(
        f"void f(u8 *d, int *at, int n, int k) {{ assert({known}); int i = k;"
        f" for (; {loop}) d[i] = 7; *at = i; }}"
    )
    assert result.status == "proved" or left is None, result.diagnostic
    assert result.status != "proved" or difference(result) is None
    shown = [to_text(s.expression) for s in result.summaries if s.output == "at"]
    assert left is None or shown == [left]
