"""Parameters of kernels: numbers, arrays, vectors, and objects taken apart into these."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Literal

from compiler.ir import I64, Expr, Load, Type, UInt, Variable

from ..model.diagnostic import LiftError
from ..model.kernel import (
    ROW_VECTOR,
    Array,
    Assign,
    Param,
    ParamKind,
    SourceField,
    SourceParam,
)
from ..model.parameters import count_of, size_of
from .bindings import (
    ZERO,
    ArrayBinding,
    Binding,
    ConstantBinding,
    ElementPlace,
    Key,
    ObjectAddress,
    ObjectBinding,
    ObjectVectorBinding,
    Pointer,
    PointerBinding,
    RowVectorBinding,
    ScalarBinding,
    ScalarPlace,
    UnknownBinding,
    VectorBinding,
)
from .bound import binding_key, element_name, field_key
from .declarations import THREADS
from .failure import unsupported
from .function_pointers import choice_of, points_to_function
from .null_tests import PARAMETER_OBJECTS
from .pointer_variables import offset_name
from .program import FunctionDefinition
from .records import OWNERS, Field, check_record, declaration_of, fields_of, is_lambda
from .syntax import Node
from .translation import Translation
from .types import (
    extents_of,
    is_array,
    is_const,
    is_pointer,
    is_record,
    is_reference,
    is_union,
    library_class,
    memory_of,
    pointee_of,
    scalar_type,
    uniform_record,
    vector_element,
    vector_record,
    vector_row,
)
from .views import memory_element, retyped

_STANDARD = re.compile(
    r"(std::)?(u?int(8|16|32|64)_t|size_t|ptrdiff_t)|bool|float|double"
    r"|((un)?signed )?(char|short|int|long|long long)|unsigned|signed"
)


@dataclass
class _Owner:
    """A parameter of the source that is taken apart."""

    node: Node
    record: str
    name: str
    path: str = ""
    """How its fields are written, after the parameter's name: `.` or `->` and so on."""
    shared: bool = True
    """Whether the caller sees what the function writes to the object."""
    is_own: bool = False
    """Whether it is a variable of the function around a region that nobody else knows: what its
    numbers are between the region's ends is nobody's affair."""
    constant: bool = False
    within: tuple[str, ...] = ()
    """The classes that enclose this one, against endless lists."""
    members: tuple[Key, ...] = ()
    """The declarations of the members by which this object is a part of another one."""
    params: list[Param] = field(default_factory=list)
    fields: list[SourceField] = field(default_factory=list)


def bind_parameters(t: Translation, definition: FunctionDefinition) -> tuple[Param, ...]:
    """The parameters of a kernel, bound; objects are taken apart, `this` comes first."""
    found = bind_receiver(t, definition)
    for position, node in enumerate(definition.parameters):
        name = node.spelling or f"unnamed{position}"
        found += bind_parameter(t, node, name, definition)
    return tuple(found)


def bind_receiver(t: Translation, definition: FunctionDefinition) -> list[Param]:
    """The parameters that a method's object is made of, bound; none for a function."""
    t.definition = definition
    receiver = definition.receiver_type
    if receiver is None:
        return []
    node = definition.node
    constant = bool(definition.node.cursor.is_const_method())
    owner = _Owner(node, _record_name(receiver), "this", constant=constant)
    t.receivers = [_object(t, owner, receiver)]
    spelling = f"{'const ' if owner.constant else ''}{owner.record}"
    t.sources.append(SourceParam("this", spelling, "this", owner.record, tuple(owner.fields)))
    return owner.params


