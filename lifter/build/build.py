"""`lift build`: emitted functions to objects, archives, shared libraries and headers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compiler.ir import (
    BOOL,
    I64,
    LE,
    TRUE,
    Add,
    And,
    BitAnd,
    BitOr,
    BitXor,
    Call,
    Cast,
    Const,
    Expr,
    Max,
    Min,
    Mul,
    Or,
    Select,
    Shl,
    Shr,
    Sub,
    Variable,
    postorder,
    transform,
)
from compiler.ir.simplify_coordinate import simplify_coordinate
from compiler.ir.stmt_transform import without_threads

from ..emit import LoadedPipeline, Unreadable, read_pipeline
from ..emit.header import header_text
from ..emit.interface import Box, ImageView, Interface, Parameter, load_interface
from ..emit.parameter_lists import declared
from ..model.diagnostic import Diagnostic, LiftError, Span
from ..model.parameters import given_of
from .estimates import estimate
from .on_device import reads_or_stores_in_part
from .plain_char import char_warning
from .same_memory import callers_memory, is_everywhere, promise_origins, same_memory
from .schedule_file import (
    apply_schedule,
    check_demands,
    given_schedule,
    is_written,
    schedule_path,
    written,
)
from .together import together

if TYPE_CHECKING:
    from compiler.codegen.entry import BufferBinding, Entry, EntryParam
    from compiler.codegen.target import Target
    from compiler.ir.stmts import LoweredFunction


_FAR = 1 << 40
"""A row that no table has."""
_ANYWHERE = Const(I64, -(1 << 30)), Const(I64, (1 << 31) - 1)
"""The min and the extent that stand for coordinates of which nothing is known."""


@dataclass(frozen=True, slots=True)
class BuiltFunction:
    """The files of one function; `shared` is None, and `note` says why, without a linker. It also
    says what a cross build must know."""

    name: str
    folder: Path
    object: Path
    header: Path
    archive: Path
    shared: Path | None
    note: str | None = None
    schedule: Path | None = None
    """The directives under which it was built, where there are any."""


@dataclass(frozen=True, slots=True)
class Scheduling:
    """Who schedules: a method of `compiler.autosched` by its name, with its settings as texts, and
    whoever wrote a schedule by hand; None for the schedule that stands beside the program, else the
    compiler's default; `default` for that in any case."""

    method: str | None = None
    settings: tuple[tuple[str, str], ...] = ()
    threads: bool = True
    """Whether loops may run on several threads."""


def load_compiler() -> None:
    """Loads the compiler once, so that children share it and start at once."""
    import compiler.codegen.library
    import compiler.frontend.pipeline
    import compiler.lower.pipeline  # noqa: F401


def build(
    directory: Path,
    target: str | None = None,
    scheduling: Scheduling = Scheduling(),
    *,
    progress: Callable[[str], None] = lambda text: None,
) -> list[BuiltFunction]:
    """Compiles every emitted function below `directory`, each into its own folder.

    `target` is the host when None. Raises `LiftError` (`nothing-to-build`) when there is none, and
    whatever `build_function` raises.
    """
    folders = sorted(path.parent for path in directory.rglob("summary.json"))
    if not folders:
        raise LiftError(
            Diagnostic(
                "nothing-to-build",
                "error",
                f"{directory} has no lifted functions (no summary.json below it)",
                help="lift something first: lift SOURCE -o DIR",
            )
        )
    built = []
    for folder in folders:
        progress(f"building {folder.name}")
        built.append(build_function(folder, target, scheduling))
    return built


