"""Every kernel's `pipeline.py` under the real Halide package leaves the bits of g++'s original.

The same text under our own compiler is what `test_lifted_equals_original.py` builds and calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests.end_to_end.built_corpus import emitted
from tests.end_to_end.corpus_list import listed, sampled
from tests.end_to_end.halide_peer import HalidePeer
from tests.end_to_end.images import Pattern, arguments, differences, possible_arguments
from tests.end_to_end.lifted_corpus import lifted, original

SIZES: tuple[tuple[int, int, Pattern], ...] = (
    (1, 1, "extremes"), (5, 4, "random"), (35, 9, "random"), (33, 6, "extremes"), (18, 3, "most"),
)  # fmt: skip
STRICT = "host-strict_float"
"""Without it the package contracts products and sums of floats, as its users expect of it."""
UNDEFINED = ("blur",)
"""Its first and last rows read outside of its temporary; g++'s may crash, so it isn't called."""


NOT_A_NUMBER = ("sourceOver",)
"""The package clamps what isn't a number to a bound; the original and our code keep it."""


@dataclass
class Whole:
    """A buffer of the arguments as the peer takes it."""

    values: np.ndarray[Any, Any]
    origin: int

    @property
    def address(self) -> int:
        return int(self.values.ctypes.data) + self.origin * self.values.itemsize


COMPARED = [(f, n) for f, n in listed() if n not in (*UNDEFINED, *NOT_A_NUMBER)]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("file, name", sampled(COMPARED, files=4))
def test_real_halide_agrees_with_the_original(
    file: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HL_JIT_TARGET", STRICT)
    subject = lifted(file, name)
    peer = HalidePeer(emitted(file, name), monkeypatch)
    reference = original(file)._library[f"lift_test_{name}"]
    compared, changed = 0, False
    for made in possible_arguments(subject.kernel, SIZES, subject.formulas()):
        expected = made.call(reference)
        memories = {n: Whole(v.copy(), made.origins[n]) for n, v in made.contents.items()}
        values = dict(made.scalars)
        for param in subject.kernel.params:
            if param.kind == "rows":
                values[f"{param.name}.row_stride"] = made.row_stride
        # What objects hold has names of its own there: `img_width` for `img.width`.
        values |= {name.replace(".", "_"): value for name, value in values.items()}
        places = memories | {name.replace(".", "_"): m for name, m in memories.items()}
        peer.run(values, places)  # type: ignore[arg-type]
        wrong = list(differences(expected, {n: m.values for n, m in memories.items()}))
        assert not wrong, "\n".join([made.text, *wrong])
        compared += 1
        changed = changed or any(differences(made.contents, expected))
    assert compared >= 3 and changed


def test_a_changed_program_no_longer_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = emitted("blend/basic.cpp", "darken_plane")
    peer = HalidePeer(folder, monkeypatch)
    other = HalidePeer(emitted("blend/basic.cpp", "MultiplyBlend8"), monkeypatch)
    kernel = lifted("blend/basic.cpp", "darken_plane").kernel
    made = arguments(kernel, 35, 9, "random", lifted("blend/basic.cpp", "darken_plane").formulas())
    left = []
    for program in (peer, other):
        peer.loaded, peer.pipeline = program.loaded, program.pipeline
        memories = {n: Whole(v.copy(), made.origins[n]) for n, v in made.contents.items()}
        peer.run(made.scalars, memories)  # type: ignore[arg-type]
        left.append({n: m.values for n, m in memories.items()})
    assert list(differences(*left))
