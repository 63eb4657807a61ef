"""What lifting the blend library takes, and what it gives to read.

    python benchmarks/blend_suite.py                    the two tables of RESULTS.md, by file
    python benchmarks/blend_suite.py --kernels          one row a kernel instead

Lifts every kernel of `corpus/blend/` in this process, one after the other, with nothing cached.
Times are wall-clock seconds of each step (dexter-2019 section 6.3). "Size" is the reader's cost of
an expression (lifter/synth/cost.py): the one that the terminals step hands to the search, and the
one that the search returns, summed over the kernel's stages.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from compiler.ir import Expr
from lifter.bench.bench import dsl_lines
from lifter.emit import emitted_texts
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from lifter.parse import parse_file
from lifter.synth import find_expression
from lifter.synth.cost import cost

ROOT = Path(__file__).resolve().parents[1]
GRAMMARS = (ROOT / "examples" / "dissolve.grammar",)
MODELS = (ROOT / "corpus" / "models" / "hash.cpp",)
WRONG_ON_PURPOSE = "broken.cpp"
STEPS = ("parse", "roi", "terminals", "expression", "verify")


@dataclass
class Row:
    file: str
    name: str
    status: str
    seconds: dict[str, float]
    source_lines: int
    dsl_lines: int
    before: int
    after: int


@dataclass
class Sizes:
    """The sizes of the expressions of one kernel before and after the search."""

    before: list[Expr] = field(default_factory=list)
    after: list[Expr] = field(default_factory=list)


def rows(files: Sequence[Path]) -> Iterator[Row]:
    sizes = Sizes()

    def watched(target: Expr, *args: Any, **named: Any) -> Any:
        found = find_expression(target, *args, **named)
        sizes.before.append(target)
        sizes.after.append(found.expression)
        return found

    with patch("lifter.lift.lift_stage.find_expression", watched):
        for file in files:
            began = time.perf_counter()
            parsed = parse_file(file, models=MODELS)
            count = len(parsed.kernels) + len(parsed.failed)
            parsing = (time.perf_counter() - began) / max(count, 1)
            for kernel in parsed.kernels:
                sizes.before.clear()
                sizes.after.clear()
                result = lift_kernel(kernel, LiftOptions(GRAMMARS, parse_seconds=parsing))
                lines = kernel.span.end_line - kernel.span.line + 1
                yield Row(
                    file.name, kernel.name, result.status, result.seconds, lines, _dsl(result),
                    sum(map(cost, sizes.before)), sum(map(cost, sizes.after)),
                )  # fmt: skip
            for refused in parsed.failed:
                spent = dict.fromkeys(STEPS, 0.0) | {"parse": parsing, "total": parsing}
                yield Row(file.name, refused.name, "failed", spent, 0, 0, 0, 0)


def _dsl(result: FunctionResult) -> int:
    if result.status != "proved":
        return 0
    return dsl_lines(emitted_texts(result)["pipeline.py"], result.name)


def by_file(found: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    for file in dict.fromkeys(row.file for row in found):
        yield f"`{file}`", [row for row in found if row.file == file]
    yield "all", list(found)


def times(found: Sequence[Row]) -> Iterator[str]:
    heads = " | ".join(STEPS)
    yield f"| file | kernels | proved | {heads} | median s | 95 % s | slowest s |"
    yield "|---|" + "--:|" * (len(STEPS) + 5)
    for name, some in by_file(found):
        total = sorted(row.seconds["total"] for row in some)
        spent = {step: sum(row.seconds[step] for row in some) for step in STEPS}
        everything = sum(spent.values()) or 1.0
        shares = " | ".join(f"{100 * spent[step] / everything:.0f} %" for step in STEPS)
        proved = sum(row.status == "proved" for row in some)
        yield (
            f"| {name} | {len(some)} | {proved} | {shares} | {statistics.median(total):.2f} "
            f"| {total[min(int(len(total) * 0.95), len(total) - 1)]:.2f} | {total[-1]:.2f} |"
        )


def readability(found: Sequence[Row]) -> Iterator[str]:
    yield "| file | kernels | C++ lines | DSL lines | size before | size after | median gain |"
    yield "|---|--:|--:|--:|--:|--:|--:|"
    for name, some in by_file([row for row in found if row.status == "proved"]):
        sums = [
            sum(getattr(row, what) for row in some)
            for what in ("source_lines", "dsl_lines", "before", "after")
        ]
        gain = statistics.median(row.before / max(row.after, 1) for row in some)
        shown = " | ".join(map(str, sums))
        yield f"| {name} | {len(some)} | {shown} | {gain:.2f}x |"


def kernels(found: Sequence[Row]) -> Iterator[str]:
    yield "| kernel | file | status | s | C++ lines | DSL lines | size before | size after |"
    yield "|---|---|---|--:|--:|--:|--:|--:|"
    for row in found:
        yield (
            f"| `{row.name}` | {row.file} | {row.status} | {row.seconds['total']:.2f} "
            f"| {row.source_lines} | {row.dsl_lines} | {row.before} | {row.after} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kernels", action="store_true", help="one row a kernel")
    parser.add_argument("files", nargs="*", type=Path, help="[corpus/blend/*, but for broken.cpp]")
    asked = parser.parse_args()
    everything = sorted((ROOT / "corpus" / "blend").iterdir())
    suite = [f for f in everything if f.suffix in (".c", ".cpp") and f.name != WRONG_ON_PURPOSE]
    found = list(rows(asked.files or suite))
    tables = [kernels(found)] if asked.kernels else [times(found), readability(found)]
    print("\n\n".join("\n".join(table) for table in tables))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nLargest memory of the process: {memory:.0f} MB")


if __name__ == "__main__":
    main()
