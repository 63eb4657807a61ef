"""Kernels that go once over memory: 16 bytes a thread at once, as many sectors as there is memory,
and a few instructions for each word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen.ptx import kernels_ptx
from tests.codegen.ptxas import ASSEMBLED_FOR, NEEDS_PTXAS, usage
from tests.ptx import machine, text

from .programs import by_ptx, lowered, on_device

X, XI, V = hl.vars("x xi v")
THREADS, BYTES = 64, 16
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Streaming:
    """out[x] = make(inputs)[x], of as many elements a thread as 16 bytes hold."""

    make: Callable[..., Any]
    inputs: tuple[hl.Type, ...]
    lanes: int
    expected: Callable[..., Array]


def wide(a: Array) -> Array:
    return a.astype(np.int32)


U8, U16, F32 = hl.UInt(8), hl.UInt(16), hl.Float(32)
KERNELS = {
    "copy": Streaming(lambda a: a[X], (U8,), 16, lambda a: a),
    "scaled": Streaming(lambda a: a[X] * 3.0, (F32,), 4, lambda a: a * np.float32(3)),
    "blend": Streaming(
        lambda a, b: hl.u8((hl.u16(a[X]) * b[X] + 127) / 255), (U8, U8), 16,
        lambda a, b: ((wide(a) * b + 127) // 255).astype(np.uint8),
    ),
    "blend as C++ has it": Streaming(
        lambda a, b: hl.u8((hl.i32(a[X]) * hl.i32(b[X]) + 127) / 255), (U8, U8), 16,
        lambda a, b: ((wide(a) * b + 127) // 255).astype(np.uint8),
    ),
    "mean": Streaming(
        lambda a, b: hl.u16((hl.u32(a[X]) + hl.u32(b[X]) + 1) / 2), (U16, U16), 8,
        lambda a, b: ((wide(a) + b + 1) // 2).astype(np.uint16),
    ),
    "saturating sum": Streaming(
        lambda a, b: hl.saturating_add(a[X], b[X]), (U8, U8), 16,
        lambda a, b: np.minimum(wide(a) + b, 255).astype(np.uint8),
    ),
    "dot products": Streaming(
        lambda a, b: sum(hl.i32(a[4 * X + k]) * hl.i32(b[4 * X + k]) for k in range(4)),
        (U8, U8), 4, lambda a, b: (wide(a) * b).reshape(-1, 4).sum(1, dtype=np.int32),
    ),
    "doubled": Streaming(lambda a: a[X / 2], (F32,), 4, lambda a: np.repeat(a, 2)[: len(a)]),
}  # fmt: skip


def program(one: Streaming) -> tuple[Any, list[hl.ImageParam]]:
    images = [hl.ImageParam(t, 1, name) for t, name in zip(one.inputs, "ab", strict=False)]
    f = hl.Func("f")
    f[X] = one.make(*images)
    tail = hl.TailStrategy.RoundUp
    f.split(X, X, V, one.lanes, tail).vectorize(V).gpu_tile(X, XI, THREADS, tail)
    for buffer in (*images, f.output_buffer()):
        buffer.set_host_alignment(BYTES)
        buffer.dim(0).set_min(0)
    return lowered(f), images


@pytest.mark.parametrize("name", KERNELS)
def test_a_thread_moves_16_bytes_at_once(name: str) -> None:
    one = KERNELS[name]
    fn, images = program(one)
    (entry,) = text.entries(kernels_ptx(fn.kernels, widths=(32,))).values()
    moves = [
        s.opcode for s in entry.code if s.opcode[0] in ("ld", "st") and "param" not in s.opcode
    ]
    bytes = [
        machine.width_of(m[-1]) * next((int(w[1:]) for w in m if w in ("v2", "v4")), 1)
        for m in moves
    ]
    half = name == "doubled"
    assert bytes == [8 if half else BYTES] * len(images) + [BYTES]
    assert all("nc" in m for m in moves if m[0] == "ld")
    count = 4 * THREADS * one.lanes
    rng = np.random.default_rng(3)
    factor = 4 if name == "dot products" else 1
    data = {
        i.name(): rng.integers(0, 256, count * factor).astype(_dtype(t))
        for i, t in zip(images, one.inputs, strict=True)
    }
    counted: dict[str, machine.Counts] = {}
    output = fn.args[-1].name
    made, _ = on_device(fn, data, {output: (count,)}, by_ptx(fn, counted=counted))
    np.testing.assert_array_equal(made[output], one.expected(*data.values()))
    (counts,) = counted.values()
    assert counts.sectors_written == made[output].nbytes // machine.SECTOR
    read = sum(image.nbytes for image in data.values())
    assert counts.sectors_read == read // machine.SECTOR // (2 if half else 1)


def _dtype(type: hl.Type) -> Any:
    return np.dtype(f"{'float' if type.is_float() else 'uint'}{type.bits()}")


@NEEDS_PTXAS
def test_what_they_take() -> None:
    for name, one in KERNELS.items():
        ptx = kernels_ptx(program(one)[0].kernels, widths=(32,))
        for capability in ASSEMBLED_FOR:
            (used,) = usage(ptx, capability).values()
            assert (used.stack, used.spilled) == (0, 0), name
            assert used.registers <= 40, name
