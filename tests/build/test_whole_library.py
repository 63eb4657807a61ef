"""`lift build DIR`: one library and one header of a whole run, for every processor of a kind."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from .conftest import FIRST
from .programs import WARNINGS, Done, compiled, lift, need, run

Built = tuple[Path, Done]
CALLS = """
#include <stdio.h>
#include "lifted.h"
void add(uint8_t *dst, const uint8_t *src, int n, int k)
{ (void)dst; (void)src; printf("original %d %d\\n", n, k); }
int main(void)
{
    uint8_t a[200], b[200];
    int s, i;
    for (i = 0; i < 200; i++)
        b[i] = (uint8_t)(i * 7);
    add_guarded(a, b, 200, 5);
    total_lifted(a, 200, &s);
    printf("%d\\n", s);
    add_guarded(a, a + 1, 10, 9);
    return 0;
}
"""
SAID = f"{sum((7 * i % 256 + 5) % 256 for i in range(200))}\noriginal 10 9\n"
"""The sum, and the call that overlaps."""


def defined(library: Path, symbol: str) -> int:
    need("nm")
    lines = run(["nm", "-A", "--defined-only", library]).out.splitlines()
    return sum(line.split()[-1] == symbol for line in lines)


@pytest.mark.slow
def test_a_run_gets_one_library_and_one_header(built: Built) -> None:
    folder, done = built
    assert {"liblifted.a", "liblifted.so", "lifted.h"} <= {
        p.name for p in (folder / "lifted").iterdir()
    }
    assert "library" in done.out
    assert "10 functions, for sse41, avx2, avx512" in done.out
    assert (folder / "lifted/first/add/libadd.so").is_file()  # functions' own files are made, too


def test_the_runtime_is_in_it_once(built: Built) -> None:
    folder, _ = built
    for library in ("liblifted.a", "liblifted.so"):
        assert defined(folder / "lifted" / library, "lift_parallel_for") == 1
        assert defined(folder / "lifted" / library, "add_lifted") == 1
    assert defined(folder / "lifted/liblifted.a", "add_lifted.avx512") == 1


def test_functions_of_one_name_have_their_files_before_it(built: Built) -> None:
    header = (built[0] / "lifted/lifted.h").read_text()
    assert "void first_scale_lifted(uint8_t *dst, const uint8_t *src, int n);" in header
    assert "void second_scale_lifted(uint16_t *p, int n);" in header
    assert "void scale_2_lifted(float *dst, const float *src, int n);" in header
    assert " scale_lifted(" not in header


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "compiler",
    ["gcc -std=c99", "gcc -std=c17", "g++ -std=c++11", "g++ -std=c++20", "clang -std=c99",
     "clang++ -std=c++17"],
)  # fmt: skip
def test_the_header_stands_alone_in_c_and_cpp(built: Built, compiler: str, tmp_path: Path) -> None:
    need(compiler.split()[0])
    is_c = "++" not in compiler
    source = tmp_path / ("a.c" if is_c else "a.cpp")
    source.write_text('#include "lifted.h"\n#include "lifted.h"\nint used;\n')
    done = run([*compiler.split(), *WARNINGS, "-I", built[0] / "lifted", "-fsyntax-only", source])
    assert done.status == 0, done.err
    assert done.err == ""


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("library", ["liblifted.a", "liblifted.so"])
@pytest.mark.parametrize("level", ["", "sse41", "avx2", "avx512"])
def test_a_c_program_gets_the_same_numbers_from_every_variant(
    built: Built, library: str, level: str, tmp_path: Path
) -> None:
    lifted = built[0] / "lifted"
    program = compiled(
        CALLS, tmp_path, "-I", lifted, lifted / library, f"-Wl,-rpath,{lifted}", compiler="gcc"
    )
    done = run([program], env={"LIFT_CPU": level})
    assert (done.status, done.out) == (0, SAID)


def test_guarded_entries_of_cpp_functions_find_the_right_original(
    built: Built, tmp_path: Path
) -> None:
    lifted = built[0] / "lifted"
    main = f"""
    {FIRST}
    #define LIFT_WITH_ORIGINAL
    #include "lifted.h"
    #include <cstdio>
    int main() {{
        uint8_t a[40] = {{}}, b[40];
        for (int i = 0; i < 40; i++) b[i] = (uint8_t)i;
        float f[2] = {{1.5f, 2}}, g[2];
        first_scale_guarded(a, b, 40); scale_2_guarded(g, f, 2);
        std::printf("%d %g\\n", a[39], g[0]);
        negate_guarded(a, 4, 2, 10);
        std::printf("%d %d %d\\n", a[3], a[4], a[13]);
        Image image{{a, 5, 2}}; clear_guarded(image, 9);
        std::vector<uint8_t> v{{1, 2}}; flip_guarded(v);
        int bad = mark_guarded(a, -1);
        std::printf("%d %d %d %d %d\\n", a[9], a[10], v[1], bad, mark_guarded(a, 3));
    }}
    """
    program = compiled(main, tmp_path, "-I", lifted, lifted / "liblifted.a", "-Wno-unused-function")
    assert run([program]).out == "78 3\n249 8 229\n9 235 253 -1 0\n"


def test_a_wrong_lift_cpu_is_ignored_with_one_line(built: Built, tmp_path: Path) -> None:
    lifted = built[0] / "lifted"
    program = compiled(CALLS, tmp_path, "-I", lifted, lifted / "liblifted.a", compiler="gcc")
    done = run([program], env={"LIFT_CPU": "sse9"})
    assert done.out == SAID
    assert done.err == "lift: LIFT_CPU=sse9 is ignored: it is none of sse41, avx2 and avx512\n"


@pytest.mark.parametrize("cpu", ["Nehalem", "SandyBridge", "Haswell"])
def test_an_older_processor_gets_code_that_it_can_run(
    built: Built, cpu: str, tmp_path: Path
) -> None:
    need("qemu-x86_64")
    lifted = built[0] / "lifted"
    program = compiled(CALLS, tmp_path, "-I", lifted, lifted / "liblifted.a", compiler="gcc")
    done = run(["qemu-x86_64", "-cpu", cpu, program])
    assert (done.status, done.out) == (0, SAID)
    forced = run(["qemu-x86_64", "-cpu", cpu, program], env={"LIFT_CPU": "avx512"})
    assert (forced.status, forced.out) == (0, SAID)
    assert "LIFT_CPU=avx512 is ignored: this machine doesn't support that" in forced.err


def test_a_processor_without_sse41_is_told_so(built: Built, tmp_path: Path) -> None:
    need("qemu-x86_64")
    lifted = built[0] / "lifted"
    program = compiled(CALLS, tmp_path, "-I", lifted, lifted / "liblifted.a", compiler="gcc")
    done = run(["qemu-x86_64", "-cpu", "Conroe", program])
    assert done.status != 0
    assert "lift: add_lifted: this processor lacks SSE4.1" in done.err


def test_static_programs_on_another_c_library_choose_as_well(built: Built, tmp_path: Path) -> None:
    need("musl-gcc")
    lifted = built[0] / "lifted"
    program = compiled(
        CALLS, tmp_path, "-static", "-I", lifted, lifted / "liblifted.a", compiler="musl-gcc"
    )
    assert run([program]).out == SAID


@pytest.mark.slow
def test_threads_that_call_first_at_once_all_get_a_variant(built: Built, tmp_path: Path) -> None:
    lifted = built[0] / "lifted"
    main = """
    #include "lifted.h"
    #include <cstdio>
    #include <thread>
    int main() {
        std::vector<std::thread> threads; int wrong[16] = {};
        for (int t = 0; t < 16; t++)
            threads.emplace_back([t, &wrong] {
                uint8_t a[100], b[100] = {1, 2, 3};
                for (int i = 0; i < 100; i++) {
                    add_lifted(a, b, 100, t);
                    wrong[t] += a[2] != 3 + t;
                }
            });
        int all = 0;
        for (int t = 0; t < 16; t++) { threads[t].join(); all += wrong[t]; }
        std::printf("%d\\n", all);
    }
    """
    program = compiled(main, tmp_path, "-O1", "-I", lifted, lifted / "liblifted.a")
    assert run([program]).out == "0\n"


def test_an_aarch64_library_has_one_variant_and_runs(results: Path, tmp_path: Path) -> None:
    need("aarch64-linux-gnu-gcc")
    need("qemu-aarch64")
    lifted = tmp_path / "lifted"
    shutil.copytree(results / "lifted/first/add", lifted / "first/add")
    shutil.copytree(results / "lifted/first/total", lifted / "first/total")
    done = lift("build", lifted, "--target", "aarch64", cwd=tmp_path)
    assert done.status == 0, done.out
    assert "2 functions, 0." in done.out
    program = compiled(CALLS, tmp_path, "-static", "-I", lifted, lifted / "liblifted.a",
                       compiler="aarch64-linux-gnu-gcc")  # fmt: skip
    assert run(["qemu-aarch64", program]).out == SAID


def test_a_target_with_features_is_taken_at_its_word(results: Path, tmp_path: Path) -> None:
    lifted = tmp_path / "lifted"
    shutil.copytree(results / "lifted/first/add", lifted / "first/add")
    done = lift("build", lifted, "--target", "x86-64-avx2", cwd=tmp_path)
    assert "1 function, 0." in done.out
    assert defined(lifted / "liblifted.a", "add_lifted.avx2") == 0
    wrong = lift("build", lifted, "--target", "z80", cwd=tmp_path)
    assert wrong.status == 2
    assert "--target z80: unknown target" in wrong.err


@pytest.mark.slow
@pytest.mark.parametrize("method", ["Mullapudi2016", "Measured"])
def test_a_schedule_is_in_every_variant(results: Path, method: str, tmp_path: Path) -> None:
    lifted = tmp_path / "lifted"
    for name in ("add", "total"):
        shutil.copytree(results / "lifted/first" / name, lifted / "first" / name)
    budget = ["--schedule-budget", "0"] if method == "Measured" else []
    done = lift("build", lifted, "--schedule", method, *budget, cwd=tmp_path)
    assert done.status == 0, done.out
    program = compiled(CALLS, tmp_path, "-I", lifted, lifted / "liblifted.a", compiler="gcc")
    for level in ("sse41", "avx2", "avx512"):
        assert run([program], env={"LIFT_CPU": level}).out == SAID


def copy_sources(folder: Path, target: Path) -> None:
    for source in folder.glob("*.c*"):
        shutil.copy(source, target)


def test_what_did_not_change_is_not_built_again(built: Built, tmp_path: Path) -> None:
    lifted = tmp_path / "lifted"
    shutil.copytree(built[0] / "lifted", lifted)
    times = {p: p.stat().st_mtime_ns for p in lifted.rglob("*") if p.is_file() and p.suffix != ".o"}
    copy_sources(built[0], tmp_path)
    again = lift("build", lifted, cwd=tmp_path)
    assert "0 built, 10 unchanged, 0 failed" in again.out
    assert {p: p.stat().st_mtime_ns for p in times} == times
    program = lifted / "first/negate/pipeline.py"
    program.write_text(program.read_text() + "# read by a person\n")
    (lifted / "first/mark/libmark.a").unlink()
    changed = lift("build", lifted, cwd=tmp_path)
    assert "2 built, 8 unchanged, 0 failed" in changed.out
    assert "negate" in changed.out and "mark" in changed.out and "rows" not in changed.out


def test_a_function_that_cannot_be_built_is_named_in_the_header(
    built: Built, tmp_path: Path
) -> None:
    lifted = tmp_path / "lifted"
    shutil.copytree(built[0] / "lifted", lifted)
    copy_sources(built[0], tmp_path)
    (lifted / "first/mark/pipeline.py").write_text("raise ValueError('spoilt */ int x; /*')\n")
    done = lift("build", lifted, cwd=tmp_path)
    assert done.status == 1
    header = (lifted / "lifted.h").read_text()
    assert "Not in this library" in header
    assert "mark (" in header.split("#ifndef")[0]
    assert "mark_lifted" not in header
    assert "int x; / *" in header  # what a stranger's file says can't leave the comment
    assert defined(lifted / "liblifted.a", "mark_lifted") == 0


def test_a_functions_own_folder_is_no_run(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "lifted/first/add", tmp_path / "add")
    done = lift("build", "add", cwd=tmp_path)
    assert done.status == 0
    assert not (tmp_path / "add/liblifted.a").exists()
    shutil.copytree(results / "lifted/first/add", tmp_path / "run/add")
    lift("build", "run", "--no-library", cwd=tmp_path)
    assert not (tmp_path / "run/liblifted.a").exists()


def test_a_broken_summary_is_an_error_of_its_folder(results: Path, tmp_path: Path) -> None:
    shutil.copytree(results / "lifted/first/add", tmp_path / "run/add")
    (tmp_path / "run/add/summary.json").write_text('{"name": "add"}')
    done = lift("build", "run", cwd=tmp_path)
    assert done.status == 2
    assert "summary.json is no summary" in done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_an_error(built: Built, tmp_path: Path) -> None:
    shutil.copytree(built[0] / "lifted", tmp_path / "lifted")
    (tmp_path / "lifted").chmod(0o500)
    assert lift("build", "lifted", cwd=tmp_path).status == 2
