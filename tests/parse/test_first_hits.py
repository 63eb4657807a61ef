"""Loops that are left early as searches for the first hit: what they become, and what g++ does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lifter.model.kernel import Break, Kernel, WhileLoop, statements
from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import compile_original, may_be_called

from .parsing import body, kernel, lines

HEAD = "void f(int *d, const unsigned char *s, int n) "


def is_search(found: Kernel) -> bool:
    """Whether a loop that was left early has become a search."""
    made = any(name.startswith(("first", "found")) for name in found.arrays)
    return made and not any(isinstance(s, Break) for s in statements(found.body))


def test_a_loop_that_is_left_looks_for_the_first_hit() -> None:
    text = HEAD + "{ int i; for (i = 0; i < n; i++) if (s[i] == 7) break; d[0] = i; }"
    assert body(text) == lines("""
        int32 i
        i = 0
        first.1 = -1
        while (i < n) {
          if (first.1 < 0) {
            if (int32(s[int64(i)]) == 7) {
              first.1 = i
            }
          }
        step
          i = i + 1
        }
        allocate first
        first[0] = first.1
        if (first[0] >= 0) {
          i = first[0]
        }
        d[0] = i
    """)


def test_what_is_done_before_a_hit_has_a_loop_of_its_own() -> None:
    text = "{ int k = 0; for (int i = 0; i < n; i++) { k += s[i]; if (!s[i]) break; d[i] = k; } }"
    found = body(HEAD + text)
    assert "if (first[0] < 0 || i <= first[0]) {\n    k = k + " in found
    assert "if (first[0] < 0 || i < first[0]) {\n    d[int64(i)] = k" in found


def test_what_an_iteration_ends_with_is_done_in_those_before_the_hit() -> None:
    text = "{ int k = 0; for (int i = 0; i < n; STEPS) if (s[i] == 7) break; d[0] = k; }"
    behind = body(HEAD + text.replace("STEPS", "i++, k += 2"))
    assert "  i = i + 1\n  if (first[0] < 0 || i <= first[0]) {\n    k = k + 2" in behind
    before = body(HEAD + text.replace("STEPS", "k += 2, i++"))
    assert "  if (first[0] < 0 || i < first[0]) {\n    k = k + 2\n  }\n  i = i + 1" in before


def test_what_leads_to_a_hit_within_a_branch_is_done_in_its_iteration_too() -> None:
    text = "if (!s[i]) continue; k += s[i]; if (k > n) break; d[i] = k; d[i + n] = 0;"
    found = body(HEAD + "{ int k = 0; for (int i = 0; i < n; i++) { " + text + " } }")
    assert found.endswith(
        lines("""
          if (first[0] < 0 || i <= first[0]) {
            if (s[int64(i)] != 0) {
              k = k + int32(s[int64(i)])
              if (first[0] < 0 || i < first[0]) {
                d[int64(i)] = k
                d[int64(i + n)] = 0
              }
            }
          }
        step
          i = i + 1
        }
    """)
    )


def test_loops_that_are_left_together_are_one_search() -> None:
    left = "for (int y = 0; y < n; y++) { for (int x = 0; x < 9; x++) if (s[y * 9 + x]) { F } G }"
    for inner, outer in (("d[0] = 1; return;", ""), ("t = 1; break;", "if (t) break;")):
        text = left.replace("F", inner).replace("G", outer)
        found = kernel(HEAD + "{ int t = 0; d[0] = 0; " + text + " d[1] = t; }")
        assert is_search(found)
        assert sum(isinstance(s, WhileLoop) for s in statements(found.body)) == 2


def test_what_goes_on_from_row_to_row_begins_again_with_each_search() -> None:
    text = "{ int t = 0, x, y; for (y = 0; y < n; y++) { START for (x = 0; x < n; x++) {"
    text += " if (*s) { t = 1; break; } s++; } if (t) break; } d[0] = x + 9 * y; }"
    found = body(HEAD + text.replace("START", "s += 2;"))
    assert "s.1 = s\nfirst.1 = -1\n" in found and "s.2 = s\nfirst.3 = -1\n" in found
    kept = body(HEAD + text.replace("START", "const unsigned char *k = s; s = k;"))
    assert "s.2 = s\nfirst.3 = -1\n" in kept
    anew = body(HEAD.replace("*s", "*r") + text.replace("START", "const unsigned char *s = r + y;"))
    assert "first.3 = -1\n" in anew and "= s\n" not in anew


@pytest.mark.parametrize(
    "text",
    [
        "for (int i = 0; i < n; i++) { if (d[i]) break; d[i + 1] = 1; }",
        "int t = 0; for (int i = 0; i < n; i++) { if (s[i]) { if (s[i] > 9) break; t++; }"
        " if (s[i] < n) break; } d[1] = t;",
        "while (1) { if (s[n]) break; n++; }",
        "while (s[n]) n++; d[0] = n;",
        "for (int i = 0; i <= n; i++) { if (s[i]) break; d[0] = i; }",
        "int t = 0; for (int y = 0; y < n; y++) { for (int x = 0; x < n; x++)"
        " if (s[x + y]) { t = s[x]; break; } if (t) break; }",
        "int t = 0; for (int y = 0; y < n; y++) { for (int x = 0; x < n; x++)"
        " if (s[x + y]) { t = 1; break; } if (!t) break; }",
        "int t = 0; for (int y = 0; y < n; y++) { if (s[y]) t = 1; for (int x = 0; x < n; x++)"
        " if (s[x + y]) { t = 1; break; } if (t) break; }",
        "for (int y = 0; y < n; y++) { for (int x = 0; x < n; x++) if (s[x]) break; d[y] = 1; }",
        "for (int y = 0; y < n; y++) { d[y] = 1; for (int x = 0; x < n; x++) if (s[x]) return; }",
        "int i = 0, k = 0; while (i < n && s[k] != 7) k++; d[1] = k;",
        "while (n > 3) if (s[n]) { d[1] = 2; break; }",
        "for (const unsigned char *p = s; *p > 1; p++) if (p[n] == 3) { d[1] = 2; break; }",
        "for (int i = 0; i < d[0]; i++) { d[0] = s[i]; if (s[i] == 3) break; }",
    ],
    ids=[
        "what it reads is stored", "what depends on the way out", "no bound",
        "a bound in memory alone", "a bound that is reached",
        "a flag that memory sets", "left where nothing is found",
        "a flag that is set elsewhere", "within another loop", "stores in the outer of two loops",
        "what never ends but by a hit", "what never moves", "an end that is read as it goes",
        "an end that is stored",
    ],
)  # fmt: skip
def test_others_stay(text: str) -> None:
    assert not is_search(kernel(HEAD + "{ " + text + " d[0] = n; }"))


def test_a_search_from_the_end_begins_at_the_last_element(tmp_path: Path) -> None:
    path = tmp_path / "backwards.cpp"
    signature = "int NAME(int *d, const unsigned char *s, int n) { int k = n; d[0] = 0; "
    tests = ("k-- > 0 && s[k] > 9", "--k >= 0 && s[k] != k", "k-- > 2 && d[0] + s[k] < 200")
    path.write_text(
        "".join(
            signature.replace("NAME", f"f{i}") + f"while ({test}) ; return k; }}\n"
            for i, test in enumerate(tests)
        )
    )
    found = parse_file(path)
    original = compile_original(path, found.kernels)
    called = 0
    for one in found.kernels:
        for case in cases(one, 1, 9):
            outcome = run_case(one, case)
            if may_be_called(outcome):
                assert not original.differences(one, case, outcome), f"{one.source}\n{case}"
                called += 1
    assert called >= 3 * 5


class Writer:
    """Writes one random function with a loop that is left early."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, *texts: str) -> str:
        return self.random.choice(texts)

    def test(self, at: str) -> str:
        plain = (f"s[{at}] == k", f"s[{at}] > t[{at}]", f"({at} ^ k) > 5", f"s[{at}] + k < 30")
        both = f"s[{at}] > 99 && t[{at}] != k"
        return self.pick(*plain, both, f"u > 40 || s[{at}] < 9")

    def out(self, at: str, *ways: str) -> str:
        done = self.pick(
            "", "r = 5;", f"r = {at};", "v += 3;", f"d[9] = {at};", f"r = v; d[8] = {at};",
            "if (r) v = 7; else r = 4;", f"r = {at} + v; v = 0;", "v = r;",
            f"r = s[{at}] - 300;", f"r = u; v = s[{at}] + r * 2;", f"u = t[{at}]; r = u * u - v;",
            f"r = s[{at}]; r += t[{at}];",
        )  # fmt: skip
        return f"if ({self.test(at)}) {{ {done} {self.pick(*ways)} }}\n"

    def work(self, at: str) -> str:
        return self.pick(
            "", "", f"v += s[{at}];\n", "r++;\n", f"d[{at} & 3] = s[{at}] + v;\n",
            f"u = s[{at}] + t[{at}];\n", f"if (t[{at}] & 1) v ^= {at};\n",
            f"if (s[{at}] & 2) r = t[{at}]; else d[4] = v;\n", self.short(at),
        )  # fmt: skip

    def short(self, at: str) -> str:
        """A loop of a few iterations that is left."""
        step = self.pick("h++", "h++, q++", "++h")
        head = self.pick(f"for (h = 0; h < 4; {step})", f"for (h = 1; h <= 3; {step})")
        out = self.pick(
            f"if (s[{at}] > 50 * h) break;", f"if (t[{at}] % 4 == h) {{ v += h; break; }}"
        )
        other = self.pick("", "r += h;", "if (u & h) v++; else { u = h; break; }")
        parts = [out, other, self.pick("u += 2;", "")]
        self.random.shuffle(parts)
        return f"{head} {{ {' '.join(parts)} }}\n" + self.pick("", "if (h < 2) r ^= 1;\n")

    def branch(self, at: str, *ways: str) -> str:
        """A branch that does something, may leave, and else goes on."""
        way = self.out(at, *ways)
        deeper = f"if (u < 200) {{\n{self.work(at)}{way}{self.work(at)}}}\n"
        then = self.work(at) + self.pick(way, way, deeper) + self.work(at)
        other = self.pick("", "", f"{self.work(at)}v--;\n", self.work(at) + self.out(at, *ways))
        return f"if ({self.test(at)}) {{\n{then}}} else {{\n{other}}}\n"

    def around(self, at: str, body: str, more: str = "") -> str:
        down = f"for ({at} = n - 1; {at} >= 0; {at}--{more}) {{\n{body}}}\n"
        up = f"for ({at} = 0; {at} < n; {at}++{more}) {{\n{body}}}\n"
        test = self.pick(f"s[{at}] != k", f"t[{at}] + s[{at}] < 300")
        asked = f"{at} = 0; while ({at} < n && {test}) {{\n{body}{at}++{more};\n}}\n"
        behind = f"{at} = n; while ({at}-- > 0 && {test}) {{\n{body}{more[2:]};\n}}\n"
        both = self.pick(f"(u = s[{at}]) != k", f"(v += t[{at}]) < 300 && {test}")
        set_first = f"{at} = 0; while ({at} < n && {both}) {{\n{body}{at}++{more};\n}}\n"
        moved = self.pick(f"s[{at}++] != k", f"(u = t[{at}++]) != k && u + r < 200")
        moved_first = (
            f"{at} = 0; while ({at} < n && {moved}) {{\n{body.replace('[i]', '[i - 1]')}}}\n"
        )
        late = f"{at} = -1; while (++{at} < n && {both}) {{\n{body}{more[2:]};\n}}\n"
        last = f"{at} = 0; do {{\n{body}v += s[{at}]{more};\n}} while (++{at} < n && v < 400);\n"
        flagged = self.pick(set_first, moved_first, late, last)
        return self.pick(up, up, down, asked, behind, flagged)

    def one(self) -> str:
        ways = "break;", "break;", "return r + 2 * i;", "return 77;", "return s[i] - 9 * u;"
        parts = [self.out("i", *ways)]
        parts += [self.work("i") for _ in range(self.random.randint(0, 3))]
        if self.random.random() < 0.4:
            parts.append(self.out("i", *ways))
        if self.random.random() < 0.4:
            parts.append("q += 2;\n")
        if self.random.random() < 0.3:
            parts.append(self.branch("i", *ways))
        self.random.shuffle(parts)
        more = self.pick("", ", p++", ", p += 2", ", r++", ", v += s[i]")
        return self.around("i", "".join(parts), more)

    def nested(self) -> str:
        flag = self.pick("f = 1;", "f = 3;", "f = 0x100;")
        way = self.pick(f"{flag} break;", "return 2 * i + j;")
        inner = self.pick(self.out("j", way), self.out("j", way) + self.out("j", way))
        inner = self.pick("", "", "u = s[j];\n", "v++;\n") + inner + self.pick("", "", "q++;\n")
        loop = self.pick("for (j = 0; j < n; j++)", "for (j = n - 1; j >= 0; --j)")
        before = self.pick("", "", "f = 0;\n", "q += 2;\n")
        after = self.pick(
            "if (f) break;\n", "if (f != 0) { r += i; break; }\n", "if (f > 0) break;\n"
        )
        if "return" in way:
            after = ""
        return self.around("i", f"{before}{loop} {{\n{inner}}}\n{after}")

    def function(self, name: str) -> str:
        is_nested = self.random.random() < 0.4
        loop = self.nested() if is_nested else self.one()
        left = self.pick("i", "i", "i + 100 * j", "7") if is_nested else "i + 100 * j"
        more = self.pick("r", "r", "r - u") if is_nested else "r - u"
        return (
            f"int {name}(int *d, const uint8_t *s, const uint8_t *t, int n, int k) {{\n"
            "int i = 1, j = 2, r = 0, v = 0, u = 0, f = 0, h = 9; const uint8_t *p = t, *q = s;\n"
            f"{loop}d[5] = {left}; d[6] = v + f + 50 * h; d[7] = p - t + 1000 * (q - s);\n"
            f"return {more};\n}}\n"
        )


FUNCTIONS, CASES = 20, 5


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("seed", range(24))
def test_random_searches_are_what_gcc_makes_of_them(seed: int, tmp_path: Path) -> None:
    writer = Writer(seed)
    path = tmp_path / "random.cpp"
    functions = "".join(writer.function(f"f{i}") for i in range(FUNCTIONS))
    path.write_text("#include <cstdint>\n" + functions)
    found = parse_file(path)
    assert not found.failed and len(found.kernels) == FUNCTIONS
    original = compile_original(path, found.kernels)
    called = searches = 0
    for one in found.kernels:
        searches += is_search(one)
        for case in cases(one, seed, CASES):
            outcome = run_case(one, case)
            if may_be_called(outcome):
                differences = original.differences(one, case, outcome)
                assert not differences, f"{one.source}\n{case}\n{differences[0]}"
                called += 1
    assert called >= FUNCTIONS and searches >= FUNCTIONS // 10, (called, searches)
