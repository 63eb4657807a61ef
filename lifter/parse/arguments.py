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
    Place,
    Pointer,
    PointerBinding,
    ScalarBinding,
    ScalarPlace,
)
from .failure import unsupported
from .folding import convert
from .library import Library
from .program import Definition
from .records import is_lambda, refuse_destructor, refuse_own_copy
from .state import Site, reads
from .syntax import Node
from .types import (
    is_array,
    is_pointer,
    is_record,
    is_reference,
    pointee_of,
    scalar_type,
    vector_element,
)


class Arguments(Library):
    """Binding of parameters."""

    def bind_arguments(
        self, node: Node, definition: Definition, arguments: Sequence[Node], site: Site
    ) -> frozenset[str]:
        """Binds the parameters for one call.

        Gives the scalars of the caller that a parameter stands for by their names: the
        callee must not change them. Where an attempt has shown that it does, it gets copies.
        """
        if len(arguments) < len(definition.parameters):
            raise unsupported("unsupported-expression", node.span, "an argument is missing")
        by_name = site not in self.learnt.held
        known = set(self.names)
        pairs = list(zip(definition.parameters, arguments, strict=False))
        works = [
            partial(self._argument, parameter, argument, definition, by_name)
            for parameter, argument in pairs
        ]
        bound = self.in_any_order(works, _read_by, node)
        # A later argument may call the same function, and bind the parameter anew.
        for (parameter, _), binding in zip(pairs, bound, strict=True):
            self.environment[parameter.key] = binding
        return frozenset(known & reads(*(e for binding in bound for e in _read_by(binding))))

    def _argument(
        self, parameter: Node, argument: Node, definition: Definition, by_name: bool
    ) -> Binding:
        self._bind_argument(parameter, argument, definition, by_name)
        return self.environment[parameter.key]

    def _bind_argument(
        self, parameter: Node, argument: Node, definition: Definition, by_name: bool
    ) -> None:
        """Gives a parameter its meaning; `by_name` says that an argument that is just a scalar of
        the caller needs no copy."""
        type = parameter.type
        key = parameter.key
        name = parameter.spelling or "unnamed"
        if is_reference(type):
            pointee = pointee_of(type)
            if vector_element(pointee) is not None:
                binding = self.vector_binding(argument)
                if binding is None:
                    raise unsupported("unsupported-type", argument.span, "this vector argument")
                self.environment[key] = binding
                return
            if is_record(pointee):
                self.environment[key] = self.reference_to(argument, name)
                return
            if is_array(pointee):
                self.environment[key] = ArrayBinding(self.referred_array(argument, name))
                return
            own = scalar_type(pointee)
            if own is None:
                raise unsupported(
                    "unsupported-type",
                    argument.span,
                    f"an argument of type `{parameter.written_type}` isn't understood",
                )
            place: Place = self.referred(argument, own, name)
            self.environment[key] = ScalarBinding(place)
        elif is_record(type):
            self.environment[key] = self._object_argument(parameter, argument, definition)
        elif is_pointer(type) or is_array(type):
            value = self.pointer(argument)
            constant = key not in definition.mutated
            is_address = isinstance(value, Address)
            stays = not isinstance(value, Pointer) or self._stays(value, by_name)
            if constant and stays and not is_address:
                self.environment[key] = PointerBinding(name, value)
                return
            self.environment[key] = PointerBinding(name, None)
            self.set_pointer(key, name, value, constant)
            self.remember_row(key)
        else:
            own = scalar_type(type)
            if own is None:
                raise unsupported(
                    "unsupported-type",
                    argument.span,
                    f"an argument of type `{parameter.written_type}` isn't understood",
                )
            found = convert(self.value(argument), own)
            if key not in definition.mutated and self._is_stable(found, by_name):
                self.environment[key] = ConstantBinding(found)
                return
            copy = self.fresh(name)
            self.assign(copy, found)
            self.environment[key] = ScalarBinding(ScalarPlace(copy, own))

    def _object_argument(self, parameter: Node, argument: Node, definition: Definition) -> Binding:
        """An object that is passed by value."""
        if is_lambda(parameter.type):
            return self.lambda_of(argument)
        refuse_own_copy(parameter.type, argument)
        refuse_destructor(parameter.type, argument)
        name = parameter.spelling or "unnamed"
        copy = self.new_object(parameter.key, name, parameter.type, argument)
        self.construct(copy, parameter.type, argument)
        return copy

    def _is_stable(self, value: Expr, by_name: bool) -> bool:
        """Whether an argument means the same at every place in the callee."""
        while isinstance(value, Cast):
            value = value.value
        return isinstance(value, Const) or (
            isinstance(value, Variable) and (by_name or value.name in self.fixed)
        )

    def _stays(self, pointer: Pointer, by_name: bool) -> bool:
        return self._is_stable(pointer.offset, by_name) and (
            pointer.row is None or self._is_stable(pointer.row, by_name)
        )


def _read_by(binding: Binding) -> Iterable[Expr]:
    """What a parameter's value is made of; what a reference leads to is no value."""
    if isinstance(binding, ConstantBinding):
        yield binding.value
    elif isinstance(binding, PointerBinding) and isinstance(binding.value, Pointer):
        yield binding.value.offset
        if binding.value.row is not None:
            yield binding.value.row
