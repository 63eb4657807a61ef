"""Structures and classes: their fields, and which copies and constructors are C++'s own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..model.diagnostic import LiftError
from .bindings import Key
from .categories import unwrapped
from .failure import unsupported
from .library_function import library_function
from .naming import template_of
from .syntax import Node, key_of, span_of
from .types import is_record, library_class

RECORD_KINDS = frozenset({"STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
OWNERS = ("unique_ptr", "lift_owned")
"""What owns memory, and the part of it that says where that is."""


@dataclass(frozen=True, slots=True)
class Field:
    """A data member; `type` is canonical."""

    name: str
    key: tuple[int, int]
    node: Node = field(compare=False)
    type: Any = field(compare=False)


def declaration_of(type: Any) -> Any:
    """The cursor of a class type's definition."""
    found = type.get_canonical().get_declaration()
    return found.get_definition() or found


def is_lambda(type: Any) -> bool:
    return is_record(type) and "(lambda at " in type.spelling


def members_of(type: Any) -> tuple[tuple[Any, ...], bool]:
    """What a class declares, and whether it does so as a template: of an implicit instance libclang
    shows the fields alone, so its members are those of the template, with its parameters in them.
    """
    declared = declaration_of(type)
    members = tuple(declared.get_children())
    template = None if members else template_of(declared)
    if template is None:
        return members, False
    return tuple(template.get_children()), True


def bases_of(type: Any) -> tuple[Any, ...]:
    """The types of the direct bases, in order.

    Raises `unsupported-type` for an instance of a template with a base that is an instance too,
    which can't be seen, unless that has nothing in it that matters: no fields, constructors,
    destructors, assignments or virtual methods.
    """
    members, is_template = members_of(type)
    specifiers = [m for m in members if m.kind.name == "CXX_BASE_SPECIFIER"]
    if not is_template:
        return tuple(s.type.get_canonical() for s in specifiers)
    found = (_base_of_instance(type, members, s) for s in specifiers)
    return tuple(base for base in found if base is not None)


def _base_of_instance(type: Any, members: tuple[Any, ...], specifier: Any) -> Any:
    """The type that a base of a template stands for in an instance; None for one that is empty."""
    own = specifier.type.get_canonical()
    if is_record(own):
        return own
    names = [c.referenced for c in specifier.get_children() if c.referenced is not None]
    parameters = [m for m in members if m.kind.name.startswith("TEMPLATE_")]
    if len(names) == 1 and names[0] in parameters:
        found = type.get_canonical().get_template_argument_type(parameters.index(names[0]))
        if is_record(found.get_canonical()):
            return found.get_canonical()
    template = next((n for n in names if n.kind.name == "CLASS_TEMPLATE"), None)
    if template is not None and _is_empty(template):
        return None
    raise unsupported(
        "unsupported-type",
        span_of(specifier),
        f"`{type.spelling}` is an instance of a template whose base isn't seen",
        "keep what the base has as a member",
    )


def _is_empty(template: Any) -> bool:
    """Whether objects of a class template's instances hold nothing and do nothing by themselves."""
    for member in template.get_children():
        kind = member.kind.name
        if kind in ("FIELD_DECL", "CONSTRUCTOR", "DESTRUCTOR", "CXX_BASE_SPECIFIER"):
            return False
        if kind == "CXX_METHOD" and (member.is_virtual_method() or member.spelling == "operator="):
            return False
    return True


def own_fields(type: Any) -> tuple[Field, ...]:
    """The fields that the class itself declares, in order."""
    return tuple(
        Field(str(c.spelling), key_of(c), Node(c), c.type.get_canonical())
        for c in type.get_canonical().get_fields()
    )


def fields_of(type: Any) -> tuple[Field, ...]:
    """All fields, those of bases first."""
    inherited = (f for base in bases_of(type) for f in fields_of(base))
    return (*inherited, *own_fields(type))


def check_record(type: Any, node: Node) -> None:
    """Raises `unsupported-type` for a class whose objects can't be taken apart into fields."""
    declaration = declaration_of(type)
    kind = declaration.kind.name
    if kind == "UNION_DECL":
        raise unsupported(
            "unsupported-type",
            node.span,
            f"`{type.spelling}` is a union: which of its members is meant isn't understood",
            "convert between the types by shifts and masks",
        )
    if not declaration.is_definition():
        raise unsupported(
            "unsupported-type", node.span, f"the fields of `{type.spelling}` aren't seen"
        )
    if library_class(type) not in ("", "array", "pair", *OWNERS):
        raise unsupported(
            "unsupported-type", node.span, f"values of type `{type.spelling}` aren't understood"
        )


