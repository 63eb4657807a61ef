"""Kernels as part of the host's code: their PTX, launches, and memory that lies on both sides.

A buffer that kernels use is known by its `halide_buffer_t`, which says what each side holds; the
runtime (runtime_library/cuda.c) works on that. The PTX is a constant of the program.

    struct lift_cuda_kernel  { const char *symbol, *name, *memories; const uint32_t *aligned;
                               uint32_t parameters, shared; };
    struct lift_cuda_program { const char *image; const struct lift_cuda_kernel *kernels;
                               struct loaded *loaded; uint32_t count; };
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..ir import I64, U8, Expr, Type, Variable, stmts
from ..ir.stmt_transform import walk
from ..ir.stmts import Kernel, LoweredFunction
from . import buffers, failures
from .builder import FunctionBuilder, ModuleBuilder, Value, i32, i64
from .ptx import (
    INDEX_WIDTHS,
    IndexWidth,
    dynamic_shared_bytes,
    index_numbers,
    kernel_symbol,
    kernels_ptx,
    takes_narrow,
)
from .scope import Scope, record_name
from .statements import Statements, Translation

LAUNCH = "lift_cuda_launch"
DROP = "lift_cuda_drop"
UNLOAD = "lift_cuda_unload"
COME = "lift_cuda_come"
GO = "lift_cuda_go"
ORIGIN = "lift_cuda_origin"
CALLED = (
    LAUNCH,
    DROP,
    UNLOAD,
    COME,
    GO,
    ORIGIN,
    "lift_cuda_malloc",
    "lift_cuda_copy_to_device",
    "lift_cuda_copy_to_host",
)
"""What code that launches kernels calls of the runtime."""
_ORIGIN_BYTES = 16
"""Of a `struct origin`."""
_ORIGIN = record_name("")
"""What a scope calls that of the thread whose loop it is."""
_KERNEL = "{ ptr, ptr, ptr, ptr, i32, i32 }"
_PROGRAM = "{ ptr, ptr, ptr, i32 }"
_MOST_ELEMENTS = 2**31 - 1
_ZERO, _NULL = i64(0), Value("ptr", "null")
_NO_DEVICE = _ZERO, _NULL
_FLAGS: Mapping[stmts.DeviceAction, int] = {
    "host_changed": buffers.HOST_DIRTY,
    "device_changed": buffers.DEVICE_DIRTY,
}


def has_launches(fn: LoweredFunction) -> bool:
    """Whether the body runs kernels on a device; where the device is emulated it doesn't."""
    return bool(fn.kernels) and any(isinstance(x, stmts.Launch) for x in walk(fn.body))


def own_statements(
    module: ModuleBuilder, fn: LoweredFunction
) -> dict[type[stmts.Stmt], Translation]:
    """What a function that launches kernels has in its own way."""
    if not has_launches(fn):
        return {}
    programs = {width: _program(module, fn, width) for width in INDEX_WIDTHS}
    module.launched += programs.values()
    launched = _Launched(
        programs,
        {kernel.name: (place, kernel) for place, kernel in enumerate(fn.kernels)},
        {a.name: a.dimensions for a in fn.args if a.dimensions is not None},
    )
    return {
        stmts.Launch: launched.launch,
        stmts.DeviceState: _state,
        stmts.Allocate: _allocate,
        stmts.For: _for,
    }


def own_buffer(f: FunctionBuilder, fn: LoweredFunction, constant: Value) -> Value:
    """A `halide_buffer_t` of this call alone for a constant one, which can't say what is where."""
    if not has_launches(fn):
        return constant
    made = f.alloca("i8", buffers.BUFFER_BYTES)
    copy = f.module.declare("llvm.memcpy.p0.p0.i64", "void", "ptr, ptr, i64, i1")
    f.call("void", copy, [made, constant, i64(buffers.BUFFER_BYTES), Value("i1", "false")])
    return made


