"""GPU directives: their overloads, the loops that they make, and nests that no GPU can run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.frontend.target import machine_target
from compiler.ir import const

from .programs import lowered

NAMES = "x y z w v"
X, Y, Z, W, V = hl.vars(NAMES)
BX, BY, BZ, TX, TY, TZ = hl.vars("bx by bz tx ty tz")


def loops(f: hl.Func) -> list[tuple[str, str]]:
    """The loops of the pure definition with their kinds, outermost first."""
    return [(d.name, d.kind) for d in reversed(f.function.schedule.stages[0].dimensions)]


def cube() -> hl.Func:
    f = hl.Func("f")
    f[X, Y, Z] = X + Y + Z
    return f


TILES: dict[str, tuple[Any, ...]] = {
    "z y x:b tx:t": (X, TX, 8),
    "z y bx:b tx:t": (X, BX, TX, 8),
    "z y:b x:b ty:t tx:t": (X, Y, TX, TY, 8, 4),
    "z by:b bx:b ty:t tx:t": (X, Y, BX, BY, TX, TY, 8, 4),
    "z:b y:b x:b tz:t ty:t tx:t": (X, Y, Z, TX, TY, TZ, 8, 4, 2),
    "bz:b by:b bx:b tz:t ty:t tx:t": (X, Y, Z, BX, BY, BZ, TX, TY, TZ, 8, 4, 2),
}
_KINDS = {"serial": "", "gpu_block": ":b", "gpu_thread": ":t", "gpu_lane": ":l"}


def shown(f: hl.Func) -> str:
    return " ".join(name + _KINDS[kind] for name, kind in loops(f))


@pytest.mark.parametrize("expected", TILES)
@pytest.mark.parametrize("more", ("", "tail", "device", "both", "named"))
def test_tiles_take_all_overloads(expected: str, more: str) -> None:
    arguments: list[Any] = list(TILES[expected])
    tail, device = hl.TailStrategy.GuardWithIf, hl.DeviceAPI.CUDA
    named: dict[str, Any] = {}
    if more in ("tail", "both"):
        arguments.append(tail)
    if more in ("device", "both"):
        arguments.append(device)
    if more == "named":
        named = {"tail": tail, "device_api": device}
    f = cube()
    assert f.gpu_tile(*arguments, **named) is f
    assert shown(f) == expected


def test_blocks_threads_and_lanes_take_all_overloads() -> None:
    assert shown(cube().gpu_blocks(Y)) == "z y:b x"
    assert shown(cube().gpu_blocks(Y, Z).gpu_threads(X)) == "z:b y:b x:t"
    assert shown(cube().gpu_blocks(Z, device_api=hl.DeviceAPI.CUDA).gpu_lanes(X)) == "z:b y x:l"
    assert shown(cube().gpu(Y, X)) == "z y:b x:t"
    f = hl.Func("f")
    f[X, Y, Z, W] = X + Y + Z + W
    assert shown(f.gpu(block_x=Z, block_y=W, thread_x=X, thread_y=Y)) == "w:b z:b y:t x:t"
    single = cube().gpu_single_thread()
    assert [kind for _, kind in loops(single)] == ["gpu_block", "gpu_thread", *["serial"] * 3]


@pytest.mark.parametrize(
    "call",
    (
        lambda f: f.gpu_tile(X, 8),
        lambda f: f.gpu_tile(X, Y, TX, TY, 8),
        lambda f: f.gpu_tile(X, TX, "8"),
        lambda f: f.gpu_tile(X, TX, 8, hl.TailStrategy.Auto, tail=hl.TailStrategy.Auto),
        lambda f: f.gpu_blocks(),
        lambda f: f.gpu_blocks(X, Y, Z, X),
        lambda f: f.gpu_threads(X, thread_x=Y),
        lambda f: f.gpu(X, Y, Z),
        lambda f: f.gpu_single_thread(3),
    ),
)
def test_other_arguments_are_type_errors(call: Callable[[hl.Func], Any]) -> None:
    with pytest.raises(TypeError, match="incompatible function arguments"):
        call(cube())


def test_other_devices_are_refused_by_name() -> None:
    with pytest.raises(hl.HalideError, match="no code generator for Vulkan"):
        cube().gpu_blocks(X, hl.DeviceAPI.Vulkan)
    with pytest.raises(hl.HalideError, match="no GPU"):
        cube().gpu_tile(X, TX, 8).realize([8, 8, 8])


def test_updates_over_a_reduction_are_races_unless_they_are_atomic() -> None:
    f, r = hl.Func("f"), hl.RDom([(0, 8)], "r")
    f[X] = 0
    f[r % 2] += 1
    with pytest.raises(hl.HalideError, match="race condition"):
        f.update().gpu_threads(r.x)
    f.update().atomic().gpu_blocks(r.x)


def test_nests_are_printed_with_their_device(capfd: pytest.CaptureFixture[str]) -> None:
    f = cube()
    f.gpu_tile(X, Y, TX, TY, 8, 4)
    f.print_loop_nest()
    assert capfd.readouterr().err.splitlines() == [
        "produce f:",
        "  for z:",
        "    gpu_block y.y<Default_GPU>:",
        "      gpu_block x.x<Default_GPU>:",
        "        gpu_thread y.ty in [0, 3]<Default_GPU>:",
        "          gpu_thread x.tx in [0, 7]<Default_GPU>:",
        "            f(...) = ...",
    ]


def two() -> tuple[hl.Func, hl.Func]:
    f, g = hl.Func("f"), hl.Func("g")
    f[X, Y, Z, W, V] = X + Y + Z + W + V
    g[X, Y, Z, W, V] = f[X, Y, Z, W, V] + f[X, Y, Z, W, V + 1]
    return f, g


INVALID: list[tuple[Callable[[hl.Func, hl.Func], Any], str]] = [
    (lambda f, g: g.gpu_threads(X), "GPU thread loop over g.s0.x must be inside a GPU block loop."),
    (
        lambda f, g: g.gpu_blocks(X, Y, Z).gpu_blocks(W),
        "GPU block loop over g.s0.x is inside three other GPU block loops. The maximum number of "
        "nested GPU block loops is 3.",
    ),
    (
        lambda f, g: g.gpu_blocks(W).gpu_threads(X, Y, Z).gpu_threads(V),
        "GPU thread loop over g.s0.v must be inside a GPU block loop.",
    ),
    (
        lambda f, g: g.gpu_blocks(X).gpu_threads(Y),
        "GPU thread loop over g.s0.y must be inside a GPU block loop.",
    ),
    (
        lambda f, g: g.gpu_blocks(V, Z),
        "for loop over g.s0.w is inside GPU block loop over g.s0.v but outside GPU block loop over "
        "g.s0.z. Funcs cannot be scheduled in between GPU block loops.",
    ),
    (
        lambda f, g: (
            g.gpu_blocks(W, V).gpu_threads(X),
            f.compute_at(g, V).gpu_threads(X),
        ),
        "store_at location for f is inside GPU block loop over g.s0.v but outside GPU block loop "
        "over g.s0.w. Funcs cannot be scheduled in between GPU block loops.",
    ),
    (
        lambda f, g: (
            g.gpu_blocks(V).gpu_threads(X, Y),
            f.compute_at(g, V).gpu_blocks(W).gpu_threads(X),
        ),
        "store_at location for f is inside GPU block loop over g.s0.v but outside GPU block loop "
        "over f.s0.w. Funcs cannot be scheduled in between GPU block loops.",
    ),
    (
        lambda f, g: (
            g.gpu_blocks(V).gpu_threads(X, Y),
            f.compute_at(g, X).gpu_threads(X, Y),
        ),
        "GPU thread loop over f.s0.x is inside three other GPU thread loops. The maximum number of "
        "nested GPU thread loops is 3.",
    ),
    (
        lambda f, g: g.gpu_blocks(V).gpu_lanes(X),
        "CUDA gpu lanes loop must have constant extent of at most 32: g.extent.0",
    ),
    (
        lambda f, g: g.bound(X, 0, 64).gpu_blocks(V).gpu_lanes(X),
        "CUDA gpu lanes loop must have constant extent of at most 32: 64",
    ),
    (
        lambda f, g: g.gpu_blocks(V).gpu_threads(Y).parallel(X),
        "The loop over g.s0.x can't run inside of a thread.",
    ),
    (
        lambda f, g: (
            g.gpu_blocks(V).gpu_threads(X),
            f.compute_at(g, V).store_in(hl.MemoryType.Stack).gpu_threads(X),
        ),
        "f is stored in stack memory outside of the loops over threads that use it",
    ),
    (
        lambda f, g: (
            g.bound(X, 0, 512).bound(Y, 0, 512).bound(Z, 0, 1).bound(W, 0, 1),
            g.gpu_blocks(V).gpu_threads(X),
            f.compute_at(g, V).store_in(hl.MemoryType.GPUShared).gpu_threads(X),
        ),
        "the threads of a block share 232448 bytes at most",
    ),
]


@pytest.mark.parametrize("number", range(len(INVALID)))
def test_nests_that_no_gpu_can_run_are_refused(number: int) -> None:
    """The first ten sentences are the real package's own."""
    schedule, message = INVALID[number]
    f, g = two()
    schedule(f, g)
    with pytest.raises(hl.HalideError) as raised:
        lowered(g)
    said = str(raised.value)
    for name in (f.name(), g.name()):
        said = said.replace(f"{name}.", f"{name.split('$')[0]}.").replace(f"{name} ", f"{name[0]} ")
    assert message in said


