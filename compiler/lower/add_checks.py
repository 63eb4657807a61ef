"""Run-time checks, before anything is touched, that the caller's buffers fit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..ir import EQ, LE, LT, TRUE, Add, And, Expr, Or, Sub, const
from ..ir import stmts as s
from ..ir.simplify_coordinate import simplify_coordinate
from ..ir.stmt_transform import block
from ..ir.stmts import RequiredRegions
from ..lang import HalideError, OutputImageParam, Parameter
from ..lang.names import PARAMETER_MARK, buffer_field, parameter_variable
from .plan import StagePlan
from .region import (
    Box,
    Expansion,
    KnownBox,
    Regions,
    Unbounded,
    known,
    long_enough,
    part_of,
    region_fields,
)

# The numbers of Halide's `halide_error_code_t`.
ACCESS_OUT_OF_BOUNDS = -4
CONSTRAINT_VIOLATED = -8


def add_checks(
    body: s.Stmt,
    plans: Sequence[StagePlan],
    inputs: Sequence[Any],
    regions: Regions,
    vouched: Collection[str] = (),
) -> s.Stmt:
    """`body` after an `AssertStmt` for each promise and each region that is read or written, but
    for those of the images `vouched`.

    Where all outputs are empty nothing is read, so nothing is required of the inputs, and the body
    does not run. Checks come after the regions of stages at the root, in terms of which they are.

        let g.min.0 = ...; realize g: ... g(x) = a(x + 1)
        ->  let g.min.0 = ...; assert a.min.0 <= g.min.0 + 1; ...; realize g: ...
    """
    outputs = [p for p in plans if p.is_output]
    images = [i for i in inputs if not isinstance(i, Parameter)]
    promises = [check for i in inputs if isinstance(i, Parameter) for check in _range(i)]
    for image in (*images, *(o for p in outputs for o in p.function.outputs)):
        promises += _promises(image)

    def with_regions(stmt: s.Stmt, expansion: Expansion) -> s.Stmt:
        if isinstance(stmt, s.LetStmt):
            inside = with_regions(stmt.body, expansion.with_let(stmt))
            return s.LetStmt(stmt.name, stmt.value, inside)
        made: list[s.Stmt] = []
        for plan in outputs:
            made += regions.loops.checks.get(plan.name, ())
            box = _output_box(plan, regions, stmt, expansion)
            if box is not None:
                made += _covers(plan.name, box, "Output buffer")
        for image in images:
            if image.name() in vouched:
                continue
            box = regions.read(stmt, {image.name()}, expansion)
            if box is not None:
                made += _covers(image.name(), box, "Input buffer")
        return block(*made, stmt)

    inner = with_regions(body, regions.outside)
    nonempty = _nonempty(outputs)
    if nonempty is not TRUE:
        inner = s.IfThenElse(nonempty, inner)
    return block(*promises, inner)


def required_regions(
    body: s.Stmt, plans: Sequence[StagePlan], images: Sequence[Any], regions: Regions
) -> RequiredRegions:
    """The boxes that `add_checks` asks for, as a caller can compute them before a call."""
    lets: list[tuple[str, Expr]] = []
    for plan in plans:
        if plan.is_output and len(plan.types) > 1:
            # The region of an output with several values is that of its first buffer.
            first = region_fields(plan.value_names()[0], len(plan.args))
            for own, given in zip(region_fields(plan.name, len(plan.args)), first, strict=True):
                lets += [(mine.name, theirs) for mine, theirs in zip(own, given, strict=True)]
    expansion = regions.outside
    while isinstance(body, s.LetStmt):
        expansion = expansion.with_let(body)
        lets.append((body.name, part_of(body.value)))
        body = body.body
    boxes: list[tuple[str, tuple[tuple[Expr, Expr], ...]]] = []
    for plan in plans:
        box = _output_box(plan, regions, body, expansion) if plan.is_output else None
        if box is not None:
            boxes += [(name, tuple(_bounded(name, box))) for name in plan.value_names()]
    for image in images:
        box = regions.read(body, {image.name()}, expansion)
        if box is not None:
            boxes.append((image.name(), tuple(_bounded(image.name(), box))))
    return RequiredRegions(tuple(lets), tuple(boxes))


def _output_box(
    plan: StagePlan, regions: Regions, body: s.Stmt, expansion: Expansion
) -> Box | None:
    """All that is read or written of an output, grown as loops shifted inwards need it."""
    box = regions.box(body, {plan.name, *plan.value_names()}, expansion)
    if box is None:
        return None
    least = regions.loops.least_extents.get(plan.name, {})
    made: Box = []
    for name, (low, extent), (first, last) in zip(plan.args, plan.region, box, strict=True):
        if name in least and first is not None:
            first = long_enough(first, Sub(Add(low, extent), const(1)), least[name])
        made.append((first, last))
    return made


def _nonempty(outputs: Sequence[StagePlan]) -> Expr:
    """Whether any output has a point."""
    some: Expr | None = None
    for plan in outputs:
        has: Expr = TRUE
        for d in range(len(plan.args)):
            has = And(has, LT(const(0), buffer_field(plan.name, "extent", d)))
        some = has if some is None else Or(some, has)
    assert some is not None
    return simplify_coordinate(some)


def _range(parameter: Parameter) -> list[s.Stmt]:
    """That the value lies in the range that the program promised."""
    value = parameter_variable(parameter.name, parameter.type)
    made: list[s.Stmt] = []
    for limit, word in ((parameter.minimum, "least"), (parameter.maximum, "most")):
        if limit is not None:
            holds = LE(limit, value) if word == "least" else LE(value, limit)
            message = f"Parameter {parameter.name} is {{}} but must be at {word} {{}}"
            made.append(s.AssertStmt(holds, message, (value, limit)))
    return made


def _promises(image: Any) -> list[s.Stmt]:
    """Strides, mins and extents that the program fixed. The stride of one element is free."""
    made: list[s.Stmt] = []
    for d in range(image.dimensions()):
        dimension = image.dim(d)
        if isinstance(image, OutputImageParam):
            promised = dimension.promised
        else:
            promised = {"stride": const(dimension.stride())}
        for field, value in sorted(promised.items()):
            if value is None:
                continue
            given = buffer_field(image.name(), field, d)
            holds: Expr = EQ(given, value)
            if field == "stride":
                holds = Or(holds, LE(buffer_field(image.name(), "extent", d), const(1)))
            shown = str(value).replace(PARAMETER_MARK, "")
            message = f"Constraint violated: {given} ({{}}) == {shown} ({{}})"
            made.append(s.AssertStmt(holds, message, (given, value), CONSTRAINT_VIOLATED))
    return made


def _bounded(name: str, box: Box) -> KnownBox:
    try:
        return known(name, box)
    except Unbounded as unbounded:
        raise HalideError(
            f"Buffer {name} may be accessed in an unbounded way in dimension {unbounded.dimension}"
        ) from None


def _covers(name: str, box: Box, what: str) -> list[s.Stmt]:
    """That the buffer `name` holds `box`; each end has a check of its own."""
    made: list[s.Stmt] = []
    for d, (low, high) in enumerate(_bounded(name, box)):
        first = buffer_field(name, "min", d)
        last = simplify_coordinate(Sub(Add(first, buffer_field(name, "extent", d)), const(1)))
        before = (
            f"{what} {name} is accessed at {{}}, which is before the min ({{}}) in dimension {d}"
        )
        beyond = (
            f"{what} {name} is accessed at {{}}, which is beyond the max ({{}}) in dimension {d}"
        )
        for holds, message, args in (
            (simplify_coordinate(LE(first, low)), before, (low, first)),
            (simplify_coordinate(LE(high, last)), beyond, (high, last)),
        ):
            if holds is not TRUE:
                made.append(s.AssertStmt(holds, message, args, ACCESS_OUT_OF_BOUNDS))
    return made
