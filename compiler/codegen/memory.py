"""Loads and stores: scalar, dense, strided, reversed, gathered, under a predicate.

A strided access of up to four elements a step becomes dense accesses and shuffles. No access goes
beyond the elements that the loop nest names: the last dense piece of a strided load ends with the
last element asked for, overlapping the piece before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..ir import Load, Ramp, Type
from ..ir.stmts import Store
from . import streams, strided
from .addresses import element_address, load_dense, shuffle
from .affine import as_ramp, constant_stride
from .builder import FunctionBuilder, Value, splatted
from .clamped import load_clamped
from .errors import CodegenError
from .interleaving import StoreGroup
from .llvm_types import memory_type, register_type
from .lookup import look_up
from .masked import load_masked, store_masked
from .repeated import load_repeated
from .scattered import gather, scatter

if TYPE_CHECKING:
    from .expressions import Expressions

_GAPS = range(2, strided.MAX_STRIDE + 1)
"""Strides of stores that are lanes of a dense store, with the others off."""


def _to_register(f: FunctionBuilder, raw: Value, type: Type) -> Value:
    if not type.is_bool:
        return raw
    return f.emit(register_type(type), f"trunc {raw} to {register_type(type)}")


def _to_memory(f: FunctionBuilder, value: Value, type: Type) -> Value:
    if not type.is_bool:
        return value
    return f.emit(memory_type(type), f"zext {value} to {memory_type(type)}")


def load(at: Expressions, node: Load) -> Value:
    """The elements that `node` names; where the place's mask is off nothing is read.

    A lane that is off has the value zero. The mask concerns loads with as many lanes as it has.
    """
    mask = at.load_mask(node.type.lanes)
    if node.predicate is not None:
        mask = at.mask(node.predicate, node.type.lanes)
    if len(node.indices) != 1:
        raise CodegenError(f"{node} is not flat")
    index = node.indices[0]
    f, type = at.function, node.type
    if type.lanes == 1 and node.predicate is not None:
        return _to_register(f, _load_where(at, node, at.value(node.predicate)), type)
    if index.type.lanes == 1:
        address = element_address(at, node.array, type, at.place(index))
        return _to_register(f, load_dense(f, node.array, address, type.element, type.lanes), type)
    ramp = as_ramp(index)
    stride = constant_stride(ramp) if ramp is not None else None
    if ramp is None and mask is None and not f.module.target.is_gpu:
        found = look_up(at, node) or load_repeated(at, node) or load_clamped(at, node)
        if found is not None:
            return _to_register(f, found, type)
    if ramp is None or stride is None:
        return _to_register(f, gather(at, node, mask), type)
    if stride == 0 and mask is None:
        address = element_address(at, node.array, type, at.place(ramp.base))
        raw = load_dense(f, node.array, address, type.element, 1)
        return _to_register(f, splatted(f, raw, type.lanes), type)
    streams.read_ahead(at, node, ramp)
    if mask is None and 1 <= abs(stride) <= strided.MAX_STRIDE:
        raw = strided.load(at, node, ramp, stride)
    elif abs(stride) == 1 and mask is not None:
        raw = _load_in_a_row(at, node, ramp, stride, mask)
    else:
        raw = gather(at, node, mask)
    return _to_register(f, raw, type)


def _load_where(at: Expressions, node: Load, condition: Value) -> Value:
    """One element, read where `condition` holds; zero elsewhere."""
    f, type = at.function, memory_type(node.type)
    address = element_address(at, node.array, node.type, at.place(node.indices[0]))
    slot = f.alloca(type)
    f.do(f"store {type} zeroinitializer, {slot}")
    with f.when(condition):
        f.do(f"store {load_dense(f, node.array, address, node.type, 1)}, {slot}")
    return f.emit(type, f"load {type}, {slot}")


def _load_in_a_row(at: Expressions, node: Load, ramp: Ramp, stride: int, mask: Value) -> Value:
    """The elements where `mask` is on, read forwards or, for the stride -1, backwards."""
    f, type = at.function, node.type
    first = at.place(ramp.base)
    if stride == 1:
        address = element_address(at, node.array, type, first)
        return load_masked(f, node.array, address, type, mask)
    backwards = list(range(type.lanes - 1, -1, -1))
    first = f.emit("i64", f"sub {first}, {type.lanes - 1}")
    address = element_address(at, node.array, type, first)
    reversed_mask = shuffle(f, mask, None, backwards)
    return shuffle(f, load_masked(f, node.array, address, type, reversed_mask), None, backwards)


def store(at: Expressions, node: Store) -> None:
    """Writes the value's lanes; with a predicate, only the lanes where it holds."""
    f, type = at.function, node.value.type
    if node.index.type.lanes != type.lanes:
        raise CodegenError(f"store of {type} to {node.buffer} at {node.index.type.lanes} places")
    mask = None
    if node.predicate is not None and type.lanes > 1:
        mask = at.mask(node.predicate, type.lanes)
    elif node.predicate is not None:
        with f.when(at.value(node.predicate)):
            store(at.fresh(), Store(node.buffer, node.value, node.index))
        return
    value = _to_memory(f, at.fresh(mask).sharing(node.value).value(node.value), type)
    ramp = as_ramp(node.index) if type.lanes > 1 else None
    stride = constant_stride(ramp) if ramp is not None else None
    if type.lanes == 1:
        address = element_address(at, node.buffer, type, at.place(node.index))
        f.do(f"store {value}, {address}, align {type.bytes}{f.module.memory_tag(node.buffer)}")
    elif ramp is not None and stride is not None and abs(stride) == 1:
        store_dense(at, node.buffer, ramp, stride, value, mask, type)
    elif stride in _GAPS and mask is None and f.module.target.masks_lanes:
        assert stride is not None
        _store_with_gaps(at, StoreGroup(stride, {0: node}), {0: value})
    else:
        scatter(at, node, value, mask)


