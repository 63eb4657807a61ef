"""`std::minmax`: a pair of references, each to the one of two places that a comparison chose."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir import LT, Const, Expr, Max, Min, Type

from .bindings import ChosenPlace, ObjectBinding, Place, ScalarBinding
from .failure import unsupported
from .folding import convert, fold
from .records import own_fields
from .structured_bindings import StructuredBindings
from .syntax import Node
from .types import is_reference, pointee_of, scalar_type

_FLOATS = frozenset({"FLOAT", "DOUBLE"})


class Chosen(StructuredBindings):
    """Translation of what gives references to one of several places."""

    def minmax(self, node: Node, arguments: tuple[Node, ...]) -> ObjectBinding:
        """`std::minmax(a, b)`: the smaller and the larger, as they are when they are read; the
        comparison is made once. `std::minmax({a, b, c})`: two values."""
        fields = own_fields(node.type)
        made = self.new_object((-2 - len(self.inlined), node.cursor.hash), "pair", node.type, node)
        if len(fields) != 2:
            raise unsupported("unsupported-type", node.span, "this pair isn't understood")
        smaller, larger = (self.field_key(made, f.key) for f in fields)
        if len(arguments) == 1:
            if scalar_type(fields[0].type) is None or fields[0].type.kind.name in _FLOATS:
                raise unsupported(
                    "unsupported-type",
                    node.span,
                    "the extremes of a list are understood of integers alone",
                    "compare two at a time",
                )
            values = self.operands(self.list_items(arguments[0]), node)
            for key, kind in ((smaller, Min), (larger, Max)):
                binding = self.environment[key]
                assert isinstance(binding, ScalarBinding)
                self.write(binding.place, _extreme(kind, values, binding.place.type))
            return made
        own = scalar_type(pointee_of(fields[0].type)) if is_reference(fields[0].type) else None
        if own is None:
            raise unsupported(
                "unsupported-type", node.span, "the order of these objects isn't known here"
            )
        a = self.referred(arguments[0], own, "a")
        since = len(self.out)
        b = self.referred(arguments[1], own, "b")
        self.ordered([self.read(a, own)], since, node)
        turned = self.captured(fold(LT(self.read(b, own), self.read(a, own))), "turned")
        self.environment[smaller] = ScalarBinding(_chosen(turned, b, a))
        self.environment[larger] = ScalarBinding(_chosen(turned, a, b))
        return made

    def one_of(self, name: str, places: Sequence[Place], own: Type) -> Place:
        """The place that `min`, `max` or `clamp` of references refers to."""

        def less(a: Place, b: Place) -> Expr:
            return fold(LT(self.read(a, own), self.read(b, own)))

        if name == "clamp":
            value, low, high = places
            above = _chosen(less(high, value), high, value)
            return _chosen(less(value, low), low, above)
        a, b = places
        return _chosen(less(b, a) if name == "min" else less(a, b), b, a)


def _chosen(condition: Expr, a: Place, b: Place) -> Place:
    if isinstance(condition, Const):
        return a if condition.value else b
    return ChosenPlace(condition, a, b)


def _extreme(kind: type[Min] | type[Max], values: list[Expr], type: Type) -> Expr:
    result = convert(values[0], type)
    for value in values[1:]:
        result = fold(kind(result, convert(value, type)))
    return result