def bind_parameter(
    t: Translation,
    node: Node,
    name: str,
    definition: FunctionDefinition,
    shared: bool = False,
    is_own: bool = False,
) -> list[Param]:
    """One parameter, bound: what it is made of, where it is an object. With `shared`, the caller
    sees what happens to an object that is passed by value, too; `is_own`: see `_Owner`."""
    t.span = node.span
    record = _record_of(node, name, definition, t.known.words)
    if record is None:
        t.sources.append(SourceParam(name, node.written_type, "plain", "", ()))
        return [_parameter(t, node, name)]
    type = node.type
    passing: Literal["pointer", "object"] = "pointer" if is_pointer(type) else "object"
    owner = _Owner(node, _record_name(record), name, constant=is_const(record))
    owner.shared = shared or is_pointer(type) or is_reference(type)
    owner.is_own = is_own and not (is_pointer(type) or is_reference(type) or is_const(record))
    made = _object(t, owner, record)
    if is_pointer(type):
        t.bind(node, PointerBinding(name, ObjectAddress(made)))
    else:
        t.bind(node, made)
    t.sources.append(
        SourceParam(name, _qualified(record), passing, owner.record, tuple(owner.fields))
    )
    return owner.params


def _record_of(
    node: Node, name: str, definition: FunctionDefinition, words: Collection[str]
) -> Any:
    """The class of a parameter that is taken apart; None for any other parameter. `words` are the
    names of those that lead to arrays of structures whose members have several types."""
    type = node.type
    pointee = pointee_of(type) if is_pointer(type) or is_reference(type) else type
    if not is_record(pointee) or vector_element(pointee) is not None:
        return None
    if THREADS.search(pointee.spelling) or is_lambda(pointee):
        return None
    if is_pointer(type) and uniform_record(pointee) is not None:
        return None if is_union(pointee) or _is_array(node, definition) else pointee
    return None if is_pointer(type) and name in words else pointee


def _is_array(node: Node, definition: FunctionDefinition) -> bool:
    """Whether a pointer to a structure of numbers is used for more than `p->field`, and to copy the
    structure, `*p`, where it is constant."""
    copied = is_const(pointee_of(node.type))
    total = whole = 0
    for inner in definition.body.walk():
        if inner.kind == "DECL_REF_EXPR" and inner.declaration and inner.key == node.key:
            total += 1
        elif (inner.kind == "MEMBER_REF_EXPR" and inner.children) or (
            inner.kind == "UNARY_OPERATOR" and inner.operator == "*" and copied
        ):
            base = inner.children[-1]
            while base.kind == "UNEXPOSED_EXPR" and len(base.children) == 1:
                base = base.children[0]
            if base.kind == "DECL_REF_EXPR" and base.declaration and base.key == node.key:
                whole += 1
    return total != whole


def _object(t: Translation, owner: _Owner, type: Any) -> ObjectBinding:
    """Takes a parameter's object apart into parameters of their own."""
    check_record(type, owner.node)
    t.parameter_objects += 1
    made = ObjectBinding((PARAMETER_OBJECTS, t.parameter_objects), owner.name, type)
    for member in fields_of(type):
        key = field_key(t, made, member.key)
        t.environment[key] = _field(t, owner, member, key)
    return made


