"""Libraries with kernels: which calls run on the device, and what they leave in memory."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from compiler.codegen import Target, TargetError
from tests.gpu.cuda_calls import Cuda
from tests.gpu.emulated_driver import Driver, emulated_driver

SOURCE = """
#include <stdint.h>
void add_sat(const uint8_t *a, const uint8_t *b, uint8_t *d, int w, int h, int sa, int sb, int sd)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int v = a[y * sa + x] + b[y * sb + x];
            d[y * sd + x] = v > 255 ? 255 : v;
        }
}
void fade(const uint8_t *s, uint8_t *d, int n, int a)
{
    for (int i = 0; i < n; i++) d[i] = (s[i] * a + d[i] * (255 - a)) / 255;
}
void keyed(const uint8_t *s, uint8_t *d, int n)
{
    for (int i = 0; i < n; i++) if (s[i] != 0) d[i] = s[i];
}
void mirrored(const uint8_t *s, uint8_t *d, int n, int k)
{
    for (int i = 0; i < n; i++) d[i] = s[i < k ? k - i : i - k];
}
void box(const uint8_t *s, uint8_t *d, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 0; x < w; x++)
            d[y * w + x] = (s[(y - 1) * w + x] + s[y * w + x] + s[(y + 1) * w + x]) / 3;
}
void looked_up(const uint8_t *s, const uint8_t *table, uint8_t *d, int n)
{
    for (int i = 0; i < n; i++) d[i] = table[s[i]];
}
void half(const uint8_t *s, uint8_t *d, int n, int k)
{
    for (int i = 0; i < n; i++) d[i] = i < k ? s[i] : 7;
}
"""
Array = np.ndarray[Any, Any]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("on_device")
    (folder / "f.c").write_text(SOURCE)
    for command in (["f.c", "-o", "out", "-j1"], ["build", "out", "--target", "cuda", "-j1"]):
        run = subprocess.run(
            [sys.executable, "-m", "lifter", *command], cwd=folder, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stdout + run.stderr
    assert "int32_t lift_cuda_use(int32_t how);" in (folder / "out" / "lifted.h").read_text()
    return ctypes.CDLL(str(folder / "out" / "liblifted.so"))


@pytest.fixture
def driver(library: ctypes.CDLL) -> Iterator[Driver]:
    with emulated_driver() as driver:
        yield driver
        library.lift_cuda_use(0)


def use(library: ctypes.CDLL, bytes: int) -> None:
    library.lift_cuda_use(1)
    library.lift_cuda_set_threshold(ctypes.c_int64(bytes))


def launches(driver: Driver) -> int:
    return len(driver.calls("cuLaunchKernel"))


def at(array: Array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def random(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def added(library: ctypes.CDLL, w: int, h: int) -> None:
    """Calls `add_sat` for images on the host, with rows apart, and looks at all memory."""
    a, b, d = random(1, h, w + 3), random(2, h, w + 2), random(3, h, w + 5)
    wanted = d.copy()
    wanted[:, :w] = np.minimum(a[:, :w].astype(int) + b[:, :w], 255)
    library.add_sat_lifted(at(a), at(b), at(d), w, h, w + 3, w + 2, w + 5)
    np.testing.assert_array_equal(d, wanted)


def test_nothing_is_opened_unasked(library: ctypes.CDLL, driver: Driver) -> None:
    added(library, 19, 5)
    assert not driver.calls()


def test_calls_of_few_bytes_run_on_the_processor(library: ctypes.CDLL, driver: Driver) -> None:
    use(library, 3 * 19 * 5 + 1)
    added(library, 19, 5)
    assert launches(driver) == 0
    use(library, 3 * 19 * 5)
    added(library, 19, 5)
    assert launches(driver) == 1


@pytest.mark.parametrize(("w", "h"), ((1, 1), (0, 4), (33, 17)))
def test_images_of_the_host_are_copied_there_and_back(
    library: ctypes.CDLL, driver: Driver, w: int, h: int
) -> None:
    use(library, 1)
    added(library, w, h)
    assert driver.live()["memories"] == 0


def test_what_is_overwritten_is_read_first(library: ctypes.CDLL, driver: Driver) -> None:
    use(library, 1)
    s, d = random(4, 100), random(5, 100)
    wanted = (s.astype(int) * 77 + d.astype(int) * (255 - 77)) // 255
    library.fade_lifted(at(s), at(d), 100, 77)
    np.testing.assert_array_equal(d, wanted)
    assert launches(driver) == 1


def test_images_on_the_device_stay_there(library: ctypes.CDLL, driver: Driver) -> None:
    use(library, 1 << 40)
    cuda = Cuda(driver.library)
    s, d = random(6, 100), random(7, 100)
    there = [cuda.memory(100), cuda.memory(100)]
    for memory, array in zip(there, (s, d), strict=True):
        cuda.send(memory, array)
    driver.forget_calls()
    library.fade_lifted(*(ctypes.c_void_p(m.value) for m in there), 100, 200)
    assert launches(driver) == 1
    assert not [call for call in driver.calls() if "Memcpy" in call.name]
    made = np.empty_like(d)
    cuda.fetch(made, there[1])
    cuda.wait()
    wanted = (s.astype(int) * 200 + d.astype(int) * 55) // 255
    np.testing.assert_array_equal(made, wanted)
    for memory in there:
        cuda("cuMemFree_v2", memory)


@pytest.mark.parametrize("k", (0, 40, 100))
def test_what_is_read_or_stored_in_part_is_not_copied(
    library: ctypes.CDLL, driver: Driver, k: int
) -> None:
    use(library, 1)
    s, d = random(8, 101), random(9, 100)
    s[::3] = 0
    kept = np.where(s[:100] != 0, s[:100], d)
    library.keyed_lifted(at(s), at(d), 100)
    np.testing.assert_array_equal(d, kept)
    library.half_lifted(at(s), at(d), 100, k)
    np.testing.assert_array_equal(d, np.where(np.arange(100) < k, s[:100], 7))
    library.mirrored_lifted(at(s), at(d), 50, k)
    np.testing.assert_array_equal(d[:50], s[np.abs(np.arange(50) - k)])
    library.looked_up_lifted(at(s), at(random(10, 256)), at(d), 100)
    np.testing.assert_array_equal(d, random(10, 256)[s[:100]])
    assert launches(driver) == 0


def test_rows_around_what_is_stored_are_copied(library: ctypes.CDLL, driver: Driver) -> None:
    use(library, 1)
    s, d = random(11, 7, 40), random(12, 7, 40)
    wanted = d.copy()
    wide = s.astype(int)
    wanted[1:-1] = (wide[:-2] + wide[1:-1] + wide[2:]) // 3
    library.box_lifted(at(s), at(d), 40, 7)
    np.testing.assert_array_equal(d, wanted)
    assert launches(driver) == 1


def test_what_is_stored_in_part_runs_where_it_lies(library: ctypes.CDLL, driver: Driver) -> None:
    use(library, 1)
    cuda = Cuda(driver.library)
    s, d = random(8, 100), random(9, 100)
    s[::3] = 0
    there = [cuda.memory(100), cuda.memory(100)]
    for memory, array in zip(there, (s, d), strict=True):
        cuda.send(memory, array)
    library.keyed_lifted(*(ctypes.c_void_p(m.value) for m in there), 100)
    made = np.empty_like(d)
    cuda.fetch(made, there[1])
    cuda.wait()
    np.testing.assert_array_equal(made, np.where(s != 0, s, d))
    for memory in there:
        cuda("cuMemFree_v2", memory)


@pytest.mark.parametrize("function", ("cuMemAllocAsync", "cuLaunchKernel", "cuMemcpyDtoHAsync_v2"))
def test_a_call_that_fails_has_stored_nothing(
    library: ctypes.CDLL, driver: Driver, function: str
) -> None:
    use(library, 1)
    driver.inject(function, 2, times=-1)
    said: list[bytes] = []
    handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(said.append)
    library.lift_set_error_handler(handler)
    s, d = random(4, 100), random(5, 100)
    before = d.copy()
    assert library.fade_try(at(s), at(d), 100, 77) != 0
    library.lift_set_error_handler(None)
    np.testing.assert_array_equal(d, before)
    assert driver.live()["memories"] == 0


_ALONE = """
import ctypes, sys
library = ctypes.CDLL(sys.argv[1])
s, d = (ctypes.c_uint8 * 3)(1, 2, 3), (ctypes.c_uint8 * 3)()
if sys.argv[2:]:
    print(library.lift_cuda_use(int(sys.argv[2])), end=" ")
