"""Calls of a C entry that run on a device: which ones, and the buffers that they pass.

Images that lie on the device stay there. Others are copied: inputs as the entry has copied what is
read of them, outputs back when all has gone well, so that a call that fails has stored nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.stmts import Argument, LoweredFunction
from . import buffers, failures
from .builder import FunctionBuilder, Value, i32, i64
from .entry import Entry
from .expressions import Expressions
from .launches import DROP, new_buffer
from .pipeline import body_symbol
from .scope import Scope

WANTS = "lift_cuda_wants"
IS_ON_DEVICE = "lift_cuda_is_on_device"
NO_BYTES = i64(-1)
"""Of calls that run on the device only where an image lies there."""
_INTERFACE = "lift_cuda_device_interface"
_CHOOSES, _TOOK = "lift_cuda_chooses", "lift_cuda_took"
_TRIALS_BYTES = 64 * (2 * 8 + 4)
"""Of `struct lift_cuda_trials`, all 0 at first."""


class DeviceCall:
    """The code of one call of `fn`, which launches kernels, as `entry` binds its arguments."""

    def __init__(
        self, f: FunctionBuilder, record: Value, fn: LoweredFunction, entry: Entry, scope: Scope
    ) -> None:
        self.f, self.failure, self.fn, self.entry, self.scope = f, record, fn, entry, scope
        self.on_device: dict[str, Value] = {}
        """Of each pointer of the entry whether it leads to memory there (i1)."""
        self._pointers: dict[str, Value] = {}
        self._outputs: list[tuple[str, Value]] = []
        self._records: list[Value] = []

    def is_wanted(self) -> Value:
        """Whether the program wants this call to run on the device (i1)."""
        f, at = self.f, Expressions(self.f, self.scope)
        total, pointers = i64(0), dict[str, Value]()
        self._runs_forward = Value("i1", "true")
        for argument in self.fn.args:
            binding = self.entry.buffers.get(argument.name)
            if binding is None:
                continue
            pointers[binding.pointer] = self.scope.buffers[binding.pointer]
            size = i64(argument.type.bytes)
            for extent in binding.extents:
                size = f.emit("i64", f"mul {size}, {at.index(extent).text}")
            total = f.emit("i64", f"add {total}, {size.text}")
            for stride in binding.strides:
                forward = f.emit("i1", f"icmp sge {at.index(stride)}, 0")
                self._runs_forward = f.emit("i1", f"and {self._runs_forward}, {forward.text}")
        self._pointers = pointers
        if not self.entry.copies:
            return wants(f, NO_BYTES, list(pointers.values()))
        # What runs backwards can't be copied.
        self._bytes = f.emit("i64", f"select {self._runs_forward}, {total}, {NO_BYTES}")
        name = f'@"{f.module.name}.trials.{f.module.fresh()}"'
        f.module.add_global(
            f"{name} = internal global [{_TRIALS_BYTES} x i8] zeroinitializer, align 8"
        )
        self._trials, self._began = Value("ptr", name), f.alloca("i64")
        given = [self._trials, self._bytes, *_table(f, list(pointers.values())), self._began]
        callee = f.module.declare(_CHOOSES, "i32", "ptr, i64, ptr, i32, ptr", "nounwind")
        return f.emit("i1", f"icmp ne {f.call('i32', callee, given)}, 0")

    def ended(self, there: bool) -> None:
        """Tells how long the call has taken, on the device or here, where that is to be known."""
        if not self.entry.copies:
            return
        f = self.f
        began = f.emit("i64", f"load i64, {self._began}")
        with f.when(f.emit("i1", f"icmp ne {began}, 0")):
            callee = f.module.declare(_TOOK, "void", "ptr, i64, i32, i64", "nounwind")
            f.call("void", callee, [self._trials, self._bytes, i32(int(there)), began])

    def begin(self) -> None:
        """Asks where each image lies, once it is known that the call is for the device."""
        f = self.f
        f.do(f"store i32 0, {f.element('i8', self.failure, failures.HAS_STORED_OFFSET)}")
        is_there = f.module.declare(IS_ON_DEVICE, "i32", "ptr", "nounwind")
        for name, pointer in self._pointers.items():
            found = f.call("i32", is_there, [pointer])
            self.on_device[name] = f.emit("i1", f"icmp ne {found}, 0")

    def lies_apart(self) -> Value:
        """Whether some image lies on the host, where none can be copied from there (i1)."""
        f, apart = self.f, Value("i1", "false")
        for there in () if self.entry.copies else self.on_device.values():
            apart = f.emit("i1", f"or {apart}, {f.emit('i1', f'xor {there}, true').text}")
        return apart

    def runs_backward(self) -> Value:
        """Whether some image has a negative stride, of a call with images on the device (i1)."""
        return self.f.emit("i1", f"xor {self._runs_forward}, true")

    def record_of(self, argument: Argument, values: Sequence[Value]) -> list[Value]:
        """The body's arguments for a buffer at an address, with its fields: the same, and the
        buffer."""
        f = self.f
        address, *fields = values
        binding = self.entry.buffers.get(argument.name)
        there = Value("i1", "false") if binding is None else self.on_device[binding.pointer]
        number = f.emit("i64", f"ptrtoint {address} to i64")
        interface = f.call("ptr", f.module.declare(_INTERFACE, "ptr", "", "nounwind"), [])
        flags = i64(0) if argument.is_output else i64(buffers.HOST_DIRTY)
        kept = buffers.DEVICE_DIRTY | buffers.HAS_PLACE
        null = Value("ptr", "null")
        record = new_buffer(
            f,
            argument.type,
            fields,
            host=_either(f, there, null, address),
            device=(_either(f, there, number, i64(0)), _either(f, there, interface, null)),
            flags=_either(f, there, i64(kept), flags),
        )
        if binding is not None:
            place = f.element("i8", record, buffers.PADDING_OFFSET)
            f.do(f"store {self._pointers[binding.pointer]}, {place}")
        self._records.append(record)
        if argument.is_output:
            self._outputs.append((argument.name, record))
        return [address, *fields, record]

    def run(self, args: Sequence[Value]) -> Value:
        """Calls the pipeline, copies what it has made back, frees what it had there; the status."""
        f = self.f
        slot = f.alloca("i32")
        f.do(f"store i32 0, {slot}")
        for name, record in self._outputs:
            self._unless_failed(slot, "lift_cuda_malloc", name, record)
        with f.when(self._is_fine(slot)):
            f.do(f"store {f.call('i32', body_symbol(self.fn), args)}, {slot}")
        for name, record in self._outputs:
            host = f.emit("ptr", f"load ptr, {f.element('i8', record, buffers.HOST_OFFSET)}")
            with f.when(f.emit("i1", f"icmp ne {host}, null")):
                self._unless_failed(slot, "lift_cuda_copy_to_host", name, record)
        for record in self._records:
            host = f.emit("ptr", f"load ptr, {f.element('i8', record, buffers.HOST_OFFSET)}")
            with f.when(f.emit("i1", f"icmp ne {host}, null")):
                f.call("void", f.module.declare(DROP, "void", "ptr", "nounwind"), [record])
        return f.emit("i32", f"load i32, {slot}")

    def has_stored(self) -> Value:
        """Whether a call that fails may have stored to an output on the device (i1)."""
        f, any_of = self.f, Value("i1", "false")
        for argument in self.fn.args:
            if argument.is_output:
                there = self.on_device[self.entry.buffers[argument.name].pointer]
                any_of = f.emit("i1", f"or {any_of}, {there.text}")
        told = f.element("i8", self.failure, failures.HAS_STORED_OFFSET)
        has_stored = f.emit("i1", f"icmp ne {f.emit('i32', f'load i32, {told}')}, 0")
        return f.emit("i1", f"and {any_of}, {has_stored.text}")

    def _is_fine(self, slot: Value) -> Value:
        status = self.f.emit("i32", f"load i32, {slot}")
        return self.f.emit("i1", f"icmp eq {status}, 0")

    def _unless_failed(self, slot: Value, function: str, name: str, record: Value) -> None:
        f = self.f
        with f.when(self._is_fine(slot)):
            callee = f.module.declare(function, "i32", "ptr, ptr, ptr", "nounwind")
            status = f.call("i32", callee, [self.failure, record, f.module.string(name)])
            f.do(f"store {status}, {slot}")


def wants(f: FunctionBuilder, bytes: Value, pointers: Sequence[Value]) -> Value:
    """Whether the program wants a call with so many bytes and these pointers on the device (i1)."""
    callee = f.module.declare(WANTS, "i32", "i64, ptr, i32", "nounwind")
    found = f.call("i32", callee, [bytes, *_table(f, pointers)])
    return f.emit("i1", f"icmp ne {found}, 0")


def _table(f: FunctionBuilder, pointers: Sequence[Value]) -> list[Value]:
    """An array of pointers on the stack, and how many there are."""
    table = f.alloca("ptr", len(pointers))
    for place, pointer in enumerate(pointers):
        f.do(f"store {pointer}, {f.element('ptr', table, place)}")
    return [table, i32(len(pointers))]


def _either(f: FunctionBuilder, condition: Value, yes: Value, no: Value) -> Value:
    return f.emit(yes.type, f"select {condition}, {yes}, {no}")


__all__ = ["IS_ON_DEVICE", "NO_BYTES", "WANTS", "DeviceCall", "wants"]
