"""The arguments that original and lifted code are compared on."""

from __future__ import annotations

import pytest

from lifter.model.kernel import Kernel
from tests.end_to_end.images import PATTERNS, NoArguments, arguments, stated_ranges
from tests.end_to_end.lifted_corpus import parsed
from tests.end_to_end.test_lifted_equals_original import SIZES


def kernel(file: str, name: str) -> Kernel:
    return next(k for k in parsed(file).kernels if k.name == name)


@pytest.mark.parametrize(
    ("file", "name", "scalar", "ends"),
    [
        ("blend/photoshop_modes.cpp", "PsDissolve", "opacity", (0, 255)),
        ("blend/photoshop_modes.cpp", "PsColorBurn", "percent", (0, 100)),
        ("blend/fixed_point.cpp", "FxSoftLight15", "wOpacity15", (0, 32768)),
        ("blend/fixed_point.cpp", "FxRampMultiply8", "fxEnd", (0, 65536)),
        ("blend/modern.cpp", "fade_u8", "t", (0.0, 1.0)),
    ],
)
def test_a_scalar_with_a_stated_range_takes_both_ends_and_what_lies_between(
    file: str, name: str, scalar: str, ends: tuple[float, float]
) -> None:
    subject = kernel(file, name)
    assert stated_ranges(subject)[scalar] == ends
    drawn = {arguments(subject, w, h, p).scalars[scalar] for w, h in SIZES for p in PATTERNS}
    assert min(drawn) == ends[0] and max(drawn) == ends[1] and len(drawn) > 10


def test_a_scalar_that_is_bounded_on_one_side_or_by_another_has_no_range() -> None:
    assert stated_ranges(kernel("blend/basic.cpp", "hard_light_row")) == {}  # count >= 1
    assert stated_ranges(kernel("blend/basic.cpp", "OverlayBlend8")) == {}  # cols <= rowBytes


def test_preconditions_hold_in_every_call_or_there_is_none() -> None:
    subject = kernel("blend/basic.cpp", "hard_light_row")
    with pytest.raises(NoArguments):
        arguments(subject, 0, 0, "random")
    assert int(arguments(subject, 5, 1, "random").scalars["count"]) >= 1
