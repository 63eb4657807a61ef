"""Loops over lanes, iteration by iteration: `for (int i = 0; i < 16; i++) v[i] = x;`

Lanes have no address: which one an expression names is known where its number is.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir import Const, Expr

from .bindings import ConstantBinding, ScalarBinding
from .dispatch import run, value_of
from .failure import unsupported
from .folding import convert, number
from .jumps import jumps
from .loop_parts import loop_parts
from .syntax import STEPS, Node, strip
from .translation import Translation
from .types import scalar_type
from .vector_arrays import is_array_of_lanes
from .vector_values import is_lane
from .views import write

_MOST_LANES = 128


def is_over_lanes(node: Node) -> bool:
    """Whether a loop's body names lanes of vectors by a number that isn't a constant."""
    if node.kind != "FOR_STMT":
        return False
    named = [n for n in node.children[-1].walk() if n.kind == "ARRAY_SUBSCRIPT_EXPR"]
    named = [n for n in named if is_lane(n) or is_array_of_lanes(strip(n.children[0]).type)]
    used = {m.key for n in named for m in n.children[1].walk() if m.kind == "DECL_REF_EXPR"}
    return any(counter is not None and counter[0].key in used for counter in _counters(node))


def run_over_lanes(t: Translation, node: Node) -> None:
    """Translates each iteration of such a loop by itself."""
    start, test, step, body = loop_parts(node)
    counter = None if start is None else _counter(start)
    if counter is None or test is None or step is None or jumps(body):
        raise _unknown(node)
    named, begin = counter
    type = scalar_type(named.type)
    if type is None:
        raise _unknown(node)
    by, others = _steps_of(step, named)
    outer = t.environment.get(named.key)
    value: Expr = convert(value_of(t, begin), type)
    for _ in range(_MOST_LANES + 1):
        if not isinstance(value, Const):
            break
        t.environment[named.key] = ConstantBinding(value)
        holds = value_of(t, test)
        if not isinstance(holds, Const):
            break
        if not holds.value:
            if isinstance(outer, ScalarBinding):
                t.environment[named.key] = outer
                write(t, outer.place, value)
            return
        run(t, (body, *others))
        value = number(value.value + by, type)
    raise _unknown(node)


def _counters(node: Node) -> Iterator[tuple[Node, Node] | None]:
    """The counter of a loop, among the parts in front of its body."""
    yield from (_counter(part) for part in node.children[:-1])


def _counter(start: Node) -> tuple[Node, Node] | None:
    """The variable that a loop begins with giving a value, and that."""
    if start.kind == "DECL_STMT" and len(start.children) == 1:
        (declared,) = start.children
        return None if declared.initializer is None else (declared, declared.initializer)
    if start.kind == "BINARY_OPERATOR" and start.operator == "=":
        left, right = start.children
        return (left, right) if left.kind == "DECL_REF_EXPR" else None
    return None


def _steps_of(step: Node, counter: Node) -> tuple[int, tuple[Node, ...]]:
    """What an iteration adds to the counter, and what else its step does: `i++, p += n`."""
    if step.kind == "BINARY_OPERATOR" and step.operator == ",":
        left, right = step.children
        one, other = (left, right) if _names(left, counter) else (right, left)
        if _names(other, counter):
            raise _unknown(step)
        by, others = _steps_of(one, counter)
        return by, (other, *others) if one is right else (*others, other)
    return _step_of(step, counter), ()


def _names(node: Node, counter: Node) -> bool:
    return any(n.kind == "DECL_REF_EXPR" and n.key == counter.key for n in node.walk())


def _step_of(step: Node, counter: Node) -> int:
    """What an iteration adds to the counter."""
    is_its_own = bool(step.children) and step.children[0].key == counter.key
    if is_its_own and step.kind == "UNARY_OPERATOR" and step.operator in STEPS:
        return 1 if "++" in step.operator else -1
    if is_its_own and step.kind == "COMPOUND_ASSIGNMENT_OPERATOR":
        by = step.children[1].evaluate()
        if isinstance(by, int) and step.operator in ("+=", "-="):
            return by if step.operator == "+=" else -by
    raise _unknown(step)


def _unknown(node: Node) -> Exception:
    return unsupported(
        "unsupported-expression", node.span, "which lanes this loop goes over isn't known",
        "count from a constant to a constant",
    )  # fmt: skip
