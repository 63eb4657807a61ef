"""A call means the library's function only where clang has resolved it to that function."""

from __future__ import annotations

from pathlib import Path

import pytest

from .parsing import body, failure, kernel, lines, parse
from .plain_library import assert_equal_to_original, written

_INTS = 'extern "C" void k(int *d, const int *s, int n) {{ for (int i = 0; i < n; i++) {0} }}\n'
_DOUBLES = (
    'extern "C" void k(double *d, const double *s, int n) {{ for (int i = 0; i < n; i++) {0} }}\n'
)
_BYTES = 'extern "C" void k(unsigned char *d, const unsigned char *s, int n) {{ {0} }}\n'

OWN = {
    "static": ("static int abs(int v) { return v + 100; }\n", _INTS, "d[i] = abs(s[i]);"),
    "namespaced": (
        "namespace img { int abs(int v) { return v + 100; } }\n", _INTS, "d[i] = img::abs(s[i]);",
    ),
    "using directive": (
        "namespace img { static double floor(double v) { return v + 1; } }\nusing namespace img;\n",
        _DOUBLES, "d[i] = floor(s[i]);",
    ),
    "unnamed namespace": (
        "namespace { double sqrt(double v) { return v * 3; } }\n", _DOUBLES, "d[i] = sqrt(s[i]);",
    ),
    "global": ("double rint(double v) { return v + 0.25; }\n", _DOUBLES, "d[i] = rint(s[i]);"),
    "C linkage": (
        'extern "C" double trunc(double v) { return v + 0.25; }\n', _DOUBLES, "d[i] = trunc(s[i]);",
    ),
    "defined below": (
        'extern "C" double ceil(double v);\n',
        _DOUBLES + 'extern "C" double ceil(double v) {{ return v * 2; }}\n', "d[i] = ceil(s[i]);",
    ),
    "template": (
        "template <class T> T round(T v) { return v + 2; }\n", _DOUBLES, "d[i] = round(s[i]);",
    ),
    "second argument": (
        "namespace img { int abs(int v, int w) { return v + w; } }\n",
        _INTS, "d[i] = img::abs(s[i], 5);",
    ),
    "other type": (
        "static int lround(int v) { return v * 7; }\n", _INTS, "d[i] = lround(s[i]);",
    ),
    "of an integer": (
        "static int fmin(int a, int b) { return a - b; }\n", _INTS, "d[i] = fmin(s[i], 3);",
    ),
    "static member": (
        "struct Op { static int abs(int v) { return v * 5; } };\n", _INTS, "d[i] = Op::abs(s[i]);",
    ),
    "method": (
        "struct Op { int gain; int abs(int v) const { return v * gain; } };\n",
        _INTS, "{ Op op = {3}; d[i] = op.abs(s[i]); }",
    ),
    "overloads": (
        "namespace img { int abs(int v) { return v + 1; }\n"
        "double abs(double v) { return v + 2; } }\n",
        _INTS, "d[i] = img::abs(s[i]) + (int)img::abs(0.5);",
    ),
    "lambda": ("", _INTS, "{ auto abs = [](int v) { return v + 9; }; d[i] = abs(s[i]); }"),
    "memset": (
        "static void memset(unsigned char *d, int v, unsigned long n) {"
        " for (unsigned long i = 0; i < n; i++) d[i] = v + 1; }\n",
        _BYTES, "if (n > 0) memset(d, 5, n); if (n > 0) d[0] += s[0];",
    ),
    "memcpy": (
        "static void memcpy(unsigned char *d, const unsigned char *s, unsigned long n) {"
        " for (unsigned long i = 0; i < n; i++) d[i] = s[i] + 1; }\n",
        _BYTES, "if (n > 0) memcpy(d, s, n);",
    ),
    "memmove": (
        "namespace mem { static void memmove(unsigned char *d, const unsigned char *s, int n) {"
        " for (int i = 0; i < n; i++) d[i] = ~s[i]; } }\nusing mem::memmove;\n",
        _BYTES, "if (n > 0) memmove(d, s, n);",
    ),
    "free": (
        "static void free(unsigned char *d) { *d = 77; }\n",
        _BYTES, "if (n > 0) { d[0] = s[0]; free(d); }",
    ),
    "std-like": (
        "namespace my { namespace std { template <class T> T min(T a, T b) { return a - b; } } }\n",
        _INTS, "d[i] = my::std::min(s[i], 3);",
    ),
    "own namespace std": (
        "namespace std { template <class T> T max(T a, T b) { return a - b; }\n"
        "inline void swap(int &a, int &b) { a = b; }\n"
        "template <class T> struct numeric_limits { static int max() { return 5; } }; }\n",
        _INTS, "{ int t = s[i], u = 4; std::swap(t, u);"
        " d[i] = std::max(s[i], 3) + t + std::numeric_limits<int>::max(); }",
    ),
}  # fmt: skip


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("name", OWN)
def test_a_function_of_the_sources_own_has_its_own_meaning(name: str, tmp_path: Path) -> None:
    before, shape, statement = OWN[name]
    found = assert_equal_to_original(written(before + shape.format(statement), tmp_path))
    assert "k" in [k.name for k in found.kernels], [str(s.diagnostic) for s in found.failed]


