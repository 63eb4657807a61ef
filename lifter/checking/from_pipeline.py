"""Summaries that say what an edited `pipeline.py` says: the candidates of whoever edited it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from compiler.ir import Call, Expr, Variable, postorder, transform

from ..emit import InlineReduction, Program, Shape, read_definitions, read_pipeline
from ..lifted import FunctionResult
from ..synth import Summary


class NotSummaries(ValueError):
    """The pipeline has definitions that aren't read back as summaries, with the reason."""


def edited_summaries(text: str, result: FunctionResult, program: Program) -> tuple[Summary, ...]:
    """The result's summaries with the definitions that `text` has instead of the program's.

    What is read from where is checked by whoever proves them. Raises `NotSummaries`, and
    `LiftError` where inputs, outputs or stages are others.
    """
    if any(s.kind != "pure" for s in result.summaries):
        raise NotSummaries("updates aren't read back")
    if len(program.definitions) != len(result.summaries):
        raise NotSummaries("its stages aren't the source's")
    shapes = read_definitions(program, text, load=read_pipeline)
    arrays = {i.name: i.array for i in program.images}
    arrays |= {t.name: t.name for t in program.tables}
    made = []
    for definition, summary in zip(program.definitions, result.summaries, strict=True):
        made.append(_summary(shapes[definition.name], summary, program, arrays))
        arrays[definition.name] = summary.output
    return tuple(made)


def _summary(
    shape: Shape, summary: Summary, program: Program, arrays: Mapping[str, str]
) -> Summary:
    vars, value, updates = shape
    if updates or len(vars) != len(summary.roi):
        raise NotSummaries(f"{summary.output} is defined in another way")
    own: dict[str, str] = {s.name: s.source for s in program.scalars}
    own |= {v: d.variable.name for v, d in zip(vars, summary.roi, strict=True)}

    def visit(node: Expr) -> Expr:
        if isinstance(node, InlineReduction):
            raise NotSummaries("sums aren't read back")
        if isinstance(node, Variable) and node.name in own:
            named: Expr = Variable(own[node.name], node.type)
            return named
        if isinstance(node, Call) and node.kind in ("func", "image"):
            array = arrays.get(node.name)
            if array is None or array not in summary_arrays:
                raise NotSummaries(f"{node.name} isn't read by the source there")
            read: Expr = Call(array, node.args, node.type, "image")
            return read
        return node

    summary_arrays = {*summary.layouts, *arrays.values()}
    expression = transform(value, visit)
    reads = [n for n in postorder(expression) if isinstance(n, Call) and n.kind == "image"]
    return replace(summary, expression=expression, terminals=tuple(reads))