def _field(t: Translation, owner: _Owner, member: Field, key: Key) -> Binding:
    name = f"{owner.name}.{member.name}"
    path = f"{owner.path}{member.name}"
    type = member.type
    node = member.node
    is_std_array = library_class(node.cursor.semantic_parent.type) == "array"
    if is_std_array:
        # How the library calls the only member is its own affair.
        name, path = owner.name, owner.path.removesuffix(".")
        if path.endswith("->"):
            return _unknown(owner, member, "is behind a pointer")
    own_class = library_class(node.cursor.semantic_parent.type)
    if own_class in OWNERS:
        # Where the memory is, is what `get` says.
        name, path = owner.name, owner.path.removesuffix(".")
        if is_pointer(type):
            path += "get()" if not path or path.endswith("->") else ".get()"
    elif name in t.parts and not (is_std_array and t.parts[name][0] == owner.members):
        return _unknown(owner, member, "has the name of another member")
    t.parts[name] = ((*owner.members, member.key), owner.shared)

    def add(kind: ParamKind, element: Type, spelling: str, constant: bool, count: int) -> None:
        owner.params.append(Param(name, kind, element, spelling, constant, owner.node.span))
        record = "std::array" if is_std_array else ""
        owner.fields.append(SourceField(name, path, count, record))

    if node.cursor.is_bitfield():
        return _unknown(owner, member, "is a bit-field")
    scalar = scalar_type(type)
    if scalar is not None:
        return _scalar_field(t, owner, name, scalar, _number_spelling(node), add)
    if is_pointer(type):
        return _pointer_field(t, owner, member, name, path, key, add)
    extents = extents_of(type)
    for index in t.known.elements.get(name, ()) if is_array(type) else ():
        # A guarded entry may look at a place that the original doesn't: one that is there.
        is_inside = f"(unsigned long){index} < {type.element_count} ? {index} : 0"
        place = f"{path}[{index if index.isdigit() else is_inside}]"
        _element(t, owner, member, name, place, index)
    if is_array(type) and extents.element is not None:
        if owner.shared is False:
            t.read_only[name] = (
                f"`{name}` is written, an array in an object that is passed by value"
            )
        t.declare_array(Array(name, extents.element, span=owner.node.span))
        is_retyped = t.declared.arrays[name].type is not extents.element
        if not is_retyped and (is_std_array or not _is_last_field(node)):
            t.counts[name] = extents.count
        constant = owner.constant or is_const(type)
        spelling = f"{'const ' if constant else ''}{element_spelling(type)} *"
        # Of an array without a size at the end of a structure as many as there are.
        add("array", extents.element, spelling, constant, max(1, extents.count))
        return ArrayBinding(Pointer(name, extents.element))
    element = vector_element(type)
    if element is not None and not is_reference(type):
        t.declare_array(Array(name, element, span=owner.node.span))
        size = size_of(name)
        t.declared.names.add(size.name)
        t.fixed.add(size.name)
        if not owner.shared:
            t.read_only[name] = f"`{name}` is written, a vector that is passed by value"
        add("vector", element, node.written_type, owner.constant, -1)
        return VectorBinding(Pointer(name, element), size)
    row = None if is_reference(type) else vector_row(type)
    found = None if row is None else row_table(t, node, name, row)
    if found is not None:
        binding, param = found
        owner.params.append(param)
        owner.fields.append(SourceField(name, path, ROW_VECTOR))
        return binding
    record = None if is_reference(type) or owner.shared is False else vector_record(type)
    if record is not None and t.definition is not None and t.definition.is_region:
        vector, params = structures(t, owner.node, name, record, owner.constant)
        owner.params += params
        calls = (f"{path}.data()", f"{path}.size()")
        owner.fields += [SourceField(p.name, c, 0) for p, c in zip(params, calls, strict=True)]
        return vector
    if is_record(type):
        return _nested(t, owner, member, name, f"{path}.", type)
    return _unknown(owner, member, f"has type `{node.written_type}`")


def structures(
    t: Translation, node: Node, name: str, record: Any, constant: bool
) -> tuple[ObjectVectorBinding, list[Param]]:
    """A vector of structures: the numbers that they are made of, and how many there are."""
    extents = extents_of(record)
    assert extents.element is not None
    t.declare_array(Array(name, extents.element, span=node.span))
    count = count_of(name)
    t.declared.names.add(count.name)
    t.fixed.add(count.name)
    spelling = f"{'const ' if constant else ''}{element_spelling(record)} *"
    params = [
        Param(name, "array", extents.element, spelling, constant, node.span),
        Param(count.name, "scalar", I64, "ptrdiff_t", True, node.span),
    ]
    return ObjectVectorBinding(Pointer(name, extents.element), count, extents.count), params


