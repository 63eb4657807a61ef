"""Whether summaries that were read from a file are about a kernel at all.

The proofs take it for granted that a summary's expressions are of the arrays', parameters' and
coordinates' own types, as synthesis makes them. What anybody may have written is asked here first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from compiler.ir import (
    I32,
    I64,
    Call,
    Cast,
    Const,
    Expr,
    Load,
    Type,
    Variable,
    postorder,
)

from ..dag import Reduce
from ..emit import FunctionBody
from ..model.parameters import row_stride_of
from ..model.summary import Dimension, Layout, Summary

if TYPE_CHECKING:
    from ..model.kernel import Kernel


class IllFormed(ValueError):
    """A summary that is of no use for the kernel, with the reason."""


def check_summary(summary: Summary, kernel: Kernel, parameters: Mapping[str, Type]) -> None:
    """Raises `IllFormed`. `parameters` are the names of index expressions with their types."""
    array = kernel.arrays.get(summary.output)
    if array is None:
        raise IllFormed(f"{summary.output} is no array of the function")
    if summary.expression.type is not array.type:
        raise IllFormed(f"{summary.output} holds {array.type}, not {summary.expression.type}")
    if summary.output not in summary.layouts:
        raise IllFormed(f"nothing says how {summary.output} lies in memory")
    dimensions = (*summary.roi, *summary.domain)
    for dimension in dimensions:
        _dimension(dimension, parameters)
    names = [d.variable.name for d in dimensions]
    if len(set(names)) != len(names) or set(names) & set(parameters):
        raise IllFormed("its coordinates have names that are taken")
    for name, layout in summary.layouts.items():
        _layout(name, layout, kernel, parameters)
    if len(summary.roi) != len(summary.layouts[summary.output].strides):
        raise IllFormed(f"its region has another rank than {summary.output}")
    inside = summary.domain or summary.roi
    known = dict(parameters)
    scalars = {p.name: p.type for p in kernel.params if p.kind == "scalar"}
    known |= scalars | {d.variable.name: I32 for d in inside}
    whole = [summary.expression, *summary.update_point]
    for expr in whole:
        _expression(expr, summary, kernel, known, parameters)
    if bool(summary.domain) != (summary.kind in ("reduction", "scan")):
        raise IllFormed("a domain is a reduction's or a scan's")
    if summary.domain and len(summary.update_point) != len(summary.roi):
        raise IllFormed("the place of its update has another rank than its region")
    if summary.is_fold and (summary.kind == "reduction") == bool(summary.update_point):
        raise IllFormed("a tuple's update is that of one element, or a scan's")
    if any(p.type is not I32 for p in summary.update_point):
        raise IllFormed("the place of its update is no int32")
    if summary.condition is not None:
        raise IllFormed("it is said to run under a condition")


def check_functions(functions: Sequence[FunctionBody]) -> None:
    """That functions call those before them alone; raises `IllFormed`."""
    known: dict[str, FunctionBody] = {}
    for function in sorted_by_calls(functions):
        if not function.name.isidentifier():
            raise IllFormed(f"{function.name!r} is no name of a function")
        free = {n for n in postorder(function.body) if isinstance(n, Variable)}
        counters = {n.counter for n in postorder(function.body) if isinstance(n, Reduce)}
        if (
            counters
            or len(set(function.params)) != len(function.params)
            or not free <= set(function.params)
        ):
            raise IllFormed(f"{function.name} is over more than its parameters")
        for node in postorder(function.body):
            if isinstance(node, Call) and node.kind == "pure":
                _call(node, known)
        known[function.name] = function


def sorted_by_calls(functions: Sequence[FunctionBody]) -> list[FunctionBody]:
    """Each after all that it calls; raises `IllFormed` where a function calls itself."""
    waiting = {f.name: f for f in functions}
    if len(waiting) != len(functions):
        raise IllFormed("two functions have one name")
    done: list[FunctionBody] = []
    while waiting:
        ready = [f for f in waiting.values() if not _callees(f.body) & set(waiting)]
        if not ready:
            raise IllFormed(f"the function {next(iter(waiting))} calls itself")
        done += ready
        for function in ready:
            del waiting[function.name]
    return done


def _callees(expr: Expr) -> set[str]:
    return {n.name for n in postorder(expr) if isinstance(n, Call) and n.kind == "pure"}


def _call(node: Call, known: Mapping[str, FunctionBody]) -> None:
    function = known.get(node.name)
    if function is None:
        raise IllFormed(f"{node.name} is no function of the summary")
    if [a.type for a in node.args] != [p.type for p in function.params]:
        raise IllFormed(f"{node.name} is called with arguments of other types")
    if node.type is not function.body.type:
        raise IllFormed(f"{node.name} gives {function.body.type}, not {node.type}")


def _dimension(dimension: Dimension, parameters: Collection[str]) -> None:
    if dimension.variable.type is not I32:
        raise IllFormed(f"the coordinate {dimension.variable.name} is no int32")
    _index((dimension.lower, dimension.upper), parameters)


def _index(exprs: Iterable[Expr], known: Collection[str]) -> None:
    """That these are index expressions over `known` names."""
    for expr in exprs:
        if expr.type is not I64:
            raise IllFormed(f"{expr} is no index expression")
        for node in postorder(expr):
            if isinstance(node, Call | Load | Reduce):
                raise IllFormed(f"{expr} isn't over parameters alone")
            if isinstance(node, Variable) and node.name not in known:
                raise IllFormed(f"{node.name} is no parameter of the function")


def _layout(name: str, layout: Layout, kernel: Kernel, parameters: Collection[str]) -> None:
    array = kernel.arrays.get(name)
    if array is None:
        raise IllFormed(f"{name} is no array of the function")
    if layout.rows and not layout.strides:
        raise IllFormed(f"{name} has rows and no coordinates")
    if layout.rows != (array.rank == 2):
        raise IllFormed(f"{name} is a table of rows in the one and not in the other")
    if layout.rows and layout.strides[-1] is not row_stride_of(name):
        raise IllFormed(f"the rows of {name} aren't its own")
    _index((*layout.strides, layout.offset), parameters)


def _expression(
    expr: Expr,
    summary: Summary,
    kernel: Kernel,
    known: Mapping[str, Type],
    parameters: Mapping[str, Type],
) -> None:
    """That a typed expression reads the kernel's arrays, parameters and coordinates as they are."""
    counters = {n.counter for n in postorder(expr) if isinstance(n, Reduce)}
    names = {c.name for c in counters}
    if names & set(known) or len(names) != len(counters):
        raise IllFormed("the counter of a sum has a name that is taken")
    extents = [n.extent for n in postorder(expr) if isinstance(n, Reduce)]
    _index(extents, {*parameters, *names, *(d.variable.name for d in summary.roi)})
    within = {n for e in extents for n in postorder(e)}
    for node in postorder(expr):
        if isinstance(node, Call):
            _read(node, summary, kernel)
        elif isinstance(node, Load):
            raise IllFormed(f"{node} is no element of an image")
        elif isinstance(node, Variable) and node not in counters and node not in within:
            declared = known.get(node.name)
            if declared is not node.type:
                raise IllFormed(f"{node.name} is no {node.type} of the function")
        elif isinstance(node, Const | Cast) and node.type.lanes != 1:
            raise IllFormed("it has vectors")


def _read(node: Call, summary: Summary, kernel: Kernel) -> None:
    if node.kind == "pure":
        function = kernel.functions.get(node.name)
        if function is None:
            raise IllFormed(f"{node.name} is no function of the source")
        _call(node, {node.name: FunctionBody(node.name, function.params, function.body)})
    elif node.kind == "image":
        layout, array = summary.layouts.get(node.name), kernel.arrays.get(node.name)
        if layout is None or array is None:
            raise IllFormed(f"nothing says how {node.name} lies in memory")
        if node.type is not array.type or len(node.args) != len(layout.strides):
            raise IllFormed(f"{node} isn't an element of {node.name}")
        if any(a.type is not I32 for a in node.args):
            raise IllFormed(f"the place of {node} is no int32")
    elif node.kind != "intrinsic":
        raise IllFormed(f"{node} is nothing that a summary computes")
