"""Local arrays begin without values: a stage that leaves elements alone leaves them undefined."""

from __future__ import annotations

from compiler.ir import Call, Cast, Const, Expr, Select, Variable, transform

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


def with_zero(expression: Expr, stage: Summary) -> Expr:
    """The same with 0 for elements without a value: what is computed stays under its choices."""

    def visit(node: Expr) -> Expr:
        return Const(node.type, 0) if _is_old(node, stage) else node

    return transform(expression, visit)


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
