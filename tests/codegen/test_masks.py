"""Masked loads and stores of every width touch the lanes that are on, and no others.

Every array lies between pages that nobody may touch, once flush with the one before and once with
the one after; rows have elements between them that must stay as they were.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.codegen import Target
from compiler.codegen.narrow_masks import narrow_accesses, widened
from compiler.codegen.optimise import linked, optimised
from tests.fenced import fenced, in_child

from .test_selection import runs_here

X, Y = hl.vars("x y")
TARGETS = ["x86-64", "x86-64-avx2", "x86-64-avx512", "host"]
STRATEGIES = ["GuardWithIf", "Predicate", "PredicateStores"]
TYPES = {"int8": hl.Int(8), "int16": hl.Int(16), "int32": hl.Int(32), "int64": hl.Int(64),
         "float32": hl.Float(32), "float64": hl.Float(64)}  # fmt: skip
WIDTH, HEIGHT, GAP = 21, 3, 5


def two_widths(strategy: str, other: str, lanes: int, is_read: bool = True) -> Any:
    """The stage of `mixed`, and the image that it reads, unless it reads none."""
    g, f = hl.Func("g"), hl.Func("f")
    source = hl.ImageParam(TYPES[other], 2, "source")
    g[X, Y] = hl.u16(X + Y)
    ramp = hl.cast(TYPES[other], X)
    f[X, Y] = (g[X, Y], source[X, Y] + ramp if is_read else ramp)
    g.compute_at(f, Y)
    f.vectorize(X, lanes, getattr(hl.TailStrategy, strategy))
    return f, source


def mixed(strategy: str, other: str, lanes: int, target: str) -> Any:
    """A tuple of 16-bit values, from a stage in the loop, and of `other`'s, in vectors."""
    f, source = two_widths(strategy, other, lanes)
    return f.compile_to_callable([source], hl.Target(target) if "host" in target else target)


def check(run: Any, other: str, reach: int, at_end: bool) -> None:
    """`reach` is how much of a row is read: `PredicateStores` reads whole vectors."""
    source = fenced((HEIGHT, reach), other, at_end=at_end)
    source[...] = np.arange(HEIGHT * reach).reshape(HEIGHT, reach)
    wholes = [fenced((HEIGHT * (WIDTH + GAP) - GAP,), t, at_end=at_end) for t in ("uint16", other)]
    outs = []
    for whole in wholes:
        whole[...] = 77
        strides = ((WIDTH + GAP) * whole.itemsize, whole.itemsize)
        outs.append(np.lib.stride_tricks.as_strided(whole, (HEIGHT, WIDTH), strides))
    run(hl.Buffer(source), *map(hl.Buffer, outs))
    across, down = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    assert (outs[0] == across + down).all()
    assert (outs[1] == source[:, :WIDTH] + across.astype(other)).all()
    for out in outs:
        out[...] = 77
    assert all((whole == 77).all() for whole in wholes), "something between the rows was written"


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_tuple_of_mixed_widths_stays_in_its_buffers(strategy: str, target: str) -> None:
    if target != "host" and not runs_here(target):
        pytest.skip(f"this machine doesn't run code for {target}")
    # All of them on one machine take a minute; each lane count meets each width on some target.
    number = TARGETS.index(target) + STRATEGIES.index(strategy)
    pairs = list(itertools.product(TYPES, (4, 8, 16)))

    def work() -> None:
        for other, lanes in [("int8", 8), *pairs[number % 3 :: 6]]:
            run = mixed(strategy, other, lanes, target)
            reach = WIDTH if strategy != "PredicateStores" else -(-WIDTH // lanes) * lanes
            for at_end in (False, True):
                check(run, other, reach, at_end)

    assert in_child(work) == 0


@pytest.mark.sampled
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("other", ["int8", "int16", "float32"])
@pytest.mark.parametrize("lanes", [4, 8, 16])
def test_nothing_is_written_after_a_row(strategy: str, other: str, lanes: int) -> None:
    f, _ = two_widths(strategy, other, lanes, is_read=False)
    wholes = [np.full((HEIGHT, 64), 77, t) for t in ("uint16", other)]
    f.realize([hl.Buffer(whole[:, 8 : 8 + WIDTH]) for whole in wholes])
    for whole in wholes:
        assert (whole[:, 8 : 8 + WIDTH] != 77).any()
        assert (whole[:, :8] == 77).all()
        assert (whole[:, 8 + WIDTH :] == 77).all()


def test_the_fences_are_felt() -> None:
    def work() -> None:
        run = mixed("GuardWithIf", "int8", 8, "host")
        source = fenced((HEIGHT, WIDTH), "int8", at_end=True)
        outs = [np.zeros((HEIGHT, WIDTH), t) for t in ("uint16", "int8")]
        far = np.lib.stride_tricks.as_strided(source, (HEIGHT, WIDTH + 1), (WIDTH, 1))
        run(hl.Buffer(far), *(hl.Buffer(np.pad(out, ((0, 0), (0, 1)))) for out in outs))

    assert in_child(work) != 0


def module(lanes: int, element: str, name: str) -> str:
    mask, vector = f"<{lanes} x i1>", f"<{lanes} x {element}>"
    load, store = (f"@llvm.masked.{kind}.v{lanes}{name}.p0" for kind in ("load", "store"))
    return f"""
declare void {store}({vector}, ptr, {mask})
declare {vector} {load}(ptr, {mask}, {vector})
define void @f(ptr %from, ptr %to, {mask} %m) {{
  %v = call {vector} {load}(ptr align 1 %from, {mask} %m, {vector} zeroinitializer)
  call void {store}({vector} %v, ptr align 1 %to, {mask} %m)
  ret void
}}
"""


@pytest.mark.sampled
@pytest.mark.parametrize("lanes", [2, 3, 4, 7, 8, 12, 16, 24, 33, 64, 96, 100, 128])
@pytest.mark.parametrize(
    ("element", "name"), [("i8", "i8"), ("i16", "i16"), ("float", "f32"), ("i64", "i64")]
)
def test_no_mask_is_left_for_llvm_to_widen(lanes: int, element: str, name: str) -> None:
    target = Target.parse("x86-64-avx512")
    left = optimised(module(lanes, element, name), target, target.machine())
    assert not narrow_accesses((f.name for f in left.functions), target)


@pytest.mark.parametrize("name", ["x86-64", "x86-64-avx2", "aarch64"])
def test_other_machines_have_no_such_masks(name: str) -> None:
    assert not narrow_accesses(["llvm.masked.store.v8i8.p0"], Target.parse(name))


def test_accesses_that_fill_registers_stay_as_they_are() -> None:
    target = Target.parse("x86-64-avx512")
    names = ["llvm.masked.store.v16i8.p0", "llvm.masked.load.v8i16.p0", "llvm.masked.load.v2f64.p0"]
    assert narrow_accesses(names, target) == []


def test_what_takes_the_place_of_a_narrow_access_is_llvm(lanes: int = 12) -> None:
    target = Target.parse("x86-64-avx512")
    text = module(lanes, "i8", "i8")
    names = [f"llvm.masked.{kind}.v{lanes}i8.p0" for kind in ("load", "store")]
    linked([widened(text, names)], target, target.machine())


def test_avx512_without_short_vectors_has_no_masks_of_bytes() -> None:
    """LLVM would widen each to 512 bits, by the moves that lose zeros."""
    words = Target("x86_64-unknown-linux-gnu", "", "+avx512f,+avx512bw,+avx512dq").llvm_features()
    assert words.endswith("-avx512bw,-avx512dq")
    assert "-avx512bw" not in Target.parse("x86-64-avx512").llvm_features()
