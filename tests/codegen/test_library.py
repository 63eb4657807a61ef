"""Libraries that C programs link: entries, archives, shared objects, headers."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from compiler import ir
from compiler.codegen import (
    BufferBinding,
    CodegenError,
    Entry,
    EntryParam,
    LinkError,
    Target,
    build_library,
    emit,
    header_text,
    row_stride,
    shared_library,
)  # fmt: skip
from compiler.ir import I32, I64, U8, Add, Cast, Const, Expr, Load, Mul, Sub, Variable
from compiler.ir.stmts import Argument, AssertStmt, Block, For, LoweredFunction, Store

from .kernels import I, field, int32, loop

X, Y = Variable("x", I32), Variable("y", I32)
COLS, ROWS, PITCH = (Cast(I64, Variable(n, I32)) for n in ("cols", "rows", "pitch"))
ZERO, ONE = Const(I64, 0), Const(I64, 1)
BYTES = (
    EntryParam("dst", "pointer", U8, "uint8_t *"),
    EntryParam("src", "pointer", U8, "const uint8_t *"),
)
SIZES = tuple(EntryParam(n, "scalar", I32, "int") for n in ("cols", "rows", "pitch"))


def place(name: str, shift: int = 0) -> Expr:
    row = Mul(Sub(Y, field(name, "min", 1)), field(name, "stride", 1))
    return Add(Sub(Add(X, int32(shift)), field(name, "min")), row)


def over_image(store: Store, kind: str = "serial") -> For:
    row = For("x", field("out", "min"), field("out", "extent"), "serial", store)
    return For("y", field("out", "min", 1), field("out", "extent", 1), kind, row)  # type: ignore[arg-type]


def adding(name: str = "add", kind: str = "serial") -> LoweredFunction:
    """out(x, y) = in(x, y) + amount"""
    value = Add(Load("in", (place("in"),), U8), Variable("amount", U8))
    arguments = (Argument("in", U8, 2), Argument("amount", U8), Argument("out", U8, 2, True))
    return LoweredFunction(name, arguments, over_image(Store("out", value, place("out")), kind))


def box(pointer: str, **changes: Any) -> BufferBinding:
    values: dict[str, Any] = {
        "offset": ZERO, "mins": (ZERO, ZERO), "extents": (COLS, ROWS), "strides": (ONE, PITCH),
    }  # fmt: skip
    return BufferBinding(pointer, **(values | changes))


def entry(name: str = "add_lifted", **changes: Any) -> Entry:
    values: dict[str, Any] = {
        "params": (*BYTES, *SIZES, EntryParam("amount", "scalar", U8, "uint8_t")),
        "buffers": {"in": box("src"), "out": box("dst")},
        "scalars": {"amount": Variable("amount", U8)},
    }
    return Entry(name, **(values | changes))


def pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def test_a_shared_library_is_called_through_ctypes(tmp_path: Path) -> None:
    built = build_library(adding(), entry(), tmp_path)
    names = {"add.o", "add.h", "libadd.a", "libadd.so"}
    assert {p.name for p in tmp_path.iterdir()} == names
    function = ctypes.CDLL(str(built.shared)).add_lifted
    src = np.arange(70, dtype=np.uint8).reshape(7, 10)
    dst = np.full((7, 10), 9, np.uint8)
    function(pointer(dst), pointer(src), 8, 7, 10, 200)
    assert (dst[:, :8] == src[:, :8] + np.uint8(200)).all()
    assert (dst[:, 8:] == 9).all()
    function(pointer(src), pointer(src), 8, 7, 10, 200)
    assert (src[:, :8] == dst[:, :8]).all()


@pytest.mark.parametrize(("cols", "rows"), [(0, 0), (0, 5), (5, 0), (-1, 5), (5, -3)])
def test_an_empty_region_touches_nothing(tmp_path: Path, cols: int, rows: int) -> None:
    built = build_library(adding(), entry(), tmp_path)
    ctypes.CDLL(str(built.shared)).add_lifted(None, None, cols, rows, 10, 1)


def test_a_condition_that_does_not_hold_touches_nothing(tmp_path: Path) -> None:
    binding = entry(condition=ir.GT(Variable("amount", U8), Const(U8, 3)))
    function = ctypes.CDLL(str(build_library(adding(), binding, tmp_path).shared)).add_lifted
    function(None, None, 5, 5, 5, 3)
    data = np.zeros((5, 5), np.uint8)
    function(pointer(data), pointer(data), 5, 5, 5, 4)
    assert (data == 4).all()


@pytest.mark.sampled(every=2)
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("kind", ["serial", "parallel"])
def test_a_static_library_links_into_a_c_program(tmp_path: Path, kind: str) -> None:
    """Two libraries, each with the runtime in it, give one program with one runtime."""
    for name in ("add", "plus"):
        build_library(adding(name, kind), entry(f"{name}_lifted"), tmp_path, shared=False)
    (tmp_path / "main.c").write_text("""
        #include "add.h"
        #include "plus.h"
        #include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            enum { SIZE = 2000 };
            uint8_t *a = calloc(SIZE, SIZE), *b = calloc(SIZE, SIZE);
            long sum = 0;
            for (int round = 0; round < 5; ++round) {
                add_lifted(b, a, SIZE, SIZE, SIZE, 3);
                plus_lifted(a, b, SIZE, SIZE, SIZE, 4);
            }
            for (long i = 0; i < (long)SIZE * SIZE; ++i) sum += a[i];
            printf("%ld\\n", sum);
            return 0;
        }""")
    command = [
        "gcc",
        "-Wall",
        "-Werror",
        "main.c",
        "-L.",
        "-ladd",
        "-lplus",
        "-lpthread",
        "-o",
        "main",
    ]
    subprocess.run(command, cwd=tmp_path, check=True)
    for threads in ("1", "4"):
        done = subprocess.run(
            ["./main"], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=600,
            env={**os.environ, "LIFT_NUM_THREADS": threads},
        )  # fmt: skip
        assert done.stdout == f"{2000 * 2000 * 35}\n"


@pytest.mark.skipif(shutil.which("g++") is None, reason="g++ is not installed")
def test_the_header_serves_c_and_cpp(tmp_path: Path) -> None:
    params = (
        EntryParam("rows", "rows", U8, "const uint8_t *const *"),
        EntryParam("total", "pointer", I32, "int &"),
        EntryParam("table", "pointer", U8, "uint8_t {}[256]"),
    )
    text = header_text(Entry("f", params, {}, return_type=ir.BOOL))
    assert "bool f(const uint8_t *const *rows, int *total, uint8_t table[256]);" in text
    (tmp_path / "f.h").write_text(text)
    for compiler, language in (("gcc", "c"), ("g++", "c++")):
        command = [
            compiler,
            "-x",
            language,
            "-fsyntax-only",
            "-Wall",
            "-Werror",
            str(tmp_path / "f.h"),
        ]
        subprocess.run(command, check=True)


def halide_program() -> str:
    return """
        #include <stdint.h>
        #include <stdio.h>
        #include "add.h"
        int main(void) {
            uint8_t a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {0};
            struct halide_dimension_t d[2] = {{0, 3, 1, 0}, {0, 2, 3, 0}};
            struct halide_buffer_t in = {0, 0, a, 0, {1, 8, 1}, 2, d, 0}, out = in;
            out.host = b;
            int good = add(&in, 10, &out);
            out.type.bits = 16;
            int bad = add(&in, 10, &out);
            printf("%d %d %d\\n", good, bad, b[5]);
            return 0;
        }"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_a_pipeline_is_called_with_halide_buffers(tmp_path: Path) -> None:
    emit(adding(), "object", tmp_path / "add.o")
    emit(adding(), "header", tmp_path / "add.h")
    emit(adding(), "static_library", tmp_path / "libadd.a")
    (tmp_path / "main.c").write_text(halide_program())
    for library in ("add.o", "libadd.a"):
        subprocess.run(["gcc", "-Wall", "main.c", library, "-o", "main"], cwd=tmp_path, check=True)
        done = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True)
        assert done.stdout == "0 -3 16\n"
        assert done.stderr == (
            "lift: Output buffer out has type uint8 but type of the buffer passed in is uint16\n"
        )


