"""Lifted code reads and stores what the original does, and no other element of the caller's.

Each kernel is lifted, built and called on arrays of exactly the elements that the original touches
in that call, with nothing mapped around them and what it doesn't write read-only.
"""

from __future__ import annotations

import ctypes
import functools
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from compiler.ir import to_text
from compiler.lower import lower
from lifter.build.build import build_function
from lifter.emit.emit import emit
from lifter.lift.lift_function import Lifting, LiftOptions
from lifter.model.diagnostic import LiftError
from lifter.parse import parse_file
from tests.end_to_end.exact_memory import Touched, check_exact_memory, recorded
from tests.end_to_end.images import PATTERNS, possible_arguments
from tests.end_to_end.original import compile_original
from tests.end_to_end.recorder import RECORDED

HEADER = "#include <stdint.h>\ntypedef uint8_t u8; typedef uint16_t u16; typedef uint32_t u32;\n"

GUARDED_BY_PLACE = {
    "the next element": (
        "void f(u8 *d, const u8 *s, int n) {"
        " for (int i = 0; i < n; i++) d[i] = i + 1 < n ? s[i + 1] : 0; }",
        "select(x + 1 < n, s(min(x + 1, n - 1)), 0)",
    ),
    "the element before": (
        "void f(u8 *d, const u8 *s, int n) {"
        " for (int i = 0; i < n; i++) d[i] = i > 0 ? s[i - 1] : 0; }",
        "select(x > 0, s(max(x - 1, 0)), 0)",
    ),
    "the last one by itself": (
        "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++)"
        " d[i] = i == n - 1 ? s[i] : (s[i] + s[i + 1]) >> 1; }",
        "select(x == n - 1, s(x), uint8(int32(s(x)) + int32(s(min(x + 1, n - 1))) >> 1))",
    ),
    "a sum with a neighbour": (
        "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++) {"
        " int a = s[i]; if (i + 1 < n) a += s[i + 1]; d[i] = a >> 1; } }",
        "uint8(select(x + 1 < n, int32(s(x)) + int32(s(min(x + 1, n - 1))), int32(s(x))) >> 1)",
    ),
    "shifted by a parameter": (
        "void f(u8 *d, const u8 *s, int n, int k) { for (int i = 0; i < n; i++)"
        " d[i] = (i + k >= 0 && i + k < n) ? s[i + k] : 0; }",
        "select(x + k >= 0 && x + k < n, s(max(min(k + x, n - 1), 0)), 0)",
    ),
    "two dimensions": (
        "void f(u8 *d, const u8 *s, int w, int h, int stride) {"
        " for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y * stride + x] ="
        " (y > 0 && x + 1 < w) ? s[(y - 1) * stride + x + 1] : s[y * stride + x]; }",
        "select(y > 0 && x + 1 < w, s(min(x + 1, w - 1), max(y - 1, 0)), s(x, y))",
    ),
    "in the middle of an expression": (
        "void f(u16 *d, const u16 *s, int n) { for (int i = 0; i < n; i++)"
        " d[i] = (u16)(s[i] + (i >= 2 ? s[i - 2] : 7)); }",
        "s(x) + select(x >= 2, s(max(x - 2, 0)), 7)",
    ),
    "another element than the next": (
        "void f(u8 *d, const u8 *s, int n) {"
        " for (int i = 0; i < n; i++) d[i] = i + 3 < n ? s[2 * i + 3] : 1; }",
        "select(x + 3 < n, s(min(x * 2 + 3, n * 2 - 5)), 1)",
    ),
    "in place": (
        "void f(u8 *d, int n) { for (int i = 0; i < n; i++) d[i] = i + 1 < n ? d[i + 1] : 0; }",
        "select(x + 1 < n, d(min(x + 1, n - 1)), 0)",
    ),
}
GUARDED_BY_PIXELS = {
    "a mask": "void f(u8 *d, const u8 *s, const u8 *m, int n) {"
    " for (int i = 0; i < n; i++) if (m[i]) d[i] = s[i]; }",
    "a mask of floats": "void f(float *d, const float *s, const u8 *m, int n) {"
    " for (int i = 0; i < n; i++) if (m[i] > 99) d[i] = s[i] * 0.5f; }",
    "a choice of sources": "void f(u8 *d, const u8 *s, const u8 *t, const u8 *m, int n) {"
    " for (int i = 0; i < n; i++) d[i] = m[i] & 1 ? s[i] : t[i]; }",
    "nested choices": "void f(u8 *d, const u8 *s, const u8 *t, const u8 *m, int n) {"
    " for (int i = 0; i < n; i++) { if (m[i]) { if (s[i] > 9) d[i] = t[i]; } else d[i] = 3; } }",
    "both sides read it": "void f(u8 *d, const u8 *s, const u8 *m, int n) {"
    " for (int i = 0; i < n; i++) d[i] = m[i] ? s[i] + 1 : s[i] - 1; }",
    "short circuit": "void f(u8 *d, const u8 *s, const u8 *m, int n) {"
    " for (int i = 0; i < n; i++) d[i] = (m[i] > 3 && s[i] > 4) ? 255 : 0; }",
    "the other short circuit": "void f(u8 *d, const u8 *s, const u8 *m, int n) {"
    " for (int i = 0; i < n; i++) d[i] = (m[i] > 3 || s[i] > 4) ? 255 : 0; }",
    "words": "void f(u32 *d, const u32 *s, const u32 *m, int n) {"
    " for (int i = 0; i < n; i++) if (m[i] >> 31) d[i] = s[i] ^ 5; }",
}
KEPT = {
    "a maximum": "void f(u8 *d, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++) if (s[i] > d[i]) d[i] = s[i]; }",
    "a threshold of floats": "void f(float *d, int n) {"
    " for (int i = 0; i < n; i++) if (d[i] < 0.0f) d[i] = 0.0f; }",
    "an untouched middle": "void f(u8 *d, int n) { for (int i = 0; i < n / 2; i++) {"
    " u8 t = d[i]; d[i] = d[n - 1 - i]; d[n - 1 - i] = t; } }",
    "an untouched middle with steps": "void f(u8 *d, int n) {"
    " for (int i = 0, j = n - 1; i < j; i++, j--) {"
    " u8 t = d[2 * i]; d[2 * i] = d[2 * j]; d[2 * j] = t; } }",
    "three of four channels": "void f(u8 *d, int n) { for (int i = 0; i < n; i++) {"
    " d[4 * i] >>= 1; d[4 * i + 1] >>= 1; d[4 * i + 2] >>= 1; } }",
    "one channel of two": "void f(u16 *d, const u16 *s, int n) {"
    " for (int i = 0; i < n; i++) d[2 * i] = s[2 * i + 1]; }",
    "two arrays by one condition": "void f(u8 *d, u8 *e, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++) if (s[i] & 2) { d[i] = s[i]; e[i] = 1; } }",
    "one of two elements": "void f(u8 *d, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++) if (s[i] > 128) d[2 * i] = 255; else d[2 * i + 1] = 3; }",
    "a minimum of what was just stored": "void f(u8 *d, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++) d[i] = s[i] / 2;"
    " for (int i = 0; i < n; i++) if (d[i] > 100) d[i] = 100; }",
    "a minimum of what was changed": "void f(u8 *d, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++) d[i] ^= s[i] & 96;"
    " for (int i = 0; i < n; i++) if (d[i] > 100) d[i] = 100; }",
    "a minimum of what may have been changed": "void f(u8 *d, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++) if (s[i] & 1) d[i] = s[i];"
    " for (int i = 0; i < n; i++) if (d[i] > 100) d[i] = 100; }",
    "a maximum of what the same mask may have changed": (
        "void f(u8 *d, const u8 *s, const u8 *m, int n) {"
        " for (int i = 0; i < n; i++) if (m[i] > 99) d[i] = s[i];"
        " for (int i = 0; i < n; i++) if (m[i] > 99) { u8 v = d[i]; if (v < 7) d[i] = 7; } }"
    ),
    "two that change places": "void f(u8 *d, u8 *e, int n) {"
    " for (int i = 0; i < n; i++) if (d[i] > e[i]) { u8 t = d[i]; d[i] = e[i]; e[i] = t; } }",
}
STATES = {
    "what spreads to the right": (
        "void f(u8 *d, const u8 *m, int n, int *o) { int c = 0, g = 0;"
        " for (int i = 0; i < n; i++) { if (!(m[i] & 1)) c = 0; else if (d[i] > 99) c = d[i];"
        " else if (c) { d[i] = c; g++; } } *o = g; }"
    ),
    "what spreads to both sides": (
        "void f(u8 *d, const u8 *m, int n, int *o) { int c = 0, g = 0;"
        " for (int i = 0; i < n; i++) { if (!(m[i] & 1)) c = 0; else if (d[i] > 99) c = d[i];"
        " else if (c) { d[i] = c; g++; } } c = 0;"
        " for (int i = n - 1; i >= 0; i--) { c = m[i] & 1 ? (d[i] > 99 ? d[i] : c) : 0;"
        " if (c && d[i] <= 99) { d[i] = c; g++; } } *o = g; }"
    ),
}
COUNTED = {
    "counts of some": "void f(u32 *h, const u8 *s, const u8 *m, int n) {"
    " for (int i = 0; i < n; i++) if (m[i]) h[s[i]] += 2; }",
    "counts of what has a place": "void f(u32 *h, const u16 *s, int n) {"
    " for (int i = 0; i < n; i++) if (s[i] < 256) h[s[i]]++; }",
    "counts by pairs and an odd one": "void f(u32 *h, const u8 *s, int n) { int i = 0;"
    " for (; i + 1 < n; i += 2) { h[s[i]]++; h[s[i + 1]]++; } if (i < n) h[s[i]]++; }",
    "counts of rows by pairs": "void f(u32 *bins, const u8 *s, int w, int h, int stride) {"
    " for (int y = 0; y < h; y++) { const u8 *p = s + y * stride; int n = w;"
    " for (; n >= 2; n -= 2, p += 2) { bins[p[0]]++; bins[p[1]]++; } if (n == 1) bins[*p]++; } }",
    "counts of two arrays": "void f(u32 *h, const u8 *s, const u8 *t, int n) {"
    " for (int i = 0; i < n; i++) { h[s[i]] += 2; if (t[i] & 1) h[t[i]] += s[i]; } }",
    "counts of three channels": "void f(u32 *h, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++, s += 3) { h[s[0]]++; h[256 + s[1]]++; h[512 + s[2]]++; } }",
}
LEFT_OUT = {
    "a column": "void f(u8 *d, int w, int h, int stride, int k) { for (int y = 0; y < h; y++)"
    " for (int x = 0; x < w; x++) if (x != k) d[y * stride + x] = 1; }",
    "a channel": "void f(u8 *d, const u8 *s, int w, int n, int a) { if (n < 1 || n > 8) return;"
    " for (int x = 0; x < w; x++) for (int c = 0; c < n; c++)"
    " if (c != a) d[x * n + c] = s[x * n + c] >> 1; }",
    "a channel that the others are multiplied by": "void f(float *d, int w, int n, int a) {"
    " if (n < 1 || n > 8 || a < 0 || a >= n) return; for (int x = 0; x < w; x++) {"
    " float m = d[x * n + a]; for (int c = 0; c < n; c++) if (c != a) d[x * n + c] *= m; } }",
    "every other pixel": "void f(u8 *d, const u8 *s, int w, int h, int stride) {"
    " for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
    " if ((x + y) & 1) d[y * stride + x] = s[y * stride + x] + 1; }",
    "one colour of a board": "void f(u8 *d, const u8 *s, int w, int h, int stride) {"
    " for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
    " if (((x ^ y) & 1) == 0) d[y * stride + x] = s[x]; }",
    "two of three": "void f(u8 *d, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++) if (i % 3 == 1) d[i] = s[i]; }",
    "what lies before the first store": (
        "void f(u8 *d, const u8 *s, int n, int k) { for (int i = 0; i < n + k; i++) if (i >= k) {"
        " int t = 0; for (int j = 0; j < k; j++) t += s[i + j]; d[i - k] = t; } }"
    ),
    "what lies beside another image": "void f(u8 *d, const u8 *s, int w, int h, int x, int y) {"
    " for (int j = y < 0 ? -y : 0; j < h && j + y < h; j++)"
    " for (int i = x < 0 ? -x : 0; i < w && i + x < w; i++)"
    " d[(y + j) * w + x + i] = s[j * w + i]; }",
}
TO_ONE_OF_TWO = {
    "bytes in an order": "void f(u8 *d, const u16 *s, int n, int big) {"
    " for (int i = 0; i < n; i++) { u16 v = s[i] * 3;"
    " d[2 * i + (big ? 1 : 0)] = v; d[2 * i + (big ? 0 : 1)] = v >> 8; } }",
    "colours by place": "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++) {"
    " int c = i & 1 ? 2 : 0; d[3 * i + c] = s[i] >> 1; d[3 * i + 1] = s[i];"
    " d[3 * i + 2 - c] = s[i] >> 2; } }",
    "one that a pixel says": "void f(u8 *d, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++) { int c = s[i] & 1 ? 1 : 0; d[2 * i + c] = s[i] >> 1; } }",
    "one that is overwritten at times": "void f(u8 *d, const u8 *s, int n, int k) {"
    " for (int i = 0; i < n; i++) { d[2 * i + (k ? 1 : 0)] = 7; d[2 * i + 1] = s[i]; } }",
    "one that overwrites at times": "void f(u8 *d, const u8 *s, int n, int k) {"
    " for (int i = 0; i < n; i++) { d[2 * i + 1] = s[i]; d[2 * i + (k ? 1 : 0)] = 7; } }",
    "one that is read at times": "void f(u8 *d, int n, int k) { for (int i = 0; i < n; i++) {"
    " d[2 * i + (k ? 1 : 0)] = 3; d[2 * i] = d[2 * i + 1] + 1; } }",
}
FILTERED_INSIDE = (
    "void f(u8 *d, const u8 *s, int w, int h, int stride) { for (int y = 0; y < h; y++) {"
    " const u8 *p = s + y * stride; u8 *q = d + y * stride;"
    " if (y == 0 || y == h - 1 || w < 3) { for (int x = 0; x < w; x++) q[x] = p[x]; continue; }"
    " q[0] = p[0]; for (int x = 1; x < w - 1; x++)"
    " q[x] = (p[x - 1] + p[x + 1] + p[x - stride] + p[x + stride]) >> 2;"
    " q[w - 1] = p[w - 1]; } }"
)
BY_MODE = {
    "a plane that a mode has no use for": "void f(u8 *d, const u8 *s, const u8 *m, int use, int n)"
    " { for (int i = 0; i < n; i++) d[i] = use ? s[i] * m[i] / 255 : s[i]; }",
}
IN_PAIRS = {
    "both of a pair": "void f(u8 *d, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++) d[i] = s[i & ~1] - s[i | 1]; }",
    "the other of a group": "void f(u8 *d, const u8 *s, int n) {"
    " for (int i = 0; i < n; i++) d[i] = s[i ^ 3]; }",
    "a table at some bits of a wide pixel": "void f(int64_t *d, int n) {"
    " const u8 t[4] = {1, 5, 2, 8};"
    " for (int i = 0; i < n; i++) d[i] = d[i] % 9 + t[(int)d[i] & 3]; }",
}
WINDOW = (
    " for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) { u8 m = 0;"
    " for (int j = -1; j <= END; j++) for (int i = -1; i <= END; i++) {"
    " int r = y + j, c = x + i;"
)
"""Of its reads each is guarded by its place, and by what was read before."""
WINDOWS = {
    "a maximum of what is inside": f"void f(u8 *d, const u8 *s, int w, int h) {{ {WINDOW}"
    " if (r < 0 || r >= h || c < 0 || c >= w) continue;"
    " if (s[r * w + c] > m) m = s[r * w + c]; } d[y * w + x] = m; } }",
    "a maximum in one condition": f"void f(u8 *d, const u8 *s, int w, int h) {{ {WINDOW}"
    " if (r >= 0 && r < h && c >= 0 && c < w && s[r * w + c] > m) m = s[r * w + c]; }"
    " d[y * w + x] = m; } }",
    "whether any is set": f"void f(u8 *d, const u8 *s, int w, int h) {{ {WINDOW}"
    " if (!m && r >= 0 && r < h && c >= 0 && c < w) m = s[r * w + c] != 0; }"
    " d[y * w + x] = m; } }",
}
WHOLE_WINDOW = WINDOWS["a maximum of what is inside"].replace("END", "1")
WINDOWS = {name: source.replace("END", "0") for name, source in WINDOWS.items()}
COPIED_BEYOND = {
    "one element alone": "void f(u8 *d, int n) { for (int i = 0; i < n; i++) { int j = n - 1 - i;"
    " if (i < j) { u8 t = d[i]; d[i] = d[j]; d[j] = t; } } }",
    "a diagonal that stays": "void f(u8 *d, int n) { for (int i = 0; i < n; i++)"
    " for (int j = 0; j < i; j++) {"
    " u8 t = d[i * n + j]; d[i * n + j] = d[j * n + i]; d[j * n + i] = t; } }",
}
SIZES = ((0, 0), (1, 1), (2, 2), (3, 1), (17, 3), (33, 2), (70, 3), (131, 1))
READ_AHEAD = {
    "by some bits of a number": (
        "void f(u8 *d, int n, int k) { k &= 7; for (int i = 0; i < n; i++) d[i] = d[i + k]; }"
    ),
    "by a byte": "void f(u8 *d, int n, u8 k) { for (int i = 0; i < n; i++) d[i] = d[i + k]; }",
    "by rows and columns": (
        "void f(u8 *d, int w, int h, int stride) { for (int y = 0; y < h; y++)"
        " for (int x = 0; x < w; x++) d[y * stride + x] = d[(y + 1) * stride + x + 2]; }"
    ),
}
READ_AHEAD_AT_TIMES = {
    "where a choice says": (
        "void f(u8 *d, int n) { for (int i = 0; i < n; i++) d[i] = d[i + 1 < n ? i + 1 : n - 1]; }"
    ),
    "of odd elements": (
        "void f(u8 *d, int n) { for (int i = 0; i < n; i++) d[i] = d[i + (i & 1)]; }"
    ),
    "where another array says": (
        "void f(u8 *d, const u8 *m, int n)"
        " { for (int i = 0; i < n; i++) d[i] = d[i + (m[i] & 1)]; }"
    ),
}
"""In place, what is ahead is copied before it is overwritten: as far as an iteration reads, and no
further."""
BY_BITS = {
    "the other of two": (
        "void f(u8 *d, const u8 *s, int w, int h) { for (int y = 0; y < h; y++)"
        " for (int x = 0; x < w; x++) d[y * w + x] = s[y * w + (x & 1 ? x ^ 1 : x)]; }"
    ),
    "the first of four": (
        "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i & ~3]; }"
    ),
    "the second of two": (
        "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i | 1]; }"
    ),
    "by a complement from the end": (
        "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++) d[i] = s[~i + n]; }"
    ),
    "clamped by its sign": (
        "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++) {"
        " int k = i - 2; k &= ~(k >> 31); d[i] = s[k]; } }"
    ),
    "sums and differences in halves": (
        "void f(int16_t *d, const int16_t *s, int n) { int m = n / 2; for (int i = 0; i < m; i++) {"
        " d[i] = (s[2 * i] + s[2 * i + 1]) >> 1; d[m + i] = s[2 * i] - s[2 * i + 1]; } }"
    ),
    "by a shift that a parameter says": (
        "void f(u8 *d, const u8 *s, int n, int k) { for (int i = 0; i < n; i++) d[i] = s[i >> k]; }"
    ),
    "of a level of a pyramid": (
        "void f(u8 *d, const u8 *s, int w, int h, int k) { k &= 3; for (int y = 0; y < h; y++)"
        " for (int x = 0; x < w; x++) d[y * w + x] = s[(y >> k) * (w >> k) + (x >> k)]; }"
    ),
}
SUMS_AT_TIMES = {
    "of a window, but at the end": (
        "void f(u8 *d, const u8 *s, int n, int r) { if (r < 1 || r > 9) return;"
        " for (int i = 0; i < n; i++) if (i < n - r) { int t = 0;"
        " for (int j = 0; j <= r; j++) t += s[i + j]; d[i] = t >> 3; } else d[i] = s[i]; }"
    ),
    "where data say": (
        "void f(u8 *d, const u8 *s, const u8 *m, int n, int r) { if (r < 1 || r > 9) return;"
        " for (int i = 0; i < n; i++) if (m[i] & 1) { int t = 0;"
        " for (int j = 0; j < r; j++) t += s[i * 9 + j]; d[i] = t >> 3; } else d[i] = 7; }"
    ),
    "of no size that is refused": (
        "void f(u8 *d, const u8 *s, const u16 *k, int n, int r) { if (r < 1 || !(r & 1) || r > 9)"
        " return; for (int i = 0; i < n; i++) { unsigned t = 0;"
        " for (int j = -(r / 2); j <= r / 2; j++) t += k[j + r / 2] * s[i + j + r / 2];"
        " d[i] = t >> 4; } }"
    ),
}
ALL = {
    **READ_AHEAD,
    **BY_BITS,
    **{name: source for name, (source, _) in GUARDED_BY_PLACE.items()},
    **GUARDED_BY_PIXELS, **KEPT, **STATES, **COUNTED, **LEFT_OUT, **TO_ONE_OF_TWO,
    **BY_MODE, **IN_PAIRS, **WINDOWS,
}  # fmt: skip


