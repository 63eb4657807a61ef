"""Objects for aarch64-linux, made here and run under qemu, give what this machine's code gives."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import compiler as hl

from .aarch64 import (
    LINKER,
    CompiledJob,
    RunFailed,
    compiled,
    foreign_symbols,
    job_of,
    missing,
    run_compiled,
    run_on_aarch64,
)

pytestmark = pytest.mark.skipif(missing() is not None, reason=f"{missing()}")

X, Y, C = hl.Var("x"), hl.Var("y"), hl.Var("c")


def image(dtype: Any, shape: tuple[int, ...], seed: int = 1) -> Any:
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return hl.Buffer(random.normal(0, 50, shape).astype(dtype))
    limits = np.iinfo(dtype)
    return hl.Buffer(random.integers(limits.min, limits.max, shape, dtype, endpoint=True))


def pointwise(dtype: str, names: Sequence[str], vector: int = 16) -> Any:
    """These operations on two images of one type, each an output of one pipeline."""
    a, b = image(dtype, (9, 70), 1), image(dtype, (9, 70), 2)
    made = []
    for name in names:
        f = hl.Func(f"{name}_{dtype}")
        f[X, Y] = OPERATIONS[name](a[X, Y], b[X, Y])
        made.append(f.vectorize(X, vector))
    return hl.Pipeline(made)


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda a, b: a + b,
    "product": lambda a, b: a * b,
    "quotient": lambda a, b: a / b,
    "remainder": lambda a, b: a if "float" in str(a.type()) else a % b,
    "extremes": lambda a, b: hl.min(a, b) - hl.max(a, b),
    "distance": lambda a, b: hl.absd(a, b),
    "chosen": lambda a, b: hl.select(a < b, a, b + 1),
    "to_float": lambda a, b: hl.cast(hl.Float(32), a) * 0.5 + hl.cast(hl.Float(32), b),
    "to_byte": lambda a, b: hl.cast(hl.UInt(8), hl.clamp(a, 0, 100)),
    "by_seven": lambda a, b: a / 7,
}


def compare(funcs: list[Any], sizes: list[tuple[int, ...]]) -> None:
    got = run_on_aarch64(funcs, [None] * len(funcs), sizes)
    for f, arrays, size in zip(funcs, got, sizes, strict=True):
        made = f.realize(list(size))
        here = [np.asarray(b) for b in (made if isinstance(made, list | tuple) else [made])]
        assert len(arrays) == len(here)
        for number, (there, wanted) in enumerate(zip(arrays, here, strict=True)):
            assert there.dtype == wanted.dtype and there.shape == wanted.shape
            assert there.tobytes() == wanted.tobytes(), f"output {number} of {f} differs"


TYPES = [f"{sign}int{bits}" for bits in (8, 16, 32, 64) for sign in ("u", "")]
TYPES += ["float32", "float64"]


@pytest.mark.slow
def test_every_operation_on_every_type_gives_the_same_bits() -> None:
    funcs = [pointwise(dtype, list(OPERATIONS)) for dtype in TYPES]
    compare(funcs, [(70, 9)] * len(funcs))


def test_each_operation_on_some_types_gives_the_same_bits() -> None:
    """Every third operation for each type, in turn: of a width, on signed or on unsigned ones."""
    funcs = [pointwise(dtype, list(OPERATIONS)[n % 3 :: 3]) for n, dtype in enumerate(TYPES)]
    compare(funcs, [(70, 9)] * len(funcs))


def test_stencils_interleaved_images_tables_and_reductions_give_the_same_bits() -> None:
    a = image("uint8", (40, 96))
    blurred_x, blurred = hl.Func("blurred_x"), hl.Func("blurred")
    wide = hl.Func("wide")
    wide[X, Y] = hl.cast(hl.UInt(16), a[hl.clamp(X, 0, 95), hl.clamp(Y, 0, 39)])
    blurred_x[X, Y] = wide[X - 1, Y] + wide[X, Y] * 2 + wide[X + 1, Y]
    blurred[X, Y] = hl.cast(
        hl.UInt(8), (blurred_x[X, Y - 1] + blurred_x[X, Y] * 2 + blurred_x[X, Y + 1]) / 16
    )
    blurred.vectorize(X, 16).parallel(Y)
    blurred_x.compute_at(blurred, Y).vectorize(X, 16)

    colours = image("uint8", (20, 64, 3))
    gray = hl.Func("gray")
    r, g, b = (hl.cast(hl.UInt(16), colours[n, X, Y]) for n in range(3))
    gray[X, Y] = hl.cast(hl.UInt(8), (r * 77 + g * 150 + b * 29) >> 8)
    gray.vectorize(X, 32)

    table = image("uint8", (256,), 5)
    mapped = hl.Func("mapped")
    mapped[X, Y] = table[hl.cast(hl.Int(32), a[X, Y])]
    mapped.vectorize(X, 16)

    histogram, r2 = hl.Func("histogram"), hl.RDom([(0, 96), (0, 40)])
    histogram[X] = hl.cast(hl.UInt(32), 0)
    histogram[hl.cast(hl.Int(32), a[r2.x, r2.y])] += hl.cast(hl.UInt(32), 1)
    histogram.vectorize(X, 8)

    floats, k = image("float32", (32, 32)), hl.RDom([(0, 32)])
    product = hl.Func("product_of_matrices")
    product[X, Y] = 0.0
    product[X, Y] += floats[k, Y] * floats[X, k]
    product.update().vectorize(X, 8)
    compare(
        [blurred, gray, mapped, histogram, product],
        [(96, 40), (64, 20), (96, 40), (256,), (32, 32)],
    )


def test_what_is_bound_by_name_is_passed() -> None:
    a, k = hl.ImageParam(hl.Int(16), 1, "a"), hl.Param(hl.Int(16), "k")
    f = hl.Func("f")
    f[X] = a[X] * k
    data = np.arange(20, dtype=np.int16)
    (((got,),)) = run_on_aarch64([f], [{"a": data, "k": -3}], [(20,)])
    assert (got == data * -3).all()


def test_a_region_that_the_input_lacks_is_an_error_not_a_crash() -> None:
    a = hl.ImageParam(hl.UInt(8), 1, "a")
    f = hl.Func("f")
    f[X] = a[X + 1]
    with pytest.raises(RunFailed, match="returned"):
        run_on_aarch64([f], [{"a": np.zeros(10, np.uint8)}], [(10,)])


@pytest.mark.parametrize("in_all_lanes", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_objects_need_the_c_library_alone(in_all_lanes: bool) -> None:
    """No routine of a compiler's own library: half floats, atomics, 64-bit and 128-bit numbers."""
    funcs = []
    half, wide = image("float16", (9, 70)), image("int64", (9, 70))
    narrow = hl.cast(hl.BFloat(16), image("float32", (9, 70))[X, Y])
    values = {
        "half": half[X, Y] * half[X, Y] + hl.cast(hl.Float(16), wide[X, Y]),
        "half_of_double": hl.cast(hl.Float(16), image("float64", (9, 70))[X, Y]),
        "brain": hl.cast(hl.Float(64), narrow * narrow + narrow),
        "wide": wide[X, Y] / (wide[69 - X, Y] | 1) + wide[X, Y] % (wide[X, 8 - Y] | 1),
        "high": hl.mul_shift_right(wide[X, Y], wide[69 - X, Y], 64),
        "from_float": hl.cast(hl.UInt(64), hl.abs(image("float32", (9, 70))[X, Y])),
    }
    for number, (name, value) in enumerate(values.items()):
        for lanes in (1, 3, 8) if in_all_lanes else (1, (3, 8)[number % 2]):
            f = hl.Func(f"{name}_{lanes}")
            f[X, Y] = value
            funcs.append(f.vectorize(X, lanes) if lanes > 1 else f)
    counts, r = hl.Func("counts"), hl.RDom([(0, 70), (0, 9)])
    counts[X] = hl.cast(hl.Int(64), 0)
    counts[hl.cast(hl.Int(32), image("uint8", (9, 70))[r.x, r.y])] += hl.cast(hl.Int(64), r.x)
    counts.update().atomic().parallel(r.y)
    jobs = [
        compiled(job_of(f, {}, size), f"job{number}")
        for number, (f, size) in enumerate([(f, (70, 9)) for f in funcs] + [(counts, (256,))])
    ]
    assert foreign_symbols(jobs) == set()
    for f, (there,) in zip([*funcs, counts], run_compiled(jobs), strict=True):
        here = np.asarray(f.realize(list(there.shape[::-1])))
        assert here.tobytes() == there.tobytes(), f.name()


def test_a_routine_of_a_compilers_own_library_would_be_noticed(tmp_path: Path) -> None:
    source, path = tmp_path / "f.c", tmp_path / "f.o"
    source.write_text("long double job(long double x) { return x * x; }")
    subprocess.run([LINKER, "-c", source, "-o", path], check=True)
    assert foreign_symbols([CompiledJob("job", path.read_bytes(), (), [], None)]) == {"__multf3"}
