"""Guarded entries of libraries with kernels: pointers to the device where no kernel can run."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.gpu.cuda_calls import Cuda
from tests.gpu.emulated_driver import Driver, emulated_driver

from .programs import WARNINGS, lift

SOURCE = """
#include <stdint.h>
void gathered(const uint8_t *table, const int *index, uint8_t *d, int n)
{
    for (int i = 0; i < n; i++) d[i] = table[index[i]];
}
int averaged(const uint8_t *s, uint8_t *d, int w, int h, int ss, int sd)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) d[y * sd + x] = (s[y * ss + x] + s[y * ss + x + 1]) / 2;
    return h;
}
void smeared(uint8_t *d, int n)
{
    for (int i = 1; i < n; i++) d[i] = (d[i - 1] + d[i]) / 2;
}
void turned(const uint8_t *s, uint8_t *d, int w, int h, int step)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) d[y * w + x] = s[y * step + x];
}
// lift: assume(the rows of d are evenly spaced)
// lift: assume(the rows of s are evenly spaced)
void raised(uint8_t **d, uint8_t *const *s, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) d[y][x] = s[y][x] + 1;
}
typedef struct { uint8_t *data; void *user; int w, h, stride; } Image;
void inverted(const Image *from, Image *im)
{
    for (int y = 0; y < im->h; y++)
        for (int x = 0; x < im->w; x++)
            im->data[y * im->stride + x] = 255 - from->data[y * im->stride + x];
}
"""
GUARDED = """
#define gathered real_gathered
#define averaged real_averaged
#define smeared real_smeared
#define turned real_turned
#define raised real_raised
#include "f.c"
#undef gathered
#undef averaged
#undef smeared
#undef turned
#undef raised
#define LIFT_WITH_ORIGINAL
#include "out/f/gathered/gathered.h"
#include "out/f/averaged/averaged.h"
#include "out/f/smeared/smeared.h"
#include "out/f/turned/turned.h"
#include "out/f/raised/raised.h"
#include "out/f/inverted/inverted.h"
const void *seen[2];
int originals;
#define SEEN(a, b) seen[0] = a, seen[1] = b, originals++
void gathered(const uint8_t *table, const int *index, uint8_t *d, int n)
{ SEEN(index, d); real_gathered(table, index, d, n); }
int averaged(const uint8_t *s, uint8_t *d, int w, int h, int ss, int sd)
{ SEEN(s, d); return real_averaged(s, d, w, h, ss, sd); }
void smeared(uint8_t *d, int n) { SEEN(d, d); real_smeared(d, n); }
void turned(const uint8_t *s, uint8_t *d, int w, int h, int step)
{ SEEN(s, d); real_turned(s, d, w, h, step); }
void raised(uint8_t **d, uint8_t *const *s, int w, int h) { SEEN(s, d); real_raised(d, s, w, h); }
void run_gathered(const uint8_t *table, const int *index, uint8_t *d, int n)
{ gathered_guarded(table, index, d, n); }
int run_averaged(const uint8_t *s, uint8_t *d, int w, int h, int ss, int sd)
{ return averaged_guarded(s, d, w, h, ss, sd); }
void run_averaged_original(const uint8_t *s, uint8_t *d, int w, int h, int ss, int sd)
{ real_averaged(s, d, w, h, ss, sd); }
void run_smeared(uint8_t *d, int n) { smeared_guarded(d, n); }
void run_turned(const uint8_t *s, uint8_t *d, int w, int h, int step)
{ turned_guarded(s, d, w, h, step); }
void run_raised(uint8_t **d, uint8_t *const *s, int w, int h) { raised_guarded(d, s, w, h); }
Image image;
int run_inverted(uint8_t *from, uint8_t *data, void *user, int w, int h, int stride)
{
    Image other = { from, 0, w, h, stride }, own = { data, user, w, h, stride };
    image = own;
    inverted_guarded(from ? &other : &image, &image);
    return image.data == data && image.user == user && image.w == w;
}
"""
Array = np.ndarray[Any, Any]


class Guarded:
    """The guarded entries, and what the originals behind them have seen."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.library = ctypes.CDLL(str(path))

    @property
    def originals(self) -> int:
        return ctypes.c_int.in_dll(self.library, "originals").value

    @property
    def seen(self) -> list[int]:
        return [a or 0 for a in (ctypes.c_void_p * 2).in_dll(self.library, "seen")]

    def __call__(self, name: str, *arguments: Any) -> Any:
        return self.library[f"run_{name}"](*arguments)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Guarded:
    folder = tmp_path_factory.mktemp("guarded_on_device")
    (folder / "f.c").write_text(SOURCE)
    (folder / "guarded.c").write_text(GUARDED)
    for command in (("f.c", "-o", "out"), ("build", "out", "--target", "cuda", "--no-library")):
        run = lift(*command, "-j1", cwd=folder)
        assert run.status == 0, run.out + run.err
    options = ["-std=gnu99", "-O1", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"]
    objects = map(str, sorted((folder / "out").rglob("*.o")))
    command = ("gcc", *options, "guarded.c", *objects, "-o", "libguarded.so")
    subprocess.run(command, cwd=folder, check=True)
    return Guarded(folder / "libguarded.so")


@pytest.fixture
def driver(guarded: Guarded) -> Iterator[Driver]:
    with emulated_driver() as driver:
        assert guarded.library.lift_cuda_use(1) == 0
        guarded.library.lift_cuda_set_threshold(ctypes.c_int64(1 << 40))
        driver.forget_calls()
        yield driver
        guarded.library.lift_cuda_use(0)


class There:
    """Arrays in memory of the device, all in one allocation or each in its own."""

    def __init__(self, driver: Driver, arrays: Sequence[Array], together: bool = False) -> None:
        self.cuda = Cuda(driver.library)
        self.arrays = arrays
        sizes = [a.nbytes for a in arrays]
        starts = [sum(sizes[:i]) for i in range(len(sizes))] if together else [0] * len(sizes)
        made = [self.cuda.memory(n) for n in ([sum(sizes)] if together else sizes)]
        self.memories = made
        bases = made * len(sizes) if together else made
        self.places = [
            ctypes.c_void_p(base.value + start) for base, start in zip(bases, starts, strict=True)
        ]
        for place, array in zip(self.places, arrays, strict=True):
            self.cuda.send(ctypes.c_uint64(place.value or 0), array)
        driver.forget_calls()

    def fetch(self, number: int) -> Array:
        made = np.empty_like(self.arrays[number])
        self.cuda.fetch(made, ctypes.c_uint64(self.places[number].value or 0))
        self.cuda.wait()
        return made

    def free(self) -> None:
        for memory in self.memories:
            self.cuda("cuMemFree_v2", memory)


_ALONE = """
import ctypes, sys
driver, library = map(ctypes.CDLL, sys.argv[1:3])
assert library.lift_cuda_use(1) == 0
context, memory = ctypes.c_void_p(), ctypes.c_uint64()
assert driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert driver.cuCtxPushCurrent_v2(context) == 0
assert driver.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(400)) == 0
numbers, there = bytes(range(200)) * 2, ctypes.c_void_p(memory.value)
assert driver.cuMemcpyHtoD_v2(memory, numbers, ctypes.c_size_t(400)) == 0
rows = (ctypes.c_void_p * 3)(*(memory.value + n for n in (0, 10, 30)))
def fail(function, nth, times=-1):
    driver.emulated_inject(function, ctypes.c_long(nth), ctypes.c_long(times), 2)
%s
print("done")
"""


def alone(guarded: Guarded, driver: Driver, call: str) -> str:
    """What a program says that is ended by a call."""
    command = [sys.executable, "-c", _ALONE % call, str(driver.path), str(guarded.path)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == -signal.SIGABRT, run.stdout + run.stderr
    return run.stderr


def at(array: Array, element: int = 0) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data + element * array.itemsize)


def random(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def launches(driver: Driver) -> int:
    return len(driver.calls("cuLaunchKernel"))


def is_there(driver: Driver, address: int) -> bool:
    return any(m.address <= address < m.address + len(m.bytes) for m in driver.memories())


def test_a_table_of_indices_on_the_device_is_looked_at_in_a_copy(
    guarded: Guarded, driver: Driver
) -> None:
    table, index, d = random(1, 90), np.arange(10, 70, 2, dtype=np.int32), random(2, 40)
    wide = np.full(60, 1 << 30, np.int32)  # what isn't read must not be copied either
    wide[5:35] = index
    there = There(driver, [table, wide, d])
    before = guarded.originals
    index_at = ctypes.c_void_p((there.places[1].value or 0) + 20)
    guarded("gathered", there.places[0], index_at, there.places[2], 30)
    assert launches(driver) == 1
    copies = driver.calls("cuMemcpyDtoHAsync_v2")
    assert len(copies) == 1 and "120" in copies[0].arguments, copies
    d[:30] = table[index]
    np.testing.assert_array_equal(there.fetch(2), d)
    assert guarded.originals == before
    there.free()


def test_an_index_that_overlaps_runs_the_original_on_copies(
    guarded: Guarded, driver: Driver
) -> None:
    memory, index = random(3, 100), np.arange(30, dtype=np.int32)
    there = There(driver, [memory, index])
    place = there.places[0].value or 0
    guarded("gathered", ctypes.c_void_p(place), there.places[1], ctypes.c_void_p(place + 5), 30)
    assert launches(driver) == 0
    wanted = memory.copy()
    for i in range(30):
        wanted[5 + i] = wanted[i]
    np.testing.assert_array_equal(there.fetch(0), wanted)
    assert not any(is_there(driver, address) for address in guarded.seen)
    there.free()


@pytest.mark.parametrize("together", (False, True))
@pytest.mark.parametrize("sd", (17, 12, 24))
def test_the_proof_decides_who_runs(
    guarded: Guarded, driver: Driver, sd: int, together: bool
) -> None:
    """Rows apart, rows that run into one another, and elements between rows."""
    w, h, before = 17, 5, guarded.originals
    s, d = random(4, h * 20 + 1), random(5, 4 * 24 + 60)
    there = There(driver, [s, d], together)
    assert guarded("averaged", *there.places, w, h, 20, sd) == h
    wanted = d.copy()
    for y in range(h):
        row = s[y * 20 : y * 20 + w + 1].astype(int)
        wanted[y * sd : y * sd + w] = (row[:-1] + row[1:]) // 2
    np.testing.assert_array_equal(there.fetch(1), wanted)
    np.testing.assert_array_equal(there.fetch(0), s)
    assert (launches(driver), guarded.originals - before) == ((0, 1) if sd < w else (1, 0))
    there.free()


def test_what_others_change_meanwhile_stays(guarded: Guarded, driver: Driver) -> None:
    """Of the copies those bytes alone go back that the original has changed."""
    d = np.array([[9, 1], [9, 9], [0, 1]], np.uint8).repeat(50, 1)
    d[1] = 9
    there = There(driver, [d])
    guarded("averaged", there.places[0], there.places[0], 99, 1, 0, 0)
    copies = driver.calls("cuMemcpyHtoDAsync_v2")
    wanted = d.copy().ravel()
    for x in range(99):
        wanted[x] = (int(wanted[x]) + int(wanted[x + 1])) // 2
    np.testing.assert_array_equal(there.fetch(0).ravel(), wanted)
    changed = int((wanted != d.ravel()).sum())
    assert sum(int(c.arguments.split(", ")[1].split()[0]) for c in copies) == changed
    there.free()


def test_without_kernels_the_processor_gets_copies(guarded: Guarded, driver: Driver) -> None:
    d, before = random(6, 70), guarded.originals
    there = There(driver, [d])
    guarded("smeared", there.places[0], 70)
    wanted = d.copy()
    for i in range(1, 70):
        wanted[i] = (int(wanted[i - 1]) + int(wanted[i])) // 2
    np.testing.assert_array_equal(there.fetch(0), wanted)
    assert (launches(driver), guarded.originals) == (0, before)
    there.free()


def test_without_kernels_the_lifted_entry_says_so(guarded: Guarded, driver: Driver) -> None:
    there = There(driver, [random(6, 70)])
    assert guarded.library.smeared_try(there.places[0], 70) == -42
    there.free()


@pytest.mark.parametrize("stride", (4, 5, 9))
@pytest.mark.parametrize("count", (1, 2))
def test_objects_are_copied_with_their_pointers(
    guarded: Guarded, driver: Driver, stride: int, count: int
) -> None:
    """One object for both parameters, or two."""
    arrays = [random(20 + n, 40) for n in range(count)]
    there, wanted = There(driver, arrays), arrays[-1].copy()
    for y in range(3):
        for x in range(5):
            source = wanted if count == 1 else arrays[0]
            wanted[y * stride + x] = 255 - int(source[y * stride + x])
    given = [None if count == 1 else there.places[0], there.places[-1]]
    assert guarded("inverted", *given, None, 5, 3, stride) == 1
    np.testing.assert_array_equal(there.fetch(count - 1), wanted)
    there.free()


@pytest.mark.parametrize("on_host", (0, 1))
def test_one_image_here_and_one_there(guarded: Guarded, driver: Driver, on_host: int) -> None:
    for sd in (6, 9):  # without and with a proof
        s, d = random(7, 60), random(8, 60)
        wanted = d.copy()
        for y in range(3):
            row = s[y * 10 : y * 10 + 9].astype(int)
            wanted[y * sd : y * sd + 8] = (row[:-1] + row[1:]) // 2
        there = There(driver, [d if on_host == 0 else s])
        own = s if on_host == 0 else d
        places = [at(own), there.places[0]] if on_host == 0 else [there.places[0], at(own)]
        guarded("averaged", *places, 8, 3, 10, sd)
        np.testing.assert_array_equal(there.fetch(0) if on_host == 0 else d, wanted)
        there.free()


def test_an_image_that_goes_backwards_on_the_device_is_copied(
    guarded: Guarded, driver: Driver
) -> None:
    s, d = random(9, 5, 8), random(10, 5, 8)
    there = There(driver, [s, d])
    last = ctypes.c_void_p((there.places[0].value or 0) + 32)
    assert guarded.library.turned_try(last, there.places[1], 8, 5, -8) == -42
    guarded("turned", last, there.places[1], 8, 5, -8)
    np.testing.assert_array_equal(there.fetch(1), s[::-1])
    there.free()


def test_nothing_is_asked_of_cuda_unasked(guarded: Guarded) -> None:
    with emulated_driver() as driver:
        s, d = random(11, 60), random(12, 60)
        guarded("averaged", at(s), at(d), 8, 3, 10, 6)
        guarded("averaged", at(s), at(d), 8, 3, 10, 8)
        assert not driver.calls()


@pytest.mark.parametrize("function", ("cuModuleLoadDataEx", "cuLaunchKernel"))
def test_a_kernel_that_cannot_start_leaves_it_to_the_processor(
    guarded: Guarded, driver: Driver, function: str
) -> None:
    """Nothing has been stored on the device then."""
    s, d = random(13, 60), random(14, 60)
    there = There(driver, [s, d])
    driver.inject(function, 701, times=-1)
    assert guarded("averaged", *there.places, 8, 3, 10, 10) == 3
    wanted = d.copy()
    for y in range(3):
        row = s[y * 10 : y * 10 + 9].astype(int)
        wanted[y * 10 : y * 10 + 8] = (row[:-1] + row[1:]) // 2
    np.testing.assert_array_equal(there.fetch(1), wanted)
    there.free()


@pytest.mark.parametrize(
    ("call", "said"),
    (
        (
            "library.run_inverted(None, there, there, 9, 3, 5)",
            "an object has a pointer to the device that isn't understood",
        ),
        ("library.run_raised(rows, rows, 9, 3)", "a table of rows can't be passed to the original"),
        ("library.run_raised(there, there, 9, 3)", "a table of rows lies there itself"),
        (
            "fail(b'cuMemcpyDtoHAsync_v2', 1); library.run_smeared(there, 9)",
            "can't be copied to the host: the device has no memory left (CUDA_ERROR_OUT_OF_MEMORY)",
        ),
        (
            "fail(b'cuMemcpyHtoDAsync_v2', 1); library.run_smeared(there, 9)",
            "its results can't be copied to the device: the device has no memory left",
        ),
        (
            "fail(b'cuPointerGetAttribute', 4, 1); library.run_smeared(there, 9)",
            "where it begins and ends isn't known",
        ),
    ),
)
def test_what_cannot_be_done_is_said(
    guarded: Guarded, driver: Driver, call: str, said: str
) -> None:
    message = alone(guarded, driver, call)
    assert said in message and message.startswith("lift: ") and message.count("\n") == 1


@pytest.mark.parametrize(
    "seed", (0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, 30)))
)
def test_any_places_in_memory_give_what_the_original_gives(
    guarded: Guarded, driver: Driver, seed: int
) -> None:
    """Images anywhere in one allocation, or two, or on the host: over one another, rows, too."""
    source = np.random.default_rng(seed)
    ran = {"there": 0, "original": 0}
    for _ in range(12):
        arenas = [source.integers(0, 256, 400, dtype=np.uint8) for _ in range(2)]
        w, h = (int(n) for n in source.integers(0, (12, 5)))
        steps = [int(n) for n in source.integers(-14, 15, 2)]
        if source.random() < 0.7:
            steps = [abs(step) for step in steps]
        which = [int(n) for n in source.integers(0, 2, 2)]
        at_least = [max(0, -step * max(h - 1, 0)) for step in steps]
        starts = [low + int(source.integers(0, 300 - low)) for low in at_least]
        starts = [
            min(start, 380 - w - max(0, step) * h)
            for start, step in zip(starts, steps, strict=True)
        ]
        wanted = [arena.copy() for arena in arenas]
        own = [at(wanted[n], start) for n, start in zip(which, starts, strict=True)]
        guarded("averaged_original", *own, w, h, *steps)
        there = There(driver, arenas)
        places = [(p.value or 0) for p in there.places]
        on_host = source.random() < 0.3
        if on_host:
            places[1] = arenas[1].ctypes.data
        given = [ctypes.c_void_p(places[n] + s) for n, s in zip(which, starts, strict=True)]
        before = guarded.originals, launches(driver)
        guarded("averaged", *given, w, h, *steps)
        made = [there.fetch(0), arenas[1] if on_host else there.fetch(1)]
        told = f"seed {seed}: {w} x {h}, {steps}, {which}, {starts}, {on_host}"
        np.testing.assert_array_equal(made[0], wanted[0], told)
        np.testing.assert_array_equal(made[1], wanted[1], told)
        ran["original"] += guarded.originals - before[0]
        ran["there"] += launches(driver) - before[1]
        there.free()
    assert ran["original"] and ran["there"], ran


