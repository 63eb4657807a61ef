"""Tests of pointers for null: a boolean that the entry computes, or decided.

What `mask ? mask[i] : 255` makes of a parameter is a choice by `mask.given`, a scalar of the kernel
like the size of a vector: both branches are lifted. Where the source says that there is no null
(`assert(mask)`), or does nothing then but to return, the test is decided: that is the function as
it is *where the mask isn't null*, which becomes a precondition (`Kernel.not_null`), and the guarded
entry calls the original with any other mask.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Literal

from compiler.ir import COMPARISON_OF, FALSE, TRUE, And, Expr, Variable, substitute

from ..model.kernel import Assign, Kernel, NotNull, Param, SourceParam, Store, WhileLoop
from ..model.parameters import given_of
from .bindings import FunctionChoice, Null, ObjectAddress, Pointer, PointerValue
from .failure import finding, unsupported
from .folding import fold
from .syntax import Node, strip
from .translation import StartAgain, Translation
from .types import is_pointer

PARAMETER_OBJECTS = -9
"""The first number of the keys of objects that parameters lead to."""


def is_not_null(t: Translation, value: PointerValue, node: Node) -> Expr:
    """Whether a pointer isn't null, as a condition.

    Raises `LiftError` (`pointer-base`) for a row of a row table: any of them may be null.
    """
    if isinstance(value, Null):
        return FALSE
    if isinstance(value, FunctionChoice):
        assume_known(t, value)
        return TRUE
    if isinstance(value, Pointer) and value.given is not None:
        leads = _leads(t, value, node)
        return value.given if leads in (TRUE, value.given) else And(value.given, leads)
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
    if not name:
        return TRUE
    leaves = t.leaving and not any(isinstance(s, (WhileLoop, Store)) for s in t.out)
    if name in t.led:
        raise StartAgain(replace(t.known, tested=t.known.tested | {name}))
    decided = t.asserting or name in t.not_null or (leaves and name not in t.given)
    if not decided and _may_be_null(t, name):
        return _given(t, name)
    if name not in t.not_null or t.asserting:
        origin: Literal["assert", "inferred"] = "assert" if t.asserting else "inferred"
        t.not_null[name] = NotNull(name, node.span, origin, leaves)
    return TRUE


def assume_known(t: Translation, choice: FunctionChoice) -> None:
    """A precondition: that a pointer leads to one of the functions that it may lead to."""
    names = ", ".join(function.definition.name for function in choice.functions)
    pointer = choice.which.name.removesuffix(".which")
    t.multiples[choice.known] = f"{pointer} is one of {names}"


def _leads(t: Translation, value: Pointer, node: Node) -> Expr:
    """Whether what a pointer is made of isn't null, where the source says itself when the pointer
    is: `y > 0 ? row - pitch : nullptr`.

    An array that the function doesn't test by itself is there: from null no pointer is made. But
    what `mask` is in `use ? mask : nullptr` may be null as well.
    """
    name = value.array
    if name in t.led:
        return TRUE
    array = t.declared.arrays[name]
    asked = name in (*t.given, *t.not_null, *t.chosen, *t.known.tested)
    if array.origin != "param" or asked:
        return is_not_null(t, replace(value, given=None), node)
    t.led.add(name)
    t.not_null[name] = NotNull(name, node.span, leaves=True)
    return TRUE


def _may_be_null(t: Translation, name: str) -> bool:
    """Whether a caller can give null for the array `name`."""
    array = t.declared.arrays.get(name)
    if array is None or given_of(name).name in t.parts:
        return False
    for source in t.sources:
        if source.name == name:
            return "&" not in source.spelling
        if any(field.param == name and field.count for field in source.fields):
            return False
    return True


def _given(t: Translation, name: str) -> Variable:
    found = given_of(name)
    t.given.add(name)
    t.declared.names.add(found.name)
    t.fixed.add(found.name)
    return found


def not_null(name: str) -> str:
    """The precondition of a pointer that is tested, as it is shown and stated."""
    return f"{name} isn't null"


def where_given(kernel: Kernel, names: Collection[str]) -> Kernel:
    """The kernel with the tests of these pointers decided: of them null isn't lifted."""
    decided = [p for p in kernel.params if p.may_be_null and p.name in names]
    given: dict[Expr, Expr] = {given_of(p.name): TRUE for p in decided}
    known = (
        replace(a, condition=fold(substitute(a.condition, given))) for a in kernel.preconditions
    )
    return replace(
        kernel,
        params=tuple(replace(p, may_be_null=False) if p in decided else p for p in kernel.params),
        preconditions=tuple(a for a in known if a.condition is not TRUE),
        not_null=(*kernel.not_null, *(NotNull(p.name, p.span) for p in decided)),
        body=(*(Assign(p.span, given_of(p.name).name, TRUE) for p in decided), *kernel.body),
    )


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
