"""How large a lifted function's images will be, as far as schedulers need to know.

Nothing in a source says so: an image of ordinary size is taken. What the region of interest says of
the parameters is kept: where columns run to `cols`, `cols` is the width.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from compiler.ir import Const, Expr, Type, Variable, postorder
from compiler.ir.evaluate import evaluate

from ..emit.interface import Box, Interface

ORDINARY = (1024, 1024)
"""The extents that vary, innermost first; any after these are 1."""

ORDINARY_ROW = 1 << 20
"""The extent of what varies in one direction alone."""


USUAL_NUMBER = 8
"""A whole number that says nothing of a size."""


def estimate(outputs: Sequence[Any], arguments: Sequence[Any], interface: Interface) -> str:
    """Gives the pipeline's outputs, images and parameters the estimates that nobody gave them.

    `outputs` are the `Func`s in the interface's order, `arguments` what the pipeline reads. Returns
    the outputs' extents as text: `dst 1024 x 1024`.
    """
    from compiler.lang.buffer import Buffer
    from compiler.lang.params import InputImageParam
    from compiler.lang.variables import Var

    values = parameter_values(interface)
    for argument in arguments:
        if isinstance(argument, Buffer):
            continue
        if isinstance(argument, InputImageParam):
            array = next(v.array for v in interface.images if v.name == argument.name())
            _estimate_image(argument, interface.accesses.get(array, ()), values)
        elif argument.estimate is None:
            source = interface.scalars[argument.name]
            _estimate_parameter(argument, values.get(source, ordinary_value(argument.type)))
    said = []
    for func, output in zip(outputs, interface.outputs, strict=True):
        own = func.function.schedule.estimates
        extents: list[str] = []
        for name, (low, high) in zip(func.function.args, output.region, strict=True):
            first, end = _number(low, values), _number(high, values)
            if name not in own:
                func.set_estimate(Var(name), first, max(1, end - first))
            extents.append(str(own[name][1]))
        said.append(f"{output.view.array} {' x '.join(extents)}")
    return ", ".join(said)


def parameter_values(interface: Interface) -> dict[str, int]:
    """An ordinary value for every parameter that bounds a region, by the source's name."""
    values: dict[str, int] = {}
    regions = [output.region for output in interface.outputs]
    for region in (*regions, *(box for boxes in interface.accesses.values() for box in boxes)):
        # Of `x0 <= x < x0 + width`, the width is the size.
        sizes = [[n for n in _names(high) if n not in set(_names(low))] for low, high in region]
        varying = [names for names in sizes if names]
        ordinary = ORDINARY if len(varying) > 1 else (ORDINARY_ROW,)
        for number, names in enumerate(varying):
            size = ordinary[number] if number < len(ordinary) else 1
            for name in names:
                # Each factor of `rows * cols` has its part.
                values.setdefault(name, max(1, round(size ** (1 / len(names)))))
    return values


def ordinary_value(type: Type) -> float:
    """What a parameter may be that says nothing of a size."""
    return 0.5 if type.is_float else 1 if type.is_bool else USUAL_NUMBER


def _names(expr: Expr) -> list[str]:
    """The variables of an expression, each once."""
    return list(dict.fromkeys(n.name for n in postorder(expr) if isinstance(n, Variable)))


def _number(expr: Expr, values: Mapping[str, int]) -> int:
    """The value of an index expression."""
    known = dict.fromkeys(_names(expr), USUAL_NUMBER) | dict(values)
    return int(evaluate(expr, known))


def _estimate_image(image: Any, boxes: Sequence[Box], values: Mapping[str, int]) -> None:
    for d in range(image.dimensions() if boxes else 0):
        low = min(_number(box[d][0], values) for box in boxes)
        high = max(_number(box[d][1], values) for box in boxes)
        if image.dim(d).estimate is None and low <= high:
            image.dim(d).set_estimate(low, high - low + 1)


def _estimate_parameter(parameter: Any, value: float) -> None:
    type = parameter.type
    if type.is_integer:
        value = max(int(type.min), min(int(type.max), int(value)))
    parameter.estimate = Const(type, value)


__all__ = ["estimate", "ordinary_value", "parameter_values"]
