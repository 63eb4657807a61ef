"""Mutants of proved summaries: one small change each, made systematically.

A mutant is a well-typed summary that says something else, or the same in other words; which of the
two is for the test to find out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from compiler.ir import (  # fmt: skip
    BOOL,
    EQ,
    GE,
    GT,
    I32,
    I64,
    LE,
    LT,
    NE,
    Add,
    And,
    Binary,
    BitAnd,
    BitNot,
    BitOr,
    BitXor,
    Call,
    Cast,
    Comparison,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Neg,
    Not,
    Or,
    Select,
    Shl,
    Shr,
    Sub,
    TruncDiv,
    TruncMod,
    Type,
    Variable,
    const,
    substitute,
    transform,
)
from lifter.dag import Reduce
from lifter.model.summary import Dimension, Layout, Summary, Witness


@dataclass(frozen=True)
class Mutant:
    """`kind` is what was changed, `text` says it; `whole` when more than the expression changed."""

    kind: str
    text: str
    summary: Summary
    whole: bool = True


_OPERATORS: dict[type[Expr], tuple[type[Binary], ...]] = {
    Add: (Sub, Max),
    Sub: (Add,),
    Mul: (Add,),
    Div: (Mul, Mod),
    TruncDiv: (Mul,),
    Mod: (Div,),
    TruncMod: (TruncDiv,),
    Min: (Max, Add),
    Max: (Min, Add),
    BitAnd: (BitOr, BitXor),
    BitOr: (BitAnd, BitXor),
    BitXor: (BitOr, Add),
    Shl: (Shr,),
    Shr: (Shl,),
    And: (Or,),
    Or: (And,),
}
_COMPARISONS: dict[type[Expr], tuple[type[Binary], ...]] = {
    LT: (LE, GE),
    LE: (LT, GT),
    GT: (GE, LT),
    GE: (GT, LE),
    EQ: (NE, LE),
    NE: (EQ, GT),
}
_ORDERED = (Sub, Div, TruncDiv, Mod, TruncMod, Shl, Shr)


def mutants(summary: Summary) -> Iterator[Mutant]:
    """All mutants of a summary, those of its expression first."""
    yield from _of_expression(summary)
    if summary.kind == "reduction":
        yield from _of_reduction(summary)
    else:
        yield from _of_region(summary)
    yield from _of_layouts(summary)


def chosen(summary: Summary, count: int, seed: str) -> list[Mutant]:
    """`count` of the mutants, each kind in its turn; which comes first depends on the seed."""
    by_kind: dict[str, list[Mutant]] = {}
    for mutant in mutants(summary):
        by_kind.setdefault(mutant.kind, []).append(mutant)
    source = random.Random(seed)
    for group in by_kind.values():
        source.shuffle(group)
    groups = list(by_kind.values())
    first = source.randrange(len(groups))
    groups = groups[first:] + groups[:first]
    result: list[Mutant] = []
    while len(result) < count and any(groups):
        result.extend(group.pop() for group in groups if group)
    return result[:count]


def _of_expression(summary: Summary) -> Iterator[Mutant]:
    seen: set[Expr] = set()
    terminals = [n for n in summary.terminals if isinstance(n, Call)]
    for path, node, is_index in _sites(summary.expression):
        if node in seen:
            continue
        seen.add(node)
        for kind, make in _changes(node, is_index, terminals):
            try:
                new = make()
                changed = _replaced(summary.expression, path, new)
            except (TypeError, ValueError, OverflowError):
                continue  # not a well-typed program: no mutant
            if changed is not summary.expression and changed.type is summary.expression.type:
                text = f"{node!r} -> {new!r}"
                yield Mutant(kind, text, replace(summary, expression=changed), whole=False)


Path = tuple[int, ...]


def _sites(
    expr: Expr, path: Path = (), is_index: bool = False
) -> Iterator[tuple[Path, Expr, bool]]:
    yield path, expr, is_index
    inside = is_index or (isinstance(expr, Call) and expr.kind == "image")
    for number, child in enumerate(expr.children):
        if isinstance(expr, Reduce) and child is expr.extent:
            continue  # an index expression, changed as a bound
        yield from _sites(child, (*path, number), inside)


def _replaced(expr: Expr, path: Path, new: Expr) -> Expr:
    if not path:
        return new
    children = list(expr.children)
    children[path[0]] = _replaced(children[path[0]], path[1:], new)
    return expr.rebuild(tuple(children))


Change = tuple[str, Callable[[], Expr]]
"""A kind, and what makes the new node; it raises where that would be ill-typed."""


def _changes(node: Any, is_index: bool, terminals: list[Call]) -> Iterator[Change]:
    type = node.type
    if isinstance(node, Const) and type is not BOOL:
        kind = "index offset" if is_index else "constant"
        steps = (0.25, -1.0) if type.is_float else (1, -1)
        for step in steps:
            yield kind, partial(const, node.value + step, type)
    elif isinstance(node, Variable) and not is_index and type is not BOOL:
        yield "constant", lambda: Add(node, const(1, type))
    for other in (*_OPERATORS.get(node.__class__, ()), *_COMPARISONS.get(node.__class__, ())):
        kind = "comparison" if isinstance(node, Comparison) else "operator"
        yield kind, partial(other, node.a, node.b)
    if isinstance(node, _ORDERED):
        yield "operator", lambda: node.__class__(node.b, node.a)
    if isinstance(node, Binary) and not isinstance(node, Comparison):
        yield "operator", lambda: node.a
        yield "operator", lambda: node.b
    if isinstance(node, (Neg, BitNot, Not)):
        yield "operator", lambda: node.value
    if isinstance(node, Select):
        yield "branch", lambda: node.a
        yield "branch", lambda: node.b
        yield "branch", lambda: Select(node.condition, node.b, node.a)
    if isinstance(node, Cast):
        inner = node.value.type
        if inner.is_integer and inner is not BOOL:
            yield "cast", lambda: Cast(type, Cast(_flipped(inner), node.value))
        if type.is_integer and type.bits > 8:
            yield "cast", lambda: Cast(type, Cast(Type("uint", 8), node.value))
        if inner is type:
            yield "cast", lambda: node.value
    elif type.is_integer and type is not BOOL and type.bits > 8 and not is_index:
        yield "cast", lambda: Cast(type, Cast(Type("int", type.bits // 2), node))
    if isinstance(node, Reduce):
        others = {"add": "max", "max": "min", "min": "max", "mul": "add"}
        yield (
            "operator",
            lambda: Reduce(others[node.operator], node.counter, node.extent, node.body),
        )
        for step in (1, -1):
            extent = _plus(node.extent, step)
            yield "bound", partial(Reduce, node.operator, node.counter, extent, node.body)
    if isinstance(node, Call):
        yield from _call_changes(node, terminals)


def _call_changes(node: Call, terminals: list[Call]) -> Iterator[Change]:
    kind = "index offset" if node.kind == "image" else "constant"
    for number, argument in enumerate(node.args):
        for step in (1, -1):
            yield kind, partial(_moved, node, number, step)
        for second in range(number):
            yield "terminal", partial(_swapped, node, number, second)
        if node.kind != "image":
            yield "operator", partial(_itself, argument)
    if node.kind == "image":
        for other in terminals:
            if other is not node and other.type is node.type:
                yield "terminal", partial(_itself, other)


def _itself(expr: Expr) -> Expr:
    return expr


def _moved(call: Call, number: int, step: int) -> Expr:
    """One argument more or less."""
    args = list(call.args)
    args[number] = Add(args[number], const(step, args[number].type))
    made: Expr = Call(call.name, tuple(args), call.type, call.kind)
    return made


def _swapped(call: Call, n: int, m: int) -> Expr:
    args = list(call.args)
    if args[n].type is not args[m].type:
        raise TypeError("a function takes its arguments by their types")
    args[n], args[m] = args[m], args[n]
    made: Expr = Call(call.name, tuple(args), call.type, call.kind)
    return made


def _flipped(type: Type) -> Type:
    return Type("int" if type.is_uint else "uint", type.bits)


def _plus(expr: Expr, step: int) -> Expr:
    return Add(expr, const(step, I64))


def _typed(bound: Expr) -> Expr:
    """An index expression over int32 parameters as a typed one; sizes of vectors are int64."""
    if isinstance(bound, Variable) and not bound.name.endswith(".size"):
        made: Expr = Cast(I64, Variable(bound.name, I32))
        return made
    return bound.rebuild(tuple(map(_typed, bound.children)))


def _of_region(summary: Summary) -> Iterator[Mutant]:
    for number, roi in enumerate(_changed_boxes(summary.roi)):
        yield Mutant("bound", f"region {number}: {_shown(roi)}", replace(summary, roi=roi))
    yield from _shifted(summary)
    last = summary.roi[-1].upper
    if not isinstance(last, Const):
        condition = LT(const(1, I64), _typed(last))
        yield Mutant("branch", f"only if {condition!r}", replace(summary, condition=condition))


def _changed_boxes(box: tuple[Dimension, ...]) -> Iterator[tuple[Dimension, ...]]:
    """Each bound of each dimension one more and one less, and the bounds of another dimension."""
    for number, d in enumerate(box):
        before, after = box[:number], box[number + 1 :]
        for step in (1, -1):
            yield (*before, replace(d, lower=_plus(d.lower, step)), *after)
            yield (*before, replace(d, upper=_plus(d.upper, step)), *after)
        for other in box:
            if other.upper is not d.upper:
                yield (*before, replace(d, upper=other.upper), *after)


def _shown(box: tuple[Dimension, ...]) -> str:
    return ", ".join(f"{d.lower!r} <= {d.variable!r} < {d.upper!r}" for d in box)


def _shifted(summary: Summary) -> Iterator[Mutant]:
    """The region counted from 1, consistently but for the expression, which isn't shifted."""
    layout = summary.layouts[summary.output]
    if layout.rows:
        return
    for number, d in enumerate(summary.roi):
        roi = list(summary.roi)
        roi[number] = Dimension(d.variable, _plus(d.lower, 1), _plus(d.upper, 1))
        back: dict[Expr, Expr] = {
            Variable(d.variable.name, I64): _plus(Variable(d.variable.name, I64), -1)
        }
        witnesses = tuple(
            Witness(
                tuple(_plus(p, 1) if i == number else p for i, p in enumerate(w.point)),
                tuple(substitute(c, back) for c in w.counters),
            )
            for w in summary.witnesses
        )
        offset = Sub(layout.offset, layout.strides[number])
        layouts = {**summary.layouts, summary.output: replace(layout, offset=offset)}
        yield Mutant(
            "index offset", f"{d.variable!r} counted from 1 where {summary.output} is written",
            replace(summary, roi=tuple(roi), layouts=layouts, witnesses=witnesses),
        )  # fmt: skip


