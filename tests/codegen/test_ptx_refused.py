"""What a GPU hasn't, or hasn't with the host's bits, is refused in a sentence that says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from compiler import ir
from compiler.codegen.ptx import CAPABILITIES, kernel_ptx, kernels_ptx
from compiler.ir import BOOL, F32, F64, I32, Add, Call, Const, Expr, Mul, Type, Variable, intrinsic
from compiler.ir.errors import HalideError
from compiler.ir.stmts import (
    Allocate,
    Atomic,
    Block,
    Evaluate,
    For,
    IfThenElse,
    Kernel,
    MemoryKind,
    Stmt,
    Store,
)
from compiler.lang import HalideError as UsersError

from . import ptx_kernels as kernels
from .kernels import int32
from .ptx_kernels import POINT, at, elementwise, memory, number, row


def refused(kernel: Kernel, message: str, capability: int = 75) -> None:
    with pytest.raises(HalideError, match=message):
        kernel_ptx(kernel, capability)


def body(stmt: Stmt) -> Kernel:
    return row("k", stmt, memory("a", F32), memory("out", F32, True), number("width"))


def test_the_error_is_the_users() -> None:
    assert UsersError is HalideError


@pytest.mark.parametrize("name", sorted(ir.C_FUNCTIONS))
@pytest.mark.parametrize("type", [F32, F64], ids=str)
def test_functions_of_the_c_library(name: str, type: Type) -> None:
    def call(*args: Expr) -> Expr:
        return intrinsic(name, *args[: ir.C_FUNCTIONS[name]])

    kernel = elementwise(call, [type, type], type)
    if type is F32 and name in ("exp", "log", "pow"):
        assert "call" not in kernel_ptx(kernel)
    else:
        refused(kernel, f"{name} of {type} .* can't be matched bit for bit on the device")


def test_a_function_that_has_a_neighbour_on_the_device_names_it() -> None:
    refused(elementwise(lambda a: intrinsic("sin", a), [F32], F32), "or as float32 by fast_sin")
    assert kernel_ptx(elementwise(lambda a: intrinsic("fast_sin", a), [F32], F32))
    refused(elementwise(lambda a: intrinsic("exp", a), [F64], F64), "or as float32$")


def test_lines_and_files() -> None:
    printed = Call("print:x is {}\n", (at("a", POINT),), F32, "effect")
    refused(body(Store("out", printed, POINT)), "print inside of a kernel")
    traced = Call("print_line:begin\n", (), I32, "effect")
    refused(body(Evaluate(traced)), "print_line inside of a kernel")
    written = Call("file_put:a.bin", (at("a", POINT),), I32, "effect")
    refused(body(Evaluate(written)), "a file inside of a kernel")


def test_unknown_calls() -> None:
    refused(body(Store("out", Call("mystery", (at("a", POINT),), F32, "pure"), POINT)), "mystery")


def test_parallel_loops() -> None:
    store = Store("out", at("a", Variable("i", I32)), Variable("i", I32))
    refused(body(For("i", int32(0), int32(4), "parallel", store)), "the loop over i is parallel")
    assert kernel_ptx(body(For("i", int32(0), int32(4), "serial", store)))


def scratch(size: Expr, memory_kind: MemoryKind, type: Type = F32) -> Kernel:
    use = Block((
        Store("f", Const(type, 1), int32(0)),
        Store("out", ir.Cast(F32, at("f", int32(0), type)), POINT),
    ))  # fmt: skip
    return body(Allocate("f", type, size, use, memory_kind))


def test_memory_of_no_constant_size() -> None:
    for kind in ("shared", "register", "stack", "auto", "heap"):
        refused(scratch(Variable("width", I32), kind), "which is no constant")  # type: ignore[arg-type]


def test_memory_on_the_heap() -> None:
    refused(scratch(int32(4), "heap"), "threads of a GPU can't ask for memory")


@pytest.mark.parametrize(("kind", "most"), [("auto", 1024), ("register", 1024), ("stack", 16384)])
def test_too_much_memory_of_a_threads_own(kind: MemoryKind, most: int) -> None:
    assert kernel_ptx(scratch(int32(most // 4), kind))
    refused(scratch(int32(most // 4 + 1), kind), f"of which there are {most}")


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_too_much_memory_of_a_block(capability: int) -> None:
    most = CAPABILITIES[capability]
    assert kernel_ptx(scratch(int32(most // 4), "shared"), capability)
    refused(
        scratch(int32(most // 4 + 1), "shared"),
        f"{most + 16} bytes of shared memory in a block.* have {most}",
        capability,
    )


def test_too_many_threads() -> None:
    kernel = kernels.transposition()
    for threads in ((33, 32, 1), (1025, 1, 1), (1, 1, 65), (1, 1025, 1)):
        x, y, z = (int32(n) for n in threads)
        refused(replace(kernel, threads=(x, y, z)), "a GPU has at most 1024 x 1024 x 64")
    assert kernel_ptx(replace(kernel, threads=(int32(32), int32(32), int32(1))))
    assert kernel_ptx(replace(kernel, threads=(int32(1), int32(1), int32(64))))


def test_too_many_parameters() -> None:
    many = [number(f"p{n}", F64) for n in range(600)]
    kernel = row("k", Store("out", Const(F32, 1), POINT), memory("out", F32, True), *many)
    refused(kernel, "at most 4096 bytes")


def test_updates_that_would_hold_a_lock() -> None:
    pair = Block((
        Store("out", Add(at("out", POINT), at("out", int32(0))), POINT),
        Store("out", at("a", POINT), int32(0)),
    ))  # fmt: skip
    refused(body(Atomic("out", pair)), "would hold a lock")
    choice = IfThenElse(
        ir.LT(at("out", POINT), at("a", POINT)), Store("out", at("a", POINT), POINT)
    )
    refused(body(Atomic("out", choice)), "would hold a lock")
    single = Store("out", Mul(at("out", POINT), at("a", POINT)), POINT)
    assert kernel_ptx(body(Atomic("out", single)))


def test_numbers_of_more_than_64_bits() -> None:
    wide = ir.Cast(ir.Int(128), at("a", POINT, I32))
    kernel = row("k", Store("out", ir.Cast(I32, wide), POINT), memory("a", I32),
                 memory("out", I32, True))  # fmt: skip
    refused(kernel, "no int128 on the device")


def test_unknown_generations() -> None:
    for capability in (0, 35, 74, 200):
        refused(kernels.streaming_add(), f"cuda_capability_{capability}", capability)


def test_two_kernels_of_one_name() -> None:
    with pytest.raises(HalideError, match="two kernels of one name"):
        kernels_ptx((kernels.stencil(), kernels.stencil()))


def test_conditions_are_no_numbers_to_add() -> None:
    """A boolean's memory is a byte, on the device too."""
    less = ir.LT(at("a", POINT), Const(F32, 1))
    kernel = row("k", Store("out", less, POINT), memory("a", F32), memory("out", BOOL, True))
    assert "st.global.b8" in kernel_ptx(kernel)
