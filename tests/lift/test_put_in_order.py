"""Windows of a few values that are put in order: what is read of them then."""

from __future__ import annotations

import pytest

from lifter.model.lifted import FunctionResult
from tests.verify.differential import difference, lifted

HEAD = "void f(T *d, const T *s, int n)"
PIXELS = "for (int x = 2; x < n - 2; x++)"
GATHER = "T w[5]; int c = 0; for (int i = -2; i <= 2; i++)"
FILL = "T w[5]; for (int i = 0; i < 5; i++) w[i] = s[x + i - 2];"
SHIFT = "while (k > 0 && w[k - 1] > v) { w[k] = w[k - 1]; k--; } w[k] = v;"
SEARCH = "int m = i; for (int j = i + 1; j < 5; j++) if (w[j] < w[m]) m = j;"
SWAP = "T t = w[i]; w[i] = w[m]; w[m] = t;"


def inserting(how: str, read: str = "w[2]", value: str = "T v = s[x + i]") -> str:
    return f"{GATHER} {{ {value}; {how} c++; }} d[x] = {read};"


def filled(how: str, read: str = "w[2]") -> str:
    return f"{FILL} {how} d[x] = {read};"


ORDERED = {
    "from the end": inserting(f"int k = c; {SHIFT}"),
    "the element itself": inserting(
        "int k; for (k = c - 1; k >= 0 && w[k] > v; k--) w[k + 1] = w[k]; w[k + 1] = v;"
    ),
    "past equal ones": inserting(
        "int k = c; while (k > 0 && w[k - 1] >= v) { w[k] = w[k - 1]; k--; } w[k] = v;"
    ),
    "left by break": inserting(
        "int k; for (k = c; k > 0; k--) { if (w[k - 1] <= v) break; w[k] = w[k - 1]; } w[k] = v;"
    ),
    "the greatest first": inserting(
        "int k = c; while (k > 0 && w[k - 1] < v) { w[k] = w[k - 1]; k--; } w[k] = v;", "w[1]"
    ),
    "from the front": inserting(
        "int k = 0; while (k < c && w[k] <= v) k++; for (int m = c; m > k; m--) w[m] = w[m - 1];"
        " w[k] = v;"
    ),
    "by halves": inserting(
        "int lo = 0, hi = c; while (lo < hi) { int mid = (lo + hi) / 2;"
        " if (w[mid] > v) hi = mid; else lo = mid + 1; }"
        " for (int m = c; m > lo; m--) w[m] = w[m - 1]; w[lo] = v;"
    ),
    "by exchanges": inserting(
        "w[c] = v; for (int k = c; k > 0 && w[k - 1] > w[k]; k--) std::swap(w[k - 1], w[k]);"
    ),
    "by a pointer": inserting(
        "T *p = w + c; while (p > w && p[-1] > v) { *p = p[-1]; --p; } *p = v;"
    ),
    "a wider number": inserting(f"int k = c; {SHIFT}", value="int v = s[x + i]"),
    "clamped, beside others": inserting(
        f"int k = c; {SHIFT}",
        "w[2] + w[0]",
        "int q = s[x + i] * 3 - 99; int v = i ? s[x + i] : std::max(0, std::min(255, q))",
    ),
    "read where it is compared": f"{GATHER} {{ int k = c; while (k > 0 && w[k - 1] > s[x + i])"
    " { w[k] = w[k - 1]; k--; } w[k] = s[x + i]; c++; } d[x] = w[2];",
    "with another pixel behind it": inserting(
        f"int k = c; {SHIFT} if (s[x + i] > 9) t += s[x];"
    ).replace("int c = 0", "int c = 0, t = 0"),
    "several of them": inserting(f"int k = c; {SHIFT}", "w[4] - w[0]"),
    "where they are": filled(
        "for (int i = 1; i < 5; i++) { T v = w[i]; int k = i - 1;"
        " while (k >= 0 && w[k] > v) { w[k + 1] = w[k]; k--; } w[k + 1] = v; }"
    ),
    "by selection": filled(f"for (int i = 0; i < 4; i++) {{ {SEARCH} {SWAP} }}"),
    "as far as it takes": filled(
        f"for (int i = 0; i <= 2; i++) {{ {SEARCH} if (m != i) std::swap(w[i], w[m]); }}"
    ),
    "with the least one at hand": filled(
        "for (int i = 0; i <= 2; i++) { int m = i; T b = w[i]; for (int j = i + 1; j < 5; j++)"
        " if (w[j] < b) { b = w[j]; m = j; } w[m] = w[i]; w[i] = b; }"
    ),
    "the greatest to the end": filled(
        "for (int i = 4; i > 0; i--) { int m = 0; for (int j = 1; j <= i; j++)"
        f" if (w[j] >= w[m]) m = j; {SWAP} }}"
    ),
    "the rest in another way": filled(
        f"for (int i = 0; i < 2; i++) {{ {SEARCH} {SWAP} }} for (int i = 3; i < 5; i++)"
        " { T v = w[i]; int k = i;"
        " while (k > 2 && w[k - 1] > v) { w[k] = w[k - 1]; k--; } w[k] = v; }",
        "w[3]",
    ),
    "of one value": filled(
        "T q[1]; for (int i = 0; i < 1; i++) { T v = w[i]; int k = i;"
        " while (k > 0 && q[k - 1] > v) { q[k] = q[k - 1]; k--; } q[k] = v; }",
        "q[0]",
    ),
    "beside one that is there": filled(
        "T q[3] = { s[x], s[x], s[x] }; for (int i = 0; i < 2; i++) { T v = w[i * 4]; int k = i;"
        " while (k > 0 && q[k - 1] > v) { q[k] = q[k - 1]; k--; } q[k] = v; }",
        "q[1] + q[2]",
    ),
}


