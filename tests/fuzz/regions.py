"""Random functions with loops in the midst of other code, from seeds.

What stands around the loops reads what they left, by every way back there is, calls what nobody
sees, hides names, and changes what was tested before. Such a function means the same with its loops
lifted: `outcome_of` compiles some of them with a compiler, and with `lift cc` before it, and
compares what each leaves in memory, says and returns for many calls, some with overlapping images.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from pathlib import Path

from tests.build.programs import lift, run

DECLARED = """
#include <stddef.h>
typedef unsigned char byte;
struct image { byte *p; int w, k; };
struct pixel { byte r, g, b; };
#ifdef __cplusplus
extern "C" {
#endif
void out(int); int get(int *); void hold(int *); void poke(int); extern int g;
#ifdef __cplusplus
}
#endif
static int hidden = 2;
static void show(int *p) { out(*p); }
"""
MAIN = """
#include <stdio.h>
typedef unsigned char byte;
static unsigned long said; static int *held; int g = 3;
void out(int v) { said = said * 31 + (unsigned)v + 1; }
int get(int *p) { out(*p); *p = *p % 5 + 1; return said >> 3 & 1; }
void hold(int *p) { held = p; }
void poke(int v) { if (held) *held = *held % 64 + v; g = (g + v) % 100; }
typedef int function(byte *, byte *, int, int);
extern function *const functions[]; extern const char *const names[];
static byte a[9000], b[9000];
int main(void)
{
    static const int sizes[] = { 0, 1, 2, 7, 33, 70 };
    for (int f = 0; functions[f]; f++) {
        unsigned long all = 0;
        for (int call = 0; call < 96; call++) {
            byte *d = a + 3000, *sources[] = { b + 3000, a + 3000, a + 3001, a + 2999 };
            for (int i = 0; i < 9000; i++) { a[i] = i * 7 + i / 13; b[i] = i * 11 + i / 7 + 3; }
            said = 1; held = 0; g = 3;
            int r = functions[f](d, sources[call % 4], sizes[call / 4 % 6], call / 24);
            all = all * 131 + said * 1000003 + (unsigned)r + g;
            for (int i = 0; i < 9000; i++) all = all * 31 + a[i] * 3 + b[i];
        }
        printf("%s %lx\\n", names[f], all);
    }
    return 0;
}
"""
LOOPS = (
    "for (int i = 0; i < n; i++) d[i] = s[i] * {K} + {J};",
    "for (int i = 0; i < n; i++) {{ {V} = s[i] + {K}; d[i] = {V}; }}",
    "for (int i = 0; i < n; i++) {V} += s[i];",
    "for (int i = 0; i < n; i++) *p++ = s[i] / {K};",
    "for (int i = 0; i < n; i++) {{ d[i] = q[i]; if (m == {J}) q = d; }}",
    "for (int i = 0; i < n; i++) {{ d[i] = s[i] / {K}; if (m == {J}) p = d + i; }}",
    "for (int i = 0; i < im.w; i++) im.p[i] = s[i] ^ im.k;",
    "for (int i = 0; i < at->w; i++) at->p[i] = s[i] + at->k;",
    "for (int i = 0; i < n; i++) d[i] = d[i] + g;",
    "for (int i = 0; i < half; i++) d[i] = s[i] | {K};",
    "for (k = 0; k < n; k++) d[k] = s[k] & {K};",
    "for (int y = 0; y < 3; y++) for (int x = 0; x < half; x++) d[y * half + x] = s[x] + y;",
    "for (int i = 0; i < n; i++) d[i] = s[i] > {K} ? {V} : u;",
    "for (int i = 0; i < n; i++) table[i % 8] = s[i];",
    "for (int i = n - 1; i >= 0; i--) d[i] = s[i] - {K};",
    "for (int i = 0; i < half; i++) {{ px[i].r = s[i]; px[i].b = {K}; }}",
    "for (unsigned char i = 0; i < 40; i += {K}) d[i] = {V};",
    "for (int i = 0; i < n; i++) {{ int z = s[i] * {K}; {V} = z; d[i] = z >> 1; }}",
)
"""`{V}` stands for a variable that the function has, `{K}` and `{J}` for small constants."""
BETWEEN = (
    "out({V});", "{V} = get(&m);", "if (n > 60) return {V} + {K};", "if (m == {J}) goto end;",
    "hold(&{V});", "poke({K});", "{V} = {K};", "im.w = half;", "g = (g + m) % 100;",
    "at->k = {V};", "if (m == {J}) q = d;", "out((int)(p - d));", "{V} += 1;", "hidden = m;",
    "for (int i = 0; i < 2; i++) out(table[i]);", "if (m < {J}) at = &other;", "out(k);",
    "if (n < 3 || m != {J}) out(1); else poke(m);", "p = d + half;",
)  # fmt: skip
AROUND = (
    "{L}",
    "for (int r = 0; r < 3; r++) {{ out({V}); {L} {B} }}",
    "if (m > {J}) {{ {L} }} else {{ {B} {M} }}",
    "switch (m) {{ case 1: {L} case 2: {B} {M} break; default: {V} = {K}; }}",
    "switch (m) {{ {V} = 1; case 1: {L} break; case 3: {L} {V} = 7; }}",
    "do {{ {L} {B} }} while (c++ < 2 && get(&{V}));",
    "while (c++ < 3) {{ {L} if (m == {J}) break; {V} = {K}; {B} }}",
    "while (c++ < 3) {{ if (get(&m)) continue; {L} out({V}); }}",
    "{{ int n = 40 + m; out(n); {L} }}",
    "{{ int half = 9; {L} out(half); }}",
    "out(({{ {L} {K}; }}) + {V});",
    "for (int r = 0; r < 2; ({{ {V} = 0; {L} r++; }})) out({V});",
    "{{ __attribute__((cleanup(show))) int t = {K}; {L} }}",
    "{{ extern int g; {L} g = g % 50; }}",
    "if (m) {L} else {{ {M} }}",
    "{{ {L} int half = n / 3; {M} out(half); }}",
)
"""`{L}` and `{M}` stand for loops, `{B}` for what stands between."""
AROUND_CPP = (
    "try {{ {L} if (m == {J}) throw {K}; {V} = 5; }} catch (int thrown) {{ out({V} + thrown); }}",
    "{{ auto told = [&] {{ out({V}); }}; {L} told(); }}",
    "{{ auto now = [=] {{ out({V}); }}; {L} now(); {V} = 1; }}",
    "{{ int &r = {V}; {L} out(r); }}",
    "{{ struct Last {{ int &r; ~Last() {{ out(r); }} }} last{{{V}}}; {L} {B} }}",
    "if (int t = get(&m)) {{ out(t); {L} }}",
    "{{ const int half = m + 3; {L} out(half); }}",
)


def body_of(choose: random.Random, is_cpp: bool) -> str:
    """What a random function does."""
    parts = (*AROUND, *AROUND_CPP) if is_cpp else AROUND

    def filled(text: str, depth: int = 0) -> str:
        ways = {"L": LOOPS, "M": LOOPS, "B": BETWEEN}
        values = {
            k: filled(choose.choice(w)) if f"{{{k}}}" in text else "" for k, w in ways.items()
        }
        values |= {"K": str(choose.randint(1, 9)), "J": str(choose.randint(0, 3))}
        return text.format(V=choose.choice(("t", "u", "t")), **values)

    lines = []
    for _ in range(choose.randint(1, 3)):
        lines += [filled(choose.choice(BETWEEN)) for _ in range(choose.randint(0, 2))]
        lines.append(filled(choose.choice(parts)))
    if choose.random() < 0.2:
        lines = ["again:", *lines, "if (c++ < 2) goto again;"]
    read = [f"out({v});" for v in ("t", "u", "k", "im.w", "at->k") if choose.random() < 0.4]
    moved = [f"out((int)({v} - d));" for v in "pq" if choose.random() < 0.4]
    return "\n    ".join([*lines, "out(0);", "end:", *read, *moved, "hold(0);", "return n;"])


def function_of(seed: int, is_cpp: bool) -> str:
    """The function `f<seed>`, as text. The same number always makes the same one."""
    return f"""{'extern "C" ' * is_cpp}int f{seed}(byte *d, byte *s, int n, int m)
{{
    int t = 3, u = m, k = 1, c = 0, half = n / 2, table[8] = {{ 1, 2 }};
    byte *p = d, *q = s;
    struct pixel *px = (struct pixel *)d;
    struct image im = {{ d, n, 5 }}, other = {{ s, n / 3, 6 }}, *at = &im;
    (void)half; (void)table; (void)px; (void)p; (void)q; (void)at; (void)other; (void)t; (void)u;
    {body_of(random.Random(seed), is_cpp)}
}}
"""


@dataclass(frozen=True)
class Outcome:
    """What became of some functions."""

    lifted: frozenset[str]
    """The regions, and functions, that ran lifted code where the proofs hold."""
    wrong: tuple[str, ...]
    """The functions that didn't mean the same any more."""
    said: str
    """What `lift cc` said."""


