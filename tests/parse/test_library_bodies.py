"""Functions of the library whose bodies stand in the shipped headers do what g++'s own do."""

from __future__ import annotations

from pathlib import Path

import pytest

from .plain_library import assert_equal_to_original, written

BODIES = {
    "fill": "std::fill(d + n / 2, d + n, s[0]);",
    "fill_n": "std::fill_n(d, n, (unsigned char)7);",
    "copy": "std::copy(s, s + n, d);",
    "copy_n": "std::copy_n(s, n, d);",
    "copy of other numbers": "std::vector<int> v(n); std::copy(s, s + n, v.begin());"
    " for (int i = 0; i < n; i++) d[i] = v[i] / 3;",
    "swap": "for (int i = 0; i < n; i++) { int a = s[i], b = i; std::swap(a, b);"
    " d[i] = a + 3 * b; }",
    "swap of pairs": "std::pair<int, int> a{s[0], 1}, b{2, s[1]}; std::swap(a, b);"
    " for (int i = 0; i < n; i++) d[i] = a.first + 3 * a.second + 5 * b.first + 7 * b.second;",
    "swap of arrays": "int a[2] = {s[0], 1}, b[2] = {2, s[1]}; std::swap(a, b);"
    " for (int i = 0; i < n; i++) d[i] = a[0] + 3 * a[1] + 5 * b[0] + 7 * b[1];",
    "swap_ranges": "std::copy(s, s + n, d); std::swap_ranges(d, d + n / 2, d + n / 2);",
    "replace_if": "std::copy(s, s + n, d);"
    " std::replace_if(d, d + n, [](int v) { return v > 100; }, 9);",
    "generate_n": "std::generate_n(d, n, [s] { return s[0] / 2; });",
    "iota": "std::iota(d, d + n, s[0]);",
    "accumulate": "if (n > 0) d[0] = std::accumulate(s, s + n, 0) / n;",
    "accumulate by a function": "if (n > 0) d[0] = std::accumulate(s, s + n, 0,"
    " [](int a, int b) { return a > b ? a : b; });",
    "inner_product": "if (n > 0) d[0] = std::inner_product(s, s + n, s, 0u) / 99;",
    "count": "if (n > 0) d[0] = std::count(s, s + n, 7);",
    "count_if": "if (n > 0) d[0] = std::count_if(s, s + n, [](int v) { return v & 1; });",
    "all_of": "if (n > 0) d[0] = std::all_of(s, s + n, [](int v) { return v > 3; });",
    "any_of": "if (n > 0) d[0] = std::any_of(s, s + n, [](int v) { return v > 250; });",
    "none_of": "if (n > 0) d[0] = std::none_of(s, s + n, [](int v) { return v > 250; });",
    "begin and end of an array": "int a[3] = {1, 2, 3};"
    " if (n > 0) d[0] = std::accumulate(std::begin(a), std::end(a), s[0]);",
    "sort": "for (int i = 0; i + 5 < n; i++) { int w[5]; std::copy(s + i, s + i + 5, w);"
    " std::sort(w, w + 5); d[i] = w[1] + 3 * w[2] - w[4]; }",
    "nth_element": "for (int i = 0; i + 5 < n; i++) { unsigned char w[5];"
    " std::copy(s + i, s + i + 5, w); std::nth_element(w, w + 2, w + 5); d[i] = w[2]; }",
    "fdim": "for (int i = 0; i < n; i++) d[i] = (int)(std::fdim(s[i], 40.0) + fdim(3.0, 1.5));",
    "fdimf": "for (int i = 0; i < n; i++) d[i] = (int)std::fdim((float)s[i], 40.5f);",
}  # fmt: skip


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize("name", BODIES)
def test_a_body_does_what_the_library_does(name: str, tmp_path: Path) -> None:
    text = "#include <algorithm>\n#include <cmath>\n#include <numeric>\n#include <vector>\n"
    text += (
        f'extern "C" void k(unsigned char *d, const unsigned char *s, int n) {{ {BODIES[name]} }}'
    )
    found = assert_equal_to_original(written(text, tmp_path))
    assert [k.name for k in found.kernels] == ["k"], [str(s.diagnostic) for s in found.failed]


def test_what_has_no_pointers_for_iterators_is_declared_and_no_more(tmp_path: Path) -> None:
    text = """
        #include <algorithm>
        #include <iterator>
        #include <list>
        #include <memory>
        #include <numeric>
        #include <vector>
        void fill(std::list<int> &l, std::vector<int> &v) {
            std::fill(l.begin(), l.end(), 3);
            std::copy(l.begin(), l.end(), std::back_inserter(v));
            std::copy(v.begin(), v.end(), std::back_inserter(v));
            v[0] = std::accumulate(l.begin(), l.end(), 0) + std::count(l.begin(), l.end(), 2);
            std::iota(l.begin(), l.end(), 1);
        }
        void swap(std::unique_ptr<int> &a, std::unique_ptr<int> &b) { std::swap(a, b); }
        extern "C" void k(int *d, int n) { std::fill(d, d + n, 3); }
    """
    found = assert_equal_to_original(written(text, tmp_path))
    assert [k.name for k in found.kernels] == ["k"] and not found.diagnostics