def new_buffer(
    f: FunctionBuilder,
    type: Type,
    fields: Sequence[Value],
    host: Value,
    device: tuple[Value, Value] = _NO_DEVICE,
    flags: Value = _ZERO,
) -> Value:
    """A `halide_buffer_t` on the stack: `fields` are each dimension's min, extent and stride, and
    `device` is the memory there with its interface."""
    count = len(fields) // 3
    record = f.alloca("i8", buffers.BUFFER_BYTES + buffers.DIMENSION_BYTES * max(count, 1))
    contents = [
        (buffers.DEVICE_OFFSET, device[0]),
        (buffers.INTERFACE_OFFSET, device[1]),
        (buffers.HOST_OFFSET, host),
        (buffers.FLAGS_OFFSET, flags),
        (buffers.TYPE_OFFSET, i32(buffers.type_word(type))),
        (buffers.DIMENSIONS_OFFSET, i32(count)),
        (buffers.DIM_OFFSET, f.element("i8", record, buffers.BUFFER_BYTES)),
        (buffers.PADDING_OFFSET, _NULL),
        *((buffers.BUFFER_BYTES + d * buffers.DIMENSION_BYTES + 12, i32(0)) for d in range(count)),
    ]
    for position, field in enumerate(fields):
        d, which = divmod(position, 3)
        place = buffers.BUFFER_BYTES + d * buffers.DIMENSION_BYTES + 4 * which
        contents.append((place, field))
    for place, value in contents:
        f.do(f"store {value}, {f.element('i8', record, place)}")
    return record


def drop(f: FunctionBuilder, fn: LoweredFunction, buffer: Value) -> None:
    """Frees what such a buffer has on the device."""
    if has_launches(fn):
        f.call("void", f.module.declare(DROP, "void", "ptr", "nounwind"), [buffer])


def unload_symbol(fn: LoweredFunction) -> str:
    return f"lift_unload_{fn.name}"


def add_unload(module: ModuleBuilder, fn: LoweredFunction) -> None:
    """Adds the function that unloads the kernels of the module, for who ends before its process."""
    f = FunctionBuilder(module, f'define void @"{unload_symbol(fn)}"()')
    for program in module.launched:
        f.call("void", module.declare(UNLOAD, "void", "ptr", "nounwind"), [program])
    f.do("ret void")
    f.finish()


def _program(module: ModuleBuilder, fn: LoweredFunction, width: IndexWidth) -> Value:
    """The global that tells the runtime of the function's kernels with indices of so many bits.

    The two are apart, since the driver compiles what is loaded, and few launches need the wide one.
    """
    target = module.target
    text = kernels_ptx(
        fn.kernels, target.capability, target.contracts_floats, fn.in_place, (width,)
    )
    entries: list[str] = []
    for kernel in fn.kernels:
        memories = "".join(f"{p.name}\0" for p in kernel.parameters if p.is_memory)
        aligned = [_multiple_of(p) if p.is_memory else 0 for p in kernel.parameters]
        texts = (kernel_symbol(kernel, width), kernel.name, memories)
        parts = [*map(module.string, texts), _numbers(module, aligned)]
        parts += [i32(len(kernel.parameters)), i32(dynamic_shared_bytes(kernel))]
        entries.append(f"{_KERNEL} {{ {', '.join(map(str, parts))} }}")
    name = f"{module.name}.kernels.{module.fresh()}"
    count = len(entries)
    table, program = f'@"{name}"', f'@"{name}.program"'
    module.add_global(f"{table} = private constant [{count} x {_KERNEL}] [{', '.join(entries)}]")
    fields = f"{module.string(text)}, ptr {table}, ptr null, i32 {count}"
    module.add_global(f"{program} = private global {_PROGRAM} {{ {fields} }}")
    return Value("ptr", program)


def _multiple_of(parameter: stmts.KernelParameter) -> int:
    """What the address of a memory must be a multiple of, as `codegen/ptx` says it to LLVM."""
    return max(parameter.multiple_of, parameter.type.bytes)


def _numbers(module: ModuleBuilder, numbers: Sequence[int]) -> Value:
    name = f'@"{module.name}.numbers.{module.fresh()}"'
    shown = ", ".join(f"i32 {number}" for number in numbers)
    module.add_global(f"{name} = private constant [{len(numbers)} x i32] [{shown}]")
    return Value("ptr", name)


