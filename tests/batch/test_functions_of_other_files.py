"""A run over a library whose formats are `static` functions of one file, called by another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.build.programs import lift, need, run

HEADER = """
#ifndef OPS_H
#define OPS_H
#include <stdint.h>
struct pixel { uint8_t r, g, b; };
struct ops {
    struct pixel (*get)(const uint8_t *line, int x);
    void (*set)(uint8_t *line, int x, const struct pixel *p);
    uint8_t (*level)(uint8_t value);
};
struct image { uint8_t *bits; int pitch, w, h; const struct ops *ops; };
#ifdef __cplusplus
extern "C"
#endif
const struct ops *ops_of(int format);
#endif
"""
OPS = """
#include "ops.h"
#ifdef INVERTED
#define LEVEL(v) (255 - (v))
#else
#define LEVEL(v) ((v) / 2)
#endif
static struct pixel get_grey(const uint8_t *line, int x)
{
    struct pixel p = { line[x], line[x], line[x] };
    return p;
}
static void set_grey(uint8_t *line, int x, const struct pixel *p)
{
    line[x] = (p->r + 2 * p->g + p->b) / 4;
}
static struct pixel get_rgb(const uint8_t *line, int x)
{
    struct pixel p;
    line += 3 * x;
    p.r = line[0]; p.g = line[1]; p.b = line[2];
    return p;
}
static void set_rgb(uint8_t *line, int x, const struct pixel *p)
{
    line += 3 * x;
    line[0] = p->r; line[1] = p->g; line[2] = p->b;
}
static uint8_t level(uint8_t v) { return LEVEL(v); }
static const uint8_t steps[4] = { 0, 80, 160, 255 };
static uint8_t stepped(uint8_t v) { return steps[v >> 6]; }
static const struct ops table[] = { { get_grey, set_grey, level }, { get_rgb, set_rgb, stepped } };
const struct ops *ops_of(int format) { return &table[format & 1]; }
"""
USER = """
#include "ops.h"
extern int told(const char *);
static uint8_t level(uint8_t v) { return v + 1; }
void fill(struct image *i, uint8_t v)
{
    struct pixel p = { v, 2 * v, 3 * v };
    told("fill");
    for (int y = 0; y < i->h; y++)
        for (int x = 0; x < i->w; x++) i->ops->set(i->bits + y * i->pitch, x, &p);
}
void levels(struct image *i)
{
    told("levels");
    for (int y = 0; y < i->h; y++) {
        uint8_t *line = i->bits + y * i->pitch;
        for (int x = 0; x < i->w; x++) line[x] = i->ops->level(line[x]);
    }
}
void mirrored(struct image *to, const struct image *from)
{
    told("mirrored");
    for (int y = 0; y < to->h; y++)
        for (int x = 0; x < to->w; x++) {
            struct pixel p = from->ops->get(from->bits + y * from->pitch, to->w - 1 - x);
            p.r = level(p.r);
            to->ops->set(to->bits + y * to->pitch, x, &p);
        }
}
"""
MAIN = """
#include <stdio.h>
#include <string.h>
#include "ops.h"
#include "lifted.h"
extern "C" {
    int told(const char *) { return 0; }
    void fill(image *i, uint8_t v);
    void levels(image *i);
    void mirrored(image *to, const image *from);
}
static uint8_t a[2][2000], b[2000];
static image of(uint8_t *bits, int format, int n) { return { bits, 70, n, n, ops_of(format) }; }
static int differs(const char *what)
{
    int same = !memcmp(a[0], a[1], sizeof a[0]);
    if (!same) printf("%s differs\\n", what);
    return !same;
}
int main()
{
    int wrong = 0;
    for (int n = 0; n < 20; n += 3)
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 2000; i++) a[0][i] = a[1][i] = b[i] = i * 7 + i / 9;
            image one = of(a[0], k, n);
            fill(&one, 40);
            (k ? fill_loops1_2_lifted : fill_loops1_1_lifted)(a[1], 70, n, n, 0, 40, 80, 120);
            wrong += differs("fill");
            levels(&one);
            levels_loops1_lifted(a[1], 70, n, n, k);
            wrong += differs("levels");
            for (int l = 0; l < 2; l++) {
                image from = of(b, l, n);
                mirrored(&one, &from);
                (k ? mirrored_loops1_2_lifted : mirrored_loops1_1_lifted)(
                    a[1], 70, n, n, 0, b, 70, l);
                wrong += differs("mirrored");
            }
        }
    puts(wrong ? "wrong" : "equal");
}
"""


@pytest.fixture
def library(tmp_path: Path) -> Path:
    texts = {"ops.h": HEADER, "ops.c": OPS, "user.c": USER, "main.cpp": MAIN}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def lifted(folder: Path, *more: str) -> dict[str, dict[str, object]]:
    done = lift("user.c", "ops.c", "-o", "out", "--format", "json", *more, cwd=folder)
    functions = json.loads(done.out)["functions"]
    return {f["name"]: f for f in functions if f["file"].endswith("user.c")}


@pytest.mark.slow
def test_lifted_code_does_what_the_other_files_functions_do(library: Path) -> None:
    need("g++")
    found = lifted(library)
    assert {n: f["status"] for n, f in found.items() if "#" in n} == dict.fromkeys(
        ("fill#1.1", "fill#1.2", "levels#1", "mirrored#1.1", "mirrored#1.2"), "proved"
    )
    assert lift("build", "out", cwd=library).status == 0
    for name in ("user", "ops"):
        assert run(["gcc", "-O1", "-c", f"{name}.c"], library).status == 0
    made = ["g++", "-w", "-I.", "-Iout", "main.cpp", "user.o", "ops.o", "out/liblifted.a"]
    linked = run([*made, "-o", "both", "-lpthread", "-lm"], library)
    assert linked.status == 0, linked.err
    assert run([library / "both"]).out == "equal\n"


@pytest.mark.slow
def test_a_change_of_the_other_file_is_noticed(library: Path) -> None:
    lifted(library)
    folder = library / "out/user/levels#1"
    before = (folder / "pipeline.py").read_text()
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["flags"]["beside"] == [["ops.c", None, None]]
    assert lift("verify", "out", cwd=library).status == 0
    (library / "ops.c").write_text(OPS.replace("((v) / 2)", "((v) / 3)"))
    checked = lift("verify", "out", cwd=library)
    assert checked.status == 1 and "levels#1" in checked.out + checked.err
    assert lifted(library)["levels#1"]["status"] == "proved"
    assert (folder / "pipeline.py").read_text() != before
    # What a file doesn't mean any more, nobody proves by an earlier run.
    (library / "ops.c").write_text(OPS.replace("{ return LEVEL(v); }", "{ return *(&v + 1); }"))
    assert "stepped" in str(lifted(library)["levels#1"]["preconditions"])
    (library / "ops.c").unlink()
    assert lift("verify", "out", cwd=library).status != 0


@pytest.mark.slow
def test_each_file_of_a_database_is_read_as_it_is_built(library: Path) -> None:
    commands = [
        {"directory": str(library), "file": name, "arguments": ["gcc", *more, "-c", name]}
        for name, more in (("user.c", []), ("ops.c", ["-DINVERTED"]))
    ]
    (library / "compile_commands.json").write_text(json.dumps(commands))
    done = lift("-p", ".", "-o", "out", "--format", "json", "--function", "levels", cwd=library)
    functions = {f["name"]: f for f in json.loads(done.out)["functions"]}
    assert functions["levels#1"]["status"] == "proved"
    assert "255 - " in (library / "out/user/levels#1/pipeline.py").read_text()
    assert lift("verify", "out", cwd=library).status == 0
    assert lift("verify", "out", "-p", ".", cwd=library).status == 0
