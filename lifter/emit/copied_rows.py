"""Tables of row pointers whose rows lie anywhere: what a guard copies to call lifted code.

Lifted code sees a table as one image, so its rows must be evenly spaced. Where they aren't, the
guarded entry makes them so: it copies what the original reads of them, element by element, lets the
lifted code run over the copies, and copies back what it has written.

    sum += s[k][x] * w[k]        the elements x = 0 ... n - 1 of the rows k = 0 ... taps - 1
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from compiler.ir import (
    COMPARISONS,
    I64,
    TRUE,
    Add,
    And,
    BitAnd,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mod,
    Mul,
    Not,
    Or,
    Sub,
    Type,
    Variable,
    postorder,
)

from ..dag import normal
from ..model.kernel import Kernel
from ..model.parameters import parameters
from ..model.stage import Loop, Read, Stage, StageGraph, Write
from ..model.summary import Summary
from ..synth import inlined
from ..synth.paths import PathRead, reads_of, where_stored
from .accesses import Bounds, in_64_bits, scanned_accesses
from .interface import CopiedRead
from .tidy import tidy

_FEW = 16
"""Rows that loops go over one by one, each known by its number."""


def copied_rows(
    kernel: Kernel, summaries: Sequence[Summary], graph: StageGraph
) -> dict[str, tuple[CopiedRead, ...]]:
    """The caller's tables of rows that can be copied, each with what is read of it.

    A table can't whose elements are read where pixels say, or only where they say so: which ones
    the original reads isn't known before. Nor one of which the original may leave elements alone
    that the lifted code has the old value for. None is where the guard must look at numbers in
    memory before it knows what is touched, nor where the loops inside use the same rows all the
    time: they are lifted by themselves, without copies (`parse/rows_apart.py`).
    """
    tables = [p.name for p in kernel.params if p.kind == "rows"]
    if not tables or scanned_accesses(kernel, summaries).scans:
        return {}
    names = parameters(kernel)
    known = names.keys() - names.row_strides
    found: dict[str, tuple[CopiedRead, ...]] = {}
    for table in tables:
        reads: dict[CopiedRead, None] = {}
        for summary in summaries:
            if summary.output == table and not _is_stored_everywhere(summary):
                break  # not all of it is stored
            made = [_copied(summary, read, known) for read in _reads(kernel, summary, table)]
            if any(one is None for one in made):
                break
            reads |= {one: None for one in made if one is not None}
        else:
            found[table] = tuple(reads)
    return found if any(_goes_over_rows(stage, found) for stage in graph.order) else {}


def _goes_over_rows(stage: Stage, tables: Collection[str]) -> bool:
    """Whether an innermost loop goes over the rows of a table."""
    accesses: list[Read | Write] = [*stage.reads, *stage.writes]
    for access in accesses:
        loops = [loop for loop in access.loops if not _is_short(loop)]
        if access.array in tables and loops:
            row = access.indices[0]
            if loops[-1].counter in postorder(row):
                return True
    return False


def _is_short(loop: Loop) -> bool:
    return isinstance(loop.extent, Const) and loop.extent.value <= _FEW


def _is_stored_everywhere(summary: Summary) -> bool:
    """Whether the original stores to each point of the region, if it runs at all."""
    own = tuple(d.variable for d in summary.roi)
    old = Call(summary.output, own, summary.expression.type, "image")
    return (
        summary.is_pure
        and not summary.stores_changed
        and summary.written_if is None
        and where_stored(summary.expression, old)[0] is TRUE
    )


def _reads(kernel: Kernel, summary: Summary, table: str) -> Iterator[PathRead]:
    """The reads of a table; those that the original makes in any case under no condition."""
    roots = (summary.expression, *summary.update_point)
    for read in reads_of(*((root, TRUE) for root in roots)):
        if read.call.name == table:
            anyway = read.call in summary.read_anyway
            condition = TRUE if anyway else tidy(inlined(read.condition, kernel.functions))
            call = inlined(read.call, kernel.functions)
            assert isinstance(call, Call)
            yield PathRead(call, condition, read.reductions)


def _copied(summary: Summary, read: PathRead, known: set[str]) -> CopiedRead | None:
    """A read as loops of C may make it; None where they can't."""
    coordinates: list[Variable] = []
    region: list[Bounds] = []
    named: dict[Expr, Expr] = {}

    def add(variable: Expr, low: Expr | None, high: Expr | None) -> bool:
        if low is None or high is None or variable in named:
            return False
        own = Variable(f"lift_at{len(coordinates)}", I64)
        coordinates.append(own)
        region.append((low, high))
        named[variable] = own
        return True

    one = Const(I64, 1)
    for d in reversed(summary.domain or summary.roi):
        add(d.variable, d.lower, normal(Sub(d.upper, one)))
    for reduction in read.reductions:
        extent = _number(tidy(reduction.extent), named)
        last = None if extent is None else normal(Sub(extent, one))
        if not add(reduction.counter, Const(I64, 0), last):
            return None
    layout = summary.layouts[read.call.name]
    places = [_number(tidy(argument), named) for argument in read.call.args]
    *inside, row = places
    element = layout.offset
    for stride, place in zip(layout.strides, inside, strict=False):
        if place is None:
            return None
        element = Add(element, Mul(stride, place))
    tests = [read.condition, *(t for t in (summary.condition,) if t is not None)]
    if summary.written_if is not None:
        tests.append(summary.written_if)
    condition: Expr | None = None
    for test in tests:
        if test is TRUE:
            continue
        told = _test(tidy(test), named)
        if told is None:
            return None
        condition = told if condition is None else And(condition, told)
    if row is None:
        return None
    parts = [row, element, *(e for ends in region for e in ends)]
    parts += [condition] if condition is not None else []
    names = {n.name for n in postorder(*parts) if isinstance(n, Variable)}
    if not names <= known | {c.name for c in coordinates}:
        return None
    return CopiedRead(tuple(coordinates), tuple(region), normal(row), normal(element), condition)


