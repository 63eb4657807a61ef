"""Loads and stores of some elements in a row, where a mask is on; nothing else is touched.

Where the machine has no such instruction for elements of the size, LLVM would ask for each lane
whether it is on, a branch that nobody foresees. Most masks are all on or all off, though, and of
the others only the lanes that are on need be looked at:

    bits = mask as a number
    if bits == all: store the vector
    else: while bits != 0: i = lowest bit of bits; p[i] = value[i]; bits = bits & (bits - 1)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..ir import Type
from .addresses import shuffle
from .builder import FunctionBuilder, Value, pointer_suffix
from .lanes import concatenated
from .llvm_types import memory_type
from .scattered import memory_suffix

MOST_LANES = 64
"""Lanes whose mask fits a register."""


def load_masked(f: FunctionBuilder, array: str, address: Value, type: Type, mask: Value) -> Value:
    """The elements from `address` on as they are in memory; zero where `mask` is off."""
    memory, tag = memory_type(type), f.module.memory_tag(array)
    if f.module.target.masks_lanes_of(type.bits) or type.lanes == 1:
        callee = f.module.declare(
            f"llvm.masked.load.{memory_suffix(type)}.{pointer_suffix(address)}",
            memory,
            f"{address.type}, {mask.type}, {memory}",
        )
        place = f"{address.type} align {type.bytes} {address.text}"
        zero = f"{memory} zeroinitializer"
        return f.emit(memory, f"call {memory} {callee}({place}, {mask}, {zero}){tag}")
    if type.lanes > MOST_LANES:
        parts = [
            (load_masked(f, array, place, part, _lanes(f, mask, first, part.lanes)), part.lanes)
            for first, place, part in _pieces(f, address, type)
        ]
        return concatenated(f, parts)
    slot = f.alloca(memory, align=64)
    f.do(f"store {memory} zeroinitializer, {slot}, align {type.bytes}")
    bits = _bits(f, mask, type.lanes)
    with f.when(_is_all(f, bits, type.lanes)):
        whole = f.emit(memory, f"load {memory}, {address}, align {type.bytes}{tag}")
        f.do(f"store {whole}, {slot}, align {type.bytes}")
    with f.when(_is_some(f, bits, type.lanes)), _each_lane(f, bits) as lane:
        element = memory_type(type.element)
        there = f.element(element, address, lane)
        here = f.element(element, slot, lane)
        f.do(f"store {f.emit(element, f'load {element}, {there}{tag}')}, {here}")
    return f.emit(memory, f"load {memory}, {slot}, align {type.bytes}")


def store_masked(
    f: FunctionBuilder, buffer: str, value: Value, address: Value, type: Type, mask: Value
) -> None:
    """Writes the lanes of `value` where `mask` is on; touches nothing else."""
    tag = f.module.memory_tag(buffer)
    if f.module.target.masks_lanes_of(type.bits) or type.lanes == 1:
        callee = f.module.declare(
            f"llvm.masked.store.{memory_suffix(type)}.{pointer_suffix(address)}",
            "void",
            f"{value.type}, {address.type}, {mask.type}",
        )
        place = f"{address.type} align {type.bytes} {address.text}"
        f.do(f"call void {callee}({value}, {place}, {mask}){tag}")
        return
    if type.lanes > MOST_LANES:
        for first, there, part in _pieces(f, address, type):
            lanes, on = (_lanes(f, v, first, part.lanes) for v in (value, mask))
            store_masked(f, buffer, lanes, there, part, on)
        return
    bits = _bits(f, mask, type.lanes)
    with f.when(_is_all(f, bits, type.lanes)):
        f.do(f"store {value}, {address}, align {type.bytes}{tag}")
    with f.when(_is_some(f, bits, type.lanes)):
        slot = f.alloca(value.type, align=64)
        f.do(f"store {value}, {slot}, align {type.bytes}")
        with _each_lane(f, bits) as lane:
            element = memory_type(type.element)
            here = f.element(element, slot, lane)
            there = f.element(element, address, lane)
            f.do(f"store {f.emit(element, f'load {element}, {here}')}, {there}{tag}")


def _pieces(f: FunctionBuilder, address: Value, type: Type) -> Iterator[tuple[int, Value, Type]]:
    """(first lane, its address, type) of the parts whose masks fit a register."""
    element = memory_type(type.element)
    for first in range(0, type.lanes, MOST_LANES):
        part = type.element.with_lanes(min(MOST_LANES, type.lanes - first))
        yield first, f.element(element, address, first), part


def _lanes(f: FunctionBuilder, vector: Value, first: int, count: int) -> Value:
    return shuffle(f, vector, None, list(range(first, first + count)))


def _bits(f: FunctionBuilder, mask: Value, lanes: int) -> Value:
    """The mask as an i64, lane 0 as the lowest bit."""
    narrow = f.emit(f"i{lanes}", f"bitcast {mask} to i{lanes}")
    return narrow if lanes == MOST_LANES else f.emit("i64", f"zext {narrow} to i64")


def _is_all(f: FunctionBuilder, bits: Value, lanes: int) -> Value:
    return f.emit("i1", f"icmp eq {bits}, {-1 if lanes == MOST_LANES else (1 << lanes) - 1}")


def _is_some(f: FunctionBuilder, bits: Value, lanes: int) -> Value:
    """Whether some lanes are on, but not all."""
    some = f.emit("i1", f"icmp ne {bits}, 0")
    not_all = f.emit("i1", f"xor {_is_all(f, bits, lanes)}, true")
    return f.emit("i1", f"and {some}, {not_all.text}")


@contextmanager
def _each_lane(f: FunctionBuilder, bits: Value) -> Iterator[Value]:
    """A loop over the bits that are on, of which there is one: the lane's number, an i64."""
    counts = f.module.declare("llvm.cttz.i64", "i64", "i64, i1")
    before, loop, after = f.block, f.label("lane"), f.label("lanes")
    f.jump(loop)
    f.start(loop)
    left = Value("i64", f.name("left"))
    rest = Value("i64", f.name("rest"))
    f.do(f"{left.text} = phi i64 [ {bits.text}, %{before} ], [ {rest.text}, %{loop} ]")
    yield f.call("i64", counts, [left, Value("i1", "true")])
    less = f.emit("i64", f"add {left}, -1")
    f.do(f"{rest.text} = and {left}, {less.text}")
    f.branch(f.emit("i1", f"icmp ne {rest}, 0"), loop, after)
    f.start(after)