@functools.cache
def lifted(source: str) -> Any:
    folder = tempfile.TemporaryDirectory(prefix="lift_untouched_")
    path = Path(folder.name) / "source.cpp"
    path.write_text(HEADER + source + "\n")
    (kernel,) = parse_file(path).kernels
    lifting = Lifting(kernel, LiftOptions())
    return folder, path, kernel, lifting, lifting.result()


def calls_of(source: str) -> list[Touched]:
    """What the original touches for images of all sizes and patterns."""
    _, path, kernel, lifting, result = lifted(source)
    libraries = [compile_original(path, [kernel], (), how)._library for how in RECORDED]
    formulas = lifting._formulas(result.proof.preconditions)
    every = [(w, h, pattern) for w, h in SIZES for pattern in PATTERNS]
    made = possible_arguments(kernel, every, formulas)
    return [recorded(call, libraries, "lift_test_f") for call in made]


@functools.cache
def built(source: str) -> Any:
    folder, _, kernel, _, result = lifted(source)
    emit(result, Path(folder.name) / kernel.name)
    made = build_function(Path(folder.name) / kernel.name)
    return ctypes.CDLL(str(made.shared)).f_lifted


@pytest.mark.sampled(every=128)
@pytest.mark.parametrize("source", ALL.values(), ids=ALL)
def test_nothing_else_is_touched(source: str) -> None:
    result = lifted(source)[-1]
    assert result.status == "proved", result.diagnostic
    calls = calls_of(source)
    assert len(calls) >= len(SIZES)
    check_exact_memory(calls, built(source))


