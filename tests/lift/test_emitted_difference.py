"""Programs are run before anybody gets them: one that isn't what was proved is refused."""

from __future__ import annotations

import functools

import pytest

from compiler.lang.errors import HalideError
from lifter.batch.one_function import lift_one
from lifter.emit import Program, build_program, emitted_texts
from lifter.lift.emitted_difference import SECONDS, Comparison, compare_emitted
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.verify.differential import parsed

INNER = """
void f(u8 *d, const u8 *s, int w, int h, int stride) {
    for (int y = 0; y < h; y++)
        for (int x = 1; x < w - 1; x++)
            d[y * stride + x] = (s[y * stride + x - 1] + s[y * stride + x + 1] + 1) / 2;
}
"""
ALONE = (
    "void f(int *d, const int *s, int n)"
    " { d[0] = s[0]; for (int i = 1; i < n; i++) d[i] = d[i - 1] + d[i]; }"
)
BEHIND = (
    "void f(int *d, const int *s, int w, int a) { for (int x = 0; x < w; x++) d[x] = s[x];"
    " for (int x = 1; x < w; x++) d[x] = d[x - 1] * 3 + d[x + 1]; d[w] = a; }"
)
COUNTS = (
    "void f(int *n, const u8 *k, int w)"
    " { for (int i = 0; i < 16; i++) n[i] = 0; for (int i = 0; i < w; i++) n[k[i]]++; }"
)
ROWS = """
// lift: assume(the rows of d are evenly spaced)
// lift: assume(the rows of s are evenly spaced)
void f(u8 **d, u8 **s, int w, int h) {
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) d[y][x] = s[y][w - 1 - x];
}
"""
PACKED = """
void f(unsigned *d, const unsigned *s, int n) {
    for (int i = 0; i < n; i++) if (s[i] >> 31) d[i] = s[i] ^ 0xff000000u;
}
"""
COLOURS = """
void f(u8 *d, const u8 *s, int n) {
    for (int i = 0; i < n; i++) for (int c = 0; c < 3; c++) d[4 * i + c] = 255 - s[4 * i + c];
}
"""
RUNNING = "void f(int *d, int n) { for (int i = 1; i < n; i++) d[i] = d[i - 1] + d[i]; }"


@functools.cache
def proved(source: str) -> FunctionResult:
    result = lift_kernel(parsed(source), LiftOptions())
    assert result.status == "proved"
    return result


def compared(source: str, old: str = "", new: str = "", seconds: float = SECONDS) -> Comparison:
    """What running the program shows, with `new` in place of `old` in its text."""
    program = build_program(proved(source))
    text = emitted_texts(proved(source), program)["pipeline.py"]
    assert old in text, text
    changed = text.replace(old, new, 1) if old else text
    return compare_emitted(proved(source), program, changed, seconds=seconds)


@pytest.mark.parametrize("source", [INNER, ROWS, RUNNING, PACKED, COLOURS])
def test_a_program_is_run_on_several_inputs(source: str) -> None:
    found = compared(source)
    assert found.difference is None
    assert found.storing >= 3 and found.inputs > found.storing


@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        (INNER, "x - 1", "x"),
        (INNER, "hl.u8(", "hl.u8(1 + "),
        (ROWS, "w - 1 - x, y", "x, y"),
        (PACKED, ">> 31", ">> 30"),
        (
            COLOURS,
            "d.output_buffer().dim(1).set_stride(4)",
            "d.output_buffer().dim(1).set_stride(3)",
        ),
        (COLOURS, "s.dim(1).set_stride(4)", "s.dim(1).set_stride(3)"),
        (
            COLOURS,
            "d.output_buffer().dim(0).set_bounds(0, 3)",
            "d.output_buffer().dim(0).set_bounds(0, 4)",
        ),
        (RUNNING, "(1, n - 1)", "(2, n - 2)"),
    ],
)
def test_a_program_that_says_something_else_is_found(source: str, old: str, new: str) -> None:
    assert compared(source, old, new).difference is not None


def test_what_differs_is_no_result_and_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    def mistaken(result: FunctionResult, program: Program) -> dict[str, str]:
        texts = emitted_texts(result, program)
        return {name: text.replace("w - 1 - x", "x") for name, text in texts.items()}

    monkeypatch.setattr("lifter.emit.emitted_texts", mistaken)
    found = lift_one(parsed(ROWS))
    assert found.record.status == "failed" and found.texts == {} and found.record.files == ()
    told = found.record.diagnostic
    assert told is not None and told.code == "emit-differs" and told.family == "internal"
    assert told.span is not None and (told.span.line, told.span.column) == (10, 1)
    (note,) = told.notes
    for part in (
        "with w = 5, h = 4",
        "original leaves:  d[0][0] = ",
        "candidate leaves: d[0][0] = ",
    ):
        assert part in note


def test_an_element_that_is_stored_by_itself_is_run() -> None:
    """It was taken for all of its array."""
    assert lift_one(parsed(ALONE)).record.status == "proved"


def test_what_is_read_before_it_is_stored_is_run() -> None:
    """What was there before was taken for a value that nobody reads."""
    assert lift_one(parsed(BEHIND)).record.status == "proved"


def test_updates_of_more_than_is_realized_are_run() -> None:
    """Elements beyond the first loop's stayed as they were."""
    found = lift_one(parsed(COUNTS)).record.diagnostic
    assert found is not None and found.code == "emit-unsupported"


def test_a_program_that_cannot_be_run_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors of the language passed for reads of pixels far away, and nothing was compared."""

    def broken(*_: object) -> None:
        raise HalideError("Buffers have another form now")

    monkeypatch.setattr("lifter.lift.emitted_difference._Image", broken)
    with pytest.raises(HalideError, match="another form"):
        lift_one(parsed(INNER))


def test_the_time_that_it_takes_is_bounded() -> None:
    """At least one input is tried."""
    assert compared(INNER, seconds=0).inputs == 1


def test_an_original_that_runs_for_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lifter.lift.emitted_difference.STEPS", 1)
    found = compared(INNER, "x - 1", "x")
    assert found.inputs > 0 == found.storing and found.difference is None


def test_a_program_that_reads_much_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lifter.lift.emitted_difference.MOST_READ", 10)
    found = compared(INNER, "x - 1", "x")
    assert found.storing == 0 and found.difference is None
