"""GNU's statements in parentheses, whose value is the last one's: `({ int a = f(x); a * a; })`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from compiler.ir import Const, Expr

from .dispatch import EFFECT, VALUE, run, value_of
from .failure import unsupported
from .jumps import LOOPS
from .syntax import Node
from .translation import Translation

_LEAVES = frozenset(
    {"RETURN_STMT", "BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT", "LABEL_STMT"}
)


@VALUE.of("StmtExpr")
def statements_value(t: Translation, node: Node) -> Expr:
    *before, last = _statements(node)
    with _by_itself(t):
        run(t, before)
        with t.expression_region(last) as region:
            value = value_of(t, last)
            # What it is made of may have other values where it is used.
            if not isinstance(value, Const):
                value = t.capture(value, "value")
            t.flush(region)
    return value


@EFFECT.of("StmtExpr")
def do_statements(t: Translation, node: Node) -> None:
    with _by_itself(t):
        run(t, _statements(node))


def _statements(node: Node) -> tuple[Node, ...]:
    for inner in node.walk():
        if inner.kind in _LEAVES or inner.kind in LOOPS:
            raise unsupported(
                "unsupported-expression",
                inner.span,
                "a loop, or a jump, in statements that make an expression",
                "make a function of the statements",
            )
    (block,) = node.children
    if not block.children:
        raise unsupported("unsupported-expression", node.span, "this expression is empty")
    return block.children


@contextmanager
def _by_itself(t: Translation) -> Iterator[None]:
    """Statements inside of an expression: each is complete before the next one begins."""
    region, t.region = t.region, None
    try:
        yield
    finally:
        t.region = region
