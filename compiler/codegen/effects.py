"""Calls that do something beside giving a value: lines on stderr, in process on stdout.

`print:TEXT` writes TEXT with its arguments in the place of `{}` and gives the first of them;
`print_when:TEXT` has a condition before them; `trace:TEXT` gives the last, `print_line:TEXT` 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir import F64, I64, Call, Type
from ..ir.message_text import pieces_of
from .builder import FunctionBuilder, Value, i32
from .conversions import convert
from .errors import CodegenError
from .files import file_effect

if TYPE_CHECKING:
    from .expressions import Expressions


def effect(at: Expressions, node: Call) -> Value:
    """Appends the code of the effect; gives the call's value."""
    kind, _, text = node.name.partition(":")
    args = [(at.value(arg), arg.type) for arg in node.args]
    if any(type.lanes != 1 for _, type in args):
        raise CodegenError(f"{kind} of vectors: its loop should have been left serial")
    if kind == "print":
        write_line(at.function, text, args)
        return args[0][0]
    if kind == "print_line":
        write_line(at.function, text, args)
        return i32(0)
    if kind == "trace":
        write_line(at.function, text, args)
        return args[-1][0]
    if kind == "print_when":
        with at.function.when(args[0][0]):
            write_line(at.function, text, args[1:])
        return args[1][0]
    if kind.startswith("file_"):
        return file_effect(at.function, kind, text, args)
    raise CodegenError(f"effect {kind} left in a lowered function")


def write_line(f: FunctionBuilder, text: str, args: Sequence[tuple[Value, Type]]) -> None:
    """Prints `text`, each `{}` replaced by the next of `args`."""
    pieces = pieces_of(text)
    if len(pieces) != len(args) + 1:
        raise CodegenError(f"'{text}' has not one {{}} for each of {len(args)} values")
    pattern = pieces[0].replace("%", "%%")
    values: list[Value] = []
    for (value, type), piece in zip(args, pieces[1:], strict=True):
        directive, passed = _formatted(f, value, type)
        pattern += directive + piece.replace("%", "%%")
        values.append(passed)
    callee = f.module.declare("dprintf", "i32", "i32, ptr, ...")
    arguments = [i32(f.module.printed_to), f.module.string(pattern), *values]
    f.call("i32", callee, arguments, signature="i32 (i32, ptr, ...)")


def _formatted(f: FunctionBuilder, value: Value, type: Type) -> tuple[str, Value]:
    """C's directive for a value of `type`, and what to pass for it."""
    if type.is_bool:
        texts = [f.module.string(word) for word in ("true", "false")]
        return "%s", f.emit("ptr", f"select {value}, {texts[0]}, {texts[1]}")
    if type.is_float:
        directive = "%e" if type.bits == 64 else "%f"
        return directive, convert(f, value, type, F64)
    directive = "%llu" if type.is_uint and type.bits == 64 else "%lld"
    return directive, convert(f, value, type, I64)