@dataclass(frozen=True)
class _Launched:
    """The kernels of a function."""

    programs: Mapping[IndexWidth, Value]
    places: Mapping[str, tuple[int, Kernel]]
    dimensions: Mapping[str, int]
    """Of the function's buffers; what it allocates has one."""

    def launch(self, statements: Statements, stmt: stmts.Launch, scope: Scope) -> None:
        """Appends a launch of the entry that suits the sizes at run time."""
        place, kernel = self.places[stmt.kernel]
        f, at = statements.function, statements.at(scope)
        values = iter(stmt.values)
        slots: list[Value] = []
        elements: list[Value] = []
        numbers: list[Value] = []
        indices = index_numbers(kernel)
        for parameter in kernel.parameters:
            if parameter.is_memory:
                record = scope.buffers[record_name(parameter.name)]
                given = _field(f, record, buffers.DEVICE_OFFSET, "i64")
                elements.append(_span(f, record, self.dimensions.get(parameter.name, 1)))
            else:
                number = next(values)
                value = at.value(number)
                if not isinstance(number, Variable):
                    # Some kernels look at it only where it is defined.
                    value = f.emit(value.type, f"freeze {value}")
                given = _in_memory(f, value, parameter.type)
                if parameter in indices:
                    numbers.append(f.emit("i64", f"sext {value} to i64"))
            slot = f.alloca(given.type)
            f.do(f"store {given}, {slot}")
            slots.append(slot)
        blocks = [at.value(e) for e in stmt.blocks]
        threads = [at.value(e) for e in stmt.threads]
        along_x = f.emit("i64", f"sext {blocks[0]} to i64")
        is_narrow = takes_narrow(f, elements, numbers, along_x)
        narrow, wide = (self.programs[width] for width in INDEX_WIDTHS)
        program = f.emit("ptr", f"select {is_narrow}, {narrow}, {wide}")
        grids = (_array(f, "i32", blocks), _array(f, "i32", threads), _array(f, "ptr", slots))
        callee = f.module.declare(LAUNCH, "i32", "ptr, ptr, i32, ptr, ptr, ptr", "nounwind")
        status = f.call("i32", callee, [statements.record, program, i32(place), *grids])
        statements.leave_unless_zero(status)


def _span(f: FunctionBuilder, record: Value, dimensions: int) -> Value:
    """From the first to the last element of a buffer, how many there are (i64), or more."""
    last = i64(0)
    # Of another package's memory rows may go backwards.
    absolute = f.module.declare("llvm.abs.i64", "i64", "i64, i1")
    dim = _field(f, record, buffers.DIM_OFFSET, "ptr")
    for d in range(dimensions):
        extent, stride = (
            f.emit("i64", f"sext {_field(f, dim, d * buffers.DIMENSION_BYTES + at, 'i32')} to i64")
            for at in (4, 8)
        )
        steps = f.emit("i64", f"sub {extent}, 1")
        size = f.call("i64", absolute, [stride, Value("i1", "false")])
        far = f.emit("i64", f"mul {steps}, {size.text}")
        last = f.emit("i64", f"add {last}, {far.text}")
    return f.emit("i64", f"add {last}, 1")


def _in_memory(f: FunctionBuilder, value: Value, type: Type) -> Value:
    return f.emit("i8", f"zext {value} to i8") if type.is_bool else value


def _array(f: FunctionBuilder, type: str, values: Sequence[Value]) -> Value:
    made = f.alloca(type, max(len(values), 1))
    for place, value in enumerate(values):
        f.do(f"store {value}, {f.element(type, made, place)}")
    return made


def _field(f: FunctionBuilder, record: Value, offset: int, type: str) -> Value:
    return f.emit(type, f"load {type}, {f.element('i8', record, offset)}")


def _launches(stmt: stmts.Stmt) -> bool:
    return any(isinstance(x, stmts.Launch) for x in walk(stmt))


def _for(statements: Statements, loop: stmts.For, scope: Scope) -> None:
    """A loop; threads of the processor launch in the context and the stream of the one whose loop
    it is."""
    if loop.kind != "parallel" or not _launches(loop):
        statements.repeat(loop, scope)
        return
    f = statements.function
    origin = f.alloca("i8", _ORIGIN_BYTES)
    callee = f.module.declare(ORIGIN, "i32", "ptr, ptr", "nounwind")
    statements.leave_unless_zero(f.call("i32", callee, [statements.record, origin]))
    statements.repeat(loop, scope.with_buffer(_ORIGIN, origin), _at_origin)