def table_of_rows(image: np.ndarray) -> Any:
    return (ctypes.c_void_p * image.shape[0])(*(row.ctypes.data for row in image))


def test_row_tables_give_base_and_stride(tmp_path: Path) -> None:
    params = (
        EntryParam("dst", "rows", U8, "uint8_t **"),
        EntryParam("src", "rows", U8, "const uint8_t **"),
        *SIZES, EntryParam("amount", "scalar", U8, "uint8_t"),
    )  # fmt: skip
    buffers = {
        name: box(table, strides=(ONE, row_stride(table)))
        for name, table in (("in", "src"), ("out", "dst"))
    }
    built = build_library(adding(), entry(params=params, buffers=buffers), tmp_path)
    function = ctypes.CDLL(str(built.shared)).add_lifted
    src = np.arange(60, dtype=np.uint8).reshape(6, 10)
    for view in (src, src[::-1], src[::2]):
        dst = np.zeros((6, 10), np.uint8)
        rows = view.shape[0]
        function(table_of_rows(dst), table_of_rows(view), 9, rows, 0, 5)
        assert (dst[:rows, :9] == view[:, :9] + np.uint8(5)).all()
    dst = np.zeros((1, 10), np.uint8)
    # A table of one row ends there: nothing behind it may be read.
    function(table_of_rows(dst), table_of_rows(src[:1]), 10, 1, 0, 5)
    assert (dst[0] == src[0] + 5).all()
    function(None, None, 10, 0, 0, 5)


