"""`std::min`, `max`, `clamp` and `minmax`: values, and references to one of several places."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from compiler.ir import LT, Const, Expr, Max, Min, Type

from .bindings import ChosenPlace, ObjectBinding, Place, ScalarBinding
from .bound import field_key
from .failure import unsupported
from .folding import convert, fold
from .objects import new_object
from .order import check_order, in_any_order, values_of
from .program import arguments_of
from .records import own_fields
from .references import referred
from .syntax import Node
from .translation import Translation
from .types import is_reference, pointee_of, scalar_type
from .vectors import list_items
from .views import read, write

_FLOATS = frozenset({"FLOAT", "DOUBLE"})


def minmax(t: Translation, node: Node, arguments: tuple[Node, ...]) -> ObjectBinding:
    """`std::minmax(a, b)`: the smaller and the larger, as they are when they are read; the
    comparison is made once. `std::minmax({a, b, c})`: two values."""
    fields = own_fields(node.type)
    made = new_object(t, (-2 - len(t.inlined), node.cursor.hash), "pair", node.type, node)
    if len(fields) != 2:
        raise unsupported("unsupported-type", node.span, "this pair isn't understood")
    smaller, larger = (field_key(t, made, f.key) for f in fields)
    if len(arguments) == 1:
        if scalar_type(fields[0].type) is None or fields[0].type.kind.name in _FLOATS:
            raise unsupported(
                "unsupported-type",
                node.span,
                "the extremes of a list are understood of integers alone",
                "compare two at a time",
            )
        values = values_of(t, list_items(arguments[0]), node)
        for key, kind in ((smaller, Min), (larger, Max)):
            binding = t.environment[key]
            assert isinstance(binding, ScalarBinding)
            own = binding.place.type
            write(t, binding.place, extreme(kind, [convert(v, own) for v in values]))
        return made
    element = scalar_type(pointee_of(fields[0].type)) if is_reference(fields[0].type) else None
    if element is None:
        raise unsupported(
            "unsupported-type", node.span, "the order of these objects isn't known here"
        )
    a = referred(t, arguments[0], element, "a")
    since = len(t.out)
    b = referred(t, arguments[1], element, "b")
    check_order(t, [read(a, element)], since, node)
    turned = t.capture(fold(LT(read(b, element), read(a, element))), "turned")
    t.environment[smaller] = ScalarBinding(_chosen(turned, b, a))
    t.environment[larger] = ScalarBinding(_chosen(turned, a, b))
    return made


def one_of(name: str, places: Sequence[Place], own: Type) -> Place:
    """The place that `min`, `max` or `clamp` of references refers to."""

    def less(a: Place, b: Place) -> Expr:
        return fold(LT(read(a, own), read(b, own)))

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


def extreme(kind: type[Min] | type[Max], values: Sequence[Expr]) -> Expr:
    """The smallest, or largest, of values of one type."""
    result = values[0]
    for value in values[1:]:
        result = fold(kind(result, value))
    return result


def extreme_place(t: Translation, node: Node) -> Place | None:
    """The place to which `std::min(a, b)` and its like refer; None for any other call."""
    function = t.program.library_function(node.declaration)
    own, arguments = scalar_type(node.type), arguments_of(node)
    if function is None or not function.is_std or own is None:
        return None
    counts = {"min": 2, "max": 2, "clamp": 3}
    if counts.get(function.meaning) != len(arguments):
        return None
    works = [partial(referred, t, a, own, function.meaning) for a in arguments]
    places = in_any_order(t, works, lambda place: (read(place, own),), node)
    return one_of(function.meaning, places, own)
