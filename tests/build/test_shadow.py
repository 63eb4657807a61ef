"""LIFT_SHADOW=n: every n-th guarded call runs both, tells of differences, and gives the original's
result. The lifted code is made wrong by hand: its `pipeline.py` says something else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from .conftest import FIRST
from .programs import compiled, lift, resealed, run

MAIN = """
#define LIFT_WITH_ORIGINAL
#include "lifted.h"
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <atomic>
static std::atomic<int> told;
static void tell(const lift_difference *d)
{
    if (told++ == 0)
        std::printf("%s %s(%d) %s %s %d/%d [%s]\\n", d->function, d->array, (int)d->at[0],
                    d->original, d->lifted, (int)d->differing, (int)d->compared, d->arguments);
}
int main(int count, char **words)
{
    const int calls = count > 1 ? std::atoi(words[1]) : 1;
    const int threads = count > 2 ? std::atoi(words[2]) : 1;
    if (count > 3)
        lift_on_difference(tell);
    std::vector<std::thread> all;
    for (int t = 0; t < threads; t++)
        all.emplace_back([=] {
            uint8_t a[60], b[60];
            for (int i = 0; i < 60; i++) a[i] = b[i] = (uint8_t)i;
            int s = 0, bad = 0;
            for (int i = 0; i < calls; i++) {
                for (int k = 0; k < 60; k++) a[k] = (uint8_t)k;
                negate_guarded(a, 4, 3, 20);
                for (int k = 0; k < 60; k++) bad += a[k] != (uint8_t)(k % 20 < 4 ? 255 - k : k);
            }
            total_guarded(b, 9, &s);
            if (threads == 1)
                std::printf("wrong %d, a[0] %d, total %d\\n", bad, a[0], s);
        });
    for (std::thread &one : all) one.join();
    if (count > 3) std::printf("told %d\\n", told.load());
}
"""


@pytest.fixture(scope="module")
def program(results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program with a wrong `negate` (the third row of it) and a right `total`."""
    folder = tmp_path_factory.mktemp("shadow")
    for name in ("negate", "total"):
        shutil.copytree(results / "lifted/first" / name, folder / "lifted/first" / name)
    text = folder / "lifted/first/negate/pipeline.py"
    right = text.read_text()
    wrong = right.replace("= 255 - p[x, y]", "= hl.select(y == 2, hl.u8(7), 255 - p[x, y])")
    assert wrong != right
    text.write_text(wrong)
    resealed(text.parent)
    assert lift("build", "lifted", cwd=folder).status == 0
    return compiled(
        FIRST + MAIN, folder, "-O1", "-I", folder / "lifted", folder / "lifted/liblifted.a"
    )


@pytest.mark.slow
def test_without_it_nothing_is_compared(program: Path) -> None:
    done = run([program])
    assert done.out == "wrong 4, a[0] 255, total 36\n"
    assert done.err == ""


@pytest.mark.slow
def test_a_difference_is_told_and_the_caller_gets_the_originals_result(program: Path) -> None:
    done = run([program], env={"LIFT_SHADOW": "1"})
    assert (done.status, done.out) == (0, "wrong 0, a[0] 255, total 36\n")
    assert done.err == (
        "lift: img::negate: p(0, 2) is 215 in the original, 7 in the lifted code; 4 of 12 elements "
        "differ; w = 4, h = 3, stride = 20; difference 1 of this function; the original's result "
        "is used\n"
    )


@pytest.mark.slow
def test_every_third_call_is_compared_and_lines_become_rare(program: Path) -> None:
    done = run([program, "30"], env={"LIFT_SHADOW": "3"})
    assert "wrong 80," in done.out  # 20 calls of 30 aren't compared, 4 pixels each
    numbers = [line.split("difference ")[1].split()[0] for line in done.err.splitlines()]
    assert numbers == ["1", "2", "4", "8"]


def test_the_log_has_a_line_of_json_for_each(program: Path, tmp_path: Path) -> None:
    log = tmp_path / "a log.jsonl"
    run([program, "3"], env={"LIFT_SHADOW": "1", "LIFT_SHADOW_LOG": str(log)})
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(lines) == 3
    assert lines[0] == {
        "function": "img::negate", "array": "p", "at": [0, 2], "original": 215, "lifted": 7,
        "differing": 4, "compared": 12, "arguments": {"w": 4, "h": 3, "stride": 20},
    }  # fmt: skip


def test_a_log_that_cannot_be_written_is_said_once(program: Path) -> None:
    done = run([program, "8"], env={"LIFT_SHADOW": "1", "LIFT_SHADOW_LOG": "/no/such/folder/x"})
    assert done.status == 0
    assert done.err.count("LIFT_SHADOW_LOG=/no/such/folder/x can't be written") == 1


def test_a_handler_takes_the_place_of_the_line(program: Path) -> None:
    done = run([program, "5", "1", "handler"], env={"LIFT_SHADOW": "1"})
    assert done.err == ""
    assert done.out.startswith("img::negate p(0) 215 7 4/12 [w = 4, h = 3, stride = 20]\n")
    assert "told 5" in done.out


