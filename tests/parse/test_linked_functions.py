"""Calls by name that end in other files of a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.model.beside import Linked
from lifter.model.kernel import ParsedFile
from lifter.parse import parse_file

CALLER = """
void tail(unsigned char *d, int n);
void f(unsigned char *d, int n) { tail(d, n); }
"""
TAIL = """
static unsigned char seven(void) { return MADE; }
void tail(unsigned char *d, int n) { for (int i = 0; i < n; i++) d[i] = seven(); }
"""


def parsed(folder: Path, *others: str, suffix: str = "c", args: tuple[str, ...] = ()) -> ParsedFile:
    file = folder / f"a.{suffix}"
    file.write_text(CALLER)
    linked = []
    for number, text in enumerate(others):
        other = folder / f"b{number}.{suffix}"
        other.write_text(text)
        linked.append(Linked(str(other), defines=("MADE=7",), clang_arguments=args))
    return parse_file(file, linked=linked)


def codes(found: ParsedFile) -> list[str]:
    return [s.diagnostic.code for s in found.failed]


@pytest.mark.parametrize("suffix", ["c", "cpp"])
def test_a_call_runs_what_the_other_file_defines_read_with_its_own_flags(
    tmp_path: Path, suffix: str
) -> None:
    (kernel,) = parsed(tmp_path, TAIL, suffix=suffix).kernels
    assert kernel.name == "f" and kernel.functions == {}
    assert any("7" in str(stmt) for stmt in kernel.body)


@pytest.mark.parametrize(
    "others",
    [
        (),
        (TAIL, TAIL),
        (TAIL.replace("void tail", "static void tail"),),
        (TAIL.replace("void tail", "__attribute__((weak)) void tail"),),
        (TAIL.replace("int n", "long n"),),
        (TAIL.replace("unsigned char *d", "signed char *d"),),
    ],
    ids=["none", "two", "static", "weak", "another number", "another array"],
)
def test_a_call_that_may_run_something_else_isnt_followed(
    tmp_path: Path, others: tuple[str, ...]
) -> None:
    assert codes(parsed(tmp_path, *others)) == ["unmodelled-call"]


def test_a_function_whose_file_rounds_otherwise_isnt_followed(tmp_path: Path) -> None:
    assert codes(parsed(tmp_path, TAIL, args=("-ffast-math",))) == ["unmodelled-call"]
