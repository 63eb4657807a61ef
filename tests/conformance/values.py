"""Every kind of expression that makes a value, and the contexts in which a value can stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .case import Number

_TARGETS = ("int8_t", "uint8_t", "int16_t", "uint16_t", "int", "unsigned", "long",
            "unsigned long", "bool", "char", "float", "double")  # fmt: skip

_ANY = {
    "sum": "x + y",
    "difference": "x - y",
    "product": "x * y",
    "quotient": "x / (y + 1)",
    "sum-with-int": "x + k",
    "sum-with-unsigned": "x + 3u",
    "sum-with-long": "x + 3L",
    "sum-with-float": "x + 1.5f",
    "product-with-double": "x * 0.25",
    "difference-of-constant": "100 - x",
    "parentheses": "(x - (y - 2))",
    "precedence": "x + y * 2 - 3",
    "negated": "-x",
    "twice-negated": "- -x",
    "plus": "+x",
    "not": "!x",
    "not-not": "!!x",
    "less": "x < y",
    "less-or-equal": "x <= y",
    "greater": "x > y",
    "greater-or-equal": "x >= y",
    "equal": "x == y",
    "unequal": "x != y",
    "compared-mixed": "x < k",
    "compared-unsigned": "x > 3u",
    "compared-double": "x <= 2.5",
    "compared-negative": "x > -1",
    "compared-twice": "(x < y) == c",
    "and": "x > 3 && y",
    "or": "x > 90 || y > 2",
    "and-or": "x > 3 && (y || c)",
    "not-and": "!(x > 3 && y)",
    "not-less": "!(x < 0)",
    "not-at-most": "!(x <= 0)",
    "not-greater": "!(x > 0)",
    "not-equal": "!(x == 0)",
    "less-than-nothing": "x < 0",
    "at-most-nothing": "x <= 0",
    "conditional": "c ? x : y",
    "conditional-mixed": "c ? x : 2.5",
    "conditional-signed": "c ? x : -1",
    "conditional-unsigned": "c ? x : 7u",
    "conditional-chain": "x > 50 ? 1 : x > 20 ? 2 : 3",
    "conditional-boolean": "c ? true : x > 5",
    "conditional-constant": "sizeof(x) > 2 ? x : y",
    "comma": "(y, x + 1)",
    "decimal": "42",
    "hexadecimal": "0x2A",
    "octal": "052",
    "binary": "0b101010",
    "separated": "1'00",
    "unsigned-literal": "42u",
    "long-literal": "42L",
    "long-long-literal": "42LL",
    "character": "'*'",
    "escaped-character": "'\\n'",
    "wide-character": "L'*'",
    "true": "true",
    "false": "false",
    "float-literal": "2.5f",
    "double-literal": "2.5",
    "exponent": "25e-1",
    "hexadecimal-float": "0x1.4p1",
    "enumerator": "SECOND",
    "scoped-enumerator": "static_cast<int>(Kind::third)",
    "constant": "LIMIT",
    "constant-expression": "WIDE + 1",
    "size-of-type": "sizeof({T})",
    "size-of-value": "sizeof(x)",
    "size-of-array": "sizeof(TABLE) / sizeof(TABLE[0])",
    "align-of": "alignof({T})",
    "initialized": "{T}{{x}}",
    "initialized-empty": "{T}{{}}",
    "made": "{T}(x)",
    "made-empty": "{T}()",
    "table": "TABLE[(int)y & 3]",
    "table-of-float": "WEIGHTS[(int)y & 3]",
    "table-of-rows": "ROWS[(int)y & 1][1]",
    "function": "add_{N}(x, y)",
    "function-nested": "add_{N}(add_{N}(x, 1), y)",
    "function-converting": "half(x)",
    "function-of-float": "scaled((float)x, 0.5f)",
    "function-with-default": "offset_{N}(x)",
    "function-with-early-return": "clip_{N}(x)",
    "function-with-loop": "power_{N}(y)",
    "function-overloaded": "kind(x)",
    "function-template": "larger(x, y)",
    "function-template-explicit": "larger<long>(x, k)",
    "function-template-value": "added<3>(x)",
    "function-static-method": "Tool::three(x)",
    "function-namespace": "inner::four(x)",
    "lambda": "[](int v) {{ return v + 1; }}((int)x)",
    "lambda-capturing": "[&] {{ return x + 2; }}()",
    "minimum": "std::min(x, y)",
    "maximum": "std::max<int>(x, k)",
    "clamped": "std::clamp<{T}>(x, 3, 60)",
    "absolute": "std::abs((int)x - 50)",
    "field": "S_{N}{{x, y, {{1, 2}}}}.b",
    "limit": "std::numeric_limits<uint8_t>::max()",
    "assigned": "(y = x)",
    "stepped": "y++",
    "stepping": "++y",
    "decltype-cast": "(decltype(x))(y + 1)",
    "statement-expression": "({{ int q = 3; q + k; }})",
    "type-trait": "std::is_same<{T}, int>::value",
    "no-exception": "noexcept(x)",
}  # fmt: skip
_INTEGER = {
    "remainder": "x % (y + 1)",
    "remainder-negative": "x % -7",
    "bit-and": "x & y",
    "bit-or": "x | y",
    "bit-xor": "x ^ 85",
    "complement": "~x",
    "left": "x << 2",
    "left-by-value": "x << (y & 3)",
    "right": "x >> 1",
    "right-by-value": "x >> (y & 3)",
    "right-unsigned": "(unsigned)x >> 3",
    "left-long": "(long)x << 9",
    "masked-and-shifted": "(x & 60) >> 2 | 1",
    "halved": "(x + y + 1) / 2",
    "divided-by-255": "(x * y + 127) / 255",
    "average": "(x & y) + ((x ^ y) >> 1)",
    "swapped-bytes": "(uint16_t)(x << 8 | (x >> 8 & 255))",
    "multiplied-wide": "(int64_t)x * 70000 >> 16",
    "wrapped": "(uint8_t)(x * 7 + 200)",
    "wrapped-signed": "(int8_t)(x + 100)",
    "boolean-arithmetic": "(x > y) + (x < 3)",
    "boolean-negated": "-(x > y)",
    "boolean-masked": "-(int)(x > y) & 77",
}
_CONTEXTS = {
    "assigned": "o = E;",
    "initializer": "auto q = E; o = q;",
    "initializer-int": "int q = E; o = q;",
    "initializer-byte": "uint8_t q = E; o = q;",
    "initializer-float": "float q = E; o = q;",
    "constant-reference": "const auto &q = E; x = 5; o = q;",
    "forwarding-reference": "auto &&q = E; q = q + 1; o = q;",
    "argument": "o = add_{N}(E, 2);",
    "argument-int": "o = taken(E);",
    "argument-constant-reference": "o = seen_{N}(E);",
    "added-to": "o += E;",
    "multiplied-into": "o *= E;",
    "subtracted-from-int": "int q = 40; q -= E; o = q;",
    "added-to-byte": "uint8_t q = 40; q += E; o = q;",
    "condition": "if (E) o = 3;",
    "loop-condition": "int q = 0; while (q < 3 && (E)) {{ q++; o += 2; }}",
    "negated-condition": "o = !(E) ? 5 : 6;",
    "operand-of-and": "o = (E) && c;",
    "operand-of-sum": "o = (E) + y;",
    "operand-of-product": "o = 3 * (E);",
    "operand-of-comparison": "o = (E) > 2;",
    "chosen": "o = c ? (E) : 4;",
    "index": "o = TABLE[(int)(E) & 3];",
    "index-byte": "o = CELLS[(uint8_t)(int)(E)];",
    "switched": "switch ((int)(E) & 3) {{ case 1: o = 7; break; default: o = 4; }}",
    "array-element": "int q[2] = {{(int)(E), 3}}; o = q[0] + q[1];",
    "field": "S_{N} q = {{({T})(E), 1, {{2, 3}}}}; o = q.a + q.e[1];",
    "returned": "auto f = [&]() -> int {{ return E; }}; o = f();",
    "discarded": "(void)(E); o = 2;",
    "stored": "d[i] = E; o = d[i];",
    "in-braces": "int q{{(int)(E)}}; o = q;",
    "static-cast": "o = static_cast<{T}>(E);",
    "by-lambda": "auto f = [](int v) {{ return v * 2; }}; o = f(E);",
}  # fmt: skip
_CONSTANT = ("minimum", "maximum", "clamped", "type-trait", "constant", "table", "table-of-float",
             "enumerator",
             "table-of-rows")  # fmt: skip
_CELLS = ", ".join(str(n * 37 % 256) for n in range(256))
PRELUDE = """\
enum Order { FIRST, SECOND = 5, THIRD };
enum class Kind { first, third = 9 };
static const int LIMIT = 17;
constexpr long WIDE = 40;
static const int TABLE[4] = {3, 1, 4, 1};
static const float WEIGHTS[4] = {0.5f, 1.5f, 2.5f, -1};
static const short ROWS[2][2] = {{1, 2}, {3, 4}};
static const unsigned char CELLS[256] = {@};
static int half(int v) { return v / 2; }
static float scaled(float v, float by) { return v * by; }
static int taken(int v) { return v + 1; }
static int kind(int v) { return v + 1; }
static int kind(double v) { return (int)v + 2; }
static int kind(unsigned char v) { return v + 3; }
static int kind(long v) { return (int)v + 4; }
static int kind(short v) { return v + 5; }
static int kind(unsigned v) { return (int)v + 6; }
template <class A> static A larger(A a, A b) { return a < b ? b : a; }
template <int by, class A> static A added(A a) { return a + by; }
struct Tool { static int three(int v) { return v * 3; } };
namespace inner { static int four(int v) { return v * 4; } }
template <int n, class A> static A power_of(A v) {
    if constexpr (n > 1) return v * power_of<n - 1>(v);
    return v;
}
template <class A> static int width_of(A) { if constexpr (sizeof(A) > 2) return 3; else return 4; }
template <class A> constexpr int scale_of = sizeof(A) * 2;
template <class A> using Same = A;
static int operator""_more(unsigned long long v) { return (int)v + 1; }
static int variadic(int n, ...) {
    va_list list;
    va_start(list, n);
    int sum = 0;
    while (n-- > 0) sum += va_arg(list, int);
    va_end(list);
    return sum;
}
""".replace("@", _CELLS)
NUMBER_PRELUDE = """\
static {T} offset_{N}({T} v, {T} by = 3) {{ return v + by; }}
static {T} clip_{N}({T} v) {{ if (v > 60) return 60; if (v < 3) return 3; return v; }}
static {T} power_{N}({T} v) {{ {T} r = 1; for (int i = 0; i < 3; i++) r *= v; return r; }}
static {T} seen_{N}(const {T} &v) {{ return v + v; }}
"""


def values(number: Number) -> Iterator[tuple[str, list[str]]]:
    """Every value in every context that it fits: names, and statements."""
    found = {**_ANY, **({} if number.is_float else _INTEGER)}
    for target in _TARGETS:
        name = target.replace(" ", "-")
        found[f"cast-to-{name}"] = f"({target})x"
        found[f"static-cast-to-{name}"] = f"static_cast<{target}>(x)"
        found[f"cast-of-sum-to-{name}"] = f"({target})(x + 2)"
        found[f"cast-there-and-back-{name}"] = f"({number.spelling})({target})x"
    for name, text in found.items():
        for context, statement in _CONTEXTS.items():
            if _fits(name, context):
                line = statement.format(T=number.spelling, N=number.name)
                value = text.format(T=number.spelling, N=number.name)
                yield f"{name}/{context}", [re.sub(r"\bE\b", lambda _, v=value: v, line)]


def _fits(name: str, context: str) -> bool:
    if context == "forwarding-reference":
        return name not in _CONSTANT
    return name != "made-empty" or context == "assigned"
