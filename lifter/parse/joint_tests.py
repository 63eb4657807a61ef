"""Loops that test again after their first steps, as those do that work from both ends.

    while (l < r) {                           while (l < r && l < r - 1) {
        r--;                                      r--;
        if (l >= r) break;                        swap(*l, *r);
        swap(*l, *r);                             l++;
        l++;                                  }
    }

The right one leaves `r` as it was where the left one leaves by `break`; so nothing but the loop may
read it. The second test is asked where the first one holds, of what the steps would compute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compiler.ir import TRUE, And, Load, negation, postorder

from ..model.kernel import Assign, Break, If, Return, Stmt, WhileLoop, expressions_of, statements
from .effects import before, needed_by, reads


def with_joint_tests(
    body: Sequence[Stmt], outside: frozenset[str] = frozenset()
) -> tuple[Stmt, ...]:
    """`body`, outside of which the scalars `outside` are read, with both tests of such loops as
    their conditions."""
    made: list[Stmt] = []
    for place, stmt in enumerate(body):
        if isinstance(stmt, If):
            others = outside | _read((*body[:place], *body[place + 1 :])) | reads(stmt.condition)
            then = with_joint_tests(stmt.then, others | _read(stmt.otherwise))
            otherwise = with_joint_tests(stmt.otherwise, others | _read(stmt.then))
            stmt = replace(stmt, then=then, otherwise=otherwise)
        elif isinstance(stmt, WhileLoop):
            others = outside | _read((*body[:place], *body[place + 1 :]))
            around = others | reads(stmt.condition) | _read((*stmt.step, *stmt.again))
            around |= {name for _, name in needed_by(stmt.body)}  # by the next iteration
            stmt = _joined(replace(stmt, body=with_joint_tests(stmt.body, around)), others)
        made.append(stmt)
    return tuple(made)


def _joined(loop: WhileLoop, outside: frozenset[str]) -> WhileLoop:
    steps: list[Assign] = []
    for stmt in loop.body:
        if not isinstance(stmt, Assign):
            break
        steps.append(stmt)
    rest = loop.body[len(steps) + 1 :]
    way_out = loop.body[len(steps)] if len(steps) < len(loop.body) else None
    if not steps or not isinstance(way_out, If) or way_out.otherwise or loop.again:
        return loop
    if (
        not loop.test_first
        or loop.condition is TRUE
        or not all(isinstance(s, Break) for s in way_out.then)
    ):
        return loop
    if any(isinstance(s, (Break, Return)) for s in statements(rest)):
        return loop
    test = before(negation(way_out.condition), steps)
    if any(isinstance(n, Load) for n in postorder(test)) or outside & {s.name for s in steps}:
        return loop
    return replace(loop, condition=And(loop.condition, test), body=(*steps, *rest))


def _read(body: Sequence[Stmt]) -> frozenset[str]:
    """What statements read, inner ones included."""
    return frozenset(reads(*(e for s in statements(tuple(body)) for e in expressions_of(s))))
