"""References to one of two objects, and constant objects that the first call makes: palettes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.lifted import FunctionResult
from tests.build.programs import lift, need, run
from tests.parse.parsing import parse
from tests.verify.differential import difference

PALETTE = r"""
#include <stdint.h>
#include <vector>
typedef uint8_t u8;
struct colour {
    u8 b, g, r; bool index;
    colour() : b(0), g(0), r(0), index(false) {}
    colour(u8 r_, u8 g_, u8 b_) : b(b_), g(g_), r(r_), index(false) {}
};
struct palette {
    std::vector<colour> colours;
    const colour &operator[](uint16_t n) const
    {
        static const colour black(1, 2, 3);
        return n < colours.size() ? colours[n] : black;
    }
};
struct store { palette p; int w; };
extern int told(int);
"""
LOOPS = r"""
void looked_up(const store *v, u8 *d, const u8 *s, int n)
{
    told(1);
    for (int i = 0; i < n; i++) d[i] = v->p[s[i]].r + v->p[s[i]].index;
}
void two(const store *v, u8 *d, const u8 *s, int n)
{
    told(2);
    for (int i = 0; i < n; i++) {
        const colour &a = v->p[s[i]], &b = v->p[s[i] >> 1];
        const colour &c = s[i] & 1 ? a : b;
        d[i] = c.r + 2 * c.g;
    }
}
void changed(colour *p, const u8 *s, int n)
{
    colour x, y;
    for (int i = 0; i < n; i++) {
        bool odd = s[i] & 1;
        colour &c = odd ? x : y;
        odd = !odd; x.r = s[i]; y.r = 3;
        c.g = c.r; c.index = s[i] & 2;
        p[i] = c;
        c.g = 0; x.g = 0; y.g = 0; x.index = y.index = false;
    }
}
void among(colour *p, const u8 *s, int n)
{
    for (int i = 0; i + 1 < n; i++) {
        uint16_t k = 0;
        colour &c = s[i] > 9 ? p[k] : p[k + 1];
        k = 1;
        c.g = s[i];
    }
}
"""
MAIN = r"""
#include <stdio.h>
int told(int k) { return k; }
int main()
{
    unsigned h = 0;
    for (int size = 0; size < 300; size = 2 * size + 1) {
        store v; v.w = 3;
        for (int i = 0; i < size; i++) {
            v.p.colours.push_back(colour(i * 3, i * 5, i * 7));
            v.p.colours[i].index = i & 1;
        }
        for (int n = -1; n < 300; n = 2 * n + 3) {
            static colour p[300]; static u8 d[300], s[300];
            for (int i = 0; i < 300; i++) { s[i] = i * 11; d[i] = i; p[i] = colour(i, i, i); }
            looked_up(&v, d, s, n);
            for (int i = 0; i < 300; i++) h = h * 31 + d[i];
            two(&v, d, s, n); changed(p, s, n); among(p, s, n);
            for (int i = 0; i < 300; i++) h = h * 31 + d[i] + p[i].g + 3 * p[i].r + 5 * p[i].index;
        }
    }
    printf("%u\n", h);
}
"""


def lifted(text: str) -> list[FunctionResult]:
    return [lift_kernel(k, LiftOptions()) for k in parse(text).kernels]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("name", ["looked_up", "two", "changed"])
def test_what_a_reference_to_one_of_two_objects_gives(name: str) -> None:
    body = "\nvoid " + next(f for f in LOOPS.split("\nvoid ") if f.startswith(f"{name}("))
    (result,) = lifted(PALETTE + body)
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


@pytest.mark.parametrize(
    "change",
    [
        "P &r = x > 3 ? p : q; x = 0; r.a = 5;",
        "(x > 3 ? p : q).a = 5;",
        "int &r = (x > 3 ? p : q).a; x = 0; r = 5;",
    ],
)
def test_what_is_changed_by_one_of_two_names(change: str) -> None:
    text = "struct P { int a; double b; };\nvoid f(int *d, int x, int n) {"
    text += f"P p = {{ 1, 2 }}, q = {{ 3, 4 }};\n{change}\n"
    text += "for (int i = 0; i < n; i++) d[i] = 10 * p.a + q.a; }"
    (result,) = lifted(text)
    assert result.status == "proved", result.diagnostic
    (summary,) = result.summaries
    assert repr(summary.expression) in ("select(x <= 3, 15, 53)", "select(x > 3, 53, 15)")
    assert difference(result, 20) is None


@pytest.mark.parametrize(
    "black",
    [
        "static colour black(1, 2, 3);",
        "static const colour black(n, 2, 3);",
        "static const colour black(seen(), 2, 3);",
        "static const volatile colour black_(1, 2, 3); const colour black(black_.b, 0, 0);",
        "static const counted black;",
        "static const unset black;",
        "static const changing black;",
        "static const inside black;",
    ],
)
def test_objects_that_the_first_call_decides_are_not_taken_for_constants(black: str) -> None:
    kinds = """
    int count; u8 seen() { return ++count; }
    struct counted : colour { counted() { count++; } };
    struct unset : colour { u8 more; unset() {} };
    struct changing : colour { mutable u8 more; changing() : more(0) { more = 1; } };
    struct inside : changing { };
    """
    begin, _, rest = PALETTE.partition("struct palette")
    text = f"{begin}{kinds}struct palette{rest}"
    text = text.replace("static const colour black(1, 2, 3);", black)
    loop = "for (int i = 0; i < n; i++) d[i] = v->p[s[i]].r;"
    loops = f"void f(const store *v, u8 *d, const u8 *s, int n) {{ told(1); {loop} }}"
    assert text.count(black) == 1
    assert all(r.status != "proved" for r in lifted(text + loops) if r.name.startswith("f"))


@pytest.mark.parametrize(
    "place",
    [
        "i < n / 2 ? v->p.colours[s[2 * i]] : black",  # what is read for it
        "i < n / 2 ? v->p.colours[s[i] / (i - n)] : black",  # what isn't computed otherwise
        "i < 9 ? v->p.colours[far * 1000000] : black",
    ],
)
def test_where_an_object_is_that_is_not_taken_is_not_computed(place: str) -> None:
    loop = f"const colour black; for (int i = 0; i < n; i++) {{ const colour &c = {place};"
    text = f"void f(const store *v, u8 *d, const u8 *s, int n, int far) {{ told(1); {loop}"
    found = parse(f"{PALETTE}{text} d[i] = c.r; }} }}")
    assert not [k for k in found.kernels if k.name.startswith("f")]


@pytest.mark.slow
def test_they_do_what_the_original_does(tmp_path: Path) -> None:
    need("g++")
    source = tmp_path / "palette.cpp"
    source.write_text(PALETTE + LOOPS + MAIN)
    assert run(["g++", "-O1", source.name, "-o", "plain"], tmp_path).status == 0
    made = lift("cc", "g++", "-O1", "-c", source.name, "-o", "palette.o", cwd=tmp_path)
    switched = made.err.partition("lifted code for ")[2].partition("\n")[0].split(", ")
    assert {"looked_up#1", "two#1", "changed"} <= set(switched), made.err
    linked = run(["g++", "palette.o", "-o", "lifted", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    plain, lifted = (run([tmp_path / name]) for name in ("plain", "lifted"))
    assert plain.out and plain == lifted
