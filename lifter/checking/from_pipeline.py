"""Summaries that say what an edited `pipeline.py` says: the candidates of whoever edited it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from compiler.ir import (
    I32,
    I64,
    Add,
    Call,
    Cast,
    Const,
    Expr,
    Mul,
    Neg,
    Sub,
    Variable,
    postorder,
    substitute,
    transform,
)

from ..dag import Reduce, normal
from ..emit import Domain, InlineReduction, Program, Shape, read_definitions, read_pipeline
from ..model.lifted import FunctionResult
from ..model.summary import Summary

_AXES = ("x", "y", "z", "w")


class NotSummaries(ValueError):
    """The pipeline has definitions that aren't read back as summaries, with the reason."""


def edited_summaries(text: str, result: FunctionResult, program: Program) -> tuple[Summary, ...]:
    """The result's summaries with the definitions that `text` has instead of the program's.

    What is read from where is checked by whoever proves them. Raises `NotSummaries`, and
    `LiftError` where inputs, outputs or stages are others.
    """
    if any(not s.is_pure for s in result.summaries):
        raise NotSummaries("updates aren't read back")
    if len(program.definitions) != len(result.summaries):
        raise NotSummaries("its stages aren't the source's")
    domains: dict[str, Domain] = {}
    shapes = read_definitions(program, text, load=read_pipeline, domains=domains)
    arrays = {i.name: i.array for i in program.images}
    arrays |= {t.name: t.name for t in program.tables}
    made = []
    for definition, summary in zip(program.definitions, result.summaries, strict=True):
        reading = _Reading(summary, program, dict(arrays), domains)
        made.append(reading.summary_of(shapes[definition.name]))
        arrays[definition.name] = summary.output
    return tuple(made)


@dataclass
class _Reading:
    """One definition on its way from the program's terms to a summary's."""

    summary: Summary
    program: Program
    arrays: Mapping[str, str]
    """The array whose contents an image, a table or a stage so far stands for."""
    domains: Mapping[str, Domain]

    def __post_init__(self) -> None:
        self.scalars = {s.name: s.source for s in self.program.scalars}
        inner = [n for n in postorder(self.summary.expression) if isinstance(n, Reduce)]
        self.counters = [n.counter for n in inner]
        """Of the summary's own sums, inner ones first: the same ones where they are meant."""

    def summary_of(self, shape: Shape) -> Summary:
        vars, values, updates = shape
        if updates or len(values) != 1 or len(vars) != len(self.summary.roi):
            raise NotSummaries(f"{self.summary.output} is defined in another way")
        self.names = self.scalars | {
            v: d.variable.name for v, d in zip(vars, self.summary.roi, strict=True)
        }
        expression = transform(values[0], self._visit)
        reads = [n for n in postorder(expression) if isinstance(n, Call) and n.kind == "image"]
        return replace(self.summary, expression=expression, terminals=tuple(reads))

    def _visit(self, node: Expr) -> Expr:
        if isinstance(node, Variable) and node.name in self.names:
            named: Expr = Variable(self.names[node.name], node.type)
            return named
        if isinstance(node, Call) and node.kind in ("func", "image"):
            array = self.arrays.get(node.name)
            if array is None:
                raise NotSummaries(f"{node.name} isn't read by the source there")
            read: Expr = Call(array, node.args, node.type, "image")
            return read
        return self._sum(node) if isinstance(node, InlineReduction) else node

    def _sum(self, node: InlineReduction) -> Expr:
        """An inline reduction as nested ones that count from 0, its first dimension innermost."""
        domain = self.domains[node.domain]
        counters = self._counters(len(domain.bounds))
        made = node.body
        starts: dict[Expr, Expr] = {}
        for (low, _), axis, counter in zip(domain.bounds, _AXES, counters, strict=False):
            at: Expr = Cast(I32, counter)
            start = transform(low, self._visit)
            place = at if start is Const(I32, 0) else Add(start, at)
            starts[Variable(f"{domain.name}.{axis}", I32)] = place
        made = substitute(made, starts)
        for (_, extent), counter in zip(domain.bounds, counters, strict=True):
            made = Reduce(node.operator, counter, normal(self._index(extent)), made)
        return made

    def _counters(self, count: int) -> Sequence[Variable]:
        if len(self.counters) < count:
            raise NotSummaries("it has sums that the source doesn't have")
        taken, self.counters = self.counters[:count], self.counters[count:]
        return taken

    def _index(self, expr: Expr) -> Expr:
        """An int32 expression over scalars as an index expression."""
        match expr:
            case Const():
                return Const(I64, int(expr.value))
            case Variable() if expr.name in self.scalars:
                named: Expr = Variable(self.scalars[expr.name], I64)
                return named
            case Cast() if expr.value.type.is_integer and expr.type is I32:
                return self._index(expr.value)
            case Add() | Sub() | Mul() | Neg() if expr.type is I32:
                return expr.__class__(*map(self._index, expr.children))
        raise NotSummaries(f"the bound {expr} of a sum isn't read back")
