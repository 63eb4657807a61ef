"""Loads and stores of elements that do not lie in a row."""

from __future__ import annotations

import re

import numpy as np
import pytest

from compiler import ir
from compiler.codegen.scattered import split_index
from compiler.ir import F32, I32, I64, U8, U16, Broadcast, Cast, Expr, Load, Ramp, Type, Variable
from compiler.ir.stmts import Argument, Block, Evaluate, For, LoweredFunction, Stmt, Store
from compiler.runtime import compile_in_process

from .assembly import instructions, of
from .kernels import I, int32
from .test_reductions import random_array

TYPES = [U8, U16, F32, ir.F64]
S, B = Variable("s", I32), Variable("b", I32)


def copied(index: Expr, type: Type, place: Expr | None = None) -> LoweredFunction:
    """out[place] = a[index], with the parameters s and b."""
    lanes = index.type.lanes
    store = Store("out", Load("a", (index,), type.with_lanes(lanes)),
                  place if place is not None else Ramp(int32(0), int32(1), lanes))  # fmt: skip
    arguments = (Argument("a", type, 1), Argument("s", I32), Argument("b", I32))
    return LoweredFunction("f", (*arguments, Argument("out", type, 1, True)), Block((store,)))


@pytest.mark.sampled
@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("lanes", [3, 8, 16, 64])
def test_steps_that_are_known_at_run_time_alone(lanes: int, type: Type) -> None:
    data = random_array(type, 1000)
    run = compile_in_process(copied(Ramp(B, S, lanes), type))
    back = compile_in_process(copied(Ramp(int32(0), int32(1), lanes), type, Ramp(B, S, lanes)))
    for step, base in ((5, 3), (1, 7), (0, 2), (-3, 900), (15, 1)):
        out = np.zeros(lanes, data.dtype)
        run(data, step, base, out)
        wanted = data[[base + n * step for n in range(lanes)]]
        assert out.tobytes() == wanted.tobytes()
        scattered, expected = np.zeros(1000, data.dtype), np.zeros(1000, data.dtype)
        back(data, step, base, scattered)
        for n in range(lanes):
            expected[base + n * step] = data[n]
        assert scattered.tobytes() == expected.tobytes()


@pytest.mark.sampled
@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("lanes", [16, 12, 9, 64])
@pytest.mark.parametrize("times", [2, 3, 4, 5])
def test_lanes_that_repeat_elements(times: int, lanes: int, type: Type) -> None:
    data = random_array(type, 200)
    ramp = ir.Add(Ramp(B, int32(1), lanes), Broadcast(int32(1), lanes))
    half = ir.Div(ramp, Broadcast(int32(times), lanes))
    index = ir.Add(Cast(I64.with_lanes(lanes), half), Broadcast(Cast(I64, S), lanes))
    run = compile_in_process(copied(index, type))
    for base in range(-6, 8):
        elements = (base + 1 + np.arange(lanes)) // times
        out = np.zeros(lanes, data.dtype)
        # Nothing before the first element nor after the last one is there to be read.
        part = data[: int(elements[-1] - elements[0]) + 1].copy()
        run(part, -int(elements[0]), base, out)
        assert out.tobytes() == part[elements - elements[0]].tobytes()


def test_lanes_that_repeat_elements_are_read_in_a_row() -> None:
    half = ir.Div(Ramp(B, int32(1), 16), Broadcast(int32(2), 16))
    found = instructions(of(copied(half, F32), "x86-64-avx512"))
    assert not any("gather" in name for name in found)
    seventh = ir.Div(Ramp(B, int32(1), 16), Broadcast(int32(7), 16))
    assert any("gather" in name for name in instructions(of(copied(seventh, F32), "x86-64-avx512")))


def test_gathers_use_narrow_offsets_where_they_may() -> None:
    """Sixteen floats are one gather by 32-bit offsets, not two by 64-bit ones."""
    seventh = ir.Div(Ramp(B, int32(1), 16), Broadcast(int32(7), 16))
    wide = ir.Sub(Cast(I64.with_lanes(16), seventh), Broadcast(Cast(I64, S), 16))
    found = instructions(of(copied(wide, F32), "x86-64-avx512"))
    assert "vgatherdps" in found and "vgatherqps" not in found


def test_an_index_is_split_into_what_lanes_share_and_a_vector() -> None:
    v = Load("i", (Ramp(int32(0), int32(1), 8),), I32.with_lanes(8))
    wide = Cast(I64.with_lanes(8), v)
    shared = Broadcast(Cast(I64, S), 8)
    assert split_index(wide) == (v, None)
    vector, scalar = split_index(ir.Add(shared, wide))
    assert vector is v and scalar is not None
    # What is subtracted from the shared number is no offset.
    difference = ir.Sub(shared, wide)
    assert split_index(difference) == (difference, None)
    # An unsigned sum may wrap before it becomes an index.
    unsigned = ir.Add(Cast(ir.U32.with_lanes(8), v), ir.const(1, ir.U32.with_lanes(8)))
    assert split_index(Cast(I64.with_lanes(8), unsigned)) == (unsigned, None)


def colours(apart: bool) -> LoweredFunction:
    """The channels of interleaved bytes, each to its place, in a row or with something between."""
    stores: list[Stmt] = []
    for channel in range(3):
        index = Ramp(ir.Add(ir.Mul(I, int32(48)), int32(channel)), int32(3), 16)
        place = Ramp(ir.Add(ir.Mul(I, int32(16)), int32(1000 * channel)), int32(1), 16)
        stores.append(Store("out", Load("a", (index,), U8.with_lanes(16)), place))
        if apart:
            stores.append(Evaluate(int32(0)))
    body = For("i", int32(0), int32(20), "serial", Block(tuple(stores)))
    return LoweredFunction("f", (Argument("a", U8, 1), Argument("out", U8, 1, True)), body)


@pytest.mark.parametrize("apart", [False, True])
def test_channels_that_neighbours_read_are_right_to_the_last_byte(apart: bool) -> None:
    data = random_array(U8, 960)
    out = np.zeros(2320, np.uint8)
    compile_in_process(colours(apart))(data, out)
    for channel in range(3):
        assert (out[1000 * channel : 1000 * channel + 320] == data[channel::3]).all()


def test_neighbours_read_interleaved_elements_once() -> None:
    def loads(apart: bool) -> int:
        text = of(colours(apart), "x86-64-avx2")
        return len(
            re.findall(r"\(%[^)]*\), %[xy]mm", text.partition("f.body:")[2].partition("ret")[0])
        )

    assert loads(apart=False) < loads(apart=True)
