"""Inline reductions as the DSL has them: one operator over one multi-dimensional domain."""

from __future__ import annotations

from compiler.ir import Expr, Type

from ..dag import ReduceOperator


class InlineReduction(Expr):
    """`sum(r, body)`: `body` combined over all points of the domain named `domain`, in its order.

    The domain's coordinates stand in the body as int32 variables `r.x`, `r.y`, ...
    """

    __slots__ = ("body", "domain", "operator")
    fields = ("operator", "domain", "body")
    operator: ReduceOperator
    domain: str
    body: Expr

    @classmethod
    def _check(cls, operator: str, domain: str, body: Expr) -> Type:
        return body.type

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.body,)

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        if children == self.children:
            return self
        made: Expr = InlineReduction(self.operator, self.domain, *children)
        return made

    def __repr__(self) -> str:
        return f"{self.operator}({self.body!r} over {self.domain})"
