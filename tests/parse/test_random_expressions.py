"""Random expressions over all number types: every conversion is the one that g++ makes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import compile_original, may_be_called

FUNCTIONS, CASES = 40, 4
INTEGERS = [
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
]
TYPES = [*INTEGERS, "bool", "float", "double", "char"]


class Writer:
    """Writes functions that store random expressions of their parameters."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def function(self, name: str) -> str:
        types = [self.random.choice(TYPES) for _ in range(3)]
        target = self.random.choice(INTEGERS)
        params = ", ".join(f"{t} {n}" for t, n in zip(types, "abc", strict=True))
        lines = [
            f"{self.random.choice(INTEGERS)} t = {self.integer(3)};",
            f"t {self.random.choice(['+=', '-=', '*=', '&=', '|=', '^='])} {self.integer(2)};",
            f"d[0] = {self.integer(3)};",
            f"d[1] {self.random.choice(['+=', '-=', '*=', '^='])} t;",
            f"d[2] = ({self.condition(2)}) ? t : {self.integer(2)};",
        ]
        return f"void {name}({target} *d, {params}) {{\n" + "\n".join(lines) + "\n}\n"

    def integer(self, depth: int) -> str:
        """An expression of some integer type; floats appear in comparisons alone."""
        pick = self.random.choice
        if not depth:
            return pick(["(int)b % 100", "1", "200u", "-3", "70000", "'x'", "(d[3] & 15)", "true"])
        one, other = self.integer(depth - 1), self.integer(depth - 1)
        return pick(
            [
                f"({one} {pick('+-*&|^')} {other})",
                f"({one} {pick('/%')} ({other} | 1))",
                f"({one} {pick(['<<', '>>'])} {self.random.randint(0, 7)})",
                f"({pick(INTEGERS)})({one})",
                f"{pick('-~!')}({one})",
                f"({self.condition(depth - 1)} ? {one} : {other})",
                f"({one} {pick(['<', '<=', '==', '!=', '>'])} {other})",
            ]
        )

    def condition(self, depth: int) -> str:
        one = self.integer(max(depth - 1, 0))
        return self.random.choice(
            [f"{one} > a", f"c * 0.5f < {one}", f"a && {one}", f"!c || {one}"]
        )


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("seed", range(2))
def test_random_expressions_are_what_gcc_makes_of_them(seed: int, tmp_path: Path) -> None:
    writer = Writer(seed)
    path = tmp_path / "random.cpp"
    functions = "".join(writer.function(f"f{i}") for i in range(FUNCTIONS))
    path.write_text("#include <cstdint>\n" + functions)
    found = parse_file(path)
    assert not found.failed, found.failed[0].diagnostic
    original = compile_original(path, found.kernels)
    called = 0
    for kernel in found.kernels:
        for case in cases(kernel, seed, CASES):
            outcome = run_case(kernel, case)
            if may_be_called(outcome):
                differences = original.differences(kernel, case, outcome)
                assert not differences, f"{kernel.source}\n{case}\n{differences[0]}"
                called += 1
    assert called >= FUNCTIONS
