"""Machine code in this process: compile a lowered function and call it on numpy arrays."""

from __future__ import annotations

import ctypes
import sys
import weakref
from collections.abc import Sequence
from typing import Any

from ..codegen.buffers import BufferArgument, ReadyBuffer
from ..codegen.builder import ModuleBuilder
from ..codegen.errors import CompilerRuntimeError
from ..codegen.failures import MESSAGE_OFFSET
from ..codegen.launches import add_unload, has_launches, unload_symbol
from ..codegen.optimise import linked, optimised
from ..codegen.pipeline import add_body, add_checked_entry, checked_symbol
from ..codegen.target import Target, llvm_binding, resolved
from ..ir import Type
from ..ir.stmts import Argument, LoweredFunction
from . import in_process
from .device import PassedBuffers, sides_of
from .trampoline import failure_record, trampoline

_INTEGERS = {
    ("int", 8): ctypes.c_int8,
    ("int", 16): ctypes.c_int16,
    ("int", 32): ctypes.c_int32,
    ("int", 64): ctypes.c_int64,
    ("uint", 1): ctypes.c_uint8,
    ("uint", 8): ctypes.c_uint8,
    ("uint", 16): ctypes.c_uint16,
    ("uint", 32): ctypes.c_uint32,
    ("uint", 64): ctypes.c_uint64,
    ("float", 32): ctypes.c_float,
    ("float", 64): ctypes.c_double,
}


class LoadedModule:
    """A module's machine code in this process, alive as long as this object.

    `with_passes`: LLVM's, which some bytes of machine code don't need.
    """

    def __init__(self, text: str, target: Target, with_passes: bool = True) -> None:
        machine = target.machine(jit=True)
        if with_passes:
            module = optimised(text, target, machine)
        else:
            module = linked((text,), target, machine)
        self._engine = llvm_binding().create_mcjit_compiler(module, machine)
        self._engine.finalize_object()

    def address(self, symbol: str) -> int:
        """Where the function `symbol` starts."""
        return int(self._engine.get_function_address(symbol))


class CompiledFunction:
    """A pipeline as machine code; call it with one value for each of `args`, in order."""

    def __init__(self, fn: LoweredFunction, loaded: LoadedModule) -> None:
        self.name = fn.name
        self.args = fn.args
        self._loaded = loaded
        types = [
            ctypes.c_void_p if argument.is_buffer else _c_type(argument.type)
            for argument in fn.args
        ]
        prototype = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, *types)
        self._function = prototype(loaded.address(checked_symbol(fn)))
        self._call = trampoline(fn.args)(self._function, self._pass_all)

    def __call__(self, *values: Any, mins: dict[str, Sequence[int]] | None = None) -> None:
        """Runs the pipeline on the caller's own memory.

        Buffers are numpy arrays (last axis is dimension 0, `mins[name]` the coordinates of its
        first element, else zeros), `BufferArgument`s, or objects with `array` and `dim`; scalars
        are Python numbers. Raises `TypeError` or `ValueError` for an argument that does not fit,
        `CompilerRuntimeError` when a check of the pipeline fails.
        """
        if mins is None and len(values) == len(self.args):
            status, _, address = self._call(values)
        else:
            status, _, address = self._pass_all(values, mins)
        if status:
            message = ctypes.string_at(address + MESSAGE_OFFSET)
            raise CompilerRuntimeError(message.decode(errors="replace"))

    def _pass_all(
        self, values: Sequence[Any], mins: dict[str, Sequence[int]] | None = None
    ) -> tuple[int, Any, int]:
        """Checks and passes each value; gives the status, and the failure's record and address."""
        if len(values) != len(self.args):
            raise TypeError(f"{self.name} takes {len(self.args)} arguments, not {len(values)}")
        passed: list[int | float] = []
        kept: list[Any] = []
        for argument, value in zip(self.args, values, strict=True):
            if argument.is_buffer:
                passed.append(self._opened(argument, value, mins, kept))
            else:
                passed.append(_number(value, argument.type, argument.name))
        failure, address = failure_record()
        return self._function(address, *passed), failure, address

    def _opened(
        self,
        argument: Argument,
        value: Any,
        mins: dict[str, Sequence[int]] | None,
        kept: list[Any],
    ) -> int:
        """The address of the C record of `value`, which lives as long as `kept`."""
        if sides_of(value) is not None and not argument.is_output:
            value.copy_to_host()  # and what a device has stays as new as it is
            buffer = _on_either_side(value, argument.name, mins)
        else:
            buffer = BufferArgument.of(value, argument.name, (mins or {}).get(argument.name))
        buffer.check(argument)
        if hasattr(value, "ready"):
            ready = value.ready = ReadyBuffer(buffer, argument.type)
            kept.append(ready)
            return ready.address
        record = buffer.record(argument.type)
        kept.append((buffer, record))
        return ctypes.addressof(record)


