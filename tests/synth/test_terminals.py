"""Reads of flat memory become reads of images at coordinates."""

from __future__ import annotations

import pytest

from compiler.ir import I64, Add, Call, Mul, Sub, Variable, const, postorder
from lifter.dag import build_stage_graph, normal
from lifter.model.diagnostic import LiftError
from lifter.model.parameters import parameters
from lifter.model.summary import Layout
from lifter.synth import Imager, infer_layouts, load_grammar, mappings, regions
from lifter.synth.terminals import image_coordinates
from tests.parse.parsing import kernel
from tests.verify.proving import assumptions_of

PLANE = "uint8_t* d, const uint8_t* s, const uint8_t* lut, int w, int h, int p"


def terminals(body, parameter_list=PLANE, known=None):
    """The image reads of the value that the last stage of a kernel stores."""
    made = kernel(f"#include <cstdint>\nvoid f({parameter_list}) {{ {body} }}")
    stage = build_stage_graph(made).order[-1]
    formulas = assumptions_of(made).formulas
    region = next(iter(regions(stage, parameters(made), formulas, load_grammar(()))))
    mapping = mappings(stage, region)[0]
    value = mapping.partial(mapping.write.value)
    layouts = {stage.output: region.layout, **(known or {})}
    layouts = infer_layouts([value], layouts, mapping.names)
    imager = Imager(layouts, parameters(made), mapping.names)
    target = imager.value(value)
    return [repr(n) for n in postorder(target) if isinstance(n, Call) and n.kind == "image"]


def each(value, row=""):
    return (
        f"for (int y = 0; y < h; y++) {{ {row} for (int x = 0; x < w; x++) d[y*p+x] = {value}; }}"
    )


@pytest.mark.parametrize(
    "value, expected",
    [
        ("s[y * p + x]", ["s(x, y)"]),
        ("s[x]", ["s(x)"]),
        ("s[y * w + x]", ["s(x, y)"]),
        ("s[(y + 1) * p + x - 1]", ["s(x - 1, y + 1)"]),
        ("s[(h - 1 - y) * p + x]", ["s(x, h - 1 - y)"]),
        ("s[y * p + (w - 1 - x)]", ["s(w - 1 - x, y)"]),
        ("s[y * p + 3 * x + 2]", ["s(2, x, y)"]),
        ("s[2 * y * p + 2 * x]", ["s(x * 2, y)"]),
        ("lut[s[y * p + x]]", ["s(x, y)", "lut(int32(s(x, y)))"]),
        ("s[x * p + y]", ["s(y, x)"]),
        ("s[y * (2 * p + 1) + x]", ["s(x, y)"]),
        ("s[(y + p) * (2 * p + 1) + x + 3]", ["s(x + 3, p + y)"]),
    ],
)
def test_an_address_becomes_coordinates(value, expected):
    assert terminals(each(value)) == expected


def test_a_pointer_that_is_bumped_reads_the_same_pixel():
    body = (
        "for (int y = 0; y < h; y++) { for (int x = 0; x < w; x++) *d++ = *s++;"
        " d += p - w; s += p - w; }"
    )
    assert terminals(body) == ["s(x, y)"]


def test_a_reversed_loop_reads_the_same_pixel():
    body = "for (int x = w - 1; x >= 0; x--) d[x] = s[x];"
    assert terminals(body) == ["s(x)"]


def test_a_tiled_loop_reads_the_same_pixel():
    body = (
        "for (int t = 0; t < w; t += 8) for (int x = t; x < t + 8 && x < w; x++) d[x] = s[x + 1];"
    )
    assert terminals(body) == ["s(x + 1)"]


def test_a_table_of_rows_is_read_at_its_row():
    body = "for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y * w + x] = t[y][x + 1];"
    assert terminals(body, "uint8_t* d, uint8_t** t, int w, int h") == ["t(x + 1, y)"]


def test_a_read_that_the_known_layout_does_not_have_is_no_terminal():
    """An array whose strides are settled can't be read across them."""
    layout = Layout("s", (Variable("p", I64),), normal(Variable("w", I64)))
    with pytest.raises(LiftError) as caught:
        terminals(each("s[y * p + x]"), known={"s": layout})
    assert caught.value.diagnostic.code == "no-terminal"
    assert "is no read of an image with strides p" in caught.value.diagnostic.message


def test_coordinates_take_out_the_widest_stride_first():
    x, y, p = (Variable(n, I64) for n in "xyp")
    layout = Layout("s", (const(1, I64), p), const(0, I64))
    assert image_coordinates((normal(Add(Mul(y, p), x)),), layout) == (x, y)
    assert image_coordinates((normal(Add(Mul(Sub(y, x), p), y)),), layout) == (y, normal(Sub(y, x)))
