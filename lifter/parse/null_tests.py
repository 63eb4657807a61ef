"""Tests of pointers for null: decided, and remembered as what every lifted call must meet.

A pointer that leads into an array isn't null, so `if (!mask)` has one branch left. That is the
function as it is *where the mask isn't null*, which becomes a precondition (`Kernel.not_null`): the
guarded entry calls the original with any other mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from compiler.ir import COMPARISON_OF

from ..model.kernel import NotNull, Param, SourceParam, Store, WhileLoop
from .bindings import ObjectAddress, Pointer, PointerValue
from .failure import finding, unsupported
from .syntax import Node, strip
from .translation import Translation
from .types import is_pointer

PARAMETER_OBJECTS = -9
"""The first number of the keys of objects that parameters lead to."""


def note_not_null(t: Translation, value: PointerValue, node: Node) -> None:
    """Notes that a test for null is decided: in the calls that are lifted it finds none.

    Raises `LiftError` (`pointer-base`) for a row of a row table: any of them may be null.
    """
    name = ""
    if isinstance(value, Pointer):
        if value.row is not None:
            raise unsupported(
                "pointer-base",
                node.span,
                f"a row of `{value.array}` is tested for null",
                "test the rows before the loops, or give a table that has them all",
            )
        if value.array in t.known.bases.values():
            text = f"a pointer that may lead into `{value.array}` is tested for null"
            raise unsupported("pointer-base", node.span, text)
        array = t.declared.arrays[value.array]
        if array.origin == "local":
            text = f"the memory for `{value.array}` is taken to be there: no allocation fails"
            t.declared.warnings.append(finding("assumed", "note", node.span, text))
        elif array.origin == "param":
            name = value.array
    elif isinstance(value, ObjectAddress) and value.target.key[0] == PARAMETER_OBJECTS:
        name = value.target.name
    if name and (name not in t.not_null or t.asserting):
        origin: Literal["assert", "inferred"] = "assert" if t.asserting else "inferred"
        leaves = t.leaving and not any(isinstance(s, (WhileLoop, Store)) for s in t.out)
        t.not_null[name] = NotNull(name, node.span, origin, leaves)


def leaves_for_null(condition: Node, branches: Sequence[Node]) -> bool:
    """Whether an `if` without `else` only returns, as soon as one of the tests in its condition
    finds null: `if (!d || s == nullptr || n <= 0) return -1;`."""
    if len(branches) != 1:
        return False
    (then,) = branches
    inner = then.children if then.kind == "COMPOUND_STMT" else (then,)
    if len(inner) != 1 or inner[0].kind != "RETURN_STMT":
        return False
    if any(n.kind in ("CALL_EXPR", "COMPOUND_ASSIGNMENT_OPERATOR") for n in then.walk()):
        return False
    return all(map(_finds_null, _parts(condition, "||")))


def works_without_null(condition: Node, branches: Sequence[Node]) -> bool:
    """Whether an `if` without `else` does nothing where a test in its condition finds null:
    `if (n > 0 && mask) { ... }`."""
    return len(branches) == 1 and all(map(_finds_a_pointer, _parts(condition, "&&")))


def _finds_a_pointer(test: Node) -> bool:
    """Whether a test that a null pointer may take part in fails for null."""
    if is_pointer(test.type):
        return True
    if test.kind != "BINARY_OPERATOR":
        return False
    compared = any(is_pointer(n.type) for n in map(strip, test.children))
    return test.operator == "!=" if compared else test.operator in COMPARISON_OF


def _parts(condition: Node, operator: str) -> Iterable[Node]:
    inner = strip(condition)
    if inner.kind == "BINARY_OPERATOR" and inner.operator == operator:
        for part in inner.children:
            yield from _parts(part, operator)
    else:
        yield inner


def _finds_null(test: Node) -> bool:
    """Whether a test that a null pointer may take part in holds for null."""
    if test.kind == "UNARY_OPERATOR" and test.operator == "!":
        return not any(n.kind == "BINARY_OPERATOR" for n in test.walk())
    if test.kind != "BINARY_OPERATOR":
        return False
    compared = any(is_pointer(n.type) for n in map(strip, test.children))
    return test.operator == "==" if compared else test.operator in COMPARISON_OF


def all_must_hold(condition: Node) -> bool:
    """Whether an asserted condition is a plain conjunction: then it states each pointer in it."""
    for node in condition.walk():
        if node.kind == "CONDITIONAL_OPERATOR":
            return False
        if node.kind == "UNARY_OPERATOR" and node.operator == "!":
            return False
        if node.kind == "BINARY_OPERATOR" and node.operator in ("||", "=="):
            return False
    return True


def of_parameters(
    found: Iterable[NotNull], params: Sequence[Param], sources: Sequence[SourceParam]
) -> tuple[NotNull, ...]:
    """Those that a caller can give as null: no references, no arrays inside of objects."""
    possible = {p.name for p in params if "&" not in p.spelling or p.kind == "vector"}
    for source in sources:
        if source.passing == "pointer":
            possible.add(source.name)
        for part in source.fields:
            if not part.param:
                possible.add(f"{source.name}.{part.path}".replace("->", "."))
            elif part.count > 0:
                possible.discard(part.param)
    return tuple(n for n in found if n.name in possible)
