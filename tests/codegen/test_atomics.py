"""Several threads and lanes update one place: nothing gets lost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import compiler as hl
from compiler import ir
from compiler.codegen import CompilerRuntimeError
from compiler.ir import (
    F32,
    I16,
    I32,
    I64,
    U8,
    U16,
    Add,
    Cast,
    Const,
    Expr,
    Load,
    Ramp,
    Type,
    dtype_of,
)
from compiler.ir.stmts import (
    Argument,
    AssertStmt,
    Atomic,
    Block,
    For,
    IfThenElse,
    LetStmt,
    LoweredFunction,
    Stmt,
    Store,
)
from compiler.runtime import compile_in_process, num_threads, set_num_threads

from .kernels import I, int32

ROUNDS = 200_000


@pytest.fixture(autouse=True)
def several_threads():  # type: ignore[no-untyped-def]
    before = num_threads()
    set_num_threads(4)
    yield
    set_num_threads(before)


def run(body: Stmt, type: Type, size: int = 4, rounds: int = ROUNDS) -> np.ndarray:
    fn = LoweredFunction(
        "updates",
        (Argument("out", type, 1, is_output=True),),
        For("i", int32(0), int32(rounds), "parallel", body),
    )
    out = np.zeros(size, dtype_of(type))
    compile_in_process(fn)(out)
    return out


def place() -> Expr:
    return ir.Mod(I, int32(4))


def update(value: Callable[[Expr], Expr], type: Type, index: Expr | None = None) -> Stmt:
    where = index if index is not None else place()
    return Atomic("out", Store("out", value(Load("out", (where,), type)), where))


@pytest.mark.parametrize("type", [I16, I32, I64, U8, U16, F32])
def test_no_addition_gets_lost(type: Type) -> None:
    rounds = 40_000
    out = run(update(lambda old: Add(old, Const(type, 1)), type), type, rounds=rounds)
    assert (out == np.full(4, rounds // 4).astype(dtype_of(type))).all()


@pytest.mark.parametrize("type", [I32, U8, F32])
def test_minima_and_maxima(type: Type) -> None:
    value = Cast(type, ir.Mod(I, int32(101)))
    assert (run(update(lambda old: ir.Max(value, old), type), type) == 100).all()
    low = value if type.is_uint else ir.Neg(value)
    least = 0 if type.is_uint else -100
    assert (run(update(lambda old: ir.Min(old, low), type), type) == least).all()


def test_an_update_that_no_instruction_does() -> None:
    # From zero, n times x -> 3x + 1 gives (3**n - 1) / 2.
    twice = update(lambda old: Add(ir.Mul(old, int32(3)), int32(1)), I32, int32(0))
    out = run(twice, I32, rounds=10_000)
    expected = (pow(3, 10_000, 2**33) - 1) // 2 % 2**32
    assert int(np.uint32(out.view(np.uint32)[0])) == expected


def test_the_old_value_may_come_through_a_let() -> None:
    old = ir.Variable("old", I32)
    body = LetStmt("old", Load("out", (place(),), I32), Store("out", Add(old, int32(1)), place()))
    assert (run(Atomic("out", body), I32) == ROUNDS // 4).all()


def test_lanes_of_a_vector_meet_in_one_place() -> None:
    lanes = 16
    index = ir.Mod(Ramp(I, int32(1), lanes), ir.Broadcast(int32(4), lanes))
    ones = ir.Broadcast(int32(1), lanes)
    loaded = Load("out", (index,), I32.with_lanes(lanes))
    out = run(Atomic("out", Store("out", Add(loaded, ones), index)), I32, rounds=10_000)
    assert (out == 10_000 * lanes // 4).all()


def test_lanes_that_are_off_update_nothing() -> None:
    lanes = 8
    index = Ramp(int32(0), int32(1), lanes)
    even = ir.EQ(ir.Mod(index, ir.Broadcast(int32(2), lanes)), ir.Broadcast(int32(0), lanes))
    loaded = Load("out", (index,), I32.with_lanes(lanes))
    value = Add(loaded, ir.Broadcast(int32(1), lanes))
    out = run(Atomic("out", Store("out", value, index, even)), I32, size=lanes, rounds=5_000)
    assert (out == [5_000, 0] * 4).all()


def test_a_condition_on_what_is_there_holds_the_lock() -> None:
    here = Load("out", (int32(0),), I32)
    count = Store("out", Add(here, int32(1)), int32(0))
    other = Store("out", Add(Load("out", (int32(1),), I32), int32(1)), int32(1))
    swap = IfThenElse(ir.EQ(ir.Mod(here, int32(2)), int32(0)), Block((count, other)), count)
    out = run(Atomic("out", swap), I32, rounds=50_000)
    assert out[0] == 50_000 and out[1] == 25_000


def test_a_failure_inside_of_a_lock_opens_it() -> None:
    here = Load("out", (int32(0),), I32)
    reads_another = Store("out", Add(here, Load("out", (int32(1),), I32)), int32(0))
    check = AssertStmt(ir.LT(I, int32(100)), "too far: {}", (I,))
    body = Atomic("out", Block((reads_another, check)))
    for _ in range(3):
        with pytest.raises(CompilerRuntimeError, match="too far"):
            run(body, I32, rounds=1000)


@pytest.mark.parametrize("schedule", ["parallel", "vector", "both"])
def test_a_histogram_of_the_language(schedule: str) -> None:
    x = hl.Var("x")
    source = hl.ImageParam(hl.UInt(8), 2)
    image = np.random.default_rng(3).integers(0, 256, (90, 210)).astype(np.uint8)
    source.set(hl.Buffer(image))
    r = hl.RDom([(0, 210), (0, 90)])
    histogram = hl.Func("histogram")
    histogram[x] = hl.u32(0)
    histogram[source[r.x, r.y]] += hl.u32(1)
    stage = histogram.update().atomic()
    if schedule != "vector":
        stage.parallel(r.y)
    if schedule != "parallel":
        stage.vectorize(r.x, 16)
    counted = np.array(histogram.realize([256]))
    assert (counted == np.bincount(image.ravel(), minlength=256)).all()
