"""Arrays on the device are shared with other packages, both ways, and never copied for it."""

from __future__ import annotations

import ctypes
import gc
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import compiler as hl
from compiler.lang import device_arrays
from compiler.runtime import device as runtime

from .cuda_calls import Cuda
from .emulated_driver import Driver, emulated_driver

CUDA = hl.Target("host-cuda")
X, Y, XI, YI = hl.vars("x y xi yi")
IMAGE = np.arange(24, dtype=np.int32).reshape(4, 6)


@pytest.fixture
def driver() -> Iterator[Driver]:
    with emulated_driver() as made:
        runtime.describe()
        yield made
        runtime.set_stream(0)


@pytest.fixture
def cuda(driver: Driver) -> Iterator[Cuda]:
    made = Cuda(driver.library)
    yield made
    made("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))


class Producer:
    """An array of another package."""

    def __init__(self, cuda: Cuda, array: np.ndarray[Any, Any], **said: Any) -> None:
        self.cuda, self.array, self.said = cuda, array, said
        self.address = cuda.memory(max(array.nbytes, 1)).value
        if array.size:
            base = np.ascontiguousarray(array)
            cuda("cuMemcpyHtoD_v2", ctypes.c_uint64(self.address), base.ctypes,
                 ctypes.c_size_t(base.nbytes))  # fmt: skip
            cuda("cuCtxSynchronize")

    def values(self) -> np.ndarray[Any, Any]:
        made = np.empty_like(np.ascontiguousarray(self.array))
        self.cuda("cuCtxSynchronize")
        self.cuda("cuMemcpyDtoH_v2", made.ctypes, ctypes.c_uint64(self.address),
                  ctypes.c_size_t(made.nbytes))  # fmt: skip
        return made


class ByInterface(Producer):
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.array.shape,
            "typestr": self.array.dtype.str,
            "data": (self.address if self.array.size else 0, False),
            "version": 3,
            **self.said,
        }


class ByDlpack:
    """Gives a Buffer's capsule on, and says in which stream somebody takes it."""

    def __init__(self, buffer: hl.Buffer) -> None:
        self.buffer, self.streams = buffer, list[Any]()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.buffer.__dlpack_device__()

    def __dlpack__(self, *, stream: Any = None) -> Any:
        self.streams.append(stream)
        return self.buffer.__dlpack__(stream=stream)


def plus_one() -> tuple[hl.ImageParam, hl.Func]:
    a, f = hl.ImageParam(hl.Int(32), 2, "a"), hl.Func("f")
    f[X, Y] = a[X, Y] + 1
    f.gpu_tile(X, Y, XI, YI, 8, 4, hl.TailStrategy.GuardWithIf)
    return a, f


def copies(driver: Driver) -> list[str]:
    return [call.name for call in driver.calls() if call.name.startswith("cuMemcpy")]


def test_a_pipeline_works_on_others_arrays_in_place(driver: Driver, cuda: Cuda) -> None:
    source, target = ByInterface(cuda, IMAGE), ByInterface(cuda, IMAGE * 0)
    a, f = plus_one()
    driver.forget_calls()
    given, made = hl.Buffer(source), hl.Buffer(target)
    assert given.device_dirty() and given.width() == 6 and given.height() == 4
    a.set(given)
    f.realize(made, CUDA)
    assert not copies(driver) and not driver.calls("cuMemAllocAsync")
    np.testing.assert_array_equal(target.values(), IMAGE + 1)
    np.testing.assert_array_equal(np.array(made), IMAGE + 1)
    assert given[2, 3] == IMAGE[3, 2]
    # What the host writes is seen there once a kernel has used it.
    given[0, 0] = 100
    f.realize(made, CUDA)
    assert target.values()[0, 0] == 101 and source.values()[0, 0] == 100
    addresses = {source.address, target.address}
    owners = [weakref.ref(source), weakref.ref(target)]
    a.set(hl.Buffer(IMAGE.copy()))
    f.__dict__.pop("_again")
    del given, made, source, target
    gc.collect()
    assert [owner() for owner in owners] == [None, None]
    assert addresses <= {m.address for m in driver.memories()}  # it is theirs to free


