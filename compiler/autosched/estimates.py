"""From estimates of outputs, images and parameters to the box of every stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..ir import I32 as _I32
from ..ir import Const, Expr, postorder
from ..lang import Buffer, Function, HalideError, InputImageParam, Parameter
from ..lang.names import buffer_field, parameter_variable
from ..lower.environment import infer_arguments, realization_order
from ..lower.plan import planned
from ..lower.wrappers import definitions_of
from .graph import InputImage, PipelineGraph, StoredStage, make_part
from .partial import left_as_they_are, named_loops
from .reach import FAR, Box, Range, ReachFacts, compiled, extent, hull, is_far, meet

EVERYTHING: Range = (-FAR, FAR)


def estimated_graph(outputs: Sequence[Function]) -> PipelineGraph:
    """The graph of all stages, each with the box that the estimates imply.

    Boxes go from the outputs' estimates to what they read (autoscheduler-2016 section 4.1); what
    data reaches into needs an estimate of its own. Raises `HalideError`, naming what is missing.
    """
    order = realization_order(outputs)
    sources = infer_arguments(outputs)
    known = ReachFacts(_numbers(sources))
    _add_values(order, known)
    given: dict[str, list[Range]] = {}
    for image in sources:
        if isinstance(image, InputImageParam | Buffer):
            given[image.name()] = _image_estimates(image, known)
    for function in order:
        given[function.name] = _stage_estimates(function, known)
    _check_outputs(outputs, given)
    parts = {
        f.name: tuple(make_part(planned(d), f, known) for d in definitions_of(f)) for f in order
    }
    named, left = named_loops(order), left_as_they_are(order)
    stages: dict[str, StoredStage] = {}
    boxes: dict[str, Box] = {f.name: tuple(given[f.name]) for f in outputs}
    for function in reversed(order):
        name = function.name
        silent = partial(_silent, name, stages, sources, known)
        box = _known(name, "stage", function.args, boxes.get(name), given[name], silent)
        kept = named.get(name, frozenset())
        is_fixed = function.schedule.any_touched or bool(kept) or name in left
        stage = StoredStage(function, parts[name], function in outputs, box, is_fixed, kept)
        stages[name] = stage
        for part in stage.parts:
            ranges = part.ranges(stage, box)
            for producer, calls in part.reads.items():
                if producer == name:
                    continue
                for call in calls:
                    reached = compiled(call.args, part.loops, known)(ranges)
                    # What an estimate limits is never read beyond it, as far as we plan.
                    boxes[producer] = hull(boxes.get(producer), _within(reached, given[producer]))
    images = {}
    for image in sources:
        if isinstance(image, InputImageParam | Buffer) and image.name() in boxes:
            name = image.name()
            axes = [f"dim({d})" for d in range(image.dimensions())]
            silent = partial(_silent, name, stages, sources, known)
            box = _known(name, "image", axes, boxes[name], given[name], silent)
            images[name] = InputImage(name, image.element_type, box)
    return PipelineGraph({f.name: stages[f.name] for f in order if f.name in stages}, images, known)


def _numbers(sources: Sequence[Any]) -> dict[Expr, float]:
    """What estimates and promises say of parameters and of the sizes of images."""
    fixed: dict[Expr, float] = {}
    for source in sources:
        if isinstance(source, Parameter):
            value = source.estimate
            if value is not None:
                fixed[parameter_variable(source.name, source.type)] = value.value
            continue
        for d in range(source.dimensions()):
            low, size = _dimension_estimate(source, d)
            if isinstance(low, Const):
                fixed[buffer_field(source.name(), "min", d)] = int(low.value)
            if isinstance(size, Const):
                fixed[buffer_field(source.name(), "extent", d)] = int(size.value)
    return fixed


def _add_values(order: Sequence[Function], known: ReachFacts) -> None:
    """The ranges of what pure stages hold, wherever they are computed: data that was clamped and
    is then an index reaches no further than the clamp."""
    for function in order:
        definitions = definitions_of(function)
        if len(definitions) == 1:
            ends = compiled(definitions[0].values, (), known)(())
            for i, range in enumerate(ends):
                if not is_far(range):
                    known.values[function.value_name(i)] = range


def _dimension_estimate(image: Any, d: int) -> tuple[Any, Any]:
    """(min, extent) as constants or expressions; None where nothing is said."""
    if isinstance(image, Buffer):
        return Const(_I32, image.dim(d).min()), Const(_I32, image.dim(d).extent())
    dimension = image.dim(d)
    promised = dimension.promised
    low, size = dimension.estimate if dimension.estimate is not None else (None, None)
    return promised.get("min") or low, promised.get("extent") or size


def _image_estimates(image: Any, known: ReachFacts) -> list[Range]:
    return [_range(*_dimension_estimate(image, d), known) for d in range(image.dimensions())]


def _stage_estimates(function: Function, known: ReachFacts) -> list[Range]:
    schedule = function.schedule
    made = []
    for d, arg in enumerate(function.args):
        pairs: list[tuple[Expr | None, Expr | None]] = [schedule.estimates.get(arg, (None, None))]
        pairs.extend((b.min, b.extent) for b in schedule.bounds if b.var == arg)
        if function.outputs:
            pairs.append(_dimension_estimate(function.outputs[0], d))
        ranges = [_range(low, size, known) for low, size in pairs]
        made.append(next((r for r in ranges if not is_far(r)), EVERYTHING))
    return made


def _range(low: Expr | None, size: Expr | None, known: ReachFacts) -> Range:
    if size is None:
        return EVERYTHING
    start, length = compiled([low if low is not None else Const(_I32, 0), size], (), known)(())
    if is_far(start) or is_far(length):
        return EVERYTHING
    return start[0], start[0] + length[0] - 1


def _check_outputs(outputs: Sequence[Function], given: dict[str, list[Range]]) -> None:
    missing = [
        f"{f.name}.set_estimate({arg}, min, extent)"
        for f in outputs
        for arg, range in zip(f.args, given[f.name], strict=True)
        if is_far(range)
    ]
    if missing:
        raise HalideError(
            "The autoscheduler needs to know how large the outputs will be. Missing: "
            + "; ".join(missing)
        )
    for f in outputs:
        for arg, range in zip(f.args, given[f.name], strict=True):
            if extent(range) == 0:
                raise HalideError(f"The estimated extent of {arg} of {f.name} is not above 0.")


def _silent(
    name: str, stages: Mapping[str, StoredStage], sources: Sequence[Any], known: ReachFacts
) -> list[str]:
    """The calls that would say what the reads of `name` depend on: the sizes of images and the
    parameters, as far as they were not estimated."""
    calls: dict[Expr, str] = {}
    for source in sources:
        if isinstance(source, Parameter):
            variable = parameter_variable(source.name, source.type)
            calls[variable] = f"{source.name}.set_estimate(value)"
            continue
        for d in range(source.dimensions()):
            for field in ("min", "extent"):
                variable = buffer_field(source.name(), field, d)
                calls[variable] = f"{source.name()}.dim({d}).set_estimate(min, extent)"
    found: dict[str, None] = {}
    for stage in stages.values():
        for part in stage.parts:
            for call in part.reads.get(name, ()):
                for node in postorder(*call.args):
                    if node in calls and node not in known.numbers:
                        found[calls[node]] = None
    return list(found)


def _within(box: Box, limits: Sequence[Range]) -> Box:
    return meet(box, tuple(limits))


def _known(
    name: str,
    what: str,
    axes: Sequence[str],
    box: Box | None,
    given: Sequence[Range],
    silent: Callable[[], list[str]],
) -> Box:
    """The box as far as it is known; raises `HalideError` where it isn't. `silent` tells of sizes
    that it depends on and that nobody estimated."""
    found = tuple(given) if box is None else meet(box, tuple(given))
    for axis, range in zip(axes, found, strict=True):
        if is_far(range):
            sizes = silent()
            if sizes:
                raise HalideError(
                    f"What is read of {what} {name} along {axis} depends on sizes that nobody "
                    f"estimated. Missing: {'; '.join(sizes)}"
                )
            call = f"set_estimate({axis}, min, extent)"
            if what == "image":
                call = f"{axis}.set_estimate(min, extent)"
            raise HalideError(
                f"What is read of {what} {name} along {axis} depends on data or on parameters: "
                f"clamp the coordinate, or give an estimate. Missing: {name}.{call}"
            )
    return found
