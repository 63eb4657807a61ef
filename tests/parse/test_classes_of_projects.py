"""Classes as projects have them: what stands around their loops, and what their members hold."""

from __future__ import annotations

from typing import Any

import pytest

from .parsing import body, failure, kernel, parse

RECT = """
struct Rect { int top, left; };
inline Rect made(int t, int l) { Rect q = {t, l}; return q; }
inline Rect meet(const Rect &a, const Rect &b) { return made(a.top > b.top ? a.top : b.top, 0); }
"""
MAP = "struct Map { void *base; int pitch, width, height; };\n"
STANDARDS = ["c++98", "c++11", "c++14", "c++17", "c++20"]


def names(text: str, **options: Any) -> list[str]:
    return [k.name for k in parse(text, **options).kernels]


@pytest.mark.parametrize("std", STANDARDS)
def test_what_a_function_returns_becomes_a_variable_by_no_copy(std: str) -> None:
    text = RECT + "void f(const Rect &a, const Rect &b, unsigned char *d) {"
    text += "Rect r = meet(a, b); for (int i = 0; i < r.top; ++i) d[i] = 1; }"
    assert "r.top = meet.top" in body(text, functions=["f"], std=std)


OWN_COPY = """
    struct R { int n; R(int k) : n(k) {} R(const R &r) : n(r.n + 1) {} };
    inline R made(const R &a) { R b(a.n); return b; }
    void f(const R &a, unsigned char *d) {
        R r = %s;
        for (int i = 0; i < r.n; ++i) d[i] = 1;
    }"""


@pytest.mark.parametrize("std", STANDARDS)
def test_a_copy_with_a_meaning_of_its_own_is_made(std: str) -> None:
    assert "r.n = a.n + 1" in body(OWN_COPY % "a", functions=["f"], std=std)


@pytest.mark.parametrize("std", STANDARDS)
def test_how_often_such_a_copy_is_made_isn_t_guessed(std: str) -> None:
    assert failure(OWN_COPY % "made(a)", functions=["f"], std=std).code == "unsupported-type"


def test_explicit_instances_of_a_method_are_kernels() -> None:
    text = """
        struct F { template <class T> void run(T *d, int n); int k; };
        template <class T> void F::run(T *d, int n) { for (int i = 0; i < n; ++i) d[i] += k; }
        #define INSTANTIATE(T) template void F::run<T>(T *, int);
        INSTANTIATE(unsigned char)
        template void F::run<float>(float *, int);
        """
    assert names(text) == ["F_run_uint8_int32", "F_run_float32_int32"]


def test_a_method_that_nothing_instantiates_is_none() -> None:
    text = """
        struct F { template <class T> void run(T *d, int n); int k; };
        template <class T> void F::run(T *d, int n) { for (int i = 0; i < n; ++i) d[i] += k; }
        """
    assert names(text) == []


VIRTUAL = """
    struct Op { virtual int map(int v) const = 0; virtual void run(unsigned char *d, int n); };
    struct Twice : Op { int map(int v) const; void run(unsigned char *d, int n); };
    int Twice::map(int v) const { return 2 * v; }
    void Twice::run(unsigned char *d, int n) { for (int i = 0; i < n; ++i) d[i] = %s; }
    """


def test_a_virtual_method_has_a_body_of_its_own() -> None:
    assert "d[int64(i)] = uint8(i)" in body(VIRTUAL % "i", functions=["Twice_run"])


def test_which_virtual_method_is_called_isn_t_known() -> None:
    assert failure(VIRTUAL % "map(i)", functions=["Twice_run"]).code == "virtual-call"


@pytest.mark.parametrize("kind", ["unsigned char", "unsigned short", "float"])
def test_a_void_pointer_in_a_structure_leads_to_what_it_is_cast_to(kind: str) -> None:
    text = MAP + (
        "void f(const Map &m) { for (int y = 0; y < m.height; ++y) {"
        "unsigned char *row = static_cast<unsigned char *>(m.base) + y * m.pitch;"
        f"{kind} *d = reinterpret_cast<{kind} *>(row);"
        "for (int x = 0; x < m.width; ++x) d[x] = 1; } }"
    )
    found = kernel(text)
    (memory,) = [p for p in found.params if p.kind == "array"]
    expected = {"unsigned char": "uint8", "unsigned short": "uint16", "float": "float32"}
    assert str(memory.type) == expected[kind]


def test_a_void_pointer_of_a_structure_isn_t_moved_without_a_type() -> None:
    text = """
        struct map { void *base; int height; };
        void f(const struct map *m) {
            for (int y = 0; y < m->height; ++y) *(unsigned char *)(m->base + y) = 1;
        }"""
    assert failure(text, name="a.c").family == "unsupported"


PROGRESS = """
    #include <functional>
    typedef std::function<bool(int)> Progress;
    int f(unsigned char *d, int n, int m, const Progress &going) {
        for (int y = 0; y < m; ++y) {
            for (int x = 0; x < n; ++x) d[y * n + x] = x;
            if (going && !going(y)) return 1;
        }
        return 0;
    }"""


def test_loops_between_reports_of_progress_are_kernels() -> None:
    assert names(PROGRESS) == ["f#1"]


