"""Windows of a few integers that the library puts in order."""

from __future__ import annotations

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.parse.parsing import failure, kernel
from tests.verify.differential import PRELUDE, difference

HEAD = "#include <array>\n#include <cstdlib>\n#include <functional>\n"
WINDOW = "T w[5]; for (int i = 0; i < 5; i++) w[i] = s[x + i - 2];"
FIRST, SECOND = "*(const T *)a", "*(const T *)b"


def window(how: str, read: str = "w[2]", type: str = "u8", before: str = "") -> str:
    return (
        f"{HEAD} typedef {type} T; {before} void f(T *d, const T *s, int n)"
        f" {{ for (int x = 2; x < n - 2; x++) {{ {WINDOW} {how} d[x] = {read}; }} }}"
    )


def by_c(result: str, type: str = "u8", read: str = "w[1]", size: str = "sizeof(w[0])") -> str:
    result = result.replace("A", FIRST).replace("B", SECOND)
    compare = f"static int by(const void *a, const void *b) {{ {result} }}"
    return window(f"qsort(w, 5, {size}, by);", read, type, compare)


def lifted(source: str) -> FunctionResult:
    return lift_kernel(kernel(PRELUDE + source), LiftOptions(timeout=60.0))


SORTED = {
    "all": window("std::sort(w, w + 5);"),
    "a part": window("std::sort(w + 1, w + 4);", "w[2] - w[0]", "int"),
    "in a stable way": window("std::stable_sort(std::begin(w), std::end(w));", "w[1]"),
    "an array": window("std::sort(w.begin(), w.end());").replace("T w[5]", "std::array<T, 5> w"),
    "the greatest first": window("std::sort(w, w + 5, std::greater<T>());", "w[0]"),
    "by a lambda": window("std::sort(w, w + 5, [](T a, T b) { return b < a; });", "w[1]"),
    "by branches": window(
        "std::sort(w, w + 5, [](const T &a, const T &b) { if (a < b) return true; return false; });"
    ),
    "by a function": window(
        "std::sort(w, w + 5, more);", "w[1]", "int8_t", "bool more(int a, int b) { return a > b; }"
    ),
    "one": window("std::nth_element(w, w + 2, w + 5);"),
    "one of two": window("std::nth_element(w, w + 1, w + 2);", "w[0]"),
    "none": window("std::nth_element(w, w + 5, w + 5);", "w[1]"),
    "some": window("std::partial_sort(w, w + 3, w + 5);", "w[2] - w[0]"),
    "by a difference": by_c("return A - B;"),
    "by a difference of integers": by_c("return A - B;", "int"),
    "by two comparisons": by_c("return (A > B) - (A < B);", "int"),
    "by choices": by_c("return A < B ? 1 : A > B ? -1 : 0;", "uint32_t"),
    "by variables": by_c("const T p = A, q = B; if (p < q) return -7; return p > q;", "int16_t"),
}


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("way", SORTED)
def test_what_the_library_sorts_is_minima_and_maxima(way: str) -> None:
    result = lifted(SORTED[way])
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


LEFT_OPEN = {
    "beside the one": window("std::nth_element(w, w + 2, w + 5);", "w[1]"),
    "beside the greatest": window("std::nth_element(w, w + 4, w + 5);", "w[0]"),
    "behind the first": window("std::partial_sort(w, w + 2, w + 5);", "w[3]"),
    "before none": window("std::partial_sort(w, w, w + 5);", "w[0]"),
    "in a condition": window("std::nth_element(w, w + 2, w + 5);", "w[0] < w[2] ? 1 : 0"),
    "in a branch": window("std::nth_element(w, w + 2, w + 5); if (w[0] == w[1])"),
    "a place": window("std::nth_element(w, w + 2, w + 5);", "s[w[0]]"),
    "one side of a choice": window("std::nth_element(w, w + 2, w + 5);", "s[x] > 9 ? w[0] : w[2]"),
}


@pytest.mark.parametrize("way", LEFT_OPEN)
def test_what_the_library_leaves_open_is_not_used(way: str) -> None:
    assert lifted(LEFT_OPEN[way]).status == "failed"


NO_ORDERS = {
    "halves": window(
        "std::sort(w, w + 5, half);", before="bool half(int a, int b) { return a / 2 < b / 2; }"
    ),
    "the last bits": window("std::sort(w, w + 5, [](T a, T b) { return (a & 7) < (b & 7); });"),
    "equal ones": window("std::sort(w, w + 5, [](T a, T b) { return a <= b; });"),
    "none": window("std::sort(w, w + 5, [](T a, T b) { return false; });"),
    "the lower bits": window("std::sort(w, w + 5, [](u8 a, u8 b) { return a < b; });", type="int"),
    "the lower bits of a class": window("std::sort(w, w + 5, std::less<u8>());", type="int"),
    "a class": window(
        "std::sort(w, w + 5, own::less<T>());",
        before="namespace own { template <class T> struct less"
        " { bool operator()(T a, T b) const { return b / 2 < a / 2; } }; }",
    ),
    "what is captured": window("std::sort(w, w + 5, [n](T a, T b) { return n ? a < b : a > b; });"),
    "what it counts": window(
        "std::sort(w, w + 5, [](T a, T b) { calls++; return a < b; });", before="static int calls;"
    ),
    "floats": window("std::sort(w, w + 5);", type="float"),
    "halves in C": by_c("return A / 2 - B / 2;"),
    "without a sign": by_c("return A - B;", "unsigned"),
    "one side": by_c("return A < B;"),
    "bytes of integers": by_c("return *(const u8 *)a - *(const u8 *)b;", "int"),
    "parts of integers": by_c("return A - B;", "int", size="1"),
    "cut off": by_c("return (int)((long)A - B);", "int"),
}


@pytest.mark.parametrize("way", NO_ORDERS)
def test_what_compares_in_another_way_is_left_to_the_library(way: str) -> None:
    assert failure(PRELUDE + NO_ORDERS[way]).code == "unmodelled-call"
