"""A lowered function as LLVM functions: the body, and the entries through which it is called.

* the body, internal: takes addresses, mins, extents and strides one by one, and the failure record;
* the checked entry: takes the failure record and `halide_buffer_t`s, tests that they are what the
  pipeline expects, and calls the body; constant buffers it has by itself;
* the C entry `int NAME(halide_buffer_t *..., scalars)`: owns a failure record, and reports what
  stands in it through the runtime's error handler.
"""

from __future__ import annotations

from ..ir import I32
from ..ir.stmts import LoweredFunction
from . import failures, launches, streams
from .allocation import reserve_name
from .buffer_checks import OpenedBuffers, fields
from .builder import FunctionBuilder, ModuleBuilder, Value, i32
from .constants import constant_buffer
from .llvm_types import memory_type, register_type
from .loop_hints import vector_stages
from .parameters import from_memory, widened
from .scope import BoundVariable, Scope, record_name
from .selection import Selection
from .statements import Statements

ERROR_HANDLER = "lift_error"


def body_symbol(fn: LoweredFunction) -> str:
    return f'@"{fn.name}.body"'


def checked_symbol(fn: LoweredFunction) -> str:
    return f"lift_checked_{fn.name}"


def body_parameter_types(fn: LoweredFunction) -> list[str]:
    """The body's parameters: the record, then each argument's address and fields, or number.

    One that launches kernels takes the buffer itself, too, which says where it is newest.
    """
    types = ["ptr"]
    own = ["ptr"] if launches.has_launches(fn) else []
    for argument in fn.args:
        if argument.is_buffer:
            types += ["ptr", *["i32"] * len(fields(argument)), *own]
        else:
            types.append(register_type(argument.type))
    return types


def add_body(module: ModuleBuilder, fn: LoweredFunction, with_reserves: bool = False) -> None:
    """Adds the internal function that computes the pipeline.

    With reserves it takes what its late allocations may need before it stores anything.
    """
    types = body_parameter_types(fn)
    parameters = ", ".join(f"{type} %p{position}" for position, type in enumerate(types))
    # Never inlined: buffers of one run don't overlap, but one run may read what another wrote.
    attributes = "noinline" + streams.attributes(fn.stream_stores | fn.stream_large)
    f = FunctionBuilder(module, f"define internal i32 {body_symbol(fn)}({parameters}) {attributes}")
    module.start_memory(fn.name, fn.in_place)
    module.vector_stages = vector_stages(fn.body)
    f.stream_stores, f.stream_loads = fn.stream_stores, fn.stream_loads
    f.stream_large = fn.stream_large
    module.selected = Selection(module.target)
    values = iter([Value(type, f"%p{position}") for position, type in enumerate(types)])
    record = next(values)
    scope = Scope()
    takes_buffers = launches.has_launches(fn)
    for argument in fn.args:
        if not argument.is_buffer:
            bound = BoundVariable(argument.type, next(values))
            scope = scope.with_variable(argument.name, widened(f, bound))
            continue
        scope = scope.with_buffer(argument.name, next(values))
        for field in fields(argument):
            scope = scope.with_variable(field, widened(f, BoundVariable(I32, next(values))))
        if takes_buffers:
            scope = scope.with_buffer(record_name(argument.name), next(values))
        if argument.dimensions == 1 and argument.name not in fn.read_exactly:
            # Where the stride is another than 1, an index is no byte plus a base.
            size = scope.variables[f"{argument.name}.extent.0"].wide
            scope = scope.with_buffer(argument.name, scope.buffers[argument.name], size)
    inputs = [a.name for a in fn.args if a.is_buffer and not a.is_output]
    for argument in fn.args:
        if argument.name in fn.stream_large:
            is_large = streams.is_large(f, scope, argument, inputs)
            scope = scope.with_variable(streams.size_flag(argument.name), is_large)
    statements = Statements(f, record, fn.name, launches.own_statements(module, fn))
    pieces = fn.late_failures.reserves if with_reserves else ()
    with statements.scratch.reserved(pieces, statements.at(scope).index) as reserves:
        for name, reserve in reserves.items():
            scope = scope.with_buffer(reserve_name(name), reserve)
        statements.run(fn.body, scope)
    streams.fence(f)
    f.ret(i32(0))
    f.finish()


def add_checked_entry(module: ModuleBuilder, fn: LoweredFunction, exported: bool) -> None:
    """Adds the entry that takes a failure record and the C interface's arguments."""
    parameters = ["ptr %record", *_c_parameters(fn)]
    linkage = "" if exported else "internal "
    f = FunctionBuilder(
        module, f'define {linkage}i32 @"{checked_symbol(fn)}"({", ".join(parameters)})'
    )
    record = Value("ptr", "%record")
    addresses: dict[str, Value] = {}
    scalars: dict[str, BoundVariable] = {}
    for constant in fn.constants:
        type = next(a.type for a in fn.args if a.name == constant.name)
        address = constant_buffer(module, constant, type)
        addresses[constant.name] = launches.own_buffer(f, fn, address)
    for position, argument in enumerate(fn.parameters):
        if argument.is_buffer:
            addresses[argument.name] = Value("ptr", f"%a{position}")
        else:
            given = Value(memory_type(argument.type), f"%a{position}")
            bound = BoundVariable(argument.type, from_memory(f, given, argument.type))
            scalars[argument.name] = widened(f, bound)
    opened = OpenedBuffers(f, record, fn)
    opened.open(addresses, scalars)
    args: list[Value] = [record]
    for argument in fn.args:
        if argument.is_buffer:
            args += opened.values(argument)
        else:
            args.append(scalars[argument.name].value)
    status = f.call("i32", body_symbol(fn), args)
    for constant in fn.constants:
        launches.drop(f, fn, addresses[constant.name])
    f.ret(status)
    f.finish()


def _c_parameters(fn: LoweredFunction) -> list[str]:
    return [
        f"{'ptr' if argument.is_buffer else memory_type(argument.type)} %a{position}"
        for position, argument in enumerate(fn.parameters)
    ]


def add_c_entry(module: ModuleBuilder, fn: LoweredFunction) -> None:
    """Adds `int NAME(...)`, which reports a failure and returns its code, or returns 0."""
    f = FunctionBuilder(module, f'define i32 @"{fn.name}"({", ".join(_c_parameters(fn))})')
    record = failures.new_record(f)
    args = [
        Value("ptr" if argument.is_buffer else memory_type(argument.type), f"%a{position}")
        for position, argument in enumerate(fn.parameters)
    ]
    status = f.call("i32", f'@"{checked_symbol(fn)}"', [record, *args])
    failed = f.emit("i1", f"icmp ne {status}, 0")
    with f.when(failed):
        f.call(
            "void", module.declare(ERROR_HANDLER, "void", "ptr"), [failures.message_of(f, record)]
        )
    f.ret(status)
    f.finish()
