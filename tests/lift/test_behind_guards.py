"""What branches around loops say of parameters: quotients of sizes behind `if (w <= 0) return;`."""

from __future__ import annotations

import pytest

from tests.verify.differential import difference, lifted

HEAD = "void f(u8 *d, const u8 *s, int n, int w, int k)"
STEP = "const int step = (w << 8) / n; int at = step / 2 - 128;"
EACH = "for (int i = 0; i < n; i++, at += step)"
BEHIND = {
    "a scaled row": f"if (n <= 0 || w <= 0) return; {STEP} {EACH} {{"
    " int c = at < 0 ? 0 : at > (w - 1) << 8 ? (w - 1) << 8 : at; d[i] = s[c >> 8]; }",
    "with weights": f"if (n <= 0 || w <= 0) return; {STEP} {EACH} {{"
    " int c = at < 0 ? 0 : at > (w - 1) << 8 ? (w - 1) << 8 : at; d[i] = s[c >> 8] * (c & 255); }",
    "half of a size": "if (w < 1) return;"
    " for (int i = 0; i < n; i++) d[i + w / 2] = s[i + w / 2 + w % 3];",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", BEHIND)
def test_quotients_of_what_is_positive_are_plain(way: str) -> None:
    result = lifted(f"{HEAD} {{ {BEHIND[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


HALF = "for (int i = 0; i < n; i++) d[i + 9] = s[i + w / 2 + 9];"
OTHERS = {
    "no guard": HALF,
    "a guard that lets some through": f"if (w < -7) return; {HALF}",
    "a guard of what it was": f"if (w < 0) return; w -= k & 7; {HALF}",
    "the other way about": f"if (w > 0) return; {HALF}",
    "a guard from above": "if (w > 4000) return;"
    " for (int i = 0; i < n; i++) d[i] = s[i + (w - 20) / 2 + 20];",
    "a guard that isn't around": f"if (w < 0) k = 3; {HALF} d[0] = k;",
    "one of two": f"if (w < 0 && k > 3) return; {HALF}",
    "in one branch alone": "int at; if (w >= 0) at = w / 2; else at = w / 2 - w % 2;"
    " for (int i = 0; i < n; i++) d[i + 9] = s[i + at + 9];",
    "of a number without a sign": "if ((unsigned)w < 3) return; " + HALF,
}


@pytest.mark.parametrize("way", OTHERS)
def test_quotients_of_what_may_be_negative_round_to_zero(way: str) -> None:
    result = lifted(f"{HEAD} {{ {OTHERS[way]} }}")
    assert result.status != "proved" or difference(result, 60) is None


def test_what_is_returned_may_be_a_quotient() -> None:
    source = (
        "int f(u8 *d, const u8 *s, int n, int w) {{ {} for (int i = 0; i < n; i++) d[i] = s[i];"
    )
    guarded = source.format("if (n < w / 2 || (w & 1) == 0) return 0;") + " return n % 5; }"
    result = lifted(guarded)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
    by_a_parameter = source.format("if (n < 8 / w) return 0;") + " return 1; }"
    assert lifted(by_a_parameter).status != "proved"