for _ in range(2):
    library.half_lifted(s, d, 3, 2)
print(list(d), library.lift_cuda_is_used())
"""


def alone(library: ctypes.CDLL, *words: str, **asked: str) -> tuple[str, str]:
    """What a program in a process of its own, where no driver is, prints and says."""
    run = subprocess.run(
        [sys.executable, "-c", _ALONE, library._name, *words],
        env=os.environ | {"LIFT_CUDA_LIBRARY": "no_such.so"} | asked,
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    return run.stdout, run.stderr


def test_without_a_device_the_processor_does_it_and_says_so_once(library: ctypes.CDLL) -> None:
    done, said = alone(library, LIFT_CUDA="1", LIFT_CUDA_BYTES="1")
    assert done == "[1, 2, 7] 0\n"
    assert re.fullmatch(
        r"lift: LIFT_CUDA asks for a GPU, and all runs on the processor: "
        r"There is no CUDA driver here: .*no_such.so.*\n", said,
    )  # fmt: skip


def test_a_program_that_asks_for_a_device_hears_that_there_is_none(library: ctypes.CDLL) -> None:
    done, said = alone(library, "1", LIFT_CUDA_BYTES="1")
    assert done == "-29 [1, 2, 7] 0\n"
    assert said.startswith("lift: lift_cuda_use asks for a GPU, and all runs on the processor: ")
    assert said.count("\n") == 1


def test_who_asks_for_no_device_hears_nothing(library: ctypes.CDLL) -> None:
    assert alone(library) == ("[1, 2, 7] 0\n", "")
    assert alone(library, "0", LIFT_CUDA="1") == ("0 [1, 2, 7] 0\n", "")
    assert alone(library, LIFT_CUDA="0") == ("[1, 2, 7] 0\n", "")


def test_a_child_of_fork_stays_on_the_processor(library: ctypes.CDLL, driver: Driver) -> None:
    use(library, 1)
    added(library, 19, 5)
    child = os.fork()
    if child == 0:
        try:
            added(library, 19, 5)
            os._exit(0 if library.lift_cuda_is_used() == 0 else 1)
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert library.lift_cuda_is_used() == 1


def test_an_unknown_generation_is_refused() -> None:
    with pytest.raises(TargetError, match="cuda-sm_75"):
        Target.parse("cuda-sm_77")


def test_each_function_finds_out_what_pays(library: ctypes.CDLL, driver: Driver) -> None:
    """Calls of a size take turns at first; here the processor is faster by far."""
    use(library, 1)
    library.lift_cuda_measure_threshold()
    for w in (19, 70):
        before = launches(driver)
        for _ in range(9):
            added(library, w, 5)
        assert launches(driver) - before == 3
    added(library, 20, 5)
    assert launches(driver) == 6  # about the size of 19, which is known
    driver.inject("cuLaunchKernel", 701, times=-1)
    s, d = random(4, 100), random(5, 100)
    assert [library.fade_try(at(s), at(d), 100, 77) for _ in range(7)] == [0, -23] * 3 + [0]
    library.lift_cuda_set_threshold(ctypes.c_int64(1))
