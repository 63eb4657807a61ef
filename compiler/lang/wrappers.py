"""`in_` and `clone_in`: a stage between another and some of those that read it."""

from __future__ import annotations

from collections.abc import Sequence

from .. import ir
from .errors import fail
from .expr import as_expr
from .function import Definition, Function
from .params import InputImageParam
from .variables import Var


def in_(function: Function, consumers: Sequence[Function] | None) -> Function:
    """The copying stage of `function` for `consumers` (None: for all that have none of their own).

    Asked for again, it is the same one; where some consumers have one and others haven't, or
    different ones, it raises `HalideError`.
    """
    known = _known(function, consumers, "in_")
    if known is not None:
        return known
    name = f"{function.name}_global_wrapper"
    if consumers is not None:
        name = "_".join([f"{function.name}_in", *(c.name for c in consumers)])
    wrapper = Function(name)
    args = [as_expr(Var(a)) for a in function.args]
    wrapper.define(args, [function.read(args, i) for i in range(len(function.types))])
    _record(function, consumers, wrapper)
    return wrapper


def image_in(image: InputImageParam, consumers: Sequence[Function] | None) -> Function:
    """The copying stage of an input image for `consumers`, as `in_` has it for a stage's."""
    if consumers is not None and not consumers:
        fail("Could not create a in_ wrapper for an empty list of Funcs")
    names = [""] if consumers is None else [c.name for c in consumers]
    found = [image.wrappers.get(name) for name in names]
    if any(f is not found[0] for f in found):
        fail(f"Redefinition of the wrapper of {image.name()} in {' '.join(names)} is not allowed.")
    if found[0] is not None:
        return found[0]
    suffix = "global_wrapper" if consumers is None else "_".join(["in", *names])
    wrapper = Function(f"{image.name()}_im_{suffix}")
    args = [as_expr(Var(f"_{i}")) for i in range(image.dimensions())]
    wrapper.define(args, [image[tuple(args)]])
    for name in names:
        image.wrappers[name] = wrapper
    return wrapper


def clone_in(function: Function, consumers: Sequence[Function]) -> Function:
    """A stage with the definitions and the schedule of `function`, that `consumers` read."""
    known = _known(function, consumers, "clone_in")
    if known is not None:
        return known
    name = "_".join([f"{function.name}_clone_in", *(c.name for c in consumers)])
    clone = copy_of(function, name)
    _record(function, consumers, clone)
    return clone


def _known(function: Function, consumers: Sequence[Function] | None, what: str) -> Function | None:
    if not function.defined:
        fail(f'Func "{function.name}" has no definition; {what} needs one.')
    if consumers is None:
        return function.wrappers.get("")
    if not consumers:
        fail(f"Could not create a {what} wrapper for an empty list of Funcs")
    if len(set(consumers)) < len(consumers):
        fail(f"Wrapper redefinition in function {consumers[0].name} is not allowed")
    for consumer in consumers:
        if consumer is function:
            fail(f'Cannot create wrapper of itself ("{function.name}")')
    found = [function.wrappers.get(c.name) for c in consumers]
    if all(f is found[0] for f in found):
        return found[0]
    names = " ".join(c.name for c in consumers)
    fail(f"Redefinition of the wrapper of {function.name} in {names} is not allowed.")


def _record(function: Function, consumers: Sequence[Function] | None, made: Function) -> None:
    for name in [""] if consumers is None else [c.name for c in consumers]:
        function.wrappers[name] = made


def copy_of(function: Function, name: str) -> Function:
    """A stage that computes the same values in the same way, under another name."""
    made = Function(name)
    made.args, made.types = function.args, function.types
    made.make_outputs()
    names = {function.value_name(i): made.value_name(i) for i in range(len(function.types))}

    def renamed(e: ir.Expr) -> ir.Expr:
        return ir.transform(e, lambda node: _renamed_call(node, names))

    for definition in function.definitions:
        made.definitions.append(
            Definition(
                tuple(map(renamed, definition.args)),
                tuple(map(renamed, definition.values)),
                definition.sources,
                definition.domain,
                definition.location,
            )
        )
    made.schedule = function.schedule.copy()
    made.frozen = True
    return made


def _renamed_call(node: ir.Expr, names: dict[str, str]) -> ir.Expr:
    if isinstance(node, ir.Call) and node.kind == "func" and node.name in names:
        return ir.Call(names[node.name], node.args, node.type, "func")
    return node
