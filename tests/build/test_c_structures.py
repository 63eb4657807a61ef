"""Sources in C: guarded entries for structures, and originals that bench can call."""

from __future__ import annotations

import importlib
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from lifter.bench import measured
from lifter.commands.bench import command
from lifter.emit.source_call import decayed

from .programs import WARNINGS, lift, need, run

bench_module = importlib.import_module("lifter.bench.bench")

HEADER = """\
#include <stdint.h>
struct image { uint8_t *data; int w, h, stride; };
typedef struct { uint8_t *const data; const int w; int h, stride; } Plane;
#ifndef MAXV
#error MAXV is missing
#endif
"""
ROWS = (
    "for (int y = 0; y < {0}h; y++) for (int x = 0; x < {0}w; x++) {0}data[y * {0}stride + x] {1}\n"
)
SOURCE = f"""\
#include "image.h"
extern int table_of_others[];
extern struct other nowhere;
int other_thing(struct image *im);
void invert(struct image *im)
{{ {ROWS.format("im->", "= MAXV - im->data[y * im->stride + x];")} }}
void level(struct image im, int v) {{ {ROWS.format("im.", "= v;")} }}
void half(Plane *p) {{ {ROWS.format("p->", "/= 2;")} }}
void add(const struct image *src, struct image *dst, int k)
{{ {ROWS.format("dst->", "= src->data[y * src->stride + x] + k;")} }}
void histogram(int hist[256], const uint8_t *p, int n)
{{
    for (int i = 0; i < 256; i++) hist[i] = 0;
    for (int i = 0; i < n; i++) hist[p[i]]++;
}}
void sharpen(uint8_t out[], const uint8_t in[restrict], const int k[3][3], int w, int h)
{{
    for (int y = 0; y < h; y++) for (int x = 0; x < w; x++) {{
        int t = 0;
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) t += k[j][i] * in[(y + j) * (w + 2) + x + i];
        out[y * w + x] = t >> 4;
    }}
}}
void sixteens(uint8_t *d, int n) {{ for (int i = 0; i < n / 16 * 16; i++) d[i] = d[i] / 3; }}
int calls(void) {{ return other_thing(0) + table_of_others[3] + *(int *)&nowhere; }}
"""
NAMES = {"invert", "level", "half", "add", "histogram", "sharpen", "sixteens"}


FEW = {"level", "histogram", "add"}


@pytest.fixture
def few(project: Path, tmp_path: Path) -> Path:
    """The project with three of its functions."""
    for name in FEW:
        shutil.copytree(project / "lifted" / "image" / name, tmp_path / "lifted" / "image" / name)
    shutil.copytree(project / "include", tmp_path / "include")
    shutil.copy(project / "image.c", tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("in c")
    (folder / "include").mkdir()
    (folder / "include" / "image.h").write_text(HEADER)
    (folder / "image.c").write_text(SOURCE)
    done = lift("image.c", "-I", "include", "-D", "MAXV=255", "--std", "c99", cwd=folder)
    assert f"{len(NAMES)} proved" in done.out, done.out
    assert lift("build", "lifted", cwd=folder).status == 0
    return folder


@pytest.mark.slow
@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("compiler", ["gcc -std=c99", "g++"])
def test_guarded_entries_take_the_structures_of_c(project: Path, compiler: str, tmp_path) -> None:
    name, *options = compiler.split()
    need(name)
    program = tmp_path / ("main.c" if name == "gcc" else "main.cpp")
    linkage = ("", "") if name == "gcc" else ('extern "C" {', "}")
    program.write_text(f"""
#include <stdio.h>
#include "image.h"
{linkage[0]}
void invert(struct image *im);
void level(struct image im, int v);
void half(Plane *p);
void add(const struct image *src, struct image *dst, int k);
{linkage[1]}
#define LIFT_WITH_ORIGINAL
#include "lifted.h"
int main(void)
{{
    uint8_t a[64];
    int i;
    struct image im = {{a, 8, 8, 8}};
    Plane p = {{a, 8, 8, 8}};
    for (i = 0; i < 64; i++) a[i] = (uint8_t)i;
    invert_guarded(&im); printf("%d ", a[3]);
    half_guarded(&p); printf("%d ", a[3]);
    add_guarded(&im, &im, 7); printf("%d ", a[3]);
    level_guarded(im, 5); printf("%d\\n", a[3]);
    return 0;
}}
""")
    original = tmp_path / "image.o"
    others = ["-include", "stdint.h", "-DMAXV=255", "-I", project / "include", "-w"]
    assert run(["gcc", "-c", project / "image.c", *others, "-o", original]).status == 0
    stubs = tmp_path / "stubs.c"
    stubs.write_text("int table_of_others[9]; int nowhere; int other_thing(void *p)"
                     "{ return p != 0; }\n")  # fmt: skip
    made = run(
        [name, *options, *WARNINGS, "-DMAXV=255", "-I", project / "include", "-I",
         project / "lifted", program, original, project / "lifted" / "liblifted.a", "-o",
         tmp_path / "main", "-lpthread", "-lm", "-x", "c", "-w", stubs]
    )  # fmt: skip
    assert made.status == 0, made.err
    done = run([tmp_path / "main"], env={"LIFT_CPU": "?"})
    assert done.out == "252 126 133 5\n"
    assert "LIFT_CPU=? is ignored" in done.err  # lifted code ran


@pytest.mark.slow
def test_bench_reads_the_source_as_lift_did_and_calls_everything(project: Path, monkeypatch):
    need("gcc")
    monkeypatch.chdir(project)
    rows = {row.name: row for row in measured(Path("lifted"), size=(64, 48), seconds=0.01)}
    assert set(rows) == NAMES
    assert {name: (row.equal, row.note) for name, row in rows.items()} == dict.fromkeys(
        NAMES, (True, None)
    )


@pytest.mark.slow
def test_bench_measures_the_others_where_one_original_cannot_be_called(few, monkeypatch):
    """A function whose type is another one by now."""
    need("gcc")
    monkeypatch.chdir(few)
    text = SOURCE.replace("void level(struct image im, int v)", "void level(struct image im)")
    text = text.replace("= v;", "= 4;")
    (few / "image.c").write_text(text)
    rows = {row.name: row for row in measured(Path("lifted"), size=(64, 48), seconds=0.01)}
    assert rows["level"].original_ms is None and rows["level"].lifted_ms is not None
    assert "the original of level can't be called" in str(rows["level"].note)
    assert all(row.equal for name, row in rows.items() if name != "level")


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_measured(few: Path, monkeypatch) -> None:
    monkeypatch.chdir(few)
    own, begun = bench_module._row, []

    def row(folder, *rest):
        begun.append(folder)
        if len(begun) == 2:
            raise KeyboardInterrupt
        return own(folder, *rest)

    monkeypatch.setattr(bench_module, "_row", row)
    done = CliRunner().invoke(command, ["lifted", "--size", "32x32"], standalone_mode=False)
    assert done.return_value == 130
    assert "add" in done.output and "the others aren't measured" in done.output
    kept = json.loads((few / "lifted" / "bench.json").read_text())
    assert len(kept["functions"]) == 1


def test_types_of_array_parameters_are_those_of_pointers_in_a_cast() -> None:
    shown = {
        "int[256]": "int *",
        "const uint8_t[]": "const uint8_t *",
        "const int[3][3]": "const int (*)[3]",
        "float[2][N][4]": "float (*)[N][4]",
        "uint8_t *": "uint8_t *",
        "uint8_t **": "uint8_t **",
    }
    assert {spelling: decayed(spelling) for spelling in shown} == shown
