"""What a pipeline's entry does with each `halide_buffer_t` before the pipeline runs.

In Halide's order: no pointer may be null; where a buffer has no memory at all the call is a
question, and the regions that the pipeline needs are the answer; then types, dimensions and sizes
must be right, those of outputs first, and there must be memory on the host. Messages and codes are
Halide's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..ir import I32, I64, Type
from ..ir.stmts import Argument, LoweredFunction
from ..ir.uses import Uses
from . import buffers, failures
from .builder import FunctionBuilder, Value, i32, i64
from .expressions import Expressions
from .launches import has_launches
from .scope import BoundVariable, Scope

FIELDS = ("min", "extent", "stride")


def fields(argument: Argument) -> list[str]:
    """The names of the variables for the buffer's dimensions, in the body's order."""
    return [
        f"{argument.name}.{field}.{d}" for d in range(argument.dimensions or 0) for field in FIELDS
    ]


class OpenedBuffers:
    """The buffers of one call, their fields read."""

    def __init__(self, f: FunctionBuilder, record: Value, fn: LoweredFunction) -> None:
        self.f, self.record, self.fn = f, record, fn
        self.addresses: dict[str, Value] = {}
        self._launches = has_launches(fn)
        self._touched = Uses.of(fn.body).all if self._launches else frozenset()
        self._hosts: dict[str, Value] = {}
        self._fields: dict[str, Value] = {}

    def open(self, addresses: Mapping[str, Value], scalars: Mapping[str, BoundVariable]) -> None:
        """Checks the buffers at `addresses`, answers a question, leaves where something is wrong.

        `scalars` are the pipeline's numbers, on which the answer may depend.
        """
        self.addresses = dict(addresses)
        taken = [a for a in self.fn.args if a.is_buffer]
        for argument in taken:
            here = self.addresses[argument.name]
            self._require(
                self.f.emit("i1", f"icmp ne {here}, null"),
                failures.BUFFER_IS_NULL,
                f"Buffer argument {argument.name} is nullptr",
            )
        for argument in taken:
            self._check_dimensions(argument)
            self._read(argument)
        self._answer(taken, scalars)
        in_order = sorted(taken, key=lambda a: not a.is_output)
        for argument in in_order:
            self._check_type(argument)
        for argument in in_order:
            self._check_extents(argument, scalars)
        for argument in in_order:
            self._check(argument)

    def values(self, argument: Argument) -> list[Value]:
        """The host pointer and the fields of a buffer, and the buffer itself for who launches."""
        own = [self.addresses[argument.name]] if self._launches else []
        return [self._hosts[argument.name], *(self._fields[n] for n in fields(argument)), *own]

    def _load(self, base: Value, offset: int, type: str) -> Value:
        place = self.f.emit("ptr", f"getelementptr i8, {base}, i64 {offset}")
        return self.f.emit(type, f"load {type}, {place}")

    def _store(self, base: Value, offset: int, value: Value) -> None:
        place = self.f.emit("ptr", f"getelementptr i8, {base}, i64 {offset}")
        self.f.do(f"store {value}, {place}")

    def _read(self, argument: Argument) -> None:
        here = self.addresses[argument.name]
        self._hosts[argument.name] = self._load(here, buffers.HOST_OFFSET, "ptr")
        if not argument.dimensions:
            return
        dim = self._load(here, buffers.DIM_OFFSET, "ptr")
        for position, name in enumerate(fields(argument)):
            d, field = divmod(position, len(FIELDS))
            self._fields[name] = self._load(dim, d * buffers.DIMENSION_BYTES + 4 * field, "i32")

    def _check_dimensions(self, argument: Argument) -> None:
        count = self._load(self.addresses[argument.name], buffers.DIMENSIONS_OFFSET, "i32")
        self._require(
            self.f.emit("i1", f"icmp eq {count}, {argument.dimensions}"),
            failures.BAD_DIMENSIONS,
            f"{_title(argument)} requires a buffer of exactly {argument.dimensions} dimensions, "
            "but the buffer passed in has {} dimensions",
            [(count, I32)],
        )

    def _check_extents(self, argument: Argument, scalars: Mapping[str, BoundVariable]) -> None:
        """No extent is below 0; of an input with such a one Halide first says what is read."""
        f = self.f
        extents = [
            self._fields[f"{argument.name}.extent.{d}"] for d in range(argument.dimensions or 0)
        ]
        negative = Value("i1", "false")
        for extent in extents:
            below = f.emit("i1", f"icmp slt {extent}, 0")
            negative = f.emit("i1", f"or {negative}, {below.text}")
        failed, proceed = f.label("failed"), f.label("proceed")
        f.branch(f.emit("i1", f"xor {negative}, true"), proceed, failed, likely=True)
        f.start(failed)
        box = () if argument.is_output else dict(self.fn.required.boxes).get(argument.name, ())
        at = Expressions(f, self._scope(scalars) if box else Scope())
        for d, extent in enumerate(extents):
            if box:
                self._check_accessed(argument, d, at.index(box[d][0]), at.index(box[d][1]))
            self._require(
                f.emit("i1", f"icmp sge {extent}, 0"),
                failures.EXTENTS_NEGATIVE,
                f"The extents for buffer {_title(argument)} dimension {d} is negative ({{}})",
                [(extent, I32)],
            )
        f.jump(proceed)
        f.start(proceed)

    def _check_accessed(self, argument: Argument, d: int, first: Value, last: Value) -> None:
        f, title = self.f, _title(argument)
        low = self._wide(f"{argument.name}.min.{d}")
        beyond = f.emit("i64", f"add {low}, {self._wide(f'{argument.name}.extent.{d}').text}")
        high = f.emit("i64", f"sub {beyond}, 1")
        self._require(
            f.emit("i1", f"icmp sge {first}, {low.text}"),
            failures.ACCESS_OUT_OF_BOUNDS,
            f"{title} is accessed at {{}}, which is before the min ({{}}) in dimension {d}",
            [(first, I64), (low, I64)],
        )
        self._require(
            f.emit("i1", f"icmp sle {last}, {high.text}"),
            failures.ACCESS_OUT_OF_BOUNDS,
            f"{title} is accessed at {{}}, which is beyond the max ({{}}) in dimension {d}",
            [(last, I64), (high, I64)],
        )

    def _check(self, argument: Argument) -> None:
        f, title = self.f, _title(argument)
        for d in range(argument.dimensions or 0):
            low = self._wide(f"{argument.name}.min.{d}")
            extent = self._wide(f"{argument.name}.extent.{d}")
            beyond = f.emit("i64", f"add {low}, {extent.text}")
            self._require(
                f.emit("i1", f"icmp sle {beyond}, {2**31 - 1}"),
                failures.EXTENTS_TOO_LARGE,
                f"The coordinates of buffer {title} in dimension {d} go up to {{}}, "
                f"which exceeds the largest coordinate, {2**31 - 1}",
                [(beyond, I64)],
            )
        if not self._launches:
            here = self.addresses[argument.name]
            flags = self._load(here, buffers.FLAGS_OFFSET, "i64")
            dirty = f.emit("i64", f"and {flags}, {buffers.DEVICE_DIRTY}")
            self._require(
                f.emit("i1", f"icmp eq {dirty}, 0"),
                failures.DEVICE_DIRTY,
                f"The buffer {title} is dirty on device, but this pipeline was compiled with no "
                "support for device to host copies.",
            )
        if not self._launches or argument.name in self._touched:
            self._require(
                f.emit("i1", f"icmp ne {self._hosts[argument.name]}, null"),
                failures.HOST_IS_NULL,
                f"The host pointer of {title} is null, but the pipeline will access it on the "
                "host.",
            )
        if argument.alignment > 1:
            address = f.emit("i64", f"ptrtoint {self._hosts[argument.name]} to i64")
            rest = f.emit("i64", f"urem {address}, {argument.alignment}")
            self._require(
                f.emit("i1", f"icmp eq {rest}, 0"),
                failures.UNALIGNED_HOST,
                f"The host pointer of {argument.name} is not aligned to a {argument.alignment} "
                "bytes boundary.",
            )

    def _check_type(self, argument: Argument) -> None:
        f = self.f
        word = self._load(self.addresses[argument.name], buffers.TYPE_OFFSET, "i32")
        right = f.emit("i1", f"icmp eq {word}, {buffers.type_word(argument.type)}")
        proceed, failed = f.label("proceed"), f.label("failed")
        f.branch(right, proceed, failed, likely=True)
        f.start(failed)
        callee = failures.report_type(f.module)
        wanted = f"{_title(argument)} has type {type_name(argument.type)} "
        prefix = f.module.string(wanted + "but type of the buffer passed in is ")
        f.call("void", callee, [self.record, prefix, word])
        f.ret(i32(failures.BAD_TYPE))
        f.start(proceed)

    def _wide(self, name: str) -> Value:
        return self.f.emit("i64", f"sext {self._fields[name]} to i64")

    def _require(
        self, fine: Value, code: int, message: str, args: Sequence[tuple[Value, Type]] = ()
    ) -> None:
        f = self.f
        proceed, failed = f.label("proceed"), f.label("failed")
        f.branch(fine, proceed, failed, likely=True)
        f.start(failed)
        failures.report(f, self.record, message, args)
        f.ret(i32(code))
        f.start(proceed)

    def _answer(self, taken: Sequence[Argument], scalars: Mapping[str, BoundVariable]) -> None:
        """Where buffers have no memory, gives them the regions that are needed, and leaves."""
        f = self.f
        asks: dict[str, Value] = {}
        question = Value("i1", "false")
        for argument in taken:
            here = self.addresses[argument.name]
            device = self._load(here, buffers.DEVICE_OFFSET, "i64")
            no_host = f.emit("i1", f"icmp eq {self._hosts[argument.name]}, null")
            no_device = f.emit("i1", f"icmp eq {device}, 0")
            asks[argument.name] = f.emit("i1", f"and {no_host}, {no_device.text}")
            question = f.emit("i1", f"or {question}, {asks[argument.name].text}")
        asked, proceed = f.label("asked"), f.label("proceed")
        f.branch(f.emit("i1", f"xor {question}, true"), proceed, asked, likely=True)
        f.start(asked)
        scope = self._scope(scalars)
        boxes = dict(self.fn.required.boxes)
        for argument in taken:
            with f.when(asks[argument.name]):
                self._describe(argument)
                box = boxes.get(argument.name, ())
                at = Expressions(f, scope)
                stride = i64(1)
                for d, (low, high) in enumerate(box):
                    stride = self._write_dimension(
                        argument, d, at.index(low), at.index(high), stride
                    )
        f.ret(i32(0))
        f.start(proceed)

    def _scope(self, scalars: Mapping[str, BoundVariable]) -> Scope:
        """What the regions that are needed are expressions over."""
        f, scope = self.f, Scope(dict(scalars))
        for name, value in self._fields.items():
            wide = f.emit("i64", f"sext {value} to i64")
            scope = scope.with_variable(name, BoundVariable(I32, value, wide))
        for name, expr in self.fn.required.lets:
            wide = Expressions(f, scope).index(expr)
            narrow = f.emit("i32", f"trunc {wide} to i32")
            scope = scope.with_variable(name, BoundVariable(I32, narrow, wide))
        return scope

    def _describe(self, argument: Argument) -> None:
        here = self.addresses[argument.name]
        self._store(here, buffers.FLAGS_OFFSET, i64(0))
        self._store(here, buffers.TYPE_OFFSET, i32(buffers.type_word(argument.type)))

    def _write_dimension(
        self, argument: Argument, d: int, low: Value, high: Value, stride: Value
    ) -> Value:
        """Writes dimension `d`; gives the next one's stride."""
        f = self.f
        dim = self._load(self.addresses[argument.name], buffers.DIM_OFFSET, "ptr")
        size = f.emit("i64", f"add {f.emit('i64', f'sub {high}, {low.text}')}, 1")
        larger = f.module.declare("llvm.smax.i64", "i64", "i64, i64")
        extent = f.call("i64", larger, [size, i64(0)])
        start = d * buffers.DIMENSION_BYTES
        for offset, value in ((0, low), (4, extent), (8, stride)):
            self._store(dim, start + offset, f.emit("i32", f"trunc {value} to i32"))
        self._store(dim, start + 12, i32(0))
        return f.emit("i64", f"mul {stride}, {extent.text}")


def _title(argument: Argument) -> str:
    return f"{'Output' if argument.is_output else 'Input'} buffer {argument.name}"


def type_name(type: Type) -> str:
    """`uint8`, `float32`, ... as messages have it."""
    return f"{type.code}{type.bits}"
