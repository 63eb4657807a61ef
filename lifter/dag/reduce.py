"""Reductions inside expressions: `Reduce` is a node of the expression language for the lifter."""

from __future__ import annotations

from typing import Literal

from compiler.ir import I64, Add, Expr, Max, Min, Mul, Type, Variable

ReduceOperator = Literal["add", "mul", "min", "max"]
COMBINED_BY: dict[ReduceOperator, type[Add | Mul | Min | Max]] = {
    "add": Add, "mul": Mul, "min": Min, "max": Max,
}  # fmt: skip
"""The operator that each reduction repeats."""


def reduce_operator(value: Expr) -> ReduceOperator | None:
    """The reduction that repeats the operator of `value`, if there is one."""
    return next((name for name, kind in COMBINED_BY.items() if type(value) is kind), None)


class Reduce(Expr):
    """`body` combined by `operator` over 0 <= counter < extent, in that order.

    `counter` is an int64 variable bound in `body` (names of counters are unique in a kernel, so
    substitution never captures); `extent` is an index expression. An empty reduction is the
    operator's neutral element.
    """

    __slots__ = ("body", "counter", "extent", "operator")
    fields = ("operator", "counter", "extent", "body")
    operator: ReduceOperator
    counter: Variable
    extent: Expr
    body: Expr

    @classmethod
    def _check(cls, operator: str, counter: Expr, extent: Expr, body: Expr) -> Type:
        if counter.type is not I64 or extent.type is not I64:
            raise TypeError(f"a reduction's counter and extent are int64, not {counter}, {extent}")
        return body.type

    @property
    def children(self) -> tuple[Expr, ...]:
        return (self.extent, self.body)

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        if children == self.children:
            return self
        made: Expr = Reduce(self.operator, self.counter, *children)
        return made

    def __repr__(self) -> str:
        return f"{self.operator}({self.body!r} for {self.counter!r} < {self.extent!r})"