@pytest.mark.parametrize("text", ["often", "-3", "3x", "99999999999"])
def test_what_is_no_number_switches_it_off_with_one_line(program: Path, text: str) -> None:
    done = run([program, "4"], env={"LIFT_SHADOW": text})
    assert "wrong 16," in done.out
    assert done.err == f"lift: LIFT_SHADOW={text} is ignored: it is no number of calls\n"


def test_zero_and_nothing_are_off(program: Path) -> None:
    for text in ("0", ""):
        done = run([program], env={"LIFT_SHADOW": text})
        assert ("wrong 4," in done.out, done.err) == (True, "")


def test_threads_lose_no_count(program: Path) -> None:
    done = run([program, "1000", "4", "handler"], env={"LIFT_SHADOW": "10"})
    assert "told 400\n" in done.out


def test_a_wrong_status_and_a_wrong_float_are_found_and_nan_equals_nan(
    results: Path, tmp_path: Path
) -> None:
    for name in ("mark", "scale_2"):
        shutil.copytree(results / "lifted/first" / name, tmp_path / "lifted/first" / name)
    summary = tmp_path / "lifted/first/mark/summary.json"
    data = json.loads(summary.read_text())
    data["entry"]["returned"] = ["Const", "int32", 5]
    summary.write_text(json.dumps(data))
    text = tmp_path / "lifted/first/scale_2/pipeline.py"
    text.write_text(text.read_text().replace("2.0", "2.5"))
    resealed(summary.parent)
    resealed(text.parent)
    main = """
    #include "lifted.h"
    #include <cmath>
    #include <cstdio>
    int main() {
        uint8_t a[4] = {};
        int status = mark_guarded(a, 4);
        float f[3] = {NAN, 0, 3}, g[3];
        scale_2_guarded(g, f, 3);
        std::printf("%d %d %g\\n", status, a[3], g[2]);
    }
    """
    built = lift("build", "lifted", cwd=tmp_path)
    assert built.status == 0, built.out
    lifted = tmp_path / "lifted"
    program = compiled(FIRST + main, tmp_path, "-I", lifted, lifted / "liblifted.a")
    done = run([program], env={"LIFT_SHADOW": "1"})
    assert done.out == "0 1 6\n"
    assert "mark: the result is 0 in the original, 5 in the lifted code; 1 of 1" in done.err
    assert "dst(2) is 6 in the original, 7.5 in the lifted code; 1 of 3 elements" in done.err
    assert run([program]).out == "5 1 7.5\n"


PRELUDE = Path(__file__).parents[2] / "lifter/emit/shadow_prelude.h"
ALONE = f'#include <cstdint>\n#include "{PRELUDE}"\n'


@pytest.mark.parametrize("flags", ["-O2", "-O2 -ffast-math"])
def test_which_numbers_are_the_same_is_no_matter_of_the_compilers_options(
    tmp_path: Path, flags: str
) -> None:
    main = """
    template <typename T, typename Bits> static int same(Bits a, Bits b)
    {
        lift_region region = lift_region_at("p", 0, 0, 'f', (int)sizeof(T));
        return lift_same(&region, (const char *)&a, (const char *)&b);
    }
    int main()
    {
        const uint32_t inf = 0x7f800000;
        const uint64_t inf8 = UINT64_C(0x7ff) << 52;
        std::printf("%d%d%d%d ", same<float>(inf + 1, 0xffc00000u), same<float>(~0u, inf + 9),
                    same<float>(inf, inf + 1), same<float>(inf, inf | 1u << 31));
        std::printf("%d%d%d%d", same<double>(inf8 + 1, ~UINT64_C(0)), same<double>(inf8, inf8),
                    same<double>(inf8 + 1, inf8), same<double>(UINT64_C(0), UINT64_C(1) << 63));
    }
    """
    (tmp_path / "m.cpp").write_text(f"{ALONE}#include <cstdio>\n{main}")
    done = run(["g++", *flags.split(), "m.cpp", "-o", "m"], tmp_path)
    assert done.status == 0, done.err
    assert run([tmp_path / "m"]).out == "1100 1100"


def test_a_line_of_the_log_is_json_whatever_the_function_was_called_with(tmp_path: Path) -> None:
    main = """
    int main()
    {
        lift_argument given[64]; char names[64][130]; int64_t at = 3; lift_difference d = {};
        for (int i = 0; i < 64; i++) {
            std::snprintf(names[i], 130, "%0*d", i % 7 == 6 ? 120 : 3 + i % 5, i);
            given[i] = i % 2 ? lift_real(names[i], 1e300) : lift_integer(names[i], -i);
        }
        d.function = "f"; d.array = "p"; d.dimensions = 1; d.at = &at; d.original = "nan";
        d.lifted = "1"; d.number = 1;
        lift_report_difference(&d, given, 64);
    }
    """
    (tmp_path / "m.cpp").write_text(f"{ALONE}#include <cstdio>\n{main}")
    assert run(["g++", "-w", "m.cpp", "-o", "m"], tmp_path).status == 0
    run([tmp_path / "m"], env={"LIFT_SHADOW_LOG": str(tmp_path / "log")})
    line = json.loads((tmp_path / "log").read_text())
    assert line["original"] == "nan" and line["arguments"]["000"] == 0
    assert 10 < len(line["arguments"]) < 64
