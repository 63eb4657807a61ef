"""Places, pointers and numbers as they are now, whatever is changed later."""

from __future__ import annotations

from dataclasses import replace

from compiler.ir import Const, Expr, Variable

from .bindings import (
    BitsPlace,
    ChosenPlace,
    ElementObject,
    ElementPlace,
    Object,
    ObjectBinding,
    Place,
    Pointer,
    RealPlace,
)
from .effects import reads
from .translation import Translation


def freeze(t: Translation, place: Place, name: str) -> Place:
    """The place with its indices as they are now."""
    if isinstance(place, ChosenPlace):
        condition = _steady_index(t, place.condition, f"{name}.chosen")
        return ChosenPlace(condition, freeze(t, place.a, name), freeze(t, place.b, name))
    if not isinstance(place, ElementPlace):
        return place
    indices = tuple(_steady_index(t, i, f"{name}.index") for i in place.indices)
    if isinstance(place, (BitsPlace, RealPlace)):
        return replace(place, indices=indices, word=replace(place.word, indices=indices))
    return replace(place, indices=indices)


def steady_pointer(t: Translation, pointer: Pointer, name: str) -> Pointer:
    """The pointer as it is now."""
    return pointer.rebuilt(lambda part: _steady_index(t, part, f"{name}.index"))


def _steady_index(t: Translation, index: Expr, name: str) -> Expr:
    return index if isinstance(index, Const) else t.capture(index, name)


def steady_object(t: Translation, found: Object, name: str) -> Object:
    """The same object, its place fixed as it is now."""
    if isinstance(found, ObjectBinding):
        return found
    return ElementObject(steady_pointer(t, found.pointer, name), found.type)


def is_fixed(t: Translation, size: Expr) -> bool:
    """Whether a size is made of parameters that the function never changes."""
    return reads(size) <= t.fixed


def kept_pointer(t: Translation, pointer: Pointer) -> Pointer:
    return pointer.rebuilt(lambda part: kept_value(t, part))


def kept_value(t: Translation, value: Expr) -> Expr:
    """`value` as it is now, whatever the loop's body changes."""
    return value if isinstance(value, Const) or is_fixed(t, value) else _made(t, value)


def steady_value(t: Translation, value: Expr) -> Expr:
    """`value` in a form that a loop may use in each iteration."""
    if isinstance(value, (Const, Variable)) or is_fixed(t, value):
        return value
    return _made(t, value)


def _made(t: Translation, value: Expr) -> Expr:
    kept = t.capture(value)
    t.made.add(kept.name)
    return kept


def steady_range(t: Translation, pointer: Pointer) -> Pointer:
    return pointer.rebuilt(lambda part: steady_value(t, part))
