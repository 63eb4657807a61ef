"""Effects that write a stage's values to a file, through the C library.

`file_begin:KIND:PATH` (type code, extents...) opens PATH and writes the head of a `tmp` or `npy`
file, `file_put:PATH` appends a value's bytes, `file_end:PATH` closes it. The value of
`file_begin` is 1 where the file can't be opened, those of the others are 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import Type
from .builder import FunctionBuilder, Value, i32, i64, quoted
from .llvm_types import element_type

_DIMENSIONS = 4
_NPY_HEAD = 118
"""Characters of the description in a .npy file: a line, and blanks after it, as Halide has them."""
_NPY_CODES = ("f4", "f8", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8")


def file_effect(
    f: FunctionBuilder, kind: str, text: str, args: Sequence[tuple[Value, Type]]
) -> Value:
    """Appends the code of one effect; its value is 0, or 1 where a file can't be opened."""
    if kind == "file_begin":
        format, _, path = text.partition(":")
        stream = _begin(f, format, path, [value for value, _ in args])
        return f.emit("i32", f"zext {f.emit('i1', f'icmp eq {stream}, null')} to i32")
    else:
        stream = f.emit("ptr", f"load ptr, ptr {_slot(f, text)}, align 8")
        with f.when(f.emit("i1", f"icmp ne {stream}, null")):
            if kind == "file_put":
                _put(f, stream, *args[0])
            else:
                f.call("i32", f.module.declare("fclose", "i32", "ptr"), [stream])
    return i32(0)


def _slot(f: FunctionBuilder, path: str) -> str:
    """The global that holds the open file of `path`."""
    name = f'@"{f.module.name}.file.{quoted(path)}"'
    f.module.add_global(f"{name} = internal global ptr null, align 8")
    return name


def _put(f: FunctionBuilder, stream: Value, value: Value, type: Type) -> None:
    memory = f.alloca(element_type(type), 1, align=8)
    f.do(f"store {value}, {memory}, align 8")
    write = f.module.declare("fwrite", "i64", "ptr, i64, i64, ptr")
    f.call("i64", write, [memory, i64(type.bits // 8), i64(1), stream])


def _begin(f: FunctionBuilder, format: str, path: str, values: list[Value]) -> Value:
    opener = f.module.declare("fopen", "ptr", "ptr, ptr")
    stream = f.call("ptr", opener, [f.module.string(path), f.module.string("wb")])
    f.do(f"store {stream}, ptr {_slot(f, path)}, align 8")
    code, *extents = values
    with f.when(f.emit("i1", f"icmp ne {stream}, null")):
        if format == "npy":
            _npy_head(f, stream, int(code.text), extents)
            return stream
        words = [*extents, *[i32(1)] * (_DIMENSIONS - len(extents)), code]
        memory = f.alloca("i32", len(words), align=16)
        for place, word in enumerate(words):
            slot = f.emit("ptr", f"getelementptr i32, {memory}, i64 {place}")
            f.do(f"store {word}, {slot}, align 4")
        write = f.module.declare("fwrite", "i64", "ptr, i64, i64, ptr")
        f.call("i64", write, [memory, i64(4 * len(words)), i64(1), stream])
    return stream


def _npy_head(f: FunctionBuilder, stream: Value, code: int, extents: list[Value]) -> None:
    letters = _NPY_CODES[code]
    order = "|" if letters.endswith("1") else "<"
    shape = ",".join(["%d"] * len(extents)) + ("," if len(extents) == 1 else "")
    head = f"{{'descr': '{order}{letters}', 'fortran_order': False, 'shape': ({shape})}}\n"
    room = 2 * _NPY_HEAD
    text = f.alloca("i8", room, align=16)
    form = f.module.declare("snprintf", "i32", "ptr, i64, ptr, ...")
    arguments = [text, i64(room), f.module.string(head), *extents]
    f.call("i32", form, arguments, signature="i32 (ptr, i64, ptr, ...)")
    write = f.module.declare("fwrite", "i64", "ptr, i64, i64, ptr")
    # The magic of the format, version 1.0, and the head's length as two bytes, of which one is 0.
    magic = f.alloca("i8", 10, align=16)
    for place, byte in enumerate(b"\x93NUMPY\x01\x00" + bytes([_NPY_HEAD, 0])):
        slot = f.emit("ptr", f"getelementptr i8, {magic}, i64 {place}")
        f.do(f"store i8 {byte}, {slot}, align 1")
    f.call("i64", write, [magic, i64(10), i64(1), stream])
    printer = f.module.declare("fprintf", "i32", "ptr, ptr, ...")
    line = [stream, f.module.string(f"%-{_NPY_HEAD}s"), text]
    f.call("i32", printer, line, signature="i32 (ptr, ptr, ...)")
