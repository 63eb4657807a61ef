"""What a kernel computes may change without a letter of it: by types, constants, tables, functions,
overloads, namespaces, packing, macros and flags around it.

Random sources are run as g++ compiles them. Where two give other results, their kernels have other
meanings; so no stored result of the one serves the other.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lifter.batch.meaning import meaning
from lifter.model.diagnostic import LiftError
from lifter.model.kernel import Kernel
from lifter.settings.flags import Flags, parse_source

PARTS: dict[str, tuple[str, ...]] = {
    "pixel": ("unsigned char", "signed char", "char", "short", "unsigned short", "int", "float"),
    "names": ("enum E { A, B, C };", "enum E { A = 1, B, C };", "enum E { B, A, C };",
              "enum E : unsigned char { A, B = 255, C = 3 };"),
    "constant": ("constexpr int K = 3;", "constexpr int K = 4;", "const unsigned char K = 259;",
                 "constexpr int five() { return 5; } constexpr int K = five();",
                 "#define K 3", "#define K 3u", "#define K 1+2", "constexpr long K = 3;"),
    "structure": ("struct P { unsigned char r, g, b; };", "struct P { unsigned char g, r, b; };",
                  "struct P { unsigned char r, g, b, a; };", "struct P { signed char r, g, b; };",
                  "struct P { unsigned char r; short g; unsigned char b; };",
                  "#pragma pack(push, 1)\nstruct P { unsigned char r; short g; unsigned char b; }"
                  ";\n#pragma pack(pop)",
                  "struct Q { unsigned char z; }; struct P : Q { unsigned char r, g, b; };"),
    "table": ("static const unsigned char T[4] = {1, 2, 3, 4};",
              "static const unsigned char T[5] = {1, 2, 3, 4, 5};",
              "static const signed char T[4] = {1, 2, -3, 4};",
              "static const int T[4] = {1, 2, 3, 400};"),
    "function": ("static int h(int v) { return v / 2; }", "static int h(int v) { return v >> 1; }",
                 "static int h(unsigned v) { return v / 2; }",
                 "static unsigned char h(int v) { return v / 2; }",
                 "static int h(int v, int w = 1) { return v / (w + 1); }",
                 "static int h(int v, int w = 2) { return v / (w + 1); }",
                 "static int h(int v) { return v / 2; } static int h(signed char v) { return v; }",
                 "template <typename X> static X h(X v) { return v / 2; }",
                 "template <int N = 3> static int h(int v) { return v / N; }",
                 "static float h(float v) { return v / 2; }"),
    "space": ("namespace o { static int z() { return 1; } } namespace n { using namespace o;",
              "static int z() { return 2; } namespace n {",
              "static int z() { return 2; } namespace n { static int z() { return 1; }",
              "struct Z { static int v() { return 7; } }; namespace n { "
              "static int z() { return Z::v(); }"),
    "source": ("unsigned char", "signed char", "char"),
    "end": ("i < n", "i <= n - 1", "i != n", "i < n - (int)sizeof(P) + 3"),
    "value": ("s[i] * K", "h(s[i]) + T[i & 3]", "T[(s[i] & 127) % 3] - B", "q[0].r + q[0].b * A",
              "q[0].g - s[i]", "z() + h(s[i] + 200)", "s[i] > 99 ? h(s[i]) : C", "(char)s[i] >> 1",
              "s[i] - K * 100u", "s[i] * 1.5f + K"),
    "more": ("sizeof(P)", "sizeof(T)", "sizeof(pixel)", "'a'", "'\\xff'", "(int)B", "1 / 2 * K",
             "(char)200", "W"),
    "sign": ("-funsigned-char", "-fsigned-char"),
    "macro": ("-DW=1", "-DW=2"),
}  # fmt: skip
"""What each place of the source may have."""


def source(chosen: dict[str, str]) -> str:
    above = "\n".join(chosen[k] for k in ("names", "constant", "structure", "table", "function"))
    return f"""\
#include <stdio.h>
typedef {chosen["pixel"]} pixel;
{above}
{chosen["space"]}
void dim(pixel *d, const {chosen["source"]} *s, const P *q, int n)
{{
    for (int i = 0; {chosen["end"]}; i++)
        d[i] = (pixel)((pixel)({chosen["value"]}) + {chosen["more"]});
}}
}}
#ifdef RUN
int main()
{{
    const unsigned char s[32] = {{7, 200, 130, 255, 0, 90, 128, 3, 77, 250, 1, 2, 9, 100, 101}};
    pixel d[16] = {{}};
    n::dim(d, (const {chosen["source"]} *)s, (const P *)s, 8);
    printf("%d", (int)sizeof(pixel));
    for (pixel v : d) printf(" %g", (double)v);
}}
#endif
"""


def outcome(folder: Path, number: int, chosen: dict[str, str]) -> tuple[Kernel, str] | None:
    """The kernel and what the program prints; None where either compiler refuses."""
    path, flags = folder / f"{number}.cpp", (chosen["sign"], chosen["macro"])
    path.write_text(source(chosen))
    try:
        kernels = parse_source(str(path), Flags(clang_arguments=flags)).kernels
    except LiftError:
        return None
    found = [k for k in kernels if k.qualified_name == "n::dim"]
    words = ["g++", "-w", "-O0", "-std=c++17", "-DRUN", *flags, str(path), "-o", f"{folder}/run"]
    if not found or subprocess.run(words, capture_output=True, check=False).returncode:
        return None
    run = subprocess.run([f"{folder}/run"], capture_output=True, text=True, check=True)
    return found[0], run.stdout


def try_many(folder: Path, seed: int, digest: Callable[[Kernel], str]) -> tuple[int, int]:
    """Fails where sources of one digest give two results; the number of digests, and of results."""
    chooses = random.Random(seed)
    known: dict[str, tuple[str, str]] = {}
    for number in range(40):
        if number % 8 == 0:
            first = {place: chooses.choice(texts) for place, texts in PARTS.items()}
        place = chooses.choice(list(PARTS))
        chosen = first | {place: chooses.choice(PARTS[place])}
        found = outcome(folder, number, chosen)
        if found is None:
            continue
        kernel, printed = found
        text = source(chosen)
        before, other = known.setdefault(digest(kernel), (printed, text))
        assert before == printed, f"seed {seed}: one meaning for\n{text}and for\n{other}"
    return len(known), len({printed for printed, _ in known.values()})


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))]
)
def test_other_results_are_other_meanings(tmp_path: Path, seed: int) -> None:
    meanings, results = try_many(tmp_path, seed, meaning)
    assert 8 < results <= meanings < 40  # much was tried, and some sources mean the same


def test_a_meaning_without_the_statements_is_found_out(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="one meaning for"):
        try_many(tmp_path, 1, lambda kernel: meaning(replace(kernel, body=())))