def test_a_loop_that_reports_progress_is_none() -> None:
    text = PROGRESS.replace("d[y * n + x] = x;", "{ d[y * n + x] = x; going(x); }")
    assert names(text) == []


CONSTRUCTOR = """
    struct Table { unsigned char t[256]; explicit Table(int k); };
    Table::Table(int k) { for (int i = 0; i < 256; ++i) t[i] = i * k; }
    """


def test_loops_of_a_constructor_are_kernels() -> None:
    assert names(CONSTRUCTOR) == ["Table#1"]


def test_a_constructor_without_loops_is_none() -> None:
    assert (
        names(CONSTRUCTOR.replace("for (int i = 0; i < 256; ++i) t[i] = i * k;", "t[0] = k;")) == []
    )


OWNER = """
    #include <memory>
    struct Image {
        int w;
        std::unique_ptr<unsigned char[]> block;
        unsigned char *row(int y) { return block.get() + y * w; }
        const unsigned char *row(int y) const { return block.get() + y * w; }
    };
    struct Holder { std::unique_ptr<Image> image; };
    """


def paths(text: str) -> list[str]:
    return [f.path for p in kernel(OWNER + text).source_params for f in p.fields]


def test_memory_that_a_class_owns_is_an_array() -> None:
    loop = "for (int x = 0; x < s.w; ++x) d.row(2)[x] = s.row(3)[x];"
    text = f"void f(Image &d, const Image &s) {{ {loop} }}"
    assert paths(text) == ["w", "block.get()", "w", "block.get()"]


def test_an_object_that_another_owns_is_reached_by_its_owner() -> None:
    text = "void f(const Holder &h) { for (int x = 0; x < h.image->w; ++x) h.image->block[x] = 0; }"
    assert paths(text) == ["image.get()", "image.get()->w", "image.get()->block.get()"]


def test_memory_that_a_local_owner_holds_is_an_array_of_the_loops_around_it() -> None:
    text = OWNER + (
        "void fill(int *d); void f(unsigned char *d, int n) { std::unique_ptr<int[]> t(new int[n]);"
        "fill(t.get()); for (int i = 0; i < n; ++i) d[i] = t[i]; }"
    )
    found = kernel(text)
    assert [p.name for p in found.params] == ["d", "n", "t"]
    assert [f.path for p in found.source_params for f in p.fields] == ["get()"]


@pytest.mark.parametrize(
    "change", ["s.block.reset();", "s.block.swap(d.block);", "d.block.release();"]
)
def test_an_owner_that_changes_in_the_loop_is_refused(change: str) -> None:
    text = "void f(Image &d, Image &s) { for (int x = 0; x < s.w; ++x) { d.row(2)[x] = 1; %s } }"
    assert not parse(OWNER + text % change).kernels


OWNED = (
    "for (int i = 0; i < n; ++i) t[i] = d[i]; for (int i = 0; i < n; ++i) d[i] = t.get()[n - 1];"
)


@pytest.mark.parametrize(
    "made",
    [
        "std::unique_ptr<int[]> t(new int[n]());",
        "std::unique_ptr<int[]> t{new int[n + 1]};",
        "auto t = std::make_unique<int[]>(n);",
        "const std::unique_ptr<int[]> t = std::make_unique<int[]>(2 * n);",
    ],
)
def test_what_a_local_owner_makes_is_the_functions_own(made: str) -> None:
    found = kernel(OWNER + f"void f(int *d, int n) {{ {made} {OWNED} }}")
    assert [p.name for p in found.params] == ["d", "n"]
    assert found.arrays["t"].origin == "local"


@pytest.mark.parametrize(
    "made,behind",
    [
        ("std::unique_ptr<int[]> t(d);", ""),
        ("std::unique_ptr<int[], Ends> t(new int[n]);", ""),
        ("std::unique_ptr<int[]> t(new int[n]);", "t.reset();"),
        ("std::unique_ptr<int[]> t(new int[n]);", "t.reset(d);"),
        ("std::unique_ptr<int[]> t(new int[n]);", "t.release();"),
        ("std::unique_ptr<int[]> t(new int[n]), q;", "q = std::move(t);"),
        ("std::unique_ptr<int[]> t(new int[n]), q;", "t.swap(q);"),
        ("std::unique_ptr<int[]> t(new int[n]);", "t = nullptr;"),
        ("std::unique_ptr<int[]> q(new int[n]), t(std::move(q));", ""),
        ("std::unique_ptr<int[]> t;", ""),
        ("auto t = std::make_unique<Ends>();", ""),
    ],
)
def test_an_owner_of_anything_else_is_no_array_of_the_functions_own(made: str, behind: str) -> None:
    ends = "struct Ends { int n; void operator()(int *p) const; int &operator[](int i); };"
    text = f"{ends} void f(int *d, int n) {{ {made} {OWNED} {behind} }}".replace(
        ".get()", "" if "Ends>()" in made else ".get()"
    )
    assert not [k for k in parse(OWNER + text).kernels if k.name == "f"]


def test_loops_of_a_helper_that_makes_an_object_are_kernels() -> None:
    text = OWNER + (
        "Image make(int w); static Image filled(int w) { Image m = make(w);"
        "for (int x = 0; x < w; ++x) m.block[x] = 7; return m; }"
    )
    assert names(text) == ["filled#1"]
