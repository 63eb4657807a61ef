"""Every kernel of the corpus: the interpreter leaves what the original, compiled by g++, leaves."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest

from compiler.ir import BitXor, const
from lifter.model.kernel import If, Kernel, ParsedFile, Stmt, Store, WhileLoop
from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.corpus_list import CORPUS, listed, sampled
from tests.end_to_end.original import Original, compile_original, may_be_called

MODELS = (CORPUS / "models" / "hash.cpp",)
SEED, COUNT = 20, 16

UNDEFINED = {
    "blur": {"out-of-bounds-read", "out-of-bounds-write"},
    "fade_plane_uint8": {"float-range"},
    "fade_plane_uint16": {"float-range"},
}
"""What C++ gives no meaning to, kernel by kernel; all others are well defined on every case.

`blur` reads the rows around its temporary, and writes outside of it where cols > rowBytes.
`fade_plane` doesn't say that t is in [0, 1]."""


@functools.cache
def parsed(file: str) -> ParsedFile:
    return parse_file(CORPUS / file, models=MODELS)


@functools.cache
def original(file: str) -> Original:
    return compile_original(CORPUS / file, parsed(file).kernels, MODELS)


def kernel_of(file: str, name: str) -> Kernel:
    for kernel in parsed(file).kernels:
        if kernel.name == name:
            return kernel
    reasons = [str(s.diagnostic) for s in (*parsed(file).failed, *parsed(file).skipped)]
    pytest.fail(f"{file}: {name} was not parsed:\n" + "\n".join(reasons))


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("file, name", sampled(listed(), files=4))
def test_the_interpreter_agrees_with_gcc(file: str, name: str) -> None:
    kernel = kernel_of(file, name)
    called, wrote = 0, False
    for case in cases(kernel, SEED, COUNT):
        outcome = run_case(kernel, case)
        kinds = {e.kind for e in outcome.undefined}
        assert kinds <= UNDEFINED.get(name, set()), (str(case), outcome.undefined)
        if may_be_called(outcome):
            differences = original(file).differences(kernel, case, outcome)
            assert not differences, f"{case}\n" + "\n".join(map(str, differences[:5]))
            called += 1
        wrote = wrote or any(m.written for m in outcome.arrays.values())
    assert called >= COUNT // 2 and wrote


def test_the_blur_of_the_paper_reads_outside_of_its_temporary_and_its_sibling_does_not() -> None:
    kinds: dict[str, set[str]] = {}
    for name in ("blur", "blur_padded"):
        kernel = kernel_of("filter/basic.cpp", name)
        outcomes = [run_case(kernel, case) for case in cases(kernel, SEED, COUNT)]
        kinds[name] = {e.kind for o in outcomes for e in o.undefined}
    assert "out-of-bounds-read" in kinds["blur"] and kinds["blur_padded"] == set()


def spoilt(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`body` with the lowest bit of every stored integer flipped."""
    return tuple(map(_spoilt, body))


def _spoilt(stmt: Stmt) -> Stmt:
    match stmt:
        case Store() if stmt.value.type.is_integer:
            return replace(stmt, value=BitXor(stmt.value, const(1, stmt.value.type)))
        case If():
            return replace(stmt, then=spoilt(stmt.then), otherwise=spoilt(stmt.otherwise))
        case WhileLoop():
            return replace(stmt, body=spoilt(stmt.body))
    return stmt


@pytest.mark.parametrize(
    "file, name",
    [("blend/basic.cpp", "Darken"), ("filter/basic.cpp", "SobelMagnitude")],
    ids=lambda part: part,
)
def test_a_kernel_that_was_changed_in_one_bit_no_longer_agrees(file: str, name: str) -> None:
    kernel = kernel_of(file, name)
    changed = replace(kernel, body=spoilt(kernel.body))
    assert any(
        original(file).differences(kernel, case, run_case(changed, case))
        for case in cases(kernel, SEED, COUNT)
    )
