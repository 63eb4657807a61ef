"""Edits that change what a function computes or touches, and don't look it: none is equal."""

from __future__ import annotations

import contextlib
import io
import json

import pytest

from lifter.command_line import run

HEADER = """#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
typedef uint8_t u8;
"""
EDITS = {
    "a copy becomes a reference": (
        "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++)"
        " { int t = s[i]; int r = (t += 5); r += 1; d[i] = (u8)t; } }",
        "int r = (t", "int &r = (t",
    ),
    "a reference to the same memory as another type": (
        "void f(uint32_t *d, const uint32_t *s, int n) { for (int i = 0; i < n; i++)"
        " { d[i] = 0; uint32_t r = d[i]; r = s[i]; } }",
        "uint32_t r = d[i]", "uint32_t &r = reinterpret_cast<uint32_t &>(d[i])",
    ),
    "a parameter by value becomes a reference": (
        "static void set(int a, int b, u8 *d) { a = 1; *d = (u8)b; }\n"
        "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++)"
        " { int x = s[i]; set(x, x, d + i); d[i] ^= (u8)x; } }",
        "set(int a", "set(int &a",
    ),
    "the function's own abs": (
        "namespace own {}\nnamespace own { void f(u8 *d, const u8 *s, int n)"
        " { for (int i = 0; i < n; i++) d[i] = (u8)abs(s[i] - 100); } }",
        "namespace own {}", "namespace own { static int abs(int v) { return v < 0 ? 0 : v; } }",
    ),
    "numbers become bytes": (
        "void f(float *d, const int32_t *s, int n)"
        " { for (int i = 0; i < n; i++) d[i] = (float)s[i]; }",
        "d[i] = (float)s[i]", "memcpy(&d[i], &s[i], 4)",
    ),
    "an element that isn't there": (
        "void f(u8 *d, const u8 *s, int n)"
        " { for (int i = 0; i < n; i++) d[i] = i + 1 < n ? s[i + 1] : 0; }",
        "i + 1 < n ?", "i + 1 <= n ?",
    ),
    "no store where nothing changes": (
        "void f(u8 *d, const u8 *s, int n)"
        " { for (int i = 0; i < n; i++) d[i] = s[i] > d[i] ? s[i] : d[i]; }",
        "d[i] = s[i] > d[i] ? s[i] : d[i]", "if (s[i] > d[i]) d[i] = s[i]",
    ),
    "no read where it isn't needed": (
        "void f(u8 *d, const u8 *s, const u8 *m, int n)"
        " { for (int i = 0; i < n; i++) d[i] = (u8)(s[i] * (m[i] & 1)); }",
        "(u8)(s[i] * (m[i] & 1))",
        "m[i] & 1 ? s[i] : 0",
    ),
    "a power for a root": (
        "void f(double *d, const double *s, int n)"
        " { for (int i = 0; i < n; i++) d[i] = sqrt(s[i]); }",
        "sqrt(s[i])", "pow(s[i], 0.5)",
    ),
    "a byte that is too large": (
        "void f(bool *d, int n) { memset(d, 1, n); }",
        "memset(d, 1, n)", "memset(d, 256, n)",
    ),
    "the last place but one": (
        "void f(u8 *d, const u8 *s, int n)"
        " { for (int x = 0; x < n; x++) d[x] = x > 300 ? s[x] : 7; }",
        "x > 300", "x >= 300",
    ),
}  # fmt: skip
ALIKE = {
    "a choice becomes a condition": (
        "void f(u8 *d, const u8 *s, const u8 *m, int n)"
        " { for (int i = 0; i < n; i++) d[i] = m[i] ? s[i] : d[i]; }",
        "d[i] = m[i] ? s[i] : d[i]", "if (m[i]) d[i] = s[i]",
    ),
    "a condition becomes a choice": (
        "void f(u8 *d, const u8 *s, const u8 *m, int n)"
        " { for (int i = 0; i < n; i++) if (m[i]) d[i] = s[i]; }",
        "if (m[i]) d[i] = s[i]", "d[i] = m[i] ? s[i] : d[i]",
    ),
    "a reference for a name": (
        "void f(u8 *d, const u8 *s, int n) { for (int i = 0; i < n; i++)"
        " { int t = s[i]; t += 5; d[i] = (u8)t; } }",
        "t += 5", "int &r = t; r += 5",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """What `lift verify` says of each edit, lifted in one run and verified in another."""
    folder = tmp_path_factory.mktemp("edits")
    every = {**EDITS, **ALIKE}
    for number, (source, _, _) in enumerate(every.values()):
        (folder / f"edit{number}.cpp").write_text(f"{HEADER}{source}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        sources = [f"edit{n}.cpp" for n in range(len(every))]
        assert run([*sources, "-o", "lifted", "-j", "1", "--quiet", "--no-cache"]) == 0
        for number, (source, old, new) in enumerate(every.values()):
            assert source.count(old) == 1, (source, old)
            (folder / f"edit{number}.cpp").write_text(f"{HEADER}{source.replace(old, new)}\n")
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            run(["verify", "lifted", "-j", "1", "--format", "json"])
    document = json.loads(said.getvalue())
    found = {f["file"].rpartition("/")[2]: f for f in document["functions"]}
    return {name: found[f"edit{number}.cpp"] for number, name in enumerate(every)}


@pytest.mark.slow
@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("edit", EDITS)
def test_another_meaning_is_not_called_equal(verdicts, edit):
    assert verdicts[edit]["verdict"] in ("not-equal", "undecided"), verdicts[edit]


@pytest.mark.slow
@pytest.mark.parametrize("edit", ALIKE)
def test_the_same_meaning_is(verdicts, edit):
    assert verdicts[edit]["verdict"] in ("equal", "changed"), verdicts[edit]
