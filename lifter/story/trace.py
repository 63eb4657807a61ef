"""`python -m lifter.story.trace FILE:FUNCTION`: one kernel's way through the house, room by room.

Prints what each room hands to the next: Kernel IR, stages, region, terminals, expression, proof,
DSL text, loop nest, machine code. For people who read or debug `lift`; docs/architecture.md is made
of its output.
"""

from __future__ import annotations

import sys
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..model.lifted import FunctionResult
    from ..model.stage import Stage, StageGraph
    from ..model.summary import Layout, Summary

ROOMS = ("parse", "dag", "roi", "terminals", "expression", "verify", "emit", "lower", "codegen")
_SHOWN_INSTRUCTIONS = 40


def trace(file: str, function: str, last: str = ROOMS[-1]) -> Iterator[tuple[str, str]]:
    """(room, text) for each room up to `last`; raises `LiftError` where the kernel can't go on."""
    from ..dag import build_stage_graph
    from ..parse import kernel_to_text, parse_file

    kernel = next(k for k in parse_file(file, functions=(function,)).kernels if k.name == function)
    yield "parse", kernel_to_text(kernel)
    yield "dag", _graph_text(build_stage_graph(kernel))
    if ROOMS.index(last) < 2:
        return
    from ..lift.lift_function import LiftOptions, lift_kernel

    result = lift_kernel(kernel, LiftOptions())
    assert result.proof is not None
    for summary in result.summaries:
        yield "roi", _region_text(summary)
        yield "terminals", "\n".join(map(repr, summary.terminals))
        yield "expression", f"{summary.output} = {summary.expression!r}"
    lines = [f"{o.verdict} by {o.by}: {o.name}: {o.text}" for o in result.proof.obligations]
    lines += [f"assumes {p.text} ({p.origin})" for p in result.proof.preconditions]
    yield "verify", "\n".join(lines)
    if result.status == "proved" and ROOMS.index(last) > 5:
        yield from _compiled(result)


def _compiled(result: FunctionResult) -> Iterator[tuple[str, str]]:
    from compiler.codegen import emit as emit_code
    from compiler.codegen.target import Target
    from compiler.frontend.lowering import schedule_and_lower
    from compiler.frontend.pipeline import Pipeline
    from compiler.ir.stmt_printer import stmt_to_text

    from ..emit import emit, load_pipeline

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / result.name
        emit(result, folder)
        yield "emit", (folder / "pipeline.py").read_text()
        loaded = load_pipeline(folder / "pipeline.py", result.name)
        pipeline = Pipeline(list(loaded.outputs))
        lowered = schedule_and_lower(pipeline._outputs(), result.name, Target.parse("x86-64-avx2"))
        yield "lower", stmt_to_text(lowered.body)
        assembly = folder / "kernel.s"
        emit_code(lowered, "assembly", assembly, Target.parse("x86-64-avx2"))
        yield "codegen", _hot_loop(assembly.read_text())


def _hot_loop(assembly: str) -> str:
    """The longest run of vector instructions between two labels."""
    blocks: list[list[str]] = [[]]
    for line in assembly.splitlines():
        if line.endswith(":"):
            blocks.append([])
        elif line.startswith("\t") and not line.startswith("\t."):
            blocks[-1].append(" ".join(line.split("#")[0].split()))
    best = max(blocks, key=lambda b: sum(i.startswith("vp") for i in b))
    return "\n".join(best[:_SHOWN_INSTRUCTIONS])


def _graph_text(graph: StageGraph) -> str:
    edges = graph.as_networkx().edges(data="arrays")
    flows = [f"{a} -> {b}: {', '.join(arrays)}" for a, b, arrays in edges]
    return "\n".join([*map(_stage_text, graph.order), *flows])


def _stage_text(stage: Stage) -> str:
    lines = [f"stage {stage.name}"]
    for write in stage.writes:
        lines += [f"  for 0 <= {loop.counter} < {loop.extent}" for loop in write.loops]
        lines.append(f"    {write.array}{_brackets(write.indices)} = {write.value}")
        if repr(write.condition) != "true":
            lines.append(f"      where {write.condition}")
    lines += [f"  reads {r.array}{_brackets(r.indices)} (line {r.span.line})" for r in stage.reads]
    lines += [f"  claims: {claim.text}" for claim in stage.claims]
    return "\n".join(lines)


def _brackets(indices: Sequence[object]) -> str:
    return "".join(f"[{i}]" for i in indices)


def _region_text(summary: Summary) -> str:
    bounds = ", ".join(f"{d.lower} <= {d.variable} < {d.upper}" for d in summary.roi)
    return "\n".join([f"{summary.output}: {bounds}", *map(_layout_text, summary.layouts.values())])


def _layout_text(layout: Layout) -> str:
    strides = ", ".join(map(repr, layout.strides))
    return f"{layout.array}: strides {strides} (elements), origin at {layout.offset}"


def main() -> None:
    arguments = sys.argv[1:]
    if not arguments or ":" not in arguments[0] or set(arguments[1:]) - set(ROOMS):
        raise SystemExit(
            f"usage: python -m lifter.story.trace FILE:FUNCTION [{'|'.join(ROOMS)} ...]"
        )
    file, function = arguments[0].rsplit(":", 1)
    rooms = arguments[1:] or list(ROOMS)
    for room, text in trace(file, function, max(rooms, key=ROOMS.index)):
        if room in rooms:
            print(f"== {room}\n{textwrap.indent(text.rstrip(), '  ')}\n")


if __name__ == "__main__":
    main()
