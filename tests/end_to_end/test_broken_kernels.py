"""corpus/blend/broken.cpp: each kernel gives the code that its comment expects; only it fails."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.codes import all_codes
from lifter.model.diagnostic import Diagnostic
from lifter.model.kernel import ParsedFile
from lifter.model.lifted import FunctionResult
from lifter.parse import parse_file

BROKEN = Path(__file__).resolve().parents[2] / "corpus" / "blend" / "broken.cpp"
SOUND = "sound"
"""The one kernel of the file with nothing wrong."""
HELPERS = {"mul255", "destroy_Blender"}


@dataclass(frozen=True)
class Expected:
    """What the comment above a kernel says, and the lines from there to its closing brace."""

    code: str
    is_warning: bool
    lines: range


def expectations() -> dict[str, Expected]:
    """By kernel, in the file's order."""
    text = BROKEN.read_text("utf-8")
    found: dict[str, Expected] = {}
    pattern = r"^// expect( warning)?: ([\w-]+)\nvoid (\w+)\(.*?^}$"
    for match in re.finditer(pattern, text, re.MULTILINE | re.DOTALL):
        first = text.count("\n", 0, match.start()) + 1
        lines = range(first, first + match[0].count("\n") + 1)
        found[match[3]] = Expected(match[2], match[1] is not None, lines)
    return found


EXPECTED = expectations()


@functools.cache
def parsed() -> ParsedFile:
    return parse_file(BROKEN)


@functools.cache
def lifted(name: str) -> FunctionResult:
    (kernel,) = (k for k in parsed().kernels if k.name == name)
    return lift_kernel(kernel, LiftOptions())


def reported(name: str) -> tuple[Diagnostic | None, tuple[Diagnostic, ...]]:
    """The error that ended the work on a kernel, if one did, and its warnings."""
    for refused in parsed().failed:
        if refused.name == name:
            return refused.diagnostic, ()
    result = lifted(name)
    return result.diagnostic, result.warnings


def test_every_function_of_the_file_says_what_it_expects() -> None:
    found = parsed()
    assert not found.diagnostics
    names = {k.name for k in found.kernels} | {s.name for s in (*found.failed, *found.skipped)}
    # What stands around their loops is no obstacle to these, whatever it is to the function.
    names = {name for name in names if "#" not in name}
    assert names - HELPERS == {*EXPECTED, SOUND}
    assert {e.code for e in EXPECTED.values()} <= set(all_codes())
    assert len({e.code for e in EXPECTED.values()}) >= 20


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", [n for n, e in EXPECTED.items() if not e.is_warning])
def test_a_kernel_that_is_wrong_or_not_understood_fails_with_its_code_at_its_place(
    name: str,
) -> None:
    error, _ = reported(name)
    assert error is not None
    assert error.code == EXPECTED[name].code, error
    assert error.span is not None and error.span.line in EXPECTED[name].lines


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", [n for n, e in EXPECTED.items() if e.is_warning])
def test_a_kernel_that_is_undefined_for_some_inputs_is_warned_of_at_its_place(name: str) -> None:
    _, warnings = reported(name)
    about = [w for w in warnings if w.code == EXPECTED[name].code]
    assert about, warnings
    for warning in about:
        assert warning.severity == "warning"
        assert warning.span is not None and warning.span.line in EXPECTED[name].lines


def test_the_sound_kernel_among_them_is_proved_as_if_it_stood_alone(tmp_path: Path) -> None:
    text = BROKEN.read_text("utf-8")
    alone = tmp_path / "alone.cpp"
    parts = [
        re.search(rf"^[^\n]*\b{name}\([^\n]*\n{{.*?^}}$", text, re.MULTILINE | re.DOTALL)
        for name in ("mul255", SOUND)
    ]
    body = "\n".join(part[0] for part in parts if part)
    alone.write_text("#include <cstdint>\ntypedef uint8_t u8;\n" + body + "\n")
    (kernel,) = parse_file(alone).kernels
    expected, found = lift_kernel(kernel, LiftOptions()), lifted(SOUND)
    assert expected.status == found.status == "proved"
    assert not found.warnings
    assert [repr(s.expression) for s in found.summaries] == [
        repr(s.expression) for s in expected.summaries
    ]
