"""Horizontal reductions, concatenations and shuffles give what their meaning on arrays says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from compiler import ir
from compiler.ir import (
    F32,
    F64,
    I8,
    I16,
    I32,
    U8,
    U16,
    U32,
    Expr,
    Load,
    Ramp,
    Type,
    concat_lanes,
    dtype_of,
    evaluate_lanes,
    reduce_lanes,
    shuffle_lanes,
)  # fmt: skip
from compiler.ir.stmts import Argument, Block, LoweredFunction, Store
from compiler.runtime import compile_in_process

from .kernels import int32


def dense(start: int, lanes: int) -> Expr:
    return Ramp(int32(start), int32(1), lanes) if lanes > 1 else int32(start)


def lanes_of(name: str, type: Type, start: int, lanes: int) -> Expr:
    return Load(name, (dense(start, lanes),), type.with_lanes(lanes))


def computed(values: list[Expr], inputs: dict[str, Type], data: dict[str, np.ndarray]) -> Any:
    """Each of the values (all of one element type), one after the other in one array."""
    type, start, stores = values[0].type.element, 0, []
    for value in values:
        stores.append(Store("out", value, dense(start, value.type.lanes)))
        start += value.type.lanes
    arguments = [Argument(n, t, 1) for n, t in inputs.items()]
    fn = LoweredFunction(
        "f", (*arguments, Argument("out", type, 1, is_output=True)), Block(tuple(stores))
    )
    out = np.zeros(start, dtype_of(type))
    compile_in_process(fn)(*(data[n] for n in inputs), out)
    return out


def random_array(type: Type, size: int, seed: int = 3) -> np.ndarray:
    random = np.random.default_rng(seed)
    if type.is_float:
        return random.normal(0, 100, size).astype(dtype_of(type))
    return random.integers(type.min, type.max, size, dtype=dtype_of(type), endpoint=True)


@pytest.mark.sampled
@pytest.mark.parametrize("type", [U8, I8, U16, I16, U32, I32, ir.U64, F32, F64], ids=str)
@pytest.mark.parametrize("operation", ["add", "mul", "min", "max", "and", "or"])
def test_groups_of_adjacent_lanes_become_one(operation: Any, type: Type) -> None:
    if type.is_float and operation in ("and", "or"):
        with pytest.raises(TypeError):
            reduce_lanes(operation, lanes_of("a", type, 0, 8))
        return
    shapes = [(16, 1), (16, 4), (12, 4), (24, 8), (3, 1), (10, 2), (64, 16), (9, 3), (48, 1)]
    data = random_array(type, 64)
    values = [reduce_lanes(operation, lanes_of("a", type, 0, k), n) for k, n in shapes]
    wanted = [evaluate_lanes(f"reduce_{operation}", n, data[:k]) for k, n in shapes]
    assert computed(values, {"a": type}, {"a": data}).tobytes() == np.concatenate(wanted).tobytes()


@pytest.mark.parametrize("operation", ["min", "max"])
def test_extremes_of_floats_keep_the_nodes_rule_for_nan(operation: Any) -> None:
    data = random_array(F32, 16)
    for place in range(16):
        with_nan = data.copy()
        with_nan[place] = np.nan
        value = reduce_lanes(operation, lanes_of("a", F32, 0, 16))
        got = computed([value], {"a": F32}, {"a": with_nan})
        assert got.tobytes() == evaluate_lanes(f"reduce_{operation}", 1, with_nan).tobytes()


def test_booleans_are_reduced_by_and_and_or() -> None:
    data = np.zeros((4, 16), np.uint8)
    data[1:, 5] = 1
    data[2] = 1
    values: list[Expr] = []
    for row in range(4):
        positive = ir.GT(lanes_of("a", U8, row * 16, 16), ir.const(0, U8.with_lanes(16)))
        values += [
            ir.Cast(U8, reduce_lanes("and", positive)),
            ir.Cast(U8, reduce_lanes("or", positive)),
        ]
    assert computed(values, {"a": U8}, {"a": data.ravel()}).tolist() == [0, 0, 0, 1, 1, 1, 0, 1]


@pytest.mark.parametrize("type", [U8, I16, I32, F32], ids=str)
def test_vectors_and_scalars_are_put_after_one_another(type: Type) -> None:
    data = random_array(type, 64)
    parts = [(0, 8), (8, 8), (20, 4), (30, 1), (31, 1), (40, 3)]
    loaded = [lanes_of("a", type, start, lanes) for start, lanes in parts]
    got = computed([concat_lanes(*loaded)], {"a": type}, {"a": data})
    assert got.tobytes() == b"".join(data[s : s + n].tobytes() for s, n in parts)


@pytest.mark.parametrize("type", [U8, I16, I32, F32], ids=str)
def test_lanes_are_shuffled(type: Type) -> None:
    data = random_array(type, 32)
    order = [5, 5, 0, 31, 2, 17, 17, 1]
    value = shuffle_lanes(lanes_of("a", type, 0, 32), order)
    single = shuffle_lanes(lanes_of("a", type, 0, 32), [9])
    got = computed([value, single], {"a": type}, {"a": data})
    assert got.tobytes() == data[[*order, 9]].tobytes()


def test_operations_on_lanes_that_make_no_sense_are_refused() -> None:
    eight = lanes_of("a", U8, 0, 8)
    with pytest.raises(TypeError):
        reduce_lanes("add", eight, 3)
    with pytest.raises(TypeError):
        shuffle_lanes(eight, [8])
    with pytest.raises(TypeError):
        concat_lanes(eight, lanes_of("b", U16, 0, 8))
    assert reduce_lanes("add", eight, 8) is eight
    assert shuffle_lanes(eight, range(8)) is eight
