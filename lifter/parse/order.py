"""Side effects and their order: what C++ leaves open is refused where it matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import permutations
from typing import TypeVar

from compiler.ir import Expr

from ..model.kernel import Stmt
from .bindings import (
    Address,
    Binding,
    ChosenPlace,
    Key,
    LambdaBinding,
    ObjectAddress,
    ObjectBinding,
    Place,
    PointerBinding,
    ScalarBinding,
    ScalarPlace,
)
from .bound import binding_key, named_key
from .categories import NAMES
from .dispatch import value_of
from .effects import parts_read, parts_read_in, parts_written
from .failure import unsupported
from .syntax import Node, strip
from .translation import FullExpression, Translation
from .types import is_pointer

Value = TypeVar("Value")


def check_alone(t: Translation, element: Node, step: Node) -> None:
    """Raises `unsequenced` where the expression that steps an element of an array of pointers,
    `*p[0]++`, may use that element elsewhere."""
    array, position = strip(element.children[0]), element.children[1].evaluate()

    def is_used_by(node: Node) -> bool:
        if node.kind != "ARRAY_SUBSCRIPT_EXPR":
            return False
        other = strip(node.children[0])
        is_same = other.kind == array.kind and other.declaration and other.key == array.key
        return bool(is_same) and node.children[1].evaluate() in (position, None)

    scope = t.region
    while scope is not None:
        if sum(is_used_by(n) for n in scope.root.walk()) > 1:
            raise unsequenced(step)
        scope = scope.parent


def may_delay(t: Translation, step: Node, key: Key, name: str) -> bool:
    """Whether the change that `step` makes to a variable may wait for the region's end: that of
    the scalar `name`, which the source calls by the name with the key `key`.

    Raises `unsequenced` where the same expression uses the variable elsewhere, so that the
    order matters and C++ leaves it open (or only C++17 fixes it).
    """
    region = t.region
    assert region is not None
    uses = _count_uses(t, region.root, key, name)
    scope: FullExpression | None = region
    total = uses
    while scope is not None and scope.parent is not None:
        total += sum(_count_uses(t, node, key, name) for node in scope.apart)
        scope = scope.parent
    outer = scope is not None and scope is not region
    if scope is not None and outer and _count_uses(t, scope.root, key, name) != total:
        raise unsequenced(step)
    if uses == 1:
        return region.delays
    root = region.root
    if root.kind == "BINARY_OPERATOR" and root.operator == "=":
        target = root.children[0]
        inside = any(n.cursor == step.cursor for n in target.walk())
        if inside and _count_uses(t, target, key, name) == 1:
            return region.delays
    raise unsequenced(step)


def unsequenced(node: Node) -> Exception:
    return unsupported(
        "unsequenced",
        node.span,
        "a side effect and another use of the same variable stand in one expression",
        "split the expression into statements in the order that you mean",
    )


def _count_uses(t: Translation, root: Node, key: Key, name: str) -> int:
    """How often an expression uses a variable, by this name or by another."""
    # Of an object whose field is named, no other field is used.
    owners = {id(o) for node in root.walk() if (o := _owner_of(node)) is not None}
    found = 0
    for node in root.walk():
        if node.kind in NAMES and node.declaration is not None:
            reached = id(node) not in owners and reaches(t, _bound(t, node), name)
            found += named_key(t, node) == key or reached
    return found


def _bound(t: Translation, node: Node) -> Binding | None:
    """What a name or a member is bound to."""
    # A pointer that is moved leads into an array, whose elements' members aren't bound; and to look
    # for them would be to move it.
    if any(n.kind == "UNARY_OPERATOR" and is_pointer(n.type) and n.is_step for n in node.walk()):
        return None
    return t.environment.get(binding_key(t, node))


def reaches(t: Translation, binding: Binding | None, name: str) -> bool:
    """Whether what is bound may read or change the scalar `name` of the kernel."""
    if isinstance(binding, ScalarBinding):
        return _is_in(binding.place, name)
    if isinstance(binding, PointerBinding):
        if isinstance(binding.value, Address):
            return _is_in(binding.value.place, name)
        if isinstance(binding.value, ObjectAddress):
            return reaches(t, binding.value.target, name)
        return False
    if isinstance(binding, LambdaBinding):
        if isinstance(binding.receiver, ObjectBinding) and reaches(t, binding.receiver, name):
            return True
        used = (t.environment.get(key) for key in binding.used)
        return any(b is not binding and reaches(t, b, name) for b in used)
    if isinstance(binding, ObjectBinding):
        fields = [k for (owner, _), k in t.field_keys.items() if owner == binding.key]
        return any(reaches(t, t.environment.get(k), name) for k in fields)
    return False


def in_any_order(
    t: Translation,
    works: Sequence[Callable[[], Value]],
    read: Callable[[Value], Iterable[Expr]],
    whole: Node,
) -> list[Value]:
    """What the `works` give, done in turn where C++ leaves the order open.

    `read` gives the expressions of a result. Raises `unsequenced` where one of them, or what it
    emitted, uses what another changes.
    """
    results: list[Value] = []
    emitted: list[list[Stmt]] = []
    for work in works:
        since = len(t.out)
        results.append(work())
        emitted.append(t.out[since:])
    changes = [parts_written(stmts) for stmts in emitted]
    if any(changes):
        uses = [
            parts_read(*read(result)) | parts_read_in(stmts)
            for result, stmts in zip(results, emitted, strict=True)
        ]
        for one, other in permutations(range(len(works)), 2):
            if changes[one] & (uses[other] | changes[other]):
                raise unsequenced(whole)
    return results


def check_order(t: Translation, earlier: Sequence[Expr], since: int, node: Node) -> None:
    """Checks that statements hoisted since `since` don't change what `earlier` values read."""
    if len(t.out) > since and parts_read(*earlier) & parts_written(t.out[since:]):
        raise unsequenced(node)


def values_of(t: Translation, nodes: Sequence[Node], whole: Node) -> list[Expr]:
    """The values of operands whose order C++ leaves open; refuses where it matters."""
    works = [partial(value_of, t, node) for node in nodes]
    return in_any_order(t, works, lambda value: (value,), whole)


def _owner_of(node: Node) -> Node | None:
    """The name of the object, or of the pointer to it, whose field is named."""
    named = node.kind == "MEMBER_REF_EXPR" and node.declaration is not None
    if not named or node.declaration.kind.name != "FIELD_DECL" or not node.children:
        return None
    return strip(node.children[-1])


def _is_in(place: Place, name: str) -> bool:
    if isinstance(place, ChosenPlace):
        return _is_in(place.a, name) or _is_in(place.b, name)
    return isinstance(place, ScalarPlace) and place.name == name