def blur() -> LoweredFunction:
    """out(x, y) = in(x - 1, y) + in(x + 1, y)"""
    value = Add(Load("in", (place("in", -1),), U8), Load("in", (place("in", 1),), U8))
    arguments = (Argument("in", U8, 2), Argument("out", U8, 2, True))
    return LoweredFunction("blur", arguments, over_image(Store("out", value, place("out"))))


def test_an_input_that_is_overwritten_is_copied_first(tmp_path: Path) -> None:
    inner = {"mins": (ONE, ZERO), "extents": (Sub(COLS, Const(I64, 2)), ROWS), "offset": ONE}
    last = Sub(Add(Mul(Sub(ROWS, ONE), PITCH), COLS), ONE)
    buffers = {"in": box("dst", copied=(ZERO, last)), "out": box("dst", **inner)}
    binding = Entry("blur_lifted", (BYTES[0], *SIZES), buffers)
    function = ctypes.CDLL(str(build_library(blur(), binding, tmp_path).shared)).blur_lifted
    image = np.random.default_rng(1).integers(0, 256, (5, 12), np.uint8)
    expected = image.copy()
    expected[:, 1:9] = image[:, :8] + image[:, 2:10]
    function(pointer(image), 10, 5, 12)
    assert (image == expected).all()


def test_tables_and_results(tmp_path: Path) -> None:
    """total = sum of table(src(i)), the table being part of the code"""
    step = Add(Load("total", (int32(0),), I32), Load("table", (Load("src", (I,), U8),), I32))
    body = Block((
        Store("total", Const(I32, 0), int32(0)),
        loop(Store("total", step, int32(0)), field("src", "extent")),
    ))  # fmt: skip
    arguments = (Argument("src", U8, 1), Argument("table", I32, 1), Argument("total", I32, 0, True))
    binding = Entry(
        "weigh",
        (BYTES[1], SIZES[0]),
        {"src": BufferBinding("src", ZERO, (ZERO,), (COLS,), (ONE,))},
        tables={"table": (I32, [3 * i - 100 for i in range(256)])},
        return_type=I32,
        result="total",
    )
    function = ctypes.CDLL(
        str(build_library(LoweredFunction("w", arguments, body), binding, tmp_path).shared)
    ).weigh
    src = np.random.default_rng(2).integers(0, 256, 99, np.uint8)
    assert function(pointer(src), 99) == int((3 * src.astype(int) - 100).sum())
    assert function(None, 0) == 0


def test_a_result_may_be_an_expression_and_references_may_be_read(tmp_path: Path) -> None:
    amount = EntryParam("amount", "pointer", U8, "const uint8_t &")
    value = Load("amount", (ZERO,), U8)
    binding = entry(
        params=(*BYTES, *SIZES, amount), scalars={"amount": value}, return_type=ir.I8,
        result=Cast(ir.I8, value),
    )  # fmt: skip
    function = ctypes.CDLL(str(build_library(adding(), binding, tmp_path).shared)).add_lifted
    function.restype = ctypes.c_int8
    data, amounts = np.zeros((2, 2), np.uint8), np.array([250], np.uint8)
    assert function(pointer(data), pointer(data), 2, 2, 2, pointer(amounts)) == -6
    assert (data == 250).all()


