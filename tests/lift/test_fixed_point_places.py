"""Places in fixed point of 64 bits, of which the upper 32 say the element, lifted end to end."""

from __future__ import annotations

import pytest

from compiler.ir import I32, I64, Cast, Expr, Mul, Shr, Variable, const
from lifter.dag import Ranges, StrictIndexer
from tests.verify.differential import difference, lifted

PARAMETERS = "u8 *d, const u8 *s, int n, unsigned w, int64_t step"
PLACES = {
    "steps": (
        "int64_t pos = 0; for (int i = 0; i < n; i++, pos += step) d[i] = s[pos >> 32];",
        "s(int32(step * int64(x) >> 32))",
    ),
    "from a start": (
        "int64_t pos = 5; for (int i = 0; i < n; i++) { d[i] = s[pos >> 33]; pos += step; }",
        "s(int32(step * int64(x) + 5 >> 33))",
    ),
    "a test": (
        "for (int i = 0; i < n; i++) d[i] = i * 0x100000000ll < step ? s[i] : s[i + 1];",
        "select(int64(x) * 4294967296 < step, s(x), s(x + 1))",
    ),
}


@pytest.mark.parametrize("way", PLACES)
def test_numbers_that_32_bits_do_not_hold_are_computed_in_64(way: str) -> None:
    body, wanted = PLACES[way]
    result = lifted(f"void f({PARAMETERS}) {{ {body} }}")
    assert result.status == "proved", result.diagnostic
    assert str(result.summaries[0].expression) == wanted
    assert difference(result) is None


@pytest.mark.parametrize(
    "place",
    [
        "(i * step) & 0x1ffffffffll",  # more than 32 bits of it are left
        pytest.param("(i * step) % 0x300000001ll", marks=pytest.mark.slow),
    ],
)
def test_a_place_of_more_than_32_bits_is_none(place: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ for (int i = 0; i < n; i++) d[i] = s[{place}]; }}")
    assert result.status != "proved"


def test_a_guard_does_not_compute_what_64_bits_may_not_hold() -> None:
    """The original's last place fits; that of a call without iterations needn't."""
    by = "const int64_t by = ((int64_t)w << 32) / 7;"
    body = f"{by} for (int i = 0; i < n; i++) d[i] = s[i * by >> 32];"
    result = lifted(f"void f({PARAMETERS}) {{ {body} }}")
    assert result.status == "unproved" and result.diagnostic is not None
    assert result.diagnostic.code == "few-calls"


def test_coordinates_of_64_bits_claim_to_fit_them_where_they_are_divided() -> None:
    claims: list[Expr] = []
    a, b = Variable("a", I64), Variable("b", I64)
    ranges = Ranges({"a": I32, "b": I32})
    indexer = StrictIndexer(ranges, lambda formula, _: claims.append(formula))
    indexer.coordinate(Cast(I32, Shr(Mul(a, b), const(32, I64))))
    assert not claims
    indexer.coordinate(Cast(I32, Shr(Mul(Mul(a, b), const(1 << 20, I64)), const(53, I64))))
    value = "a * b * 1048576"
    assert [str(claim) for claim in claims] == [
        f"{value} >= -9223372036854775808",
        f"{value} <= 9223372036854775807",
    ]
