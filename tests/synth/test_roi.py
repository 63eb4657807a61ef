"""What a loop nest writes, as a box of an image: in whatever style the loops are written."""

from __future__ import annotations

import pytest

from lifter.dag import build_stage_graph
from lifter.lift.nests import groups, joined
from lifter.model.parameters import parameters
from lifter.synth import load_grammar, regions
from tests.parse.parsing import kernel
from tests.verify.proving import assumptions_of

PLANE = "uint8_t* d, const uint8_t* s, int w, int h, int stride"
EACH_ROW = "for (int y = 0; y < h; y++) "


def found(body, parameter_list=PLANE, grammar=None):
    """Candidates for the only region of a kernel: (bounds by dimension, strides)."""
    made = kernel(f"""
        #include <cassert>
        #include <cstdint>
        void f({parameter_list}) {{ {body} }}
    """)
    (group,) = groups(build_stage_graph(made).order)
    (stage,) = joined(group)
    formulas = assumptions_of(made).formulas
    chosen = grammar or load_grammar(())
    candidates = regions(stage, parameters(made), formulas, chosen)
    return [
        (
            " ".join(f"{d.variable}:{d.lower}..{d.upper}" for d in c.dimensions),
            ", ".join(map(repr, c.layout.strides)),
        )
        for c in candidates
    ]


WHOLE = ("x:0..w y:0..h", "1, stride")

