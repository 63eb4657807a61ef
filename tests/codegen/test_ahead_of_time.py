"""Compiled files, called by C programs as they call Halide's: same buffers, codes, messages."""

from __future__ import annotations

import ctypes
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import compiler as hl
from compiler.codegen import Target, emit

HALIDE_HEADERS = next(
    (
        Path(found.origin).parent / "include"
        for found in [importlib.util.find_spec("halide")]
        if found is not None and found.origin is not None
    ),
    None,
)
pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")

DRIVER = r"""
#include "f.h"
#include <stdio.h>
#include <string.h>
static char last[1024];
#ifdef REAL
static void on(void *context, const char *message) { (void)context; strncpy(last, message, 1023); }
#else
static void on(const char *message) { strncpy(last, message, 1023); }
#endif
static float memory[20000];
static struct halide_dimension_t a[3], b[3];
static struct halide_buffer_t in, out;
static void reset(void) {
    memset(&in, 0, sizeof in); memset(&out, 0, sizeof out);
    memset(a, 0, sizeof a); memset(b, 0, sizeof b);
    in.host = (uint8_t *)memory; in.type.code = 1; in.type.bits = 8; in.type.lanes = 1;
    in.dimensions = 2; in.dim = a;
    a[0].extent = 20; a[0].stride = 1; a[1].extent = 20; a[1].stride = 20;
    out.host = (uint8_t *)(memory + 10000); out.type.code = 2; out.type.bits = 32;
    out.type.lanes = 1; out.dimensions = 2; out.dim = b;
    b[0].extent = 10; b[0].stride = 1; b[1].extent = 10; b[1].stride = 10;
}
static void run(const char *what, struct halide_buffer_t *from, struct halide_buffer_t *to) {
    last[0] = 0;
    int code = f(from, 2.0f, to);
    printf("%s: %d %s\n", what, code, last);
}
static void show(struct halide_dimension_t *d) {
    for (int i = 0; i < 2; i++) printf(" %d %d %d;", d[i].min, d[i].extent, d[i].stride);
    printf("\n");
}
int main(void) {
#ifdef REAL
    halide_set_error_handler(on);
#else
    lift_set_error_handler(on);
#endif
    for (int i = 0; i < 400; i++) ((uint8_t *)memory)[i] = i % 200;
    reset(); run("fits", &in, &out);
    for (int i = 0; i < 100; i++) printf("%g ", ((float *)out.host)[i]);
    printf("\n");
    run("no input", 0, &out); run("no output", &in, 0);
    reset(); in.type.bits = 16; run("input type", &in, &out);
    reset(); out.type.code = 3; out.type.bits = 64; run("output type", &in, &out);
    reset(); in.type.lanes = 4; run("lanes", &in, &out);
    reset(); in.dimensions = 3; run("dimensions", &in, &out);
    reset(); b[0].extent = -3; run("negative", &in, &out);
    reset(); a[0].extent = -3; run("negative input", &in, &out);
    reset(); a[1].extent = -3; run("negative input", &in, &out);
    reset(); a[0].extent = -3; a[0].min = 30; run("negative input", &in, &out);
    reset(); a[0].extent = -2000000000; run("negative input", &in, &out);
    reset(); a[1].extent = -3; b[0].extent = 30; run("negative, beyond", &in, &out);
    reset(); a[1].extent = -3; b[1].extent = -2; run("both negative", &in, &out);
    reset(); a[1].extent = b[0].extent = -1; b[1].extent = 0; run("both negative", &in, &out);
    reset(); a[1].extent = -3; b[0].extent = b[1].extent = 0; run("of nothing", &in, &out);
    reset(); a[1].extent = -3; in.type.bits = 16; run("negative, type", &in, &out);
    reset(); in.type.bits = out.type.bits = 16; run("types", &in, &out);
    reset(); out.type.bits = 16; b[0].extent = -3; run("type, negative", &in, &out);
    reset(); in.type.bits = 16; b[0].extent = -3; run("type, negative", &in, &out);
    reset(); b[0].extent = 30; run("beyond", &in, &out);
    reset(); b[1].min = -2; run("before", &in, &out);
    reset(); a[0].stride = 2; run("stride", &in, &out);
    reset(); in.device = 1; in.host = 0; run("no host", &in, &out);
    reset(); in.device = 1; in.flags = 2; run("dirty", &in, &out);
    reset(); b[0].extent = 0; b[1].extent = 5; run("empty", &in, &out);
    reset(); in.host = 0; in.type.bits = 32; run("question", &in, &out); show(a);
    printf(" %d %d %d %d\n", in.type.code, in.type.bits, in.type.lanes, in.dimensions);
    reset(); out.host = 0; b[0].min = 3; run("question", &in, &out); show(b);
    reset(); out.host = 0; in.host = 0; b[0].min = 3; run("two questions", &in, &out);
    show(a); show(b);
    float two = 2;
    void *args[3] = {&in, &two, &out};
    reset(); printf("argv %d\n", f_argv(args));
    const struct halide_filter_metadata_t *m = f_metadata();
    printf("%d %d %s\n", m->version, m->num_arguments, m->name);
    for (int i = 0; i < m->num_arguments; i++)
        printf(" %s %d %d %d %d %d\n", m->arguments[i].name, m->arguments[i].kind,
               m->arguments[i].dimensions, m->arguments[i].type.code, m->arguments[i].type.bits,
               m->arguments[i].type.lanes);
    return 0;
}
"""