def lift(body: str, type: str = "u8") -> FunctionResult:
    return lifted(f"typedef {type} T; {HEAD} {{ {PIXELS} {{ {body} }} }}")


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("way", ORDERED)
def test_what_is_in_order_is_minima_and_maxima(way: str) -> None:
    result = lift(ORDERED[way])
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None
    (summary,) = result.summaries
    assert "select" not in str(summary.expression)


@pytest.mark.slow
@pytest.mark.parametrize("type", ["int", "int8_t", "uint32_t", "int64_t"])
@pytest.mark.parametrize("way", ["from the end", "as far as it takes"])
def test_integers_of_any_width_are_put_in_order(way: str, type: str) -> None:
    result = lift(ORDERED[way], type)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


OTHERS = {
    "compared with another array": f"T q[5] = {{ 1, 2, 3, 4, 5 }}; {inserting(SHIFT)}".replace(
        "T v", "int k = c; T v"
    ).replace("w[k - 1] > v", "q[k - 1] > v"),
    "shifted by none": inserting(f"int k = c; {SHIFT.replace('w[k] = w[k - 1]', 'w[k] = w[k]')}"),
    "shifted by two": inserting(
        "int k = c; while (k > 1 && w[k - 1] > v) { w[k] = w[k - 2]; k--; } w[k] = v;"
    ),
    "from one place on": inserting(f"int k = c + 1; {SHIFT}"),
    "not to the first": inserting(f"int k = c; {SHIFT.replace('k > 0', 'k > 1')}"),
    "where nothing is in order": filled(
        f"for (int i = 3; i < 5; i++) {{ T v = w[i]; int k = i; {SHIFT} }}"
    ),
    "in the other order then": inserting(
        "int k = c; if (i < 2) { while (k > 0 && w[k - 1] < v) { w[k] = w[k - 1]; k--; } }"
        " else { while (k > 0 && w[k - 1] > v) { w[k] = w[k - 1]; k--; } } w[k] = v;"
    ),
    "by halves of numbers": inserting(f"int k = c; {SHIFT.replace('> v', '/ 2 > v / 2')}"),
    "by the last bits": inserting(
        f"int k = c; {SHIFT.replace('w[k - 1] > v', '(w[k - 1] & 7) > (v & 7)')}"
    ),
    "changed on the way": inserting(f"int k = c; {SHIFT} if (c == 2) w[1] = 200 - w[1];"),
    "a place that is open": filled(f"for (int i = 0; i < 2; i++) {{ {SEARCH} {SWAP} }}", "w[3]"),
    "where it went": inserting(f"int k = c; {SHIFT} if (i == 2) d[x] = k;", "d[x]"),
    "every other one": filled(
        f"for (int i = 0; i < 4; i++) {{ {SEARCH.replace('i + 1', 'i + 2')} {SWAP} }}"
    ),
    "read where it went": f"{GATHER} {{ int k = c; while (k > 0 && w[k - 1] > s[x + k])"
    " { w[k] = w[k - 1]; k--; } w[k] = s[x + k]; c++; } d[x] = w[2];",
    "compared with another pixel": f"{GATHER} {{ int k = c; while (k > 0 && w[k - 1] > s[x + i])"
    " { w[k] = w[k - 1]; k--; } w[k] = s[x - i]; c++; } d[x] = w[2];",
    "read where elements say": f"{GATHER} {{ int k = c; while (k > 0 && w[k - 1] > s[w[0]])"
    " { w[k] = w[k - 1]; k--; } w[k] = s[w[0]]; c++; } d[x] = w[2];",
    "half of an exchange": filled(
        f"for (int i = 0; i < 1; i++) {{ {SEARCH.replace('5', '3')} w[i] = w[m]; }}", "w[0]"
    ),
    "cut off": inserting(f"int k = c; {SHIFT}", value="int v = s[x + i] * 3"),
    "beyond the end": inserting(f"int k = c; {SHIFT}").replace("w[5]", "w[4]"),
}


@pytest.mark.parametrize("way", OTHERS)
def test_what_is_no_order_is_not_taken_for_one(way: str) -> None:
    result = lift(OTHERS[way])
    assert result.status != "proved" or difference(result) is None


SORT = inserting(f"int k = c; {SHIFT}")


@pytest.mark.parametrize("type", ["float", "double"])
def test_floats_have_no_order_when_some_are_no_numbers(type: str) -> None:
    assert lift(SORT, type).status != "proved"


def test_signs_that_a_comparison_loses_are_no_order() -> None:
    result = lift(SORT.replace("w[k - 1] > v", "(unsigned)w[k - 1] > (unsigned)v"), "int8_t")
    assert result.status != "proved"


def test_more_values_than_are_looked_at_in_all_cases_are_left_alone() -> None:
    body = SORT.replace("w[5]", "w[17]").replace("i = -2; i <= 2", "i = 0; i < 17")
    source = f"typedef u8 T; {HEAD} {{ for (int x = 0; x < n - 17; x++) {{ {body} }} }}"
    assert lifted(source).status != "proved"
