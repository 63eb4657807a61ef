"""What is proved of kernels in which vectors do otherwise than one takes them to is what g++ makes
of them; and of the kernel that somebody might have taken one for, its summary isn't accepted."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions
from lifter.model.kernel import Kernel
from lifter.parse import parse_file
from tests.end_to_end.lifted_corpus import lifted_alone
from tests.end_to_end.vector_traps import TRAPS, Trap
from tests.fuzz.calls import compared
from tests.fuzz.legacy_kernels import LegacyKernel
from tests.fuzz.whole_path import PRELUDE, WholePath
from tests.verify.source_trials import is_accepted

CALLS = 60
QUICK = TRAPS[::20]
REFUSED = {
    "unpacklo", "sums_of_differences", "packus_in_halves", "unpack_in_halves", "alignr_in_halves",
    "shuffle_in_halves", "shift_of_bytes_in_halves", "overlapped_last",
    "neighbours_before_in_place",
}  # fmt: skip
"""What isn't proved yet."""
PAIRS = [trap for trap in TRAPS if trap.other and trap.name not in REFUSED]


def check(kernels: Sequence[LegacyKernel]) -> dict[str, str]:
    """No lifted code differs from g++'s; the codes of what isn't proved."""
    path = WholePath()
    try:
        for kernel in kernels:
            path.lift(kernel, 30.0)
        libraries = path.link()
        for built in path.built:
            found = compared(built.kernel, libraries, 0, CALLS)
            assert found.wrong is None, f"{built.kernel.source}\n{found.wrong}"
            assert found.calls > CALLS // 3, f"{found.calls} calls of {built.kernel.name}"
        return path.refused
    finally:
        shutil.rmtree(path.folder)


def kernel_of(written: LegacyKernel, folder: Path) -> Kernel:
    path = folder / f"{written.name}.cpp"
    path.write_text(PRELUDE + written.source)
    (kernel,) = parse_file(path).kernels
    return kernel


def is_told_apart(trap: Trap, folder: Path) -> bool:
    """Whether the trap's summary is accepted of itself, and not of the other kernel."""
    (folder / "other").mkdir()
    subject = lifted_alone(kernel_of(trap.kernel, folder), LiftOptions(timeout=30.0))
    other = kernel_of(trap.turned(), folder / "other")
    return is_accepted(subject, subject.kernel, 3.0) and not is_accepted(subject, other, 3.0)


def test_traps_leave_what_the_original_leaves() -> None:
    check([trap.kernel for trap in QUICK])


@pytest.mark.slow
def test_every_trap_leaves_what_the_original_leaves() -> None:
    assert check([trap.kernel for trap in TRAPS]).keys() <= REFUSED


@pytest.mark.slow
def test_what_a_trap_is_taken_for_leaves_what_it_leaves() -> None:
    check([trap.turned() for trap in TRAPS if trap.other])


@pytest.mark.parametrize("trap", PAIRS[::16], ids=lambda trap: trap.name)
def test_a_trap_is_not_what_it_is_taken_for(trap: Trap, tmp_path: Path) -> None:
    assert is_told_apart(trap, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("trap", PAIRS, ids=lambda trap: trap.name)
def test_no_trap_is_what_it_is_taken_for(trap: Trap, tmp_path: Path) -> None:
    assert is_told_apart(trap, tmp_path)


@pytest.mark.slow
def test_a_kernel_that_walked_into_a_trap_is_found() -> None:
    """The comparison finds what it is for: the lifted code of one, and the other one's original."""
    trap = next(trap for trap in TRAPS if trap.name == "mulhi_signed")
    path = WholePath()
    try:
        path.lift(trap.kernel)
        (path.folder / f"{trap.name}.cpp").write_text(PRELUDE + trap.turned().source)
        (built,) = path.built
        found = compared(built.kernel, path.link(), 0, CALLS)
        assert found.wrong is not None and "elements differ" in found.wrong
    finally:
        shutil.rmtree(path.folder)