def build_function(
    folder: Path, target: str | None = None, scheduling: Scheduling = Scheduling()
) -> BuiltFunction:
    """Compiles one emitted function, and makes the files beside its `pipeline.py`.

    Nothing in the folder is run, but whether it is as it was proved is not looked at here
    (`building.build_all`). Raises what `lowered` raises.
    """
    from compiler.codegen.errors import LinkError
    from compiler.codegen.library import build_library
    from compiler.codegen.target import Target

    interface = load_interface(folder)
    machine = Target.host() if target is None else Target.parse(target)
    made = lowered(folder, interface, machine, scheduling)
    schedule = schedule_path(folder, interface.name)
    notes = [char_warning(folder, machine.architecture)]
    if made.no_kernels is not None:
        notes.append(f"no kernels: {made.no_kernels}")
    if made.chosen is not None:
        schedule.write_text(made.chosen, encoding="utf-8")
    elif made.directives is not None and not is_written(made.directives):
        notes.append(f"scheduled by {schedule.name}, which was written by hand")
    stem = interface.name
    shared: Path | None = folder / f"lib{stem}.so"
    header = header_text(interface, on_device=machine.has_device)
    try:
        build_library(made.fn, made.entry, folder, machine, stem=stem, header=header)
    except LinkError as error:
        shared = None
        notes.append(str(error))
    return BuiltFunction(
        stem,
        folder,
        folder / f"{stem}.o",
        folder / f"{stem}.h",
        folder / f"lib{stem}.a",
        shared,
        "; ".join(filter(None, notes)) or None,
        schedule if made.directives is not None else None,
    )


@dataclass(frozen=True, slots=True)
class LoweredPipeline:
    """A function's program ready for code generation."""

    fn: LoweredFunction
    entry: Entry
    directives: str | None = None
    """The schedule's text, where there is one."""
    chosen: str | None = None
    """The same, where a method chose it and nobody else's is in its place."""
    no_kernels: str | None = None
    """Why a program for a machine with a GPU has none."""


def read_program(folder: Path, name: str) -> LoadedPipeline:
    """What the `pipeline.py` in `folder` says of the function `name`; it is read and never run.

    Raises `LiftError` (`edited`) for one that isn't of the shapes that `lift` writes.
    """
    from compiler.lang.errors import HalideError

    path = folder / "pipeline.py"
    line, why = 1, ""
    try:
        return read_pipeline(path.read_bytes().decode("utf-8"), name)
    except Unreadable as error:
        line, why = error.line, str(error).partition(": ")[2]
    except HalideError as error:
        why = str(error)
    except (OSError, ValueError) as error:
        why = f"it can't be read: {error}"
    raise LiftError(
        Diagnostic(
            "edited",
            "error",
            f"{name} can't be built: {why}",
            Span(str(path), line, 1, line, 1),
            notes=("pipeline.py is read and never run",),
            help=f"a schedule belongs into {schedule_path(folder, name).name}; for all else, edit "
            "the source and lift it again",
        )
    )


def lowered(
    folder: Path,
    interface: Interface,
    machine: Target,
    scheduling: Scheduling = Scheduling(),
    directives: str | None = None,
) -> LoweredPipeline:
    """Reads the `pipeline.py` in `folder`, schedules and lowers it for `machine`.

    The entry has the name that `interface` has; `directives` are an earlier schedule to take over.
    Raises `LiftError`: `build-unsupported` for a function with a result or one that can't be
    scheduled as asked for, `edited` for a program and `schedule-file` for a schedule that can't be
    read; and the compiler's errors (`HalideError`, `CodegenError`).
    """
    from compiler.frontend.pipeline import Pipeline
    from compiler.lower import realization_order

    if machine.has_device:
        on_host = replace(machine, capability=0)
        made = lowered(folder, interface, on_host, scheduling, directives)
        return with_kernels(made, folder, interface, machine)
    if interface.returns is not None and interface.returned is None:
        raise LiftError(
            Diagnostic(
                "build-unsupported",
                "error",
                f"{interface.name} returns {interface.returns}: functions with a result "
                "cannot be built yet",
                family="unsupported",
            )
        )
    own_name = load_interface(folder).name
    path = schedule_path(folder, own_name)
    if directives is None:
        directives = given_schedule(folder, own_name, scheduling.method)
    method = None if scheduling.method == "default" else scheduling.method
    loaded = read_program(folder, own_name)
    if directives is None and method is None:
        outputs, buffers = together(interface, list(loaded.outputs))
        made = _lowered(interface, machine, Pipeline(outputs), buffers, own_name)
        return made if scheduling.threads else _alone(made)
    pipeline = Pipeline(list(loaded.outputs))
    buffers = [func.output_buffer() for func in loaded.outputs]
    _promise(interface, pipeline, buffers)
    chosen = None
    if directives is not None:
        apply_schedule(directives, pipeline, path)
    if method is not None and not any(
        f.schedule.any_touched for f in realization_order(pipeline._outputs())
    ):
        text = _scheduled(pipeline, interface, machine, replace(scheduling, method=method))
        if directives is None:
            directives = chosen = written(method, text)
    made = _lowered(interface, machine, pipeline, buffers, own_name)
    unscheduled = read_program(folder, own_name).outputs
    own = [func.output_buffer() for func in unscheduled]
    plain = _lowered(interface, machine, Pipeline(list(unscheduled)), own, own_name)
    check_demands(made.fn, plain.fn, path)
    made = replace(made, directives=directives, chosen=chosen)
    return made if scheduling.threads else _alone(made)