def test_loops_that_run_once_may_stand_between_blocks() -> None:
    """The real package drops them, too."""
    f, g = two()
    f.compute_at(g, X).gpu_blocks(Z, V)
    (kernel,) = lowered(g).kernels
    assert kernel.threads == (const(1),) * 3
    size = (2, 1, 3, 2, 2)
    made = np.asarray(g.realize(list(size), hl.Target("host-cuda_emulated")))
    np.testing.assert_array_equal(made, 2 * sum(np.indices(size[::-1])) + 1)


def copied(value: str) -> hl.Func:
    x, y = hl.vars("x y")
    f, g = hl.Func("f"), hl.Func("g")
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    f[x, y] = x + y
    g[x, y] = eval(value, {"f": f, "x": x, "y": y, "image": image})
    return g


@pytest.mark.parametrize("directive", ("copy_to_device", "copy_to_host"))
@pytest.mark.parametrize("value", ("f[x, y]", "image[x, y]"))
def test_a_stage_that_copies_says_where(value: str, directive: str) -> None:
    g = copied(value)
    assert getattr(g, directive)() is g


@pytest.mark.parametrize("value", ("f[x, y] + 1", "f[y, x]", "x + y", "f[x, 0]"))
@pytest.mark.parametrize("directive", ("copy_to_device", "copy_to_host"))
def test_a_stage_that_computes_is_no_copy(value: str, directive: str) -> None:
    with pytest.raises(hl.HalideError, match="Expected a single call to another Func"):
        getattr(copied(value), directive)()


