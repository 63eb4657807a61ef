"""`f_try` tells whether it failed, and has stored nothing then: without memory, at any moment."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import compiler as hl
from compiler.codegen import Target
from compiler.codegen.entry import BufferBinding, Entry, EntryParam
from compiler.codegen.library import build_library
from compiler.codegen.variants import runtime_member, variant_member, variants_of, write_library
from compiler.frontend.lowering import schedule_and_lower
from compiler.ir import I32, I64, U8, Add, Cast, Const, Expr, Mul, Sub, Variable
from compiler.ir.stmts import LoweredFunction

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")

X, Y = hl.vars("x y")
ZERO, ONE = Const(I64, 0), Const(I64, 1)
WIDE, HIGH = (Cast(I64, Variable(n, I32)) for n in ("w", "h"))
PARAMS = (
    EntryParam("dst", "pointer", U8, "uint8_t *"),
    EntryParam("src", "pointer", U8, "const uint8_t *"),
    EntryParam("w", "scalar", I32, "int"),
    EntryParam("h", "scalar", I32, "int"),
)


def lowered(schedule: str) -> tuple[LoweredFunction, str, str]:
    """dst(x, y) = src(x, y) + src(x, y + 1), doubled on the way, and the names of its buffers."""
    src = hl.ImageParam(hl.UInt(8), 2, "src")
    twice, dst = hl.Func("twice"), hl.Func("dst")
    twice[X, Y] = src[X, Y] * 2
    dst[X, Y] = twice[X, Y] + twice[X, Y + 1]
    exec(schedule, {"twice": twice, "dst": dst, "x": X, "y": Y, "hl": hl})
    fn = schedule_and_lower([dst.function], "sums", Target.host())
    return fn, "src", dst.name()


def entry(src: str, dst: str, copied: tuple[Expr, Expr] | None = None) -> Entry:
    rows = Add(HIGH, ONE)

    def binding(pointer: str, extent: Expr, **more: Any) -> BufferBinding:
        return BufferBinding(pointer, ZERO, (ZERO, ZERO), (WIDE, extent), (ONE, WIDE), **more)

    buffers = {src: binding("src", rows, copied=copied), dst: binding("dst", HIGH)}
    return Entry("sums_lifted", PARAMS, buffers)


PROGRAM = r"""
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile int left = 1 << 30;  /* how many requests still get memory */
static int asked(void) { return __atomic_sub_fetch(&left, 1, __ATOMIC_RELAXED) >= 0; }
extern "C" void *aligned_alloc(size_t alignment, size_t size) {
    void *made = 0;
    return asked() && !posix_memalign(&made, alignment, size) ? made : 0;
}
extern "C" void *__libc_malloc(size_t);
static int from_here;
extern "C" void *malloc(size_t size) { return from_here && !asked() ? 0 : __libc_malloc(size); }
extern "C" int sums_try(uint8_t *dst, const uint8_t *src, int w, int h);
extern "C" void sums_lifted(uint8_t *dst, const uint8_t *src, int w, int h);
enum { W = 3001, H = 97 };
static uint8_t dst[W * H], src[W * (H + 1)];
int main(int argc, char **argv) {
    for (int i = 0; i < W * (H + 1); i++) src[i] = (uint8_t)(i * 7 + i / 13);
    int failed = 0;
    for (int given = 0; given < 12; given++) {
        memset(dst, 77, sizeof dst);
        left = given, from_here = 1;
        int status = sums_try(dst, src, W, H);
        left = 1 << 30, from_here = 0;
        failed += status != 0;
        for (int i = 0; i < W * H; i++) {
            uint8_t wanted = status ? 77 : (uint8_t)(src[i] * 2 + src[i + W] * 2);
            if (dst[i] == wanted) continue;
            printf("wrong at %d after %d requests, status %d\n", i, given, status);
            return 1;
        }
    }
    printf("%d failed\n", failed);
    if (argc > 1) { left = 0; sums_lifted(dst, src, W, H); }
    return 0;
}
"""


def run(built: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "main.cpp").write_text(PROGRAM)
    program = folder / "main"
    command = ["g++", "-O1", "-fno-builtin", str(folder / "main.cpp"), str(built), "-lpthread"]
    subprocess.run([*command, "-o", str(program)], check=True)
    environment = {"LIFT_NUM_THREADS": "4", "LIFT_POOL_BYTES": "0"}
    return subprocess.run(
        [str(program), *arguments], env=environment, capture_output=True, text=True
    )


SCHEDULES = {
    "at the root": "twice.compute_root()",
    "in a loop": "twice.compute_at(dst, y)",
    "in threads": "dst.parallel(y); twice.compute_at(dst, y)",
    "in strips": "dst.split(y, hl.Var('o'), y, 8).parallel(hl.Var('o')); "
    "twice.store_at(dst, hl.Var('o')).compute_at(dst, y)",
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_without_memory_nothing_is_stored(schedule: str, tmp_path: Path) -> None:
    fn, src, dst = lowered(SCHEDULES[schedule])
    assert not fn.late_failures.others
    assert bool(fn.late_failures.reserves) is (schedule != "at the root")
    built = build_library(fn, entry(src, dst), tmp_path, shared=False)
    made = run(built.archive, tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    # One block is enough: whoever gets no other waits for it.
    assert made.stdout == "1 failed\n"
    assert made.stderr == ""


def test_a_copy_that_is_not_to_be_had_is_a_failure_too(tmp_path: Path) -> None:
    fn, src, dst = lowered(SCHEDULES["in threads"])
    copied = ZERO, Sub(Mul(WIDE, Add(HIGH, ONE)), ONE)
    built = build_library(fn, entry(src, dst, copied), tmp_path, shared=False)
    made = run(built.archive, tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    assert made.stdout == "2 failed\n"


def test_the_entry_without_a_status_says_what_is_missing_and_ends_the_program(
    tmp_path: Path,
) -> None:
    fn, src, dst = lowered(SCHEDULES["in a loop"])
    built = build_library(fn, entry(src, dst), tmp_path, shared=False)
    made = run(built.archive, tmp_path, "and end")
    assert made.returncode < 0
    assert "Out of memory" in made.stderr


@pytest.mark.skipif(not Target.host().is_x86, reason="other machines have one variant")
def test_a_library_with_a_choice_tells_too(tmp_path: Path) -> None:
    fn, src, dst = lowered(SCHEDULES["in threads"])
    variants = variants_of(Target.host())
    made = [variant_member(fn, entry(src, dst), v, variants, "sums") for v in variants]
    archive = tmp_path / "libsums.a"
    write_library([*made, runtime_member(variants)], archive, tmp_path / "s.so", Target.host())
    assert run(archive, tmp_path).stdout == "1 failed\n"


def test_memory_that_is_held_while_threads_wait_has_no_reserve() -> None:
    """Who waits for a loop inside helps with others, which may want the same block."""
    fn, _, _ = lowered("dst.parallel(y); twice.compute_at(dst, y).parallel(x)")
    assert fn.late_failures.others


def test_small_memory_is_never_missing() -> None:
    fn, _, _ = lowered("dst.vectorize(x, 8); twice.compute_at(dst, x)")
    assert not fn.late_failures.others
    assert not fn.late_failures.reserves
