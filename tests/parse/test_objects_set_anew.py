"""Objects of a function that a region's loops set before they read them: nothing is left in them
for the run after it, unless somebody else looks."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.kernel import Kernel
from lifter.parse import parse_file

COLOUR = """\
class Colour {
    unsigned char v; bool index;
public:
    explicit Colour(unsigned char c) : v(c), index(true) {}
    void set(unsigned char c) { v = c; index = true; }
    unsigned char get() const { return v; }
};
void log(int), look(const Colour *), take(const Colour &);
"""
HEAD = "void f(unsigned char *d, const unsigned char *s, int h, int w) { Colour c(7); "
ROW = "for (int x = 0; x < w; x++) { c.set(s[y * w + x]); d[y * w + x] = c.get(); }"


def region(tmp_path: Path, body: str) -> Kernel:
    path = tmp_path / "colour.cpp"
    path.write_text(f"{COLOUR}{HEAD}{body} }}\n")
    parsed = parse_file(path)
    return next(k for k in parsed.kernels if k.region is not None)


def held(kernel: Kernel) -> set[str]:
    """The object's numbers that come in, and those that are given out."""
    assert kernel.region is not None
    given = {o.variable for o in kernel.region.outputs}
    return {p.name for p in kernel.params if p.name.startswith("c.")} | given


def test_what_each_run_sets_anew_is_neither_taken_nor_left(tmp_path: Path) -> None:
    kernel = region(tmp_path, f"for (int y = 0; y < h; y++) {{ log(y); {ROW} }}")
    assert not held(kernel)
    assert lift_kernel(kernel, LiftOptions()).status == "proved"


def test_what_nobody_reads_behind_is_taken_and_not_left(tmp_path: Path) -> None:
    text = "log(h); for (int x = 0; x < w; x++) { d[x] = c.get(); c.set(s[x]); }"
    kernel = region(tmp_path, text)
    assert held(kernel) == {"c.v"}
    assert [p.kind for p in kernel.params if p.name == "c.v"] == ["scalar"]


ROWS = f"for (int y = 0; y < h; y++) {{ log(y); {ROW} }}"
OTHERS = {
    "behind the loops": f"{ROWS} log(c.get());",
    "in the loop around, behind": f"for (int y = 0; y < h; y++) {{ {ROW} log(c.get()); }}",
    "in the loop around, before": f"for (int y = 0; y < h; y++) {{ log(c.get()); {ROW} }}",
    "by the next run": "for (int y = 0; y < h; y++) { log(y); for (int x = 0; x < w; x++) {"
    " if (s[x]) c.set(s[x]); d[x] = c.get(); } }",
    "after no iteration": "for (int y = 0; y < h; y++) { log(y);"
    " for (int x = 0; x < w; x++) c.set(s[x]); d[y] = c.get(); }",
    "by who has its address": f"look(&c); {ROWS}",
    "by who has a reference": f"take(c); {ROWS}",
    "by who is told in the loop": f"for (int y = 0; y < h; y++) {{ look(&c); {ROW} }}",
    "in another branch": "for (int y = 0; y < h; y++) {"
    f" if (y & 1) take(c); else {{ {ROW} }} log(y); }}",
    "by a lambda": f"auto g = [&] {{ log(c.get()); }}; {ROWS} g();",
}


@pytest.mark.parametrize("way", OTHERS)
def test_what_others_may_read_is_left(tmp_path: Path, way: str) -> None:
    kernel = region(tmp_path, OTHERS[way])
    assert [p.kind for p in kernel.params if p.name == "c.v"] == ["reference"]