@pytest.mark.parametrize(
    "way",
    [
        w if w == "where data say" else pytest.param(w, marks=pytest.mark.slow)
        for w in SUMS_AT_TIMES
    ],
)
def test_sums_at_times_read_nothing_else(way: str) -> None:
    test_nothing_else_is_touched(SUMS_AT_TIMES[way])


def test_what_an_earlier_loop_leaves_alone_is_the_callers() -> None:
    source = KEPT["a maximum of what the same mask may have changed"]
    result = lifted(source)[-1]
    assert result.status == "proved", result.diagnostic
    assert not any(summary.stores_changed for summary in result.summaries)
    # With no mask in the first loop all elements are stored, and so may all be read.
    everywhere = lifted(source.replace("if (m[i] > 99) d[i] = s[i]", "d[i] = s[i]"))[-1]
    assert everywhere.status == "proved"
    assert everywhere.summaries[-1].stores_changed


def test_what_data_say_is_read_is_never_copied() -> None:
    """Whatever becomes of the condition: here the compiler sees no memory in it."""
    source = (
        "void f(u8 *d, float k, int n) { u8 c = 7; for (int i = 0; i < n; i++) {"
        " if ((int)(k * 1.5f) == i) c = d[i]; d[i] = c + 1; } }"
    )
    folder, _, kernel, _, result = lifted(source)
    assert result.status == "proved", result.diagnostic
    emit(result, Path(folder.name) / kernel.name)
    with (
        patch.object(sys.modules[lower.__module__], "with_overwritten", lambda plans, *_: plans),
        pytest.raises(LiftError, match="reads elements of d under conditions on pixels"),
    ):
        build_function(Path(folder.name) / kernel.name)