@contextmanager
def _at_origin(statements: Statements, scope: Scope) -> Iterator[None]:
    f = statements.function
    was = f.alloca("i8", _ORIGIN_BYTES)
    callee = f.module.declare(COME, "i32", "ptr, ptr, ptr", "nounwind")
    status = f.call("i32", callee, [statements.record, scope.buffers[_ORIGIN], was])
    statements.leave_unless_zero(status)
    with statements.scratch.holding(GO, was):
        yield
    f.call("void", f.module.declare(GO, "void", "ptr", "nounwind"), [was])


def _state(statements: Statements, stmt: stmts.DeviceState, scope: Scope) -> None:
    f, record = statements.function, scope.buffers[record_name(stmt.buffer)]
    flags = f.element("i8", record, buffers.FLAGS_OFFSET)
    if stmt.action in _FLAGS:
        before = f.emit("i64", f"load i64, {flags}")
        f.do(f"store {f.emit('i64', f'or {before}, {_FLAGS[stmt.action]}')}, {flags}")
        return
    _call(statements, f"lift_cuda_{stmt.action}", record, stmt.buffer)
    if stmt.action == "malloc":
        before = f.emit("i64", f"load i64, {flags}")
        f.do(f"store {f.emit('i64', f'and {before}, {~buffers.HOST_DIRTY}')}, {flags}")


def _call(statements: Statements, function: str, record: Value, buffer: str) -> None:
    f = statements.function
    callee = f.module.declare(function, "i32", "ptr, ptr, ptr", "nounwind")
    status = f.call("i32", callee, [statements.record, record, f.module.string(buffer)])
    statements.leave_unless_zero(status)


def _allocate(statements: Statements, stmt: stmts.Allocate, scope: Scope) -> None:
    """Scratch memory, some of which kernels use."""
    scratch = statements.scratch
    if stmt.memory not in ("device", "both"):
        statements.allocate(stmt, scope)
        return
    index: Callable[[Expr], Value] = statements.at(scope).index
    if stmt.memory == "device":
        _with_record(statements, stmt, scope, _NULL, scratch.count(stmt.size, index))
        return
    on_heap = stmts.Allocate(stmt.buffer, stmt.type, stmt.size, stmt.body, "heap")
    with scratch.memory(on_heap, index) as (address, elements):
        count = scratch.count(stmt.size, index)
        inside = scope.with_buffer(stmt.buffer, address, elements)
        _with_record(statements, stmt, inside, address, count)


def _with_record(
    statements: Statements, stmt: stmts.Allocate, scope: Scope, host: Value, count: Value
) -> None:
    """The body, in which the buffer of `count` (i64) elements has memory on the device."""
    f, scratch = statements.function, statements.scratch
    lanes = stmt.type.lanes
    total = count if lanes == 1 else f.emit("i64", f"mul {count}, {lanes}")
    fits = f.emit("i1", f"icmp ule {total}, {_MOST_ELEMENTS}")
    proceed, failed = f.label("proceed"), f.label("failed")
    f.branch(fits, proceed, failed, likely=True)
    f.start(failed)
    message = f"{stmt.buffer} has {{}} elements; on the device it can have {_MOST_ELEMENTS}"
    failures.report(f, statements.record, message, [(total, I64)])
    scratch.free_all()
    f.ret(i32(failures.OUT_OF_MEMORY))
    f.start(proceed)
    element = stmt.type.element
    shape = (i32(0), f.emit("i32", f"trunc {total} to i32"), i32(1))
    record = new_buffer(f, U8 if element.is_bool else element, shape, host)
    _call(statements, "lift_cuda_malloc", record, stmt.buffer)
    with scratch.holding(DROP, record):
        statements.run(stmt.body, scope.with_buffer(record_name(stmt.buffer), record))
    f.call("void", f.module.declare(DROP, "void", "ptr", "nounwind"), [record])


__all__ = [
    "CALLED",
    "LAUNCH",
    "add_unload",
    "drop",
    "has_launches",
    "new_buffer",
    "own_buffer",
    "own_statements",
    "unload_symbol",
]
