"""Numbers in memory that a loop changes as it goes: out-parameters, fields of objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from lifter.dag import build_stage_graph
from lifter.lift.lift_function import LiftOptions, lift_kernel
from lifter.model.kernel import Store, WhileLoop, statements
from tests.end_to_end.test_null_pointers import HEADER, run_guarded
from tests.parse.parsing import kernel
from tests.verify.differential import difference, lifted

BOX = "struct Box { int low, high; bool any; };\n"
LOOP = "for (int i = 0; i < n; i++)"
WIDENED = (
    f"{BOX}void f(Box *b, const int *s, int n) {{ {LOOP} if (s[i] > 3) {{"
    " if (!b->any) { b->low = i; b->high = i; b->any = true; }"
    " else { if (i < b->low) b->low = i; if (i > b->high) b->high = i; } } }"
)
PROVED = {
    "a greatest number": f"void f(int &m, const int *s, int n) {{ {LOOP} if (s[i] > m)"
    " m = s[i]; }",
    "the last hit": f"void f(int &m, const int *s, int n) {{ {LOOP} if (s[i] > 7) m = i; }}",
    "a box of an object": WIDENED,
    "two numbers of one array": "void f(int *m, const int *s, int n) { m[0] = m[1] = s[0];"
    f" {LOOP} {{ if (s[i] < m[0]) m[0] = s[i]; if (s[i] > m[1]) m[1] = s[i]; }} }}",
    "floats that are stored before": "void f(float *m, int *at, const float *s, int n) {"
    f" *m = s[0]; *at = 0; {LOOP} if (s[i] > *m) {{ *m = s[i]; *at = i; }} }}",
}  # fmt: skip


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", PROVED)
def test_what_a_loop_leaves_of_it_is_proved(name: str) -> None:
    result = lifted(PROVED[name])
    assert result.status == "proved", result.diagnostic
    assert difference(result) is None


OTHERS = {
    "a pointer to it": f"void f(int *m, const int *s, int n) {{ {LOOP} if (s[i] > 7) *m = i; }}",
    "zeros of both signs": f"void f(float &m, const float *s, int n) {{ {LOOP} if (s[i] < m)"
    " m = s[i]; }",
    "a sum": f"void f(int &m, const int *s, int n) {{ {LOOP} if (s[i] > 3) m += s[i]; }}",
    "places that are computed": f"void f(int *m, const int *s, int n) {{ m[0] = 0; {LOOP}"
    " if (s[i] > m[0]) m[i & 1] = s[i]; }",
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_others_stay_as_they_are(name: str) -> None:
    found = kernel(f"{HEADER}{OTHERS[name]}\n")
    with pytest.MonkeyPatch.context() as patch:
        seen = []
        import lifter.dag.graph as graph

        walk = graph._Walk
        patch.setattr(graph, "_Walk", lambda k, refused: (seen.append(k), walk(k, refused))[1])
        build_stage_graph(found)
    loops = [s for s in statements(seen[0].kernel.body) if isinstance(s, WhileLoop)]
    assert any(isinstance(s, Store) and s.array == "m" for s in statements(tuple(loops)))


def test_a_name_that_leads_to_the_same_number_is_no_other_one() -> None:
    text = (
        f"{BOX}void f(Box &b, const Box &c, const int *s, int n) {{ {LOOP}"
        " if (s[i] > c.low) b.low = s[i]; }"
    )
    result = lifted(text)
    if result.status == "proved":
        assert any("overlap" in p.text for p in result.proof.preconditions)


def test_what_is_not_changed_is_not_stored(tmp_path: Path) -> None:
    """An object in memory that can't be written, of which a call changes nothing."""
    result = lift_kernel(kernel(f"{HEADER}{WIDENED}\n"), LiftOptions())
    assert result.status == "proved", result.diagnostic
    main = f"""
    #include <cstring>
    #include "{Path(__file__).parents[1] / "fenced.h"}"
    void f(Box *, const int *, int) {{ puts("original"); }}
    int main() {{
        int s[9] = {{1, 2, 3, 9, 9, 9, 0, 9, 0}};
        Box *b = (Box *)fenced(sizeof(Box), 1), c = {{5, 6, true}};
        memcpy(b, &c, sizeof c);
        f_guarded(&c, s, 9);
        printf("%d,%d,%d\\n", c.low, c.high, c.any);
        read_only((uint8_t *)b, sizeof(Box));
        f_guarded(b, s, 3);
        f_guarded(b, s, 0);
        puts("done");
    }}
    """
    before = f"{BOX}void f(Box *, const int *, int);\n"
    assert run_guarded(result, main, tmp_path, before) == ["3,7,1", "done"]
