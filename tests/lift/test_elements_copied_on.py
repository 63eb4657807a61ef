"""Edges that a loop fills by copying the element before: all are the first one's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.end_to_end.test_null_pointers import run_guarded
from tests.lift.test_values_handed_on import lift
from tests.verify.differential import difference, lifted

PARAMETERS = "u8 *d, const u8 *s, int n, int w, int k"
COPIES = {
    "to the right": "for (int x = k; x < n; x++) d[x] = d[x - 1];",
    "by a pointer": "for (; k < n; k++, d++) *d = d[-1];",
    "to the left": "for (int x = k; x >= 0; x--) d[x] = d[x + 1];",
    "a pixel before": "for (int x = 0; x < n; x++) d[4 * x + 4] = d[4 * x];",
    "converted and back": "for (int x = 1; x < n; x++) d[x] = (u8)(int)d[x - 1];",
    "in rows": "for (int y = 0; y < n; y++) { u8 *p = d + y * w; for (int x = 1; x < w; x++)"
    " p[x] = p[x - 1]; }",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("way", COPIES)
def test_all_are_the_first_one(way: str) -> None:
    result = lifted(f"void f({PARAMETERS}) {{ {COPIES[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "body",
    [
        "for (int x = 1; x < n; x++) d[x] = d[x - 1] + 1;",
        "for (int x = 1; x < n; x++) { d[x] = d[x - 1]; d[x + 1] = 3; }",
        "for (int x = 1; x < n; x++) { d[x + 7] = d[x - 1]; }",
        "for (int x = 1; x < n; x++) { d[k] = 3; d[x] = d[x - 1]; }",
        "for (int x = 1; x < n; x++) if (s[x]) d[x] = d[x - 1];",
        "for (int x = 1; x < n; x++) { d[x] = d[x - 1]; if (d[x] > s[x]) break; }",
        "for (int x = 1; x < n; x++) { d[x * k] = d[(x - 1) * k]; }",
        "for (int x = 1; x < n; x += 2) { d[x] = d[x - 1]; }",
        pytest.param("for (int x = 2; x < n; x++) { d[x] = d[x - 2]; }", id="two before"),
    ],
)
def test_others_are_what_the_original_leaves_or_not_proved(body: str) -> None:
    result = lift(body, PARAMETERS)
    assert result.diagnostic is None or result.diagnostic.code != "internal", result.diagnostic
    assert result.status != "proved" or difference(result) is None


def test_the_place_of_the_element_before_is_claimed_to_fit() -> None:
    """It is read by the first iteration alone, and yet is that of every one."""
    result = lifted(
        f"void f({PARAMETERS}) {{ for (int x = 1; x < n; x++) d[x] = d[(int8_t)(x - 1)]; }}"
    )
    assert result.proof is not None
    assert "n <= 129" in [p.text for p in result.proof.preconditions]


@pytest.mark.parametrize(
    "call", ["std::copy(d, d + n, d + 1);", "memcpy(d + 1, d, n);", "std::copy_n(d, n, d + 1);"]
)
def test_a_library_copies_in_an_order_of_its_own(call: str) -> None:
    text = f"#include <algorithm>\n#include <cstring>\nvoid f({PARAMETERS}) {{ {call} }}"
    assert lifted(text).status != "proved"


MAIN = """
#include <cstdio>
#include <cstring>
#include "FENCED"
static int originals;
void f(uint8_t *d, int k, int n)
{
    originals++;
    for (; k < n; k++) d[k] = d[k - 1];
}
int main() {
    for (int end = 0; end < 2; end++) for (int n = 0; n < 40; n++) for (int k = 1; k < 42; k += 5) {
        uint8_t *one = fenced(n, end), *other = fenced(n, end);
        originals = 0;
        f_guarded(one, k, n);
        int ran = originals;
        f(other, k, n);
        printf("%d%s\\n", ran, memcmp(one, other, n) ? "!" : "");
    }
}
"""


def test_nothing_is_read_where_nothing_is_copied(tmp_path: Path) -> None:
    source = MAIN[MAIN.index("void f(") : MAIN.index("int main")].replace("originals++;", "")
    result = lifted(source.replace("uint8_t", "u8"))
    assert result.status == "proved", result.diagnostic
    main = MAIN.replace("FENCED", str(Path(__file__).parents[1] / "fenced.h"))
    told = run_guarded(result, main, tmp_path)
    assert set(told) == {"0"}
