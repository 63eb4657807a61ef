"""Windows of a few pixels that are put in order by exchanges: medians, trimmed means."""

from __future__ import annotations

import pytest

from compiler.ir import Select, postorder
from tests.verify.differential import difference, lifted

SORTED = (
    "void f(u8 *d, const signed char *s, int n) {{ int v[3]; for (int x = 0; x < n; x++) {{"
    " for (int k = 0; k < 3; k++) v[k] = s[x + k];"
    " for (int i = 2; i > 0; i--) for (int j = 0; j < i; j++) if ({})"
    " {{ int t = v[j]; v[j] = v[j + 1]; v[j + 1] = t; }} d[x] = {}; }} }}"
)


def test_exchanges_are_lesser_and_greater_numbers() -> None:
    result = lifted(SORTED.format("v[j] > v[j + 1]", "v[1] + v[2]"))
    assert result.status == "proved", result.diagnostic
    assert not any(isinstance(n, Select) for n in postorder(result.summaries[0].expression))
    assert difference(result) is None


ORDERS = {
    "as numbers without a sign": "(unsigned)v[j] > (unsigned)v[j + 1]",
    "of some bits": "(v[j] & 15) > (v[j + 1] & 15)",
    "the other way about": "v[j] <= v[j + 1]",
    "by what isn't exchanged": "v[j] > v[2 - j]",
}


@pytest.mark.parametrize("way", ORDERS)
def test_exchanges_by_another_order_are_choices(way: str) -> None:
    result = lifted(SORTED.format(ORDERS[way], "v[1]"), timeout=20.0)
    assert result.status != "proved" or difference(result, 60) is None