REAL = r"""
import halide as hl, sys
x, y = hl.Var("x"), hl.Var("y")
im, p = hl.ImageParam(hl.UInt(8), 2, "im"), hl.Param(hl.Float(32), "p", 2.0)
f, g = hl.Func("f"), hl.Func("g")
g[x, y] = hl.cast(hl.Float(32), im[x, y]) * p
f[x, y] = g[x, y] + g[x + 1, y + 1]
g.compute_root()
f.compile_to_object(sys.argv[1] + "/f.o", [im, p], "f", hl.get_host_target())
f.compile_to_header(sys.argv[1] + "/f.h", [im, p], "f", hl.get_host_target())
"""


TOLD = Path(__file__).with_name("answers_of_halide.txt")
"""What `DRIVER` says with what the real package compiles."""


def lowered():  # type: ignore[no-untyped-def]
    x, y = hl.Var("x"), hl.Var("y")
    im, p = hl.ImageParam(hl.UInt(8), 2, "im"), hl.Param(hl.Float(32), "p", 2.0)
    f, g = hl.Func("f"), hl.Func("g")
    g[x, y] = hl.cast(hl.Float(32), im[x, y]) * p
    f[x, y] = g[x, y] + g[x + 1, y + 1]
    g.compute_root()
    f.parallel(y)
    return f.lowered("f", [im, p])


def gcc(folder: Path, *more: str) -> None:
    (folder / "main.c").write_text(DRIVER)
    flags = ["-Wall", "-Wextra", "-Werror", "-I.", "main.c", "-o", "main"]
    subprocess.run(["gcc", *flags, *more], cwd=folder, check=True)


