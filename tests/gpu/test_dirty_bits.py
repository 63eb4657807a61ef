"""Which side of a Buffer has what is newest, against a model, for all ways to read and write it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import compiler as hl

from .emulated_driver import Driver, emulated_driver

CUDA = hl.Target("host-cuda")
X, Y, XI, YI = hl.vars("x y xi yi")
WIDTH, HEIGHT = 6, 4
HOST, DEVICE = "cuMemcpyDtoHAsync_v2", "cuMemcpyHtoDAsync_v2"


@pytest.fixture(scope="module")
def kernels() -> tuple[hl.Func, hl.ImageParam, hl.Func, hl.Param]:
    """What reads a Buffer on the device, and what writes it there."""
    a, read = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("read")
    read[X, Y] = a[X, Y]
    value, write = hl.Param(hl.Int(32), "value"), hl.Func("write")
    write[X, Y] = value + X * 0
    for func in (read, write):
        func.gpu_tile(X, Y, XI, YI, 8, 4, hl.TailStrategy.GuardWithIf)
    return read, a, write, value


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver() as made:
        yield made


@dataclass
class Model:
    """One value stands for all elements of a side; None for no memory, or for garbage."""

    host: int = 0
    device: int | None = None
    is_there: bool = False
    host_dirty: bool = True
    device_dirty: bool = False
    to_host: int = 0
    to_device: int = 0

    def on_host(self, may_change: bool = False) -> int:
        if self.device_dirty:
            assert self.device is not None
            self.host, self.device_dirty = self.device, False
            self.to_host += 1
        self.host_dirty |= may_change and self.is_known
        return self.host

    is_known: bool = False
    """Whether there was ever anything on the device; until then the host is newest."""

    def on_device(self) -> int:
        self.is_known = True
        if not self.is_there or self.host_dirty:
            self.device, self.is_there, self.host_dirty = self.host, True, False
            self.to_device += 1
        assert self.device is not None
        return self.device

    def written_there(self, value: int) -> None:
        self.is_known = self.is_there = True
        self.device, self.host_dirty, self.device_dirty = value, False, True


class Watched:
    """A Buffer, and the model of it."""

    def __init__(self, kernels: Any) -> None:
        self.read, self.a, self.write, self.value = kernels
        self.buffer = hl.Buffer(np.zeros((HEIGHT, WIDTH), np.int32))
        self.model = Model()
        self.next = 1

    def new(self) -> int:
        self.next += 1
        return self.next

    def seen_by_kernel(self, buffer: hl.Buffer) -> int:
        self.a.set(buffer)
        made = hl.Buffer(np.zeros((buffer.height(), buffer.width()), np.int32))
        made.set_min([buffer.left(), buffer.top()])
        self.read.realize(made, CUDA)
        (value,) = set(map(int, np.array(made).flat))
        return value

    def written_by_kernel(self, buffer: hl.Buffer) -> int:
        value = self.new()
        self.value.set(value)
        self.write.realize(buffer, CUDA)
        return value


Action = Callable[[Watched], None]
ACTIONS: dict[str, Action] = {}


def action(run: Action) -> Action:
    ACTIONS[run.__name__.replace("_", " ")] = run
    return run


def equal(seen: Any, value: int) -> None:
    assert set(map(int, np.asarray(seen).flat)) == {value}


@action
def reads_an_element(t: Watched) -> None:
    assert t.buffer[1, 2] == t.model.on_host()


@action
def reads_all(t: Watched) -> None:
    assert t.buffer.all_equal(t.model.on_host())


@action
def copies_to_numpy(t: Watched) -> None:
    equal(np.array(t.buffer), t.model.on_host(may_change=True))


@action
def writes_all(t: Watched) -> None:
    value = t.new()
    t.model.on_host(may_change=True)
    t.buffer.fill(value)
    t.model.host = value


@action
def writes_through_numpy(t: Watched) -> None:
    view = np.asarray(t.buffer)
    t.model.on_host(may_change=True)
    view[...] = t.model.host = t.new()


@action
def reads_a_crop(t: Watched) -> None:
    crop = t.buffer.cropped([(1, 3), (2, 2)])
    assert crop[2, 3] == t.model.on_host()


@action
def reads_a_slice(t: Watched) -> None:
    assert t.buffer.sliced(1, 2)[3] == t.model.on_host()


@action
def reads_another_of_the_same_memory(t: Watched) -> None:
    assert hl.Buffer(t.buffer)[0, 0] == t.model.on_host()


@action
def reads_it_moved(t: Watched) -> None:
    assert t.buffer.translated([5, 6])[5, 6] == t.model.on_host()


@action
def reads_it_transposed(t: Watched) -> None:
    assert t.buffer.transposed(0, 1)[3, 1] == t.model.on_host()


@action
def copies_it_whole(t: Watched) -> None:
    assert t.buffer.copy()[1, 1] == t.model.on_host()


@action
def writes_another_of_the_same_memory(t: Watched) -> None:
    value = t.new()
    t.model.on_host(may_change=True)
    hl.Buffer(t.buffer).fill(value)
    t.model.host = value


@action
def a_kernel_reads(t: Watched) -> None:
    expected = t.model.on_device()
    assert t.seen_by_kernel(t.buffer) == expected


@action
def a_kernel_reads_it_moved(t: Watched) -> None:
    expected = t.model.on_device()
    assert t.seen_by_kernel(t.buffer.translated([3, -2])) == expected


@action
def a_kernel_writes(t: Watched) -> None:
    t.model.written_there(t.written_by_kernel(t.buffer))


@action
def a_kernel_reads_a_crop(t: Watched) -> None:
    t.model.on_host()
    expected = t.model.on_device()
    assert t.seen_by_kernel(t.buffer.cropped([(1, 3), (1, 2)])) == expected


@action
def a_kernel_reads_a_slice(t: Watched) -> None:
    t.model.on_host()
    expected = t.model.on_device()
    assert t.seen_by_kernel(t.buffer.sliced(1, 2).embedded(1, 0)) == expected


@action
def says_that_the_host_changed(t: Watched) -> None:
    if not t.model.device_dirty:
        t.buffer.host[...] = t.model.host = t.new()
        t.buffer.set_host_dirty()
        t.model.host_dirty = True


@action
def says_that_the_host_did_not_change(t: Watched) -> None:
    if not t.model.host_dirty:
        t.buffer.set_host_dirty(False)


@action
def frees_what_is_on_the_device(t: Watched) -> None:
    t.buffer.device_free()
    t.model.device, t.model.is_there, t.model.device_dirty = None, False, False
    t.model.host_dirty = True


@action
def allocates(t: Watched) -> None:
    t.buffer.device_malloc(CUDA)
    t.model.is_known = t.model.is_there = True


@action
def asks_for_the_device(t: Watched) -> None:
    if t.model.device_dirty:
        assert t.buffer.copy_to_device(CUDA) == 0
    else:
        t.model.on_device()
        t.buffer.copy_to_device(CUDA)


@action
def asks_for_the_host(t: Watched) -> None:
    t.model.on_host()
    t.buffer.copy_to_host()


@action
def waits(t: Watched) -> None:
    assert t.buffer.device_sync() == 0


@action
def copies_from_another(t: Watched) -> None:
    value = t.new()
    t.model.on_host(may_change=True)
    t.buffer.copy_from(hl.Buffer(np.full((HEIGHT, WIDTH), value, np.int32)))
    t.model.host = value


STATES: dict[str, list[str]] = {
    "host alone": [],
    "host newer": ["a kernel reads", "writes all"],
    "device newer": ["a kernel writes"],
    "both the same": ["writes all", "a kernel reads"],
    "both the same, from the device": ["a kernel writes", "reads an element"],
}
_OF_CROPS = {"a kernel reads a crop", "a kernel reads a slice"}


def run(tested: Watched, names: list[str], driver: Driver) -> None:
    for name in names:
        driver.forget_calls()
        model = tested.model
        before = model.to_host, model.to_device
        ACTIONS[name](tested)
        if model.device_dirty and model.host_dirty:
            raise AssertionError(name)
        own = model.to_host - before[0], model.to_device - before[1]
        # What the kernel that reads made is fetched, once.
        own = (own[0] + ("kernel reads" in name), own[1])
        assert own == (len(driver.calls(HOST)), len(driver.calls(DEVICE))), (name, names)
        buffer = tested.buffer
        assert buffer.device_dirty() == model.device_dirty, name
        assert buffer.host_dirty() == (model.host_dirty or not model.is_known), name
        assert buffer.has_device_allocation() == model.is_there, name


@pytest.mark.parametrize("state", STATES)
def test_every_way_to_read_and_write(state: str, kernels: Any, driver: Driver) -> None:
    """And after it both sides see what is newest."""
    for name in ACTIONS:
        tested = Watched(kernels)
        run(tested, [*STATES[state], name, "reads an element", "a kernel reads"], driver)


@pytest.mark.parametrize(
    "seed", [1, *(pytest.param(s, marks=pytest.mark.slow) for s in range(2, 40))]
)
def test_a_walk_through_the_ways(seed: int, kernels: Any, driver: Driver) -> None:
    chosen = random.Random(seed)
    print(f"seed {seed}")
    run(Watched(kernels), [chosen.choice(list(ACTIONS)) for _ in range(25)], driver)
