"""Structured bindings: names for the fields of an object."""

from __future__ import annotations

from compiler.ir import I64, Const

from .bindings import ArrayBinding, Binding, ObjectBinding, ScalarBinding
from .bound import field_key
from .dispatch import DECLARATION, construct, object_of
from .failure import unsupported
from .folding import add
from .objects import new_copy
from .records import own_fields
from .steady import steady_object
from .syntax import Node
from .translation import Translation
from .types import is_record, is_reference, is_union, pointee_of, scalar_type
from .views import count_elements, numbers_of


@DECLARATION.of("UNEXPOSED_DECL")
def declare_parts(t: Translation, node: Node) -> None:
    """`auto [a, b] = object;` and `auto &[a, b] = object;`: names for the fields."""
    if not node.spelling.startswith("["):
        raise unsupported("unsupported-statement", node.span, "this declaration isn't understood")
    *names, start = node.children
    type = pointee_of(node.type) if is_reference(node.type) else node.type
    if not is_record(type) or is_union(type) or any(n.kind != "UNEXPOSED_DECL" for n in names):
        raise unsupported("unsupported-statement", node.span, "these names aren't understood")
    with t.expression_region(start) as region:
        if is_reference(node.type):
            whole = steady_object(t, object_of(t, start), names[0].spelling)
        else:
            whole = new_copy(t, node.key, names[0].spelling, type, node)
            construct(t, whole, type, start)
        t.flush(region)
    fields = own_fields(type)
    if len(fields) != len(names):
        raise unsupported("unsupported-statement", node.span, "these names aren't understood")
    offset = 0
    for name, field in zip(names, fields, strict=True):
        binding: Binding | None = None
        if isinstance(whole, ObjectBinding):
            binding = t.environment.get(field_key(t, whole, field.key))
        elif scalar_type(field.type) is not None:
            first = whole.pointer.at(add(whole.pointer.offset, Const(I64, offset)))
            binding = ScalarBinding(numbers_of(t, first, field.type, name)[0])
        if not isinstance(binding, (ScalarBinding, ArrayBinding, ObjectBinding)):
            raise unsupported(
                "unsupported-statement", name.span, f"`{name.spelling}` isn't understood"
            )
        t.environment[name.key] = binding
        if not isinstance(whole, ObjectBinding):
            offset += count_elements(t, field.type, whole.pointer, name)