IN_CPP = """
#include <cstdint>
#include <cstddef>
struct Plane { uint8_t *data; int stride; };
struct Image { int w, h; Plane main; float k[2]; int sum; };
struct Grey { uint8_t *p; int n; Grey(const Grey &other) : p(other.p), n(other.n) {}
              Grey(uint8_t *q, int m) : p(q), n(m) {} };
void summed(Image &im)
{
    for (int y = 0; y < im.h; y++)
        for (int x = 0; x < im.w; x++)
            im.main.data[y * im.main.stride + x] = im.main.data[y * im.main.stride + x] / 2 + 1;
    im.sum = im.w;
}
void halved(Grey &d, const uint8_t *s) { for (int i = 0; i < d.n; i++) d.p[i] = s[i] / 2; }
"""
RUN_CPP = """
#define LIFT_WITH_ORIGINAL
#include "f.cpp"
#include "out/lifted.h"
extern "C" int run_summed(uint8_t *data, int w, int h, int stride)
{
    Image im = { w, h, { data, stride }, { 1, 2 }, 0 };
    summed_guarded(im);
    return im.main.data == data && im.h == h && im.k[1] == 2 ? im.sum : -1;
}
extern "C" void run_halved(uint8_t *d, const uint8_t *s, int n)
{
    Grey own(d, n);
    halved_guarded(own, s);
}
"""


