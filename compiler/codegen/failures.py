"""How generated code says that something went wrong: a code, and a message in a record.

The record is `{ i32 taken, [1016 x i8] message, i32 has_stored }`; the first failure takes it,
later ones (of other threads) keep only their code. What runs on a device says whether it has stored
there.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import F64, I64, Type
from ..ir.message_text import pieces_of
from .builder import FunctionBuilder, ModuleBuilder, Value, i64
from .conversions import convert
from .errors import CodegenError

RECORD_BYTES = 1024
MESSAGE_OFFSET = 4
HAS_STORED_OFFSET = 1020

# The numbers of Halide's `halide_error_code_t`.
BAD_TYPE = -3
ACCESS_OUT_OF_BOUNDS = -4
EXTENTS_TOO_LARGE = -6
OUT_OF_MEMORY = -11
BUFFER_IS_NULL = -12
UNALIGNED_HOST = -24
EXTENTS_NEGATIVE = -28
HOST_IS_NULL = -34
DEVICE_APART = -42
BAD_DIMENSIONS = -43
DEVICE_DIRTY = -44

SHARED_NUMBERS = 6


def new_record(f: FunctionBuilder) -> Value:
    """An empty record on the stack."""
    record = f.alloca("i8", RECORD_BYTES, align=16)
    f.do(f"store i32 0, {record}, align 4")
    message = f.emit("ptr", f"getelementptr i8, {record}, i64 {MESSAGE_OFFSET}")
    f.do(f"store i8 0, {message}, align 1")
    return record


def message_of(f: FunctionBuilder, record: Value) -> Value:
    """The address of the record's text."""
    return f.emit("ptr", f"getelementptr i8, {record}, i64 {MESSAGE_OFFSET}")


def report(
    f: FunctionBuilder, record: Value, message: str, args: Sequence[tuple[Value, Type]] = ()
) -> None:
    """Writes `message` into the record, each `{}` replaced by the next of `args`, if any."""
    pieces = pieces_of(message) if args else ["{}".join(pieces_of(message))]
    if len(pieces) != len(args) + 1:
        raise CodegenError(f"'{message}' has not one {{}} for each of {len(args)} values")
    text = pieces[0].replace("%", "%%")
    values: list[Value] = []
    for (value, type), piece in zip(args, pieces[1:], strict=True):
        text += _directive(type) + piece.replace("%", "%%")
        values.append(convert(f, value, type, F64 if type.is_float else I64))
    format = f.module.string(text)
    if len(values) <= SHARED_NUMBERS and all(value.type == "i64" for value in values):
        padding = [i64(0)] * (SHARED_NUMBERS - len(values))
        f.call("void", _shared_report(f.module), [record, format, *values, *padding])
    else:
        _write(f, record, format, values)


def _write(f: FunctionBuilder, record: Value, format: Value, values: Sequence[Value]) -> None:
    """Fills the record in, unless another failure has."""
    taken = f.emit("{ i32, i1 }", f"cmpxchg {record}, i32 0, i32 1 acq_rel monotonic")
    with f.when(f.emit("i1", f"extractvalue {taken}, 1")):
        callee = f.module.declare("snprintf", "i32", "ptr, i64, ptr, ...")
        room = i64(HAS_STORED_OFFSET - MESSAGE_OFFSET)
        arguments = [message_of(f, record), room, format, *values]
        f.call("i32", callee, arguments, signature="i32 (ptr, i64, ptr, ...)")


def _shared_report(module: ModuleBuilder) -> str:
    """One function a module for all messages of whole numbers, so that checks cost little code.

    C ignores arguments that a format does not mention, so all messages may pass as many.
    """
    symbol = "@lift.report"
    if module.once(symbol):
        numbers = [Value("i64", f"%n{position}") for position in range(SHARED_NUMBERS)]
        parameters = ", ".join(["ptr %record", "ptr %format", *map(str, numbers)])
        shared = FunctionBuilder(
            module, f"define internal void {symbol}({parameters}) cold noinline nounwind"
        )
        _write(shared, Value("ptr", "%record"), Value("ptr", "%format"), numbers)
        shared.ret()
        shared.finish()
    return symbol


def report_type(module: ModuleBuilder) -> str:
    """One function a module: a message that ends with the name of a buffer's type.

    `void(record, prefix, word)`; the word is `halide_type_t` as a number.
    """
    symbol = "@lift.report_type"
    if not module.once(symbol):
        return symbol
    f = FunctionBuilder(
        module,
        f"define internal void {symbol}(ptr %record, ptr %prefix, i32 %word) "
        "cold noinline nounwind",
    )
    code = f.emit("i32", "and i32 %word, 255")
    bits = f.emit("i32", f"and i32 {f.emit('i32', 'lshr i32 %word, 8').text}, 255")
    name = f.module.string("type")
    for number, text in ((0, "int"), (1, "uint"), (2, "float"), (3, "handle"), (4, "bfloat")):
        is_this = f.emit("i1", f"icmp eq {code}, {number}")
        name = f.emit("ptr", f"select {is_this}, {f.module.string(text)}, {name}")
    lanes = f.emit("i32", "lshr i32 %word, 16")
    one = f.emit("i1", f"icmp eq {lanes}, 1")
    scalar, vector = f.module.string("%s%s%d"), f.module.string("%s%s%dx%d")
    format = f.emit("ptr", f"select {one}, {scalar}, {vector}")
    arguments = [Value("ptr", "%prefix"), name, bits, lanes]
    _write(f, Value("ptr", "%record"), format, arguments)
    f.ret()
    f.finish()
    return symbol


def _directive(type: Type) -> str:
    if type.is_float:
        return "%g"
    return "%llu" if type.is_uint and type.bits == 64 else "%lld"
