"""Local arrays begin without values: a stage that leaves elements alone leaves them undefined."""

from __future__ import annotations

from compiler.ir import Call, Cast, Expr, Select, Variable

from ..model.summary import Summary


def without_old(expression: Expr, stage: Summary) -> Expr:
    """What a local array gets where it gets anything: `select(c, e, tmp(x))` is `e` as long as
    nothing has given `tmp` a value, for elements without one may have any."""
    while isinstance(expression, Select):
        if _is_old(expression.b, stage):
            expression = expression.a
        elif _is_old(expression.a, stage):
            expression = expression.b
        else:
            break
    return expression


def _is_old(expression: Expr, stage: Summary) -> bool:
    """Whether this is the output's own element before the stage."""
    return (
        isinstance(expression, Call)
        and expression.kind == "image"
        and expression.name == stage.output
        and tuple(map(_name, expression.args)) == tuple(d.variable.name for d in stage.roi)
    )


def _name(expression: Expr) -> str | None:
    while isinstance(expression, Cast):
        expression = expression.value
    return expression.name if isinstance(expression, Variable) else None
