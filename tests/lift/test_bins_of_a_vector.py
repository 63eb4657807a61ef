"""Histograms whose bins pixels say in any way, in arrays of which the source says the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from compiler.ir import I32, I64, Add, Call, const, substitute
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import failure, kernel
from tests.verify.proving import step

SCALED = """for (int i = 0; i < n; i++) { float v = s[i]; if (!(v >= lo && v <= hi)) continue;
    int b = (int)((v - lo) * scale); if (b == k) --b; h[b] += 1; }"""
PARAMETERS = "const float *s, const int *t, int n, int k, float lo, float hi, float scale, BINS"


def lift(body: str, bins: str = "std::vector<long> &h") -> FunctionResult:
    parameters = PARAMETERS.replace("BINS", bins)
    return lift_kernel(kernel(f"{HEADER}void f({parameters}) {{ {body} }}\n"), LiftOptions())


BINS = {
    "scaled": SCALED,
    "from a table": "for (int i = 0; i < n; i++) h[t[i]]++;",
    "by a sum": "for (int i = 0; i < n; i++) h[t[i] - k] += t[i];",
    "without sign": "for (int i = 0; i < n; i++) h[(unsigned)t[i] >> 3]++;",
    "where asked for": "for (int i = 0; i < n; i++) if (t[i] != k) h[t[i]]++;",
}


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("way", BINS)
def test_places_are_kept_inside_of_a_vector(way: str) -> None:
    result = lift(BINS[way])
    assert result.status == "proved", result.diagnostic
    (summary,) = result.summaries
    (place,) = summary.update_point
    assert repr(place).startswith("max(min(") and repr(place).endswith("int32(h.size) - 1), 0)")
    assert "0 < h.size" in [p.text.replace("()", "") for p in result.proof.preconditions]


@pytest.mark.parametrize(
    ("body", "bins"),
    [
        (BINS["from a table"], "long *h"),
        (BINS["from a table"], "std::vector<float> &h"),
        ("for (int i = 0; i < n; i++) h[t[i]] = i;", "std::vector<long> &h"),
        ("for (int i = 0; i < n; i++) h[t[i]] += h[k];", "std::vector<long> &h"),
    ],
)
def test_other_stores_at_such_places_are_not_understood(body: str, bins: str) -> None:
    assert lift(body, bins).status != "proved"


def test_a_test_of_the_place_that_throws_is_none() -> None:
    text = f"{HEADER}void f(std::vector<int> &h, const int *t) {{ for (int i = 0; i < 9; i++) "
    assert failure(f"{text} h.at(t[i])++; }}").code == "exception"


BINS_STEP = (
    "#include <vector>\nvoid f(std::vector<int> &h, const int *t, int n)"
    " { for (int i = 0; i < n; i++) if (t[i] != 7) h[t[i]] += 1; }"
)


def test_what_is_added_where_nothing_is_stored_is_refused() -> None:
    found = step(BINS_STEP)
    assert found.proof().failed is None
    (place,) = found.summary.update_point
    own = Call("h", (place,), I32, "image")
    assert found.refused(expression=Add(own, const(1, I32))) == ("value", "refuted")


def test_another_element_or_one_that_is_not_inside_is_refused() -> None:
    found = step(BINS_STEP)
    (place,) = found.summary.update_point
    plain = place.children[0].children[0]
    for other in (plain, Add(place, const(1, I32)), type(place)(place.a, const(1, I32))):
        expression = substitute(
            found.summary.expression,
            {Call("h", (place,), I32, "image"): Call("h", (other,), I32, "image")},
        )
        assert found.refused(expression=expression, update_point=(other,))[0] == "coverage"


def test_a_region_that_is_not_the_whole_array_is_refused() -> None:
    found = step(BINS_STEP)
    (bins,) = found.summary.roi
    less = replace(bins, upper=const(256, I64))
    assert found.refused(roi=(less,))[0] == "coverage"


MAIN = """
#include <cmath>
#include <cstdio>
#include <cstring>
#include "FENCED"
static int originals;
void f(const float *s, int n, int k, float lo, float hi, float scale, std::vector<long> &h)
{
    originals++;
    BODY
}
int main() {
    const float odd[] = { NAN, INFINITY, -INFINITY, -1e30f, 3e9f, 0.0f, 1.0f, -0.0f };
    for (int end = 0; end < 2; end++) for (int n = 0; n < 40; n += 3) for (int k = 0; k < 6; k++) {
        float *s = (float *)fenced(4 * n, end);
        for (int i = 0; i < n; i++) s[i] = i % 3 ? (i * 37 % 100) / 99.0f : odd[i / 3 % 8];
        std::vector<long> one(k, 5), other(k, 5);
        float hi = k ? 1.0f : -1.0f;
        originals = 0;
        f_guarded(s, n, k, 0.0f, hi, (float)k, one);
        int ran = originals;
        f(s, n, k, 0.0f, hi, (float)k, other);
        printf("%d%s\\n", ran, one != other ? "!" : "");
    }
}
"""


@pytest.mark.slow
def test_bins_are_those_of_the_original(tmp_path: Path) -> None:
    source = MAIN[MAIN.index("void f(") : MAIN.index("int main")].replace("originals++;", "")
    result = lift_kernel(kernel(HEADER + source.replace("BODY", SCALED)), LiftOptions())
    assert result.status == "proved", result.diagnostic
    main = MAIN.replace("FENCED", str(Path(__file__).parents[1] / "fenced.h"))
    told = run_guarded(result, main.replace("BODY", SCALED), tmp_path)
    assert not any("!" in line for line in told)
    assert told.count("0") > len(told) / 2  # the lifted code ran


def test_a_place_that_may_be_larger_than_any_number_is_refused() -> None:
    loop = "for (int i = 0; i < n; i++) d[a * b * c] += i;"
    text = f"void f(int *d, long a, long b, long c, int n) {{ {loop} }}"
    result = lift_kernel(kernel(text), LiftOptions())
    assert result.diagnostic is not None and result.diagnostic.code == "no-roi"
