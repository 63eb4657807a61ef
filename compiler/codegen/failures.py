"""How generated code says that something went wrong: a code, and a message in a record.

The record is `{ i32 taken, [1020 x i8] message }`; the first failure takes it, later ones (of
other threads) keep only their code.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import F64, I64, Expr, Type
from .builder import Function, Value, i32, i64
from .conversions import convert
from .errors import CodegenError

RECORD_BYTES = 1024
MESSAGE_OFFSET = 4

CHECK_FAILED = 1
OUT_OF_MEMORY = 2
BAD_BUFFER = 3


def new_record(f: Function) -> Value:
    """An empty record on the stack."""
    record = f.alloca("i8", RECORD_BYTES, align=16)
    f.do(f"store i32 0, {record}, align 4")
    message = f.emit("ptr", f"getelementptr i8, {record}, i64 {MESSAGE_OFFSET}")
    f.do(f"store i8 0, {message}, align 1")
    return record


def message_of(f: Function, record: Value) -> Value:
    """The address of the record's text."""
    return f.emit("ptr", f"getelementptr i8, {record}, i64 {MESSAGE_OFFSET}")


def report(
    f: Function, record: Value, message: str, args: Sequence[tuple[Value, Type]] = ()
) -> None:
    """Writes `message` into the record, each `{}` replaced by the next of `args`."""
    pieces = message.split("{}")
    if len(pieces) != len(args) + 1:
        raise CodegenError(f"'{message}' has not one {{}} for each of {len(args)} values")
    text = pieces[0].replace("%", "%%")
    values: list[Value] = []
    for (value, type), piece in zip(args, pieces[1:], strict=True):
        text += _directive(type) + piece.replace("%", "%%")
        values.append(convert(f, value, type, F64 if type.is_float else I64))
    taken = f.emit("{ i32, i1 }", f"cmpxchg {record}, i32 0, i32 1 acq_rel monotonic")
    first = f.emit("i1", f"extractvalue {taken}, 1")
    with f.when(first):
        callee = f.module.declare("snprintf", "i32", "ptr, i64, ptr, ...")
        room = i64(RECORD_BYTES - MESSAGE_OFFSET)
        arguments = [message_of(f, record), room, f.module.string(text), *values]
        f.call("i32", callee, arguments, signature="i32 (ptr, i64, ptr, ...)")


def _directive(type: Type) -> str:
    if type.is_float:
        return "%g"
    return "%llu" if type.is_uint and type.bits == 64 else "%lld"


def code(number: int) -> Value:
    return i32(number)


def describe(expr: Expr) -> str:
    """`expr` for an internal error's message."""
    return str(expr)