def test_several_pipelines_in_one_function_run_in_order(tmp_path: Path) -> None:
    again = entry(scalars={"amount": Const(U8, 100)}, buffers={"in": box("dst"), "out": box("dst")})
    built = build_library(adding(), entry(), tmp_path, more=[(adding("more"), again)], stem="both")
    data = np.zeros((3, 3), np.uint8)
    ctypes.CDLL(str(tmp_path / "libboth.so")).add_lifted(pointer(data), pointer(data), 3, 3, 3, 1)
    assert built.object.name == "both.o"
    assert (data == 101).all()


def failing() -> LoweredFunction:
    check = AssertStmt(
        ir.LT(field("out", "extent"), int32(5)),
        "{} columns are too many",
        (field("out", "extent"),),
    )
    whole = adding()
    return LoweredFunction(whole.name, whole.args, Block((check, whole.body)))  # fmt: skip


def test_a_failed_check_in_an_entry_says_so_and_ends_the_program(tmp_path: Path) -> None:
    built = build_library(failing(), entry(), tmp_path)
    program = (
        "import ctypes; f = ctypes.CDLL({!r}).add_lifted; m = ctypes.create_string_buffer(99);"
        "f(m, m, {}, 1, 9, 1)"
    )
    for cols, status in ((4, 0), (9, -6)):
        done = subprocess.run(
            [shutil.which("python3") or "python3", "-c", program.format(str(built.shared), cols)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == status
        assert ("lift: 9 columns are too many" in done.stderr) == (status != 0)


@pytest.mark.parametrize("size", [2**31, 2**40])
def test_a_size_beyond_32_bits_is_never_cut_in_silence(tmp_path: Path, size: int) -> None:
    pitch = EntryParam("pitch", "scalar", I64, "int64_t")
    strides = (ONE, Variable("pitch", I64))
    binding = entry(
        params=(*BYTES, *SIZES[:2], pitch, entry().params[-1]),
        buffers={"in": box("src", strides=strides), "out": box("dst", strides=strides)},
    )
    built = build_library(adding(), binding, tmp_path)
    program = f"""import ctypes; f = ctypes.CDLL({str(built.shared)!r}).add_lifted
m = ctypes.create_string_buffer(99); f(m, m, 4, 1, ctypes.c_int64({size}), 1)"""
    done = subprocess.run(["python3", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == -6 and "does not fit 32 bits" in done.stderr


def test_an_entry_that_does_not_fit_its_pipeline_is_refused(tmp_path: Path) -> None:
    for changes, message in (
        ({"scalars": {}}, "no uint8 for amount"),
        ({"scalars": {"amount": Variable("cols", I32)}}, "no uint8 for amount"),
        ({"buffers": {"in": box("src")}}, "nothing is bound to out"),
        ({"buffers": {"in": box("src"), "out": box("cols")}}, "cols is no pointer"),
        ({"buffers": {"in": box("src"), "out": box("dst", mins=(ZERO,))}}, "out has 2 dimensions"),
        ({"return_type": I32}, "needs a result"),
    ):
        with pytest.raises(CodegenError, match=message):
            build_library(adding(), entry(**changes), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_machine_without_linker_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_library.shutil, "which", lambda name: None)
    with pytest.raises(LinkError, match=r"no linker for .*looked for cc, .*ld"):
        build_library(adding(), entry(), tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {"add.o", "add.h", "libadd.a"}


@pytest.mark.parametrize("name", ["x86-64", "x86-64-avx2", "x86-64-avx512", "aarch64"])
def test_objects_for_every_target_come_from_this_machine(tmp_path: Path, name: str) -> None:
    build_library(adding(kind="parallel"), entry(), tmp_path, Target.parse(name), shared=False)
    machine = int.from_bytes((tmp_path / "add.o").read_bytes()[18:20], "little")
    assert machine == {"aarch64": 183}.get(name, 62)


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm is not installed")
def test_an_object_needs_the_c_library_and_threads_only(tmp_path: Path) -> None:
    build_library(adding(kind="parallel"), entry(), tmp_path, shared=False)
    listed = subprocess.run(
        ["nm", "-u", "libadd.a"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    needed = {
        line.split()[1] for line in listed.stdout.splitlines() if line.strip().startswith("U")
    }
    threads = {name for name in needed if name.startswith("pthread_")}
    library = {
        "abort", "atoi", "clock_gettime", "dprintf", "getenv", "getpid", "sched_getaffinity",
        "sched_yield", "snprintf",
    }  # fmt: skip
    assert needed - threads <= library
