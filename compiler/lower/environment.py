"""What a pipeline consists of: its stages in the order they are made, and what it reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..lang import Buffer, Function, HalideError, InputImageParam, Parameter
from .wrappers import definitions_of


def realization_order(outputs: Sequence[Function]) -> list[Function]:
    """All stages that `outputs` need, producers before their consumers.

    Raises `HalideError` when a stage needs itself through others.
    """
    order: list[Function] = []
    state: dict[Function, int] = {}

    def visit(function: Function) -> None:
        state[function] = 1
        for definition in definitions_of(function):
            for source in _ordered(definition.sources):
                if isinstance(source, Function):
                    if state.get(source) == 1:
                        raise HalideError(f'Func "{source.name}" is used in its own definition.')
                    if source not in state:
                        visit(source)
        state[function] = 2
        order.append(function)

    for output in outputs:
        if output not in state:
            visit(output)
    return order


def _ordered(sources: Iterable[Any]) -> list[Any]:
    return sorted(sources, key=source_name)


def source_name(source: Any) -> str:
    """The name of a stage, image or parameter; of an RDom, its first variable's."""
    if isinstance(source, (Function, Parameter)):
        return source.name
    if isinstance(source, (Buffer, InputImageParam)) or hasattr(source, "dim"):
        return str(source.name())
    return str(source.names[0]) if source.names else ""


def infer_arguments(outputs: Sequence[Function]) -> list[Any]:
    """The images, then the scalar parameters, that the pipeline reads, each in order of name."""
    found: set[Any] = set()
    for function in realization_order(outputs):
        found |= function.schedule.sources
        for output in function.outputs if function in outputs else ():
            found |= output.promise_sources
        for definition in definitions_of(function):
            found |= definition.sources
    pending = list(found)
    while pending:
        source = pending.pop()
        more = source.promise_sources - found if isinstance(source, InputImageParam) else ()
        found |= set(more)
        pending += more
    images = [s for s in found if isinstance(s, (InputImageParam, Buffer))]
    scalars = [s for s in found if isinstance(s, Parameter)]
    for kind in (images, scalars):
        names = [source_name(s) for s in kind]
        if len(set(names)) != len(names):
            twice = next(n for n in names if names.count(n) > 1)
            raise HalideError(f'Two different parameters of the pipeline are named "{twice}".')
    return [*_ordered(images), *_ordered(scalars)]


def schedule_key(outputs: Sequence[Function]) -> Any:
    """A value that changes whenever a schedule, a definition or a promise about shapes does."""
    parts: list[Any] = []
    for function in realization_order(outputs):
        wrappers = tuple((consumer, w.name) for consumer, w in function.wrappers.items())
        parts += [function.name, len(function.definitions), wrappers, function.schedule.key()]
        parts.extend(_promises(o) for o in function.outputs)
    for argument in infer_arguments(outputs):
        if isinstance(argument, InputImageParam):
            parts.append(_promises(argument))
        elif isinstance(argument, Parameter):
            parts.append((argument.name, argument.minimum, argument.maximum))
    return tuple(parts)


def _promises(image: Any) -> tuple[Any, ...]:
    dims = [image.dim(i).promised for i in range(image.dimensions())]
    return (image.name(), image.alignment, *(tuple(sorted(d.items())) for d in dims))
