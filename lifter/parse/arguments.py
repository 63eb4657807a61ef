"""Arguments: what the parameters of an inlined function stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from compiler.ir import Cast, Const, Expr, Variable

from .bindings import (
    Address,
    ArrayBinding,
    Binding,
    ConstantBinding,
    LanesBinding,
    Place,
    Pointer,
    PointerBinding,
    ReferredPointer,
    ScalarBinding,
    ScalarPlace,
)
from .bound import binding_key, object_vector, vector_binding
from .categories import NAMES, bound_place
from .dispatch import construct, lanes_of, pointer_of, value_of
from .effects import reads
from .failure import unsupported
from .folding import convert
from .lambdas import lambda_of
from .objects import new_copy
from .order import in_any_order
from .pointer_variables import remember_row, set_pointer
from .program import FunctionDefinition
from .records import is_lambda, refuse_own_copy
from .references import reference_to, referred, referred_array, referred_pointer
from .syntax import Node
from .translation import Site, Translation
from .types import (
    is_array,
    is_pointer,
    is_record,
    is_reference,
    is_simd,
    pointee_of,
    scalar_type,
    vector_element,
    vector_record,
)
from .vector_values import begin_lanes


def bind_arguments(
    t: Translation,
    node: Node,
    definition: FunctionDefinition,
    arguments: Sequence[Node],
    site: Site,
) -> frozenset[str]:
    """Binds the parameters for one call.

    Gives the scalars of the caller that a parameter stands for by their names: the
    callee must not change them. Where an attempt has shown that it does, it gets copies.
    """
    if len(arguments) < len(definition.parameters):
        raise unsupported("unsupported-expression", node.span, "an argument is missing")
    by_name = site not in t.known.held
    known = set(t.declared.names)
    pairs = list(zip(definition.parameters, arguments, strict=False))
    works = [
        partial(_argument, t, parameter, argument, definition, by_name)
        for parameter, argument in pairs
    ]
    bound = in_any_order(t, works, _read_by, node)
    # A later argument may call the same function, and bind the parameter anew.
    for (parameter, _), binding in zip(pairs, bound, strict=True):
        t.environment[parameter.key] = binding
    return frozenset(known & reads(*(e for binding in bound for e in _read_by(binding))))


def _argument(
    t: Translation, parameter: Node, argument: Node, definition: FunctionDefinition, by_name: bool
) -> Binding:
    _bind_argument(t, parameter, argument, definition, by_name)
    return t.environment[parameter.key]


def _bind_argument(
    t: Translation, parameter: Node, argument: Node, definition: FunctionDefinition, by_name: bool
) -> None:
    """Gives a parameter its meaning; `by_name` says that an argument that is just a scalar of
    the caller needs no copy."""
    type = parameter.type
    key = parameter.key
    name = parameter.spelling or "unnamed"
    if is_reference(type):
        pointee = pointee_of(type)
        if vector_element(pointee) is not None or vector_record(pointee) is not None:
            binding = vector_binding(t, argument) or object_vector(t, argument)
            if binding is None:
                raise unsupported("unsupported-type", argument.span, "this vector argument")
            t.environment[key] = binding
            return
        if is_record(pointee):
            t.environment[key] = reference_to(t, argument, name)
            return
        if is_simd(pointee):
            named = bound_place(argument)
            if named is not None and named.kind in NAMES:
                t.environment[key] = ReferredPointer(binding_key(t, named))
            else:
                begin_lanes(t, key, name, lanes_of(t, argument))
            return
        if is_array(pointee):
            t.environment[key] = ArrayBinding(referred_array(t, argument, name))
            return
        if is_pointer(pointee):
            pointer = referred_pointer(t, argument, type)
            if pointer is not None:
                t.environment[key] = pointer
                return
            raise unsupported(
                "pointer-base",
                argument.span,
                "a reference to a pointer",
                "use each pointer by its own name",
            )
        own = scalar_type(pointee)
        if own is None:
            raise unsupported(
                "unsupported-type",
                argument.span,
                f"an argument of type `{parameter.written_type}` isn't understood",
            )
        place: Place = referred(t, argument, own, name)
        t.environment[key] = ScalarBinding(place)
    elif is_record(type):
        t.environment[key] = _object_argument(t, parameter, argument, definition)
    elif is_pointer(type) or is_array(type):
        value = pointer_of(t, argument)
        constant = key not in definition.mutated
        is_address = isinstance(value, Address)
        stays = not isinstance(value, Pointer) or _stays(t, value, by_name)
        if constant and stays and not is_address:
            t.environment[key] = PointerBinding(name, value)
            return
        t.environment[key] = PointerBinding(name, None)
        set_pointer(t, key, name, value, constant)
        remember_row(t, key)
    elif is_simd(type):
        begin_lanes(t, key, name, lanes_of(t, argument))
    else:
        own = scalar_type(type)
        if own is None:
            raise unsupported(
                "unsupported-type",
                argument.span,
                f"an argument of type `{parameter.written_type}` isn't understood",
            )
        found = convert(value_of(t, argument), own)
        if key not in definition.mutated and _is_stable(t, found, by_name):
            t.environment[key] = ConstantBinding(found)
            return
        copy = t.fresh(name)
        t.assign(copy, found)
        t.environment[key] = ScalarBinding(ScalarPlace(copy, own))


def _object_argument(
    t: Translation, parameter: Node, argument: Node, definition: FunctionDefinition
) -> Binding:
    """An object that is passed by value."""
    if is_lambda(parameter.type):
        return lambda_of(t, argument)
    refuse_own_copy(parameter.type, argument)
    name = parameter.spelling or "unnamed"
    copy = new_copy(t, parameter.key, name, parameter.type, argument)
    construct(t, copy, parameter.type, argument)
    return copy


def _is_stable(t: Translation, value: Expr, by_name: bool) -> bool:
    """Whether an argument means the same at every place in the callee."""
    while isinstance(value, Cast):
        value = value.value
    return isinstance(value, Const) or (
        isinstance(value, Variable) and (by_name or value.name in t.fixed)
    )


def _stays(t: Translation, pointer: Pointer, by_name: bool) -> bool:
    return all(_is_stable(t, part, by_name) for part in pointer.parts)


def _read_by(binding: Binding) -> Iterable[Expr]:
    """What a parameter's value is made of; what a reference leads to is no value."""
    if isinstance(binding, ConstantBinding):
        yield binding.value
    elif isinstance(binding, PointerBinding) and isinstance(binding.value, Pointer):
        yield from binding.value.parts
    elif isinstance(binding, LanesBinding):
        yield from (n for n in binding.value.numbers if n is not None)