def _of_layouts(summary: Summary) -> Iterator[Mutant]:
    for name, layout in summary.layouts.items():
        for text, changed in _changed_layouts(layout):
            layouts = {**summary.layouts, name: changed}
            yield Mutant("layout", f"{name}: {text}", replace(summary, layouts=layouts))


def _changed_layouts(layout: Layout) -> Iterator[tuple[str, Layout]]:
    yield "offset + 1", replace(layout, offset=_plus(layout.offset, 1))
    last = len(layout.strides) - (1 if layout.rows else 0)
    for number in range(last):
        strides = list(layout.strides)
        strides[number] = _plus(strides[number], 1)
        yield f"stride {number} + 1", replace(layout, strides=tuple(strides))
    if last > 1:
        strides = list(layout.strides)
        strides[0], strides[1] = strides[1], strides[0]
        yield "strides 0 and 1 swapped", replace(layout, strides=tuple(strides))


def _of_reduction(summary: Summary) -> Iterator[Mutant]:
    for number, domain in enumerate(_changed_boxes(summary.domain)):
        yield Mutant("bound", f"domain {number}: {_shown(domain)}", replace(summary, domain=domain))
    for number, roi in enumerate(_changed_boxes(summary.roi)):
        yield Mutant("bound", f"region {number}: {_shown(roi)}", replace(summary, roi=roi))
    for step in (1, -1):
        (place,) = summary.update_point
        moved = Add(place, const(step, place.type))
        text = f"updates {moved!r}"
        yield Mutant("index offset", text, replace(summary, update_point=(moved,)))
        expression = _with_place(summary.expression, summary.output, moved)
        changed = replace(summary, update_point=(moved,), expression=expression)
        yield Mutant("index offset", f"{text}, reads it there too", changed)


def _with_place(expr: Expr, output: str, place: Expr) -> Expr:
    def visit(node: Expr) -> Expr:
        if isinstance(node, Call) and node.kind == "image" and node.name == output:
            return Call(node.name, (place,), node.type, "image")
        return node

    return transform(expr, visit)
