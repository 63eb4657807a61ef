"""Duff's device: a `switch` that jumps into the middle of an unrolled `do ... while`.

    switch (n % 4) {
    case 0: do { S;
    case 3:      S;
    case 2:      S;
    case 1:      S;
            } while (--rounds > 0);
    }

Where every part says the same, this is the statement S, run `left + (iterations - 1) * 4` times:
`left` times in the first iteration (4 for the label 0), and four times in each other one.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from compiler.ir import EQ, GE, I64, LT, Add, And, Const, Expr, Max, Mul, Select, Sub, Variable

from ..model.kernel import Assign, If, WhileLoop
from .bindings import ScalarBinding, ScalarPlace
from .categories import NAMES
from .dispatch import run
from .failure import unsupported
from .folding import convert, number
from .jumps import jumps
from .syntax import Node, strip
from .translation import Translation

_LABELS = ("CASE_STMT", "DEFAULT_STMT")


@dataclass(frozen=True)
class Device:
    """The parts of the device: `statements` is one of its equal parts."""

    parts: int
    statements: tuple[Node, ...]
    counter: Node
    """The variable that counts the rounds down."""


def emit_duff(t: Translation, node: Node, value: Expr) -> bool:
    """Emits the loop that a `switch` of `value` is; False where it isn't Duff's device."""
    device = _device(node)
    if device is None:
        return False
    binding = t.environment.get(device.counter.key)
    if not isinstance(binding, ScalarBinding) or not isinstance(binding.place, ScalarPlace):
        return False
    place = binding.place
    if not place.type.is_int or not value.type.is_integer:
        return False
    counter: Expr = Variable(place.name, place.type)
    parts = Const(I64, device.parts)
    iterations = Max(convert(counter, I64), Const(I64, 1))
    start = convert(value, I64)
    left = Select(EQ(start, Const(I64, 0)), parts, start)
    with t.block() as out:
        total = t.capture(Add(left, Mul(Sub(iterations, Const(I64, 1)), parts)), "left")
        with t.block() as inner:
            before = dict(t.environment)
            run(t, device.statements)
            if any(t.environment.get(key) != bound for key, bound in before.items()):
                raise unsupported(
                    "pointer-base", node.span, "a pointer is set to another array in a switch"
                )
        step = Assign(t.span, total.name, Sub(total, Const(I64, 1)))
        t.emit(WhileLoop(t.span, LT(Const(I64, 0), total), tuple(inner), (step,)))
        one, none = number(1, place.type), number(0, place.type)
        t.assign(place.name, Select(LT(one, counter), none, Sub(counter, one)))
    inside = And(GE(start, Const(I64, 0)), LT(start, parts))
    t.emit(If(t.span, inside, tuple(out)))
    return True


def _device(node: Node) -> Device | None:
    body = node.children[-1]
    items = body.children if body.kind == "COMPOUND_STMT" else (body,)
    if len(items) != 1 or items[0].kind not in _LABELS:
        return None
    labels, inner = _labelled(items[0])
    if inner.kind != "DO_STMT" or inner.children[0].kind != "COMPOUND_STMT":
        return None
    groups: list[tuple[list[int | None], list[Node]]] = [(labels, [])]
    for child in inner.children[0].children:
        if child.kind in _LABELS:
            found, statement = _labelled(child)
            groups.append((found, [statement]))
        else:
            groups[-1][1].append(child)
    count = len(groups)
    shapes = {_part(statements) for _, statements in groups}
    expected = [[0], *([count - i] for i in range(1, count))]
    counter = _counted(inner.children[1])
    plain = not any(jumps(s) for _, statements in groups for s in statements)
    if len(shapes) != 1 or [g[0] for g in groups] != expected or counter is None or not plain:
        return None
    return Device(count, tuple(groups[0][1]), counter)


def _labelled(node: Node) -> tuple[list[int | None], Node]:
    """The labels of a statement (None: default) and the statement."""
    labels: list[int | None] = []
    while node.kind in _LABELS:
        is_one = node.kind == "CASE_STMT" and len(node.children) == 2  # no range of cases
        value = node.children[0].evaluate() if is_one else None
        labels.append(None if value is None else int(value))
        node = node.children[-1]
    return labels, node


def _part(statements: Sequence[Node]) -> Hashable:
    own: dict[tuple[int, int], int] = {}
    return tuple(_shape(s, own) for s in statements if s.kind != "NULL_STMT")


def _shape(node: Node, own: dict[tuple[int, int], int]) -> Hashable:
    """What the node says, so that nodes that say the same are equal.

    Not its tokens: inside of a macro, parts that differ are the same call of the macro. `own` has
    the numbers of the part's own variables.
    """
    kind = node.kind
    if kind in ("PAREN_EXPR", "UNEXPOSED_EXPR") and len(node.children) == 1:
        inner = _shape(node.children[0], own)
        return inner if kind == "PAREN_EXPR" else (str(node.type.spelling), inner)
    name: Hashable = None
    if kind.endswith("_DECL"):
        name = own.setdefault(node.key, len(own))
    elif kind in NAMES and node.declaration is not None:
        name = own.get(node.key, node.key)
    elif kind in ("UNARY_OPERATOR", "BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
        name = node.operator
    elif kind.endswith("_REF") or kind == "CXX_THIS_EXPR":
        name = node.spelling
    elif not node.children and not kind.endswith("_STMT"):
        value = node.evaluate()
        name = object() if value is None else repr(value)
    return (
        kind,
        name,
        str(node.type.spelling),
        tuple(_shape(child, own) for child in node.children if child.kind != "NULL_STMT"),
    )


def _counted(test: Node) -> Node | None:
    """k of `--k > 0`, `--k` and `--k != 0`."""
    test = strip(test)
    if test.kind == "BINARY_OPERATOR" and test.operator in (">", "!="):
        left, right = test.children
        if strip(right).evaluate() != 0:
            return None
        test = strip(left)
    while test.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR") and len(test.children) == 1:
        test = test.children[0]
    if test.kind != "UNARY_OPERATOR" or test.operator != "--p":
        return None
    target = strip(test.children[0])
    return target if target.kind == "DECL_REF_EXPR" else None