def outcome_of(folder: Path, seeds: range, is_cpp: bool, timeout: float = 6) -> Outcome:
    """Compiles functions with a compiler and with `lift cc` before it, runs and compares both.

    Raises `AssertionError` where one of both can't be compiled or doesn't end well.
    """
    compiler, suffix = ("g++", "cpp") if is_cpp else ("gcc", "c")
    language = ("-std=gnu++17",) if is_cpp else ("-std=gnu11",)
    text = "".join(function_of(seed, is_cpp) for seed in seeds)
    (folder / f"k.{suffix}").write_text(DECLARED + text)
    quoted = ", ".join(f'"f{n}"' for n in seeds)
    listed = ", ".join(f"f{n}" for n in seeds)
    (folder / "main.c").write_text(
        f"{MAIN}function {listed};\n"
        f"function *const functions[] = {{ {listed}, 0 }};\n"
        f"const char *const names[] = {{ {quoted} }};\n"
    )
    common = (*language, "-w", "-c", f"k.{suffix}", "-o", "k.o")
    results = []
    said = ""
    for is_lifted in (False, True):
        if is_lifted:
            limits = ("-j1", "--timeout", str(timeout))
            done = lift("cc", *limits, compiler, "-O2", *common, cwd=folder)
            said = done.err
        else:
            done = run([compiler, "-O1", *common], folder)
        assert done.status == 0, done.err + done.out
        linked = run(["gcc", "-w", "-c", "main.c", "-o", "main.o"], folder)
        assert linked.status == 0, linked.err
        made = run([compiler, "main.o", "k.o", "-o", "program", "-lpthread", "-lm"], folder)
        assert made.status == 0, made.err
        ran = run([folder / "program"])
        assert ran.status == 0, (ran.status, is_lifted)
        results.append(ran.out.splitlines())
    wrong = tuple(a.split()[0] for a, b in zip(*results, strict=True) if a != b)
    found = frozenset(", ".join(re.findall(r"lifted code for (.*)", said)).split(", ")) - {""}
    return Outcome(found, wrong, said)
