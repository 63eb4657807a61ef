"""Short loops that are left from within branches of branches: patterns, matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.model.kernel import Break, statements
from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import compile_original, may_be_called
from tests.verify.differential import difference, lifted

HEAD = "void f(u8 *d, const u8 *s, int n, int w, const signed char *m)"
EACH = "for (int x = 0; x < n; x++)"
LEFT = {
    "a pattern": f"{EACH} {{ int fits = 1; for (int i = 0; i < 4; i++) {{ if (m[i] == 2) continue;"
    " if (s[x + i] != m[i]) { fits = 0; break; } } d[x] = fits; }",
    "outside is skipped": f"{EACH} {{ int v = w; for (int i = -1; i <= 1; i++)"
    " { if (x + i >= 0 && x + i < n) { if (s[x + i] > 99) { v = i; break; } } } d[x] = v; }",
    "two ways out": f"{EACH} {{ int v = 0; for (int i = 0; i < 3; i++) {{ if (m[i] > 0)"
    " { if (s[x + i] > w) { v = 1; break; } v = 9; } else if (s[x + i] < 7) { v = 2; break; } }"
    " d[x] = v; }",
    "what is summed before": f"{EACH} {{ int v = 0, c = 0; for (int i = 0; i < 3; i++)"
    " { if (m[i] != 0) { v += s[x + i]; if (v > w) break; c++; } v ^= 1; } d[x] = v + c; }",
    "at one of them": f"{EACH} {{ int v = 0; for (int i = 0; i < 4; i++) {{ v += 3;"
    " if (i == 2) { v += s[x]; break; } if (m[i] > 0) { if (s[x + i] > w) { v = i; break; } }"
    " v *= 2; } d[x] = v; }",
    "always, where it is asked": f"{EACH} {{ int v = 0; for (int i = 0; i < 4; i++) {{"
    " if (m[i] > 0) { v += 5; if (i > 0) { v = 7; break; } v += s[x]; } } d[x] = v; }",
    "a store on the way": f"{EACH} {{ d[x] = 0; for (int i = 0; i < 3; i++) {{ if (m[i] == 2)"
    " continue; d[x] = i + 1; if (s[x + i] != m[i]) { d[x] = 9; break; } } }",
}


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize("way", LEFT)
def test_nothing_runs_behind_the_way_out(way: str) -> None:
    result = lifted(f"{HEAD} {{ {LEFT[way]} }}")
    assert result.status == "proved", result.diagnostic
    assert difference(result, 80) is None


def test_iterations_in_turn_are_what_gcc_makes_of_the_loop(tmp_path: Path) -> None:
    path = tmp_path / "loops.cpp"
    head = HEAD.replace("u8", "unsigned char").replace("f(", "f%d(")
    functions = (f"{head % i} {{ {LEFT[way]} }}\n" for i, way in enumerate(LEFT))
    path.write_text("".join(functions))
    found = parse_file(path)
    assert not found.failed and len(found.kernels) == len(LEFT)
    original = compile_original(path, found.kernels)
    called = 0
    for kernel in found.kernels:
        assert not any(isinstance(s, Break) for s in statements(kernel.body))
        for case in cases(kernel, 3, 12):
            outcome = run_case(kernel, case)
            if may_be_called(outcome):
                differences = original.differences(kernel, case, outcome)
                assert not differences, f"{kernel.source}\n{case}\n{differences[0]}"
                called += 1
    assert called >= 6 * len(LEFT)