@pytest.mark.parametrize("reverse_axes", (True, False))
def test_rows_apart_and_columns_first(reverse_axes: bool, driver: Driver, cuda: Cuda) -> None:
    wide = np.arange(60, dtype=np.int32).reshape(6, 10)
    for part in (wide[1:5, 2:8], wide.T[2:8, 1:5], wide[::2], wide[::-1], wide[:, 3:4]):
        producer = ByInterface(cuda, wide)
        offset = part.ctypes.data - wide.ctypes.data
        producer.said = {
            "shape": part.shape,
            "strides": part.strides,
            "data": (producer.address + offset, False),
        }
        buffer = hl.Buffer(producer, reverse_axes=reverse_axes)
        seen = np.array(buffer) if reverse_axes else np.array(buffer).T
        np.testing.assert_array_equal(seen, part)
        a, f = plus_one()
        a.dim(0).set_stride(hl.Expr())
        a.set(buffer)
        made = f.realize([buffer.width(), buffer.height()], CUDA)
        seen = np.array(made) if reverse_axes else np.array(made).T
        np.testing.assert_array_equal(seen, part + 1)


def test_nothing_is_shared_of_no_elements(driver: Driver, cuda: Cuda) -> None:
    buffer = hl.Buffer(ByInterface(cuda, np.zeros((0, 3), np.float32)))
    assert (buffer.width(), buffer.height()) == (3, 0)
    assert not buffer.has_device_allocation()
    assert buffer.__cuda_array_interface__["data"] == (0, False)


@pytest.mark.parametrize(
    ("said", "message"),
    (
        ({"data": (4096, True)}, "read-only"),
        ({"mask": 1}, "mask"),
        ({"typestr": "<c8"}, "Unsupported Buffer"),
        ({"typestr": ">i4"}, "Unsupported Buffer"),
        ({"strides": (24, 6)}, "whole numbers of elements"),
        ({"stream": 0}, "can't be 0"),
    ),
)
def test_some_arrays_are_refused(
    said: dict[str, Any], message: str, driver: Driver, cuda: Cuda
) -> None:
    with pytest.raises(ValueError, match=message):
        hl.Buffer(ByInterface(cuda, IMAGE, **said))


def test_what_a_producer_still_does_comes_first(driver: Driver, cuda: Cuda) -> None:
    stream = cuda.made(ctypes.c_void_p, "cuStreamCreate", 1)
    producer = ByInterface(cuda, IMAGE * 0, stream=stream.value)
    cuda.send(ctypes.c_uint64(producer.address), IMAGE, stream)
    driver.forget_calls()
    assert np.array_equal(np.array(hl.Buffer(producer)), IMAGE)
    waited = [call.arguments for call in driver.calls("cuStreamSynchronize")]
    assert waited[0] == f"{stream.value:#x}"
    for said in ({"stream": None}, {"stream": 1}):
        driver.forget_calls()
        hl.Buffer(ByInterface(cuda, IMAGE, **said))
        assert not driver.calls("cuStreamSynchronize")
    runtime.set_stream(stream.value)
    driver.forget_calls()
    hl.Buffer(ByInterface(cuda, IMAGE, stream=stream.value))
    assert not driver.calls("cuStreamSynchronize")


def test_others_work_on_a_buffers_elements(driver: Driver, cuda: Cuda) -> None:
    buffer = hl.Buffer(IMAGE.copy())
    said = buffer.__cuda_array_interface__
    address, is_read_only = said["data"]
    assert (said["shape"], said["typestr"], said["strides"]) == ((4, 6), "<i4", (24, 4))
    assert (said["version"], said["stream"], is_read_only) == (3, 1, False)
    cuda("cuMemcpyHtoD_v2", ctypes.c_uint64(address), (IMAGE * 5).ctypes,
         ctypes.c_size_t(IMAGE.nbytes))  # fmt: skip
    np.testing.assert_array_equal(np.array(buffer), IMAGE * 5)
    crop = buffer.cropped([(2, 3), (1, 2)]).__cuda_array_interface__
    assert crop["data"][0] == address + 4 * 8 and crop["shape"] == (2, 3)
    # And again, once the host has changed it.
    buffer[1, 1] = -7
    again = buffer.__cuda_array_interface__["data"][0]
    values = np.empty_like(IMAGE)
    cuda("cuMemcpyDtoH_v2", values.ctypes, ctypes.c_uint64(again), ctypes.c_size_t(values.nbytes))
    assert again == address and values[1, 1] == -7
    stream = cuda.made(ctypes.c_void_p, "cuStreamCreate", 0)
    runtime.set_stream(stream.value)
    assert buffer.__cuda_array_interface__["stream"] == stream.value


