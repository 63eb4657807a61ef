"""Places that functions wrap, mirror and clamp at borders: remainders by sizes, and their twins."""

from __future__ import annotations

import pytest

from compiler.ir import Mod, postorder
from lifter.dag import build_stage_graph
from tests.verify.differential import difference, lifted, parsed

WRAP = "static int at(int i, int n) { i %= n; if (i < 0) i += n; return i; }\n"
MIRROR = (
    "static int at(int i, int n) {"
    " i %= 2 * n; if (i < 0) i += 2 * n; return i < n ? i : 2 * n - 1 - i; }\n"
)
OUTSIDE = "static int at(int i, int n) { return i < 0 || i >= n ? -1 : i; }\n"
MODES = (
    "enum Mode { NONE, EDGE, WRAPPED };\n"
    "static int at(int i, int n, Mode m) { if (i >= 0 && i < n) return i; switch (m) {"
    " case NONE: return -1; case EDGE: return i < 0 ? 0 : n - 1;"
    " case WRAPPED: i %= n; return i < 0 ? i + n : i; } return -1; }\n"
)
PARAMETERS = "u8 *d, const u8 *s, int n, int by"


def f(body: str, parameters: str = PARAMETERS) -> str:
    return f"void f({parameters}) {{ {body} }}"


ROLL = f("for (int x = 0; x < n; x++) d[x] = s[at(x + by, n)];")
SUM = f(
    "for (int x = 0; x < n; x++) { float t = 0; for (int k = 0; k < by; k++) {"
    " int i = at(x + k - 1, n); if (i < 0) continue; t += w[k] * s[i]; } d[x] = t; }",
    "float *d, const float *s, const float *w, int n, int by",
)
LIFTING = {
    "a row is rolled": (WRAP + ROLL, "s((by + x) % n)"),
    "made positive before": (
        f("for (int x = 0; x < n; x++) d[x] = s[((x - by) % n + n) % n];"),
        "s((x - by) % n)",
    ),
    "a size is added first": (
        f("for (int x = 0; x < n; x++) d[x] = s[(x + n - 1) % n];"),
        "s((x - 1) % n)",
    ),
    "the one before, without a sign": (
        f(
            "for (size_t x = 0; x < n; x++) { size_t b = x ? x - 1 : 0; d[x] = s[b] + s[x]; }",
            "u8 *d, const u8 *s, size_t n",
        ),
        "s(select(x != 0, x - 1, 0))",
    ),
    "mirrored": (MIRROR + ROLL, "(by + x) % (n * 2) < n"),
}


@pytest.mark.parametrize("way", LIFTING)
def test_a_place_is_wrapped_around_a_size(way: str) -> None:
    source, shown = LIFTING[way]
    result = lifted(source)
    assert result.status == "proved", result.diagnostic
    assert shown in repr(result.summaries[0].expression)
    assert difference(result) is None


@pytest.mark.slow
@pytest.mark.parametrize("functions", [OUTSIDE, MODES])
def test_what_lies_outside_is_left_out(functions: str) -> None:
    source = SUM
    if "Mode m" in functions:
        source = source.replace("n);", "n, m);", 1).replace("int by)", "int by, Mode m)")
    result = lifted(functions + source)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


def test_two_before_may_be_nowhere() -> None:
    other = LIFTING["the one before, without a sign"][0].replace("x - 1", "x - 2")
    assert lifted(other).status != "proved"


OTHERS = {
    "nothing is added": WRAP.replace("if (i < 0) i += n;", ""),
    "to 0, too": WRAP.replace("i < 0", "i <= 0"),
    "one less": WRAP.replace("i += n", "i += n - 1"),
    "taken away": WRAP.replace("i += n", "i -= n"),
}


@pytest.mark.parametrize("way", OTHERS)
def test_other_sums_are_no_remainders_of_euclid(way: str) -> None:
    (stage,) = build_stage_graph(parsed(OTHERS[way] + ROLL)).order
    nodes = postorder(*(i for read in stage.reads for i in read.indices))
    assert not any(isinstance(n, Mod) for n in nodes)


@pytest.mark.slow
@pytest.mark.parametrize("way", OTHERS)
def test_other_sums_are_never_wrong(way: str) -> None:
    result = lifted(OTHERS[way] + ROLL)
    assert result.status != "proved" or difference(result) is None


def test_a_size_that_no_loop_says_to_be_positive_is_asked_to_be() -> None:
    wide = f("for (int x = 0; x < by; x++) d[x] = s[at(x - 3, n)];")
    result = lifted(WRAP + wide)
    assert result.status == "proved", result.diagnostic
    assert result.proof is not None
    assert "n >= 1" in {p.text for p in result.proof.preconditions}
    assert difference(result) is None


def test_what_one_sum_tells_of_its_places_holds_of_the_next() -> None:
    sums = (
        "float t = 0, u = 0; for (int k = 0; k < m; k++) {"
        " int e = n < 5 ? k : at(k - 9, n); t += s[e * 4]; u += s[e * 4 + 1]; } a[0] = t; b[0] = u;"
    )
    result = lifted(WRAP + f(sums, "float *a, float *b, const float *s, int n, int m"))
    assert result.status == "proved", result.diagnostic
    assert result.proof is not None
    assert {p.kind for p in result.proof.preconditions} == {"disjoint"}