def test_a_copy_has_no_update() -> None:
    g = copied("f[x, y]")
    g[hl.Var("x"), 0] = 3
    with pytest.raises(hl.HalideError, match="with update definition"):
        g.copy_to_device()
    with pytest.raises(hl.HalideError, match="with no definition"):
        hl.Func("undefined").copy_to_host()


@pytest.mark.parametrize("size", ((70, 19), (3, 2), (1, 1)))
def test_a_wrapper_is_copied_to_the_device_and_back(size: tuple[int, int]) -> None:
    x, y = hl.vars("x y")
    f, g, h = hl.funcs("f g h")
    f[x, y] = x * 3 + y
    g[x, y] = f[x, y] + f[x + 1, y]
    h[x, y] = g[x, y] * 2
    f.compute_root()
    f.in_(g).compute_root().copy_to_device()
    g.compute_root().gpu_single_thread()
    g.in_(h).compute_root().copy_to_host()
    made = np.asarray(h.realize(list(size), hl.Target("host-cuda_emulated")))
    y_, x_ = np.mgrid[: size[1], : size[0]]
    np.testing.assert_array_equal(made, 2 * (6 * x_ + 3 + 2 * y_))


@pytest.mark.parametrize("capability", (75, 89, 90, 100, 120))
def test_targets_name_generations(capability: int) -> None:
    target = hl.Target(f"x86-64-linux-sse41-cuda-cuda_capability_{capability}")
    if capability > 86:
        assert target.has_feature(hl.TargetFeature[f"CUDACapability{capability}"])
    machine = machine_target(target)
    assert (machine.capability, machine.has_device) == (capability, True)
