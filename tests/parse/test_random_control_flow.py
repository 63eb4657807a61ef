"""Random nests of branches, loops, switches and jumps: what we parse is what g++ compiles.

Each function leaves a trace in `*d`, a hash of the statements that ran, and returns a number, so
that a statement that moved to a wrong branch shows. Replay with the seed in the test's name.
"""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from lifter.model.kernel import If, Kernel, Stmt, WhileLoop
from lifter.parse import parse_file
from lifter.verify.cases import cases, run_case
from tests.end_to_end.original import compile_original, may_be_called

FUNCTIONS, CASES = 12, 4


class Writer:
    """Writes one random function."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.counter = 0

    def function(self, name: str) -> str:
        body = self.block(3, False, False)
        return (
            f"uint32_t {name}(uint32_t *d, uint32_t a, uint32_t b, int n) {{\n"
            f"*d = 1;\n{body}return *d + a + b;\n}}\n"
        )

    def block(self, depth: int, loop: bool, switch: bool) -> str:
        count = self.random.randint(1, 4)
        return "".join(self.statement(depth, loop, switch) for _ in range(count))

    def mark(self) -> str:
        return f"*d = *d * 31u + {self.random.randint(1, 999)}u;\n"

    def condition(self) -> str:
        bit = 1 << self.random.randint(0, 4)
        return self.random.choice(
            [
                f"*d & {bit}",
                f"(a & {bit}) && !(b & 3)",
                f"a++ & {bit}",
                f"b-- % 3 == 1 || --a & {bit}",
                f"(a += {bit}) & 4",
                f"*d > a ? b & {bit} : a++ & 1",
                f"n > {bit}",
            ]
        )

    def statement(self, depth: int, loop: bool, switch: bool) -> str:
        kinds = ["mark"]
        if depth:
            kinds += ["if", "if", "else", "loop", "switch", "jump"]
        kind = self.random.choice(kinds)
        if kind == "mark":
            return self.mark()
        if kind == "if":
            return f"if ({self.condition()}) {{\n{self.block(depth - 1, loop, switch)}}}\n"
        if kind == "else":
            one, other = (self.block(depth - 1, loop, switch) for _ in range(2))
            return f"if ({self.condition()}) {{\n{one}}} else {{\n{other}}}\n"
        if kind == "loop":
            return self.loop(depth)
        if kind == "switch":
            return self.switch(depth, loop)
        jumps = ["return *d ^ a;\n"]
        jumps += ["continue;\n"] * (2 * loop) + ["break;\n"] * (2 * (loop or switch))
        return f"if ({self.condition()}) {self.random.choice(jumps)}"

    def loop(self, depth: int) -> str:
        self.counter += 1
        k = f"k{self.counter}"
        body = self.block(depth - 1, True, False)
        return self.random.choice(
            [
                f"for (int {k} = 0; {k} < 3; {k}++) {{\n{body}}}\n",
                f"for (int {k} = 3; {k}--;) {{\n{body}}}\n",
                f"{{ int {k} = 3; while (--{k} >= 0) {{\n{body}}} }}\n",
                f"{{ int {k} = 0; do {{\n{body}}} while ({k}++ < 2); }}\n",
                f"for (int {k} = 0;; ++{k}) {{ if ({k} == 3) break;\n{body}}}\n",
                f"for (int {k} = 0;; ++{k}) {{ {self.mark()} if ({k} == 2) break;\n{body}}}\n",
                f"{{ int {k} = 2; do {{ if ({k}-- <= 0) break;\n{body}}} while (1); }}\n",
                f"{{ int {k} = 2; while (1) {{\n{body} if ({k} <= 0) {{ {self.mark()} break; }}"
                f" else {k}--;\n}} }}\n",
            ]
        )

    def switch(self, depth: int, loop: bool) -> str:
        labels = self.random.sample(range(4), self.random.randint(1, 3))
        arms = [f"case {label}:\n" for label in labels]
        if self.random.random() < 0.6:
            arms.insert(self.random.randint(0, len(arms)), "default:\n")
        text = "".join(
            arm
            + self.block(depth - 1, loop, True)
            + self.random.choice(["break;\n", "break;\n", "", "return a;\n"])
            for arm in arms
        )
        return f"switch (*d % 4) {{\n{text}}}\n"


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize("seed", range(6))
def test_random_control_flow_is_what_gcc_makes_of_it(seed: int, tmp_path: Path) -> None:
    writer = Writer(seed)
    path = tmp_path / "random.cpp"
    functions = "".join(writer.function(f"f{i}") for i in range(FUNCTIONS))
    path.write_text("#include <cstdint>\n" + functions)
    found = parse_file(path)
    assert not found.failed and len(found.kernels) == FUNCTIONS
    original = compile_original(path, found.kernels)
    called = 0
    for kernel in found.kernels:
        for case in cases(kernel, seed, CASES):
            outcome = run_case(kernel, case)
            if may_be_called(outcome):
                differences = original.differences(kernel, case, outcome)
                assert not differences, f"{kernel.source}\n{case}\n{differences[0]}"
                called += 1
    assert called >= FUNCTIONS * CASES // 2


def swapped(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """`body` with the branches of its first `if` (at any depth) exchanged."""
    for position, stmt in enumerate(body):
        changed: Stmt = stmt
        if isinstance(stmt, If):
            changed = replace(stmt, then=stmt.otherwise, otherwise=stmt.then)
        elif isinstance(stmt, WhileLoop):
            changed = replace(stmt, body=swapped(stmt.body))
        if changed != stmt:
            return (*body[:position], changed, *body[position + 1 :])
    return body


@pytest.mark.slow
def test_the_comparison_finds_a_branch_that_was_turned_around(tmp_path: Path) -> None:
    writer = Writer(5)
    path = tmp_path / "random.cpp"
    functions = "".join(writer.function(f"f{i}") for i in range(FUNCTIONS))
    path.write_text("#include <cstdint>\n" + functions)
    kernels = parse_file(path).kernels
    original = compile_original(path, kernels)

    def is_found(kernel: Kernel) -> bool:
        wrong = replace(kernel, body=swapped(kernel.body))
        for case in cases(kernel, 1, CASES):
            outcome = run_case(wrong, case)
            if may_be_called(outcome) and original.differences(kernel, case, outcome):
                return True
        return False

    planted = [k for k in kernels if swapped(k.body) != k.body]
    assert sum(map(is_found, planted)) > 0.8 * len(planted) > 4
