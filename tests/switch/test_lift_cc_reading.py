"""`lift cc` reads a source as its compiler does, and its entries have the originals' very types."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lifter.batch.store import records_of
from lifter.commands.cc import _own_share
from lifter.model.diagnostic import LiftError
from lifter.switch import read_call
from lifter.switch.dependencies import files_read, unfit
from tests.build.programs import ROOT, lift, need, run

MACROS = """\
#include <outer.h>
#ifdef __STRICT_ANSI__
#define STRICT 1
#else
#define STRICT 2
#endif
#ifdef __FAST_MATH__
#define FAST 1
#else
#define FAST 2
#endif
#ifdef _OPENMP
#define THREADS 1
#else
#define THREADS 2
#endif
#ifdef OTHER
#define NAMED 1
#else
#define NAMED 2
#endif
int inner() { return INNER; }
void k(unsigned char *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = p[i] + STRICT + 3 * FAST + 9 * THREADS + 27 * NAMED + 81 * (__cplusplus > 201402L)
             + INNER;
}
"""
MAIN = """\
#include <cstdio>
int inner(); void k(unsigned char *, int);
int main() { unsigned char c = 0; k(&c, 1); std::printf("%d %d\\n", c, inner()); }
"""


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(
    "options, lifted",
    [
        ("", True),
        pytest.param("-ansi -std=c++11", True, marks=pytest.mark.slow),
        ("-ffast-math -fopenmp -std=c++20", True),
        ("-Wp,-DOTHER -Wp,-MMD,x.d", True),
        pytest.param("--std=c++14 -UOTHER -D OTHER", True, marks=pytest.mark.slow),
        ("-Xpreprocessor -DOTHER", False),
        pytest.param("-include more.h", True, marks=pytest.mark.slow),
        ("-mabi=sysv", False),
    ],
)
def test_if_goes_the_same_way_for_the_compiler_and_for_lift(
    tmp_path: Path, options: str, lifted: bool
) -> None:
    for name in ("source", "first", "second"):
        (tmp_path / name).mkdir()
    (tmp_path / "source/k.cpp").write_text(MACROS)
    (tmp_path / "m.cpp").write_text(MAIN)
    (tmp_path / "more.h").write_text("#define OTHER\n")
    # `inner.h` is looked for beside `outer.h` and below `-I`, not where the source is.
    (tmp_path / "first/outer.h").write_text('#include "inner.h"\n')
    (tmp_path / "second/inner.h").write_text("#define INNER 4\n")
    (tmp_path / "source/inner.h").write_text("#define INNER 5\n")
    words = ["g++", "-O2", "-I", "first", "-Isecond", *options.split()]
    assert run([*words, "m.cpp", "source/k.cpp", "-o", "m"], tmp_path).status == 0
    expected = run([tmp_path / "m"]).out
    made = lift("cc", *words, "-c", "source/k.cpp", "-o", "k.o", cwd=tmp_path)
    assert made.status == 0, made.err
    assert ("lifted code for k" in made.err) == lifted, made.err
    linked = run([*words, "m.cpp", "k.o", "-o", "m", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    assert run([tmp_path / "m"]).out == expected


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("option", ["-fwrapv", "-fno-strict-overflow", "-mabi=ms", "-fpack-struct"])
def test_options_that_change_arithmetic_or_calls_leave_the_source_alone(
    tmp_path: Path, option: str
) -> None:
    # With -fwrapv, k + 1 < k for the largest k; the lifted code would not return.
    (tmp_path / "k.cpp").write_text(
        "void k(unsigned char *p, int n, int k)\n"
        "{ if (k + 1 < k) return; for (int i = 0; i < n; i++) p[i] = 7; }\n"
    )
    made = lift("cc", "g++", "-O2", option, "-c", "k.cpp", cwd=tmp_path)
    assert made.status == 0 and f"C++ as before for {option} " in made.err
    if option == "-fwrapv":
        again = lift("cc", "g++", "-O2", "-fno-wrapv", "-c", "k.cpp", cwd=tmp_path)
        assert again.err == "lift: k.cpp: lifted code for k\n"


OBJECTS = """\
struct Image { unsigned char *data; int width, height; };
#define FILL for (int i = 0; i < image.width * image.height; i++) image.data[i] = v;
void by_reference(Image &image, int v) { FILL }
void by_const(const Image &image, int v) { FILL }
void by_value(const Image image, int v) { FILL }
void by_pointer(Image *image, int v)
{ for (int i = 0; i < image->width * image->height; i++) image->data[i] = v; }
enum class Mode : short { Keep = -1, Fill };
struct Pixel { unsigned char r, g, b; };
void modes(Pixel *pixels, int n, Mode mode)
{ for (int i = 0; i < n; i++) pixels[i].g = mode == Mode::Fill ? 11 : pixels[i].r; }
namespace img {
void same_name(Image &image, int v) { FILL }
struct Image { unsigned char *data; long width, height; };
void same_name(Image &image, int v) { (void)image; (void)v; }
}
"""


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["g++", pytest.param("clang++", marks=pytest.mark.slow)])
def test_objects_arrive_as_the_original_takes_them(tmp_path: Path, compiler: str) -> None:
    need(compiler)
    (tmp_path / "k.cpp").write_text(OBJECTS)
    (tmp_path / "m.cpp").write_text(
        "#include <cstdio>\nstruct Image { unsigned char *data; int width, height; };\n"
        "void by_reference(Image &, int); void by_const(const Image &, int);\n"
        "void by_value(Image, int); void by_pointer(Image *, int);\n"
        "namespace img { void same_name(Image &, int); }\n"
        "enum class Mode : short { Keep = -1, Fill }; struct Pixel { unsigned char r, g, b; };\n"
        "void modes(Pixel *, int, Mode);\n"
        "int main() { unsigned char c[6] = {}; Image image = {c, 2, 2}; int v = 7;\n"
        "#define CALL(call) call; std::printf(\"%d %d \", c[3], c[4]);\n"
        "CALL(by_reference(image, v++)) CALL(by_const(image, v++)) CALL(by_value(image, v++))\n"
        "CALL(by_pointer(&image, v++)) CALL(img::same_name(image, v))\n"
        "CALL(modes((Pixel *)c, 2, Mode::Fill)) CALL(modes((Pixel *)c, 2, Mode::Keep)) }\n"
    )  # fmt: skip
    made = lift("cc", compiler, "-O2", "-c", "k.cpp", "-o", "k.o", cwd=tmp_path)
    assert "lifted code for by_reference, by_const, by_value, by_pointer, modes\n" in made.err
    # After it, `Image` is another type in its namespace.
    assert "same_name (its entry gets another type than it has)" in made.err
    linked = run([compiler, "m.cpp", "k.o", "-o", "m", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    assert run([tmp_path / "m"]).out == "7 0 8 0 9 0 10 0 11 0 11 11 11 11 "


@pytest.mark.slow
def test_a_source_that_changes_meanwhile_is_compiled_as_it_is_then(tmp_path: Path) -> None:
    """The compiler here edits the header when it is called for the first time after the lifting."""
    (tmp_path / "k.h").write_text("#define K 1\n")
    (tmp_path / "k.cpp").write_text(
        '#include "k.h"\nint k_is() { return K; }\n'
        "void k(unsigned char *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] + K; }\n"
    )
    (tmp_path / "m.cpp").write_text(MAIN.replace("inner", "k_is"))
    compiler = tmp_path / "edits++"
    compiler.write_text(
        '#!/bin/sh\ncase "$*" in *plain.o*) [ -e no-edit ] || echo "#define K 2" > k.h;; esac\n'
        'exec g++ "$@"\n'
    )
    compiler.chmod(compiler.stat().st_mode | stat.S_IXUSR)
    made = lift("cc", str(compiler), "-O2", "-c", "k.cpp", "-o", "k.o", cwd=tmp_path)
    assert "k.h changed meanwhile" in made.err and "lifted code" not in made.err
    assert run(["g++", "m.cpp", "k.o", "-o", "m"], tmp_path).status == 0
    assert run([tmp_path / "m"]).out == "2 2\n"
    (tmp_path / "no-edit").touch()
    made = lift("cc", str(compiler), "-O2", "-c", "k.cpp", "-o", "k.o", cwd=tmp_path)
    assert made.err == "lift: k.cpp: lifted code for k\n"


def test_what_was_read_is_known_from_the_compilers_note(tmp_path: Path) -> None:
    odd = tmp_path / "a b#c$d.h"
    odd.write_text("int x;\n")
    said = str(odd).replace(" ", "\\ ").replace("#", "\\#").replace("$", "$$")
    files = files_read(f"k.o: {tmp_path}/made/shim.cpp \\\n {said}\n", tmp_path / "made")
    assert files == [odd]
    since = odd.stat().st_ctime_ns
    assert unfit(files, since + 1) is None
    assert unfit(files, since) == f"{odd} changed meanwhile"
    odd.write_text("int x = __INCLUDE_LEVEL__;\n")
    later = odd.stat().st_ctime_ns + 1
    assert "has __INCLUDE_LEVEL__" in (unfit(files, later) or "")
    odd.unlink()
    assert "is gone" in (unfit(files, later) or "")


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(
    "options, note",
    [
        pytest.param("-MD", "d/k o.d", marks=pytest.mark.slow),
        ("-MMD -MFx.d", "x.d"),
        pytest.param("-MMD -MF x.d -MT d/k\\ o.o", "x.d", marks=pytest.mark.slow),
        ("-Wp,-MMD,x.d,-MQ,d/k\\ o.o", "x.d"),
    ],
)
def test_dependencies_are_what_the_compiler_alone_notes(
    tmp_path: Path, options: str, note: str
) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "k.cpp").write_text(
        "void k(unsigned char *p, int n) { for (int i = 0; i < n; i++) p[i] = 1; }\n"
    )
    words = ["g++", *(w.replace("~", " ") for w in options.replace("\\ ", "~").split())]
    words += ["-c", "k.cpp", "-o", "d/k o.o"]
    assert run(words, tmp_path).status == 0
    expected = (tmp_path / note).read_text()
    os.unlink(tmp_path / note)
    made = lift("cc", *words, cwd=tmp_path)
    assert made.err == "lift: k.cpp: lifted code for k\n"
    assert (tmp_path / note).read_text() == expected


def test_words_after_two_dashes_are_the_compilers_own_affair() -> None:
    assert read_call(["clang++", "-c", "-o", "o.o", "--", "k.cpp"]) is None
    assert read_call(["clang++", "-c", "-o", "o.o", "k.cpp"]) is not None


@pytest.mark.slow
def test_what_a_source_leaves_behind_changes_nothing_that_sources_share(tmp_path: Path) -> None:
    body = "void {}(unsigned char *p, int n) {{ for (int i = 0; i < n; i++) p[i] = 1; }}\n"
    (tmp_path / "k.cpp").write_text("#pragma pack(1)\n" + body.format("k"))
    made = lift("cc", "g++", "-O2", "-c", "k.cpp", "-o", "k.o", cwd=tmp_path)
    assert made.err == "lift: k.cpp: lifted code for k\n"
    sizes = run(["nm", "-S", "k.o"], tmp_path).out
    assert "0000000000000010 V lift_shadow_settings_1" in sizes
    # Macros that the entries' own code can't live with are no error.
    (tmp_path / "k.cpp").write_text(body.format("k") + "#define low high\n#define malloc(n) m(n)\n")
    made = lift("cc", "g++", "-O2", "-c", "k.cpp", "-o", "k.o", cwd=tmp_path)
    assert (made.status, made.err) == (
        0, "lift: k.cpp: C++ as before for k (its entry can't be compiled)\n"
    )  # fmt: skip


ADD = "void k(unsigned char *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] + 1; }\n"
WATCHING = {
    "-O0": "-O0",
    "-O2 -g -O0": "-O0",
    "-Og -g": "-Og",
    "-O1 -fsanitize=address,undefined": "-fsanitize=address,undefined",
    "-O2 -fsanitize=thread -fno-sanitize=undefined": "-fsanitize=thread",
    "-O2 -fsanitize-coverage=trace-pc": "-fsanitize-coverage=trace-pc",
    "-O2 --coverage": "--coverage",
    "-O2 -fprofile-arcs -ftest-coverage": "-ftest-coverage",
    "-O2 -fprofile-instr-generate -fcoverage-mapping": "-fcoverage-mapping",
    "-O2 -fprofile-generate=/tmp/x": "-fprofile-generate=/tmp/x",
    "-finstrument-functions": "-finstrument-functions",
}
RUNNING = (
    "",
    "-g",
    "-O",
    "-O2",
    "-Os",
    "-O0 -O3",
    "-fsanitize=address -fno-sanitize=all",
    "-fsanitize=undefined -fno-sanitize=undefined",
    "-fprofile-use=x.profdata",
    "-fno-sanitize-recover=all -fno-omit-frame-pointer",
)


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("options", [*WATCHING, *RUNNING])
def test_builds_that_look_at_the_code_are_told_from_builds_to_run(options: str) -> None:
    call = read_call(["g++", *options.split(), "-c", "a.cpp"])
    assert call is not None and call.watches == WATCHING.get(options)


def test_a_sanitizers_build_is_the_compilers_and_says_so_once(tmp_path: Path) -> None:
    need("g++")
    (tmp_path / "a.cpp").write_text(ADD)
    words = ["cc", "--require", "g++", "-fsanitize=undefined", "-c", "a.cpp", "-o", "a.o"]
    env = {"TMPDIR": str(tmp_path)}
    command = [sys.executable, "-m", "lifter", *words]
    done = [run(command, tmp_path, env) for _ in range(2)]
    assert [d.status for d in done] == [0, 0]
    assert done[0].err.startswith("lift: C++ as before with -fsanitize=undefined")
    assert done[1].err == "" and not (tmp_path / "a.o.lifted").exists()
    assert run(["g++", *words[3:]], tmp_path).status == 0


def test_a_build_without_any_optimization_named_is_switched(tmp_path: Path) -> None:
    need("g++")
    (tmp_path / "a.cpp").write_text(ADD)
    done = lift("cc", "g++", "-g", "-c", "a.cpp", "-o", "a.o", cwd=tmp_path)
    assert done.status == 0 and "lifted code for k" in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "machine, variants",
    [
        ("x86-64-v2", {"sse41", "avx2", "avx512"}),
        ("haswell", {"avx2", "avx512"}),
        ("x86-64-v4", {"only"}),
    ],
)
def test_only_code_that_a_processor_of_the_build_may_take_is_in_it(
    tmp_path: Path, machine: str, variants: set[str]
) -> None:
    need("g++")
    (tmp_path / "a.cpp").write_text(ADD)
    words = ["g++", "-O2", f"-march={machine}", "-c", "a.cpp", "-o", "a.o"]
    done = lift("cc", *words, cwd=tmp_path)
    assert done.status == 0 and "lifted code for k" in done.err
    symbols = run(["nm", "a.o"], tmp_path).out
    found = {v for v in ("sse41", "avx2", "avx512") if f"_lifted.{v}\n" in symbols}
    assert (found or {"only"}) == variants
    if machine == "haswell":
        (tmp_path / "m.cpp").write_text(
            "void k(unsigned char *, int); "
            "int main() { unsigned char c = 4; k(&c, 1); return c; }\n"
        )
        said = []
        for object in ("a.cpp", "a.o"):
            assert run(["g++", "m.cpp", object, "-o", "m"], tmp_path).status == 0
            said += [run([tmp_path / "m"], env={"LIFT_CPU": c}).status for c in ("", "sse41")]
        assert len(set(said)) == 1


FLOATS = "void k(float *p, int n) { for (int i = 0; i < n; i++) p[i] = p[i] * 0.5f + 1; }\n"


@pytest.mark.sampled(every=3)
@pytest.mark.parametrize(
    "options, lifted",
    [
        ("-O2", True),
        ("-O2 -ffast-math", False),
        ("-Ofast", False),
        ("-O2 -fno-signed-zeros", False),
        ("-O2 -mfma", False),
        ("-O2 -mfma -ffp-contract=off", True),
    ],
)
def test_floats_that_the_compiler_may_compute_otherwise_stay_the_compilers(
    tmp_path: Path, options: str, lifted: bool
) -> None:
    (tmp_path / "k.cpp").write_text(FLOATS)
    made = lift("cc", "g++", *options.split(), "-c", "k.cpp", "-o", "k.o", cwd=tmp_path)
    assert made.status == 0, made.err
    assert ("lifted code for k" in made.err) == lifted, made.err


@pytest.mark.parametrize(
    "flags, jobs", [("", 8), (" -j4 --jobserver-auth=3,4", 2), ("-j", 8), ("k -j16", 1)]
)
def test_compilers_that_run_at_once_share_the_cores(monkeypatch, flags: str, jobs: int) -> None:
    monkeypatch.setattr("lifter.commands.cc.available_cores", lambda: 8)
    monkeypatch.setenv("MAKEFLAGS", flags)
    assert _own_share() == jobs


@pytest.mark.slow
def test_what_was_decided_before_an_interrupt_is_there_the_next_time(tmp_path: Path) -> None:
    need("g++")
    kernels = [ADD.replace(" k(", f" k{n}(").replace("+ 1", f"* {n + 3} / 2") for n in range(40)]
    (tmp_path / "a.cpp").write_text("".join(kernels))
    words = [sys.executable, "-m", "lifter", "cc", "-j", "1", "g++", "-O2", "-c", "a.cpp"]
    began = subprocess.Popen(
        words, cwd=tmp_path, start_new_session=True, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    work, seen = tmp_path / "a.o.lifted", []
    deadline = time.monotonic() + 600
    while len(seen) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
        with contextlib.suppress(LiftError):
            seen = records_of(work)
    os.killpg(began.pid, signal.SIGINT)
    assert began.wait(600) == 130 and not (tmp_path / "a.o").exists()
    kept = records_of(work)
    assert len(seen) <= len(kept) < 40
    again = lift("a.cpp", "-o", "a.o.lifted", "--function", kept[0].name, cwd=tmp_path)
    assert again.status == 0
