"""What the library puts in order: small local arrays of integers.

    std::sort(w, w + 9);          for (i = 1; i < 9; i++) {
    qsort(w, 9, 1, compare);          v = w[i];
                                      for (k = i; k > 0 && w[k - 1] > v; k--) w[k] = w[k - 1];
                                      w[k] = v;
                                  }

Integers that compare equal are equal, so that there is one order by `<`, and one by `>`, whoever
makes it. Of any other comparison, and of floats, which element comes first may be the library's to
say, and the call stays one that isn't understood. What `nth_element` and `partial_sort` leave of
the other elements is the library's to say, too: these are `UNORDERED`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from compiler.ir import (
    GT,
    I64,
    LT,
    Add,
    And,
    Call,
    Comparison,
    Const,
    Expr,
    Load,
    Sub,
    Type,
    Variable,
    const,
    number_behind,
    transform,
)

from ..model.diagnostic import LiftError
from ..model.kernel import UNORDERED, Array, Assign, Store, WhileLoop
from .bindings import (
    FunctionAddress,
    Nothing,
    Pointer,
    PointerBinding,
    Result,
    ScalarBinding,
    ScalarPlace,
)
from .dispatch import pointer_of, value_of
from .folding import add, fold, subtract
from .library import LibraryCall, means
from .program import FunctionDefinition
from .pure_function import NotPure, fold_statements, translate_body
from .records import is_lambda
from .syntax import Node, children_of, in_system_header, scopes_of
from .translation import Known, StartAgain, Translation
from .types import is_pointer, is_record, is_reference, pointee_of, scalar_type

_MOST = 16
_ATTEMPTS = 4
"""To translate a comparison, of which each says what the next has to know."""
_Falls = bool
"""Whether the greatest element comes first."""


@means("sort", "stable_sort")
def _sort(t: Translation, call: LibraryCall) -> Result | None:
    return _by_pointers(t, call, 2, lambda place, count, middle: True)


@means("partial_sort")
def _sort_first(t: Translation, call: LibraryCall) -> Result | None:
    return _by_pointers(t, call, 3, lambda place, count, middle: place < middle)


@means("nth_element")
def _sort_one(t: Translation, call: LibraryCall) -> Result | None:
    return _by_pointers(t, call, 3, lambda place, count, middle: place == middle)


@means("qsort")
def _sort_c(t: Translation, call: LibraryCall) -> Result | None:
    first = pointer_of(t, call.arguments[0])
    count, size = (fold(value_of(t, a)) for a in call.arguments[1:3])
    compare = pointer_of(t, call.arguments[3])
    if not isinstance(first, Pointer) or not _is_small(t, first, count):
        return None
    if not isinstance(size, Const) or size.value != first.element.bytes:
        return None
    if not isinstance(compare, FunctionAddress):
        return None
    compared = _compared(t, compare.definition, first.element)
    falls = None if compared is None else _order(*compared, (-1, 0, 1))
    if falls is None:
        return None
    _insert(t, first, _number(count), falls)
    return Nothing()


def _by_pointers(
    t: Translation,
    call: LibraryCall,
    ends: int,
    is_certain: Callable[[int, int, int], bool],
) -> Result | None:
    """Puts the elements from the first of so many pointers on in order, up to the last one.
    `is_certain` says of an element's place, among how many, and with what between the pointers,
    whether it is known which element is there."""
    others = call.arguments[ends:]
    pointers = [pointer_of(t, end) for end in call.arguments[:ends]]
    first, last = pointers[0], pointers[-1]
    if not isinstance(first, Pointer) or not isinstance(last, Pointer):
        return None
    places = [_distance(first, p) for p in pointers if isinstance(p, Pointer)]
    count = places[-1]
    if None in places or len(places) < len(pointers) or not _is_small(t, first, count):
        return None
    falls = _falls(t, others[0], first.element) if others else False
    if falls is None:
        return None
    size, middle = _number(count), _number(places[1])
    if not 0 <= middle <= size:
        return None
    if call.name == "nth_element" and middle == size:
        return Nothing()
    _insert(t, first, size, falls)
    open_places = [i for i in range(size) if not is_certain(i, size, middle)]
    if len(open_places) > 1:
        for number, place in enumerate(open_places):
            value = Call(UNORDERED, (const(number, I64),), first.element, "intrinsic")
            t.emit(Store(t.span, first.array, (add(first.offset, const(place, I64)),), value))
    return Nothing()


def _distance(first: Pointer, other: Pointer) -> Expr | None:
    """How many elements one pointer is behind another one into the same array."""
    if first.array != other.array or first.row is not None or other.row is not None:
        return None
    return fold(subtract(other.offset, first.offset))


def _is_small(t: Translation, first: Pointer, count: Expr | None) -> bool:
    """Whether it is a few integers of a local array that are put in order."""
    array = t.declared.arrays[first.array]
    element = first.element
    return (
        array.origin == "local"
        and array.type is element
        and first.level == 1
        and first.row is None
        and isinstance(array.size, Const)
        and isinstance(count, Const)
        and 0 <= count.value <= _MOST
        and element.is_integer
        and not element.is_bool
    )


def _number(count: Expr | None) -> int:
    assert isinstance(count, Const)
    return int(count.value)


def _insert(t: Translation, first: Pointer, count: int, falls: _Falls) -> None:
    """Emits the loops: see above."""
    one = const(1, I64)

    def at(place: Expr) -> Load:
        return Load(first.array, (add(first.offset, place),), first.element)

    counter = Variable(t.fresh("i"), I64)
    place = Variable(t.fresh("k"), I64)
    t.assign(counter.name, one)
    with t.block() as inserted:
        value = t.assign(t.fresh("value"), at(counter))
        t.assign(place.name, counter)
        before = at(fold(Sub(place, one)))
        goes_on: Expr = LT(before, value) if falls else GT(before, value)
        shifted = Store(t.span, first.array, at(place).indices, before)
        back = Assign(t.span, place.name, Sub(place, one))
        more: Expr = And(GT(place, const(0, I64)), goes_on)
        t.emit(WhileLoop(t.span, more, (shifted,), (back,)))
        t.emit(Store(t.span, first.array, at(place).indices, value))
    on = Assign(t.span, counter.name, Add(counter, one))
    t.emit(WhileLoop(t.span, LT(counter, const(count, I64)), tuple(inserted), (on,)))


# Comparisons


def _falls(t: Translation, compare: Node, element: Type) -> _Falls | None:
    """The order that a comparison of two elements makes; None where it makes none."""
    type = compare.type.get_canonical()
    if is_record(type) and not is_lambda(type):
        return _by_class(type, element)
    definition: FunctionDefinition | None
    if is_lambda(type):
        methods = (c for c in children_of(type.get_declaration()) if c.spelling == "operator()")
        definition = t.program.definition(next(methods, None), "operator()")
    else:
        found = pointer_of(t, compare)
        definition = found.definition if isinstance(found, FunctionAddress) else None
    compared = None if definition is None else _compared(t, definition, element)
    return None if compared is None else _order(*compared, (1, 0, 0))


def _by_class(type: Any, element: Type) -> _Falls | None:
    """The order of `std::less` and `std::greater`."""
    declared = type.get_declaration()
    if not in_system_header(declared) or scopes_of(declared) != ["std"]:
        return None
    own = type.get_template_argument_type(0)
    compared = scalar_type(own)
    if own.kind.name != "VOID" and (compared is None or not compared.contains_all(element)):
        return None
    return {"less": False, "greater": True}.get(str(declared.spelling))


def _compared(
    t: Translation, definition: FunctionDefinition, element: Type
) -> tuple[Expr, Expr, Expr] | None:
    """What a function makes of two elements, by value or where pointers lead, and these."""
    known = Known()
    for _ in range(_ATTEMPTS):
        inner = Translation(t.program, known)
        inner.inlined = [*t.inlined, definition.key]
        inner.mutated = set(definition.mutated)
        elements = [_parameter(inner, p, element) for p in definition.parameters]
        if len(elements) != 2 or elements[0] is None or elements[1] is None:
            return None
        try:
            with inner.attempt():
                target = translate_body(inner, definition)
            if target.result is None:
                return None
            arrays = frozenset(inner.declared.arrays)
            body = fold_statements([*inner.prologue, *inner.out], target.result, arrays)
        except StartAgain as again:
            known = again.known
        except (LiftError, NotPure, RecursionError):
            return None
        else:
            return body, elements[0], elements[1]
    return None


def _parameter(t: Translation, parameter: Node, element: Type) -> Expr | None:
    """Binds a parameter to an element, and gives that; None where it isn't any number of them."""
    type = parameter.type
    if is_pointer(type):
        name = t.fresh_array(parameter.spelling or "unnamed")
        t.declare_array(Array(name, element, origin="table", span=t.span))
        t.bind(parameter, PointerBinding(name, Pointer(name, element)))
        return Load(name, (const(0, I64),), element)
    own = scalar_type(pointee_of(type) if is_reference(type) else type)
    if own is None or not own.contains_all(element):
        return None
    scalar = Variable(t.fresh(parameter.spelling or "unnamed"), own)
    t.bind(parameter, ScalarBinding(ScalarPlace(scalar.name, own)))
    return scalar


