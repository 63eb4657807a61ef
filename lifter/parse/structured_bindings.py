"""Structured bindings: names for the fields of an object."""

from __future__ import annotations

from compiler.ir import I64, Const

from .bindings import ArrayBinding, Binding, ObjectBinding, ScalarBinding
from .construction import Construction
from .failure import unsupported
from .folding import add
from .records import own_fields, refuse_destructor
from .syntax import Node
from .types import is_record, is_reference, is_union, pointee_of, scalar_type


class StructuredBindings(Construction):
    """Translation of `auto [a, b] = object;`."""

    def names_of_parts(self, node: Node) -> None:
        """`auto [a, b] = object;` and `auto &[a, b] = object;`: names for the fields."""
        *names, start = node.children
        type = pointee_of(node.type) if is_reference(node.type) else node.type
        if not is_record(type) or is_union(type) or any(n.kind != "UNEXPOSED_DECL" for n in names):
            raise unsupported("unsupported-statement", node.span, "these names aren't understood")
        with self.expression_region(start) as region:
            if is_reference(node.type):
                whole = self.steady_object(self.object(start), names[0].spelling)
            else:
                refuse_destructor(type, node)
                whole = self.new_object(node.key, names[0].spelling, type, node)
                self.construct(whole, type, start)
            self.flush(region)
        fields = own_fields(type)
        if len(fields) != len(names):
            raise unsupported("unsupported-statement", node.span, "these names aren't understood")
        offset = 0
        for name, field in zip(names, fields, strict=True):
            binding: Binding | None = None
            if isinstance(whole, ObjectBinding):
                binding = self.environment.get(self.field_key(whole, field.key))
            elif scalar_type(field.type) is not None:
                first = whole.pointer.at(add(whole.pointer.offset, Const(I64, offset)))
                binding = ScalarBinding(self.numbers(first, field.type, name)[0])
            if not isinstance(binding, (ScalarBinding, ArrayBinding, ObjectBinding)):
                raise unsupported(
                    "unsupported-statement", name.span, f"`{name.spelling}` isn't understood"
                )
            self.environment[name.key] = binding
            if not isinstance(whole, ObjectBinding):
                offset += self.elements(field.type, whole.pointer, name)
