"""Pass 3: run-time checks, before anything is touched, that the caller's buffers fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..ir import EQ, LE, LT, TRUE, Add, And, Expr, Or, Sub, const, simplify
from ..ir import stmts as s
from ..ir.stmt_transform import block
from ..lang import HalideError, OutputImageParam
from ..lang.names import buffer_field
from .plan import StagePlan
from .region import Box, Clamp, Unbounded, boxes


def add_checks(
    body: s.Stmt, plans: Sequence[StagePlan], images: Sequence[Any], clamps: Mapping[str, Clamp]
) -> s.Stmt:
    """`body` after an `AssertStmt` for each promise and each region that is read or written.

    Where all outputs are empty nothing is read, so nothing is required of the inputs, and the body
    does not run.

        f(x) = a(x + 1)   ->   assert a.min.0 <= f.min.0 + 1 && ...; f(x) = a(x + 1)
    """
    outputs = [p for p in plans if p.is_output]
    try:
        touched = boxes(body, {n for p in outputs for n in (p.name, *p.value_names())}, clamps)
        reads = boxes(body, [i.name() for i in images], clamps).read
    except Unbounded as unbounded:
        raise HalideError(
            f"The region of an image that is read is unbounded: no limits are known for "
            f"{unbounded.args[0]}. Clamp it."
        ) from None
    nonempty = _nonempty(outputs)
    promises: list[s.Stmt] = []
    shaped = [i for i in images if isinstance(i, OutputImageParam)]
    for image in (*shaped, *(o for p in outputs for o in p.function.outputs)):
        promises += _promises(image)
    for plan in outputs:
        for box in (*touched.read.values(), *touched.written.values()):
            if len(box) == len(plan.args):
                promises += _writes(plan, touched.written.get(plan.name))
                break
    inputs: list[s.Stmt] = []
    for image in images:
        if image.name() in reads:
            inputs += _covers(image.name(), reads[image.name()], "Input buffer", "accessed")
    inner = block(*inputs, body)
    if nonempty is not TRUE:
        inner = s.IfThenElse(nonempty, inner)
    return block(*promises, inner)


def _nonempty(outputs: Sequence[StagePlan]) -> Expr:
    """Whether any output has a point."""
    some: Expr | None = None
    for plan in outputs:
        has: Expr = TRUE
        for d in range(len(plan.args)):
            has = And(has, LT(const(0), buffer_field(plan.name, "extent", d)))
        some = has if some is None else Or(some, has)
    assert some is not None
    return simplify(some)


def _promises(image: Any) -> list[s.Stmt]:
    """Strides, mins and extents that the program fixed. The stride of one element is free."""
    made: list[s.Stmt] = []
    for d in range(image.dimensions()):
        for field, value in sorted(image.dim(d).promised.items()):
            if value is None:
                continue
            given = buffer_field(image.name(), field, d)
            holds: Expr = EQ(given, value)
            if field == "stride":
                holds = Or(holds, LE(buffer_field(image.name(), "extent", d), const(1)))
            message = (
                f"The {field} of dimension {d} of buffer {image.name()} must be {{}}, not {{}}"
            )
            made.append(s.AssertStmt(holds, message, (value, given)))
    return made


def _writes(plan: StagePlan, written: Box | None) -> list[s.Stmt]:
    if written is None or len(plan.definitions) == 1:
        return []
    return _covers(plan.name, written, "Output buffer", "written")


def _covers(name: str, box: Box, what: str, doing: str) -> list[s.Stmt]:
    made: list[s.Stmt] = []
    for d, (low, high) in enumerate(box):
        first = buffer_field(name, "min", d)
        last = Sub(Add(first, buffer_field(name, "extent", d)), const(1))
        holds = simplify(And(LE(first, low), LE(high, last)))
        message = (
            f"{what} {name} is {doing} from {{}} to {{}} in dimension {d}, "
            f"but it covers only {{}} to {{}}"
        )
        if holds is not TRUE:
            made.append(s.AssertStmt(holds, message, (low, high, first, last)))
    return made
