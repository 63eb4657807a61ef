"""Arguments: what the parameters of an inlined function stand for."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.ir import Cast, Const, Expr, Variable

from .bindings import (
    ArrayBinding,
    Binding,
    ConstantBinding,
    Key,
    Place,
    Pointer,
    PointerBinding,
    ScalarBinding,
    ScalarPlace,
)
from .failure import unsupported
from .folding import convert
from .library import Library
from .pointers import NAMES
from .program import Definition
from .records import is_lambda, refuse_destructor, refuse_own_copy
from .state import writes
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
        self,
        node: Node,
        definition: Definition,
        arguments: Sequence[Node],
        since: int,
        is_free: bool,
    ) -> None:
        # A method may change its object's fields, a lambda what it has captured.
        is_free = is_free and definition.receiver_type is None
        apart = is_free and not any(map(_may_reach_scalars, arguments))
        bound: dict[Key, Binding] = {}
        for number, (parameter, argument) in enumerate(
            zip(definition.parameters, arguments, strict=False)
        ):
            began = len(self.out)
            self._bind_argument(parameter, argument, definition, apart)
            # A later argument may call the same function, and bind the parameter anew.
            bound[parameter.key] = self.environment[parameter.key]
            if (
                number
                and len(self.out) - began > 1
                and writes(self.out[began:-1]) & writes(self.out[since:began])
            ):
                raise self.unsequenced(node)
        if len(arguments) < len(definition.parameters):
            raise unsupported("unsupported-expression", node.span, "an argument is missing")
        self.environment.update(bound)

    def _bind_argument(
        self, parameter: Node, argument: Node, definition: Definition, apart: bool
    ) -> None:
        """Gives a parameter its meaning; `apart` says that the callee can't change the caller's
        scalars, so that an argument that is just one of them needs no copy."""
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
                self.environment[key] = ArrayBinding(self.known_pointer(argument))
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
            if constant and (not isinstance(value, Pointer) or self._stays(value, apart)):
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
            if key not in definition.mutated and self._is_stable(found, apart):
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

    def _is_stable(self, value: Expr, apart: bool) -> bool:
        """Whether an argument means the same at every place in the callee."""
        while isinstance(value, Cast):
            value = value.value
        return isinstance(value, Const) or (
            isinstance(value, Variable) and (apart or value.name in self.fixed)
        )

    def _stays(self, pointer: Pointer, apart: bool) -> bool:
        return self._is_stable(pointer.offset, apart) and (
            pointer.row is None or self._is_stable(pointer.row, apart)
        )


def _may_reach_scalars(argument: Node) -> bool:
    """Whether an argument may let the callee change a scalar variable of the caller."""
    if argument.kind in NAMES:
        return scalar_type(argument.type) is not None or is_record(argument.type)
    if is_record(argument.type) or (
        is_pointer(argument.type) and is_record(pointee_of(argument.type))
    ):
        return True
    return any(n.kind == "UNARY_OPERATOR" and n.operator == "&" for n in argument.walk())
