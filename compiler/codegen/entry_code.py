"""LLVM code of an `Entry`: from the C parameters to calls of pipelines' bodies."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import BOOL, I64, U8, Const, Type
from ..ir.stmts import Argument, LoweredFunction
from . import failures
from .builder import FunctionBuilder, ModuleBuilder, Value, i32, i64
from .device_call import NO_BYTES, DeviceCall, wants
from .entry import BufferBinding, Entry, EntryParam, is_given, row_stride
from .errors import CodegenError
from .expressions import Expressions
from .llvm_types import constant, memory_type
from .parameters import from_memory
from .pipeline import ERROR_HANDLER, body_symbol
from .scope import BoundVariable, Scope


def add_entry(
    module: ModuleBuilder, calls: Sequence[tuple[LoweredFunction, Entry]], hidden: str | None = None
) -> None:
    """Adds the C function that runs each pipeline in order, as its entry binds it.

    The entries have one name, one parameter list and one return type; the result is the one of the
    last that names any. `hidden` is the symbol of the function for its own library alone, which a
    library with a choice calls; one without a result gives its status there and takes the failure's
    record. Raises `CodegenError` where entries differ or leave an argument without value.
    """
    first = calls[0][1]
    for fn, entry in calls:
        entry.check(fn)
        same = (entry.name, entry.params, entry.return_type)
        if same != (first.name, first.params, first.return_type):
            raise CodegenError(f"{entry.name}: the entries of one function differ in signature")
    if first.return_type is not None:
        _EntryCode(module, first, hidden).run(calls)
        return
    symbol = hidden or run_symbol(first)
    _RunCode(module, first, symbol, "hidden" if hidden else "internal").run(calls)
    if hidden is None:
        add_public_entries(module, first)


def run_symbol(entry: Entry) -> str:
    """The function behind an entry without a result: `int (parameters, failure record)`."""
    return f"{entry.name}.run"


def add_public_entries(module: ModuleBuilder, entry: Entry) -> None:
    """Adds what a program calls: the function that ends it on a failure, and the one that tells."""
    given = [Value(part.split(" ")[0], part.split(" ")[1]) for part in _parameters(entry)]
    for name in (entry.name, entry.try_name):
        seen = "hidden " if entry.is_hidden else ""
        result = "void" if name == entry.name else "i32"
        f = FunctionBuilder(module, f'define {seen}{result} @"{name}"({parameters_text(entry)})')
        record = failures.new_record(f)
        status = f.call("i32", f'@"{run_symbol(entry)}"', [*given, record])
        if name != entry.name:
            f.ret(status)
        else:
            with f.when(f.emit("i1", f"icmp ne {status}, 0")):
                end_program(f, failures.message_of(f, record))
            f.ret()
        f.finish()


def end_program(f: FunctionBuilder, message: Value) -> None:
    """Reports and ends the program: the caller expects a result that there is none of."""
    f.call("void", f.module.declare(ERROR_HANDLER, "void", "ptr"), [message])
    f.call("void", f.module.declare("abort", "void", "", "noreturn nounwind cold"), [])


def return_type_text(type: Type | None) -> str:
    if type is None:
        return "void"
    narrow = type.is_integer and type.bits < 32
    extension = ("signext " if type.is_int else "zeroext ") if narrow else ""
    return extension + memory_type(type)


def parameters_text(entry: Entry) -> str:
    """The parameters of the C function in LLVM's notation, named `%p0`, `%p1`, ..."""
    return ", ".join(_parameters(entry))


def _parameters(entry: Entry) -> list[str]:
    return [
        f"{memory_type(p.type) if p.kind == 'scalar' else 'ptr'} %p{position}"
        for position, p in enumerate(entry.params)
    ]