class PrintingFunction(CompiledFunction):
    """A pipeline that prints: after what Python has printed before the call."""

    def __call__(self, *values: Any, mins: dict[str, Sequence[int]] | None = None) -> None:
        sys.stdout.flush()
        super().__call__(*values, mins=mins)


class LaunchingFunction(CompiledFunction):
    """A pipeline that runs kernels on a device.

    What it leaves there of a Buffer is copied when somebody looks at the Buffer; what it leaves of
    other arrays is copied at once. It waits for nothing else.
    """

    def __init__(self, fn: LoweredFunction, loaded: LoadedModule) -> None:
        super().__init__(fn, loaded)
        unload = ctypes.CFUNCTYPE(None)(loaded.address(unload_symbol(fn)))
        weakref.finalize(self, _unload, unload, loaded)

    def __call__(self, *values: Any, mins: dict[str, Sequence[int]] | None = None) -> None:
        sys.stdout.flush()
        if len(values) != len(self.args):
            raise TypeError(f"{self.name} takes {len(self.args)} arguments, not {len(values)}")
        buffers, passed = PassedBuffers(), list[int | float]()
        failure, address = failure_record()
        status = 1
        try:
            for argument, value in zip(self.args, values, strict=True):
                if argument.is_buffer:
                    buffer = _on_either_side(value, argument.name, mins)
                    buffer.check(argument)
                    passed.append(buffers.record(buffer, value, argument.type, argument.is_output))
                else:
                    passed.append(_number(value, argument.type, argument.name))
            status = self._function(address, *passed)
        finally:
            buffers.finish(bool(status))
        if status:
            message = failure.raw[MESSAGE_OFFSET:].split(b"\0")[0]
            raise CompilerRuntimeError(message.decode(errors="replace"))


def _unload(unload: Any, loaded: LoadedModule) -> None:
    """Unloads kernels from the device, while the code that does it is still `loaded`."""
    unload()
    del loaded


def _on_either_side(value: Any, name: str, mins: dict[str, Sequence[int]] | None) -> BufferArgument:
    """`value` as a buffer, whichever side has what is newest."""
    if sides_of(value) is None:
        return BufferArgument.of(value, name, (mins or {}).get(name))
    array = value.host
    return BufferArgument(array, tuple(value.dim(i).min() for i in range(array.ndim)))


def _c_type(type: Type) -> Any:
    found = _INTEGERS.get((type.code, type.bits))
    if found is None:
        raise TypeError(f"a parameter of type {type} cannot be passed from Python")
    return found


def _number(value: Any, type: Type, name: str) -> int | float:
    if type.is_float:
        return float(value)
    number = int(value)
    if number != value or not type.contains(number):
        raise TypeError(f"{name} takes a {type}; {value!r} is none")
    return number


def compile_in_process(fn: LoweredFunction, target: Target | str | None = None) -> CompiledFunction:
    """Machine code for `fn` in this process, for this machine unless `target` says less of it."""
    where = resolved(target)
    module = ModuleBuilder(fn.name, where)
    module.printed_to = 1
    add_body(module, fn)
    add_checked_entry(module, fn, exported=True)
    if has_launches(fn):
        add_unload(module, fn)
    text = str(module)
    if any(symbol in text for symbol in in_process.SYMBOLS):
        in_process.provide()
    if has_launches(fn):
        in_process.provide_cuda()
        return LaunchingFunction(fn, LoadedModule(text, where))
    kind = PrintingFunction if "@dprintf" in text else CompiledFunction
    return kind(fn, LoadedModule(text, where))