@pytest.mark.parametrize(
    "dtype", (np.uint8, np.int16, np.uint32, np.int64, np.float16, np.float32, np.float64, np.bool_)
)
def test_a_tensor_of_dlpack_is_the_same_memory(dtype: Any, driver: Driver) -> None:
    first = hl.Buffer(np.arange(24).reshape(4, 6).astype(dtype))
    first.copy_to_device(CUDA)
    driver.forget_calls()
    second = hl.Buffer(ByDlpack(first))
    assert not copies(driver) and second.type() == first.type()
    assert second.sides is not first.sides
    own, other = first.sides, second.sides
    assert own is not None and other is not None
    assert other.device_memory().address == own.device_memory().address
    np.testing.assert_array_equal(np.array(second), np.array(first))


def test_dlpack_keeps_memory_alive_as_long_as_it_is_used(driver: Driver) -> None:
    a, f = plus_one()
    a.set(hl.Buffer(IMAGE.copy()))
    first = f.realize([6, 4], CUDA)
    a.set(hl.Buffer(IMAGE.copy()))
    second = hl.Buffer(ByDlpack(first))
    del first
    gc.collect()
    assert driver.live()["memories"] == 1
    np.testing.assert_array_equal(np.array(second), IMAGE + 1)
    del second
    gc.collect()
    assert driver.live()["memories"] == 0 and not device_arrays._shared


def test_a_capsule_that_nobody_takes_is_forgotten(driver: Driver) -> None:
    buffer = hl.Buffer(IMAGE.copy())
    buffer.copy_to_device(CUDA)
    capsule = buffer.__dlpack__()
    assert len(device_arrays._shared) == 1
    del capsule
    assert not device_arrays._shared
    taken = buffer.__dlpack__()

    class Given:
        def __dlpack_device__(self) -> tuple[int, int]:
            return 2, 0

        def __dlpack__(self, *, stream: Any = None) -> Any:
            return taken

    hl.Buffer(Given())
    with pytest.raises(ValueError, match="nobody has taken"):
        hl.Buffer(Given())


def test_dlpack_names_streams(driver: Driver, cuda: Cuda) -> None:
    buffer = hl.Buffer(IMAGE.copy())
    buffer.copy_to_device(CUDA)
    stream = cuda.made(ctypes.c_void_p, "cuStreamCreate", 1).value
    taken = ByDlpack(buffer)
    hl.Buffer(taken)
    runtime.set_stream(stream)
    hl.Buffer(taken)
    assert taken.streams == [1, stream]
    # Who goes on elsewhere than this thread finds its work done.
    for theirs, waits in ((stream, False), (-1, False), (None, True), (1, True), (2, True)):
        driver.forget_calls()
        buffer.__dlpack__(stream=theirs)
        assert bool(driver.calls("cuStreamSynchronize")) == waits, theirs
    with pytest.raises(hl.HalideError, match="can't be 0"):
        buffer.__dlpack__(stream=0)


def test_dlpack_of_a_host_is_numpys(driver: Driver) -> None:
    buffer = hl.Buffer(IMAGE.copy())
    assert buffer.__dlpack_device__() == (1, 0)
    array = np.from_dlpack(buffer)
    np.testing.assert_array_equal(array, IMAGE)
    buffer[2, 1] = 99
    assert array[1, 2] == 99
    buffer.copy_to_device(CUDA)
    assert buffer.__dlpack_device__() == (2, 0)
    with pytest.raises(BufferError, match="where they are"):
        buffer.__dlpack__(copy=True)
    with pytest.raises(BufferError, match="where they are"):
        buffer.__dlpack__(dl_device=(2, 1))


def test_compiled_functions_take_others_arrays(driver: Driver, cuda: Cuda) -> None:
    a, f = plus_one()
    run = f.compile_to_callable([a], CUDA)
    source, target = ByInterface(cuda, IMAGE), ByInterface(cuda, IMAGE * 0)
    driver.forget_calls()
    run(source, target)
    assert not copies(driver)
    np.testing.assert_array_equal(target.values(), IMAGE + 1)