def test_in_c_too(tmp_path: Path) -> None:
    text = """
        static int abs(int v) { return v + 100; }
        static double floor(double v, int by) { return v + by; }
        void k(int *d, const int *s, int n) { for (int i = 0; i < n; i++) d[i] = abs(s[i]); }
        void m(double *d, const double *s, int n) {
            for (int i = 0; i < n; i++) d[i] = floor(s[i], 3);
        }"""
    found = assert_equal_to_original(written(text, tmp_path, "own.c"))
    assert [k.name for k in found.kernels] == ["k", "m"]


def test_the_headers_function_beside_an_own_one(tmp_path: Path) -> None:
    text = """
        #include <cmath>
        #include <algorithm>
        namespace img {
            static float floor(float v) { return v + 1; }
            template <class T> static T min(T a, T b) { return a - b; }
        }
        extern "C" void k(float *d, const float *s, int n) {
            for (int i = 0; i < n; i++)
                d[i] = img::floor(s[i]) + std::floor(s[i])
                     + img::min(s[i], 2.f) + std::min(s[i], 2.f);
        }"""
    found = assert_equal_to_original(written(text, tmp_path))
    assert [k.name for k in found.kernels] == ["k"]


def test_what_is_declared_as_c_declares_it_is_cs_function(tmp_path: Path) -> None:
    text = """
        extern "C" {
            double floor(double);
            int abs(int v) noexcept;
            void *memcpy(void *, const void *, unsigned long);
        }
        extern "C" void k(double *d, const double *s, int n) {
            for (int i = 0; i < n; i++) d[i] = floor(s[i]) + abs(i - 3);
        }
        extern "C" void m(int *d, const int *s, int n) { if (n > 0) memcpy(d, s, n * sizeof(int)); }
        extern "C" void b(double *d, const double *s, int n) {
            for (int i = 0; i < n; i++) d[i] = __builtin_trunc(s[i]) + __builtin_abs(-i);
        }
        """
    found = assert_equal_to_original(written(text, tmp_path))
    assert [k.name for k in found.kernels] == ["k", "m", "b"]


@pytest.mark.parametrize(
    ("declaration", "call"),
    [
        ("double floor(double);", "floor(d[0])"),
        ('extern "C" double floor(double) __asm__("my_floor");', "floor(d[0])"),
        ('extern "C" double floor(double, int);', "floor(d[0], 1)"),
        ('extern "C" float floor(double);', "floor(d[0])"),
        ('extern "C" double floor(...);', "floor(d[0])"),
        ('extern "C" int abs(double);', "abs(d[0])"),
        ("namespace img { double sqrt(double); }", "img::sqrt(d[0])"),
        ("template <class T> T fabs(T v);", "fabs(d[0])"),
        ("static double trunc(double);", "trunc(d[0])"),
        ("namespace std { double trunc(double); }", "std::trunc(d[0])"),
        ("namespace std { template <class T> T max(T, T); }", "std::max(d[0], 1.)"),
        (
            'extern "C" double twice(double v) { return 2 * v; }\n'
            'extern "C" double round(double) __attribute__((alias("twice")));',
            "round(d[0])",
        ),
    ],
)
def test_a_declaration_of_something_else_is_a_function_that_isnt_seen(
    declaration: str, call: str
) -> None:
    text = f"{declaration}\nvoid k(double *d) {{ d[0] = {call}; }}\n"
    assert failure(text).code == "unmodelled-call"


def test_a_static_methods_declaration_is_not_cs_function() -> None:
    text = (
        "struct Op { static double trunc(double); };\nvoid k(double *d) { d[0] = Op::trunc(*d); }"
    )
    assert failure(text).code in ("unmodelled-call", "unsupported-type")


@pytest.mark.parametrize("flag", ["-ffreestanding", "-fno-builtin", "-fno-builtin-floor"])
def test_where_cs_names_are_free_only_a_header_says_that_it_is_cs_function(flag: str) -> None:
    call = "void k(double *d) { d[0] = floor(d[0]); }\n"
    own = 'extern "C" double floor(double);\n' + call
    assert failure(own, clang_args=[flag]).code == "unmodelled-call"
    assert kernel("#include <math.h>\n" + call, clang_args=[flag]).name == "k"


def test_memory_of_an_own_malloc_is_not_fresh_memory() -> None:
    text = """
        static int *malloc(unsigned long n);
        void k(int *d) { int *p = malloc(4 * sizeof(int)); p[0] = 1; d[0] = p[0]; }"""
    assert failure(text).code == "unmodelled-call"


def test_a_vector_of_the_sources_own_is_a_class_like_any_other() -> None:
    text = """
        namespace std { template <class T> struct vector { T *p; T *data() { return p; }
            T &operator[](int i) { return p[i + 1]; } unsigned long size() const { return 1; } }; }
        void k(int *d) { std::vector<int> v = {d}; v[0] = 5; d[0] = (int)v.size(); }"""
    assert body(text) == lines("""
        v.p = 0
        d[v.p + 1] = 5
        d[0] = 1
    """)


def test_a_model_comes_first(tmp_path: Path) -> None:
    model = written("double floor(double v) { return v + 5; }\n", tmp_path, "models.cpp")
    text = "#include <cmath>\nvoid k(double *d) { d[0] = floor(d[0]); }\n"
    found = kernel(text, models=[model])
    assert "5" in str(found.functions["floor"].body)


def test_an_own_assert_function_states_nothing() -> None:
    text = """
        static void lift_assert(bool, int) {}
        void k(int *d, int n) { lift_assert(n > 3, 1); d[0] = n; }"""
    (found,) = parse(text).kernels
    assert not found.preconditions
