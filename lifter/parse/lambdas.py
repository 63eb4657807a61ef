"""Lambdas: what they keep, and what they are."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.ir import Const

from .bindings import (
    ArrayBinding,
    Binding,
    ConstantBinding,
    Key,
    LambdaBinding,
    ObjectBinding,
    Pointer,
    PointerBinding,
    ScalarBinding,
    ScalarPlace,
)
from .categories import unwrapped
from .failure import unsupported
from .objects import copy_object, new_copy
from .records import is_lambda, refuse_own_copy
from .syntax import Node, strip
from .translation import Translation
from .views import read


def lambda_of(t: Translation, node: Node) -> LambdaBinding:
    """The lambda that an expression is, or names."""
    inner = unwrapped(strip(node))
    while inner.kind == "CALL_EXPR" and inner.children and is_lambda(inner.type):
        inner = unwrapped(inner.children[-1])  # a copy of a lambda
    if inner.kind == "DECL_REF_EXPR":
        binding = t.environment.get(inner.key)
        if isinstance(binding, LambdaBinding):
            return binding
    if inner.kind == "MEMBER_REF_EXPR" or inner.kind != "LAMBDA_EXPR":
        raise unsupported("lambda", node.span, "it isn't known which lambda this is")
    receiver = t.receivers[-1] if t.receivers else None
    used = tuple(n.key for n in inner.walk() if n.kind == "DECL_REF_EXPR" and n.declaration)
    place = inner.cursor.extent.start.offset
    return LambdaBinding(place, _copies(t, inner), receiver, used)


def _copies(t: Translation, node: Node) -> tuple[tuple[Key, Binding], ...]:
    """The variables that a lambda keeps by value, as they are now."""
    found: dict[Key, Binding] = {}
    for used in kept_by_value(node):
        binding = t.environment.get(used.key)
        if binding is not None and used.key not in found:
            found[used.key] = _copied(t, binding, used.spelling, used)
    return tuple(found.items())


def kept_by_value(node: Node) -> Iterator[Node]:
    """The names in a lambda's body that may be those of variables that it keeps by value.

    Raises `lambda` for captures that aren't plain.
    """
    captures = _captures(node)
    every = "=" in captures
    for used in node.walk():
        if used.kind != "DECL_REF_EXPR" or used.declaration is None:
            continue
        name = used.spelling
        if f"&{name}" not in captures and (every or name in captures):
            yield used


def _copied(t: Translation, binding: Binding, name: str, node: Node) -> Binding:
    if isinstance(binding, ScalarBinding):
        place = binding.place
        value = read(place, place.type)
        if isinstance(place, ScalarPlace) and place.name in t.fixed:
            return binding
        return ConstantBinding(t.capture(value, name))
    if isinstance(binding, PointerBinding) and isinstance(binding.value, Pointer):
        pointer = binding.value
        if all(isinstance(part, Const) for part in pointer.parts):
            return binding
        kept = pointer.rebuilt(lambda part: t.capture(part, name))
        return PointerBinding(name, kept)
    if isinstance(binding, (ConstantBinding, PointerBinding, LambdaBinding)):
        return binding
    if isinstance(binding, ObjectBinding):
        refuse_own_copy(binding.type, node)
        copy = new_copy(t, (-3, node.cursor.hash), name, binding.type, node)
        copy_object(t, copy, binding, node)
        return copy
    if isinstance(binding, ArrayBinding) and (
        t.declared.arrays[binding.pointer.array].origin == "table"
    ):
        return binding
    raise unsupported(
        "lambda", node.span, f"`{name}` is captured by value", "capture it by reference"
    )


def _captures(node: Node) -> list[str]:
    """What stands between the brackets of a lambda, taken apart at its commas.

    Raises `lambda` for what isn't plain: captures with initializers, or out of a macro.
    """
    first, *rest = (token.spelling for token in node.cursor.get_tokens())
    captures = "".join(rest[: rest.index("]")]).split(",") if "]" in rest else [""]
    named = {c.spelling for c in node.children if c.kind == "VARIABLE_REF"}
    plain = {"", "&", "=", "this", *named, *(f"&{name}" for name in named)}
    if first != "[" or not plain.issuperset(captures):
        raise unsupported(
            "lambda", node.span, "a capture with an initializer", "capture a variable"
        )
    return captures
