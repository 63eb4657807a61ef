"""An update is made as often as its domain has points, whether or not it names one of them."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lifter.emit import build_program, emitted_texts
from lifter.emit.round_trip import check_round_trip
from lifter.lift.emitted_difference import compare_emitted
from lifter.model.diagnostic import LiftError
from lifter.model.lifted import FunctionResult
from tests.verify.differential import difference, lifted

from .running import realize

ROWS = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++)"
LINE = "for (int i = 0; i < n; i++)"
DOUBLED = f"void f(unsigned *d, int w, int h) {{ {ROWS} d[x] += d[x]; }}"
TUPLE = "unsigned *o, int *d, const u8 *s,"
STATES = "unsigned a = s[0]; bool b = s[1]; int c = 0;"
STEP = "a += a; a += b;"
FLAG = "if (b < a) b = (3 + s[i]) / 2;"
SCAN = "d[i] = c; c = s[i];"
UPDATES = {
    "rows doubled": (DOUBLED, ["d_out[x] = hl.select(r.x >= 0, d_out[x] + d_out[x], d_out[x])"]),
    "the first is another": (
        "void f(u8 *d, const u8 *s, int w, int h, int k) { for (int y = k; y < h; y++)"
        " for (int x = 0; x < w; x++) d[x] = (d[x] + s[x]) / 2; }",
        ["d_out[x] = hl.select(r.x >= 0, hl.u8((hl.i32(d_out[x]) + s[x]) / 2), d_out[x])"],
    ),
    "a flag that nothing is asked for": (
        f"void f(bool *o, const unsigned *p, int n) {{ bool v = 0; {LINE}"
        " if (p[i] >= v) v += 1; *o = v; }",
        ["o[()] = hl.select(r.x >= 0, hl.cast(hl.Bool(), 1), o[()])"],
    ),
    "a tuple": (
        f"void f({TUPLE} int n) {{ {STATES} {LINE} {{ {STEP} {FLAG} {SCAN} }} *o = a; }}",
        [
            "state[()] = hl.Tuple([hl.select(r.x >= 0, t, state[()][0]),"
            " hl.select(hl.u32(state[()][1]) < t, hl.cast(hl.Bool(), 1), state[()][1])])"
        ],
    ),
    "a tuple that names a point": (
        f"void f({TUPLE} int n) {{ {STATES} {LINE} {{ {STEP} if (s[i]) b = 0; {SCAN} }} *o = a; }}",
        [
            "state[()] = hl.Tuple([state[()][0] + state[()][0] + hl.u32(state[()][1]),"
            " hl.select(s[r.x] != 0, hl.cast(hl.Bool(), 0), state[()][1])])"
        ],
    ),
    "nothing is changed": (
        f"void f(u8 *d, const u8 *s, int w, int h) {{ {ROWS} d[x] += s[x] - s[x]; }}",
        [],
    ),
    "nothing but its number": (
        f"void f(long *o, const u8 *s, int n) {{ long t = s[0]; {LINE} t |= s[i] < 0; *o = t; }}",
        [],
    ),
    "what stands before": (
        "void f(int *d, const u8 *s, int w, int h) { for (int y = 0; y < h; y++)"
        " for (int x = 1; x < w; x++) d[y * w + x] = (s[x] - s[x]) + d[y * w + x - 1]; }",
        ["d_out[r.x, y] = d_out[r.x - 1, y]"],
    ),
}


def proved(source: str) -> FunctionResult:
    result = lifted(source)
    assert result.status == "proved", result.diagnostic
    return result


@pytest.mark.parametrize("name", UPDATES)
def test_an_update_names_its_domain(name: str) -> None:
    source, expected = UPDATES[name]
    result = proved(source)
    assert difference(result, 8) is None
    text = emitted_texts(result)["pipeline.py"]
    on_one_line = re.sub(r"(?<=[(\[])\n\s+|,?\n\s+(?=[)\]])|(?<=,)\n\s+(?=\s)", "", text)
    found = re.findall(r" = hl.RDom.*\n(?: +\w+ = .*\n)* +(\w+\[.*)", on_one_line)
    assert found == expected
    found = compare_emitted(result, build_program(result), text, seconds=10.0)
    assert found.difference is None and found.storing


def test_one_that_names_none_is_another_program() -> None:
    result = proved(DOUBLED)
    program = build_program(result)
    text = emitted_texts(result, program)["pipeline.py"]
    changed = text.replace("hl.select(r.x >= 0, d_out[x] + d_out[x], d_out[x])", "d_out[x] * 2")
    assert changed != text
    with pytest.raises(LiftError) as raised:
        check_round_trip(program, changed)
    assert raised.value.diagnostic.code == "internal"
    assert compare_emitted(result, program, changed).difference is not None


def test_halide_makes_it_as_often(monkeypatch: pytest.MonkeyPatch) -> None:
    text = emitted_texts(proved(DOUBLED))["pipeline.py"]
    before = np.arange(1, 9, dtype=np.uint32)
    for rows in (0, 1, 5):
        made = realize(monkeypatch, text, "f", {"d": before, "w": 8, "h": rows}, (8,))
        assert np.array_equal(made, before << rows)
