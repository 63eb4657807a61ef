"""Counterexamples: data both ways, small tables, and inputs that are as small as they can be."""

from __future__ import annotations

import json
import math

import click
import pytest

from lifter.emit import record_of
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.counterexample import CounterexampleTables, ValueTable
from lifter.model.record import Record
from lifter.parse import parse_file
from lifter.show.counterexample_text import counterexample_to_text


def image(name, values, origin=(0, 0), extents=(2, 2), element="uint8"):
    strides = (1, extents[0])[: len(origin)]
    names = ("x", "y", "c")[: len(origin)]
    return ValueTable(name, element, names, origin, extents, tuple(values), strides)


def example(original, candidate, inputs=(), first=(1, 0), **scalars):
    return CounterexampleTables(scalars, tuple(inputs), original, candidate, first, 1)


def plain(text):
    return click.unstyle(text)


def refuted(tmp_path, source):
    path = tmp_path / "f.cpp"
    path.write_text("#include <cstdint>\n#include <vector>\n" + source)
    (kernel,) = parse_file(str(path)).kernels
    record = record_of(lift_kernel(kernel, LiftOptions(timeout=60)))
    data = record.counterexample_data
    return record, None if data is None else CounterexampleTables.from_json(data)


def test_data_survives_strict_json_with_nan_and_infinity():
    values = (math.nan, math.inf, -math.inf, None)
    table = image("f", values, element="float32")
    before = example(table, table, [table], gain=math.inf, n=2)
    after = CounterexampleTables.from_json(
        json.loads(json.dumps(before.to_json(), allow_nan=False))
    )
    assert repr(after) == repr(before)


@pytest.mark.parametrize(
    "change",
    [
        {"values": [1, 2, 3]},
        {"values": ["many", 1, 2, 3]},
        {"origin": [0]},
        {"extents": [[1], 2]},
    ],
)
def test_data_that_was_tampered_with_is_refused(change):
    table = image("d", (1, 2, 3, 4))
    data = example(table, table).to_json()
    CounterexampleTables.from_json(data)
    data["original"] |= change
    with pytest.raises((ValueError, TypeError)):
        CounterexampleTables.from_json(data)


def test_results_stand_side_by_side_with_the_difference_in_brackets():
    found = example(image("d", (1, 0, 7, 7)), image("d", (1, 255, 7, 7)), n=2)
    assert plain(counterexample_to_text(found, 80)).splitlines() == [
        "with n = 2",
        "  d after, by the original    d after, by the candidate",
        "  y\\x  0  1                   y\\x    0    1",
        "    0  1 [0]                    0    1 [255]",
        "    1  7  7                     1    7    7",
        "1 element differs: d(1, 0) is 0 in the original, 255 in the candidate",
    ]
    assert found.differences() == ((1, 0),)
    assert (
        plain(counterexample_to_text(found, 40)).count("\n") == 10
    )  # below each other where they don't fit


def test_a_large_table_is_cut_around_the_difference_and_says_so():
    many = [0] * 400
    wrong = list(many)
    wrong[15 * 20 + 18] = 9
    found = CounterexampleTables(
        {}, (), image("d", many, (0, 0), (20, 20)), image("d", wrong, (0, 0), (20, 20)), (18, 15), 1
    )
    text = plain(counterexample_to_text(found))
    assert "[9]" in text
    assert "cut: it has x from 0 to 19, y from 0 to 19" in text
    assert max(len(line.split()) for line in text.splitlines()[1:10]) <= 2 * 9


def test_packed_pixels_are_hexadecimal_and_floats_the_shortest_that_tells_them_apart():
    pixels = image("p", (0xFF00FF00, 1), (0,), (2,), "uint32")
    assert pixels.text(1) == "0x00000001"
    assert image("p", (7, 1), (0,), (2,), "uint32").text(7) == "7"
    floats = image("f", (), (0,), (0,), "float32")
    a, b = 0.10000000149011612, 0.10000000894069672  # neighbours in binary32
    assert (floats.text(a), floats.text(b)) == ("0.1", "0.10000001")


def test_a_refuted_candidate_is_kept_as_the_smallest_input_that_shows_it(tmp_path):
    record, found = refuted(
        tmp_path,
        "void f(uint8_t *d, const uint8_t *s, int w, int h, int stride) {\n"
        "  uint8_t a = d[0]; for (int y = 0; y < h; y++) for (int x = 1; x < w; x++)\n"
        "    d[y * stride + x] = (s[y * stride + x] + d[y * stride + x - 1]) / 2 ^ a; }",
    )
    assert record.status == "failed"
    assert found.scalars == {"w": 3, "h": 1, "stride": 3}
    assert (found.output, found.first, found.differing) == ("d", (2, 0), 1)
    assert found.original.at(2, 0) != found.candidate.at(2, 0)
    values = [v for table in found.inputs for v in table.values if v]
    assert len(values) == 1  # one pixel that isn't 0 is enough
    assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record


def test_a_proved_function_has_no_counterexample(tmp_path):
    record, found = refuted(tmp_path, "void f(uint8_t *d, int n) { for (int i = 0; i < n; i++) "
                                      "d[i] = 255 - d[i]; }")  # fmt: skip
    assert (record.status, found) == ("proved", None)


def test_shrinking_keeps_the_preconditions(tmp_path):
    _, found = refuted(
        tmp_path,
        "#include <cassert>\n"
        "void f(uint8_t *d, const uint8_t *s, int n) { assert(n >= 6);\n"
        "  uint8_t a = d[0]; for (int i = 1; i < n; i++) d[i] = s[i] + (d[i - 1] ^ a); }",
    )
    assert found.scalars == {"n": 6}


def test_a_candidate_is_not_blamed_for_what_a_later_loop_writes(tmp_path):
    _, found = refuted(
        tmp_path,
        "void f(uint8_t *d, const uint8_t *s, int n) {\n"
        "  for (int i = 0; i < n; i++) d[i] = s[i];\n"
        "  uint8_t a = d[0]; for (int i = 1; i < n; i++) d[i] = (d[i] + d[i - 1]) / 2 ^ a;\n"
        "  for (int i = 0; i < n; i++) d[i] = 255 - d[i]; }",
    )
    assert found.scalars == {"n": 3}  # two rounds of the loop in the middle: one wouldn't show it
    assert found.first == (2,)
