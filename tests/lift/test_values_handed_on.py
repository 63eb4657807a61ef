"""Values that an iteration hands on to the next: what was read last, and flags that turn over."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.end_to_end.test_null_pointers import HEADER as NULLS_HEADER
from tests.end_to_end.test_null_pointers import run_guarded
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted

HEADER = "#include <cstdint>\ntypedef uint8_t u8;\n"


def lift(body: str, parameters: str = "int16_t *d, const u8 *s, int n") -> FunctionResult:
    return lift_kernel(kernel(f"{HEADER}void f({parameters}) {{\n{body}\n}}\n"), LiftOptions())


LEFT = "int b = s[0]; for (int x = 1; x < n; x++) { int a = b; b = s[x]; d[x] = b - a; }"
OLDER = (
    "int p = s[0] * 3, c = s[1] * 3; s += 2;"
    " for (int x = 2; x < n; x++) { int b = *s++ * 3; d[x] = b - p; p = c; c = b; }"
)
FLOATS = "float b = s[0]; for (int x = 1; x < n; x++) { float a = b; b = s[x]; d[x] = b - a; }"


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(
    "body",
    [
        LEFT,
        OLDER,
        FLOATS,
        LEFT + " d[0] = 0;",
        "int b = 0; for (int x = 0; x < n; x++) { d[x] = s[x] + b; b ^= 1; }",
        "int b = 3; for (int x = 0; x < n; x++) { d[x] = s[x] + b; b = 4 - b; }",
        "for (int y = 0; y < n; y++) { u8 b = 5; for (int x = 0; x < 8; x++)"
        " { d[y * 8 + x] = s[y * 8 + x] + b; b ^= 7; } }",
        "for (int y = 0; y < n; y++) { unsigned v = s[y]; for (int x = 0; x < 8; x++, v >>= 1)"
        " d[y * 8 + x] = v & 1; }",
        "unsigned v = *s; for (int x = 0; x < n; x++, v <<= 3) d[x] = (v >> 7) & 1;",
    ],
)
def test_what_the_iteration_before_leaves_is_a_function_of_the_place(body: str) -> None:
    result = lift(body)
    assert result.status == "proved", result.diagnostic


@pytest.mark.parametrize(
    "body",
    [
        LEFT.replace("b = s[x];", "if (s[x] > 9) b = s[x];"),
        LEFT.replace("b = s[x];", "b = s[x] + b / 2;"),
        OLDER.replace("p = c;", "p = c + p;"),
        "int b = 0; for (int x = 0; x < n; x++) { d[x] = s[x] + b; b = d[x]; }",
        "int b = n; for (int x = 0; x < n; x++) { d[x] = s[x] + b; b ^= s[x]; }",
        "int b = 0; for (int x = 0; x < n; x++) { d[x] = s[x] + b; if (s[x]) b ^= 1; }",
        "int b = 3; for (int x = 0; x < n; x++) { d[x] = s[x] + b; b = 4 - b / 2; }",
        "unsigned v = *s; for (int x = 0; x < n; x++, v >>= 1) { d[x] = v; if (v & 2) v <<= 2; }",
        "unsigned v = *s; for (int x = 0; x < n; x++) { d[x] = v; v = v >> 1 | v << 31; }",
        "unsigned v = n; for (int x = 0; x < n; x++) { d[x] = v; v = v >> 8 | v << 16; }",
        "unsigned v = n; for (int x = 0; x < n; x++) { d[x] = v; v = v >> 8 | v << 24 | v; }",
        "unsigned v = n; for (int x = 0; x < n; x++) { d[x] = v; v = v >> 8 | s[x] << 24; }",
    ],
)
def test_what_depends_on_more_than_that_is_none(body: str) -> None:
    result = lift(body)
    assert result.status != "proved" or any(s.kind == "scan" for s in result.summaries)
    assert result.status != "proved" or difference(result, 40) is None


BEGUN_OTHERWISE = {
    "another element": LEFT.replace("s[0]", "s[1]"),
    "a parameter": "for (int x = 0; x < n; x++) { d[x] = s[x] - k; k = s[x]; }",
    "two of them": OLDER.replace("p = c;", "p = c + 1;"),
    "floats": "float b = k; for (int x = 0; x < n; x++) { d[x] = s[x] - b; b = s[x]; }",
    "in rows": "for (int y = 0; y < n; y++) { int b = k; for (int x = 0; x < w; x++) {"
    " d[y * w + x] = s[y * w + x] - b; b = s[y * w + x]; } }",
    "the row above": "const u8 *up = s; for (int y = 0; y < n; y++, d += w) {"
    " for (int x = 0; x < w; x++) d[x] = s[x] - up[x]; up = s; s += w; }",
    "the first time": "bool first = true; for (int x = 0; x < n; x++) {"
    " d[x] = first ? k : s[x - 1]; first = false; }",
    "what is left": "for (int x = 0; x < n; x++) { d[x] = s[x] - k; k = s[x]; } d[n] = k;",
    "tested at the end": "int x = 0; do { d[x] = s[x] + k; k = s[x]; } while (++x < n);",
    "a byte of four in turn": "uint32_t v = k; for (int x = 0; x < n; x++) {"
    " d[x] = s[x] + (v & 255); v = (v & 255) << 24 | (v >> 8 & 0xffffff); }",
    "a place that bytes in turn tell": "uint32_t v = k; v = v << 8 | 77; for (int x = 0; x < n;"
    " x++) { d[x] = t[s[x] + (int)(v & 255)]; v = v >> 8 | v << 24; d[x] += t[(v & 255) >> 1];"
    " v = v >> 8 | v << 24; }",
    "two bytes that change places": "uint32_t v = k; for (int y = 0; y < n; y++) {"
    " d[y] = s[y] + (v & 255); v = ~((v & 255) << 16 | (v >> 16 & 255) | (v & 0xff00ff00)); }",
    "set in each branch": "for (int x = 0; x < n; x++) { if (x > 3) w = 7; else k = 9;"
    " d[x] = k + w; k = 1; w = 2; }",
}


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("way", BEGUN_OTHERWISE)
def test_what_the_first_iteration_finds_is_chosen_there(way: str) -> None:
    parameters = "int16_t *d, const u8 *s, const u8 *t, int n, int w, int k"
    result = lifted(f"void f({parameters}) {{ {BEGUN_OTHERWISE[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


OVERWRITTEN = {
    "at the end": "int l = last; for (int x = 0; x < n; x++) { d[x] = s[x] - l; l = s[x]; }"
    " last = l;",
    "all the time": "for (int x = 0; x < n; x++) { d[x] = s[x] - last; last = s[x]; }",
    "where some iterations read": "int l = last; for (int x = 0; x < n; x++) { d[x] = s[x] - l;"
    " if (x < k) l = s[x]; } last = l;",
}


@pytest.mark.parametrize("way", OVERWRITTEN)
def test_a_first_value_that_is_overwritten_is_no_obstacle(way: str) -> None:
    parameters = "int16_t *d, const u8 *s, u8 &last, int n, int k"
    result = lifted(f"void f({parameters}) {{ {OVERWRITTEN[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize("store", ["s[x + 1] = l;", "last[x] = 7;", "if (l) s[n - 1 - x] = 1;"])
def test_what_iterations_overwrite_is_not_read_again(store: str) -> None:
    body = f"for (int x = 0; x < n; x++) {{ d[x] = s[x] - l; {store} l = s[x]; }} last[n] = l;"
    result = lifted(f"void f(int16_t *d, u8 *s, u8 *last, int n) {{ int l = *last; {body} }}")
    assert result.status != "proved" or difference(result) is None


def test_what_is_read_two_iterations_later_is_bounded_closely() -> None:
    body = (
        "int p = k; for (int x = 0; x < n; x++) { d[2 * x] = s[x] - 2 * k + p;"
        " d[2 * x + 1] = s[x] - k; p = k * 3; k = s[x] + 1; }"
    )
    result = lift(body, "u8 *d, const u8 *s, int n, int k")
    assert result.status == "proved", result.diagnostic
    assert "s(max(y - 2, 0))" in repr(result.summaries[0].expression)


MAIN = """
#include <cstring>
#include "FENCED"
static int originals;
void f(uint8_t *d, const uint8_t *s, int n, int k) {
    originals++;
    int p = k;
    for (int x = 0; x < n; x++) { d[x] = s[x] - 2 * k + p; p = k; k = s[x]; }
}
int main() {
    for (int end = 0; end < 2; end++) for (int n = 0; n < 40; n++) {
        uint8_t *one = fenced(n, end), *other = fenced(n, end), *s = fenced(n, end);
        originals = 0;
        f_guarded(one, s, n, 9);
        int ran = originals;
        f(other, s, n, 9);
        printf("%d%s\\n", ran, memcmp(one, other, n) ? "!" : "");
    }
}
"""


@pytest.mark.slow
def test_nothing_is_read_before_the_first_iteration(tmp_path: Path) -> None:
    source = MAIN[MAIN.index("void f(") : MAIN.index("int main")].replace("originals++;", "")
    result = lift_kernel(kernel(NULLS_HEADER + source), LiftOptions())
    assert result.status == "proved", result.diagnostic
    main = MAIN.replace("FENCED", str(Path(__file__).parents[1] / "fenced.h"))
    assert run_guarded(result, main, tmp_path) == ["0"] * 80


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "store", ["s[x] = 0;", "s[x + 1] = b;", "s[x - 1] = b;", "if (b) s[n - x] = 1;"]
)
def test_what_was_read_before_it_is_overwritten_is_not_read_again(store: str) -> None:
    """Whether that is proved or not, the summary is what the original leaves: 24 runs compare."""
    result = lift(f"{LEFT[:-2]} {store} }}", "int16_t *d, u8 *s, int n")
    assert result.status in ("proved", "unproved", "failed")
    assert result.diagnostic is None or result.diagnostic.code != "internal", result.diagnostic