def _element(
    t: Translation, owner: _Owner, member: Field, array: str, path: str, index: str
) -> None:
    """An element of a member array, which is a parameter of its own: `f->data[1]`."""
    name = element_name(array, index)
    type = member.type.element_type.get_canonical()
    number = scalar_type(type)
    if number is not None:
        t.declared.names.add(name)
        t.fixed.add(name)
        t.constant_fields.add(name)
        t.parts[name] = ((*owner.members, member.key), owner.shared)
        kind: ParamKind = "scalar"
        element, constant = number, owner.constant
        spelling = spelled(element)
        t.elements[name] = ScalarBinding(ScalarPlace(name, element))
    else:
        pointee = pointee_of(type)
        found = retyped(t, name, extents_of(pointee).element)
        if found is None or pointee.is_volatile_qualified():
            return
        kind = "array"
        element, constant = found, is_const(pointee)
        spelling = f"{'const ' if constant else ''}{element_spelling(pointee)} *"
        t.declare_array(Array(name, element, span=owner.node.span))
        t.elements[name] = PointerBinding(name, Pointer(name, element))
    owner.params.append(Param(name, kind, element, spelling, constant, owner.node.span))
    owner.fields.append(SourceField(name, path, 0))


def _scalar_field(
    t: Translation, owner: _Owner, name: str, type: Type, spelling: str, add: Any
) -> Binding:
    if owner.shared and name in t.known.written:
        t.declare_array(Array(name, type, span=owner.node.span))
        add("reference", type, f"{spelling} &", False, 0)
        if not owner.is_own:
            return ScalarBinding(ElementPlace(name, (ZERO,), type))
        own = t.fresh(name)
        t.assign(own, Load(name, (ZERO,), type))
        t.held_fields[name] = Variable(own, type)
        return ScalarBinding(ScalarPlace(own, type))
    t.declared.names.add(name)
    value = t.known.values.get(name)
    if value is not None and name not in t.known.written:
        add("scalar", type, spelling, owner.constant, 0)
        return ConstantBinding(value)
    if name not in t.known.written:
        t.fixed.add(name)
        t.constant_fields.add(name)
    add("scalar", type, spelling, owner.constant, 0)
    return ScalarBinding(ScalarPlace(name, type))


def _pointer_field(
    t: Translation, owner: _Owner, member: Field, name: str, path: str, key: Key, add: Any
) -> Binding:
    pointee = pointee_of(member.type)
    if points_to_function(member.type) and owner.shared and name not in t.known.written:
        chosen = choice_of(t, owner.node, name, member.type, "", member.node)
        if chosen is not None:
            t.constant_keys[key] = name
            owner.params.append(chosen[1])
            owner.fields.append(SourceField(chosen[1].name, path, 0))
            return PointerBinding(name, chosen[0])
    are_words = name in t.known.words
    if is_record(pointee) and uniform_record(pointee) is None and not are_words:
        return _pointed(t, owner, member, name, path, pointee)
    level = 1
    if is_pointer(pointee):
        pointee, level = pointee_of(pointee), 2
    # A `void *` that no cast gives a type leads to bytes.
    is_void = level == 1 and pointee.kind.name == "VOID"
    element = retyped(t, name, UInt(8) if is_void else memory_of(pointee).element)
    if are_words:
        t.words.add(name)
    if element is None or pointee.is_volatile_qualified():
        return _unknown(owner, member, f"has type `{member.node.written_type}`")
    t.declare_array(Array(name, element, level, span=owner.node.span))
    spelling = _spelling(member.node)
    add("array" if level == 1 else "rows", element, spelling, is_const(pointee), 0)
    offset: Expr = ZERO
    if name in t.known.written:
        if owner.shared:
            return _unknown(owner, member, "is moved, which the caller would see")
        offset = Variable(offset_name(t, key, name, (name, level), False), I64)
        t.emit(Assign(t.span, name, ZERO))
    else:
        t.constant_keys[key] = name
    return PointerBinding(name, Pointer(name, element, offset, level))