def store_dense(
    at: Expressions,
    buffer: str,
    ramp: Ramp,
    stride: int,
    value: Value,
    mask: Value | None,
    type: Type,
) -> None:
    """Writes a vector to elements in a row, backwards for the stride -1."""
    f, first = at.function, at.place(ramp.base)
    if stride < 0:
        backwards = list(range(type.lanes - 1, -1, -1))
        first = f.emit("i64", f"sub {first}, {type.lanes - 1}")
        value = shuffle(f, value, None, backwards)
        mask = shuffle(f, mask, None, backwards) if mask is not None else None
    address = element_address(at, buffer, type, first)
    if mask is None:
        f.do(f"store {value}, {address}, align {type.bytes}{f.module.memory_tag(buffer)}")
    else:
        store_masked(f, buffer, value, address, type, mask)


def store_interleaved(at: Expressions, group: StoreGroup) -> None:
    """Writes stores that lie between each other as one dense store.

    All values are computed before the store. Gaps are lanes that are off.
    """
    f, stride, first = at.function, group.stride, group.first
    type = first.value.type
    lanes = type.lanes
    at.sharing(*(node.value for node in group.stores.values()))
    values = {
        offset: _to_memory(f, at.value(node.value), type) for offset, node in group.stores.items()
    }
    if group.has_gaps:
        _store_with_gaps(at, group, values)
        return
    ramp = as_ramp(first.index)
    if ramp is None:
        raise CodegenError(f"{first.index} is no ramp")
    address = element_address(at, first.buffer, type, at.place(ramp.base))
    every = list(values.values())
    if at.permutes_bytes and type.bytes == 1 and lanes > 1:
        _store_pieces(f, first.buffer, address, every, type)
        return
    joined = _concatenated(f, every, lanes)
    order = [channel * lanes + lane for lane in range(lanes) for channel in range(stride)]
    dense = shuffle(f, joined, None, order)
    f.do(f"store {dense}, {address}, align {type.bytes}{f.module.memory_tag(first.buffer)}")


def _store_with_gaps(at: Expressions, group: StoreGroup, values: Mapping[int, Value]) -> None:
    """Writes the elements that there are values for, `values` by offset as in memory."""
    f, stride, first = at.function, group.stride, group.first
    type, ramp = first.value.type, as_ramp(first.index)
    if ramp is None:
        raise CodegenError(f"{first.index} is no ramp")
    lanes, count = type.lanes, type.lanes * stride
    joined = _concatenated(f, list(values.values()), lanes)
    place = {offset: number for number, offset in enumerate(values)}
    order = [
        place[offset] * lanes + lane if offset in place else -1
        for lane in range(lanes)
        for offset in range(stride)
    ]
    dense = shuffle(f, joined, None, order)
    on = ", ".join(f"i1 {'false' if source < 0 else 'true'}" for source in order)
    mask = Value(f"<{count} x i1>", f"<{on}>")
    address = element_address(at, first.buffer, type, at.place(ramp.base))
    store_masked(f, first.buffer, dense, address, type.element.with_lanes(count), mask)


def _store_pieces(
    f: FunctionBuilder, buffer: str, address: Value, values: Sequence[Value], type: Type
) -> None:
    """Writes the interleaved elements vector by vector, each picked out of one value after another.

    Where bytes are picked across whole registers this is `len(values) - 1` instructions a vector.
    """
    stride, lanes = len(values), type.lanes
    for piece in range(stride):
        sources = [divmod(piece * lanes + lane, stride) for lane in range(lanes)]
        made = values[0]
        for channel in range(1, stride):
            order = [
                source + lanes if own == channel
                else -1 if own > channel
                else source if channel == 1
                else lane
                for lane, (source, own) in enumerate(sources)
            ]  # fmt: skip
            made = shuffle(f, made, values[channel], order)
        element = memory_type(type.element)
        place = f.element(element, address, piece * lanes)
        f.do(f"store {made}, {place}, align {type.bytes}{f.module.memory_tag(buffer)}")


def _concatenated(f: FunctionBuilder, values: Sequence[Value], lanes: int) -> Value:
    """Up to four vectors, one after the other, in one; room beyond the last is open."""
    if len(values) == 1:
        return values[0]
    pairs: list[Value] = []
    for first in range(0, len(values), 2):
        second = values[first + 1] if first + 1 < len(values) else None
        pairs.append(shuffle(f, values[first], second, list(range(2 * lanes))))
    if len(pairs) == 1:
        return pairs[0]
    return shuffle(f, pairs[0], pairs[1], list(range(4 * lanes)))