def with_kernels(
    made: LoweredPipeline, folder: Path, interface: Interface, machine: Target
) -> LoweredPipeline:
    """The pipeline with an alternative for calls whose images lie on a GPU, or are copied there.

    Its schedule is the compiler's own for GPUs. `no_kernels` says why there is none; calls whose
    images lie on a GPU fail then.
    """
    from compiler.codegen.ptx import kernels_ptx
    from compiler.frontend.pipeline import Pipeline
    from compiler.lang.errors import HalideError

    on_host = replace(made, entry=replace(made.entry, refuses_device=True))
    own_name = load_interface(folder).name
    outputs, buffers = together(interface, list(read_program(folder, own_name).outputs))
    pipeline = Pipeline(outputs)
    try:
        other = _lowered(interface, machine, pipeline, buffers, own_name)
        fn = replace(other.fn, name=f"{interface.name}_kernels")
        kernels_ptx(fn.kernels, machine.capability, machine.contracts_floats, fn.in_place, (32,))
    except (HalideError, LiftError) as error:
        return replace(on_host, no_kernels=str(error))
    overwritten = {o.view.array for o in interface.outputs}
    in_place = {image for image, _ in fn.in_place}
    moved = [i.name for i in interface.images if i.array in overwritten and i.name not in in_place]
    if not fn.kernels or moved:
        why = f"{moved[0]} is overwritten while it is read" if moved else "nothing runs in blocks"
        return replace(on_host, no_kernels=why)
    sources = pipeline.argument_sources()
    copies = all(i.strides for i in interface.images) and not reads_or_stores_in_part(
        interface, fn, pipeline._outputs()
    )
    entry = make_entry(interface, buffers, sources, in_place, copies_all=copies)
    return replace(made, entry=replace(made.entry, device=(fn, replace(entry, copies=copies))))


def _alone(made: LoweredPipeline) -> LoweredPipeline:
    """The pipeline on the caller's thread."""
    return replace(made, fn=replace(made.fn, body=without_threads(made.fn.body)))


def _lowered(
    interface: Interface, machine: Target, pipeline: Any, buffers: Sequence[Any], own_name: str
) -> LoweredPipeline:
    """The pipeline as it is scheduled by now; `buffers` are those of the interface's outputs, and
    `own_name` is the name of the function that was lifted."""
    from compiler.frontend.lowering import schedule_and_lower

    hulls = _promise(interface, pipeline, buffers)
    alike = same_memory(interface, buffers, hulls)
    name = f"{interface.name}_pipeline"
    wide = {
        view.name
        for view in interface.images
        if any(map(is_everywhere, _hull(interface.accesses[view.array])))
    }
    vouched = wide | _read_where_bounds_are_wide(pipeline._outputs())
    memory = callers_memory(interface, buffers)
    fn = schedule_and_lower(
        pipeline._outputs(), name, machine, same_memory=alike, memory=memory, vouched=vouched
    )
    in_place = {image for image, _ in fn.in_place}
    _refuse_copies(interface, fn, in_place, _read_elsewhere(pipeline._outputs()))
    entry = make_entry(interface, buffers, pipeline.argument_sources(), in_place)
    # Another name than its own is one that a program was given for itself.
    return LoweredPipeline(fn, replace(entry, is_hidden=interface.name != own_name))


