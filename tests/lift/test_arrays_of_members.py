"""Members of structures that are arrays of the library's."""

from __future__ import annotations

import pytest

from tests.parse.parsing import failure
from tests.verify.differential import difference, lifted

RECORDS = """
#include <array>
struct Two { std::array<int, 4> n, m; int g; };
struct Led { int a; Two in; };
struct Base { std::array<int, 4> n; };
struct Same : Base { std::array<int, 4> n; };
"""

MEMBERS = {
    "are read": "(int *d, const int *s, const Two &k)"
    " { for (int i = 0; i < 9; i++) d[i] = s[i] * k.n[1] + k.m[2] + k.g; }",
    "are stored to": "(Two &k, const int *s)"
    " { for (int i = 0; i < 4; i++) k.m[i] = s[i] + k.n[3 - i]; }",
    "behind a pointer": "(Two *k, const int *s) { for (int i = 0; i < 4; i++) k->m[i] = s[i]; }",
    "within another": "(Led &k, const int *s)"
    " { for (int i = 0; i < 4; i++) k.in.m[i] = s[i] + k.in.n[i]; }",
    "by value": "(int *d, Two k) { for (int i = 0; i < 4; i++) d[i] = k.m[i] - k.n[i]; }",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", MEMBERS)
def test_each_member_is_an_array(way: str) -> None:
    result = lifted(f"{RECORDS}void f{MEMBERS[way]}")
    assert result.status == "proved", result.diagnostic
    assert difference(result, 30) is None


def test_members_of_one_name_are_not_one() -> None:
    body = "for (int i = 0; i < 4; i++) d[i] = k.Base::n[i] - k.n[i];"
    error = failure(f"{RECORDS}void f(int *d, const Same &k) {{ {body} }}\n")
    assert "has the name of another member" in str(error)
