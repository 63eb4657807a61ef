"""Names of variables and constants, members, and `this`."""

from __future__ import annotations

from compiler.ir import Expr

from ..model.diagnostic import LiftError
from .bindings import (
    ArrayBinding,
    Binding,
    ConstantBinding,
    ConstantPlace,
    ElementObject,
    Object,
    ObjectAddress,
    ObjectBinding,
    Place,
    Pointer,
    PointerBinding,
    PointersBinding,
    PointerValue,
    ScalarBinding,
    UnknownBinding,
    VectorBinding,
)
from .bound import binding_key, bound_pointer, is_static, member_of, this_object
from .dispatch import OBJECT, PLACE, POINTER, VALUE, place_of, pointer_of, value_of
from .failure import unsupported
from .file_scope import global_object, refuse_global, table_of
from .folding import convert, number
from .syntax import Node
from .translation import Translation
from .types import number_type
from .views import element_at, read


@VALUE.of("DECL_REF_EXPR")
def named_value(t: Translation, node: Node) -> Expr:
    if node.declaration is None:
        # The argument of a template, put in the place of its parameter.
        return convert(value_of(t, node.children[-1]), number_type(node))
    binding = t.environment.get(node.key)
    if isinstance(binding, ConstantBinding):
        return convert(binding.value, number_type(node))
    if binding is None:
        declaration = node.declaration
        constant = None
        if declaration is not None:
            kind = declaration.kind.name
            if kind == "ENUM_CONSTANT_DECL" or declaration.type.is_const_qualified():
                constant = node.evaluate()
                if constant is None and kind == "ENUM_CONSTANT_DECL":
                    constant = declaration.enum_value
        if constant is not None:
            return number(constant, number_type(node))
    return read(place_of(t, node), number_type(node))


@POINTER.of("DECL_REF_EXPR")
def named_pointer(t: Translation, node: Node) -> PointerValue:
    if node.declaration is None:
        # The argument of a template, put in the place of its parameter.
        return pointer_of(t, node.children[-1])
    binding = t.environment.get(binding_key(t, node))
    if isinstance(binding, PointerBinding):
        return bound_pointer(binding, node)
    if isinstance(binding, (ArrayBinding, VectorBinding)):
        return binding.pointer
    if isinstance(binding, UnknownBinding):
        raise LiftError(binding.why)
    if isinstance(binding, PointersBinding):
        text = f"the pointers in `{node.spelling}` are known by constant indices alone"
        raise unsupported("unsupported-expression", node.span, text)
    table = table_of(t, node)
    if table is not None:
        return table
    raise unsupported("unsupported-type", node.span, f"`{node.spelling}` isn't understood here")


@PLACE.of("DECL_REF_EXPR")
def named_place(t: Translation, node: Node) -> Place:
    binding = t.environment.get(node.key)
    if isinstance(binding, ScalarBinding):
        return binding.place
    if isinstance(binding, ConstantBinding):
        return ConstantPlace(binding.value)
    if isinstance(binding, UnknownBinding):
        raise LiftError(binding.why)
    refuse_global(node)


@OBJECT.of("DECL_REF_EXPR")
def named_object(t: Translation, node: Node, lasting: bool) -> Object:
    binding = t.environment.get(node.key)
    if isinstance(binding, (ObjectBinding, ElementObject)):
        return binding
    if binding is None:
        return global_object(t, node)
    raise unsupported("unsupported-type", node.span, f"`{node.spelling}` isn't understood here")


@PLACE.of("MEMBER_REF_EXPR")
def member_place(t: Translation, node: Node) -> Place:
    return _place_of_member(t, member_of(t, node), node)


def _place_of_member(t: Translation, found: Binding | Pointer, node: Node) -> Place:
    if isinstance(found, ScalarBinding):
        return found.place
    if isinstance(found, Pointer):
        return element_at(t, found, node)
    raise unsupported("unsupported-expression", node.span, "this lvalue isn't understood")


@VALUE.of("MEMBER_REF_EXPR")
def member_value(t: Translation, node: Node) -> Expr:
    if is_static(node):
        constant = node.evaluate()
        if constant is None:
            refuse_global(node)
        return number(constant, number_type(node))
    found = member_of(t, node, lasting=False)
    if isinstance(found, ConstantBinding):
        return convert(found.value, number_type(node))
    return read(_place_of_member(t, found, node), number_type(node))


@POINTER.of("MEMBER_REF_EXPR")
def member_pointer(t: Translation, node: Node) -> PointerValue:
    if is_static(node):
        table = table_of(t, node)
        assert table is not None
        return table
    found = member_of(t, node)
    if isinstance(found, PointerBinding):
        return bound_pointer(found, node)
    if isinstance(found, (ArrayBinding, VectorBinding)):
        return found.pointer
    if isinstance(found, Pointer):
        return found
    raise unsupported("unsupported-type", node.span, f"`{node.spelling}` isn't understood here")


@OBJECT.of("MEMBER_REF_EXPR")
def member_object(t: Translation, node: Node, lasting: bool) -> Object:
    found = member_of(t, node, lasting)
    if isinstance(found, Pointer):
        return ElementObject(found, node.type)
    if isinstance(found, (ObjectBinding, ElementObject)):
        return found
    raise unsupported("unsupported-expression", node.span, "this object isn't understood")


@POINTER.of("CXX_THIS_EXPR")
def this_pointer(t: Translation, node: Node) -> PointerValue:
    found = this_object(t, node)
    return ObjectAddress(found) if isinstance(found, ObjectBinding) else found.pointer
