"""What the kernels of the matrix share: headers, and for each number type classes and helpers."""

from __future__ import annotations

from collections.abc import Iterable

from . import compound, statements, values
from .case import Number

HEADERS = """\
#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>
#define AS_REFERENCE(type, place) ((type &)place)
#define STATIC_REFERENCE(type, place) static_cast<type &>(place)
#define PLAIN(place) (place)
"""

_SHARED = """\
struct S_{N} {{
    {T} a, b;
    {T} e[2];
    {T} &ref() {{ return b; }}
    {T} &at(int q) {{ return e[q]; }}
    {T} &operator[](int q) {{ return e[q]; }}
    S_{N} &self() {{ return *this; }}
    void add({T} v) {{ a += v; }}
}};
struct M_{N} {{ {T} a; short h; {T} b; }};
struct N_{N} {{ S_{N} w; {T} t; }};
struct B_{N} {{ {T} a, b; }};
struct D_{N} : B_{N} {{ {T} f; }};
struct R_{N} {{ {T} &r; }};
struct H_{N} {{ {T} &r; H_{N}({T} &v) : r(v) {{}} }};
struct P_{N} {{ {T} *p; }};
static {T} add_{N}({T} a, {T} b) {{ return a + b; }}
static {T} grow_{N}({T} a) {{ a += 3; return a * 2; }}
static {T} twist_{N}({T} *p, {T} v) {{ *p = v + 1; return v * 2; }}
static {T} shift_{N}({T} &r, {T} v) {{ r = v + 1; return v * 2 + r; }}
static void put_{N}({T} &r, {T} v) {{ r = v; }}
static void set_{N}({T} *p, {T} v) {{ *p = v; }}
static {T} watch_{N}({T} *p, const {T} &v) {{ {T} before = v; *p = 3; return before + 2 * v; }}
static {T} peek_{N}({T} &r, const {T} &v) {{ r += 2; return v; }}
static long wide_{N}({T} *p, const long &v) {{ *p = 3; return v; }}
static void swap_{N}({T} *a, {T} *b) {{ {T} t = *a; *a = *b; *b = t; }}
static void trade_{N}({T} &a, {T} &b) {{ {T} t = a; a = b; b = t; }}
static {T} &ref_{N}({T} &v) {{ return v; }}
static {T} &choose_{N}(bool c, {T} &a, {T} &b) {{ return c ? a : b; }}
static {T} &branch_{N}(bool c, {T} &a, {T} &b) {{ if (c) return a; return b; }}
static {T} &bump_{N}({T} &v) {{ v += 2; return v; }}
static {T} *address_{N}({T} &v) {{ return &v; }}
static {T} &part_{N}(S_{N} &w) {{ return w.a; }}
"""


def prelude(numbers: Iterable[Number]) -> str:
    """The text that stands before the kernels of a C++ file."""
    texts = (_SHARED, values.NUMBER_PRELUDE, statements.PRELUDE)
    formed = (text.format(T=n.spelling, N=n.name) for n in numbers for text in texts)
    own = (compound.filled(compound.PRELUDE, n) for n in numbers)
    return "".join((HEADERS, values.PRELUDE, *formed, *own))