def _order(body: Expr, a: Expr, b: Expr, rising: tuple[int, int, int]) -> _Falls | None:
    """The order by a comparison whose result has the signs `rising` where a < b, a == b and a > b,
    or the other way around."""
    signs = tuple(_sign(body, a, b, relation) for relation in (-1, 0, 1))
    if signs == rising:
        return False
    return True if signs == rising[::-1] else None


def _sign(body: Expr, a: Expr, b: Expr, relation: int) -> int | None:
    """The sign of what is made of two numbers of which the first one is less than the other, the
    same or greater, by the relation's own sign; None where that isn't all that it depends on."""

    def relation_of(node: Expr) -> int | None:
        sides = tuple(map(number_behind, node.children))
        return relation if sides == (a, b) else -relation if sides == (b, a) else None

    def decided(node: Expr) -> Expr:
        found = relation_of(node) if isinstance(node, Comparison) else None
        return fold(node if found is None else node.rebuild((const(found, I64), const(0, I64))))

    root = number_behind(body)
    if isinstance(root, Sub) and root.type.is_int and root.type.bits >= 32:
        # What doesn't fit is undefined.
        found = relation_of(root)
        if found is not None:
            return found
    result = transform(body, decided)
    if not isinstance(result, Const):
        return None
    return (result.value > 0) - (result.value < 0)
