"""Intrinsics of numbers alone (bits of words, masks of AVX-512, halves): each in a loop of its own,
beside g++'s."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from compiler.ir import Type
from lifter.model.kernel import Kernel
from lifter.parse import parse_file
from lifter.parse.older_headers import HEADERS
from lifter.parse.program import FunctionDefinition
from lifter.parse.translation_unit import read_source
from lifter.parse.types import is_pointer, scalar_type
from lifter.verify.cases import Case, Pattern, run_case
from tests.end_to_end.original import LENIENT, compile_original, may_be_called

from .intrinsics import Intrinsic

HEADER = "x86intrin.h"
_OURS = ("__sat_", "__rounded", "__truncated", "__half_", "__below")
"""What our headers use themselves."""
_NOT_OF_ZERO = ("_bit_scan_forward", "_bit_scan_reverse")
_SLOW = ("_pext_u32", "_pext_u64")
"""The interpreter takes most of a second for each of their numbers."""
PATTERNS: tuple[Pattern, ...] = ("zero", "max", "extremes")


@cache
def of_numbers() -> dict[str, Intrinsic]:
    """The functions of numbers that give one, by name."""
    found: dict[str, Intrinsic] = {}
    for cursor in read_source(HEADERS / HEADER).parsed.declarations:
        name = str(cursor.spelling)
        if cursor.kind.name != "FUNCTION_DECL" or not cursor.is_definition():
            continue
        if not name.startswith("_") or name.startswith(_OURS):
            continue
        one = Intrinsic(name, FunctionDefinition(cursor, False))
        types = [one.result, *(type for _, type in one.parameters)]
        if all(scalar_type(t) and not is_pointer(t) for t in types) and one.parameters:
            found[name] = one
    return found


def _loop(one: Intrinsic, constant: int | None) -> str:
    """A function with a loop that calls `one` for each element of some arrays."""
    parameters, arguments = [f"{one.result.get_canonical().spelling} *d"], []
    for name, type in one.parameters:
        if name in one.immediates:
            arguments.append(str(constant))
            continue
        parameters.append(f"const {type.get_canonical().spelling} *at_{name}")
        own = f"at_{name}[i]"
        arguments.append(f"({own} ? {own} : 1)" if one.name in _NOT_OF_ZERO else own)
    end = "" if constant is None else f"_{constant}"
    call = f"{one.name}({', '.join(arguments)})"
    head = f"void f{one.name}{end}({', '.join(parameters)}, int n)"
    return f"{head} {{ for (int i = 0; i < n; i++) d[i] = {call}; }}\n"


def _case(kernel: Kernel, pattern: Pattern, count: int) -> Case:
    types: dict[str, Type] = {p.name: p.type for p in kernel.params if p.kind == "array"}
    sizes = dict.fromkeys(types, count)
    return Case(1, 0, {"n": count}, dict.fromkeys(types, pattern), types, sizes)


def wrong(count: int, folder: Path) -> dict[str, str]:
    """The functions of which the header says something else than the processor, and where."""
    path = folder / "numbers.cpp"
    loops = [
        _loop(one, constant)
        for one in of_numbers().values()
        for constant in (range(5) if one.immediates else (None,))
    ]
    path.write_text(f"#include <{HEADER}>\n{''.join(loops)}")
    parsed = parse_file(path)
    assert not parsed.failed, "\n".join(str(f.diagnostic) for f in parsed.failed)
    assert len(parsed.kernels) == len(loops) > 60
    original = compile_original(path, parsed.kernels, options=(*LENIENT, "-march=native"))
    found: dict[str, str] = {}
    for kernel in parsed.kernels:
        is_slow = kernel.name.removeprefix("f") in _SLOW
        if is_slow and count < 1000:
            continue
        drawn, few = (max(2, count // 500), 2) if is_slow else (count, 20)
        for pattern, size in (("random", drawn), *((pattern, few) for pattern in PATTERNS)):
            case = _case(kernel, pattern, size)
            outcome = run_case(kernel, case, 1000 * size)
            assert may_be_called(outcome), f"{kernel.name}: {outcome.undefined[:1]}"
            differences = original.differences(kernel, case, outcome)
            if differences:
                found[f"{kernel.name} {pattern}"] = f"{len(differences)}: {differences[0]}"
    return found


def test_functions_of_numbers_mean_what_the_processor_does(tmp_path: Path) -> None:
    assert not wrong(20, tmp_path)


@pytest.mark.slow
def test_functions_of_numbers_mean_it_of_many_numbers(tmp_path: Path) -> None:
    assert not wrong(10_000, tmp_path)
