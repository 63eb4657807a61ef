"""Sums of four products of bytes are one instruction, with the same values; other sums stay."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
import pytest

from compiler import ir
from compiler.codegen.ptx import kernel_ptx
from compiler.ir import I8, I32, U8, U32, Add, Cast, Expr, Load, Mul, Ramp, Type, evaluate
from compiler.ir.lanes import reduce_lanes
from compiler.ir.stmts import Kernel, Store
from tests.codegen.kernels import int32
from tests.codegen.ptx_kernels import POINT, THREADS, dense, memory, row, splat

from .running import launch

LANES = [1, 4]
ORDERS: dict[str, Sequence[int]] = {"forwards": (0, 1, 2, 3), "mixed": (2, 0, 3, 1)}


def byte(name: str, place: int, type: Type, lanes: int, stride: int = 4) -> Expr:
    """Byte `place` of each of the thread's `lanes` groups of `stride`."""
    first = Add(Mul(POINT, int32(lanes * stride)), int32(place))
    index = Ramp(first, int32(stride), lanes) if lanes > 1 else first
    return Load(name, (index,), type.with_lanes(lanes))


def product(a: Expr, b: Expr, type: Type = I32) -> Expr:
    return Mul(*(Cast(type.with_lanes(x.type.lanes), x) for x in (a, b)))


def weighted(a: Expr, weight: int, type: Type = I32) -> Expr:
    return Mul(Cast(type.with_lanes(a.type.lanes), a), splat(weight, type, a.type.lanes))


def kernel_of(value: Expr, types: Sequence[Type]) -> Kernel:
    store = Store("out", value, dense(value.type.lanes))
    inputs = [memory(name, type, False, 16) for name, type in zip("ab", types, strict=True)]
    return row("k", store, *inputs, memory("out", value.type.element, True, 16))


