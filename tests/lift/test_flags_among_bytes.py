"""Arrays of colours whose members are bytes and a `bool`: palettes, lines of pixels."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.parse import parse_file
from tests.build.programs import lift, need, run
from tests.parse.parsing import parse
from tests.verify.differential import difference

COLOUR = r"""
#include <stdint.h>
typedef uint8_t u8;
struct colour {
    u8 b, g, r; bool index;
    colour() : b(0), g(0), r(0), index(false) {}
    colour(u8 r_, u8 g_, u8 b_) : b(b_), g(g_), r(r_), index(false) {}
    bool operator==(const colour &o) const
    {
        return b == o.b && (index ? o.index : (g == o.g && r == o.r));
    }
    colour &invert() { b = ~b; g = ~g; r = ~r; return *this; }
};
"""
LOOPS = {
    "inverted": "p[i].invert();",
    "made": "p[i] = colour(i, 2 * i, 7);",
    "set": "p[i].index = s[i]; p[i].b = p[i].index ? 3 : p[i].g;",
    "ored": "p[i].index |= s[i];",
    "compared": "d[i] = p[i] == q[i] ? 255 : p[i].index;",
    "copied": "const colour &c = q[n - 1 - i]; p[i] = c; p[i].index = !p[i].index;",
    "by_reference": "int k = n - 1 - i; bool &f = p[k].index; k = 0; f = s[i] > 7; d[i] = f;",
}
PARAMETERS = "colour *p, const colour *q, u8 *d, const u8 *s, int n"


def function(name: str) -> str:
    loop = f"for (int i = 0; i < n; i++) {{ {LOOPS[name]} }}"
    return f"void {name}({PARAMETERS}) {{ {loop} }}\n"


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("name", LOOPS)
def test_flags_are_bytes(name: str) -> None:
    (kernel,) = (k for k in parse(COLOUR + function(name)).kernels)
    result = lift_kernel(kernel, LiftOptions())
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


def test_what_is_stored_in_a_flag_is_0_or_1() -> None:
    (kernel,) = (k for k in parse(COLOUR + function("ored")).kernels)
    assert "min(" in repr(lift_kernel(kernel, LiftOptions()).summaries[0].expression)


@pytest.mark.parametrize(
    "members",
    [
        "u8 b; bool index[3];",
        "signed char b; bool index;",
        "uint16_t b; bool index;",
        "u8 b; bool index : 1;",
        "u8 b; volatile bool index;",
    ],
)
def test_other_mixtures_are_no_arrays_of_bytes(members: str, tmp_path: Path) -> None:
    body = "for (int i = 0; i < n; i++) { p[i].b = 3; if (*(const bool *)&p[i].index) p[i].b = 2; }"
    source = tmp_path / "mixed.cpp"
    source.write_text(
        f"#include <stdint.h>\ntypedef uint8_t u8;\nstruct c {{ {members} }};\n"
        f"void f(c *p, int n) {{ {body} }}\n"
    )
    results = [lift_kernel(k, LiftOptions()) for k in parse_file(source).kernels]
    assert all(r.status != "proved" for r in results)


@pytest.mark.slow
def test_they_do_what_the_original_does(tmp_path: Path) -> None:
    need("g++")
    calls = "\n".join(f"        {name}(p, q, d, s, n);" for name in LOOPS)
    main = f"""
#include <stdio.h>
#include <string.h>
int main()
{{
    static colour p[70], q[70]; static u8 d[70], s[70]; unsigned h = 0;
    for (int n = -1; n < 70; n = 2 * n + 3) {{
        for (int i = 0; i < 70; i++) {{
            p[i] = colour(i, i * 5, i * 7); q[i] = i & 4 ? p[i] : colour(i, 3, 9);
            p[i].index = i & 1; q[i].index = i & 2; d[i] = i; s[i] = i % 3 ? i : 0;
        }}
{calls}
        const u8 *bytes = (const u8 *)p;
        for (unsigned i = 0; i < sizeof p; i++) h = h * 31 + bytes[i];
        for (int i = 0; i < 70; i++) h = h * 31 + d[i];
    }}
    printf("%u\\n", h);
}}
"""
    source = tmp_path / "colours.cpp"
    source.write_text(COLOUR + "".join(map(function, LOOPS)) + main)
    assert run(["g++", "-O1", source.name, "-o", "plain"], tmp_path).status == 0
    made = lift("cc", "g++", "-O1", "-c", source.name, "-o", "colours.o", cwd=tmp_path)
    switched = made.err.partition("lifted code for ")[2].partition("\n")[0].split(", ")
    assert set(LOOPS) <= {name.partition("#")[0] for name in switched}, made.err
    linked = run(["g++", "colours.o", "-o", "lifted", "-lpthread", "-lm"], tmp_path)
    assert linked.status == 0, linked.err
    plain, lifted = (run([tmp_path / name]) for name in ("plain", "lifted"))
    assert plain.out and plain == lifted