@pytest.mark.slow
def test_classes_that_are_copied_byte_by_byte_are_passed_as_copies(tmp_path: Path) -> None:
    (tmp_path / "f.cpp").write_text(IN_CPP)
    (tmp_path / "g.cpp").write_text(RUN_CPP)
    for words in (("f.cpp", "-o", "out"), ("build", "out", "--target", "cuda")):
        run = lift(*words, "-j1", cwd=tmp_path)
        assert run.status == 0, run.out + run.err
    options = ["-std=c++17", "-O1", "-fPIC", "-shared", *WARNINGS]
    command = ["g++", *options, "g.cpp", "-Lout", "-llifted", "-Wl,-rpath,$ORIGIN/out"]
    subprocess.run([*command, "-o", "libguarded.so"], cwd=tmp_path, check=True)
    made = Guarded(tmp_path / "libguarded.so")
    with emulated_driver() as driver:
        assert made.library.lift_cuda_use(1) == 0
        for stride in (9, 5):
            d = random(30, 60)
            there, wanted = There(driver, [d]), d.copy()
            for y in range(3):
                for x in range(7):
                    wanted[y * stride + x] = wanted[y * stride + x] // 2 + 1
            assert made("summed", there.places[0], 7, 3, stride) == 7
            np.testing.assert_array_equal(there.fetch(0), wanted)
            there.free()
        d = random(31, 60)
        there = There(driver, [d, d])
        made("halved", *there.places, 60)
        np.testing.assert_array_equal(there.fetch(0), d // 2)
        there.free()
        place = "ctypes.c_void_p(memory.value + 1)"
        said = alone(made, driver, f"library.run_halved({place}, there, 60)")
        assert "an object of a class with copies of its own can't be copied" in said


def test_a_compared_call_compares_what_the_device_made(
    guarded: Guarded, driver: Driver, tmp_path: Path
) -> None:
    """LIFT_SHADOW: a wrong kernel is told, and the caller has what the original makes."""
    s, d = random(40, 60), random(41, 60)
    wanted = d.copy()
    for y in range(3):
        row = s[y * 10 : y * 10 + 9].astype(int)
        wanted[y * 10 : y * 10 + 8] = (row[:-1] + row[1:]) // 2
    every = ctypes.c_int.in_dll(guarded.library, "lift_shadow_settings_1")
    told = tmp_path / "log"
    for is_wrong in (False, True):
        there, before = There(driver, [s, d]), guarded.originals
        if is_wrong:
            driver.register("averaged_pipeline$2e_kernel0", lambda launch: 0)
        every.value = 1
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LIFT_SHADOW_LOG", str(told))
            assert guarded("averaged", *there.places, 8, 3, 10, 10) == 3
        every.value = 0
        assert (launches(driver), guarded.originals - before) == (1, 1)
        np.testing.assert_array_equal(there.fetch(1), wanted)
        assert told.exists() == is_wrong
        there.free()
    assert '"function": "averaged", "array": "d", "at": [0, 0]' in told.read_text()


def test_memory_of_another_context_is_no_kernels(guarded: Guarded, driver: Driver) -> None:
    """Nor is it copied: the program hears of it."""
    cuda = Cuda(driver.library)
    made = ctypes.c_void_p()
    cuda("cuCtxCreate_v2", ctypes.byref(made), 0, 0)
    there = [cuda.memory(400), cuda.memory(400), cuda.memory(400)]
    zeros = np.zeros(400, np.uint8)
    for memory in there:
        cuda.send(memory, zeros)
    cuda.wait()
    cuda("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
    places = [ctypes.c_void_p(memory.value) for memory in there]
    assert guarded.library.gathered_try(*places, 30) == -23
    assert guarded.library.averaged_try(places[0], places[1], 8, 3, 10, 10) == -23
    assert launches(driver) == 0
    cuda("cuCtxDestroy_v2", made)


@pytest.mark.parametrize("first_on_host", (False, True))
def test_rows_on_the_device(guarded: Guarded, driver: Driver, first_on_host: bool) -> None:
    """Tables of rows lie on the host, what they point to anywhere."""
    d, s = random(50, 4, 12), random(51, 4, 10)
    there = There(driver, [d, s])
    starts = [d.ctypes.data if first_on_host else there.places[0].value, there.places[1].value]
    rows = [
        (ctypes.c_void_p * 4)(*((start or 0) + y * step for y in range(4)))
        for start, step in zip(starts, (12, 10), strict=True)
    ]
    wanted = d.copy()
    wanted[:, :9] = s[:, :9] + 1
    guarded("raised", *rows, 9, 4)
    np.testing.assert_array_equal(d if first_on_host else there.fetch(0), wanted)
    assert launches(driver) == 1
    there.free()
