"""Pointers to functions that are in other files of a program, and what is no such function."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.beside import Beside
from lifter.model.kernel import Kernel
from lifter.parse import elsewhere, parse_file
from tests.verify.differential import difference

HEADER = """
#include <stdint.h>
#ifdef WIDE
typedef uint16_t part;
#else
typedef uint8_t part;
#endif
struct pixel { part r, g, b; };
struct ops {
    struct pixel (*get)(const uint8_t *line, int x);
    uint8_t (*level)(uint8_t value);
};
struct image { uint8_t *bits; int w; const struct ops *ops; };
"""
USER = """
#include "ops.h"
extern int told(void);
static uint8_t level(uint8_t v) { return v + 1; }
void levels(struct image *i)
{
    told();
    for (int x = 0; x < i->w; x++) i->bits[x] = level(i->ops->level(i->bits[x]));
}
void grey(struct image *i, uint8_t *out)
{
    told();
    for (int x = 0; x < i->w; x++) {
        const struct pixel p = i->ops->get(i->bits, x);
        out[x] = (p.r + p.g + p.b) / 3;
    }
}
"""
OPS = """
#include "ops.h"
#ifdef INVERTED
#define LEVEL(v) (255 - (v))
#else
#define LEVEL(v) ((v) / 2)
#endif
static struct pixel get(const uint8_t *s, int x)
{
    struct pixel p = { s[3 * x], s[3 * x + 1], s[3 * x + 2] };
    return p;
}
static uint8_t level(uint8_t v) { return LEVEL(v); }
static const struct ops own = { get, level };
const struct ops *the_ops(void) { return &own; }
"""


def loops(folder: Path, *beside: Beside, **texts: str) -> dict[str, Kernel]:
    """The loops of `user.c`, by name, with other files beside it."""
    files = {"ops.h": HEADER, "user.c": USER, **{f"{k}.c": v for k, v in texts.items()}}
    for name, text in files.items():
        (folder / name).write_text(text)
    others = beside or tuple(Beside(str(folder / f"{name}.c")) for name in texts)
    found = parse_file(folder / "user.c", beside=others)
    return {k.name: k for k in found.kernels}


def functions(kernel: Kernel) -> tuple[str, ...]:
    assert kernel.region is not None
    return tuple(name for choice in kernel.region.choices for name in choice.functions)


def formula(kernel: Kernel) -> str:
    result = lift_kernel(kernel, LiftOptions())
    assert result.status == "proved", result.diagnostic
    assert difference(result, 20) is None
    return repr(result.summaries[0].expression)


@pytest.mark.slow
def test_static_functions_of_another_file_are_what_a_pointer_may_lead_to(tmp_path: Path) -> None:
    found = loops(tmp_path, ops=OPS)
    assert functions(found["levels#1"]) == ("level in ops.c",)
    assert functions(found["grey#1"]) == ("get in ops.c",)
    # Of two functions of one name each is what it is in its own file.
    assert {name: str(f.body) for name, f in found["levels#1"].functions.items()} == {
        "level": "uint8(int32(v) + 1)",
        "level_2": "uint8(int32(v) /t 2)",
    }
    assert "level(level_2(" in formula(found["levels#1"])
    assert "bits(x * 3 + 2)" in formula(found["grey#1"]) or "bits(2, x)" in formula(found["grey#1"])


def test_a_call_that_would_name_them_is_refused_for_now(tmp_path: Path) -> None:
    put_back = loops(tmp_path, ops=OPS)["levels#1"].put_back
    assert put_back is not None and put_back.refused is not None
    assert "`level in ops.c`" in put_back.refused
    assert put_back.beside == (str(tmp_path / "ops.c"),)


def test_each_file_is_read_with_its_own_macros(tmp_path: Path) -> None:
    (tmp_path / "ops.c").write_text(OPS)
    inverted = Beside(str(tmp_path / "ops.c"), defines=("INVERTED",))
    kernel = loops(tmp_path, inverted)["levels#1"]
    assert str(kernel.functions["level_2"].body) == "uint8(255 - int32(v))"


def test_functions_of_one_name_in_several_files_stay_apart(tmp_path: Path) -> None:
    other = OPS.replace("((v) / 2)", "((v) * 3)").replace("the_ops", "other_ops")
    kernel = loops(tmp_path, ops=OPS, more=other)["levels#1"]
    assert functions(kernel) == ("level in ops.c", "level in more.c")
    assert "level_2(i.bits(x))" in formula(kernel) and "level_3(i.bits(x))" in formula(kernel)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "changed",
    [
        "static int n; static uint8_t level(uint8_t v) { n++; return v; }",
        "static int gain = 3; int *gains(void) { return &gain; }"
        " static uint8_t level(uint8_t v) { return v * gain; }",
        "extern int told(void); static uint8_t level(uint8_t v) { return told(); }",
        "static uint8_t t[256] = { 1 }; void fill(int i) { t[i] = i; }"
        " static uint8_t level(uint8_t v) { return t[v]; }",
        "extern uint8_t table[]; static uint8_t level(uint8_t v) { return table[v]; }",
    ],
)
def test_functions_that_do_more_than_they_are_given_are_left_out(
    changed: str, tmp_path: Path
) -> None:
    text = OPS.replace("static uint8_t level(uint8_t v) { return LEVEL(v); }", changed)
    assert text != OPS
    found = loops(tmp_path, ops=text)
    assert "levels#1" not in found  # it is the only one
    kernel = loops(tmp_path, ops=text, more=OPS.replace("the_ops", "other_ops"))["levels#1"]
    assert kernel.region is not None
    (choice,) = kernel.region.choices
    assert choice.functions == ("level in more.c",) and choice.left_out == ("level in ops.c",)
    assert kernel.put_back is not None and len(kernel.put_back.beside) == 2


def test_a_type_that_is_laid_out_otherwise_there_is_another_one(tmp_path: Path) -> None:
    (tmp_path / "ops.c").write_text(OPS)
    found = loops(tmp_path, Beside(str(tmp_path / "ops.c"), defines=("WIDE",)))
    assert "grey#1" not in found and "levels#1" in found


@pytest.mark.parametrize(
    "text",
    [
        "this is no C\n" + OPS,
        OPS.replace('#include "ops.h"', '#include "ops.h"\n#include "missing.h"'),
        OPS.replace("static uint8_t level", "__attribute__((weak)) uint8_t level"),
        "#pragma weak level\n" + OPS.replace("static uint8_t level", "uint8_t level"),
        # nobody takes its address
        OPS.replace("{ get, level }", "{ get, 0 }") + "uint8_t one(void) { return level(1); }",
    ],
)
def test_what_another_file_does_not_surely_mean_is_no_candidate(text: str, tmp_path: Path) -> None:
    assert "levels#1" not in loops(tmp_path, ops=text)


@pytest.mark.parametrize(
    ("own", "is_known"),
    [("", True), ("__attribute__((weak)) ", False), ("static ", False)],
)
def test_what_another_file_calls_of_this_one(own: str, is_known: bool, tmp_path: Path) -> None:
    text = OPS.replace("static uint8_t level", "uint8_t half(uint8_t);\nstatic uint8_t level")
    text = text.replace("return LEVEL(v);", "return half(v);")
    (tmp_path / "ops.h").write_text(HEADER)
    (tmp_path / "ops.c").write_text(text)
    half = f"{own}uint8_t half(uint8_t v) {{ return v / 2; }}"
    user = tmp_path / "user.c"
    user.write_text(f"{USER}\n{half}\nuint8_t uses(uint8_t v) {{ return half(v); }}\n")
    found = parse_file(user, beside=[Beside(str(tmp_path / "ops.c"))])
    assert ("levels#1" in {k.name for k in found.kernels}) == is_known


def test_floats_that_are_computed_otherwise_there_are_not_these(tmp_path: Path) -> None:
    fast = '#pragma GCC optimize("fast-math")\n' + OPS
    assert "levels#1" not in loops(tmp_path, ops=fast)


def test_only_files_that_speak_of_the_pointer_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def reading(path: Path, **options: object) -> object:
        read.append(path.name)
        return original(path, **options)  # type: ignore[arg-type]

    original = elsewhere.read_source
    monkeypatch.setattr(elsewhere, "read_source", reading)
    loops(tmp_path, ops=OPS, unlike="int levelled, getter; int f(void) { return 3; }")
    assert read == ["ops.c"]