def row_table(
    t: Translation, node: Node, name: str, row: Any
) -> tuple[RowVectorBinding, Param] | None:
    """A vector of pointers to what `row` is, bound as the table of rows that it holds; None for
    rows of what isn't understood."""
    element = None if row.kind.name == "VOID" else retyped(t, name, extents_of(row).element)
    if element is None or row.is_volatile_qualified():
        return None
    t.declare_array(Array(name, element, 2, span=node.span))
    spelling = f"{'const ' if is_const(row) else ''}{element_spelling(row)} *const *"
    param = Param(name, "rows", element, spelling, is_const(row), node.span)
    return RowVectorBinding(Pointer(name, element, ZERO, 2)), param


def _pointed(
    t: Translation, owner: _Owner, member: Field, name: str, path: str, pointee: Any
) -> Binding:
    """A field that points to another object."""
    record = _record_name(pointee)
    if record in (*owner.within, owner.record):
        return _unknown(owner, member, "leads to another object of its own class")
    at = len(owner.fields)
    owner.fields.append(SourceField("", path, 0, record))
    found = _nested(t, owner, member, name, f"{path}->", pointee)
    if isinstance(found, UnknownBinding) or len(owner.fields) == at + 1:
        del owner.fields[at]
        return found
    assert isinstance(found, ObjectBinding)
    return PointerBinding(name, ObjectAddress(found))


def _nested(
    t: Translation, owner: _Owner, member: Field, name: str, path: str, type: Any
) -> ObjectBinding | UnknownBinding:
    pointed = path.endswith("->")
    is_part = not (pointed or is_reference(member.type) or _is_of_union(member))
    inner = _Owner(
        owner.node,
        _record_name(type),
        name,
        path,
        owner.shared or pointed,
        owner.is_own and not pointed,
        is_const(type) or (owner.constant and not pointed),
        (*owner.within, owner.record),
        (*owner.members, member.key) if is_part else (),
    )
    try:
        found = _object(t, inner, type)
    except LiftError as error:
        return UnknownBinding(error.diagnostic)
    owner.params += inner.params
    owner.fields += inner.fields
    return found


def _is_of_union(member: Field) -> bool:
    """Whether a member shares its memory with others."""
    return bool(member.node.cursor.semantic_parent.kind.name == "UNION_DECL")


def _unknown(owner: _Owner, member: Field, why: str) -> UnknownBinding:
    error = unsupported(
        "unsupported-type",
        owner.node.span,
        f"the member `{member.name}` of `{owner.name}` {why}, which isn't understood",
    )
    return UnknownBinding(error.diagnostic)


def _parameter(t: Translation, node: Node, name: str) -> Param:
    type = node.type
    kind: ParamKind
    if is_pointer(type) or is_array(type):
        kind, element, constant = _pointer_parameter(t, node, name)
    elif vector_element(type) is not None:
        found = vector_element(type)
        assert found is not None
        if not is_reference(type):
            raise unsupported(
                "unsupported-type",
                node.span,
                f"vector `{name}` is passed by value",
                "pass it by (constant) reference",
            )
        kind, element = "vector", found
        constant = is_const(pointee_of(type))
        t.declare_array(Array(name, element, span=node.span))
        size = size_of(name)
        t.declared.names.add(size.name)
        t.fixed.add(size.name)
        t.bind(node, VectorBinding(Pointer(name, element), size))
    elif is_reference(type):
        found = scalar_type(pointee_of(type))
        if found is None:
            raise _not_understood(node)
        kind, element = "reference", found
        constant = is_const(pointee_of(type))
        t.declare_array(Array(name, element, span=node.span))
        t.bind(node, ScalarBinding(ElementPlace(name, (ZERO,), element)))
    else:
        own = scalar_type(type)
        if own is None:
            raise _not_understood(node)
        kind, element, constant = "scalar", own, is_const(type)
        t.declared.names.add(name)
        value = t.known.values.get(name)
        if value is not None:
            t.bind(node, ConstantBinding(value))
        elif t.is_constant(node.key):
            t.fixed.add(name)
            t.constant_scalars[name] = node.key
        if value is None:
            t.bind(node, ScalarBinding(ScalarPlace(name, own)))
    around = node.cursor.semantic_parent.semantic_parent
    scoped = around is None or around.kind.name != "TRANSLATION_UNIT"
    spelling = _spelling(node) if scoped or _names_record(type) else node.written_type
    return Param(name, kind, element, spelling, constant, node.span)