def said(folder: Path) -> str:
    done = subprocess.run(["./main"], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ours")
    # In a process of its own, where nobody has used the names yet, which messages mention.
    program = """
import sys
from tests.codegen.test_ahead_of_time import lowered
from compiler.codegen import emit
fn = lowered()
for kind, name in (("object", "f.o"), ("header", "f.h"), ("static_library", "libf.a"),
                   ("shared_library", "libf.so"), ("assembly", "f.s"), ("bitcode", "f.bc"),
                   ("llvm_assembly", "f.ll")):
    emit(fn, kind, sys.argv[1] + "/" + name)
"""
    subprocess.run([sys.executable, "-c", program, str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def answers(ours: Path) -> str:
    gcc(ours, "f.o", "-lpthread", "-lm")
    return said(ours)


def test_a_c_program_hears_what_the_real_halide_tells_it(answers: str) -> None:
    assert answers == TOLD.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.skipif(HALIDE_HEADERS is None, reason="the real halide package is not installed")
def test_the_real_halide_tells_that(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", REAL, str(tmp_path)], check=True)
    gcc(tmp_path, "-DREAL", "-Wno-error", "-w", "f.o", "-lpthread", "-ldl", "-lm")
    assert said(tmp_path) == TOLD.read_text("utf-8")


@pytest.mark.parametrize("library", ["libf.a", "libf.so"])
def test_libraries_say_what_the_object_does(ours: Path, answers: str, library: str) -> None:
    gcc(ours, library, "-Wl,-rpath,$ORIGIN", "-lpthread", "-lm")
    assert said(ours) == answers


@pytest.mark.skipif(HALIDE_HEADERS is None, reason="the real halide package is not installed")
def test_the_header_goes_with_halide_s_own(ours: Path, answers: str) -> None:
    gcc(ours, "-I", str(HALIDE_HEADERS), "f.o", "-lpthread", "-lm")
    assert said(ours) == answers
    gcc(ours, "-I", str(HALIDE_HEADERS), "-include", "HalideRuntime.h", "f.o", "-lpthread", "-lm")
    assert said(ours) == answers


@pytest.mark.slow
@pytest.mark.skipif(HALIDE_HEADERS is None, reason="the real halide package is not installed")
def test_halide_s_own_buffers_are_taken(ours: Path) -> None:
    program = r"""
        #include "HalideBuffer.h"
        #include "f.h"
        #include <cstdio>
        int main() {
            Halide::Runtime::Buffer<uint8_t> in(nullptr, 0, 0);
            Halide::Runtime::Buffer<float> out(10, 6);
            out.set_min(5, -2);
            int asked = f(in, 2.0f, out);
            in.allocate();
            in.fill(7);
            int done = f(in, 2.0f, out);
            printf("%d %d %d %d %d %g\n", asked, done, in.dim(0).min(), in.dim(0).extent(),
                   in.dim(1).extent(), out(14, 3));
        }"""
    (ours / "main.cpp").write_text(program)
    flags = ["-I.", "-I", str(HALIDE_HEADERS), "main.cpp", "f.o", "-o", "buffers", "-lpthread"]
    subprocess.run(["g++", "-std=c++17", *flags], cwd=ours, check=True)
    done = subprocess.run(["./buffers"], cwd=ours, capture_output=True, text=True, check=True)
    assert done.stdout == "0 0 5 11 7 28\n"


def test_two_objects_share_one_runtime(ours: Path, tmp_path: Path) -> None:
    x = hl.Var("x")
    other = hl.Func("other")
    other[x] = x * 3
    other.parallel(x)
    emit(other.lowered("other", []), "object", tmp_path / "other.o")
    emit(other.lowered("other", []), "header", tmp_path / "other.h")
    program = r"""
        #include "f.h"
        #include "other.h"
        #include <stdio.h>
        int main(void) {
            int32_t values[4] = {0};
            struct halide_dimension_t d = {0, 4, 1, 0};
            struct halide_buffer_t b = {0, 0, (uint8_t *)values, 0, {0, 32, 1}, 1, &d, 0};
            lift_set_num_threads(3);
            lift_set_memory_limit(12345);
            int code = other(&b);
            printf("%d %d %d %d\n", code, values[3], lift_num_threads(),
                   (int)lift_memory_limit());
            return f_metadata()->num_arguments - 3;
        }"""
    (tmp_path / "main.c").write_text(program)
    command = ["gcc", "-Wall", "-I.", "-I", str(ours), "main.c", "other.o", str(ours / "f.o")]
    subprocess.run([*command, "-o", "main", "-lpthread"], cwd=tmp_path, check=True)
    assert said(tmp_path) == "0 9 3 12345\n"


def test_an_object_needs_the_c_library_alone(ours: Path) -> None:
    command = ["gcc", "-shared", "-Wl,--no-undefined", "f.o", "-o", "alone.so"]
    subprocess.run(command, cwd=ours, check=True)
    loaded = ctypes.CDLL(str(ours / "alone.so"))
    assert loaded.lift_num_threads() >= 1


@pytest.mark.parametrize("target", ["x86-64", "x86-64-avx512", "aarch64"])
def test_other_machines_need_nothing_installed(target: str, tmp_path: Path) -> None:
    emit(lowered(), "object", tmp_path / "f.o", Target.parse(target))
    machine = {"x86-64": 62, "x86-64-avx512": 62, "aarch64": 183}[target]
    assert int.from_bytes((tmp_path / "f.o").read_bytes()[18:20], "little") == machine