def is_implicit(member: Any) -> bool:
    """Whether a constructor or an operator is the one that C++ makes by itself."""
    if member.is_default_method():
        return True
    own, parent = member.location, member.semantic_parent.location
    return bool(own.offset == parent.offset and str(own.file) == str(parent.file))


def copied_members(node: Node) -> tuple[Node, Node] | None:
    """The object and the value of `object = value` where C++ itself says that all members are
    copied, and of those of members, too; None for anything else."""
    if node.kind != "CALL_EXPR" or node.spelling != "operator=":
        return None
    operands = [Node(c) for c in node.cursor.get_arguments()]
    if node.declaration is None or len(operands) != 2 or not is_implicit(node.declaration):
        return None
    try:
        refuse_own_copy(operands[0].type, node)
    except LiftError:
        return None
    return operands[0], operands[1]


def refuse_own_copy(type: Any, node: Node) -> None:
    """Raises for a class, or a class inside of it, that says itself what a copy is."""
    members, is_template = members_of(type)
    for child in members:
        kind = child.kind.name
        assigns = kind == "CXX_METHOD" and child.spelling == "operator="
        copies = (kind == "CONSTRUCTOR" and child.is_copy_constructor()) or (
            assigns and (is_template or _takes_own(child, type))
        )
        if copies and not is_implicit(child):
            raise unsupported(
                "unsupported-type",
                node.span,
                f"`{type.spelling}` has a copy operation of its own, in a class that is copied",
                "pass the object by reference",
            )
    for inner in (*(f.type for f in own_fields(type)), *bases_of(type)):
        if is_record(inner) and not library_class(inner):
            refuse_own_copy(inner, node)


def _takes_own(method: Any, type: Any) -> bool:
    parameters = list(method.get_arguments())
    own = declaration_of(type)
    return len(parameters) == 1 and (
        parameters[0].type.get_canonical().get_pointee().get_declaration() == own
        or parameters[0].type.get_canonical().get_declaration() == own
    )


def refuse_destructor(type: Any, node: Node) -> None:
    """Raises for a class whose objects do something at their end but free memory."""
    statements = _ending(type)
    if statements is None or any(_freed_by(type, s) is None for s in statements):
        raise unsupported(
            "unsupported-type",
            node.span,
            f"the destructor of `{type.spelling}` does more than to free memory",
            "do the work in a function of its own",
        )
    for inner in _inner_classes(type):
        refuse_destructor(inner, node)


def freed_members(type: Any) -> frozenset[Key]:
    """The fields of a class, or of one inside of it, that destructors free the memory of."""
    found = (_freed_by(type, statement) for statement in _ending(type) or ())
    own = frozenset(key for keys in found for key in keys or ())
    return own.union(*map(freed_members, _inner_classes(type)))


def _inner_classes(type: Any) -> Iterator[Any]:
    for inner in (*(f.type for f in own_fields(type)), *bases_of(type)):
        if is_record(inner) and not library_class(inner):
            yield inner


def _ending(type: Any) -> list[Node] | None:
    """The statements of a class's own destructor; None where they aren't seen."""
    made: list[Node] = []
    for child in members_of(type)[0]:
        if child.kind.name != "DESTRUCTOR" or child.is_default_method():
            continue
        found = child.get_definition()
        if found is None:
            return None
        made += [s for n in Node(found).children if n.kind == "COMPOUND_STMT" for s in n.children]
    return made


def _freed_by(type: Any, statement: Node) -> frozenset[Key] | None:
    """The fields of a class that a statement of its destructor frees the memory of; None where it
    does anything else."""
    node = unwrapped(statement)
    if node.kind == "NULL_STMT":
        return frozenset()
    if node.kind == "CALL_EXPR":
        function = library_function(node.declaration)
        if function is None or function.meaning != "free":
            return None
        freed = [Node(c) for c in node.cursor.get_arguments()]
    elif node.kind == "CXX_DELETE_EXPR":
        freed = list(node.children)
    else:
        return None
    if len(freed) != 1:
        return None
    field = unwrapped(freed[0])
    if field.kind != "MEMBER_REF_EXPR" or any(c.kind != "CXX_THIS_EXPR" for c in field.children):
        return None
    # What a template declares has other keys than the fields of its instances.
    return frozenset(f.key for f in fields_of(type) if f.name == field.spelling) or None


def default_initializer(declared: Field) -> Node | None:
    """The initializer that a field has where it is declared (`int step = 1;`)."""
    cursor = declared.node.cursor
    name = cursor.location.offset
    # Before its name, `struct { int a; } part;` has braces too.
    tokens = [t.spelling for t in cursor.get_tokens() if t.location.offset > name]
    if "=" not in tokens and "{" not in tokens:
        return None
    return declared.node.children[-1] if declared.node.children else None