def _names_record(type: Any) -> bool:
    pointee = pointee_of(type) if is_pointer(type) or is_reference(type) else type
    return is_record(pointee) and vector_element(pointee) is None


def _not_understood(node: Node) -> Exception:
    if THREADS.search(node.type.spelling):
        return unsupported(
            "thread", node.span, f"parameter `{node.spelling}` is for work with threads"
        )
    return unsupported(
        "unsupported-type",
        node.span,
        f"parameter `{node.spelling}` has type `{node.written_type}`, which isn't understood",
    )


def _pointer_parameter(t: Translation, node: Node, name: str) -> tuple[ParamKind, Type, bool]:
    pointee = pointee_of(node.type)
    level = 1
    if is_pointer(pointee):
        pointee, level = pointee_of(pointee), 2
    # Of `const float m[6]` the array may be constant instead of its elements.
    constant = is_const(pointee) or (level == 1 and is_array(node.type) and is_const(node.type))
    element = (
        memory_element(t, node, t.definition)
        if level == 1
        else retyped(t, name, extents_of(pointee).element)
    )
    if element is None or pointee.is_volatile_qualified():
        raise _not_understood(node)
    if name in t.known.words:
        t.words.add(name)
    t.declare_array(Array(name, element, level, span=node.span))
    offset: Expr = ZERO
    if not t.is_constant(node.key):
        offset = Variable(offset_name(t, node.key, name, (name, level), False), I64)
        t.emit(Assign(t.span, name, ZERO))
    start = Pointer(name, element, offset, level)
    t.environment[binding_key(t, node)] = PointerBinding(name, start)
    return ("array" if level == 1 else "rows"), element, constant


def _record_name(type: Any) -> str:
    """A class as C++ text of its own file may name it."""
    name = str(declaration_of(type).type.spelling).replace("(anonymous namespace)::", "")
    return name.removeprefix("const ").removeprefix("struct ")


def _qualified(type: Any) -> str:
    return f"{'const ' if is_const(type) else ''}{_record_name(type)}"


def _spelling(node: Node) -> str:
    """The type of a declaration as text of any scope may have it: the source's words where they are
    the standard's, else canonical."""
    base = re.sub(r"\b(const|restrict|__restrict)\b|[*&]", "", node.written_type).strip()
    return node.written_type if _STANDARD.fullmatch(base) else str(node.type.spelling)


def _number_spelling(node: Node) -> str:
    return " ".join(re.sub(r"\bconst\b", "", _spelling(node)).split())


def element_spelling(type: Any) -> str:
    """The C++ type of the numbers that an array, or a structure of numbers, is made of."""
    while is_array(type):
        type = type.element_type.get_canonical()
    element = extents_of(type).element
    assert element is not None
    return spelled(element)


def spelled(type: Type) -> str:
    """A number's type in C++."""
    if type.is_bool:
        return "bool"
    if type.is_float:
        return {32: "float", 64: "double"}[type.bits]
    return f"{type.code}{type.bits}_t"


def _is_last_field(node: Node) -> bool:
    """Whether a field is the last one of its structure: there may be more memory behind it, which
    compilers let such an array reach into."""
    fields = list(node.cursor.semantic_parent.type.get_fields())
    return not fields or fields[-1] == node.cursor