def run(value: Expr, types: Sequence[Type], count: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Random images of `count` bytes, and what the kernel makes of them."""
    random = np.random.default_rng(5)
    images = {
        name: random.integers(t.min, t.max, count, ir.dtype_of(t), endpoint=True)
        for name, t in zip("ab", types, strict=True)
    }
    out = np.zeros(value.type.lanes * THREADS, ir.dtype_of(value.type))
    launch(kernel_of(value, types), 1, *images.values(), out)
    return images, out


def check(value: Expr, types: Sequence[Type], instructions: int, per_thread: int = 16) -> None:
    """The kernel's values, and how many instructions are in it."""
    kernel, lanes = kernel_of(value, types), value.type.lanes
    assert kernel_ptx(kernel).count("dp4a") == instructions
    images, out = run(value, types, per_thread * THREADS)

    def read(node: Load, indices: Sequence[np.ndarray]) -> np.ndarray:
        return images[node.array][np.asarray(indices[0])]

    for thread in (0, 1, THREADS - 1):
        given = {"block.x": np.int32(0), "thread.x": np.int32(thread)}
        expected = np.asarray(evaluate(value, given, read)).ravel()
        assert np.array_equal(out[thread * lanes : (thread + 1) * lanes], expected)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("lanes", LANES)
@pytest.mark.parametrize(
    "types", [(U8, U8), (I8, I8), (U8, I8), (I8, U8)], ids=lambda t: f"{t[0]}-{t[1]}"
)
def test_products_of_bytes_of_two_memories(
    types: tuple[Type, Type], lanes: int, order: str
) -> None:
    products = [
        product(byte("a", k, types[0], lanes), byte("b", k, types[1], lanes)) for k in ORDERS[order]
    ]
    products[1] = Mul(products[1].children[1], products[1].children[0])
    check(reduce(Add, products), types, lanes, 4 * lanes)


@pytest.mark.parametrize("type", [U8, I8], ids=str)
@pytest.mark.parametrize("lanes", LANES)
def test_weights_and_what_is_added(lanes: int, type: Type) -> None:
    """Signed weights, a byte that counts once, and a term that is no product."""
    bytes = [byte("a", k, type, lanes) for k in range(4)]
    terms = [weighted(bytes[0], -128), Cast(I32.with_lanes(lanes), bytes[1]),
             weighted(bytes[2], 127), weighted(bytes[3], -3)]  # fmt: skip
    rest = Cast(I32.with_lanes(lanes), byte("b", 0, U8, lanes))
    check(reduce(Add, [rest, *terms, splat(12345, I32, lanes)]), (type, U8), lanes, 4 * lanes)


@pytest.mark.parametrize("lanes", LANES)
def test_sums_of_unsigned_numbers(lanes: int) -> None:
    products = [product(byte("a", k, U8, lanes), byte("b", k, U8, lanes), U32) for k in range(4)]
    check(reduce(Add, products), (U8, U8), lanes, 4 * lanes)


def test_eight_products_are_two_instructions() -> None:
    products = [product(byte("a", k, U8, 1, 8), byte("b", k, I8, 1, 8)) for k in range(8)]
    check(reduce(Add, products), (U8, I8), 2, 8)


def test_pixels_of_four_channels_of_which_three_count() -> None:
    """Of single pixels bytes would have to be packed for it."""
    for lanes in LANES:
        terms = [weighted(byte("a", k, U8, lanes), w) for k, w in enumerate((77, 150, 29))]
        value = ir.Div(Add(reduce(Add, terms), splat(128, I32, lanes)), splat(256, I32, lanes))
        gray = Cast(U8.with_lanes(lanes), value)
        check(gray, (U8, U8), lanes if lanes > 1 else 0, 4 * lanes)


@pytest.mark.parametrize("results", [1, 2, 4])
@pytest.mark.parametrize("types", [(U8, U8), (I8, I8), (U8, I8)], ids=str)
def test_reductions_of_lanes(types: tuple[Type, Type], results: int) -> None:
    """What is added to one is where the instruction begins."""
    a, b = (Load(n, (dense(16),), t.with_lanes(16)) for n, t in zip("ab", types, strict=True))
    total = reduce_lanes("add", product(a, b), results)
    whole = kernel_ptx(kernel_of(Add(splat(7, I32, results), total), types))
    assert (whole.count("dp4a"), whole.count("add.s32")) == (4, 0)
    images, out = run(Add(splat(7, I32, results), total), types, 16 * THREADS)
    products = images["a"].astype(np.int32) * images["b"].astype(np.int32)
    assert np.array_equal(out, products.reshape(len(out), -1).sum(1) + 7)


def test_generations_that_have_no_such_instruction() -> None:
    kernel = kernel_of(
        reduce(Add, [product(byte("a", k, U8, 1), byte("b", k, U8, 1)) for k in range(4)]), (U8, U8)
    )
    assert ["dp4a" in kernel_ptx(kernel, c) for c in (53, 60, 61, 75)] == [False, False, True, True]


OTHERS: dict[str, list[Expr]] = {
    "bytes that lie apart": [product(byte("a", 2 * k, U8, 1, 8), byte("b", 2 * k, U8, 1, 8))
                             for k in range(4)],
    "the other way round": [product(byte("a", k, U8, 1), byte("b", 3 - k, U8, 1))
                            for k in range(4)],
    "pixels of three": [product(byte("a", k, U8, 4, 3), byte("b", k, U8, 4, 3)) for k in range(3)],
    "weights that are no bytes": [weighted(byte("a", k, U8, 1), 300 + k) for k in range(4)],
    "three of them": [product(byte("a", k, U8, 1), byte("b", k, U8, 1)) for k in range(3)],
    "signs that differ": [product(byte("a", k, U8, 1), byte("b", k, U8, 1)) if k % 2
                          else weighted(byte("a", k, U8, 1), -1) for k in range(4)],
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_other_sums_stay(name: str) -> None:
    check(reduce(Add, OTHERS[name]), (U8, U8), 0, 16)


def test_sums_in_16_bits_stay() -> None:
    """They wrap around where the instruction's don't."""
    terms = [weighted(byte("a", k, U8, 1), 255, ir.U16) for k in range(4)]
    check(reduce(Add, terms), (U8, U8), 0, 4)


def test_a_product_that_is_there_twice_counts_twice() -> None:
    products = [product(byte("a", k, U8, 1), byte("b", k, U8, 1)) for k in range(4)]
    check(reduce(Add, [*products, products[2], products[2]]), (U8, U8), 0, 4)
    others = [weighted(byte("a", k, U8, 1), 3 + n) for n in (0, 7) for k in range(4)]
    check(reduce(Add, others), (U8, U8), 1, 4)