def _read_where_bounds_are_wide(outputs: Sequence[Any]) -> set[str]:
    """The images that are read where a number says that was itself read, or bits of a coordinate:
    the pipeline sees wider bounds than the proof does, or none. The entry holds all that the proof
    sees."""
    from compiler.lower import realization_order

    found: set[str] = set()
    for function in realization_order(outputs):
        for definition in function.definitions:
            for node in postorder(*definition.args, *definition.values):
                if isinstance(node, Call) and node.kind == "image":
                    parts = postorder(*node.args)
                    if any(_is_read(p) or _is_of_bits(p) for p in parts):
                        found.add(node.name)
    return found


def _is_of_bits(expr: Expr) -> bool:
    shifts = isinstance(expr, (Shl, Shr)) and not isinstance(expr.b, Const)
    return shifts or isinstance(expr, (BitAnd, BitOr, BitXor))


def _is_read(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.kind in ("func", "image")


def _read_elsewhere(outputs: Sequence[Any]) -> set[str]:
    """The images that are read at another place than the one that is stored there."""
    from compiler.lower import realization_order

    found: set[str] = set()
    for function in realization_order(outputs):
        for definition in function.definitions:
            for node in postorder(*definition.args, *definition.values):
                if not (isinstance(node, Call) and node.kind == "image"):
                    continue
                if node.args != tuple(definition.args):
                    found.add(node.name)
    return found


def _refuse_copies(
    interface: Interface,
    fn: LoweredFunction,
    in_place: Collection[str],
    elsewhere: Collection[str],
) -> None:
    """A copy of what a call overwrites reads all of it: more than the original where that looks at
    pixels to decide what it reads, or leaves elements alone at an end. Raises `LiftError`.

    That the original touches the ends of what is read at other places is proved.
    """
    written = {output.view.array for output in interface.outputs}
    never = {output.view.array for output in interface.outputs if output.is_never_copied}
    for view in interface.images:
        if view.array not in written or view.name in in_place:
            continue
        if view.name in fn.read_by_pixels or view.array in never:
            what = f"reads elements of {view.array} under conditions on pixels"
        elif view.name in fn.left_to_chance and not (
            view.name in elsewhere and _ends_with_reads(interface, view.array)
        ):
            what = f"reads {view.array} and leaves some of its elements alone"
        else:
            continue
        raise LiftError(
            Diagnostic(
                "build-unsupported",
                "error",
                f"{interface.name} {what}, and this schedule overwrites it before all is read",
                help="build it with --schedule default",
                family="unsupported",
            )
        )


def _ends_with_reads(interface: Interface, array: str) -> bool:
    """Whether what is stored of an array lies between what is read of it."""
    stored = [
        tuple((low, Sub(high, Const(I64, 1))) for low, high in output.region)
        for output in interface.outputs
        if output.view.array == array
    ]
    settled = [_settled(box) for box in interface.accesses[array]]
    regions = list(map(_settled, stored))
    others = [box for box in settled if box not in regions]
    return not others or _settled(_hull(others)) == _settled(_hull(settled))


def _settled(box: Box) -> Box:
    return tuple((simplify_coordinate(low), simplify_coordinate(high)) for low, high in box)


def _promise(interface: Interface, pipeline: Any, buffers: Sequence[Any]) -> dict[str, Box]:
    """Tells the pipeline where its buffers begin; the hull of what is accessed of each array."""
    hulls = {array: _hull(boxes) for array, boxes in interface.accesses.items() if boxes}
    promise_origins(interface, buffers, pipeline.argument_sources(), hulls)
    return hulls


def _scheduled(pipeline: Any, interface: Interface, target: Any, scheduling: Scheduling) -> str:
    """Schedules the pipeline; the directives, as text that says whose they are."""
    from compiler.autosched.interface import autoschedule
    from compiler.lang.errors import HalideError

    assert scheduling.method is not None
    sizes = estimate(pipeline.outputs(), pipeline.argument_sources(), interface)
    try:
        decision, text = autoschedule(
            pipeline._outputs(), target, scheduling.method, dict(scheduling.settings)
        )
    except HalideError as error:
        raise LiftError(
            Diagnostic(
                "build-unsupported",
                "error",
                f"{interface.name} can't be scheduled by {scheduling.method}: {error}",
                help="give it estimates or a schedule of your own in "
                f"{interface.name}.schedule.py, or build it with --schedule default",
                family="unsupported",
            )
        ) from None
    head = (
        f"# The schedule of {interface.name} by {decision.method}, for {decision.machine.name},\n"
        f"# {decision.machine.threads} threads, vectors of {decision.machine.vector_bits} bits; "
        f"planned for {sizes}.\n"
        "# `pipeline` is hl.Pipeline(outputs). The directives are read, and never run.\n\n"
    )
    return head + text


def make_entry(
    interface: Interface,
    outputs: Sequence[Any],
    arguments: Sequence[Any],
    in_place: Collection[str] = (),
    copies_all: bool = False,
) -> Entry:
    """How the C function's parameters become the arguments of the lowered pipeline.

    `outputs` are the pipeline's buffers in the interface's order, `arguments` what it reads;
    `in_place` are the images that it reads before it overwrites them. Others that it overwrites
    are copied first, or all are.
    """
    from compiler.codegen.entry import Entry
    from compiler.lang.buffer import Buffer
    from compiler.lang.params import InputImageParam

    binder = _Binder(interface)
    buffers: dict[str, BufferBinding] = {}
    scalars: dict[str, Expr] = {}
    tables: dict[str, tuple[Any, Sequence[int | float]]] = {}
    views = {view.name: view for view in interface.images}
    for argument in arguments:
        if isinstance(argument, Buffer):
            values = argument.array.ravel(order="F").tolist()
            tables[argument.name()] = (argument.element_type, values)
        elif isinstance(argument, InputImageParam):
            view = views[argument.name()]
            overwritten = any(o.view.array == view.array for o in interface.outputs)
            copies = copies_all or (overwritten and view.name not in in_place)
            buffers[view.name] = binder.image(view, copies)
        else:
            scalars[argument.name] = binder.scalar(interface.scalars[argument.name])
    for buffer, output in zip(outputs, interface.outputs, strict=True):
        box = tuple((low, Sub(high, Const(I64, 1))) for low, high in output.region)
        buffers[buffer.name()] = binder.binding(output.view, box)
    flat = "_flat" if any(p.kind == "vector" for p in interface.params) else ""
    return Entry(
        f"{interface.name}_lifted{flat}",
        tuple(param for p in interface.params for param in binder.parameters(p)),
        buffers,
        scalars,
        tables=tables,
        condition=binder.condition(),
    )


class _Binder:
    """Turns the summary's index expressions into ones over the C function's parameters."""

    def __init__(self, interface: Interface) -> None:
        self.interface = interface
        self.types = {p.name: p.type for p in interface.params if p.kind == "scalar"}
        self.given = {given_of(p.name).name for p in interface.params if p.may_be_null}

    def parameters(self, parameter: Parameter) -> list[EntryParam]:
        from compiler.codegen.entry import EntryParam

        name, kind = parameter.name, parameter.type
        if parameter.kind == "scalar":
            return [EntryParam(name, "scalar", kind, parameter.element)]
        if parameter.kind == "rows":
            rows = self._rows(name)
            spelling = declared(parameter, flat=True).removesuffix(name)
            return [EntryParam(name, "rows", kind, spelling, *rows)]
        element = f"{'const ' if parameter.const else ''}{parameter.element} *"
        pointer = EntryParam(name, "pointer", kind, element)
        if parameter.kind == "vector":
            return [pointer, EntryParam(f"{name}_size", "scalar", I64, "int64_t")]
        return [pointer]

    def _rows(self, array: str) -> tuple[Expr, Expr]:
        """The first row in use, and how many there are; rows of empty boxes aren't."""
        boxes = self.interface.accesses.get(array, ())
        if not boxes:
            return Const(I64, 0), Const(I64, 0)
        rows = [
            tuple(
                Select(self.has_points(array, box), end, Const(I64, far))
                for end, far in zip(box[-1], (_FAR, -_FAR), strict=True)
            )
            for box in boxes
        ]
        low, high = _hull([((a, b),) for a, b in rows])[0]
        return self.index(low), self.index(_count(low, high))

    def scalar(self, source: str) -> Expr:
        if source in self.types:
            own: Expr = Variable(source, self.types[source])
        elif source in self.given:
            own = Variable(source, BOOL)
        else:
            own = Variable(source.replace(".", "_"), I64)
        return own

    def index(self, expr: Expr) -> Expr:
        """An index expression as an int64 one over the parameters' own types."""

        def visit(node: Expr) -> Expr:
            if isinstance(node, Variable) and not node.name.endswith(".row_stride"):
                own = self.scalar(node.name)
                if node.type is I64 and own.type is not I64:
                    own = Cast(I64, own)
                return own
            return node

        return transform(expr, visit)

    def image(self, view: ImageView, copy_first: bool) -> BufferBinding:
        boxes = self.interface.accesses[view.array]
        hull = _hull(boxes)
        reach = _reach(boxes, hull, view.strides) if copy_first else None
        return self.binding(view, hull, reach)

    def binding(
        self, view: ImageView, box: Box, reach: tuple[Expr, Expr] | None = None
    ) -> BufferBinding:
        """The buffer over the coordinates of `box`; it is a copy where `reach` says of what."""
        from compiler.codegen.entry import BufferBinding

        mins = tuple(_ANYWHERE[0] if is_everywhere(b) else self.index(b[0]) for b in box)
        extents = tuple(_ANYWHERE[1] if is_everywhere(b) else self.index(_count(*b)) for b in box)
        strides = tuple(map(self.index, view.strides))
        offset = self.index(view.offset)
        for low, stride in zip(mins, strides, strict=True):
            offset = Add(offset, Mul(low, stride))
        copied = None if reach is None else (self.index(reach[0]), self.index(reach[1]))
        return BufferBinding(view.array, offset, mins, extents, strides, copied)

    def has_points(self, array: str, box: Box) -> Expr:
        """Whether a box of an array has elements; one of a null pointer has none."""
        has = _has_points(box)
        given = given_of(array)
        return And(given, has) if given.name in self.given else has

    def condition(self) -> Expr | None:
        """When anything is written at all."""
        joined: Expr | None = None
        for output in self.interface.outputs:
            if output.condition is None:
                return None
            joined = output.condition if joined is None else Or(joined, output.condition)
        return None if joined is None else self.index(joined)


def _hull(boxes: Sequence[Box]) -> Box:
    """The smallest box around all."""
    first, *rest = boxes
    hull = list(first)
    for box in rest:
        for number, (low, high) in enumerate(box):
            a, b = hull[number]
            hull[number] = (a if a is low else Min(a, low), b if b is high else Max(b, high))
    return tuple(hull)


def _reach(boxes: Sequence[Box], hull: Box, strides: Sequence[Expr]) -> tuple[Expr, Expr]:
    """The first and the last element in any of `boxes`, counted from the hull's first point."""
    first: Expr = Const(I64, _FAR)
    last: Expr = Const(I64, -_FAR)
    for box in boxes:
        low: Expr = Const(I64, 0)
        high: Expr = Const(I64, 0)
        for (a, b), (start, _), stride in zip(box, hull, strides, strict=True):
            ends: list[Expr] = [Mul(Sub(end, start), stride) for end in (a, b)]
            if not (isinstance(stride, Const) and stride.value > 0):
                ends = [Min(*ends), Max(*ends)]
            low, high = Add(low, ends[0]), Add(high, ends[1])
        has = _has_points(box)
        first = Min(first, Select(has, low, Const(I64, _FAR)))
        last = Max(last, Select(has, high, Const(I64, -_FAR)))
    return simplify_coordinate(first), simplify_coordinate(last)


def _has_points(box: Box) -> Expr:
    """Whether a box has elements; one without dimensions, as of a scalar, is a single one."""
    found: Expr | None = None
    for low, high in box:
        one = LE(low, high)
        found = one if found is None else And(found, one)
    return TRUE if found is None else found


def _count(low: Expr, high: Expr) -> Expr:
    """How many coordinates there are; none where `high` is below `low`."""
    if isinstance(low, Const) and isinstance(high, Const):
        return Const(I64, max(int(high.value) - int(low.value) + 1, 0))
    made: Expr = Max(Add(Sub(high, low), Const(I64, 1)), Const(I64, 0))
    return made