STYLES = {
    "plain": EACH_ROW + "for (int x = 0; x < w; x++) d[y * stride + x] = 1;",
    "columns first": "for (int x = 0; x < w; x++) for (int y = 0; y < h; y++) d[y*stride+x] = 1;",
    "row pointer": EACH_ROW + "{ uint8_t* p = d + y * stride; "
    "for (int x = 0; x < w; x++) p[x] = 1; }",
    "bumping": EACH_ROW + "{ for (int x = 0; x < w; x++) *d++ = 1; d += stride - w; }",
    "bumping rows": EACH_ROW + "{ for (int x = 0; x < w; x++) d[x] = 1; d += stride; }",
    "tiled": "for (int ty = 0; ty < h; ty += 8) for (int tx = 0; tx < w; tx += 8) "
    "for (int y = ty; y < ty + 8 && y < h; y++) for (int x = tx; x < tx + 8 && x < w; x++) "
    "d[y * stride + x] = 1;",
    "whole tiles": "assert(w % 8 == 0 && h % 4 == 0); "
    "for (int ty = 0; ty < h; ty += 4) for (int tx = 0; tx < w; tx += 8) "
    "for (int y = 0; y < 4; y++) for (int x = 0; x < 8; x++) d[(ty+y)*stride + tx + x] = 1;",
    "reversed rows": "for (int y = h - 1; y >= 0; y--) "
    "for (int x = 0; x < w; x++) d[y * stride + x] = 1;",
    "reversed columns": EACH_ROW + "for (int x = w - 1; x >= 0; x--) d[y * stride + x] = 1;",
    "bottom-up": "d += (h - 1) * stride; "
    + EACH_ROW
    + "{ for (int x = 0; x < w; x++) d[x] = 1; d -= stride; }",
    "while": "int y = 0; while (y < h) { "
    "int x = 0; while (x < w) { d[y*stride+x] = 1; ++x; } y++; }",
    "under a condition on data": EACH_ROW
    + "for (int x = 0; x < w; x++) if (s[x] > 3) d[y * stride + x] = 1;",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("style", STYLES)
def test_a_whole_image_is_the_same_region_in_every_style(style):
    assert found(STYLES[style])[0] == WHOLE


@pytest.mark.parametrize("factor", [2, 4])
def test_an_unrolled_line_with_its_remainder_is_one_line(factor):
    stores = " ".join(f"d[i + {k}] = 1;" for k in range(factor))
    body = f"int i = 0; for (; i + {factor} <= n; i += {factor}) {{ {stores} }} "
    rest = "for (; i < n; i++) d[i] = 1;"
    assert found(body + rest, "uint8_t* d, int n")[0] == ("x:0..n", "1")
    assert found(body, "uint8_t* d, int n")[0][0] != "x:0..n"  # without it, the end stays


def test_the_interior_leaves_the_border():
    body = "for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) d[y*stride+x] = 1;"
    assert found(body)[0] == ("x:1..w - 1 y:1..h - 1", "1, stride")
    upper = EACH_ROW + "for (int x = 0; x < w; x++) if (x > 0) d[y * stride + x] = 1;"
    assert found(upper)[0] == ("x:1..w y:0..h", "1, stride")


def test_half_an_image_has_half_the_bounds():
    body = "for (int y = 0; y < h / 2; y++) for (int x = 0; x < w / 2; x++) d[y*stride+x] = 1;"
    ((bounds, strides),) = found(body)
    assert (bounds, strides) == ("x:0..w /t 2 y:0..h /t 2", "1, stride")


@pytest.mark.parametrize(
    "pixel",
    [
        "d[y*stride + 3*x] = 1; d[y*stride + 3*x + 1] = 2; d[y*stride + 3*x + 2] = 3;",
        "for (int c = 0; c < 3; c++) d[y*stride + 3*x + c] = 1;",
    ],
    ids=["by hand", "by a loop"],
)
def test_interleaved_pixels_are_a_long_row_or_have_channels(pixel):
    assert found(EACH_ROW + f"for (int x = 0; x < w; x++) {{ {pixel} }}") == [
        ("x:0..w * 3 y:0..h", "1, stride"),
        ("c:0..3 x:0..w y:0..h", "1, 3, stride"),
    ]


def test_one_channel_of_three_is_a_plane_of_its_own():
    assert found(EACH_ROW + "for (int x = 0; x < w; x++) d[y*stride + 3*x] = 1;")[0] == (
        "x:0..w y:0..h",
        "3, stride",
    )


@pytest.mark.parametrize("last, has_region", [(2, True), (3, True), (5, False)])
def test_channels_with_as_many_between_them_are_a_box(last, has_region):
    stores = f"d[8 * x] = 1; d[8 * x + {last}] = 2;"
    assert bool(found("for (int x = 0; x < w; x++) {" + stores + "}")) == has_region


def test_a_table_of_rows_has_the_row_as_its_last_coordinate():
    body = EACH_ROW + "{ uint8_t* row = d[y]; for (int x = 0; x < w; x++) row[x] = 1; }"
    assert found(body, "uint8_t** d, int w, int h") == [("x:0..w y:0..h", "1, d.row_stride")]


def test_a_vector_has_one_dimension():
    made = kernel("""
        #include <vector>
        void f(std::vector<float>& d) { for (size_t i = 0; i < d.size(); i++) d[i] = 1; }
    """)
    (stage,) = build_stage_graph(made).order
    (region,) = regions(stage, parameters(made), (), load_grammar(()))
    assert [(repr(d.lower), repr(d.upper)) for d in region.dimensions] == [("0", "d.size")]


def test_coordinates_are_named_apart_from_parameters():
    assert found("for (int i = 0; i < w; i++) d[i] = x;", "uint8_t* d, int w, uint8_t x") == [
        ("x_:0..w", "1")
    ]


@pytest.mark.parametrize(
    "body",
    [
        EACH_ROW + "for (int x = 0; x <= y; x++) d[y * stride + x] = 1;",
        "for (int x = 0; x < w; x++) d[s[x]] = 1;",
        "for (int x = 0; x < w; x++) d[x * x] = 1;",
    ],
    ids=["triangle", "places from data", "squares"],
)
def test_what_is_no_box_has_no_region(body):
    assert found(body) == []


def test_bounds_come_from_the_grammar(tmp_path):
    """Without `-` in its operators the interior can't be said."""
    text = tmp_path / "bounds.grammar"
    text.write_text("Op := +\nIntExpr := intvar | const | IntExpr Op IntExpr\n")
    grammar = load_grammar((text,))
    assert found(STYLES["plain"], grammar=grammar)[0] == WHOLE
    inside = "for (int x = 1; x < w - 1; x++) d[x] = 1;"
    assert found(inside)[0][0] == "x:1..w - 1"
    assert found(inside, grammar=grammar) == []


def test_a_matrix_that_is_transposed_in_place_is_a_box_with_gaps():
    """The inner loop's extent is over the outer counter: no bound of the region is made of it."""
    swap = (
        "int t = d[y * stride + x]; d[y * stride + x] = d[x * stride + y]; d[x * stride + y] = t;"
    )
    assert found(EACH_ROW + f"for (int x = 0; x < y; x++) {{ {swap} }}") == [
        ("x:0..h y:0..h", "1, stride")
    ]


@pytest.mark.parametrize("condition", ["x != k", "(x + y) & 1", "x % 3 == 1", "x > k"])
def test_what_a_condition_on_places_leaves_out_is_a_gap(condition):
    body = EACH_ROW + f"for (int x = 0; x < w; x++) if ({condition}) d[y * stride + x] = 1;"
    assert found(body, PLANE + ", int k")[-1] == WHOLE


def test_a_nest_that_is_long_at_many_sizes_is_seen_at_others():
    body = EACH_ROW + "for (int x = 0; x < w; x++) for (int c = 0; c < n; c++) "
    assert found(body + "d[y][x * n + c] = 1;", "uint8_t** d, int w, int h, int n") == [
        ("c:0..n x:0..w y:0..h", "1, n, d.row_stride")
    ]


def test_a_bound_may_be_an_extreme_that_a_choice_says():
    half = "int nw = w > 1 ? w / 2 : 1; for (int x = 0; x < nw; x++) d[x] = 1;"
    assert found(half)[0][0] == "x:0..max(1, w /t 2)"


def test_an_offset_may_be_negative():
    """At sizes of 0 and more alone, the first column would be `k`."""
    body = "for (int x = k < 0 ? -k : 0; x < w; x++) d[x + k] = 1;"
    assert found(body, PLANE + ", int k")[-1][0] == "x:k + max(-k, 0)..k + w"


def test_rows_may_lie_a_sum_with_a_multiple_apart():
    loops = "for (int y = 0; y < 2 * k + 1; y++) for (int x = 0; x < 2 * k + 1; x++) "
    whole = ("x:0..k * 2 + 1 y:0..k * 2 + 1", "1, k * 2 + 1")
    assert whole in found(loops + "d[y * (2 * k + 1) + x] = 1;", PLANE + ", int k")
    between = loops + "d[y * (4 * k + 6) + 2 * x] = 1;"
    assert all("k * 4 + 6" in strides for _, strides in found(between, PLANE + ", int k"))


@pytest.mark.slow
def test_of_three_strides_that_of_the_innermost_loop_is_least():
    loops = EACH_ROW + "for (int x = 0; x < w; x++) for (int c = 0; c < n; c++) "
    parameters = "uint8_t* d, int w, int h, int n, int step, int across, int down"
    for strides in (("across", "down", "step"), ("step", "across", "down")):
        row, column, channel = strides
        store = f"d[y * {row} + x * {column} + c * {channel}] = 1;"
        assert found(loops + store, parameters)[0] == (
            "c:0..n x:0..w y:0..h", f"{channel}, {column}, {row}",
        )  # fmt: skip
