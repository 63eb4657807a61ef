"""`=`, `op=`, `++` and `--`: of numbers, pointers and objects."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir import I64, TRUE, Add, Const, Expr, Sub, Type, Variable

from ..model.kernel import Assign
from .arithmetic import operation, promoted
from .bindings import ChosenPlace, ElementPlace, Object, Place, Pointer, PointerValue, ScalarPlace
from .bound import binding_key, bound_pointer, named_key, pointers_of
from .categories import NAMES
from .dispatch import (
    EFFECT,
    OBJECT,
    PLACE,
    POINTER,
    VALUE,
    lanes_of,
    place_of,
    pointer_of,
    value_of,
)
from .effects import parts_read, parts_read_in, parts_written
from .failure import unsupported
from .folding import add, convert, number, subtract
from .objects import assigned_object
from .order import check_alone, check_order, may_delay, unsequenced
from .pointer_variables import pointer_variable, set_pointer
from .pointers import check_is_one, distance_of, move_offset
from .syntax import STEPS, Node, strip
from .translation import Translation
from .types import is_pointer, is_simd, number_type, pointee_of
from .vector_values import is_lane, set_lane
from .views import held, in_elements, read, write


def assign_number(t: Translation, node: Node, used: bool = False) -> tuple[Place, Expr]:
    """`a = b`: emits it; gives the place, and the value that it then has.

    Where that is `used` it is read back, not computed again.
    """
    left, right = node.children
    begin = len(t.out)
    value = value_of(t, right)
    since = len(t.out)
    place = place_of(t, left)
    check_order(t, (value,), since, node)
    _check_order_after(t, begin, since, _indices_of_place(place), node)
    return place, _stored(t, place, value, number_type(node), used)


@VALUE.of_operator("BINARY_OPERATOR", "=")
def assigned_value(t: Translation, node: Node) -> Expr:
    return assign_number(t, node, used=True)[1]


@PLACE.of_operator("BINARY_OPERATOR", "=")
def assigned_place(t: Translation, node: Node) -> Place:
    """`a = b` as a place, with its effect done."""
    return assign_number(t, node)[0]


@OBJECT.of_operator("BINARY_OPERATOR", "=")
def assigned_whole(t: Translation, node: Node, lasting: bool) -> Object:
    return assigned_object(t, node.children[0], node.children[1])


@EFFECT.of_operator("BINARY_OPERATOR", "=")
def do_assignment(t: Translation, node: Node) -> None:
    if is_pointer(node.type):
        assign_pointer(t, node)
    elif is_simd(node.type):
        lanes_of(t, node)
    elif is_lane(node.children[0]):
        set_lane(t, node.children[0], value_of(t, node.children[1]))
    else:
        assign_number(t, node)


def compound_number(t: Translation, node: Node, used: bool = False) -> tuple[Place, Expr]:
    """`a op= b`: computed in the promoted type, narrowed back; gives what `assign_number` does."""
    left, right = node.children
    operator = node.operator[:-1]
    begin = len(t.out)
    amount = value_of(t, right)
    since = len(t.out)
    place = place_of(t, left)
    check_order(t, (amount,), since, node)
    own = number_type(left)
    old = read(place, own)
    _check_order_after(t, begin, since, (*_indices_of_place(place), old), node)
    wide = promoted(own) if operator in ("<<", ">>") else amount.type
    value = convert(operation(operator, convert(old, wide), amount), own)
    return place, _stored(t, place, value, own, used)


@VALUE.of("COMPOUND_ASSIGNMENT_OPERATOR")
def compound_value(t: Translation, node: Node) -> Expr:
    return compound_number(t, node, used=True)[1]


@PLACE.of("COMPOUND_ASSIGNMENT_OPERATOR")
def compound_place(t: Translation, node: Node) -> Place:
    """`a op= b` as a place, with its effect done."""
    return compound_number(t, node)[0]


@EFFECT.of("COMPOUND_ASSIGNMENT_OPERATOR")
def do_compound(t: Translation, node: Node) -> None:
    if is_pointer(node.type):
        compound_pointer(t, node)
    elif is_simd(node.type):
        lanes_of(t, node)
    else:
        compound_number(t, node)


def _check_order_after(
    t: Translation, begin: int, since: int, left: Sequence[Expr], node: Node
) -> None:
    """Checks that what the right side emitted, from `begin` to `since`, doesn't change what the
    left one reads, where the language leaves open which of an assignment's sides comes first.
    """
    if t.program.right_comes_first:
        return
    if parts_written(t.out[begin:since]) & (parts_read(*left) | parts_read_in(t.out[since:])):
        raise unsequenced(node)


def _stored(t: Translation, place: Place, value: Expr, own: Type, used: bool) -> Expr:
    """Emits the store of `value`; gives it as the type `own` that the expression has."""
    if isinstance(place, ScalarPlace):
        write(t, place, value)
        return read(place, own)
    value = held(place, value)
    if used and not isinstance(value, (Const, Variable)):
        value = t.capture(value)
    write(t, place, value)
    return convert(value, own)


def _stepped(t: Translation, node: Node) -> tuple[Place, Expr, Expr]:
    """The place that `++x` changes, its old value and its new one."""
    place = place_of(t, node.children[0])
    own = number_type(node)
    old = read(place, own)
    if own.is_bool:
        return place, old, TRUE
    wide = own if own.is_float else promoted(own)
    one = number(1, wide)
    kind: type[Expr] = Add if "++" in node.operator else Sub
    return place, old, held(place, convert(kind(convert(old, wide), one), own))


@VALUE.of_operator("UNARY_OPERATOR", *STEPS)
def stepped_value(t: Translation, node: Node) -> Expr:
    if is_pointer(node.type):
        raise unsupported("unsupported-expression", node.span, "a pointer is used as a number")
    place, old, new = _stepped(t, node)
    post = node.operator.startswith("p")
    if isinstance(place, ScalarPlace):
        assert t.region is not None
        target = strip(node.children[0])
        named = target.kind in NAMES
        if named and may_delay(t, node, target.key, place.name):
            t.region.pending.append(Assign(t.span, place.name, convert(new, place.type)))
            return old if post else new
        if not post:
            write(t, place, new)
            return read(place, number_type(node))
    kept = t.capture(old if post else new)
    write(t, place, kept if not post else new)
    return kept


@PLACE.of_operator("UNARY_OPERATOR", "++p", "--p")
def stepped_place(t: Translation, node: Node) -> Place:
    """`++x` as a place, with its effect done."""
    place, _, new = _stepped(t, node)
    write(t, place, new)
    return place


@EFFECT.of_operator("UNARY_OPERATOR", *STEPS)
def do_step(t: Translation, node: Node) -> None:
    """`++x` or `x++` whose value nobody uses."""
    if is_pointer(node.type):
        step_pointer(t, node, used=False)
        return
    place, _, new = _stepped(t, node)
    write(t, place, new)


@POINTER.of_operator("UNARY_OPERATOR", *STEPS)
def stepped_pointer(t: Translation, node: Node) -> PointerValue:
    return step_pointer(t, node, used=True)


@POINTER.of_operator("BINARY_OPERATOR", "=")
def assign_pointer(t: Translation, node: Node) -> PointerValue:
    """`p = q`; gives where p then points."""
    left, right = node.children
    value = pointer_of(t, right)
    target, binding = pointer_variable(t, left)
    set_pointer(t, binding_key(t, target), binding.name, value)
    return pointer_of(t, target)


@POINTER.of("COMPOUND_ASSIGNMENT_OPERATOR")
def compound_pointer(t: Translation, node: Node) -> PointerValue:
    """`p += n` and `p -= n`."""
    left, right = node.children
    target, binding = pointer_variable(t, left)
    old = bound_pointer(binding, target)
    check_is_one(t, old)
    if not isinstance(old, Pointer):
        raise unsupported("pointer-base", node.span, "the address of a scalar is moved")
    distance = distance_of(t, right, pointee_of(target.type), old)
    moved = old.at(move_offset(old.offset, distance, node.operator))
    set_pointer(t, binding_key(t, target), binding.name, moved)
    return pointer_of(t, target)


def step_pointer(t: Translation, node: Node, used: bool) -> PointerValue:
    """`++p`, `p++` and their opposites; the value where it is `used`."""
    named = strip(node.children[0])
    if named.kind == "MEMBER_REF_EXPR":
        key = binding_key(t, named)
        if key in t.constant_keys:
            raise t.field_written(t.constant_keys[key])
    target, binding = pointer_variable(t, node.children[0])
    old = bound_pointer(binding, target)
    check_is_one(t, old)
    if not isinstance(old, Pointer) or not isinstance(old.offset, Variable):
        raise unsupported("pointer-base", node.span, "this pointer can't be moved")
    step = in_elements(t, Const(I64, 1), pointee_of(target.type), old, node)
    grown = add(old.offset, step) if "++" in node.operator else subtract(old.offset, step)
    change = Assign(t.span, old.offset.name, grown)
    post = node.operator.startswith("p")
    if not used:
        t.emit(change)
        return old
    assert t.region is not None
    if pointers_of(t, target) is not None:
        check_alone(t, target, node)
    elif may_delay(t, node, named_key(t, target), old.offset.name):
        t.region.pending.append(change)
        return old if post else old.at(grown)
    value = old.at(t.capture(old.offset)) if post else old
    t.emit(change)
    return value


def _indices_of_place(place: Place) -> tuple[Expr, ...]:
    """What a place is found by."""
    if isinstance(place, ChosenPlace):
        return (place.condition, *_indices_of_place(place.a), *_indices_of_place(place.b))
    return place.indices if isinstance(place, ElementPlace) else ()
