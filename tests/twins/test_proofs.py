"""What is proved of two kernels, without anybody who looks for differences first."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions
from lifter.settings.flags import Flags
from lifter.twins.matched import matched
from lifter.twins.pair import Pair, Side, kernel_of
from lifter.twins.proof import Proved, Proving
from lifter.twins.results import with_result_stored

from .conftest import HEAD
from .test_pairs import HELPER, TABLE


def proved(folder: Path, first: str, second: str, within: float = 0) -> Proved | None:
    sides = []
    for name, text in (("f", first), ("g", second)):
        (folder / f"{name}.c").write_text(HEAD + text)
        sides.append(Side(str(folder / f"{name}.c"), name, Flags()))
    pair = Pair(sides[0], sides[1])
    kernels = matched(*(kernel_of(side, pair) for side in sides))
    one, other = map(with_result_stored, kernels)
    proving = Proving(one, other, LiftOptions(timeout=20), within)
    return proving.proved(proving.lift_first())


def row(value: str, type: str = "uint8_t", bound: str = "n") -> tuple[str, str]:
    """A loop over a row, as `f` and as `g`."""
    text = (
        f"void %s({type} *d, const {type} *s, const {type} *t, int n)\n"
        f"{{ for (int i = 0; i < {bound}; i++) d[i] = {value}; }}"
    )
    return text % "f", text % "g"


def test_a_helper_of_the_same_name_that_does_something_else(tmp_path: Path) -> None:
    one = HELPER % ("v / 2", "f")
    assert proved(tmp_path, one, HELPER % ("v >> 1", "g"))
    assert proved(tmp_path, one, HELPER % ("(v + 1) / 2", "g")) is None


def test_a_table_of_the_same_name_that_holds_something_else(tmp_path: Path) -> None:
    one = TABLE % ("1, 2, 3, 4", "f")
    assert proved(tmp_path, one, TABLE % ("1, 2, 3, 4", "g"))
    assert proved(tmp_path, one, TABLE % ("1, 2, 3, 5", "g")) is None


def test_a_buffer_of_the_same_name_is_another_one(tmp_path: Path) -> None:
    text = """
    void %s(uint8_t *d, const uint8_t *s)
    {
        uint8_t row[8];
        for (int i = 0; i < 8; i++) row[i] = %s;
        for (int i = 0; i < 8; i++) d[i] = row[%s];
    }"""
    one = text % ("f", "s[i]", "i")
    assert proved(tmp_path, one, text % ("g", "s[7 - i]", "7 - i"))
    assert proved(tmp_path, one, text % ("g", "s[7 - i]", "i")) is None


def test_a_tail_that_one_of_them_leaves(tmp_path: Path) -> None:
    one, _ = row("s[i]")
    assert proved(tmp_path, one, row("s[i]")[1])
    assert proved(tmp_path, one, row("s[i]", bound="n / 4 * 4")[1]) is None
    assert proved(tmp_path, row("s[i]", bound="n / 4 * 4")[0], row("s[i]")[1]) is None


@pytest.mark.parametrize(
    ("value", "within", "is_proved"),
    [
        ("s[i] / 2 * 2", 0, False),
        ("s[i] / 2 * 2", 1, True),
        ("s[i] > 254 ? 255 : s[i] + 1", 1, True),  # above, not below
        ("s[i] / 4 * 4", 1, False),
        ("s[i] / 4 * 4", 3, True),
        ("s[i] + 1", 1, False),  # 0 isn't near 255
    ],
)
def test_how_far_apart_numbers_are(
    tmp_path: Path, value: str, within: float, is_proved: bool
) -> None:
    found = proved(tmp_path, row("s[i]")[0], row(f"(uint8_t)({value})")[1], within)
    assert (found is not None) is is_proved


@pytest.mark.parametrize("apart", [-5, 5])
def test_one_input_of_many_that_is_too_far_apart(tmp_path: Path, apart: int) -> None:
    """No random run meets it."""
    one, _ = row("s[i]", "int32_t")
    _, other = row(f"s[i] == 123456789 ? s[i] + {apart} : s[i]", "int32_t")
    assert proved(tmp_path, one, other, within=4) is None
    assert proved(tmp_path, one, other, within=5) is not None


def test_preconditions_of_both_are_those_of_the_proof(tmp_path: Path) -> None:
    one, _ = row("s[i]")
    _, other = row("(uint8_t)(t[i] > 3 ? s[i] : s[i])")
    found = proved(tmp_path, one, other)
    assert found is not None
    assert "d and s don't overlap" in {p.text for p in found.preconditions}
    stated = "#include <assert.h>\n" + one.replace("{ for", "{ assert(n < 9); for")
    found = proved(tmp_path, stated, row("s[i]")[1])
    assert found is not None and "n < 9" in {p.text for p in found.preconditions}


def test_what_both_ask_for_must_hold_together(tmp_path: Path) -> None:
    one = row("s[i]")[0].replace("{ for", "{ assert(n > 9); for")
    other = row("s[i]")[1].replace("{ for", "{ assert(n < 3); for")
    with_assert = "#include <assert.h>\n"
    assert proved(tmp_path, with_assert + one, with_assert + other) is None


def test_floats_that_are_summed_otherwise(tmp_path: Path) -> None:
    one, _ = row("s[i] + t[i] + 1", "float")
    assert proved(tmp_path, one, row("s[i] + t[i] + 1.0f", "float")[1])
    assert proved(tmp_path, one, row("s[i] + (t[i] + 1)", "float")[1]) is None
    assert proved(tmp_path, one, row("t[i] + s[i] + 1", "float")[1])