def _test(test: Expr, named: Mapping[Expr, Expr]) -> Expr | None:
    """A condition in 64 bits, over the names of coordinates; None for others."""
    sides: list[Expr | None]
    if isinstance(test, Variable):
        return test
    if isinstance(test, (And, Or, Not)):
        sides = [_test(c, named) for c in test.children]
    elif isinstance(test, COMPARISONS):
        if not all(map(_is_exact, test.children)):
            return None
        sides = [_number(c, named) for c in test.children]
    else:
        return None
    told = [side for side in sides if side is not None]
    return test.rebuild(tuple(told)) if len(told) == len(sides) else None


def _number(expr: Expr, named: Mapping[Expr, Expr]) -> Expr | None:
    """A number in 64 bits, as `in_64_bits` has it, quotients, remainders and low bits too."""
    if isinstance(expr, (Add, Sub, Mul, Min, Max, Div, Mod)) and _is_coordinate(expr.type):
        if isinstance(expr, Mul) and all(_has_product(c) for c in expr.children):
            return None
        a, b = (_number(c, named) for c in expr.children)
        return None if a is None or b is None else expr.rebuild((a, b))
    if isinstance(expr, BitAnd) and isinstance(expr.b, Const) and expr.b.value >= 0:
        bits = _number(expr.a, named) if _is_coordinate(expr.type) else None
        return None if bits is None else BitAnd(bits, Const(I64, expr.b.value))
    return in_64_bits(expr, named)


def _is_coordinate(type: Type) -> bool:
    return type.is_int and type.bits >= 32


def _has_product(expr: Expr) -> bool:
    return any(isinstance(node, Mul) for node in postorder(expr))


def _is_exact(side: Expr) -> bool:
    """Whether 64 bits have the number, whatever it is computed of."""
    return side.type.is_int and all(
        n.type.contains_all(n.value.type) for n in postorder(side) if isinstance(n, Cast)
    )