class _EntryCode:
    """A function with a result: a failure ends the program."""

    def __init__(self, module: ModuleBuilder, entry: Entry, hidden: str | None) -> None:
        symbol = f'@"{entry.name}"' if hidden is None else f'@"{hidden}"'
        seen = "" if hidden is None else "hidden "
        result = return_type_text(entry.return_type)
        self._begin(module, entry, f"define {seen}{result} {symbol}({parameters_text(entry)})")

    def _begin(self, module: ModuleBuilder, entry: Entry, head: str) -> None:
        self.module = module
        self.f = FunctionBuilder(module, head)
        self.scope = Scope()
        self.has_run = False
        """Whether a pipeline has run, so that outputs may have been written."""
        self.fits: list[Value] = []
        self.copies: list[Value] = []
        self.tables: dict[str, Value] = {}
        for position, param in enumerate(entry.params):
            if param.kind == "scalar":
                value = Value(memory_type(param.type), f"%p{position}")
                bound = BoundVariable(param.type, from_memory(self.f, value, param.type))
                self.scope = self.scope.with_variable(param.name, bound)
                continue
            pointer = Value("ptr", f"%p{position}")
            if param.kind == "pointer":
                self.scope = self.scope.with_buffer(param.name, pointer)
            else:
                self.tables[param.name] = pointer
            found = BoundVariable(BOOL, self.f.emit("i1", f"icmp ne {pointer}, null"))
            self.scope = self.scope.with_variable(is_given(param.name).name, found)

    def run(self, calls: Sequence[tuple[LoweredFunction, Entry]]) -> None:
        f = self.f
        self.record = self._record()
        results: dict[str, Value] = {}
        for fn, entry in calls:
            if isinstance(entry.result, str):
                results[entry.result] = self._result_slot(fn, entry.result)
            runs = self._runs(fn, entry)
            if runs is None:
                self._run_somewhere(fn, entry, results)
            else:
                with f.when(runs):
                    self._run_somewhere(fn, entry, results)
            self.has_run = True
        self._return(calls[-1][1], results)
        f.finish()

    def _record(self) -> Value:
        return failures.new_record(self.f)

    def _fail(self, message: str, code: int) -> None:
        """Leaves before the pipeline is called."""
        failures.report(self.f, self.record, message)
        self._failed(i32(code), is_late=self.has_run)

    def _failed(self, status: Value, is_late: bool) -> None:
        """Leaves with what the record says; `is_late` where something may have been stored."""
        end_program(self.f, failures.message_of(self.f, self.record))

    def _result_slot(self, fn: LoweredFunction, name: str) -> Value:
        argument = next((a for a in fn.args if a.name == name), None)
        if argument is None or argument.dimensions != 0:
            raise CodegenError(f"{name} is no output without dimensions of {fn.name}")
        type = memory_type(argument.type)
        slot = self.f.alloca(type)
        self.f.do(f"store {type} zeroinitializer, {slot}")
        return slot

    def _return(self, entry: Entry, results: dict[str, Value]) -> None:
        f, type = self.f, entry.return_type
        if type is None:
            f.ret()
            return
        if isinstance(entry.result, str):
            f.ret(f.emit(memory_type(type), f"load {memory_type(type)}, {results[entry.result]}"))
            return
        if entry.result is None or entry.result.type is not type:
            raise CodegenError(f"{entry.name}: the result is no {type}")
        value = Expressions(f, self.scope).value(entry.result)
        f.ret(f.emit("i8", f"zext {value} to i8") if type.is_bool else value)

    def _runs(self, fn: LoweredFunction, entry: Entry) -> Value | None:
        """Whether the condition holds and each output has elements; None where that is certain."""
        f, at = self.f, Expressions(self.f, self.scope)
        tests = [] if entry.condition is None else [at.value(entry.condition)]
        for argument in fn.args:
            binding = entry.buffers.get(argument.name)
            if argument.is_output and binding is not None:
                tests += [f.emit("i1", f"icmp sgt {at.index(e)}, 0") for e in binding.extents]
        if not tests:
            return None
        runs = tests[0]
        for test in tests[1:]:
            runs = f.emit("i1", f"and {runs}, {test.text}")
        return runs

    def _run_somewhere(self, fn: LoweredFunction, entry: Entry, results: dict[str, Value]) -> None:
        """Calls the pipeline, or its alternative with kernels where that is asked for."""
        f = self.f
        if entry.device is None:
            if entry.refuses_device:
                self._refuse_device(entry)
            self._call(fn, entry, results)
            return
        with_kernels, bound = entry.device
        call = DeviceCall(f, self.record, with_kernels, bound, self._with_rows(bound))
        on_device, on_host, after = f.label("device"), f.label("host"), f.label("after")
        f.branch(call.is_wanted(), on_device, on_host)
        f.start(on_device)
        call.begin()
        with f.when(call.runs_backward()):
            message = f"{bound.name}: an image on the device has a negative stride"
            self._fail(message, failures.DEVICE_APART)
        with f.when(call.lies_apart()):
            message = f"{bound.name}: some images lie on the device and others don't"
            self._fail(message, failures.DEVICE_APART)
        self.fits, self.copies = [], []
        args: list[Value] = [self.record]
        at = Expressions(f, call.scope)
        for argument in with_kernels.args:
            name = argument.name
            if not argument.is_buffer:
                args.append(at.value(bound.scalars[name]))
            elif name in bound.buffers:
                binding = bound.buffers[name]
                there = call.on_device[binding.pointer]
                values = self._buffer(at, argument, binding, bound.name, there)
                args += call.record_of(argument, values)
            else:
                args += call.record_of(argument, self._table(bound, argument))
        self._require_fits(bound.name)
        status = call.run(args)
        self._free_copies()
        with f.when(f.emit("i1", f"icmp ne {status}, 0")):
            with f.when(call.has_stored()):
                self._failed(status, is_late=True)
            self._failed(status, is_late=self.has_run)
        call.ended(there=True)
        f.jump(after)
        f.start(on_host)
        self._call(fn, entry, results)
        call.ended(there=False)
        f.start(after)

    def _refuse_device(self, entry: Entry) -> None:
        """Fails where an image lies on the device: the processor can't read it."""
        names = dict.fromkeys(b.pointer for b in entry.buffers.values())
        scope = self._with_rows(entry)
        if names:
            with self.f.when(wants(self.f, NO_BYTES, [scope.buffers[n] for n in names])):
                message = f"{entry.name} has no kernels, and an image lies on the device"
                self._fail(message, failures.DEVICE_APART)

    def _call(self, fn: LoweredFunction, entry: Entry, results: dict[str, Value]) -> None:
        f = self.f
        at = Expressions(f, self._with_rows(entry))
        args: list[Value] = [self.record]
        self.fits, self.copies = [], []
        for argument in fn.args:
            name = argument.name
            if not argument.is_buffer:
                args.append(at.value(entry.scalars[name]))
            elif name in entry.buffers:
                args += self._buffer(at, argument, entry.buffers[name], entry.name)
            elif name in entry.tables:
                args += self._table(entry, argument)
            else:
                args.append(results[name])
        self._require_fits(entry.name)
        status = f.call("i32", body_symbol(fn), args)
        self._free_copies()
        failed = f.emit("i1", f"icmp ne {status}, 0")
        with f.when(failed):
            self._failed(status, is_late=self.has_run or fn.late_failures.others)

    def _free_copies(self) -> None:
        for copy in self.copies:
            self.f.call("void", self.module.declare("free", "void", "ptr"), [copy])

    def _with_rows(self, entry: Entry) -> Scope:
        """The scope with base and stride of each row table; a table without rows is not read."""
        scope = self.scope
        for param in entry.params:
            if param.kind == "rows" and any(
                b.pointer == param.name for b in entry.buffers.values()
            ):
                base, stride = self._rows(entry, param)
                scope = scope.with_buffer(param.name, base)
                name = row_stride(param.name).name
                scope = scope.with_variable(name, BoundVariable(I64, stride, stride))
        return scope

    def _rows(self, entry: Entry, param: EntryParam) -> tuple[Value, Value]:
        """Where row 0 starts, or would start, and the elements from one row to the next."""
        f, at = self.f, Expressions(self.f, self.scope)
        count = i64(0)
        larger = f.module.declare("llvm.smax.i64", "i64", "i64, i64")
        for rows in entry.rows_of(param):
            count = f.call("i64", larger, [count, at.index(rows)])
        first = i64(0) if param.first_row is None else at.index(param.first_row)
        base_slot, stride_slot = f.alloca("ptr"), f.alloca("i64")
        f.do(f"store ptr null, {base_slot}")
        f.do(f"store i64 0, {stride_slot}")
        place = f.emit("ptr", f"getelementptr ptr, {self.tables[param.name]}, {first}")
        with f.when(f.emit("i1", f"icmp sgt {count}, 0")):
            row = f.emit("ptr", f"load ptr, {place}")
            f.do(f"store {row}, {base_slot}")
            with f.when(f.emit("i1", f"icmp sgt {count}, 1")):
                next_place = f.emit("ptr", f"getelementptr ptr, {place}, i64 1")
                following = f.emit("ptr", f"load ptr, {next_place}")
                here = f.emit("i64", f"ptrtoint {row} to i64")
                there = f.emit("i64", f"ptrtoint {following} to i64")
                distance = f.emit("i64", f"sub {there}, {here.text}")
                stride = f.emit("i64", f"sdiv {distance}, {param.type.bytes}")
                f.do(f"store {stride}, {stride_slot}")
        stride = f.emit("i64", f"load i64, {stride_slot}")
        base = f.emit("ptr", f"load ptr, {base_slot}")
        before = f.emit("i64", f"sub i64 0, {f.emit('i64', f'mul {first}, {stride.text}').text}")
        element = memory_type(param.type)
        return f.emit("ptr", f"getelementptr {element}, {base}, {before}"), stride

    def _buffer(
        self,
        at: Expressions,
        argument: Argument,
        binding: BufferBinding,
        name: str,
        on_device: Value | None = None,
    ) -> list[Value]:
        """The address and the fields of a buffer, which may lie `on_device` (i1)."""
        f, element = self.f, memory_type(argument.type)
        base, offset = at.scope.buffers[binding.pointer], at.index(binding.offset)
        address = f.emit("ptr", f"getelementptr {element}, {base}, {offset}")
        mins = [at.index(e) for e in binding.mins]
        extents = [at.index(e) for e in binding.extents]
        strides = [at.index(e) for e in binding.strides]
        if binding.copied is not None:
            first, last = map(at.index, binding.copied)
            reach = (first, last)
            given, steps, present = address, strides, extents
            if on_device is not None:
                # Nothing is read there by the host: a copy of no elements.
                present = [f.emit("i64", f"select {on_device}, i64 0, {e}") for e in extents]
                before = f.emit("i64", f"sub {first}, 1")
                reach = (first, f.emit("i64", f"select {on_device}, {before}, {last}"))
            address, strides = self._copied(
                binding, given, present, steps, reach, argument.type, name
            )
            if on_device is not None:
                address = f.emit("ptr", f"select {on_device}, {given}, {address}")
                strides = [
                    f.emit("i64", f"select {on_device}, {old}, {new}")
                    for old, new in zip(steps, strides, strict=True)
                ]
        fields = [field for shape in zip(mins, extents, strides, strict=True) for field in shape]
        return [address, *map(self._narrowed, fields)]

    def _copied(
        self,
        binding: BufferBinding,
        address: Value,
        extents: list[Value],
        strides: list[Value],
        reach: tuple[Value, Value],
        type: Type,
        name: str,
    ) -> tuple[Value, list[Value]]:
        """A copy of what lies in the box between the elements of `reach`, and its strides."""
        step = next(iter(binding.strides), None)
        between = int(step.value) if isinstance(step, Const) else None
        kept = any(isinstance(e, Const) for e in binding.strides[1:])
        if kept or (between is not None and between < 1):
            return self._copied_whole(address, extents, strides, reach, type, name)
        return self._copied_rows(address, extents, strides, reach, type, between, name)

    def _narrowed(self, value: Value) -> Value:
        """An int64 as the int32 that the pipeline counts in; whether it fits is checked later."""
        f = self.f
        narrow = f.emit("i32", f"trunc {value} to i32")
        back = f.emit("i64", f"sext {narrow} to i64")
        self.fits.append(f.emit("i1", f"icmp eq {back}, {value.text}"))
        return narrow

    def _require_fits(self, name: str) -> None:
        f = self.f
        fits = Value("i1", "true")
        for one in self.fits:
            fits = f.emit("i1", f"and {fits}, {one.text}")
        too_large = f.emit("i1", f"xor {fits}, true")
        with f.when(too_large):
            self._free_copies()
            message = f"{name}: a size or a stride does not fit 32 bits"
            self._fail(message, failures.EXTENTS_TOO_LARGE)

    def _copied_whole(
        self,
        address: Value,
        extents: list[Value],
        strides: list[Value],
        reach: tuple[Value, Value],
        type: Type,
        name: str,
    ) -> tuple[Value, list[Value]]:
        """The element of a copy that stands for the one at `address`, and the copy's strides: the
        very same, because the pipeline requires those that are constant."""
        f, element = self.f, memory_type(type)
        low, high = i64(0), i64(0)
        for extent, stride in zip(extents, strides, strict=True):
            step = f.emit("i64", f"mul {f.emit('i64', f'sub {extent}, 1')}, {stride.text}")
            low = f.emit("i64", f"add {low}, {self._extreme('smin', step, i64(0)).text}")
            high = f.emit("i64", f"add {high}, {self._extreme('smax', step, i64(0)).text}")
        count = f.emit("i64", f"add {f.emit('i64', f'sub {high}, {low.text}')}, 1")
        memory = self._allocated(self._extreme("smax", count, i64(0)), type, name)
        before = f.emit("i64", f"sub i64 0, {low.text}")
        copy = f.emit("ptr", f"getelementptr {element}, {memory}, {before}")
        self._copy_row(copy, address, reach, reach, type)
        return copy, strides

    def _copied_rows(
        self,
        address: Value,
        extents: list[Value],
        strides: list[Value],
        reach: tuple[Value, Value],
        type: Type,
        between: int | None,
        name: str,
    ) -> tuple[Value, list[Value]]:
        """A copy of the box in new memory, and its strides: without gaps, but for those that the
        pipeline requires, of a first stride that is always `between`."""
        f = self.f
        count = i64(1 if between is None else between)
        steps: list[Value] = []
        for extent in extents:
            steps.append(count)
            present = self._extreme("smax", extent, i64(0))
            count = f.emit("i64", f"mul {count}, {present.text}")
        copy = self._allocated(count, type, name)
        self._copy_box(copy, address, i64(0), extents, steps, strides, reach, type, between == 1)
        return copy, steps

    def _allocated(self, count: Value, type: Type, name: str) -> Value:
        """New memory for `count` elements, which is freed at the end."""
        f = self.f
        size = f.emit("i64", f"add {f.emit('i64', f'mul {count}, {type.bytes}')}, 1")
        malloc = f.module.declare("malloc", "noalias ptr", "i64", "nounwind")
        copy = f.call("ptr", malloc, [size])
        with f.when(f.emit("i1", f"icmp eq {copy}, null")):
            self._free_copies()
            message = f"{name}: out of memory for a copy of the input"
            self._fail(message, failures.OUT_OF_MEMORY)
        self.copies.append(copy)
        return copy

    def _extreme(self, which: str, a: Value, b: Value) -> Value:
        callee = self.module.declare(f"llvm.{which}.i64", "i64", "i64, i64")
        return self.f.call("i64", callee, [a, b])

    def _copy_box(
        self,
        to: Value,
        source: Value,
        place: Value,
        extents: list[Value],
        steps: list[Value],
        strides: list[Value],
        reach: tuple[Value, Value],
        type: Type,
        dense: bool,
    ) -> None:
        """Copies the box at `source`, which is `place` elements from the box's first; only what
        lies between the elements of `reach`."""
        f, element = self.f, memory_type(type)
        if not extents or (len(extents) == 1 and dense):
            extent = extents[0] if extents else i64(1)
            end = f.emit("i64", f"sub {f.emit('i64', f'add {place}, {extent.text}')}, 1")
            self._copy_row(to, source, (place, end), reach, type)
            return
        with f.counting(extents[-1]) as i:
            there = f.emit("i64", f"mul {i}, {steps[-1].text}")
            here = f.emit("i64", f"mul {i}, {strides[-1].text}")
            inner_to = f.emit("ptr", f"getelementptr {element}, {to}, {there}")
            inner_source = f.emit("ptr", f"getelementptr {element}, {source}, {here}")
            inner_place = f.emit("i64", f"add {place}, {here.text}")
            self._copy_box(
                inner_to, inner_source, inner_place, extents[:-1], steps[:-1], strides[:-1],
                reach, type, dense,
            )  # fmt: skip

    def _copy_row(
        self,
        to: Value,
        source: Value,
        row: tuple[Value, Value],
        reach: tuple[Value, Value],
        type: Type,
    ) -> None:
        """Copies the elements of `row` that lie between those of `reach`; `source` and `to` are
        where row[0] is, or where 0 is if the two are one."""
        f, element = self.f, memory_type(type)
        first = self._extreme("smax", row[0], reach[0])
        last = self._extreme("smin", row[1], reach[1])
        count = f.emit("i64", f"add {f.emit('i64', f'sub {last}, {first.text}')}, 1")
        origin = i64(0) if row is reach else row[0]
        skipped = f.emit("i64", f"sub {first}, {origin.text}")
        with f.when(f.emit("i1", f"icmp sgt {count}, 0")):
            there = f.emit("ptr", f"getelementptr {element}, {to}, {skipped}")
            here = f.emit("ptr", f"getelementptr {element}, {source}, {skipped}")
            size = f.emit("i64", f"mul {count}, {type.bytes}")
            copy = f.module.declare("llvm.memcpy.p0.p0.i64", "void", "ptr, ptr, i64, i1")
            f.call("void", copy, [there, here, size, Value("i1", "false")])

    def _table(self, entry: Entry, argument: Argument) -> list[Value]:
        """A constant table: a global, from coordinate 0, without gaps."""
        type, values = entry.tables[argument.name]
        if type is not argument.type or argument.dimensions != 1 or argument.is_output:
            raise CodegenError(f"{entry.name}: {argument.name} is no input that a table can be")
        stored = U8 if type.is_bool else type
        element = memory_type(type)
        items = ", ".join(f"{element} {constant(Const(stored, value))}" for value in values)
        name = f'@"{entry.name}.{argument.name}.{self.module.fresh()}"'
        self.module.add_global(
            f"{name} = private constant [{len(values)} x {element}] [{items}], align 64"
        )
        return [Value("ptr", name), i32(0), i32(len(values)), i32(1)]


class _RunCode(_EntryCode):
    """A function without a result, as one that gives a status: 0, or the code of a failure before
    anything was stored. What fails later ends the program."""

    def __init__(self, module: ModuleBuilder, entry: Entry, symbol: str, linkage: str) -> None:
        parameters = ", ".join([*_parameters(entry), "ptr %record"])
        self._begin(module, entry, f'define {linkage} i32 @"{symbol}"({parameters})')

    def _record(self) -> Value:
        return Value("ptr", "%record")

    def _failed(self, status: Value, is_late: bool) -> None:
        if is_late:
            super()._failed(status, is_late)
        else:
            self.f.ret(status)

    def _return(self, entry: Entry, results: dict[str, Value]) -> None:
        self.f.ret(i32(0))
