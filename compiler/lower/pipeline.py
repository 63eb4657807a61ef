"""From stages to loop nests: the one list of lowering passes, in order."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from ..ir import EQ, Call, Expr, Variable, const, postorder, simplify, substitute
from ..ir import stmts as s
from ..ir.collector import without_collector
from ..ir.stmt_transform import block, map_expressions, prune
from ..ir.stmts import Argument, LoweredFunction, RequiredRegions
from ..lang import (
    Buffer,
    Function,
    FunctionSchedule,
    HalideError,
    InputImageParam,
    Parameter,
    is_undef,
)
from ..lang.names import buffer_field, parameter_variable
from .add_checks import add_checks, required_regions
from .at_once import at_once
from .atomic import needed_atomics
from .bind import bind
from .byte_sums import byte_sums
from .check_requirements import check_requirements
from .check_split_factors import check_split_factors
from .debug_files import debug_files
from .device_copies import with_device_copies
from .emulation import emulated
from .environment import infer_arguments, realization_order, source_name
from .flatten import flatten
from .gpu_loops import check_gpu_loops
from .guard_loads import guard_loads
from .hoist_storage import hoist_storage
from .in_place import with_overwritten
from .inline import inline
from .kept_elements import CallersMemory, left_to_chance, with_kept_elements
from .kernels import offload, on_host
from .late_failures import late_failures
from .narrow_arithmetic import narrow_arithmetic
from .narrow_scratch import narrow_scratch
from .needed_where import with_conditions
from .partition_loops import check_partitioned, partition_loops, policies
from .partition_tails import partition_tails
from .plan import StagePlan
from .prefetch import PrefetchSource, prefetch
from .scans_in_registers import scans_in_registers
from .schedule_stages import schedule_stages
from .schedules import check_inlined
from .searches import searches
from .specialize import simplify_branches
from .storage_layout import storage_layout
from .sums_in_registers import sums_in_registers
from .trace import trace
from .unroll import unroll
from .unswitch import unswitch
from .vectorize import vectorize
from .watch import PassWatch


class TargetFeatures(Protocol):
    """What lowering may know of the machine."""

    @property
    def natural_vector_bits(self) -> int: ...

    @property
    def permutes_bytes(self) -> bool:
        """Whether one instruction picks bytes from anywhere in a whole vector."""
        ...

    @property
    def sums_bytes(self) -> bool:
        """Whether one instruction adds eight bytes to one number, in each lane."""
        ...

    @property
    def masks_lanes(self) -> bool:
        """Whether vector loads and stores can leave out lanes of any width at no cost."""
        ...

    @property
    def has_device(self) -> bool:
        """Whether there is a device for loops over blocks and threads."""
        ...

    @property
    def emulates_device(self) -> bool:
        """Whether the processor is to do what the device would."""
        ...


sys.setrecursionlimit(max(sys.getrecursionlimit(), 5000))
"""A hundred stages nest a hundred storages, each inside of the one before; passes recurse."""

Observer = Callable[[str, s.Stmt], None]
"""Called after each pass with its name and the statement it left."""


@without_collector
def lower(
    outputs: Sequence[Function],
    schedules: Mapping[Function, FunctionSchedule],
    name: str,
    target: TargetFeatures,
    arguments: Sequence[Any] | None = None,
    observe: Observer | None = None,
    same_memory: Mapping[str, str] | None = None,
    memory: CallersMemory | None = None,
    vouched: Collection[str] = (),
) -> LoweredFunction:
    """The loop nests of `outputs` as function `name`: `arguments`, then one buffer for each output.

    `schedules` has one for each stage that the outputs need (`realization_order`). `arguments` are
    `Parameter`s, `InputImageParam`s and `Buffer`s; inferred when None. `same_memory`
    names the output that a caller would like to store where an input lies; where that is right,
    the result's `in_place` has the pair, and else the caller has to copy the input first. With
    `memory` nothing of the caller's is read but what values need, and elements that keep their
    value aren't stored; without, both sides of a choice may be read. Of the images `vouched` the
    caller knows that whatever is read of them is there: nothing is checked, and what is read may
    be unbounded. Raises
    `HalideError` for schedules and regions that make no sense, or a missing argument.
    """
    order = realization_order(outputs)
    inputs = list(arguments) if arguments is not None else infer_arguments(outputs)
    _check_arguments(inputs, outputs)
    _check_names(inputs, order)
    images = [i for i in inputs if isinstance(i, (InputImageParam, Buffer))]
    for function in order:
        check_inlined(function, function in outputs)
    plans = inline(order, outputs, schedules)
    checked = [i for i in images if i.name() not in vouched]
    promised = _promised([*images, *(o for f in outputs for o in f.outputs)])
    kept: frozenset[str] = frozenset()
    unread: frozenset[tuple[str, str]] = frozenset()
    if memory is not None:
        plans = with_conditions(plans)
        plans = with_kept_elements(plans, memory)
        kept = left_to_chance(plans, memory)
        unread = _unread(plans, memory)
    read_exactly = frozenset(i.name() for i in images if memory and isinstance(i, InputImageParam))
    in_time = {a: f for a, f in (same_memory or {}).items() if (a, f) not in unread}
    plans = with_overwritten(plans, in_time, promised)
    overwritten = {p.name: p.overwritten.images for p in plans if p.overwritten is not None}
    body, plans, regions = schedule_stages(plans)
    check_gpu_loops(body)
    levels = regions.loops.by_level
    cut: set[str] = set()
    by_pixels: set[str] = set()
    required = replace(
        required_regions(body, plans, checked, regions),
        promised=_promised_fields([*images, *(o for f in outputs for o in f.outputs)]),
    )
    required = _with_named_parameters(required, inputs)
    outputs_values = {p.name: p.value_names() for p in plans if p.is_output}
    sums_bytes, vector_bits = target.sums_bytes, target.natural_vector_bits
    steps: tuple[tuple[str, Callable[[s.Stmt], s.Stmt]], ...] = (
        ("schedule_stages", lambda x: x),
        ("trace", lambda x: trace(x, plans)),
        ("debug_files", lambda x: debug_files(x, plans)),
        ("add_checks", lambda x: add_checks(x, plans, inputs, regions, vouched)),
        ("check_split_factors", lambda x: check_split_factors(x, plans)),
        ("tuple_regions", lambda x: _tuple_regions(x, plans)),
        ("bind", lambda x: bind(x, promised)),
        ("named_parameters", lambda x: _named_parameters(x, inputs)),
        ("prefetch", lambda x: prefetch(x, plans, [_prefetched(i) for i in images])),
        ("storage_layout", lambda x: storage_layout(x, plans)),
        ("hoist_storage", lambda x: hoist_storage(x, plans, levels)),
        ("flatten", lambda x: flatten(x, outputs_values, promised)),
        ("simplify_branches", simplify_branches),
        ("partition_tails", lambda x: partition_tails(x, target.masks_lanes, cut)),
        (
            "partition_loops",
            lambda x: partition_loops(
                x, policies(plans), target.masks_lanes, target.permutes_bytes, cut
            ),
        ),
        ("check_partitioned", lambda x: check_partitioned(x, plans, cut)),
        ("unroll", unroll),
        ("unswitch", unswitch),
        ("narrow_scratch", narrow_scratch),
        ("narrow_arithmetic", on_host(narrow_arithmetic)),
        ("byte_sums", on_host(lambda x: byte_sums(x, vector_bits) if sums_bytes else x)),
        ("scans_in_registers", on_host(lambda x: scans_in_registers(x, vector_bits))),
        ("guard_loads", lambda x: guard_loads(x, read_exactly, by_pixels)),
        ("vectorize", lambda x: vectorize(x, target.masks_lanes)),
        ("check_requirements", check_requirements),
        ("atomic", lambda x: needed_atomics(x, plans)),
        ("simplify", lambda x: prune(map_expressions(x, simplify))),
        ("sums_in_registers", on_host(sums_in_registers)),
        ("searches", on_host(searches)),
    )
    stopwatch = PassWatch(name)
    for step, run in steps:
        body = run(body)
        if observe is not None:
            observe(step, body)
        stopwatch.passed(step, body)
    body, in_place = at_once(body, overwritten)
    arguments_of = (*map(_argument, inputs), *_output_arguments(outputs))
    body, kernels = offload(body, name, arguments_of)
    if kernels and not target.has_device:
        raise HalideError(
            f"Schedule for {name} has loops over GPU blocks, but no GPU (CUDA) is specified in the "
            "target."
        )
    if target.emulates_device:
        body = emulated(body, kernels)
    else:
        body = with_device_copies(
            body, kernels, arguments_of, _defined(plans) if memory is None else ()
        )
    large = frozenset(n for p in plans if p.schedule.stream_large for n in p.value_names())
    stores, loads = _streamed(plans)
    return LoweredFunction(
        name,
        arguments_of,
        body,
        stores,
        loads,
        required,
        stream_large=large,
        in_place=in_place | unread,
        read_exactly=read_exactly,
        read_by_pixels=frozenset(by_pixels),
        left_to_chance=kept,
        kernels=kernels,
        late_failures=late_failures(body, [a.name for a in arguments_of if a.is_output]),
    )


def _defined(plans: Sequence[StagePlan]) -> set[str]:
    """The outputs each element of which gets a value before any stage reads it."""
    return {
        name
        for p in plans
        if p.is_output and not any(map(is_undef, postorder(*p.definitions[0].values)))
        for name in p.value_names()
    }


def _unread(plans: Sequence[StagePlan], memory: CallersMemory) -> frozenset[tuple[str, str]]:
    """The images of which nothing is read, since their elements stay, and where they lie."""
    nodes = postorder(*(e for p in plans for d in p.definitions for e in d.expressions))
    read = {node.name for node in nodes if isinstance(node, Call) and node.kind == "image"}
    return frozenset(pair for pair in memory.same.items() if pair[0] not in read)


def _prefetched(image: Any) -> PrefetchSource:
    return PrefetchSource((image.name(),), (image.element_type,), is_image=True)


def _streamed(plans: Sequence[StagePlan]) -> tuple[frozenset[str], frozenset[str]]:
    """The memories that are written, and those that are read, past the caches."""
    stores = {n for p in plans if p.schedule.stream_stores for n in p.value_names()}
    reading = [
        e for p in plans if p.schedule.stream_loads for d in p.definitions for e in d.expressions
    ]
    calls = (node for node in postorder(*reading) if isinstance(node, Call))
    return frozenset(stores), frozenset(c.name for c in calls if c.kind in ("func", "image"))


def _check_arguments(inputs: Sequence[Any], outputs: Sequence[Function]) -> None:
    given = {source_name(i) for i in inputs}
    for needed in infer_arguments(outputs):
        if source_name(needed) not in given:
            raise HalideError(
                f"Generated code refers to {source_name(needed)}, "
                "which was not found in the argument list."
            )
    names = [source_name(i) for i in inputs] + [o.name() for f in outputs for o in f.outputs]
    for name in names:
        if names.count(name) > 1:
            raise HalideError(f'Two arguments of the pipeline are named "{name}".')


def _check_names(inputs: Sequence[Any], stages: Sequence[Function]) -> None:
    """Raises `HalideError` where two memories have one name: it would be one memory."""
    names = [i.name() for i in inputs if not isinstance(i, Parameter)]
    for stage in stages:
        count = len(stage.types)
        names += [stage.name, *(f"{stage.name}.{i}" for i in range(count) if count > 1)]
    for name in names:
        if names.count(name) > 1:
            raise HalideError(
                f'Can\'t have two different buffers with the same name: "{name}". '
                "Give the image or the Func another."
            )


def _argument(source: Any) -> Argument:
    if isinstance(source, Parameter):
        return Argument(source.name, source.type)
    alignment = source.alignment if isinstance(source, InputImageParam) else 1
    return Argument(source.name(), source.element_type, source.dimensions(), alignment=alignment)


def _output_arguments(outputs: Sequence[Function]) -> list[Argument]:
    return [
        Argument(o.name(), o.element_type, o.dimensions(), is_output=True, alignment=o.alignment)
        for f in outputs
        for o in f.outputs
    ]


def _promised(images: Sequence[Any]) -> dict[Expr, Expr]:
    """Buffer fields with the constants that they have or that a check establishes."""
    made: dict[Expr, Expr] = {}
    for image in images:
        for d in range(image.dimensions()):
            if isinstance(image, Buffer):
                made[buffer_field(image.name(), "stride", d)] = const(image.dim(d).stride())
                continue
            for field, value in image.dim(d).promised.items():
                if value is not None and _is_about(image.name(), value):
                    made[buffer_field(image.name(), field, d)] = value
    return made


def _promised_fields(images: Sequence[Any]) -> tuple[tuple[str, Expr], ...]:
    """What is promised of images that a caller makes, and of outputs, by field."""
    return tuple(
        (buffer_field(image.name(), field, d).name, value)
        for image in images
        if not isinstance(image, Buffer)
        for d in range(image.dimensions())
        for field, value in image.dim(d).promised.items()
        if value is not None
    )


def _is_about(image: str, value: Expr) -> bool:
    """Whether a promise is in terms of the image itself; others are checked, and that is all."""
    return all(x.name.startswith(f"{image}.") for x in postorder(value) if isinstance(x, Variable))


def _named_parameters(body: s.Stmt, inputs: Sequence[Any]) -> s.Stmt:
    """Parameters under the names that the caller knows, now that no coordinate can be mistaken."""
    mapping = _parameter_names(inputs)
    return map_expressions(body, lambda e: substitute(e, mapping))


def _with_named_parameters(required: RequiredRegions, inputs: Sequence[Any]) -> RequiredRegions:
    mapping = _parameter_names(inputs)
    return RequiredRegions(
        tuple((name, substitute(value, mapping)) for name, value in required.lets),
        tuple(
            (name, tuple((substitute(a, mapping), substitute(b, mapping)) for a, b in box))
            for name, box in required.boxes
        ),
        tuple((name, substitute(value, mapping)) for name, value in required.promised),
    )


def _parameter_names(inputs: Sequence[Any]) -> dict[Expr, Expr]:
    return {
        parameter_variable(i.name, i.type): Variable(i.name, i.type)
        for i in inputs
        if isinstance(i, Parameter)
    }


def _tuple_regions(body: s.Stmt, plans: Sequence[StagePlan]) -> s.Stmt:
    """The region of an output with several values is that of its first buffer."""
    for plan in plans:
        if not plan.is_output or len(plan.types) == 1:
            continue
        first, *others = plan.value_names()
        fields = [(field, d) for d in range(len(plan.args)) for field in ("min", "extent")]
        for field, d in fields:
            value = buffer_field(first, field, d)
            body = s.LetStmt(buffer_field(plan.name, field, d).name, value, body)
            for other in others:
                given = buffer_field(other, field, d)
                message = (
                    f"The {field} of dimension {d} of {other} is {{}}; that of {first} is {{}}"
                )
                body = block(s.AssertStmt(EQ(given, value), message, (given, value)), body)
    return body