@pytest.mark.slow
def test_rows_that_are_copied_read_no_neighbours() -> None:
    test_nothing_else_is_touched(FILTERED_INSIDE)


@pytest.mark.slow
def test_nine_reads_in_one_another_are_proved_in_a_moment() -> None:
    result = lifted(WHOLE_WINDOW)[-1]
    assert result.status == "proved", result.diagnostic


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("source", COPIED_BEYOND.values(), ids=COPIED_BEYOND)
def test_a_copy_of_what_the_original_never_touches_is_not_proved(source: str) -> None:
    result = lifted(source)[-1]
    assert result.status == "unproved"
    assert result.diagnostic.code == "undecided"
    assert "is copied between elements that are touched" in result.diagnostic.message


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("source, expected", GUARDED_BY_PLACE.values(), ids=GUARDED_BY_PLACE)
def test_reads_are_clamped_to_what_their_conditions_let_through(source: str, expected: str) -> None:
    (summary,) = lifted(source)[-1].summaries
    assert to_text(summary.expression) == expected


@pytest.mark.parametrize("source", READ_AHEAD_AT_TIMES.values(), ids=READ_AHEAD_AT_TIMES)
def test_a_copy_may_not_reach_beyond_what_is_read(source: str) -> None:
    result = lifted(source)[-1]
    assert result.status == "unproved", result.diagnostic
    assert "is read as far as what is copied for it" in result.diagnostic.message


# Negative twins: the calls find what they are for.


def an_element_too_many(at: int) -> Any:
    """`d[i] = s[i]`, reading one more element of `s`."""
    reads = "int f_lifted(u8 *d, const u8 *s, int n) {{ volatile u8 t = 0; if (n) t = s[{}];"
    return reads.format("n" if at > 0 else "-1")


@functools.cache
def compiled(text: str) -> Any:
    import subprocess

    folder = tempfile.mkdtemp(prefix="lift_untouched_")
    path = Path(folder) / "wrong.cpp"
    path.write_text(f'{HEADER}extern "C" {text}')
    library = path.with_suffix(".so")
    subprocess.run(["g++", "-O1", "-shared", "-fPIC", str(path), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library)).f_lifted


COPY = "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++) d[i] = s[i]; }"
LOOP = " for (int i = 0; i < n; i++) d[i] = s[i]; return 0; }"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "body",
    [
        an_element_too_many(1) + LOOP,
        an_element_too_many(-1) + LOOP,
        "int f_lifted(u8 *d, volatile u8 *s, int n) { if (n > 0) s[0] = s[0];" + LOOP,
        "int f_lifted(u8 *d, u8 *s, int n) {"
        " for (int i = 0; i < n; i++) d[i] = s[i]; if (n > 2) d[2]++; return 0; }",
    ],
    ids=["behind", "before", "a store to what is only read", "a wrong value"],
)
def test_what_touches_more_or_leaves_other_values_is_found(body: str) -> None:
    with pytest.raises(AssertionError, match=r"touched what|differ"):
        check_exact_memory(calls_of(COPY), compiled(body))


def test_what_touches_the_same_is_not_found() -> None:
    check_exact_memory(calls_of(COPY), compiled("int f_lifted(u8 *d, u8 *s, int n) {" + LOOP))


@pytest.mark.slow
def test_stores_back_of_what_was_there_are_found() -> None:
    source = KEPT["a maximum"]
    body = (
        "int f_lifted(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++) {"
        " volatile u8 *p = d + i; *p = s[i] > *p ? s[i] : *p; } return 0; }"
    )
    with pytest.raises(AssertionError, match="touched what"):
        check_exact_memory(calls_of(source), compiled(body))


def test_the_recorder_sees_reads_and_writes_apart() -> None:
    (call,) = [c for c in calls_of(COPY) if c.call.text.startswith("f 17 x 3, random")]
    first, behind = call.range("s")
    assert behind - first == call.call.scalars["n"]
    assert np.all(call.marks["s"][first:behind] == 1) and set(call.marks["d"]) == {0, 2}
